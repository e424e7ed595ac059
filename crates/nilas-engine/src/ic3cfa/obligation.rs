//! Proof obligations and their queue.

use super::level::Level;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Cube, Term, Value};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An obligation, by the order of its making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObligationId(usize);

/// States to be shown unreachable: every state of the cube leads, by the step recorded here, into the cube
/// of the next obligation, and so on to a sink.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) level: Level,
    pub(crate) location: LocationId,
    pub(crate) cube: Cube,
    pub(crate) step: Step,
    /// The obligation that the step leads to; `None` if it leads to a sink.
    pub(crate) next: Option<ObligationId>,
    /// At the entry: a state of the cube.
    pub(crate) state: Vec<(Term, Value)>,
}

/// One edge of a counterexample: with these inputs every state of the obligation's cube takes the edge, into the next
/// obligation's cube.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    /// The values of all inputs of the edge's encoding.
    pub(crate) inputs: Vec<(Term, Value)>,
}

/// Obligations by level, lowest first; within a level, if asked for, those with fewer literals (thesis 5.8), and among those the
/// newest first, which goes on where the search is.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    all: Vec<Obligation>,
    waiting: BinaryHeap<(Reverse<Level>, Reverse<usize>, ObligationId)>,
    by_size: bool,
}

impl Queue {
    pub(crate) fn new(by_size: bool) -> Self {
        Queue { by_size, ..Queue::default() }
    }

    pub(crate) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let (id, level) = (ObligationId(self.all.len()), obligation.level);
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

    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        self.waiting.pop().map(|(_, _, id)| id)
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id.0]
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
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
