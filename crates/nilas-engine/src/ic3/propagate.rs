//! Pushing lemmas to higher levels, tried only where something has changed.

use super::Ic3;
use super::block::Purpose;
use super::frame::{Lemma, Witness};
use crate::level::Level;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_term::{Evaluator, Model};
use std::time::Instant;

impl Ic3<'_> {
    /// Pushes every lemma below the frontier as far as it goes, lowest levels first.
    pub(super) fn propagate(&mut self) -> Result<(), Unknown> {
        let start = Instant::now();
        for level in (1..self.level.0).map(Level) {
            let mut index = 0;
            while index < self.frames.len() {
                let dropped = if self.frames.lemmas()[index].level == level { self.push(index)? } else { 0 };
                index = index + 1 - dropped;
            }
        }
        self.statistics.times.spent(Phase::Propagate, start);
        Ok(())
    }

    /// Tries to raise one lemma by one level. Returns how many lemmas before it are gone.
    fn push(&mut self, index: usize) -> Result<usize, Unknown> {
        if let Some(why) = self.budget.exhausted() {
            return Err(Unknown::Interrupted(why));
        }
        if self.is_stuck(index) {
            self.statistics.push_skipped += 1;
            return Ok(0);
        }
        self.statistics.push_tries += 1;
        let Lemma { level, clause, cube, .. } = self.frames.lemmas()[index].clone();
        if self.relative_inductive(level.next(), &cube, Purpose::Truth)?.is_some() {
            self.statistics.pushed += 1;
            self.solver.add_lemma(&self.arena, level.next(), clause);
            return Ok(self.frames.raise(index));
        }
        // Where it was too hard there is no state to remember, and next time the frame may be easier.
        if !self.too_hard {
            let state = self.solver.values(&self.arena, &self.variables)?;
            let seen = self.frames.added();
            self.frames.lemmas_mut()[index].witness = Some(Witness { state, seen });
        }
        Ok(0)
    }

    /// Whether the state that kept a lemma from being pushed is still in its frame.
    fn is_stuck(&mut self, index: usize) -> bool {
        let added = self.frames.added();
        let lemma = &self.frames.lemmas()[index];
        let Some(witness) = &lemma.witness else {
            return false;
        };
        if witness.seen == added {
            return true;
        }
        let model: Model = witness.state.iter().cloned().collect();
        let mut evaluator = Evaluator::new(model);
        // What cannot be evaluated is asked to the solver again.
        let excluded = self.frames.frame(lemma.level).any(|other| {
            evaluator.eval(&self.arena, other.clause).map_or(true, |value| value.as_bool() != Some(true))
        });
        if let Some(witness) = &mut self.frames.lemmas_mut()[index].witness {
            witness.seen = added;
        }
        !excluded
    }
}
