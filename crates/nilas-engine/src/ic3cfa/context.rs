//! Generalisation contexts (thesis 5.3, 5.6 and 5.7): what is known about an edge without asking its solver.
//!
//! A context says that a cube `core` is not reachable over the edge from the frame of a level. Frames only
//! ever get stronger, and those of lower levels are stronger still, so a context holds for ever at its level
//! and below: the condition on frames of Th. 5.6.2 needs no comparison of frames. By Th. 5.6.3 it blocks
//! every cube that contains the core, so that exact repetitions (the query cache of 5.3) are the least of
//! what it finds.
//!
//! Over a self-loop the question had the negation of a cube `outside` in it, where the answer needed that.
//! The argument why the union of cores is blocked (see `reachable`) needs that the new cube implies… the
//! other way round: `¬ new ⇒ ¬ outside`, that is `new ⊆ outside` as sets of literals. Th. 5.6.3 as printed
//! overlooks this.
//!
//! The opposite, Th. 5.7.1: a cube that was reachable is still so from the same frame, and so is every cube
//! with fewer literals. It holds as long as no lemma has come to the source.

use crate::pdr::Level;
use nilas_term::Cube;
use std::collections::VecDeque;

/// How many contexts an edge keeps: the least recently used go first.
const KEPT: usize = 256;

/// A cube that is not reachable over an edge.
#[derive(Clone, Debug)]
struct Blocked {
    core: Cube,
    /// The cube whose negation the answer needed, over self-loops.
    outside: Option<Cube>,
    /// The level of the source's frame.
    level: Level,
}

/// A cube that is reachable over an edge.
#[derive(Clone, Debug)]
struct Reached {
    cube: Cube,
    level: Level,
    /// How many lemmas had ever been added at the source.
    seen: u64,
}

/// The contexts of one edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    blocked: VecDeque<Blocked>,
    reached: VecDeque<Reached>,
}

impl Contexts {
    /// A part of the cube that is known not to be reachable from the frame `level`.
    pub(crate) fn find_blocked(&mut self, level: Level, cube: &Cube) -> Option<Cube> {
        let found = self.blocked.iter().position(|known| {
            known.level >= level
                && known.core.is_subset_of(cube)
                && known.outside.as_ref().is_none_or(|outside| cube.is_subset_of(outside))
        })?;
        let known = self.blocked.remove(found)?;
        let core = known.core.clone();
        self.blocked.push_front(known);
        Some(core)
    }

    pub(crate) fn add_blocked(&mut self, level: Level, core: Cube, outside: Option<Cube>) {
        self.blocked.push_front(Blocked { core, outside, level });
        self.blocked.truncate(KEPT);
    }

    /// Whether the cube is known to be reachable from the frame `level`. `seen` counts the lemmas of the
    /// source.
    pub(crate) fn is_reached(&mut self, level: Level, cube: &Cube, is_loop: bool, seen: u64) -> bool {
        self.reached.retain(|known| known.seen == seen);
        self.reached.iter().any(|known| {
            // Over a self-loop fewer literals also mean fewer states to come from.
            known.level <= level && if is_loop { known.cube == *cube } else { cube.is_subset_of(&known.cube) }
        })
    }

    pub(crate) fn add_reached(&mut self, level: Level, cube: Cube, seen: u64) {
        self.reached.push_front(Reached { cube, level, seen });
        self.reached.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Arena, Sort, Term};

    fn literals(count: usize) -> Vec<Term> {
        let mut arena = Arena::new();
        (0..count).map(|index| arena.variable(&format!("p{index}"), &Sort::Bool).expect("new name")).collect()
    }

    /// Example 5.6.4: `p1 ∧ p2` was generalised to `p1`; `p1 ∧ p3` is blocked by it too.
    #[test]
    fn similar_cubes_are_blocked_by_one_context() {
        let p = literals(4);
        let mut contexts = Contexts::default();
        contexts.add_blocked(Level(3), Cube::new([p[1]]), None);
        for level in [1, 3] {
            assert_eq!(
                contexts.find_blocked(Level(level), &Cube::new([p[1], p[2]])),
                Some(Cube::new([p[1]]))
            );
            assert_eq!(
                contexts.find_blocked(Level(level), &Cube::new([p[1], p[3]])),
                Some(Cube::new([p[1]]))
            );
        }
        assert_eq!(contexts.find_blocked(Level(4), &Cube::new([p[1], p[2]])), None, "a weaker frame");
        assert_eq!(contexts.find_blocked(Level(1), &Cube::new([p[2], p[3]])), None);
    }

    #[test]
    fn over_a_loop_the_negated_cube_counts() {
        let p = literals(4);
        let mut contexts = Contexts::default();
        contexts.add_blocked(Level(1), Cube::new([p[1]]), Some(Cube::new([p[1], p[2]])));
        assert_eq!(contexts.find_blocked(Level(1), &Cube::new([p[1], p[2], p[3]])), None);
        assert_eq!(contexts.find_blocked(Level(1), &Cube::new([p[1], p[2]])), Some(Cube::new([p[1]])));
        assert_eq!(contexts.find_blocked(Level(1), &Cube::new([p[1]])), Some(Cube::new([p[1]])));
    }

    /// Example 5.7.2: what could not be dropped cannot be dropped from a weaker frame.
    #[test]
    fn reachable_cubes_stay_reachable_until_a_lemma_comes() {
        let p = literals(4);
        let mut contexts = Contexts::default();
        contexts.add_reached(Level(2), Cube::new([p[1], p[2]]), 7);
        assert!(contexts.is_reached(Level(2), &Cube::new([p[1]]), false, 7));
        assert!(contexts.is_reached(Level(3), &Cube::new([p[1]]), false, 7));
        assert!(!contexts.is_reached(Level(1), &Cube::new([p[1]]), false, 7), "a stronger frame");
        assert!(!contexts.is_reached(Level(2), &Cube::new([p[1]]), true, 7), "over a loop");
        assert!(!contexts.is_reached(Level(2), &Cube::new([p[1], p[3]]), false, 7));
        assert!(!contexts.is_reached(Level(2), &Cube::new([p[1]]), false, 8), "a lemma came");
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let p = literals(KEPT + 1);
        let mut contexts = Contexts::default();
        for &literal in &p[..KEPT] {
            contexts.add_blocked(Level(1), Cube::new([literal]), None);
        }
        assert!(contexts.find_blocked(Level(1), &Cube::new([p[0]])).is_some());
        contexts.add_blocked(Level(1), Cube::new([p[KEPT]]), None);
        assert!(contexts.find_blocked(Level(1), &Cube::new([p[0]])).is_some(), "used since");
        assert!(contexts.find_blocked(Level(1), &Cube::new([p[1]])).is_none(), "the oldest");
    }
}
