//! Which premises count a level.
//!
//! The level of a derivation is how often it goes round: premises that lead back, from a loop's end to its
//! head or from a procedure's exit to one of its own calls, count one, all others none. So straight pieces of
//! a caller, however many calls they have, are at the level of their beginning, and frames are as many as
//! loops and recursion need (with steps for levels, n calls in a row need 2n frames).
//!
//! That is sound for any choice of premises without which no cycle is left: a frame of level `i` has all
//! facts with derivations of level `i` at most, by induction over their size. It is inductive if it equals
//! the next one, since premises that count nothing are consecutive within a level. Here those premises count
//! that do not come before their head in a depth-first order.

use super::rules::{BEGINNING, PlaceId, Rules};
use nilas_program::{Graph, LocationId};

impl Rules {
    /// Finds out which premises count a level, and the order in which those that do not come before their
    /// heads: that of [`Rules::order`].
    pub(super) fn find_rounds(&mut self) {
        let node = |place: PlaceId| LocationId::new(place.index());
        let mut ends = Vec::new();
        for rule in &self.rules {
            if rule.premises.is_empty() {
                ends.push((node(BEGINNING), node(rule.head)));
            }
            ends.extend(rule.premises.iter().map(|premise| (node(premise.place), node(rule.head))));
        }
        let graph = Graph::of_edges(self.predicates.len(), ends);
        let order = graph.reverse_postorder(node(BEGINNING));
        let mut rank = vec![usize::MAX; self.predicates.len()];
        for (position, place) in order.iter().enumerate() {
            rank[place.index()] = position;
        }
        for rule in &mut self.rules {
            for premise in &mut rule.premises {
                premise.back = rank[premise.place.index()] >= rank[rule.head.index()];
            }
        }
        let mut order: Vec<PlaceId> = self.places().collect();
        order.sort_by_key(|place| rank[place.index()]);
        self.order = order;
    }
}
