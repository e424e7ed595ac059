//! Proof obligations and their queue.

use crate::level::Level;
use nilas_term::{Cube, Term};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An obligation, by the order of its making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObligationId(usize);

/// States to be shown unreachable. Every state of the cube leads, with the choices recorded here, into the cube of the next
/// obligation, and so on to a bad state.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub(super) level: Level,
    pub(super) cube: Cube,
    /// What inputs, and next-state variables without update, are set to: terms over the state.
    pub(super) choices: Vec<(Term, Term)>,
    /// The obligation that the step leads to; `None` if the states are bad themselves.
    pub(super) next: Option<ObligationId>,
}

/// Obligations by level, lowest first; within a level those with fewer literals, and among those the newest first, which goes on
/// where the search is.
#[derive(Debug, Default)]
pub(super) struct Queue {
    all: Vec<Obligation>,
    waiting: BinaryHeap<(Reverse<Level>, Reverse<usize>, ObligationId)>,
}

impl Queue {
    pub(super) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let (id, level) = (ObligationId(self.all.len()), obligation.level);
        self.all.push(obligation);
        self.put_back(id, level);
        id
    }

    /// Puts an obligation back that was popped, at this level.
    pub(super) fn put_back(&mut self, id: ObligationId, level: Level) {
        let obligation = &mut self.all[id.0];
        obligation.level = level;
        self.waiting.push((Reverse(level), Reverse(obligation.cube.len()), id));
    }

    pub(super) fn pop(&mut self) -> Option<ObligationId> {
        self.waiting.pop().map(|(_, _, id)| id)
    }

    pub(super) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id.0]
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The obligations from `first` to the one of bad states.
    pub(super) fn chain(&self, first: ObligationId) -> Vec<&Obligation> {
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
