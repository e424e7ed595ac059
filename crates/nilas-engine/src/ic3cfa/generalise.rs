//! Generalisation by dropping literals (4.3 of the thesis).
//!
//! Alg. 4.3.1–4.3.3 generalise a cube edge by edge and take the union. The union of two cubes that are relative
//! inductive over a self-loop need not be, because ¬(g₁ ∪ g₂) is weaker than ¬g₁. So here `relInd` is
//! asked over all incoming edges at once, with the negation of the very cube that is asked about, and what
//! comes out of each question is the union of the cores, which is sound (see `reachable`).

use super::Ic3Cfa;
use super::level::Level;
use super::statistics::Phase;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_program::LocationId;
use nilas_term::{Cube, Term};
use std::time::Instant;

/// Cubes with more literals than this are halved first (Alg. 4.3.1).
const HALVE_ABOVE: usize = 4;

impl Ic3Cfa<'_> {
    /// Alg. 4.3.1: a part of `cube` that is still relative inductive at the location. `core` is one, found on the way.
    pub(super) fn generalise(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
        core: &Cube,
    ) -> Result<Cube, Unknown> {
        self.statistics.literals_before += cube.len() as u64;
        let start = Instant::now();
        let mut result = if core.len() > HALVE_ABOVE {
            self.gen_binary(level, location, core)?
        } else {
            self.gen_mic(level, location, core)?
        };
        self.statistics.spent(Phase::Generalise, start);
        if self.settings.techniques.contains(Technique::Weakening) {
            result = self.weaken(level, location, &result)?;
        }
        self.statistics.literals_after += result.len() as u64;
        Ok(result)
    }

    /// Alg. 4.3.2: tries to drop each literal once. A question that succeeds may drop others, by its core.
    fn gen_mic(&mut self, level: Level, location: LocationId, cube: &Cube) -> Result<Cube, Unknown> {
        let mut result = cube.clone();
        for &literal in cube.literals() {
            if !result.contains(literal) {
                continue;
            }
            if let Some(core) = self.down(level, location, &result.without(literal))? {
                result = core;
            }
        }
        Ok(result)
    }

    /// Alg. 4.3.3: drops halves, then halves of halves. Iterative: `todo` holds pieces whose turn is still to
    /// come, `support` what is known to be needed or not yet looked at.
    fn gen_binary(&mut self, level: Level, location: LocationId, cube: &Cube) -> Result<Cube, Unknown> {
        let mut result = cube.clone();
        let mut pieces: Vec<Vec<Term>> = vec![cube.literals().to_vec()];
        while let Some(piece) = pieces.pop() {
            let piece: Vec<Term> = piece.into_iter().filter(|&literal| result.contains(literal)).collect();
            if piece.is_empty() {
                continue;
            }
            // Without the whole piece?
            let rest = result.difference(&Cube::new(piece.iter().copied()));
            if !(rest.is_empty() && piece.len() > 1)
                && let Some(core) = self.down(level, location, &rest)?
            {
                result = core;
                continue;
            }
            if piece.len() > 1 {
                let (left, right) = piece.split_at(piece.len() / 2);
                pieces.push(right.to_vec());
                pieces.push(left.to_vec());
            }
        }
        Ok(result)
    }
}
