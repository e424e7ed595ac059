//! Which bytes have changed: what objects held is remembered before they are touched, and compared later.

use super::{AllocationId, Memory};
use std::ops::Range;

/// An object as it was.
pub(super) struct Before {
    id: AllocationId,
    data: Vec<u8>,
    initialised: Vec<bool>,
    provenance: Vec<Option<AllocationId>>,
}

impl Memory {
    /// From now on it is remembered what objects held.
    pub(crate) fn watch(&mut self) {
        self.before = Some(Vec::new());
    }

    /// An object is about to be touched.
    pub(super) fn remember(&mut self, id: AllocationId) {
        let Some(allocation) = self.get(id) else { return };
        let Some(before) = &self.before else { return };
        if before.iter().any(|it| it.id == id) {
            return;
        }
        let (data, initialised) = (allocation.data.clone(), allocation.initialised.clone());
        let provenance = allocation.provenance.clone();
        if let Some(before) = &mut self.before {
            before.push(Before { id, data, initialised, provenance });
        }
    }

    /// What changed until now is of no interest.
    pub(crate) fn forget_changes(&mut self) {
        if let Some(before) = &mut self.before {
            before.clear();
        }
    }

    /// The living objects that have changed, in the order in which they were touched, with runs of bytes that
    /// hold a value now and did not hold it before.
    pub(crate) fn take_changes(&mut self) -> Vec<(AllocationId, Vec<Range<usize>>)> {
        let Some(before) = self.before.as_mut().map(std::mem::take) else { return Vec::new() };
        let mut changed = Vec::new();
        for was in before {
            let Some(now) = self.get(was.id) else { continue };
            let differs = |byte: usize| {
                let part = |list: &[Option<AllocationId>]| list.get(byte).copied().flatten();
                now.initialised[byte]
                    && (was.initialised.get(byte) != Some(&true)
                        || was.data.get(byte) != now.data.get(byte)
                        || part(&was.provenance) != part(&now.provenance))
            };
            let mut runs = Vec::new();
            let mut byte = 0;
            while byte < now.data.len() {
                let start = byte;
                while byte < now.data.len() && differs(byte) {
                    byte += 1;
                }
                if start < byte {
                    runs.push(start..byte);
                }
                byte += 1;
            }
            if !runs.is_empty() {
                changed.push((was.id, runs));
            }
        }
        changed
    }
}
