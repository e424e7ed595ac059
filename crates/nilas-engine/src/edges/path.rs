//! A path of edges as a formula with variables of its own for every state on the way.
//!
//! Unlike the encoding of a command, where what a variable holds behind it is a term, each state has fresh
//! variables here that are constrained to equal that term: interpolants between two steps then speak about
//! the state between them and nothing else. A variable that a step leaves as it is stays the same one.

use crate::execution::ExecutionBuilder;
use crate::outcome::Unknown;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{Automaton, EdgeId, LiveVariables, VarId};
use nilas_smt::interpolate::{InterpolateOptions, sequence};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason, Solver};
use nilas_term::{Arena, Substitution, Term, Value};

/// Solver checks that the word-level way may take per interpolant, and conflicts that one of them may take.
const CHECKS: u32 = 100;
const CHECK_CONFLICTS: u64 = 500;
/// Conflicts that a proof may take, and nodes that an interpolant from it may have.
const CONFLICTS: u64 = 5_000;
const NODES: usize = 1_000;

/// A step of a path.
pub(crate) struct Taken {
    /// The inputs that it reads.
    pub(crate) inputs: Vec<Term>,
    /// What holds before it, over the program's variables and the inputs.
    pub(crate) formulas: Vec<Term>,
    /// For each variable, what it is behind the step; `None` where that does not matter.
    pub(crate) next: Vec<Option<Term>>,
}

/// The formula of a path.
#[derive(Clone)]
pub(crate) struct PathFormula {
    /// The variables of the states, in the order of the automaton's: one more than there are steps. The first
    /// state's are the program's variables themselves.
    pub(crate) states: Vec<Vec<Term>>,
    /// For each step, the inputs of its transition and the variables that stand for them.
    pub(crate) inputs: Vec<Vec<(Term, Term)>>,
    /// For each step, conjuncts: its formulas (the guard alone if made of transitions), and an equation for
    /// every variable.
    pub(crate) steps: Vec<Vec<Term>>,
}

impl PathFormula {
    /// The formula of the path over these transitions, one behind the other.
    pub(crate) fn new(arena: &mut Arena, automaton: &Automaton, path: &[&Transition]) -> Self {
        let taken: Vec<Taken> = path
            .iter()
            .map(|transition| Taken {
                inputs: transition.encoding.inputs.iter().map(|input| input.variable).collect(),
                formulas: vec![transition.encoding.guard],
                next: automaton.variable_ids().map(|id| Some(transition.encoding.next.get(id))).collect(),
            })
            .collect();
        Self::along(arena, automaton, &taken)
    }

    /// The formula of a path of steps.
    pub(crate) fn along(arena: &mut Arena, automaton: &Automaton, path: &[Taken]) -> Self {
        let mut states: Vec<Vec<Term>> = vec![automaton.variables.iter().map(|v| v.term).collect()];
        let mut inputs = Vec::with_capacity(path.len());
        let mut steps = Vec::with_capacity(path.len());
        for taken in path {
            let mut here = Substitution::new();
            for (variable, &now) in automaton.variables.iter().zip(&states[states.len() - 1]) {
                here.insert(variable.term, now);
            }
            let mut renamed = Vec::with_capacity(taken.inputs.len());
            for &input in &taken.inputs {
                let sort = arena.sort(input).clone();
                let fresh = arena.fresh_variable("input", &sort);
                here.insert(input, fresh);
                renamed.push((input, fresh));
            }
            let mut step: Vec<Term> =
                taken.formulas.iter().map(|&formula| here.apply(arena, formula)).collect();
            let mut after = Vec::with_capacity(automaton.variables.len());
            for (index, variable) in automaton.variables.iter().enumerate() {
                let next = taken.next[index];
                if next == Some(variable.term) {
                    // Nothing to say, and both sides of a cut know it.
                    step.push(arena.mk_true());
                    after.push(states[states.len() - 1][index]);
                    continue;
                }
                let fresh = arena.fresh_variable(&variable.name, &variable.sort);
                step.push(match next {
                    Some(next) => {
                        let next = here.apply(arena, next);
                        arena.eq(fresh, next)
                    }
                    None => arena.mk_true(),
                });
                after.push(fresh);
            }
            inputs.push(renamed);
            states.push(after);
            steps.push(step);
        }
        PathFormula { states, inputs, steps }
    }

    /// A formula over the program's variables, said about the state before step `index`.
    pub(crate) fn at(&self, arena: &mut Arena, automaton: &Automaton, index: usize, formula: Term) -> Term {
        let mut there = Substitution::new();
        for (variable, &now) in automaton.variables.iter().zip(&self.states[index]) {
            there.insert(variable.term, now);
        }
        there.apply(arena, formula)
    }

    /// A formula about the state before step `index`, over the program's variables.
    pub(crate) fn back(&self, arena: &mut Arena, automaton: &Automaton, index: usize, formula: Term) -> Term {
        let mut back = Substitution::new();
        for (variable, &now) in automaton.variables.iter().zip(&self.states[index]) {
            back.insert(now, variable.term);
        }
        back.apply(arena, formula)
    }

    /// An execution along the path, if there is one; `path` is what the formula was made of.
    pub(crate) fn execution(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        path: &[&Transition],
        budget: &Budget,
    ) -> Result<Option<Execution>, Unknown> {
        let mut solver: Embedded = Embedded::default();
        for &formula in self.steps.iter().flatten() {
            solver.assert(arena, formula);
        }
        match solver.check(arena, &[], &[], budget) {
            Answer::Sat => Ok(Some(self.follow(arena, automaton, path, &mut solver)?)),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The execution that a model of the path describes: the first state and the inputs are read.
    pub(crate) fn follow(
        &self,
        arena: &Arena,
        automaton: &Automaton,
        path: &[&Transition],
        model: &mut dyn Solver,
    ) -> Result<Execution, Unknown> {
        let mut builder = ExecutionBuilder::new(automaton);
        let mut state: Vec<(Term, Value)> = Vec::with_capacity(self.states[0].len());
        for &variable in &self.states[0] {
            let value = model.value(arena, variable)?;
            builder.initial(variable, value.clone());
            state.push((variable, value));
        }
        for (transition, inputs) in path.iter().zip(&self.inputs) {
            let mut values = Vec::with_capacity(inputs.len());
            for &(input, fresh) in inputs {
                values.push((input, model.value(arena, fresh)?));
            }
            let way = transition.execute(arena, automaton, &state, &values)?;
            builder.step(transition.edge, way.arcs, way.havocs);
            state = way.after;
        }
        Ok(builder.finish())
    }

    /// Forgets what the path says about variables that are not live where a step ends, so that interpolants
    /// speak of live ones only.
    pub(crate) fn keep_live(&mut self, automaton: &Automaton, path: &[EdgeId], live: &LiveVariables) {
        for (&edge, step) in path.iter().zip(&mut self.steps) {
            let target = automaton.edge(edge).target;
            let mut index = 0;
            // The guard comes first, then an equation for each variable.
            step.retain(|_| {
                index += 1;
                index == 1 || live.contains(target, VarId::new(index - 2))
            });
        }
    }

    /// Sequence interpolants of a path that cannot be executed, over the program's variables: what holds
    /// before each step. `None` if nothing is found within limits that suit a refinement.
    pub(crate) fn interpolants(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Unknown> {
        self.interpolants_by(arena, automaton, &Self::limits(), budget)
    }

    /// Limits of interpolation that suit a refinement.
    pub(crate) fn limits() -> InterpolateOptions {
        InterpolateOptions {
            checks: CHECKS,
            check_conflicts: CHECK_CONFLICTS,
            conflicts: CONFLICTS,
            nodes: NODES,
            ..InterpolateOptions::default()
        }
    }

    /// The same by other options.
    pub(crate) fn interpolants_by(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        options: &InterpolateOptions,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Unknown> {
        let Some(found) = sequence_interpolants(arena, &self.steps, options, budget)? else {
            return Ok(None);
        };
        let back = |index| self.back(arena, automaton, index, found[index]);
        Ok(Some((0..self.steps.len()).map(back).collect()))
    }
}

/// Sequence interpolants of formulas that contradict each other; `None` where none are found within the
/// limits, which is no reason to end a search.
pub(crate) fn sequence_interpolants(
    arena: &mut Arena,
    parts: &[Vec<Term>],
    options: &InterpolateOptions,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Unknown> {
    match sequence(arena, parts, options, budget) {
        Ok(found) => Ok(found),
        Err(Reason::Interrupted(why)) if why != Interrupt::Conflicts => Err(Unknown::Interrupted(why)),
        Err(_) => Ok(None),
    }
}
