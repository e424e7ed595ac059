//! Pushing lemmas to higher levels (§V of the paper), tried only where something has changed.
//!
//! A lemma that could not be pushed remembers the state that prevented it. As long as no new lemma excludes
//! that state, trying again would find it again, so it is not tried (triggered clause pushing, Suda 2013).

use super::Ic3Cfa;
use super::frame::{Lemma, Witness};
use super::level::Level;
use super::relative::Purpose;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_program::LocationId;
use nilas_term::{Evaluator, Model};
use std::time::Instant;

impl Ic3Cfa<'_> {
    /// Pushes every lemma below the frontier as far as it goes, lowest levels first.
    pub(super) fn propagate(&mut self) -> Result<(), Unknown> {
        let start = Instant::now();
        for level in (1..self.level.0).map(Level) {
            for location in self.automaton.location_ids() {
                let mut index = 0;
                while index < self.frames.lemmas(location).len() {
                    if self.frames.lemmas(location)[index].level == level {
                        self.push(location, index)?;
                    }
                    index += 1;
                }
            }
        }
        if self.settings.techniques.contains(Technique::Subsumption) {
            for location in self.automaton.location_ids() {
                let dropped = self.frames.subsume(location) as u64;
                if dropped > 0 {
                    self.statistics.count(Technique::Subsumption, dropped);
                }
            }
        }
        if self.settings.techniques.contains(Technique::Infinity) {
            self.push_to_infinity()?;
        }
        self.statistics.times.spent(Phase::Propagate, start);
        Ok(())
    }

    /// Tries to raise one lemma by one level.
    fn push(&mut self, location: LocationId, index: usize) -> Result<(), Unknown> {
        if let Some(why) = self.budget.exhausted() {
            return Err(Unknown::Interrupted(why));
        }
        if self.is_stuck(location, index) {
            self.statistics.push_skipped += 1;
            return Ok(());
        }
        self.statistics.push_tries += 1;
        let Lemma { level, clause, cube, .. } = self.frames.lemmas(location)[index].clone();
        match self.reachable(level.next(), location, &cube, Purpose::Push)? {
            Ok(_) => {
                self.statistics.pushed += 1;
                let lemma = &mut self.frames.lemmas_mut(location)[index];
                lemma.level = level.next();
                lemma.witness = None;
                self.frames.note_pushed(location);
                self.note_good(location, &cube);
                self.tell_solvers(location, level.next(), clause);
            }
            // There is no state to remember, and next time the frame may be easier.
            Err(_) if self.too_hard => {}
            Err(edge) => {
                let automaton = self.automaton;
                let (solver, arena) = self.solver(edge)?;
                let state = solver.state(arena, automaton)?;
                let after = solver.state_after(arena, automaton)?;
                let seen = self.frames.added(automaton.edge(edge).source);
                self.frames.lemmas_mut(location)[index].witness = Some(Witness { edge, state, after, seen });
            }
        }
        Ok(())
    }

    /// Whether the state that kept a lemma from being pushed is still in its frame.
    fn is_stuck(&mut self, location: LocationId, index: usize) -> bool {
        let lemma = &self.frames.lemmas(location)[index];
        let Some(witness) = &lemma.witness else {
            return false;
        };
        let source = self.automaton.edge(witness.edge).source;
        let added = self.frames.added(source);
        if witness.seen == added {
            return true;
        }
        let mut model = Model::new();
        for (variable, value) in &witness.state {
            model.set(*variable, value.clone());
        }
        let mut evaluator = Evaluator::new(model);
        // What cannot be evaluated is asked to the solver again.
        let excluded = self.frames.frame(lemma.level, source).any(|other| {
            evaluator.eval(&self.arena, other.clause).map_or(true, |value| value.as_bool() != Some(true))
        });
        if let Some(witness) = &mut self.frames.lemmas_mut(location)[index].witness {
            witness.seen = added;
        }
        !excluded
    }
}
