//! Which low bits of the pointers in variables are zero: what decides whether an access of memory of unknown
//! origin is aligned.
//!
//! Pointers that come from outside of the program are assumed to be aligned as the types ask that they are
//! declared to point to; that is an assumption of the answer. Nothing else is assumed: what the program
//! computes from them (`(char *)q + 1`, `(T *)(n | 1)`) is as aligned as the computation says.
//!
//! While a round lowers, every assignment of a pointer in an object and of a temporary is noted. The greatest
//! solution of these notes says how many low bits of the variables are zero in every execution that the
//! assumption allows: no step of an execution can be the first one that leaves it. The next round relies on
//! the solution ([`Alignments::known`]) and makes its own. If that is not at least as strong, there is
//! another round.
//!
//! Variables that hold numbers are not looked at: nothing is known of their low bits.

use super::Builder;
use nilas_program::VarId;
use nilas_term::{Arena, BitVec, Op, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// More zero bits than any access asks for.
pub(in crate::lower) const ALL_ZERO: u32 = 64;
/// Variables that still change after so many rounds over all notes are not aligned at all.
const MOST_PASSES: usize = 16;

/// See the module's text.
#[derive(Default)]
pub(in crate::lower) struct Alignments {
    /// What the round before found, by the names of variables.
    known: BTreeMap<String, u32>,
    /// The same for the variables of this round.
    of: FxHashMap<Term, u32>,
    /// The zero bits of what a variable holds at first or gets from outside; none for other variables than
    /// pointers and temporaries.
    sources: FxHashMap<Term, u32>,
    /// Pointers in objects: whatever they get from outside is aligned as declared.
    declared: FxHashMap<Term, u32>,
    /// What was assigned.
    notes: Vec<(Term, Term)>,
    /// Accesses of memory of unknown origin: the address, and the zero bits that the access asks for.
    accesses: Vec<(Term, u32)>,
    /// Pointers (and where they lie) that are stored there, the zero bits that loads ask for, and the number
    /// of the store.
    stored: Vec<(Term, u32, usize)>,
}

/// What a round found out.
pub(in crate::lower) struct Solved {
    /// The zero bits of variables, by name.
    pub(in crate::lower) known: BTreeMap<String, u32>,
    /// What the round relied on holds.
    pub(in crate::lower) holds: bool,
    /// It could have relied on more where it matters.
    pub(in crate::lower) sharper: bool,
    /// The fewest zero bits that an access of memory of unknown origin asks for and has.
    pub(in crate::lower) least: Option<u32>,
    /// The stores there without the zero bits that loads ask for.
    pub(in crate::lower) odd_stores: Vec<usize>,
}

impl Alignments {
    /// What a round begins with.
    pub(in crate::lower) fn new(known: BTreeMap<String, u32>) -> Self {
        Alignments { known, ..Alignments::default() }
    }

    fn source(&mut self, variable: Term, zeros: u32) {
        if let Some(held) = self.sources.get_mut(&variable) {
            *held = zeros.min(*held);
        }
    }

    /// An access of memory of unknown origin.
    pub(in crate::lower) fn accessed(&mut self, address: Term, asked: u32) {
        self.accesses.push((address, asked));
    }

    /// A pointer is stored in memory of unknown origin, or something at an address there.
    pub(in crate::lower) fn stored(&mut self, term: Term, asked: u32, store: usize) {
        self.stored.push((term, asked, store));
    }
}

impl Builder {
    /// A new variable with pointers in an object, to what has an alignment (as a power of two).
    pub(in crate::lower) fn align_pointers(&mut self, variable: VarId, zeros: u32) {
        let term = self.variable_term(variable);
        self.alignments.sources.insert(term, zeros);
        self.alignments.declared.insert(term, zeros);
        self.rely_on_alignment(variable, term);
    }

    /// A new variable that is assigned before it is used.
    pub(in crate::lower) fn align_temporary(&mut self, variable: VarId) {
        let term = self.variable_term(variable);
        self.alignments.sources.insert(term, ALL_ZERO);
        self.rely_on_alignment(variable, term);
    }

    fn rely_on_alignment(&mut self, variable: VarId, term: Term) {
        if let Some(&zeros) = self.alignments.known.get(&self.automaton.variable(variable).name) {
            self.alignments.of.insert(term, zeros);
        }
    }

    /// A variable gets a value.
    pub(in crate::lower) fn note_alignment(&mut self, variable: VarId, value: Term) {
        let term = self.variable_term(variable);
        if self.alignments.sources.contains_key(&term) {
            self.alignments.notes.push((term, value));
        }
    }

    /// A variable gets any value; a pointer one that comes from outside of the program.
    pub(in crate::lower) fn note_any_alignment(&mut self, variable: VarId) {
        let term = self.variable_term(variable);
        if !self.alignments.declared.contains_key(&term) {
            self.alignments.source(term, 0);
        }
    }

    /// A temporary gets a pointer from outside of the program to what has an alignment.
    pub(in crate::lower) fn note_source_alignment(&mut self, variable: VarId, zeros: u32) {
        let term = self.variable_term(variable);
        self.alignments.source(term, zeros);
    }

    /// How many low bits of a term are zero, as far as the rounds before know.
    pub(in crate::lower) fn zero_bits(&self, term: Term) -> u32 {
        zeros(&self.arena, term, &self.alignments.of, &mut FxHashMap::default())
    }

    /// The greatest solution of what was noted.
    pub(in crate::lower) fn solve_alignments(&self) -> Solved {
        let Alignments { of, sources, notes, accesses, stored, .. } = &self.alignments;
        if accesses.is_empty() {
            let known = BTreeMap::new();
            return Solved { known, holds: true, sharper: false, least: None, odd_stores: Vec::new() };
        }
        let mut solution = sources.clone();
        for pass in 0.. {
            let mut changed = false;
            // Within a pass, what was computed before a variable changed is computed again in the next one.
            let mut cache = FxHashMap::default();
            for &(variable, value) in notes {
                let found = zeros(&self.arena, value, &solution, &mut cache);
                let held = solution.entry(variable).or_default();
                if found < *held {
                    *held = if pass < MOST_PASSES { found } else { 0 };
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let holds = of.iter().all(|(variable, relied)| solution.get(variable) >= Some(relied));
        let (mut cache, mut relied) = (FxHashMap::default(), FxHashMap::default());
        let mut sharper = false;
        let mut has = |term: Term, asked: u32| {
            let found = zeros(&self.arena, term, &solution, &mut cache).min(asked);
            sharper |= zeros(&self.arena, term, of, &mut relied).min(asked) < found;
            found
        };
        let least = accesses.iter().map(|&(address, asked)| has(address, asked)).min();
        let odd = stored.iter().filter(|&&(term, asked, _)| has(term, asked) < asked);
        let odd_stores = odd.map(|&(.., store)| store).collect();
        let known = self
            .automaton
            .variables
            .iter()
            .filter_map(|variable| Some((variable.name.clone(), *solution.get(&variable.term)?)))
            .collect();
        Solved { known, holds, sharper, least, odd_stores }
    }
}

/// What two rounds say, together.
pub(in crate::lower) fn join(
    mut one: BTreeMap<String, u32>,
    other: &BTreeMap<String, u32>,
) -> BTreeMap<String, u32> {
    for (name, zeros) in &mut one {
        *zeros = other.get(name).map_or(*zeros, |&other| other.min(*zeros));
    }
    one
}

/// How many low bits of a term are zero, if those of variables are.
fn zeros(arena: &Arena, term: Term, of: &FxHashMap<Term, u32>, cache: &mut FxHashMap<Term, u32>) -> u32 {
    let mut work = vec![term];
    while let Some(&term) = work.last() {
        crate::work::poll();
        if cache.contains_key(&term) {
            work.pop();
            continue;
        }
        let known = of.get(&term).copied();
        let open: Vec<Term> = match (known, arena.op(term)) {
            (None, op) if looks_inside(op) => {
                arena.children(term).iter().copied().filter(|child| !cache.contains_key(child)).collect()
            }
            _ => Vec::new(),
        };
        if open.is_empty() {
            work.pop();
            let found = known.unwrap_or_else(|| computed(arena, term, cache));
            cache.insert(term, found);
        } else {
            work.extend(open);
        }
    }
    cache.get(&term).copied().unwrap_or(0)
}

fn looks_inside(op: Op) -> bool {
    matches!(
        op,
        Op::Ite
            | Op::BvAdd
            | Op::BvNeg
            | Op::BvOr
            | Op::BvXor
            | Op::BvAnd
            | Op::BvMul
            | Op::BvShl
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::Select
            | Op::Store
            | Op::ConstArray(_)
    )
}

/// The same of a term whose children are done.
fn computed(arena: &Arena, term: Term, done: &FxHashMap<Term, u32>) -> u32 {
    if let Some(value) = arena.as_value(term) {
        return value_zeros(value);
    }
    let of = |child: Term| done.get(&child).copied().unwrap_or(0);
    let children = arena.children(term);
    match (arena.op(term), children) {
        (Op::Ite, &[_, then, otherwise]) => of(then).min(of(otherwise)),
        (Op::BvAdd | Op::BvNeg | Op::BvOr | Op::BvXor, children) => {
            children.iter().map(|&child| of(child)).min().unwrap_or(0)
        }
        (Op::BvAnd, children) => children.iter().map(|&child| of(child)).max().unwrap_or(0),
        (Op::BvMul, children) => {
            children.iter().fold(0, |sum: u32, &child| sum.saturating_add(of(child))).min(ALL_ZERO)
        }
        (Op::BvShl, &[value, by]) => {
            let by = arena.as_bitvec(by).and_then(BitVec::to_u64).unwrap_or(0).min(u64::from(ALL_ZERO));
            of(value).saturating_add(u32::try_from(by).unwrap_or(0)).min(ALL_ZERO)
        }
        (Op::Concat, &[high, low]) => match of(low) {
            zeros if zeros >= arena.width(low) => arena.width(low).saturating_add(of(high)).min(ALL_ZERO),
            zeros => zeros,
        },
        (Op::Extract { lo, .. }, &[from]) => match of(from) {
            ALL_ZERO => ALL_ZERO,
            zeros => zeros.saturating_sub(lo),
        },
        (Op::ZeroExtend(_) | Op::SignExtend(_) | Op::ConstArray(_), &[value]) => of(value),
        (Op::Select, &[array, _]) => of(array),
        (Op::Store, &[array, _, value]) => of(array).min(of(value)),
        _ => 0,
    }
}

/// The same of a constant.
fn value_zeros(value: &Value) -> u32 {
    match value {
        Value::BitVec(constant) if constant.is_zero() => ALL_ZERO,
        Value::BitVec(constant) => constant.to_u64().map_or(0, u64::trailing_zeros),
        Value::Array(array) => {
            let elements = array.entries.values().chain([&array.default]);
            elements.map(value_zeros).min().unwrap_or(0)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::Sort;

    #[test]
    fn low_bits_of_sums_and_masks() {
        let mut arena = Arena::new();
        let p = arena.variable("p", &Sort::BitVec(64)).expect("a new name");
        let n = arena.variable("n", &Sort::BitVec(64)).expect("a new name");
        let (one, four, mask) = (arena.bv(64, 1), arena.bv(64, 4), arena.bv(64, !7));
        let scaled = arena.bv_mul(n, four);
        let next = arena.bv_add(p, scaled);
        let odd = arena.bv_add(p, one);
        let tagged = arena.bv_or(p, one);
        let bare = arena.bv_and(n, mask);
        let condition = arena.eq(p, n);
        let either = arena.ite(condition, next, bare);
        let of = FxHashMap::from_iter([(p, 3)]);
        for (term, expected) in
            [(p, 3), (n, 0), (scaled, 2), (next, 2), (odd, 0), (tagged, 0), (bare, 3), (either, 2)]
        {
            assert_eq!(zeros(&arena, term, &of, &mut FxHashMap::default()), expected);
        }
    }
}
