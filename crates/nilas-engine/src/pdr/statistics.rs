//! What every run counts.

use crate::observer::Counters;
use crate::phase::Times;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) obligations: u64,
    pub(crate) requeued: u64,
    pub(crate) lemmas: u64,
    /// Lemmas of which a literal was weakened.
    pub(crate) weakened: u64,
    pub(crate) refinements: u64,
    pub(crate) pushed: u64,
    /// Levels that new lemmas were pushed at once.
    pub(crate) pushed_at_once: u64,
    pub(crate) push_tries: u64,
    pub(crate) push_skipped: u64,
    pub(crate) too_hard: u64,
    pub(crate) relative_checks: u64,
    pub(crate) literals_before: u64,
    pub(crate) literals_after: u64,
    pub(crate) times: Times,
}

impl Statistics {
    /// The counters by name.
    pub(super) fn counters(&self, counters: &mut Counters) {
        counters.extend([
            ("lemmas learnt", self.lemmas),
            ("lemmas pushed", self.pushed),
            ("pushes tried", self.push_tries),
            ("pushes saved by witness", self.push_skipped),
            ("questions given up", self.too_hard),
            ("obligations", self.obligations),
            ("refinements", self.refinements),
            ("literals before generalisation", self.literals_before),
            ("literals after generalisation", self.literals_after),
        ]);
        self.times.counters(counters);
    }
}
