//! Counterexamples to generalisation (IC3CFA thesis 5.11, Alg. 5.11.1; Hassan, Bradley, Somenzi, FMCAD 2013).
//!
//! When a literal cannot be dropped, some states before a step are to blame. If these can be blocked
//! themselves, one level down, they are, and the question is asked again. Plain CTGs go one step back.
//! Extended ones (EXCTG: Xia et al., Extended CTG Generalization and Dynamic Adjustment of Generalization
//! Strategies in IC3, 2025) also block the predecessors of counterexamples, to a depth.

use super::Pdr;
use super::instance::{Instance, ObligationOf, SpotOf};
use super::level::Level;
use super::relative::Purpose;
use crate::outcome::Unknown;
use nilas_term::Cube;

/// How many counterexamples one try to drop something may block, and how many steps back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) tries: usize,
    pub(crate) depth: usize,
}

impl Effort {
    /// Counterexamples are not looked at.
    pub(crate) const NONE: Effort = Effort { tries: 0, depth: 0 };
}

impl<I: Instance> Pdr<'_, I> {
    /// Whether a part of the cube is blocked: that part. Counterexamples are blocked on the way, as far as
    /// the instance wants that.
    pub(super) fn down(&mut self, spot: SpotOf<I>, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        let Effort { mut tries, depth } = I::effort(self);
        if tries == 0 {
            return self.can_be_blocked(spot, cube);
        }
        if !I::excludes_initial(self, spot.place, cube)? {
            return Ok(None);
        }
        loop {
            let way = match self.blocked(spot, cube, Purpose::Model)? {
                Ok(core) => return Ok(Some(core)),
                Err(way) => way,
            };
            if tries == 0 || !self.block_before(spot.level, way, cube, depth, &mut tries)? {
                return Ok(None);
            }
        }
    }

    /// Tries to block what leads over a way into a cube, going back `depth` steps at most. Where several
    /// obligations are needed to get there, it suffices to block one of them.
    fn block_before(
        &mut self,
        level: Level,
        way: I::Way,
        cube: &Cube,
        depth: usize,
        tries: &mut usize,
    ) -> Result<bool, Unknown> {
        for ctg in self.predecessors(level, way, cube, None)? {
            if self.block_ctg(&ctg, depth, tries)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries to block a counterexample.
    fn block_ctg(&mut self, ctg: &ObligationOf<I>, depth: usize, tries: &mut usize) -> Result<bool, Unknown> {
        if ctg.level == Level(0) || I::is_initial(self, ctg)? {
            return Ok(false);
        }
        loop {
            if *tries == 0 || depth == 0 {
                return Ok(false);
            }
            *tries -= 1;
            match self.reachable(ctg.level, ctg.place, &ctg.cube, Purpose::Model)? {
                Ok(core) => {
                    I::ctg_blocked(self, false);
                    self.block(ctg.level, ctg.place, core)?;
                    return Ok(true);
                }
                Err(way) => {
                    if depth == 1 || !self.block_before(ctg.level, way, &ctg.cube, depth - 1, tries)? {
                        return Ok(false);
                    }
                    I::ctg_blocked(self, true);
                }
            }
        }
    }
}
