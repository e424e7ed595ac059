//! BUILDBMCCX (Alg. 10 of the thesis): the formula of an abstract counterexample, and what is learnt where it
//! has no model.
//!
//! The formula of a path of edges has all their branches. An abstract counterexample takes one of each: term
//! projection of the guard and of what is behind a step, by a model of the step, gives literals `Q` that
//! imply it, and next states without branches. So the formula is a conjunction of literals. Definitions
//! are solved before it is asked: each state is said by the first one and the inputs, which leaves
//! nothing of most literals. What contradicts itself then, and the definitions that it needs, is what
//! interpolants are made of.
//!
//! Interpolants are weakest preconditions of that, where inputs allow it, and what interpolation finds
//! otherwise. The lemmas are those of (4.33), `¬(p_(i-1) ∧ body_i ∧ ¬p_i')`, where the body is a part of
//! the cube and of `Q`. Each is shown again before it is asserted. Atoms of interpolants become
//! predicates of their locations: then the same steps make no counterexample again. For if all literals
//! of the last step hold, the state before it has not `p_(n-1)`, and its obligation says so, since it
//! decides the atoms of `p_(n-1)`; so has the state before that one not `p_(n-2)`, and so on, but `p_0`
//! is true.

use super::edge::EdgeSolver;
use super::lemmas::Source;
use super::project::Projection;
use super::refine::{Link, given_up, without_inputs};
use super::{EufIc3, Uninterpreted};
use crate::outcome::Unknown;
use crate::path::{PathFormula, Taken};
use crate::pdr::Map;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{Automaton, LiveVariables};
use nilas_smt::weaken::Step;
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Op, Substitution, Term};
use rustc_hash::FxHashSet;

/// Questions that may be asked to leave out more of what contradicts itself, and conflicts of each.
const SHORTER: usize = 60;
const CONFLICTS: u64 = 2_000;

/// Literals that a weakest precondition may have.
const LITERALS: usize = 12;

/// What there is to a path.
pub(super) enum Feasibility {
    /// It can be executed.
    Execution(Execution),
    /// It cannot: by step, the positions of formulas that contradict each other.
    Contradiction(Vec<Vec<usize>>),
}

/// Interpolants: before the step `first`, the first of which is true, and before those that follow;
/// behind the last one it is false.
struct Sequence {
    first: usize,
    found: Vec<Term>,
}

/// A formula of a step, with states said by the first one.
struct Asked {
    step: usize,
    position: usize,
    term: Term,
}

impl EufIc3<'_, '_> {
    /// Each step of a counterexample as a model of it takes it; `None` if by now lemmas exclude one.
    pub(super) fn steps_taken(&mut self, chain: &[Link]) -> Result<Option<Vec<Taken>>, Unknown> {
        let automaton = self.instance.map.automaton;
        let mut all = Vec::with_capacity(chain.len());
        for link in chain {
            let Uninterpreted { map: Map { solvers, .. }, lemmas, live, behind, .. } = &mut self.instance;
            let Some(solver) = &mut solvers[link.edge.index()] else {
                return Err(Unknown::Internal(format!("{:?} was taken, but cannot matter", link.edge)));
            };
            let literals: Vec<Term> = link.cube.iter().chain(link.step.iter().copied()).collect();
            let mut asked = literals.clone();
            // Next states have to be part of the question for the model to choose their branches.
            for (variable, &after) in automaton.variable_ids().zip(behind.iter()) {
                let next = solver.transition.encoding.next.get(variable);
                let target = automaton.edge(link.edge).target;
                if !self.arena.op(next).is_leaf() && live.contains(target, variable) {
                    asked.push(self.arena.eq(after, next));
                }
            }
            if !solver.has_model(&mut self.arena, lemmas, &asked, self.budget)? {
                return Ok(None);
            }
            let Some(taken) = taken(&mut self.arena, automaton, live, solver, literals) else {
                return Err(Unknown::Internal("a step is asked for, but there is no model".into()));
            };
            all.push(taken);
        }
        Ok(Some(all))
    }

    /// Whether the steps can be executed.
    pub(super) fn feasibility(
        &mut self,
        chain: &[Link],
        path: &PathFormula,
        taken: &[Taken],
    ) -> Result<Feasibility, Unknown> {
        let automaton = self.instance.map.automaton;
        self.instance.concrete += 1;
        let asked = solved(&mut self.arena, automaton, path, taken);
        let mut by_step = vec![Vec::new(); taken.len()];
        if let Some(asked) = asked.iter().find(|asked| self.arena.as_bool(asked.term) == Some(false)) {
            by_step[asked.step].push(asked.position);
            return Ok(Feasibility::Contradiction(by_step));
        }
        let mut solver: Embedded = Embedded::default();
        let terms: Vec<Term> = asked.iter().map(|asked| asked.term).collect();
        match solver.check(&self.arena, &[], &terms, self.budget) {
            Answer::Sat => {
                let solvers =
                    chain.iter().filter_map(|link| self.instance.map.solvers[link.edge.index()].as_ref());
                let transitions: Vec<&Transition> = solvers.map(|solver| &solver.transition).collect();
                let execution = path.follow(&self.arena, automaton, &transitions, &mut solver)?;
                return Ok(Feasibility::Execution(execution));
            }
            Answer::Unknown(reason) => return Err(reason.into()),
            Answer::Unsat => {}
        }
        let core = self.shorter(&mut solver)?;
        let core: FxHashSet<Term> = core.into_iter().collect();
        for asked in asked.iter().filter(|asked| core.contains(&asked.term)) {
            by_step[asked.step].push(asked.position);
        }
        Ok(Feasibility::Contradiction(by_step))
    }

    /// The assumptions that a solver has refuted, with fewer of them as far as that is cheap.
    fn shorter(&mut self, solver: &mut Embedded) -> Result<Vec<Term>, Unknown> {
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let mut core = solver.failed().to_vec();
        let (mut position, mut asked) = (0, 0);
        while position < core.len() && asked < SHORTER {
            let mut fewer = core.clone();
            fewer.remove(position);
            asked += 1;
            self.instance.concrete += 1;
            match solver.check(&self.arena, &[], &fewer, &budget) {
                // What failed is in the order in which it was given.
                Answer::Unsat => core = solver.failed().to_vec(),
                Answer::Sat => position += 1,
                Answer::Unknown(reason) => {
                    given_up(reason)?;
                    position += 1;
                }
            }
        }
        Ok(core)
    }

    /// REFINEWITHINTERPOLANTS: whether lemmas or predicates are new.
    pub(super) fn refine_with_interpolants(
        &mut self,
        chain: &[Link],
        path: &PathFormula,
        taken: &[Taken],
        core: &[Vec<usize>],
    ) -> Result<bool, Unknown> {
        let sequence = match self.weakest(chain, taken, core)? {
            Some(found) => Some(found),
            None => self.between(path, taken, core)?,
        };
        let Some(Sequence { first, found }) = sequence else { return Ok(false) };
        let mut is_new = false;
        for (index, &before) in found.iter().enumerate() {
            let link = &chain[first + index];
            let behind = found.get(index + 1).copied();
            is_new |= self.learn_interpolant(link, &taken[first + index], before, behind)?;
            if index > 0 {
                is_new |= self.add_predicates(link.place, before);
            }
        }
        Ok(is_new)
    }

    /// Interpolants that are weakest preconditions: not all of what contradicts itself from a step on, said of
    /// the state before it. They are inductive by what they are, and made of the program's own terms. Where
    /// that contradicts itself already, nothing before it matters. `None` if inputs are left that no equation
    /// says, or if there is too much of it.
    fn weakest(
        &mut self,
        chain: &[Link],
        taken: &[Taken],
        core: &[Vec<usize>],
    ) -> Result<Option<Sequence>, Unknown> {
        let automaton = self.instance.map.automaton;
        let Some(last) = core.iter().rposition(|positions| !positions.is_empty()) else { return Ok(None) };
        let mut solver: Embedded = Embedded::default();
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let (mut literals, mut found): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        for step in (0..=last).rev() {
            let Some(edge) = &mut self.instance.map.solvers[chain[step].edge.index()] else {
                return Ok(None);
            };
            let arena = &mut self.arena;
            let needed: FxHashSet<Term> = arena.free_variables_of(&literals).into_iter().collect();
            let mut next = Substitution::new();
            for (variable, behind) in automaton.variables.iter().zip(&taken[step].next) {
                match behind {
                    Some(behind) => next.insert(variable.term, *behind),
                    None if needed.contains(&variable.term) => return Ok(None),
                    None => {}
                }
            }
            for literal in &mut literals {
                *literal = next.apply(arena, *literal);
            }
            literals.extend(core[step].iter().map(|&position| taken[step].formulas[position]));
            literals.retain(|&literal| arena.as_bool(literal) != Some(true));
            let mut seen = FxHashSet::default();
            literals.retain(|&literal| seen.insert(literal));
            let is_false = |arena: &Arena, literals: &[Term]| {
                literals.iter().any(|&literal| arena.as_bool(literal) == Some(false))
            };
            let mut is_over = step == 0 || is_false(arena, &literals);
            if !is_over {
                literals = without_inputs(arena, &mut edge.inputs, literals);
                if literals.len() > LITERALS
                    || literals.iter().any(|&literal| edge.inputs.occur_in(arena, literal))
                {
                    return Ok(None);
                }
                self.instance.concrete += 1;
                is_over = match solver.check(&self.arena, &[], &literals, &budget) {
                    Answer::Unsat => true,
                    Answer::Sat => false,
                    Answer::Unknown(reason) => given_up(reason).map(|()| false)?,
                };
            }
            if is_over {
                found.push(self.arena.mk_true());
                found.reverse();
                return Ok(Some(Sequence { first: step, found }));
            }
            let all = self.arena.and(&literals);
            found.push(self.arena.not(all));
        }
        Ok(None)
    }

    /// Interpolants of the formulas that contradict each other, with the definitions that they need.
    fn between(
        &mut self,
        path: &PathFormula,
        taken: &[Taken],
        core: &[Vec<usize>],
    ) -> Result<Option<Sequence>, Unknown> {
        let automaton = self.instance.map.automaton;
        let parts = needed_parts(&self.arena, automaton, path, taken, core);
        let (Some(first), Some(last)) =
            (parts.iter().position(|part| !part.is_empty()), parts.iter().rposition(|part| !part.is_empty()))
        else {
            return Ok(None);
        };
        let mut between = path.clone();
        between.steps = parts[first..=last].to_vec();
        between.states = path.states[first..].to_vec();
        // Facts about single bits mean nothing to EUF.
        let mut options = PathFormula::limits();
        options.weaken.steps.retain(|step| !matches!(step, Step::LowestBit | Step::LowBits));
        let found = between.interpolants_by(&mut self.arena, automaton, &options, self.budget)?;
        Ok(found.map(|found| Sequence { first, found }))
    }

    /// The lemma (4.33) of one step; nothing is behind the last one. Whether it is new.
    fn learn_interpolant(
        &mut self,
        link: &Link,
        taken: &Taken,
        before: Term,
        behind: Option<Term>,
    ) -> Result<bool, Unknown> {
        let Some(solver) = &mut self.instance.map.solvers[link.edge.index()] else { return Ok(false) };
        let mut asked = match self.arena.op(before) {
            Op::And => self.arena.children(before).to_vec(),
            _ => vec![before],
        };
        if let Some(behind) = behind {
            let behind = solver.transition.before(&mut self.arena, behind);
            asked.push(self.arena.not(behind));
        }
        asked.extend_from_slice(&taken.formulas);
        asked.retain(|&formula| self.arena.as_bool(formula) != Some(true));
        if asked.iter().any(|&formula| self.arena.as_bool(formula) == Some(false)) {
            // Simplification knows it: EUF reads nothing else.
            return Ok(false);
        }
        let Some(core) = self.contradiction(&mut Embedded::default(), &asked)? else { return Ok(false) };
        if core.iter().any(|&literal| core.contains(&self.arena.not(literal))) {
            return Ok(false);
        }
        if behind.is_none() {
            return Ok(self.learn(link.edge, core, Source::Interpolant));
        }
        let clause: Vec<Term> = core.iter().map(|&literal| self.arena.not(literal)).collect();
        Ok(self.add_clause(link.edge, &clause, Source::Interpolant))
    }
}

/// A step as the model that its solver has takes it: literals that hold there and imply the step, and the
/// states behind it, as far as they matter there.
fn taken(
    arena: &mut Arena,
    automaton: &Automaton,
    live: &LiveVariables,
    solver: &EdgeSolver,
    mut literals: Vec<Term>,
) -> Option<Taken> {
    let Transition { edge, encoding, .. } = &solver.transition;
    let target = automaton.edge(*edge).target;
    let mut partition = solver.frame.solver.partition()?;
    let mut projection = Projection::of_values(&mut partition);
    projection.formula(arena, encoding.guard);
    let mut next = Vec::with_capacity(automaton.variables.len());
    for id in automaton.variable_ids() {
        let behind = encoding.next.get(id);
        next.push(if behind == automaton.variable(id).term {
            Some(behind)
        } else if live.contains(target, id) {
            Some(projection.term(arena, behind))
        } else {
            None
        });
    }
    // The conditions of the branches that next states take.
    let nothing = arena.mk_true();
    projection.formula(arena, nothing);
    let mut seen: FxHashSet<Term> = literals.iter().copied().collect();
    literals.extend(projection.literals.iter().copied().filter(|&literal| seen.insert(literal)));
    let inputs = encoding.inputs.iter().map(|input| input.variable).collect();
    Some(Taken { inputs, formulas: literals, next })
}

/// The formulas of all steps with the definitions of states solved; those that are true are left out, and so
/// are repetitions.
fn solved(arena: &mut Arena, automaton: &Automaton, path: &PathFormula, taken: &[Taken]) -> Vec<Asked> {
    let mut all = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut values = path.states[0].clone();
    for (step, taken) in taken.iter().enumerate() {
        let variables = automaton.variables.iter().map(|variable| variable.term);
        let mut here: Substitution = variables.zip(values.iter().copied()).collect();
        for &(input, fresh) in &path.inputs[step] {
            here.insert(input, fresh);
        }
        for (position, &formula) in taken.formulas.iter().enumerate() {
            let term = here.apply(arena, formula);
            if arena.as_bool(term) != Some(true) && seen.insert(term) {
                all.push(Asked { step, position, term });
            }
        }
        for (index, &next) in taken.next.iter().enumerate() {
            values[index] = match next {
                Some(next) => here.apply(arena, next),
                None => path.states[step + 1][index],
            };
        }
    }
    all
}

/// By step, the formulas of a core with the definitions that they need.
fn needed_parts(
    arena: &Arena,
    automaton: &Automaton,
    path: &PathFormula,
    taken: &[Taken],
    core: &[Vec<usize>],
) -> Vec<Vec<Term>> {
    let mut needed: FxHashSet<Term> = FxHashSet::default();
    let mut parts = vec![Vec::new(); taken.len()];
    for step in (0..taken.len()).rev() {
        let formulas = taken[step].formulas.len();
        let definitions = (0..automaton.variables.len())
            .filter(|&index| path.states[step + 1][index] != path.states[step][index])
            .filter(|&index| needed.contains(&path.states[step + 1][index]))
            .map(|index| formulas + index);
        let positions: Vec<usize> = core[step].iter().copied().chain(definitions).collect();
        for position in positions {
            let formula = path.steps[step][position];
            if arena.as_bool(formula) != Some(true) {
                parts[step].push(formula);
            }
        }
        needed.extend(arena.free_variables_of(&parts[step]));
    }
    parts
}
