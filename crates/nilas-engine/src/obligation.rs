//! The queue of proof obligations, for engines with frames.

use crate::level::Level;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An obligation, by the order of its making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObligationId(usize);

/// States to be shown unreachable at a level, because they lead on to others that were to be shown so.
pub(crate) trait Obligation {
    fn level(&self) -> Level;
    fn set_level(&mut self, level: Level);
    /// How many literals describe the states.
    fn size(&self) -> usize;
    /// The obligation that its states lead to.
    fn next(&self) -> Option<ObligationId>;
}

/// Obligations by level, lowest first; within a level, if asked for, those with fewer literals (IC3CFA thesis
/// 5.8), and among those the newest first, which goes on where the search is.
#[derive(Debug)]
pub(crate) struct Queue<O> {
    all: Vec<O>,
    waiting: BinaryHeap<(Reverse<Level>, Reverse<usize>, ObligationId)>,
    by_size: bool,
}

impl<O: Obligation> Queue<O> {
    pub(crate) fn new(by_size: bool) -> Self {
        Queue { all: Vec::new(), waiting: BinaryHeap::new(), by_size }
    }

    pub(crate) fn push(&mut self, obligation: O) -> ObligationId {
        let (id, level) = (ObligationId(self.all.len()), obligation.level());
        self.all.push(obligation);
        self.put_back(id, level);
        id
    }

    /// Puts an obligation back that was popped, at this level.
    pub(crate) fn put_back(&mut self, id: ObligationId, level: Level) {
        let obligation = &mut self.all[id.0];
        obligation.set_level(level);
        let size = if self.by_size { obligation.size() } else { 0 };
        self.waiting.push((Reverse(level), Reverse(size), id));
    }

    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        self.waiting.pop().map(|(_, _, id)| id)
    }

    pub(crate) fn get(&self, id: ObligationId) -> &O {
        &self.all[id.0]
    }

    pub(crate) fn get_mut(&mut self, id: ObligationId) -> &mut O {
        &mut self.all[id.0]
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The obligations from `first` to the one that leads to no other.
    pub(crate) fn chain(&self, first: ObligationId) -> Vec<&O> {
        let mut chain = Vec::new();
        let mut next = Some(first);
        while let Some(id) = next {
            let obligation = self.get(id);
            next = obligation.next();
            chain.push(obligation);
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(Level, usize, Option<ObligationId>);

    impl Obligation for Plain {
        fn level(&self) -> Level {
            self.0
        }
        fn set_level(&mut self, level: Level) {
            self.0 = level;
        }
        fn size(&self) -> usize {
            self.1
        }
        fn next(&self) -> Option<ObligationId> {
            self.2
        }
    }

    #[test]
    fn low_small_and_new_ones_come_first() {
        let mut queue = Queue::new(true);
        let high = queue.push(Plain(Level(2), 1, None));
        let large = queue.push(Plain(Level(1), 5, Some(high)));
        let old = queue.push(Plain(Level(1), 3, Some(large)));
        let new = queue.push(Plain(Level(1), 3, None));
        assert_eq!(queue.len(), 4);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [new, old, large, high]);
        queue.put_back(high, Level(7));
        assert_eq!((queue.pop(), queue.get(high).level()), (Some(high), Level(7)));
        let sizes: Vec<usize> = queue.chain(old).iter().map(|obligation| obligation.size()).collect();
        assert_eq!(sizes, [3, 5, 1]);
    }
}
