//! Several cores work on different questions of one invariant.
//!
//! Every worker goes through all regions in the same order, with terms, an encoder and a prover of its own,
//! and asks the questions that nobody has taken yet. So each worker, for itself, has seen of each question
//! that it was answered by a proof, that it is of no way that its own terms know of, or that another worker
//! has taken it. All workers must come to their end: then every question was answered. What is told of a
//! rejection is that of the first question that fails, whoever asked it; only the values of the example may
//! depend on who did.

use crate::rejection::Rejection;
use nilas_program::LocationId;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A question: where the region starts, where it ends, and the number of the lemma there. (Locations as the
/// checker goes through them, by their position.)
pub(crate) type Key = (usize, LocationId, usize);

/// How long a check goes on alone before others join: most are done by then.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Room for a worker's thread.
pub(crate) const STACK: usize = 64 << 20;

/// What the workers of a check share.
#[derive(Default)]
pub(crate) struct Sharing {
    taken: Mutex<HashSet<Key>>,
    failed: Mutex<Option<(Key, Rejection)>>,
}

impl Sharing {
    /// Whether the question is the caller's to ask.
    pub(crate) fn take(&self, question: Key) -> bool {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(question)
    }

    /// Whether the rest is of no use, since an earlier question has failed.
    pub(crate) fn is_over(&self, question: Key) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.as_ref().is_some_and(|(earlier, _)| *earlier < question)
    }

    /// Takes note of a question that failed. What is shown to be wrong goes before what could not be decided.
    pub(crate) fn fail(&self, question: Key, why: Rejection) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let decided = |why: &Rejection| !matches!(why, Rejection::Undecided(_));
        let better = |(other, known): &(Key, Rejection)| match (decided(&why), decided(known)) {
            (true, false) => true,
            (false, true) => false,
            _ => question < *other,
        };
        if failed.as_ref().is_none_or(better) {
            *failed = Some((question, why));
        }
    }

    /// What all workers found.
    pub(crate) fn result(self) -> Result<(), Rejection> {
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, why)) => Err(why),
            None => Ok(()),
        }
    }
}
