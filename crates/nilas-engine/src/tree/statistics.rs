//! What a run counts.

use crate::observer::Counters;
use crate::phase::Times;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistics {
    pub(super) coverings: u64,
    pub(super) refinements: u64,
    pub(super) obligations: u64,
    pub(super) lemmas: u64,
    pub(super) reused: u64,
    pub(super) strengthened: u64,
    pub(super) forced: u64,
    pub(super) interpolated: u64,
    pub(super) too_large: u64,
    pub(super) not_found: u64,
    pub(super) not_tried: u64,
    pub(super) depth: u64,
    /// Questions asked of edges.
    pub(super) checks: u64,
    pub(super) times: Times,
}

impl Statistics {
    /// The counters by name.
    pub(super) fn counters(&self, counters: &mut Counters) {
        counters.extend([
            ("coverings", self.coverings),
            ("refinements", self.refinements),
            ("obligations", self.obligations),
            ("lemmas learnt", self.lemmas),
            ("lemmas known at other nodes", self.reused),
            ("clauses by strengthening", self.strengthened),
            ("clauses by forced covering", self.forced),
            ("interpolants used", self.interpolated),
            ("interpolants too large", self.too_large),
            ("interpolants not found", self.not_found),
            ("paths too large to interpolate", self.not_tried),
            ("depth", self.depth),
        ]);
        self.times.counters(counters);
    }
}
