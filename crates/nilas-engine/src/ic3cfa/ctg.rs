//! Counterexamples to generalisation (thesis 5.11, Alg. 5.11.1; Hassan, Bradley, Somenzi, FMCAD 2013) and
//! what came of them.
//!
//! When a literal cannot be dropped, some states before an edge are to blame. If these can be blocked
//! themselves, one level down, they are, and the question is asked again. Plain CTGs go one step back.
//! Extended ones (EXCTG: Xia et al., Extended CTG Generalization and Dynamic Adjustment of Generalization
//! Strategies in IC3, 2025) also block the predecessors of counterexamples, to a depth. How much of that pays
//! depends on the obligation: one that comes back at level after level deserves more (DynAMic, from the same
//! paper), so there the effort grows with the number of times it was blocked.

use super::Ic3Cfa;
use super::generalise::Place;
use super::level::Level;
use super::obligation::Obligation;
use super::relative::Purpose;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_term::Cube;

/// How many counterexamples are blocked for one try.
const TRIES: usize = 3;
/// How many steps back extended counterexamples go, and how many of them are blocked for one try.
const DEPTH: usize = 3;
const EXTENDED_TRIES: usize = 5;
/// How often an obligation is blocked before counterexamples are looked at, and before they are extended.
const CTG_FROM: u32 = 3;
const EXTENDED_FROM: u32 = 10;

/// How many counterexamples one try to drop something may block, and how many steps back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    tries: usize,
    depth: usize,
}

impl Ic3Cfa<'_> {
    /// The effort that the techniques and the obligation at hand call for.
    fn effort(&self) -> Effort {
        let techniques = self.settings.techniques;
        let plain = Effort { tries: TRIES, depth: 1 };
        let extended = Effort { tries: EXTENDED_TRIES, depth: DEPTH };
        if techniques.contains(Technique::DynamicEffort) {
            return match self.activity {
                0..CTG_FROM => Effort { tries: 0, depth: 0 },
                CTG_FROM..EXTENDED_FROM => plain,
                _ => extended,
            };
        }
        if techniques.contains(Technique::ExtendedCtg) {
            return extended;
        }
        if techniques.contains(Technique::CounterexamplesToGeneralisation) {
            return plain;
        }
        Effort { tries: 0, depth: 0 }
    }

    /// Whether a part of the cube is blocked: that part. Counterexamples are blocked on the way, if a
    /// technique says so.
    pub(super) fn down(&mut self, place: Place, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        let Effort { mut tries, depth } = self.effort();
        if tries == 0 {
            return Ok(self.blocked(place, cube, Purpose::Truth)?.ok());
        }
        loop {
            let edge = match self.blocked(place, cube, Purpose::Model)? {
                Ok(core) => return Ok(Some(core)),
                Err(edge) => edge,
            };
            if tries == 0 {
                return Ok(None);
            }
            let ctg = self.predecessor(place.level, edge, cube, None)?;
            if !self.block_ctg(&ctg, depth, &mut tries)? {
                return Ok(None);
            }
        }
    }

    /// Tries to block a counterexample, going back `depth` steps at most.
    fn block_ctg(&mut self, ctg: &Obligation, depth: usize, tries: &mut usize) -> Result<bool, Unknown> {
        if ctg.location == self.automaton.entry || ctg.level == Level(0) {
            return Ok(false);
        }
        loop {
            if *tries == 0 || depth == 0 {
                return Ok(false);
            }
            *tries -= 1;
            match self.reachable(ctg.level, ctg.location, &ctg.cube, Purpose::Model)? {
                Ok(core) => {
                    self.statistics.count(Technique::CounterexamplesToGeneralisation, 1);
                    self.block(ctg.level, ctg.location, core)?;
                    return Ok(true);
                }
                Err(edge) => {
                    if depth == 1 {
                        return Ok(false);
                    }
                    let before = self.predecessor(ctg.level, edge, &ctg.cube, None)?;
                    if !self.block_ctg(&before, depth - 1, tries)? {
                        return Ok(false);
                    }
                    self.statistics.count(Technique::ExtendedCtg, 1);
                }
            }
        }
    }
}
