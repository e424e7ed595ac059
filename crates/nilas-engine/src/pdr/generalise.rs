//! Generalisation by dropping literals (4.3 of the IC3CFA thesis).
//!
//! Alg. 4.3.1–4.3.3 generalise a cube edge by edge and take the union. The union of two cubes that are
//! relative inductive over a self-loop need not be, because ¬(g₁ ∪ g₂) is weaker than ¬g₁. So `relInd` is
//! asked over all incoming ways at once, with the negation of the very cube that is asked about, and what
//! comes out of each question is the union of the cores, which is sound (see [`Pdr::reachable`]).
//!
//! An instance may do something else before or instead ([`Instance::shorten`]), and after it
//! ([`Instance::polish`]).

use super::Pdr;
use super::instance::{Instance, SpotOf};
use super::level::Level;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_term::{Cube, Term};
use std::time::Instant;

/// Cubes with more literals than this are halved first (Alg. 4.3.1).
const HALVE_ABOVE: usize = 4;

/// Where a cube is to be blocked: at a place up to a level, over all ways into it or over one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<P, W> {
    pub(crate) level: Level,
    pub(crate) place: P,
    pub(crate) over: Option<W>,
}

impl<I: Instance> Pdr<'_, I> {
    /// A cube that `cube` implies and that is still relative inductive at the place, and up to which level.
    /// `core` is one up to the given level, found on the way.
    pub(crate) fn generalise(
        &mut self,
        level: Level,
        place: I::Place,
        cube: &Cube,
        core: &Cube,
    ) -> Result<(Level, Cube), Unknown> {
        self.statistics.literals_before += cube.len() as u64;
        let start = Instant::now();
        let (level, core) = I::rise(self, Spot { level, place, over: None }, cube, core)?;
        let spot = Spot { level, place, over: None };
        let shorter = I::shorten(self, spot, cube, &core)?;
        self.statistics.times.spent(Phase::Generalise, start);
        let result = I::polish(self, spot, shorter)?;
        self.statistics.literals_after += result.len() as u64;
        Ok((level, result))
    }

    /// Alg. 4.3.1: a part of the cube, with all of `support`, that is still blocked.
    pub(crate) fn drop_literals(
        &mut self,
        spot: SpotOf<I>,
        cube: &Cube,
        support: &Cube,
    ) -> Result<Cube, Unknown> {
        let mut literals = cube.difference(support).literals().to_vec();
        I::order_literals(self, spot.place, &mut literals);
        if literals.len() > HALVE_ABOVE {
            self.gen_binary(spot, literals, cube, support)
        } else {
            self.gen_mic(spot, literals, cube, support)
        }
    }

    /// Alg. 4.3.2: tries to drop each literal once. A question that succeeds may drop others, by its core.
    fn gen_mic(
        &mut self,
        spot: SpotOf<I>,
        literals: Vec<Term>,
        cube: &Cube,
        support: &Cube,
    ) -> Result<Cube, Unknown> {
        let mut result = cube.union(support);
        for literal in literals {
            if !result.contains(literal) {
                continue;
            }
            if let Some(core) = self.down(spot, &result.without(literal))? {
                result = core.union(support);
            }
        }
        Ok(result)
    }

    /// Alg. 4.3.3: drops halves, then halves of halves. Iterative: `pieces` are those whose turn is still to
    /// come.
    fn gen_binary(
        &mut self,
        spot: SpotOf<I>,
        literals: Vec<Term>,
        cube: &Cube,
        support: &Cube,
    ) -> Result<Cube, Unknown> {
        let mut result = cube.union(support);
        let mut pieces: Vec<Vec<Term>> = vec![literals];
        while let Some(piece) = pieces.pop() {
            let piece: Vec<Term> = piece.into_iter().filter(|&literal| result.contains(literal)).collect();
            if piece.is_empty() {
                continue;
            }
            // Without the whole piece?
            let rest = result.difference(&Cube::new(piece.iter().copied()));
            if !(rest.is_empty() && piece.len() > 1)
                && let Some(core) = self.down(spot, &rest)?
            {
                result = core.union(support);
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
