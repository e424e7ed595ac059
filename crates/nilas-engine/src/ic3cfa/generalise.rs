//! Generalisation by dropping literals (4.3 of the thesis) and the algorithm that unites the catalogue
//! (5.12).
//!
//! Alg. 4.3.1–4.3.3 generalise a cube edge by edge and take the union. The union of two cubes that are
//! relative inductive over a self-loop need not be, because ¬(g₁ ∪ g₂) is weaker than ¬g₁. So `relInd` is
//! asked over all incoming edges at once, with the negation of the very cube that is asked about, and what
//! comes out of each question is the union of the cores, which is sound (see `reachable`). With
//! [`Technique::Necessary`] it is done edge by edge after all ([`necessary`](super::necessary)), where
//! self-loops come last.
//!
//! Before literals are dropped, a lemma is looked for that needs no dropping ([`predict`](super::predict));
//! afterwards literals are weakened ([`weaken`](super::weaken)) or the cube is interpolated
//! ([`interpolate`](super::interpolate)).

use super::Ic3Cfa;
use super::level::Level;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::phase::Phase;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Cube, Term};
use std::time::Instant;

/// Cubes with more literals than this are halved first (Alg. 4.3.1).
const HALVE_ABOVE: usize = 4;

/// Where a cube is to be blocked: at a location up to a level, over all edges into it or over one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) level: Level,
    pub(super) location: LocationId,
    pub(super) over: Option<EdgeId>,
}

impl Ic3Cfa<'_> {
    /// Alg. 5.12.1: a cube that `cube` implies and that is still relative inductive at the location. `core`
    /// is one, found on the way.
    pub(super) fn generalise(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
        core: &Cube,
    ) -> Result<Cube, Unknown> {
        self.statistics.literals_before += cube.len() as u64;
        let start = Instant::now();
        let place = Place { level, location, over: None };
        let techniques = self.settings.techniques;
        let mut result = match self.predicted(place, cube)? {
            Some(predicted) => predicted,
            None if !techniques.contains(Technique::Dropping) => cube.clone(),
            None if techniques.contains(Technique::Necessary) => self.generalise_by_edges(place, core)?,
            None => self.drop_literals(place, core, &Cube::empty())?,
        };
        if techniques.contains(Technique::Dropping) {
            self.statistics.count(Technique::Dropping, (cube.len().saturating_sub(result.len())) as u64);
        }
        self.statistics.times.spent(Phase::Generalise, start);
        if techniques.contains(Technique::Weakening) {
            result = self.weaken(level, location, &result)?;
        }
        if techniques.contains(Technique::Interpolation) {
            result = self.interpolated(place, result)?;
        }
        self.statistics.literals_after += result.len() as u64;
        Ok(result)
    }

    /// Alg. 4.3.1: a part of the cube, with all of `support`, that is still blocked.
    pub(super) fn drop_literals(
        &mut self,
        place: Place,
        cube: &Cube,
        support: &Cube,
    ) -> Result<Cube, Unknown> {
        let mut literals = cube.difference(support).literals().to_vec();
        self.order_literals(place.location, &mut literals);
        if literals.len() > HALVE_ABOVE {
            self.gen_binary(place, literals, cube, support)
        } else {
            self.gen_mic(place, literals, cube, support)
        }
    }

    /// Alg. 4.3.2: tries to drop each literal once. A question that succeeds may drop others, by its core.
    fn gen_mic(
        &mut self,
        place: Place,
        literals: Vec<Term>,
        cube: &Cube,
        support: &Cube,
    ) -> Result<Cube, Unknown> {
        let mut result = cube.union(support);
        for literal in literals {
            if !result.contains(literal) {
                continue;
            }
            if let Some(core) = self.down(place, &result.without(literal))? {
                result = core.union(support);
            }
        }
        Ok(result)
    }

    /// Alg. 4.3.3: drops halves, then halves of halves. Iterative: `pieces` are those whose turn is still to
    /// come.
    fn gen_binary(
        &mut self,
        place: Place,
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
                && let Some(core) = self.down(place, &rest)?
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
