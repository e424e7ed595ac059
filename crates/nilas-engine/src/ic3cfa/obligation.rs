//! Proof obligations and their queue, in which there are conjectures too.

use super::level::Level;
use crate::obligation;
pub(crate) use crate::obligation::ObligationId;
use crate::transition::Step;
use nilas_program::LocationId;
use nilas_term::{Cube, Term, Value};
use std::collections::BTreeMap;

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

impl obligation::Obligation for Obligation {
    fn level(&self) -> Level {
        self.level
    }
    fn set_level(&mut self, level: Level) {
        self.level = level;
    }
    fn size(&self) -> usize {
        self.cube.len()
    }
    fn next(&self) -> Option<ObligationId> {
        self.next
    }
}

/// The obligations. Those of a conjecture are few, or it is given up.
#[derive(Debug)]
pub(crate) struct Queue {
    queue: obligation::Queue<Obligation>,
    /// How many obligations each conjecture may still have; none if it has been given up.
    conjectures: BTreeMap<ObligationId, u32>,
}

/// How many obligations a conjecture may lead to.
const PER_CONJECTURE: u32 = 24;

impl Queue {
    pub(crate) fn new(by_size: bool) -> Self {
        Queue { queue: obligation::Queue::new(by_size), conjectures: BTreeMap::new() }
    }

    pub(crate) fn push(&mut self, obligation: Obligation) -> ObligationId {
        let is_conjecture = obligation.step.is_none();
        if !is_conjecture
            && let Some(next) = obligation.next
            && let Some(conjecture) = self.conjecture(next)
            && let Some(left) = self.conjectures.get_mut(&conjecture)
        {
            *left = left.saturating_sub(1);
        }
        let id = self.queue.push(obligation);
        if is_conjecture {
            self.conjectures.insert(id, PER_CONJECTURE);
        }
        id
    }

    /// Puts an obligation back that was popped, at this level.
    pub(crate) fn put_back(&mut self, id: ObligationId, level: Level) {
        self.queue.put_back(id, level);
    }

    /// The next obligation; those of conjectures that were given up are left out.
    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        loop {
            let id = self.queue.pop()?;
            let given_up = |conjecture| self.conjectures.get(&conjecture).is_some_and(|&left| left == 0);
            if !self.conjecture(id).is_some_and(given_up) {
                return Some(id);
            }
        }
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        self.queue.get(id)
    }

    /// An obligation was blocked once more.
    pub(crate) fn bump(&mut self, id: ObligationId) {
        self.queue.get_mut(id).activity += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
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
        self.queue.chain(first)
    }
}
