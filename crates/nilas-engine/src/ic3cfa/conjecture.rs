//! Conjectures: cubes that are larger than what leads to a sink.
//!
//! If a conjecture can be blocked, its lemma says more than one that comes from the obligation at hand. It is
//! asked at once, and if that does not block it, it becomes an obligation that need not lead to a sink. When
//! one reaches the entry, or costs too much, it is given up and nothing is lost.

use super::Ic3Cfa;
use super::instance::{Obligation, Queue};
use super::predecessor::Trail;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::{Kind, Level, Purpose};
use nilas_program::LocationId;
use nilas_term::Cube;

/// A cube to be tried at a place, and the technique that says so.
#[derive(Clone, Debug)]
pub(super) struct Conjecture {
    pub(super) technique: Technique,
    pub(super) level: Level,
    pub(super) location: LocationId,
    pub(super) cube: Cube,
}

impl Ic3Cfa<'_, '_> {
    /// Blocks what has been conjectured, or puts it into the queue.
    pub(super) fn try_conjectures(&mut self, queue: &mut Queue) -> Result<(), Unknown> {
        while let Some(Conjecture { technique, level, location, cube }) = self.instance.conjectures.pop() {
            if self.frames.blocks(level, location, &cube).is_some() {
                continue;
            }
            match self.reachable(level, location, &cube, Purpose::Truth)? {
                Ok(core) => {
                    self.instance.applied.count(technique, 1);
                    self.sum_is_blocked(location, &cube, true)?;
                    let (level, generalised) = self.generalise(level, location, &cube, &core)?;
                    self.block(level, location, generalised)?;
                }
                Err(_) => {
                    self.instance.applied.count(technique, 0);
                    let obligation = Obligation::new(level, location, cube, Trail::default(), None);
                    queue.push(obligation.of_kind(Kind::Conjecture));
                }
            }
        }
        Ok(())
    }
}
