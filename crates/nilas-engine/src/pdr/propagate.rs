//! Pushing lemmas to higher levels (§V of the IC3CFA paper), tried only where something has changed.
//!
//! A lemma that could not be pushed remembers the state that prevented it. As long as no new lemma excludes
//! that state, trying again would find it again, so it is not tried (triggered clause pushing, Suda 2013).

use super::Pdr;
use super::frame::{Lemma, Witness};
use super::instance::Instance;
use super::level::Level;
use super::relative::Purpose;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_term::{Evaluator, Model};
use std::time::Instant;

impl<I: Instance> Pdr<'_, I> {
    /// Pushes every lemma below the frontier as far as it goes, lowest levels first.
    pub(super) fn propagate(&mut self) -> Result<(), Unknown> {
        let start = Instant::now();
        let places = self.instance.places();
        for level in (1..self.level.0).map(Level) {
            for &place in &places {
                let mut index = 0;
                while index < self.frames.lemmas(place).len() {
                    let is_here = self.frames.lemmas(place)[index].level == level;
                    let dropped = if is_here { self.push(place, index)? } else { 0 };
                    index = index + 1 - dropped;
                }
            }
        }
        I::all_pushed(self)?;
        self.statistics.times.spent(Phase::Propagate, start);
        Ok(())
    }

    /// Tries to raise one lemma by one level. Returns how many lemmas before it are gone.
    fn push(&mut self, place: I::Place, index: usize) -> Result<usize, Unknown> {
        self.in_time()?;
        if self.is_stuck(place, index) {
            self.statistics.push_skipped += 1;
            return Ok(0);
        }
        self.statistics.push_tries += 1;
        let Lemma { level, clause, cube, .. } = self.frames.lemmas(place)[index].clone();
        match self.reachable(level.next(), place, &cube, Purpose::Push)? {
            Ok(_) => {
                self.statistics.pushed += 1;
                let dropped = self.frames.push(place, index, self.settings.subsume_pushed);
                I::pushed(self, place, &cube);
                I::assert_lemma(self, place, level.next(), clause);
                return Ok(dropped);
            }
            // There is no state to remember, and next time the frame may be easier.
            Err(_) if self.too_hard => {}
            Err(way) => {
                let source = self.instance.source(way);
                let seen = self.frames.added(source);
                let witness = I::witness(self, way)?;
                self.frames.lemmas_mut(place)[index].witness =
                    witness.map(|(state, after)| Witness { source, state, after, seen });
            }
        }
        Ok(0)
    }

    /// Whether the state that kept a lemma from being pushed is still in its frame.
    fn is_stuck(&mut self, place: I::Place, index: usize) -> bool {
        let lemma = &self.frames.lemmas(place)[index];
        let Some(witness) = &lemma.witness else {
            return false;
        };
        let added = self.frames.added(witness.source);
        if witness.seen == added {
            return true;
        }
        let model: Model = witness.state.iter().cloned().collect();
        let mut evaluator = Evaluator::new(model);
        // What cannot be evaluated is asked to the solver again.
        let excluded = self.frames.frame(lemma.level, witness.source).any(|other| {
            evaluator.eval(&self.arena, other.clause).map_or(true, |value| value.as_bool() != Some(true))
        });
        if let Some(witness) = &mut self.frames.lemmas_mut(place)[index].witness {
            witness.seen = added;
        }
        !excluded
    }
}
