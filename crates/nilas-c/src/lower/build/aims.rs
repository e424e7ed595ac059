//! Which addresses the variables of the automaton hold, where these are few constants.
//!
//! `points` has one class for all that a pointer may mean, without regard to fields. A struct full of
//! pointers to different objects makes all of them one class, and each access through one of its pointers a
//! case split over everything. But mostly such a pointer is set once: to the address of an object, which is a
//! constant.
//!
//! While a round lowers, every assignment of a variable as wide as a pointer is noted: constants, copies of
//! other variables (plus a constant), or anything else. The least solution of these notes says what the
//! variables can hold in the automaton of that round. The next round takes the solution for granted
//! ([`Aims::known`]) where an access is through a pointer with few addresses, and notes again. If its own
//! solution is within what it took for granted, that was right: no step of an execution can be the first one
//! that leaves it. If not, there is another round.
//!
//! An access through a pointer that holds none of its addresses leads to *unmodelled*, so a mistake here
//! costs a proof and is not a wrong one.
//!
//! A variable holds anything at first. Only where it is a pointer in an object, that is null or of unknown
//! origin; and temporaries are assigned before they are used.

use super::Builder;
use nilas_program::VarId;
use nilas_term::{BitVec, Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Variables with more addresses may hold anything.
const MOST_ADDRESSES: usize = 12;
/// Terms with more alternatives may be anything.
const MOST_NODES: usize = 200;

/// All that a variable may hold, besides pointers of unknown origin; `None` is anything.
pub(in crate::lower) type Aim = Option<BTreeSet<u64>>;

/// See the module's text.
pub(in crate::lower) struct Aims {
    /// The width of a pointer.
    pointer_bits: u32,
    /// Solved notes of the rounds before, by the names of variables; in the first round there are none.
    pub(in crate::lower) known: Option<BTreeMap<String, Aim>>,
    /// The same for the variables of this round.
    of: FxHashMap<Term, Aim>,
    variables: FxHashMap<Term, VarId>,
    order: Vec<VarId>,
    notes: BTreeMap<VarId, Notes>,
}

impl Aims {
    pub(in crate::lower) fn new(pointer_bits: u32) -> Self {
        Aims {
            pointer_bits,
            known: None,
            of: FxHashMap::default(),
            variables: FxHashMap::default(),
            order: Vec::new(),
            notes: BTreeMap::new(),
        }
    }
}

/// What was assigned to a variable.
#[derive(Default)]
struct Notes {
    anything: bool,
    addresses: BTreeSet<u64>,
    copies: BTreeSet<(VarId, u64)>,
}

/// The values of a term: constants, and variables plus constants.
#[derive(Default)]
struct Values {
    addresses: BTreeSet<u64>,
    copies: BTreeSet<(Term, u64)>,
}

impl Builder {
    /// A new variable that can hold an address.
    pub(in crate::lower) fn track(&mut self, variable: VarId, name: &str, term: Term, sort: &Sort) {
        if *sort == Sort::BitVec(self.aims.pointer_bits) {
            self.aims.variables.insert(term, variable);
            self.aims.order.push(variable);
            self.aims.notes.entry(variable).or_default().anything = true;
            if let Some(aim) = self.aims.known.as_ref().and_then(|known| known.get(name)) {
                self.aims.of.insert(term, aim.clone());
            }
        }
    }

    /// A new variable that is assigned before it is used.
    pub(in crate::lower) fn track_temporary(&mut self, variable: VarId) {
        self.align_temporary(variable);
        self.aims.notes.remove(&variable);
    }

    /// A variable holds null or a pointer of unknown origin.
    pub(in crate::lower) fn note_unknown_pointer(&mut self, variable: VarId) {
        if self.aims.variables.contains_key(&self.variable_term(variable)) {
            self.aims.notes.entry(variable).or_default().addresses.insert(0);
        }
    }

    /// A new variable that is a pointer in an object.
    pub(in crate::lower) fn track_pointer(&mut self, variable: VarId) {
        self.aims.notes.remove(&variable);
        self.note_unknown_pointer(variable);
    }

    /// A variable gets a value.
    pub(in crate::lower) fn note_assignment(&mut self, variable: VarId, value: Term) {
        if !self.aims.variables.contains_key(&self.variable_term(variable)) {
            return;
        }
        let values = self.values(value);
        let own = self.variable_term(variable);
        let tracked = &self.aims.variables;
        let notes = self.aims.notes.entry(variable).or_default();
        match values {
            Some(values) => {
                notes.addresses.extend(values.addresses);
                for (source, distance) in values.copies {
                    match tracked.get(&source) {
                        _ if source == own && distance == 0 => {}
                        Some(&source) => drop(notes.copies.insert((source, distance))),
                        None => notes.anything = true,
                    }
                }
            }
            None => notes.anything = true,
        }
    }

    /// A variable gets any value.
    pub(in crate::lower) fn note_anything(&mut self, variable: VarId) {
        if self.aims.variables.contains_key(&self.variable_term(variable)) {
            self.aims.notes.entry(variable).or_default().anything = true;
        }
    }

    /// All values that a term can have besides pointers of unknown origin, if these are known and few.
    pub(in crate::lower) fn aim(&self, address: Term) -> Aim {
        self.aims.known.as_ref()?;
        let values = self.values(address)?;
        let mut all: BTreeSet<u64> = values.addresses;
        for (variable, distance) in values.copies {
            let aim = self.aims.of.get(&variable)?.as_ref()?;
            all.extend(aim.iter().map(|&address| self.moved_address(address, distance)));
        }
        (all.len() <= MOST_ADDRESSES).then_some(all)
    }

    fn moved_address(&self, address: u64, distance: u64) -> u64 {
        BitVec::new(64, address.wrapping_add(distance))
            .extract(self.aims.pointer_bits - 1, 0)
            .to_u64()
            .unwrap_or(0)
    }

    fn values(&self, term: Term) -> Option<Values> {
        let mut values = Values::default();
        let mut work = vec![(term, 0_u64)];
        let mut seen = BTreeSet::new();
        while let Some((term, distance)) = work.pop() {
            crate::work::poll();
            if !seen.insert((term, distance)) {
                continue;
            }
            if seen.len() > MOST_NODES {
                return None;
            }
            if let Some(constant) = self.arena.as_bitvec(term) {
                values.addresses.insert(self.moved_address(constant.to_u64()?, distance));
                continue;
            }
            match (self.arena.op(term), self.arena.children(term)) {
                (Op::Ite, &[_, then, otherwise]) => {
                    work.push((then, distance));
                    work.push((otherwise, distance));
                }
                (Op::BvAdd, &[a, b]) => {
                    let constant = |term| self.arena.as_bitvec(term).and_then(BitVec::to_u64);
                    match (constant(a), constant(b)) {
                        (Some(a), _) => work.push((b, distance.wrapping_add(a))),
                        (_, Some(b)) => work.push((a, distance.wrapping_add(b))),
                        _ => return None,
                    }
                }
                (_, []) => drop(values.copies.insert((term, distance))),
                _ => return None,
            }
        }
        Some(values)
    }

    /// The least solution of what was noted in this round, by the names of variables.
    pub(in crate::lower) fn solve_aims(&self) -> BTreeMap<String, Aim> {
        let mut solution: BTreeMap<VarId, Aim> = BTreeMap::new();
        let mut readers: BTreeMap<VarId, Vec<(VarId, u64)>> = BTreeMap::new();
        for &variable in &self.aims.order {
            solution.insert(variable, Some(BTreeSet::new()));
        }
        for (&variable, notes) in &self.aims.notes {
            let few = !notes.anything && notes.addresses.len() <= MOST_ADDRESSES;
            solution.insert(variable, few.then(|| notes.addresses.clone()));
            for &(source, distance) in &notes.copies {
                readers.entry(source).or_default().push((variable, distance));
            }
        }
        let mut work: Vec<VarId> = solution.keys().copied().collect();
        while let Some(source) = work.pop() {
            crate::work::poll();
            let aim = solution.get(&source).cloned().flatten();
            for &(reader, distance) in readers.get(&source).map_or(&[][..], Vec::as_slice) {
                let Some(Some(held)) = solution.get_mut(&reader) else { continue };
                let before = held.len();
                let overflow = match &aim {
                    None => true,
                    Some(aim) => {
                        held.extend(aim.iter().map(|&address| self.moved_address(address, distance)));
                        held.len() > MOST_ADDRESSES
                    }
                };
                if overflow {
                    solution.insert(reader, None);
                    work.push(reader);
                } else if held.len() > before {
                    work.push(reader);
                }
            }
        }
        solution.into_iter().map(|(variable, aim)| (self.variable_name(variable), aim)).collect()
    }

    /// Whether what this round took for granted holds in it.
    pub(in crate::lower) fn aims_hold(&self, solution: &BTreeMap<String, Aim>) -> bool {
        let Some(known) = &self.aims.known else { return true };
        solution.iter().all(|(name, aim)| match (known.get(name), aim) {
            (None | Some(None), _) => true,
            (Some(Some(_)), None) => false,
            (Some(Some(known)), Some(aim)) => aim.is_subset(known),
        })
    }
}

/// What two rounds say, together.
pub(in crate::lower) fn join(
    mut one: BTreeMap<String, Aim>,
    other: Option<BTreeMap<String, Aim>>,
) -> BTreeMap<String, Aim> {
    for (name, aim) in other.unwrap_or_default() {
        match one.get_mut(&name) {
            None => drop(one.insert(name, aim)),
            Some(held) => {
                *held = match (held.take(), aim) {
                    (Some(mut a), Some(b)) => {
                        a.extend(b);
                        (a.len() <= MOST_ADDRESSES).then_some(a)
                    }
                    _ => None,
                }
            }
        }
    }
    one
}

/// The same addresses in another plan.
pub(in crate::lower) fn moved(aims: &mut BTreeMap<String, Aim>, to: impl Fn(u64) -> u64) {
    for addresses in aims.values_mut().flatten() {
        *addresses = addresses.iter().map(|&address| to(address)).collect();
    }
}
