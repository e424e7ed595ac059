//! Necessary literals (thesis 5.9, Lemma 5.9.1): what one edge needs, no other edge can do without.
//!
//! The edges into a location are generalised over one after the other, and what the earlier ones need is not
//! tried to be dropped from the later ones. Often it suffices already, so that a later edge costs one
//! question.
//!
//! For an edge that is no self-loop, a cube is blocked if a part of it is, so the union is blocked over all
//! of them. Self-loops come last, since the negation of the cube is part of their question: the result of the
//! last one is asked about as it is, and if there are several, the union is asked about once more over all
//! edges.

use super::Ic3Cfa;
use super::instance::Spot;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::Purpose;
use nilas_program::EdgeId;
use nilas_term::Cube;

impl Ic3Cfa<'_, '_> {
    /// A part of a cube that is blocked over all edges, found edge by edge.
    pub(super) fn generalise_by_edges(&mut self, spot: Spot, cube: &Cube) -> Result<Cube, Unknown> {
        let is_loop = |edge: EdgeId| self.instance.map.automaton.edge(edge).source == spot.place;
        let (loops, mut edges): (Vec<EdgeId>, Vec<EdgeId>) =
            self.instance.map.incoming[spot.place.index()].iter().partition(|&&edge| is_loop(edge));
        let several = loops.len() > 1;
        edges.extend(loops);
        let mut support = Cube::empty();
        for (index, edge) in edges.into_iter().enumerate() {
            let spot = Spot { over: Some(edge), ..spot };
            if index > 0 && self.blocked(spot, &support, Purpose::Truth)?.is_ok() {
                let candidates = cube.len() - support.len();
                self.instance.applied.count(Technique::Necessary, candidates as u64);
                continue;
            }
            support = self.drop_literals(spot, cube, &support)?;
        }
        if several && self.reachable(spot.level, spot.place, &support, Purpose::Truth)?.is_err() {
            return self.drop_literals(spot, cube, &Cube::empty());
        }
        Ok(support)
    }
}
