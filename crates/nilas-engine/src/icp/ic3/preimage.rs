//! Obligations: a state that leads on, and as many around it as can be shown to.
//!
//! GeNTR (§2.4.5) conjoins the negated relation to a step that satisfies it: bounds of the state that the
//! refutation does not need are dropped, and weakened, by rotation. What is left leads to the *same* state
//! after the step, with the same inputs. Lifting asks for less: that it leads into the cube. For a general
//! relation that is no preimage, so the paper lifts counterexamples to generalisation only (§3.2). Here an
//! edge with its inputs is a function that is defined where its guard holds, which is part of the question:
//! what is lifted is real, too.

use super::edge::lifter;
use super::instance::{Obligation, Trail};
use super::suffix::Suffix;
use super::{Dropping, IcpIc3};
use crate::outcome::Unknown;
use crate::pdr::{Level, ObligationId};
use crate::phase::Phase;
use crate::transition::{Step, state};
use nilas_icp::{Analysis, Asked, Icp, SimpleBound};
use nilas_program::{EdgeId, LocationId};
use nilas_smt::{Budget, Interrupt, Reason, Solver};
use nilas_term::{Cube, Term, Value};
use std::time::Instant;

/// Conflicts that one generalisation may take: with all inputs known most take none.
const CONFLICTS: u64 = 200;

/// How obligations are generalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lifting {
    /// To those that lead to the same state.
    GeNtr,
    /// To those that lead into the same cube.
    Lift,
}

/// A model of a step, as far as obligations are made of it.
struct Before {
    location: LocationId,
    state: Vec<(Term, Value)>,
    /// What is to be reached: formulas before the step.
    goals: Vec<Term>,
    /// Inputs and their values.
    inputs: Vec<(Term, Value)>,
}

impl<'i> IcpIc3<'_, 'i> {
    /// The obligation one edge back, from the model that the edge's solver has.
    pub(super) fn predecessor(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
        lifting: Lifting,
    ) -> Result<Obligation, Unknown> {
        let start = Instant::now();
        let automaton = self.instance.map.automaton;
        let (source, target) = (automaton.edge(edge).source, automaton.edge(edge).target);
        let lives: Vec<_> =
            automaton.variable_ids().filter(|&id| self.instance.live.contains(target, id)).collect();
        let (solver, arena) = (self.instance.map.solver(edge)?, &mut self.arena);
        let model = &mut *solver.frame.solver;
        let state = state(arena, automaton, model)?;
        let mut inputs = Vec::with_capacity(solver.transition.encoding.inputs.len());
        for input in &solver.transition.encoding.inputs {
            inputs.push((input.variable, model.value(arena, input.variable)?));
        }
        let mut goals = vec![solver.transition.encoding.guard];
        match lifting {
            Lifting::Lift => goals.extend(solver.transition.preconditions(arena, cube)),
            Lifting::GeNtr => {
                for id in lives {
                    let after = solver.transition.encoding.next.get(id);
                    let value = model.value(arena, after)?;
                    let value = arena.constant(value);
                    goals.push(arena.eq(after, value));
                }
            }
        }
        let constants = inputs.iter().map(|(input, value)| (*input, arena.constant(value.clone())));
        let step = Step { edge, inputs: constants.collect() };
        let mut lifter = solver.lifter.take().unwrap_or_else(lifter);
        let before = Before { location: source, state, goals, inputs };
        let cube = self.leading_on(&mut lifter, &before);
        if let Some(solver) = &mut self.instance.map.solvers[edge.index()] {
            solver.lifter = Some(lifter);
        }
        self.statistics.times.spent(Phase::Lift, start);
        let trail = Trail { steps: vec![step], state: self.at_entry(&before) };
        Ok(Obligation::new(level, source, cube?, trail, next))
    }

    /// The obligation that leads to a sink over a suffix, from the model that the suffix' solver has.
    pub(super) fn before_suffix(
        &mut self,
        level: Level,
        suffix: &mut Suffix<'i>,
        sink: LocationId,
        condition: Term,
    ) -> Result<Obligation, Unknown> {
        let start = Instant::now();
        let (automaton, arena) = (self.instance.map.automaton, &mut self.arena);
        let state = state(arena, automaton, &mut *suffix.frame.solver)?;
        let own = |edge: EdgeId| {
            let solver = self.instance.map.solvers[edge.index()].as_ref();
            let inputs = solver.map(|solver| &solver.transition.encoding.inputs);
            inputs.into_iter().flatten().map(|input| input.variable).collect()
        };
        let steps = suffix.steps(arena, sink, &own)?;
        let mut inputs = Vec::new();
        for variable in arena.free_variables(condition) {
            if !state.iter().any(|(own, _)| *own == variable) {
                inputs.push((variable, suffix.frame.solver.value(arena, variable)?));
            }
        }
        let before = Before { location: suffix.location, state, goals: vec![condition], inputs };
        let cube = self.leading_on(&mut suffix.lifter, &before)?;
        self.statistics.times.spent(Phase::Lift, start);
        let trail = Trail { steps, state: self.at_entry(&before) };
        Ok(Obligation::new(level, suffix.location, cube, trail, None))
    }

    /// Only a counterexample needs a whole state, and it starts at the entry.
    fn at_entry(&self, before: &Before) -> Vec<(Term, Value)> {
        if before.location == self.instance.map.automaton.entry { before.state.clone() } else { Vec::new() }
    }

    /// Bounds around a state, all of whose states reach the goals with these inputs.
    fn leading_on(&mut self, lifter: &mut Icp, before: &Before) -> Result<Cube, Unknown> {
        let automaton = self.instance.map.automaton;
        let mut literals = Vec::with_capacity(3 * before.state.len());
        for (id, (_, value)) in automaton.variable_ids().zip(&before.state) {
            if !self.instance.live.contains(before.location, id) {
                continue;
            }
            let around = self.instance.literals.around(&mut self.arena, automaton, id, value);
            let Some(around) = around else {
                return Err(Unknown::Inapplicable("variables without bounds matter".to_owned()));
            };
            literals.extend(around);
        }
        let whole = Cube::new(literals);
        let mut fixed = Vec::new();
        for (input, value) in &before.inputs {
            let Some(bounds) = SimpleBound::around(*input, value, true) else { return Ok(whole) };
            for bound in bounds {
                fixed.push(Asked { literal: bound.literal(&mut self.arena), bound });
            }
        }
        let goal = self.arena.and(&before.goals);
        let missed = self.arena.not(goal);
        let activation = lifter.activation();
        lifter.assert_under(&self.arena, activation, missed);
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        let asked = self.instance.asked(&whole);
        let refutation = lifter.refute(&self.arena, &[activation], &fixed, &asked, ROTATING, &budget);
        let mut cube = match kept(refutation)? {
            Some(kept) => self.instance.restated(&mut self.arena, &asked, kept),
            None => whole,
        };
        if self.instance.configuration.dropping == Dropping::Always {
            for literal in cube.clone().iter() {
                if !cube.contains(literal) {
                    continue;
                }
                let asked = self.instance.asked(&cube.without(literal));
                let refutation = lifter.refute(&self.arena, &[activation], &fixed, &asked, ROTATING, &budget);
                if let Some(kept) = kept(refutation)? {
                    cube = self.instance.restated(&mut self.arena, &asked, kept);
                }
            }
        }
        lifter.retire(activation);
        Ok(cube)
    }
}

pub(super) const ROTATING: Analysis = Analysis { rotate: true, weaken: true };

/// What a refutation keeps; `None` if there was none within the limits.
fn kept(
    refutation: Result<Option<nilas_icp::Refutation>, Reason>,
) -> Result<Option<Vec<(usize, SimpleBound)>>, Unknown> {
    match refutation {
        Ok(found) => Ok(found.map(|found| found.kept)),
        Err(Reason::Interrupted(why)) if why != Interrupt::Conflicts => Err(Unknown::Interrupted(why)),
        Err(_) => Ok(None),
    }
}
