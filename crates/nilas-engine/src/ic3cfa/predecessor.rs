//! Preimages: the states before an edge that lead into a cube behind it.

use super::Ic3Cfa;
use super::instance::Obligation;
use super::technique::Technique;
use crate::lift::{values_for, word_literals};
use crate::outcome::Unknown;
use crate::pdr::{Level, ObligationId};
use crate::phase::Phase;
use crate::transition::Step;
use nilas_program::EdgeId;
use nilas_term::{Cube, Term, Value};
use std::time::Instant;

/// How the states of an obligation lead on.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// The step to the next obligation, or to a sink; a conjecture has none.
    pub(super) step: Option<Step>,
    /// At the entry: a state of the cube.
    pub(super) state: Vec<(Term, Value)>,
}

impl Ic3Cfa<'_, '_> {
    /// Whether an edge can be taken at all from the frontier.
    pub(super) fn feasible(&mut self, edge: EdgeId) -> Result<bool, Unknown> {
        self.statistics.relative_checks += 1;
        let (level, budget) = (self.level, self.budget);
        let (solver, arena) = self.solver(edge)?;
        Ok(solver.frame.meets(arena, level, &[], budget)?)
    }

    /// The obligation one edge back, from the model that the edge's solver has. `level` is the level of
    /// `cube`.
    pub(super) fn predecessor(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation, Unknown> {
        let (automaton, techniques, budget) =
            (self.instance.map.automaton, self.instance.techniques, self.budget);
        let (mut replaced, mut lifted) = (None, None);
        let location = automaton.edge(edge).source;
        if self.observer.wants_inputs() {
            let (solver, arena) = self.solver(edge)?;
            let inputs = solver.transition.inputs(arena, automaton, &mut *solver.frame.solver)?;
            self.observer.inputs(inputs);
        }
        let (solver, arena) = self.solver(edge)?;
        // Only a counterexample needs a whole state, and it starts at the entry.
        let state = if location == automaton.entry { solver.state(arena, automaton)? } else { Vec::new() };
        let start = Instant::now();
        let projecting = techniques.contains(Technique::Projection);
        let (step, mut before, projected) = solver.predecessor(arena, automaton, cube, projecting)?;
        if techniques.contains(Technique::WordLiterals)
            && let Some(words) = word_literals(&mut *solver.frame.solver, arena, &before)?
        {
            replaced = Some(before.len() as u64);
            before = words;
        }
        let compound = self.to_concretise(location, &before);
        let (solver, arena) = self.solver(edge)?;
        if let Some(values) = values_for(&mut *solver.frame.solver, arena, &before, &compound)? {
            before = values;
        }
        if techniques.contains(Technique::Lifting)
            && let Some(part) = solver.lift(arena, &step, &before, cube, budget)?
        {
            lifted = Some((before.len() - part.len()) as u64);
            before = part;
        }
        let projected = (projected > 0).then_some(projected);
        for (technique, count) in [
            (Technique::WordLiterals, replaced),
            (Technique::Lifting, lifted),
            (Technique::Projection, projected),
        ] {
            if let Some(count) = count {
                self.instance.applied.count(technique, count);
            }
        }
        self.statistics.times.spent(Phase::Lift, start);
        let level = level.previous().unwrap_or(Level(0));
        let trail = Trail { step: Some(step), state };
        Ok(Obligation::new(level, location, before, trail, next))
    }
}
