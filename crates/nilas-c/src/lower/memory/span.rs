//! Where objects lie: the objects of a class in one span of addresses, each in a region of its own.
//!
//! A region is an aligned power of two with room for its object, its end and [`SLACK`] bytes more. All
//! regions of a class have the same size where addresses are plenty, so that two addresses of a class are in
//! one object just if their upper bits agree. Code has a span of its own. The lower half of all addresses
//! belongs to the program, the upper half to memory of unknown origin.
//!
//! A round takes its addresses from the plan that was made of the round before. Objects that it meets for the
//! first time lie behind all spans, where no pointer is expected: the next round has a better plan.
//!
//! The number that an object gets for an address is no number that the program names, so that a fixed address
//! is never that of an object by accident.

use super::Key;
use super::points::Class;
use super::provenance::SLACK;
use crate::tree::FunctionId;
use nilas_fault::{Fault, planted};
use std::collections::BTreeMap;

/// The bytes of a function or label, as a power of two.
const CODE_LOG: u32 = 4;
/// The bytes of a pool, as a power of two.
const POOL_LOG: u32 = 26;
/// A class with larger uniform regions in 32 bits has regions as they are needed.
const LARGEST_UNIFORM: u64 = 1 << 27;
/// Where the program's addresses may begin.
const BEGINNINGS: [u64; 8] =
    [0x0123_0000, 0x0375_0000, 0x0a9b_0000, 0x1357_0000, 0x1d3f_0000, 0x2b6d_0000, 0x3c97_0000, 0x4e5b_0000];

/// An object with an address: its bytes (of one object, if it is a pool), and its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Placed {
    pub(in crate::lower) size: u64,
    pub(in crate::lower) class: Option<Class>,
}

/// The addresses of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Span {
    pub(in crate::lower) start: u64,
    pub(in crate::lower) end: u64,
    /// The size of all its regions as a power of two, if it is the same.
    pub(in crate::lower) log: Option<u32>,
    /// All its regions.
    pub(in crate::lower) regions: Vec<Region>,
}

/// The addresses of an object, or of all objects of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Region {
    pub(in crate::lower) start: u64,
    /// Its size as a power of two.
    pub(in crate::lower) log: u32,
    /// The size of one object's region.
    pub(in crate::lower) object_log: u32,
}

/// A plan of all addresses.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) struct Plan {
    pub(in crate::lower) spans: BTreeMap<Class, Span>,
    pub(in crate::lower) code: (u64, u64),
    pub(in crate::lower) addresses: BTreeMap<Key, Region>,
    /// Behind all spans.
    pub(in crate::lower) end: u64,
}

/// The region of an object is a power of two that has room for the end of the object and [`SLACK`] bytes.
pub(in crate::lower) fn region_log(size: u64) -> u32 {
    size.saturating_add(1 + SLACK).next_power_of_two().trailing_zeros()
}

/// The bytes of a pool whose objects have regions of a size, as a power of two.
pub(in crate::lower) fn pool_log(object_log: u32) -> u32 {
    POOL_LOG.max(object_log + 1)
}

impl Plan {
    /// A plan for objects with addresses; `None` where there are not enough addresses.
    pub(in crate::lower) fn new(
        placed: &BTreeMap<Key, Placed>,
        literals: &[u64],
        pointer_bits: u32,
    ) -> Option<Plan> {
        let limit = if pointer_bits == 32 { 1 << 31 } else { 1 << 62 };
        let plans =
            BEGINNINGS.iter().filter_map(|&start| Plan::from(placed, start, limit, pointer_bits == 64));
        let mut first = None;
        for plan in plans {
            let at = literals.partition_point(|&literal| literal < BEGINNINGS[0].min(plan.start()));
            if !literals[at..].iter().any(|&literal| (plan.start()..plan.end).contains(&literal)) {
                return Some(plan);
            }
            first.get_or_insert(plan);
        }
        first.or_else(|| Plan::from(placed, 0x1_0000, limit, pointer_bits == 64))
    }

    /// The addresses of functions, and of all labels, as ranges.
    pub(in crate::lower) fn code_of(&self, functions: &[FunctionId]) -> Vec<(u64, u64)> {
        let functions = functions.iter().map(|&function| Key::Function(function));
        let labels = self.addresses.keys().filter(|key| matches!(key, Key::Label(_))).copied();
        let mut starts: Vec<u64> =
            functions.chain(labels).filter_map(|key| Some(self.addresses.get(&key)?.start)).collect();
        starts.sort_unstable();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for start in starts {
            let end = start + (1 << CODE_LOG);
            match ranges.last_mut() {
                Some((_, last)) if *last == start => *last = end,
                _ => ranges.push((start, end)),
            }
        }
        ranges
    }

    /// The first address.
    fn start(&self) -> u64 {
        self.code.0
    }

    fn from(placed: &BTreeMap<Key, Placed>, start: u64, limit: u64, plenty: bool) -> Option<Plan> {
        let mut plan = Plan { code: (start, start), ..Plan::default() };
        let mut next = start;
        let mut classes: BTreeMap<Class, Vec<(Key, Placed)>> = BTreeMap::new();
        for (&key, &object) in placed {
            match object.class {
                Some(class) => classes.entry(class).or_default().push((key, object)),
                None => {
                    let region = Region { start: next, log: CODE_LOG, object_log: CODE_LOG };
                    plan.addresses.insert(key, region);
                    next += 1 << CODE_LOG;
                }
            }
        }
        plan.code.1 = next;
        for (class, objects) in classes {
            let largest = objects.iter().map(|(_, object)| region_log(object.size)).max().unwrap_or(7);
            let uniform = plenty || (objects.len() as u64) << largest <= LARGEST_UNIFORM;
            let mut regions = Vec::new();
            let begin = align(next, largest)?;
            next = begin;
            // Large regions first: they need the most alignment.
            let mut sized: Vec<(u32, u32, Key)> = objects
                .iter()
                .map(|&(key, object)| {
                    let object_log = if uniform { largest } else { region_log(object.size) };
                    let pool = matches!(key, Key::Pool(..));
                    (if pool { pool_log(object_log) } else { object_log }, object_log, key)
                })
                .collect();
            sized.sort_by_key(|&(log, _, key)| (std::cmp::Reverse(log), key));
            for (log, object_log, key) in sized {
                let start = align(next, log)?;
                next = start.checked_add(1 << log).filter(|&end| end <= limit)?;
                let region = Region { start, log, object_log };
                regions.push(region);
                plan.addresses.insert(key, region);
            }
            let log = uniform.then_some(largest);
            let end = match regions.last() {
                Some(last) if planted(Fault::SpanWithoutLast) => last.start,
                _ => next,
            };
            plan.spans.insert(class, Span { start: begin, end, log, regions });
        }
        plan.end = next;
        Some(plan)
    }
}

fn align(address: u64, log: u32) -> Option<u64> {
    Some(address.checked_add((1 << log) - 1)? & !((1 << log) - 1))
}

impl Plan {
    /// Where an address of one plan lies in another.
    pub(in crate::lower) fn moved(&self, address: u64, regions: &BTreeMap<u64, (Key, u32)>) -> u64 {
        let found = regions.range(..=address).next_back();
        let found = found.filter(|&(&start, &(_, log))| address - start < 1 << log);
        match found.and_then(|(&start, (key, _))| Some((start, self.addresses.get(key)?))) {
            Some((start, region)) => region.start + (address - start),
            None => address,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Id;
    use crate::tree::{StringId, VarId};

    fn placed(sizes: &[(usize, u64, Class)]) -> BTreeMap<Key, Placed> {
        sizes
            .iter()
            .map(|&(number, size, class)| {
                (Key::Static(VarId::from_index(number)), Placed { size, class: Some(class) })
            })
            .collect()
    }

    #[test]
    fn objects_of_a_class_share_a_span_and_no_region() {
        let objects = placed(&[(0, 4, 7), (1, 300, 7), (2, 8, 9), (3, 4, 7)]);
        for bits in [32, 64] {
            let plan = Plan::new(&objects, &[], bits).expect("there is room");
            let span = &plan.spans[&7];
            assert_eq!(span.regions.len(), 3);
            assert_eq!(span.log, Some(9));
            for region in &span.regions {
                assert!(span.start <= region.start && region.start + (1 << region.log) <= span.end);
            }
            assert!(plan.spans[&9].start >= span.end);
        }
    }

    #[test]
    fn a_number_of_the_program_is_no_address() {
        let objects = placed(&[(0, 4, 7)]);
        let plain = Plan::new(&objects, &[], 64).expect("there is room");
        let literal = plain.spans[&7].start + 2;
        let other = Plan::new(&objects, &[literal], 64).expect("there is room");
        assert!(!(other.code.0..other.end).contains(&literal));
    }

    #[test]
    fn a_full_address_space_is_told() {
        let mut objects = BTreeMap::new();
        for number in 0..64 {
            let key = Key::String(StringId::from_index(number));
            objects.insert(key, Placed { size: 1 << 26, class: Some(1) });
        }
        assert_eq!(Plan::new(&objects, &[], 32), None);
        assert!(Plan::new(&objects, &[], 64).is_some());
    }
}
