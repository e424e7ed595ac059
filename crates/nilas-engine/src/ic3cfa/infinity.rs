//! Lemmas pushed to infinity.
//!
//! Lemmas of the frontier that are inductive together, without any other, hold at every level: they need not
//! be pushed again, and their solvers need no activation for them. The largest such set is what is left when
//! everything is thrown out that a step from states that satisfy the set violates (as for
//! [`candidates`](super::candidates)).

use super::technique::Technique;
use super::{Cfa, Ic3Cfa};
use crate::analyses::houdini::Houdini;
use crate::outcome::Unknown;
use crate::pdr::{Instance, Level};
use nilas_term::Term;

/// Of the work so far, what one attempt may cost.
const SHARE: u64 = 16;

impl Ic3Cfa<'_, '_> {
    /// Lifts lemmas of the frontier to infinity where that can be.
    pub(super) fn push_to_infinity(&mut self) -> Result<(), Unknown> {
        let mut kept: Vec<Vec<Term>> = vec![Vec::new(); self.instance.map.automaton.locations.len()];
        let mut any = false;
        for location in self.instance.map.automaton.location_ids() {
            let lemmas = self.frames.lemmas(location).iter();
            let finite = lemmas.filter(|lemma| lemma.level >= self.level && lemma.level != Level::INFINITE);
            kept[location.index()] = finite.map(|lemma| lemma.clause).collect();
            any |= !kept[location.index()].is_empty();
        }
        if !any
            || !self.keep_inductive(
                &mut kept,
                &mut Houdini::new(self.instance.map.solvers.len(), self.effort_so_far() / SHARE),
            )?
        {
            return Ok(());
        }
        for location in self.instance.map.automaton.location_ids() {
            for &clause in &kept[location.index()] {
                self.instance.applied.count(Technique::Infinity, 0);
                self.frames.raise(location, clause, Level::INFINITE);
                Cfa::assert_lemma(self, location, Level::INFINITE, clause);
            }
        }
        Ok(())
    }
}
