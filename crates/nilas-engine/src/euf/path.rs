//! The concretised abstract counterexample as one formula (BMCFORMULA of Alg. 10), made small by what the
//! abstract model of each step says.
//!
//! `B` has a copy of the relation for every step, with all the branches of an edge. `Q`, what term projection
//! makes of each step, names the branches that the counterexample takes. Here the copies are projected
//! themselves: a step is the literals of `Q`, and for each variable that a later step reads its value behind
//! the step, with the branches chosen. What is left are conjunctions, and variables that nothing reads are
//! gone. The literals imply the guard and the next cube: an assignment of the projected path is an execution.
//!
//! Equations are solved by substitution ([`Path::conditions`]): the conditions of the path are over the first
//! state and the inputs, and constants are folded on the way. This is the path constraint `pc` of SIMULATE
//! (Alg. 7), too.

use super::EufIc3;
use super::edge::EdgeSolver;
use super::project::Projection;
use super::refine::Link;
use crate::outcome::Unknown;
use nilas_program::Automaton;
use nilas_smt::{Answer, Solver};
use nilas_term::{Arena, Substitution, Term};
use std::collections::BTreeSet;

/// One step, projected.
#[derive(Clone)]
pub(super) struct PathStep {
    /// Literals over the state before it and its inputs that choose the way.
    pub(super) literals: Vec<Term>,
    /// What the variables that are read behind it hold there.
    pub(super) next: Vec<(Term, Term)>,
    /// Its inputs.
    pub(super) inputs: Vec<Term>,
}

/// A path of projected steps.
#[derive(Clone)]
pub(super) struct Path {
    pub(super) steps: Vec<PathStep>,
}

/// A literal of a step, by the number of the step and its place there, said about the first state and the
/// inputs of the path.
pub(super) struct Condition {
    pub(super) step: usize,
    pub(super) literal: usize,
    pub(super) formula: Term,
}

/// The conditions of a path, and what stands for the inputs of each step in them.
pub(super) struct Conditions {
    pub(super) all: Vec<Condition>,
    pub(super) inputs: Vec<Vec<(Term, Term)>>,
    /// What the variables that are read at each step hold there.
    pub(super) states: Vec<Vec<(Term, Term)>>,
}

impl EufIc3<'_, '_> {
    /// The path of an abstract counterexample. The abstract model of each step is asked for again, so that
    /// obligations which never are part of a counterexample cost nothing. `None` if a step has none any more,
    /// because of what was learnt since.
    pub(super) fn projected_path(&mut self, chain: &[Link]) -> Result<Option<Path>, Unknown> {
        let mut steps = Vec::with_capacity(chain.len());
        let mut read: BTreeSet<Term> = BTreeSet::new();
        for link in chain.iter().rev() {
            let Some(solver) = &mut self.instance.solvers[link.edge.index()] else {
                return Err(Unknown::Internal(format!("{:?} was taken, but cannot matter", link.edge)));
            };
            let EdgeSolver { transition, frame, .. } = solver;
            match frame.solver.check(&self.arena, &[], &link.step, self.budget) {
                Answer::Sat => {}
                Answer::Unsat => return Ok(None),
                Answer::Unknown(reason) => return Err(reason.into()),
            }
            let Some(mut partition) = frame.solver.partition() else { return Ok(None) };
            let mut projection = Projection::new(&mut partition);
            for &literal in &link.step {
                projection.formula(&mut self.arena, literal);
            }
            let mut next = Vec::with_capacity(read.len());
            for &variable in &read {
                let value = transition.next.get(variable).unwrap_or(variable);
                next.push((variable, projection.term(&mut self.arena, value)));
            }
            projection.finish(&mut self.arena);
            let inputs: Vec<Term> = transition.encoding.inputs.iter().map(|input| input.variable).collect();
            let literals = projection.literals.clone();
            let step = PathStep { literals, next, inputs };
            read = step.reads(&self.arena);
            steps.push(step);
        }
        steps.reverse();
        Ok(Some(Path { steps }))
    }
}

impl PathStep {
    /// The variables of the state before it that it speaks of.
    fn reads(&self, arena: &Arena) -> BTreeSet<Term> {
        let values = self.next.iter().map(|&(_, value)| value);
        let terms: Vec<Term> = self.literals.iter().copied().chain(values).collect();
        let variables = arena.free_variables_of(&terms).into_iter();
        variables.filter(|variable| !self.inputs.contains(variable)).collect()
    }
}

impl Path {
    /// The conditions of the path over the first state and its inputs.
    pub(super) fn conditions(&self, arena: &mut Arena) -> Conditions {
        let mut conditions = Conditions { all: Vec::new(), inputs: Vec::new(), states: Vec::new() };
        let mut state: Vec<(Term, Term)> = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            let inputs = fresh_inputs(arena, &step.inputs);
            let mut here: Substitution = state.iter().chain(&inputs).copied().collect();
            for (position, &literal) in step.literals.iter().enumerate() {
                let formula = here.apply(arena, literal);
                conditions.all.push(Condition { step: index, literal: position, formula });
            }
            let next = step.next.iter().map(|&(variable, value)| (variable, here.apply(arena, value)));
            let next = next.collect();
            conditions.states.push(std::mem::replace(&mut state, next));
            conditions.inputs.push(inputs);
        }
        conditions
    }

    /// The same with these literals alone (by step), and with nothing that is not read.
    pub(super) fn with_literals(&self, arena: &Arena, kept: &[(usize, usize)]) -> Path {
        let mut path = self.clone();
        let mut read: BTreeSet<Term> = BTreeSet::new();
        for (index, step) in path.steps.iter_mut().enumerate().rev() {
            let mut position = 0;
            step.literals.retain(|_| {
                position += 1;
                kept.contains(&(index, position - 1))
            });
            step.next.retain(|(variable, _)| read.contains(variable));
            read = step.reads(arena);
        }
        path
    }

    /// The path with variables of its own for every state on the way, as sequence interpolation takes it:
    /// conjuncts for each step. Also for each step the variables that stand for the program's before it.
    pub(super) fn formula(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
    ) -> (Vec<Vec<Term>>, Vec<Renaming>) {
        let (mut parts, mut states) = (Vec::new(), Vec::new());
        let mut state: Vec<(Term, Term)> =
            automaton.variables.iter().map(|variable| (variable.term, variable.term)).collect();
        for step in &self.steps {
            let inputs = fresh_inputs(arena, &step.inputs);
            let mut here: Substitution = state.iter().chain(&inputs).copied().collect();
            let mut part: Vec<Term> =
                step.literals.iter().map(|&literal| here.apply(arena, literal)).collect();
            let mut after = Vec::with_capacity(step.next.len());
            for &(variable, value) in &step.next {
                let value_here = here.apply(arena, value);
                if value == variable {
                    // Nothing to say, and both sides of a cut know it.
                    after.push((variable, value_here));
                    continue;
                }
                let sort = arena.sort(variable).clone();
                let fresh = arena.fresh_variable("behind", &sort);
                part.push(arena.eq(fresh, value_here));
                after.push((variable, fresh));
            }
            parts.push(part);
            states.push(std::mem::replace(&mut state, after));
        }
        (parts, states)
    }
}

/// Variables of the program, and what stands for them at a place of the path.
pub(super) type Renaming = Vec<(Term, Term)>;

fn fresh_inputs(arena: &mut Arena, inputs: &[Term]) -> Vec<(Term, Term)> {
    let fresh = inputs.iter().map(|&input| {
        let sort = arena.sort(input).clone();
        (input, arena.fresh_variable("input", &sort))
    });
    fresh.collect()
}
