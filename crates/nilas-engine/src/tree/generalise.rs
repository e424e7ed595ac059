//! Line 11 of Fig. 2: a clause that excludes more than the obligation, and still holds after the step.
//!
//! First clauses that nodes at the same location have already are tried: labels that are made of the same
//! clauses cover each other. Then literals are dropped, beginning with the unsatisfiable core, and what
//! cannot be dropped is weakened (`x = 7` to `x >= 5`), as IC3CFA does it.

use super::Engine;
use super::art::NodeId;
use super::block::CONFLICTS;
use crate::outcome::Unknown;
use nilas_program::LocationId;
use nilas_term::Cube;

/// Questions that dropping literals from one cube may take.
const TRIES: u32 = 64;
/// Clauses of other nodes that are asked about for one cube.
const REUSED: usize = 4;
/// Cubes that are remembered for a location.
const REMEMBERED: usize = 256;

/// The clauses that the nodes of a location were ever given, as the cubes they exclude.
#[derive(Debug)]
pub(super) struct Vocabulary {
    cubes: Vec<Vec<Cube>>,
}

impl Vocabulary {
    pub(super) fn new(locations: usize) -> Self {
        Vocabulary { cubes: vec![Vec::new(); locations] }
    }

    pub(super) fn note(&mut self, location: LocationId, cube: &Cube) {
        let cubes = &mut self.cubes[location.index()];
        if let Some(known) = cubes.iter().position(|known| known == cube) {
            cubes[known..].rotate_left(1);
            return;
        }
        if cubes.len() == REMEMBERED {
            cubes.remove(0);
        }
        cubes.push(cube.clone());
    }

    /// Cubes that were excluded at the location and contain all states of the given one, the last used first.
    fn containing(&self, location: LocationId, cube: &Cube) -> Vec<Cube> {
        let known = self.cubes[location.index()].iter().rev();
        known.filter(|known| known.is_subset_of(cube)).take(REUSED).cloned().collect()
    }
}

impl Engine<'_> {
    /// A cube that contains `cube` and is not reachable at the node. `core` is a part of `cube` of which that
    /// is known.
    pub(super) fn generalise(&mut self, node: NodeId, cube: &Cube, core: Cube) -> Result<Cube, Unknown> {
        if core.is_empty() {
            return Ok(core);
        }
        let location = self.tree.node(node).location;
        for known in self.vocabulary.containing(location, cube) {
            if let Some(core) = self.unreachable(node, &known, Some(CONFLICTS))? {
                self.statistics.reused += 1;
                // A core may still say that the node cannot be reached at all.
                return Ok(if core.is_empty() { core } else { known });
            }
        }
        let smaller = self.drop_literals(node, core)?;
        self.weaken(node, smaller)
    }

    /// A part of a cube, from which no single literal can be dropped unless that was too hard or took too
    /// many questions.
    fn drop_literals(&mut self, node: NodeId, mut cube: Cube) -> Result<Cube, Unknown> {
        let mut tries = TRIES;
        for literal in cube.literals().to_vec() {
            if tries == 0 {
                break;
            }
            if cube.contains(literal) {
                tries -= 1;
                if let Some(core) = self.unreachable(node, &cube.without(literal), Some(CONFLICTS))? {
                    cube = core;
                }
            }
        }
        Ok(cube)
    }

    /// A cube with weaker literals.
    fn weaken(&mut self, node: NodeId, mut cube: Cube) -> Result<Cube, Unknown> {
        let mut weakener = std::mem::take(&mut self.weakener);
        let mut arena = std::mem::take(&mut self.arena);
        // The weakener makes terms and asks in turn, so the arena goes back and forth.
        let asked = weakener.weaken(&mut arena, &mut cube, &mut |arena, cube| {
            std::mem::swap(arena, &mut self.arena);
            let answer = self.unreachable(node, cube, Some(CONFLICTS));
            std::mem::swap(arena, &mut self.arena);
            Ok(answer?.is_some())
        });
        self.arena = arena;
        self.weakener = weakener;
        asked?;
        Ok(cube)
    }
}
