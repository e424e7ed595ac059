//! What a run counts. The names are those of IC3CFA where they mean the same.

use crate::observer::Counters;
use crate::phase::Times;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistics {
    pub(super) obligations: u64,
    pub(super) lemmas: u64,
    pub(super) pushed: u64,
    pub(super) push_tries: u64,
    pub(super) push_skipped: u64,
    pub(super) too_hard: u64,
    pub(super) relative_checks: u64,
    pub(super) literals_before: u64,
    pub(super) literals_after: u64,
    pub(super) lifted: u64,
    pub(super) projected: u64,
    pub(super) times: Times,
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
            ("literals before generalisation", self.literals_before),
            ("literals after generalisation", self.literals_after),
            ("literals dropped by lifting", self.lifted),
            ("inputs set to terms", self.projected),
        ]);
        self.times.counters(counters);
    }
}
