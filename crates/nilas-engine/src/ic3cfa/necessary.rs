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
use super::generalise::Place;
use super::relative::Purpose;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_program::EdgeId;
use nilas_term::Cube;

impl Ic3Cfa<'_> {
    /// A part of a cube that is blocked over all edges, found edge by edge.
    pub(super) fn generalise_by_edges(&mut self, place: Place, cube: &Cube) -> Result<Cube, Unknown> {
        let is_loop = |edge: EdgeId| self.automaton.edge(edge).source == place.location;
        let (loops, mut edges): (Vec<EdgeId>, Vec<EdgeId>) =
            self.incoming[place.location.index()].iter().partition(|&&edge| is_loop(edge));
        let several = loops.len() > 1;
        edges.extend(loops);
        let mut support = Cube::empty();
        for (index, edge) in edges.into_iter().enumerate() {
            let place = Place { over: Some(edge), ..place };
            if index > 0 && self.blocked(place, &support, Purpose::Truth)?.is_ok() {
                let candidates = cube.len() - support.len();
                self.statistics.count(Technique::Necessary, candidates as u64);
                continue;
            }
            support = self.drop_literals(place, cube, &support)?;
        }
        if several && self.reachable(place.level, place.location, &support, Purpose::Truth)?.is_err() {
            return self.drop_literals(place, cube, &Cube::empty());
        }
        Ok(support)
    }

    /// Relative inductiveness of a cube at a place: a part of it that is blocked there, or an edge over which
    /// it is reachable.
    pub(super) fn blocked(
        &mut self,
        place: Place,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Result<Cube, EdgeId>, Unknown> {
        match place.over {
            None => self.reachable(place.level, place.location, cube, purpose),
            Some(edge) => Ok(self.reachable_over(edge, place.level, cube, purpose)?.ok_or(edge)),
        }
    }
}
