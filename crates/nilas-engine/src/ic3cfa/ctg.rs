//! Counterexamples to generalisation (thesis 5.11, Alg. 5.11.1; Hassan, Bradley, Somenzi, FMCAD 2013).
//!
//! When a literal cannot be dropped, some states before an edge are to blame. If these can be blocked themselves, one level down and
//! without going further back, they are, and the question is asked again.

use super::Ic3Cfa;
use super::level::Level;
use super::relative::Purpose;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_program::LocationId;
use nilas_term::Cube;

/// How many counterexamples are blocked for one try.
const TRIES: usize = 3;

impl Ic3Cfa<'_> {
    /// Whether a part of the cube is blocked: that part. Counterexamples are blocked on the way, if the technique is on.
    pub(super) fn down(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
    ) -> Result<Option<Cube>, Unknown> {
        let technique = Technique::CounterexamplesToGeneralisation;
        if !self.settings.techniques.contains(technique) {
            return Ok(self.reachable(level, location, cube, Purpose::Truth)?.ok());
        }
        for _ in 0..TRIES {
            let edge = match self.reachable(level, location, cube, Purpose::Model)? {
                Ok(core) => return Ok(Some(core)),
                Err(edge) => edge,
            };
            let ctg = self.predecessor(level, edge, cube, None)?;
            if ctg.location == self.automaton.entry || ctg.level == Level(0) {
                return Ok(None);
            }
            match self.reachable(ctg.level, ctg.location, &ctg.cube, Purpose::Truth)? {
                Ok(core) => {
                    self.statistics.count(technique, 1);
                    self.block(ctg.level, ctg.location, core)?;
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }
}
