//! Semantic generalisation by weakening literals (IC3CFA thesis 5.10 asks for interpolants; ICP-based IC3,
//! §2.4.2).
//!
//! What cannot be dropped may be weakened: `y = 0` to `y` even, `x = 7` to `x >= 5`. Each weaker literal is
//! implied by the one it replaces, so the cube still contains the obligation, and relative inductiveness over
//! all ways is asked for every try. This proves Jain1, which diverges without.

use super::Pdr;
use super::instance::{Instance, SpotOf};
use super::relative::Purpose;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_term::Cube;
use std::time::Instant;

impl<I: Instance> Pdr<'_, I> {
    /// A cube that the given one implies and that is still relative inductive.
    pub(crate) fn weaken(&mut self, spot: SpotOf<I>, cube: Cube) -> Result<Cube, Unknown> {
        let start = Instant::now();
        let mut weakener = std::mem::take(&mut self.weakener);
        let mut arena = std::mem::take(&mut self.arena);
        let mut result = cube;
        // The weakener makes terms and asks in turn, so the arena goes back and forth.
        let asked = weakener.weaken(&mut arena, &mut result, &mut |arena, cube| {
            std::mem::swap(arena, &mut self.arena);
            let answer = self.can_be_blocked(spot, cube);
            std::mem::swap(arena, &mut self.arena);
            Ok(answer?.is_some())
        });
        self.arena = arena;
        self.weakener = weakener;
        self.statistics.times.spent(Phase::Weaken, start);
        if asked? {
            self.statistics.weakened += 1;
        }
        Ok(result)
    }

    /// What is blocked of a cube that executions may begin in, if it is blocked and none does.
    pub(super) fn can_be_blocked(&mut self, spot: SpotOf<I>, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        if !I::excludes_initial(self, spot.place, cube)? {
            return Ok(None);
        }
        Ok(self.blocked(spot, cube, Purpose::Truth)?.ok())
    }
}
