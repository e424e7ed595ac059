//! How often techniques applied.

use super::technique::Technique;
use crate::observer::Counters;
use crate::pdr::Statistics;

/// Counters of techniques.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Applied {
    applied: [u64; Technique::ALL.len()],
    saved: [u64; Technique::ALL.len()],
}

impl Applied {
    /// A technique has applied, and has saved so many questions (or literals, where it is about those).
    pub(super) fn count(&mut self, technique: Technique, saved: u64) {
        self.applied[technique as usize] += 1;
        self.saved[technique as usize] += saved;
    }

    /// The counters by name, with those techniques that are the core's.
    pub(super) fn counters(&self, core: &Statistics, counters: &mut Counters) {
        for technique in Technique::ALL {
            let [_, applied, saved] = technique.names();
            let count = match technique {
                Technique::Requeue => core.requeued,
                Technique::PushAtOnce => core.pushed_at_once,
                Technique::Weakening => core.weakened,
                _ => self.applied[technique as usize],
            };
            if count > 0 {
                counters.insert(applied, count);
                counters.insert(saved, self.saved[technique as usize]);
            }
        }
    }
}
