//! What a run counts.

use super::technique::Technique;
use crate::observer::Counters;
use crate::phase::Times;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) obligations: u64,
    pub(crate) lemmas: u64,
    pub(crate) refinements: u64,
    pub(crate) pushed: u64,
    pub(crate) push_tries: u64,
    pub(crate) push_skipped: u64,
    pub(crate) too_hard: u64,
    pub(crate) relative_checks: u64,
    pub(crate) literals_before: u64,
    pub(crate) literals_after: u64,
    applied: [u64; Technique::ALL.len()],
    saved: [u64; Technique::ALL.len()],
    pub(crate) times: Times,
}

impl Statistics {
    /// A technique has applied, and has saved so many questions (or literals, where it is about those).
    pub(crate) fn count(&mut self, technique: Technique, saved: u64) {
        self.applied[technique as usize] += 1;
        self.saved[technique as usize] += saved;
    }

    /// The counters by name.
    pub(crate) fn counters(&self, counters: &mut Counters) {
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
        for technique in Technique::ALL {
            let [_, applied, saved] = technique.names();
            if self.applied[technique as usize] > 0 {
                counters.insert(applied, self.applied[technique as usize]);
                counters.insert(saved, self.saved[technique as usize]);
            }
        }
        self.times.counters(counters);
    }
}
