//! Which bytes have changed: what they were is remembered before they are touched, and compared later. That
//! costs as much as is touched, not as much as objects are large.

use super::{AllocationId, Memory};
use std::collections::BTreeMap;
use std::ops::Range;

/// So many parts of an object are remembered one by one; then all of it is.
const MOST_PARTS: usize = 16;

/// A part of an object as it was.
pub(super) struct Before {
    id: AllocationId,
    part: Range<usize>,
    data: Vec<u8>,
    initialised: Vec<bool>,
    provenance: Vec<Option<AllocationId>>,
}

/// What has changed of a living object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) id: AllocationId,
    /// Runs of bytes that hold a value now and did not hold it before.
    pub(crate) runs: Vec<Range<usize>>,
    /// Each of these bytes with the bits of it that differ; all of them where there was no value.
    bits: Vec<(usize, u8)>,
}

impl Changed {
    /// Whether some of these bits of the object have changed.
    pub(crate) fn has_bits(&self, mut bits: Range<u64>) -> bool {
        bits.any(|bit| {
            let byte = usize::try_from(bit / 8).unwrap_or(usize::MAX);
            let found = self.bits.binary_search_by_key(&byte, |&(byte, _)| byte);
            found.is_ok_and(|at| self.bits[at].1 >> (bit % 8) & 1 != 0)
        })
    }
}

impl Memory {
    /// From now on it is remembered what objects held.
    pub(crate) fn watch(&mut self) {
        self.before = Some(Vec::new());
    }

    /// A part of an object is about to be touched; all of it if nothing is said.
    pub(super) fn remember(&mut self, id: AllocationId, part: Option<Range<usize>>) {
        let Some(allocation) = self.get(id) else { return };
        let all = 0..allocation.data.len();
        let Some(before) = &self.before else { return };
        let few = before.iter().filter(|it| it.id == id).take(MOST_PARTS).count() < MOST_PARTS;
        let fits = |part: &Range<usize>| part.start <= part.end && part.end <= all.end;
        let part = part.filter(|part| few && fits(part)).unwrap_or(all);
        let covers = |it: &Before| it.id == id && it.part.start <= part.start && part.end <= it.part.end;
        if before.iter().any(covers) {
            return;
        }
        let data = allocation.data[part.clone()].to_vec();
        let initialised = allocation.initialised[part.clone()].to_vec();
        let provenance = allocation.provenance.get(part.clone()).unwrap_or_default().to_vec();
        if let Some(before) = &mut self.before {
            before.push(Before { id, part, data, initialised, provenance });
        }
    }

    /// What changed until now is of no interest.
    pub(crate) fn forget_changes(&mut self) {
        if let Some(before) = &mut self.before {
            before.clear();
        }
    }

    /// The living objects that have changed, in the order in which they were touched.
    pub(crate) fn take_changes(&mut self) -> Vec<Changed> {
        let Some(before) = self.before.as_mut().map(std::mem::take) else { return Vec::new() };
        let mut changed: Vec<Changed> = Vec::new();
        for (at, first) in before.iter().enumerate() {
            if before[..at].iter().any(|earlier| earlier.id == first.id) {
                continue;
            }
            let parts: Vec<&Before> = before[at..].iter().filter(|other| other.id == first.id).collect();
            let bits = self.changed_bits(first.id, &parts);
            if bits.is_empty() {
                continue;
            }
            let mut runs: Vec<Range<usize>> = Vec::new();
            for &(byte, _) in &bits {
                match runs.last_mut() {
                    Some(last) if last.end == byte => last.end += 1,
                    _ => runs.push(byte..byte + 1),
                }
            }
            changed.push(Changed { id: first.id, runs, bits });
        }
        changed
    }

    /// The bytes of one object that have changed, in order. What was remembered first is what they were.
    fn changed_bits(&self, id: AllocationId, parts: &[&Before]) -> Vec<(usize, u8)> {
        let Some(now) = self.get(id) else { return Vec::new() };
        let differing = |was: &Before, byte: usize| {
            let at = byte - was.part.start;
            let held = now.data.get(byte).filter(|_| now.initialised.get(byte) == Some(&true));
            let origin = now.provenance.get(byte).copied().flatten();
            match held {
                None => 0,
                Some(_) if !was.initialised[at] => u8::MAX,
                Some(_) if was.provenance.get(at).copied().flatten() != origin => u8::MAX,
                Some(held) => held ^ was.data[at],
            }
        };
        if let [one] = parts {
            return one
                .part
                .clone()
                .map(|byte| (byte, differing(one, byte)))
                .filter(|&(_, bits)| bits != 0)
                .collect();
        }
        let mut bytes: BTreeMap<usize, u8> = BTreeMap::new();
        for part in parts {
            for byte in part.part.clone() {
                bytes.entry(byte).or_insert_with(|| differing(part, byte));
            }
        }
        bytes.into_iter().filter(|&(_, bits)| bits != 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Request};
    use super::*;
    use nilas_c::types::DataModel;

    fn changed(offsets: &[usize], values: &[u128]) -> Vec<Range<usize>> {
        changed_object(offsets, values).runs
    }

    /// Writes one byte at some offsets, in this order, and says what has changed.
    fn changed_object(offsets: &[usize], values: &[u128]) -> Changed {
        let mut memory = Memory::new(DataModel::Lp64, &crate::Options::default());
        let request = Request { kind: Kind::Heap, size: 100, align: 8, span: None, occurrence: 0, at: None };
        let Ok(id) = memory.allocate(&request) else { panic!("no room") };
        let Some(object) = memory.get_mut(id) else { panic!("not alive") };
        (0..100).for_each(|byte| object.set_number(byte, 1, 0));
        memory.watch();
        for (&offset, &value) in offsets.iter().zip(values.iter().cycle()) {
            if let Some(object) = memory.get_mut_at(id, offset, 1) {
                object.set_number(offset, 1, value);
            }
        }
        let mut all = memory.take_changes();
        assert!(memory.take_changes().is_empty());
        assert!(all.len() <= 1);
        all.pop().unwrap_or(Changed { id, runs: Vec::new(), bits: Vec::new() })
    }

    #[test]
    fn what_was_first_counts() {
        assert_eq!(changed(&[5, 6, 9], &[1]), [5..7, 9..10]);
        // Written twice, and as it was in the end.
        assert_eq!(changed(&[5, 5], &[1, 0]), []);
        assert_eq!(changed(&[9, 5, 5, 9, 9], &[1, 2, 0, 3, 4]), vec![Range { start: 9, end: 10 }]);
    }

    #[test]
    fn bits_that_differ_are_known() {
        let object = changed_object(&[5, 9], &[0b100]);
        assert!(object.has_bits(42..43) && object.has_bits(74..75));
        assert!(!object.has_bits(40..42) && !object.has_bits(43..74));
    }

    #[test]
    fn many_parts_are_one_object() {
        let offsets: Vec<usize> = (0..100).rev().chain(0..50).collect();
        let values: Vec<u128> = [1].repeat(100).into_iter().chain([0].repeat(50)).collect();
        assert_eq!(changed(&offsets, &values), vec![Range { start: 50, end: 100 }]);
    }
}
