//! Semantic generalisation by weakening literals (thesis 5.10 asks for interpolants; ICP-based IC3, §2.4.2).
//!
//! What cannot be dropped may be weakened: `y = 0` to `y` even, `x = 7` to `x >= 5`. Each weaker literal is
//! implied by the one it replaces, so the cube still contains the obligation, and relative inductiveness over
//! all edges is asked for every try. This proves Jain1, which diverges without.

use super::Ic3Cfa;
use super::level::Level;
use super::relative::Purpose;
use super::technique::Technique;
pub(super) use crate::landmarks::{constants, weakener};
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_program::LocationId;
use nilas_term::Cube;
use std::time::Instant;

impl Ic3Cfa<'_> {
    /// A cube that the given one implies and that is still relative inductive.
    pub(super) fn weaken(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
    ) -> Result<Cube, Unknown> {
        let start = Instant::now();
        let mut weakener = std::mem::take(&mut self.weakener);
        let mut result = cube.clone();
        let mut arena = std::mem::take(&mut self.arena);
        // The weakener makes terms and asks in turn, so the arena goes back and forth.
        let asked = weakener.weaken(&mut arena, &mut result, &mut |arena, cube| {
            std::mem::swap(arena, &mut self.arena);
            let answer = self.reachable(level, location, cube, Purpose::Truth);
            std::mem::swap(arena, &mut self.arena);
            Ok(answer?.is_ok())
        });
        self.arena = arena;
        self.weakener = weakener;
        self.statistics.times.spent(Phase::Weaken, start);
        if asked? {
            self.statistics.count(Technique::Weakening, 0);
        }
        Ok(result)
    }
}
