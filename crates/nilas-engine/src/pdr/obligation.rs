//! Proof obligations and their queue.

use super::level::Level;
use nilas_term::Cube;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// An obligation, by the order of its making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObligationId(usize);

/// How much is known of where an obligation leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every state leads into the next obligation's cube, or to the target.
    Real,
    /// Only some states are known to.
    Abstract,
    /// Perhaps none does: it is asked about because its lemma would say much. It leads to no other, and those
    /// that come of it are few, or it is given up.
    Conjecture,
}

/// States to be shown unreachable.
#[derive(Clone, Debug)]
pub(crate) struct Obligation<P, T> {
    pub(crate) level: Level,
    pub(crate) place: P,
    pub(crate) cube: Cube,
    pub(crate) kind: Kind,
    /// How its states lead into those of the next obligation.
    pub(crate) trail: T,
    /// The obligation that it leads to; `None` if it leads to a target, or is a conjecture.
    pub(crate) next: Option<ObligationId>,
    /// How often it was blocked.
    pub(crate) activity: u32,
    /// Whether it is known that no execution begins in it.
    is_away: bool,
}

impl<P, T> Obligation<P, T> {
    pub(crate) fn new(level: Level, place: P, cube: Cube, trail: T, next: Option<ObligationId>) -> Self {
        Obligation { level, place, cube, kind: Kind::Real, trail, next, activity: 0, is_away: false }
    }

    /// Of another kind.
    pub(crate) fn of_kind(self, kind: Kind) -> Self {
        Obligation { kind, ..self }
    }
}

/// How many obligations a conjecture may lead to.
const PER_CONJECTURE: u32 = 24;

/// Obligations by level, lowest first; within a level, if asked for, those with fewer literals (IC3CFA thesis
/// 5.8), and among those the newest first, which goes on where the search is.
#[derive(Debug)]
pub(crate) struct Queue<P, T> {
    all: Vec<Obligation<P, T>>,
    waiting: BinaryHeap<(Reverse<Level>, Reverse<usize>, ObligationId)>,
    by_size: bool,
    /// How many obligations each conjecture may still have; none if it has been given up.
    conjectures: BTreeMap<ObligationId, u32>,
}

impl<P, T> Queue<P, T> {
    pub(crate) fn new(by_size: bool) -> Self {
        Queue { all: Vec::new(), waiting: BinaryHeap::new(), by_size, conjectures: BTreeMap::new() }
    }

    pub(crate) fn push(&mut self, obligation: Obligation<P, T>) -> ObligationId {
        let (id, level) = (ObligationId(self.all.len()), obligation.level);
        if obligation.kind == Kind::Conjecture {
            self.conjectures.insert(id, PER_CONJECTURE);
        } else if let Some(next) = obligation.next
            && let Some(conjecture) = self.conjecture(next)
            && let Some(left) = self.conjectures.get_mut(&conjecture)
        {
            *left = left.saturating_sub(1);
        }
        self.all.push(obligation);
        self.put_back(id, level);
        id
    }

    /// Puts an obligation back that was popped, at this level.
    pub(crate) fn put_back(&mut self, id: ObligationId, level: Level) {
        let obligation = &mut self.all[id.0];
        obligation.level = level;
        let size = if self.by_size { obligation.cube.len() } else { 0 };
        self.waiting.push((Reverse(level), Reverse(size), id));
    }

    /// The next obligation; those of conjectures that were given up are left out.
    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        loop {
            let (_, _, id) = self.waiting.pop()?;
            let given_up = |conjecture| self.conjectures.get(&conjecture).is_some_and(|&left| left == 0);
            if !self.conjecture(id).is_some_and(given_up) {
                return Some(id);
            }
        }
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation<P, T> {
        &self.all[id.0]
    }

    /// An obligation was blocked once more.
    pub(super) fn bump(&mut self, id: ObligationId) {
        self.all[id.0].activity += 1;
    }

    /// Whether it is known that no execution begins in an obligation; from now on it is.
    pub(super) fn was_away(&mut self, id: ObligationId) -> bool {
        std::mem::replace(&mut self.all[id.0].is_away, true)
    }

    /// An obligation is settled: perhaps the one that it leads to is reached now, so that is asked again.
    pub(super) fn settle(&mut self, id: ObligationId) {
        if let Some(next) = self.all[id.0].next {
            self.all[next.0].is_away = false;
        }
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The conjecture that an obligation comes from, if it does.
    pub(crate) fn conjecture(&self, id: ObligationId) -> Option<ObligationId> {
        if self.conjectures.is_empty() {
            return None;
        }
        let mut last = id;
        while let Some(next) = self.get(last).next {
            last = next;
        }
        (self.get(last).kind == Kind::Conjecture).then_some(last)
    }

    /// Gives a conjecture up: nothing that it leads to is looked at any more.
    pub(crate) fn give_up(&mut self, conjecture: ObligationId) {
        self.conjectures.insert(conjecture, 0);
    }

    /// The obligations from `first` to the one that leads to no other.
    pub(crate) fn chain(&self, first: ObligationId) -> Vec<&Obligation<P, T>> {
        let mut chain = Vec::new();
        let mut next = Some(first);
        while let Some(id) = next {
            let obligation = self.get(id);
            next = obligation.next;
            chain.push(obligation);
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Arena, Sort};

    /// An obligation with so many literals.
    fn obligation(level: u32, size: usize, next: Option<ObligationId>) -> Obligation<(), ()> {
        let mut arena = Arena::new();
        let literal = |index| arena.variable(&format!("p{index}"), &Sort::Bool).expect("a new name");
        Obligation::new(Level(level), (), (0..size).map(literal).collect(), (), next)
    }

    #[test]
    fn low_small_and_new_ones_come_first() {
        let mut queue = Queue::new(true);
        let high = queue.push(obligation(2, 1, None));
        let large = queue.push(obligation(1, 5, Some(high)));
        let old = queue.push(obligation(1, 3, Some(large)));
        let new = queue.push(obligation(1, 3, None));
        assert_eq!(queue.len(), 4);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [new, old, large, high]);
        queue.put_back(high, Level(7));
        assert_eq!((queue.pop(), queue.get(high).level), (Some(high), Level(7)));
        let sizes: Vec<usize> = queue.chain(old).iter().map(|obligation| obligation.cube.len()).collect();
        assert_eq!(sizes, [3, 5, 1]);
    }

    #[test]
    fn conjectures_are_given_up_with_all_that_came_of_them() {
        let mut queue = Queue::new(false);
        let real = queue.push(obligation(9, 1, None));
        let conjecture = queue.push(obligation(8, 1, None).of_kind(Kind::Conjecture));
        let mut last = conjecture;
        for level in (1..8).rev() {
            last = queue.push(obligation(level, 1, Some(last)));
            assert_eq!(queue.conjecture(last), Some(conjecture));
        }
        assert_eq!(queue.conjecture(real), None);
        assert_eq!(queue.pop(), Some(last));
        queue.give_up(conjecture);
        assert_eq!((queue.pop(), queue.pop()), (Some(real), None));

        let conjecture = queue.push(obligation(1, 1, None).of_kind(Kind::Conjecture));
        for _ in 0..PER_CONJECTURE {
            queue.push(obligation(1, 1, Some(conjecture)));
        }
        assert_eq!(queue.pop(), None, "too many came of it");
    }

    #[test]
    fn the_beginning_is_looked_for_once_and_after_settling() {
        let mut queue = Queue::new(false);
        let id = queue.push(obligation(2, 1, None));
        let before = queue.push(obligation(1, 1, Some(id)));
        assert!(!queue.was_away(id));
        assert!(queue.was_away(id));
        queue.settle(before);
        assert!(!queue.was_away(id));
    }
}
