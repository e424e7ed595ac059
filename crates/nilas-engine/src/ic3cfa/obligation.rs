//! Proof obligations and their queue.

use super::level::Level;
use crate::transition::Step;
use nilas_program::LocationId;
use nilas_term::{Cube, Term, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// An obligation, by the order of its making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObligationId(usize);

/// States to be shown unreachable. Every state of the cube leads, by the step recorded here, into the cube
/// of the next obligation, and so on to a sink; unless an obligation on the way is abstract or a conjecture.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) level: Level,
    pub(crate) location: LocationId,
    pub(crate) cube: Cube,
    /// The step to the next obligation; a conjecture has none.
    pub(crate) step: Option<Step>,
    /// The obligation that the step leads to; `None` if it leads to a sink.
    pub(crate) next: Option<ObligationId>,
    /// At the entry: a state of the cube.
    pub(crate) state: Vec<(Term, Value)>,
    /// Whether only some states of the cube are known to lead into the next one.
    pub(crate) is_abstract: bool,
    /// How often it was blocked.
    pub(crate) activity: u32,
}

/// Obligations by level, lowest first; within a level, if asked for, those with fewer literals (thesis 5.8), and among those the
/// newest first, which goes on where the search is.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    all: Vec<Obligation>,
    waiting: BinaryHeap<(Reverse<Level>, Reverse<usize>, ObligationId)>,
    by_size: bool,
    /// How many obligations each conjecture may still have; none if it has been given up.
    conjectures: BTreeMap<ObligationId, u32>,
}

/// How many obligations a conjecture may lead to.
const PER_CONJECTURE: u32 = 24;

impl Queue {
    pub(crate) fn new(by_size: bool) -> Self {
        Queue { by_size, ..Queue::default() }
    }

    pub(crate) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let (id, level) = (ObligationId(self.all.len()), obligation.level);
        if obligation.step.is_none() {
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

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id.0]
    }

    /// An obligation was blocked once more.
    pub(crate) fn bump(&mut self, id: ObligationId) {
        self.all[id.0].activity += 1;
    }

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
        self.get(last).step.is_none().then_some(last)
    }

    /// Gives a conjecture up: nothing that it leads to is looked at any more.
    pub(crate) fn give_up(&mut self, conjecture: ObligationId) {
        self.conjectures.insert(conjecture, 0);
    }

    /// The obligations from `first` to the one before the sink.
    pub(crate) fn chain(&self, first: ObligationId) -> Vec<&Obligation> {
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
