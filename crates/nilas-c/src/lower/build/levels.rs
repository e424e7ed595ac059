//! Which values depend on the numbers that objects happen to get for addresses.
//!
//! The address of an object decides nothing: C leaves open where objects lie and in which order. A value is
//! *clean* if it says nothing about that; an *address* is one, perhaps moved by a clean number; everything
//! else that was computed from an address is *scrambled* (its bits, a hash of it). The lowest bits of an
//! address are known where its object is aligned: they say where in the object it is, so tests and tags of
//! these bits are clean. Two addresses may be compared as pointers are; whatever else is decided by an
//! address or a scrambled value may go either way, see [`crate::lower::translate::relation`].
//!
//! A number that is an address may be moved to null, and to the last addresses: where a program moves one
//! ([`Levels::move_far`]), comparing such numbers with null may go either way, too.
//!
//! While a round lowers, it notes the level of all that is assigned to a variable, and in the end it looks
//! what follows for the others ([`Levels::solve`]). It relies on what the rounds before found
//! ([`Levels::known`]); if it finds more, there is another round.

use nilas_program::VarId;
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// See the module's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::lower) enum Level {
    #[default]
    Clean,
    /// With so many upper bits that are open: all but those that the alignment of its object fixes. Of two
    /// addresses the one with more open bits is the higher level.
    Address(u32),
    Scrambled,
}

impl Level {
    pub(in crate::lower) fn is_address(self) -> bool {
        matches!(self, Level::Address(_))
    }
}

/// The levels of the variables of an automaton.
#[derive(Default)]
pub(in crate::lower) struct Levels {
    /// Those of the rounds before, by name.
    pub(in crate::lower) known: BTreeMap<String, Level>,
    /// The same for the variables of this round, by their terms.
    of: FxHashMap<Term, Level>,
    /// What this round assigned.
    noted: BTreeMap<VarId, Level>,
    /// The same as terms: what is found late concerns what was assigned early.
    assignments: FxHashSet<(VarId, Term)>,
    /// The addresses of the program.
    addresses: std::ops::Range<u64>,
    /// Where objects begin, and their alignments as powers of two.
    alignments: BTreeMap<u64, u32>,
    pointer_bits: u32,
    cache: FxHashMap<Term, Level>,
    /// Some variable is scrambled.
    scrambled: bool,
    /// Some number that is an address is moved by a number of the program: by the rounds before, and by this.
    moved: [bool; 2],
}

impl Levels {
    /// What a round begins with.
    pub(in crate::lower) fn new(
        known: BTreeMap<String, Level>,
        addresses: std::ops::Range<u64>,
        alignments: BTreeMap<u64, u32>,
        pointer_bits: u32,
    ) -> Self {
        Levels { known, addresses, alignments, pointer_bits, ..Levels::default() }
    }

    /// A number that is an address is moved, further than to what lies beside its object.
    pub(in crate::lower) fn move_far(&mut self) {
        self.moved[1] = true;
    }

    /// Whether the rounds before, or one of them and this one, moved a number that is an address.
    pub(in crate::lower) fn moves_far(&self) -> [bool; 2] {
        [self.moved[0], self.moved[0] || self.moved[1]]
    }

    /// What the rounds before moved.
    pub(in crate::lower) fn with_moved(self, moved: bool) -> Self {
        Levels { moved: [moved, false], ..self }
    }

    /// A new variable.
    pub(in crate::lower) fn declare(&mut self, name: &str, term: Term) {
        if let Some(&level) = self.known.get(name) {
            self.of.insert(term, level);
            self.scrambled |= level == Level::Scrambled;
        }
    }

    /// A variable gets a value.
    pub(in crate::lower) fn assigned(&mut self, arena: &Arena, variable: VarId, term: Term) {
        let level = self.level(arena, term);
        if arena.as_value(term).is_none() {
            self.assignments.insert((variable, term));
        }
        if level != Level::Clean {
            let noted = self.noted.entry(variable).or_default();
            *noted = level.max(*noted);
        }
    }

    /// The least levels that all assignments of the round agree with.
    pub(in crate::lower) fn solve(&mut self, arena: &Arena, term_of: impl Fn(VarId) -> Term) {
        for (&variable, &level) in &self.noted {
            let known = self.of.entry(term_of(variable)).or_default();
            *known = level.max(*known);
        }
        let mut assignments: Vec<(VarId, Term)> = self.assignments.iter().copied().collect();
        assignments.sort_unstable();
        loop {
            self.cache.clear();
            let mut more = false;
            for &(variable, term) in &assignments {
                let level = self.level(arena, term);
                let known = self.of.entry(term_of(variable)).or_default();
                if level > *known {
                    *known = level;
                    let noted = self.noted.entry(variable).or_default();
                    *noted = level.max(*noted);
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
    }

    /// A variable holds what depends on addresses in a way that no term shows.
    pub(in crate::lower) fn taint(&mut self, variable: VarId, term: Term) {
        self.noted.insert(variable, Level::Scrambled);
        self.of.insert(term, Level::Scrambled);
        self.scrambled = true;
        self.cache.clear();
    }

    /// A variable may hold an address though no term shows it.
    pub(in crate::lower) fn holds_address(&mut self, variable: VarId, term: Term) {
        let noted = self.noted.entry(variable).or_default();
        let address = Level::Address(self.pointer_bits);
        *noted = address.max(*noted);
        if self.of.get(&term).copied().unwrap_or_default() < address {
            self.of.insert(term, address);
            self.cache.clear();
        }
    }

    /// What this round and those before it found, by name; and whether it is more than the round relied on.
    /// Everything is solved.
    pub(in crate::lower) fn found(&self, name: impl Fn(VarId) -> String) -> (BTreeMap<String, Level>, bool) {
        let mut all = self.known.clone();
        let mut more = false;
        for (&variable, &level) in &self.noted {
            let known = all.entry(name(variable)).or_default();
            more |= level > *known;
            *known = level.max(*known);
        }
        (all, more)
    }

    /// Whether a variable in a condition is scrambled.
    pub(in crate::lower) fn rests_on_scrambled(&self, arena: &Arena, condition: Term) -> bool {
        self.scrambled
            && arena
                .free_variables(condition)
                .iter()
                .any(|variable| self.of.get(variable) == Some(&Level::Scrambled))
    }

    /// The level of a term.
    pub(in crate::lower) fn level(&mut self, arena: &Arena, term: Term) -> Level {
        // Nothing is known in the first round.
        if self.addresses.is_empty() {
            return Level::Clean;
        }
        let mut work = vec![term];
        while let Some(&term) = work.last() {
            crate::work::poll();
            if self.cache.contains_key(&term) {
                work.pop();
                continue;
            }
            let open: Vec<Term> = arena
                .children(term)
                .iter()
                .copied()
                .filter(|child| !self.cache.contains_key(child))
                .collect();
            if *arena.sort(term) != Sort::Bool && !open.is_empty() {
                work.extend(open);
                continue;
            }
            work.pop();
            let level = self.computed(arena, term);
            self.cache.insert(term, level);
        }
        self.cache.get(&term).copied().unwrap_or_default()
    }

    /// The level of a term whose children have theirs.
    fn computed(&self, arena: &Arena, term: Term) -> Level {
        if *arena.sort(term) == Sort::Bool {
            // What compares addresses sees to it that this is fair.
            return self.of.get(&term).copied().unwrap_or_default();
        }
        if let Some(constant) = arena.as_bitvec(term) {
            let address = arena.width(term) == self.pointer_bits
                && constant.to_u64().is_some_and(|value| self.addresses.contains(&value));
            let value = constant.to_u64().unwrap_or_default();
            let alignment = self.alignments.range(..=value).next_back().map_or(0, |(_, &log)| log);
            let open = self.pointer_bits - alignment.min(self.pointer_bits);
            return if address { Level::Address(open) } else { Level::Clean };
        }
        let children = arena.children(term);
        let of = |child: Term| self.cache.get(&child).copied().unwrap_or_default();
        if children.is_empty() {
            return self.of.get(&term).copied().unwrap_or_default();
        }
        match (arena.op(term), children) {
            (Op::Ite, &[_, then, otherwise]) => of(then).max(of(otherwise)),
            (Op::BvAdd, children) => {
                let addresses = children.iter().filter(|&&child| of(child).is_address()).count();
                let most = children.iter().map(|&child| of(child)).max().unwrap_or_default();
                if addresses > 1 { Level::Scrambled } else { most }
            }
            // The low bits of an address in an aligned object say where in the object it is.
            (Op::Extract { hi, .. }, &[from]) => match of(from) {
                Level::Address(open) if hi < self.pointer_bits - open => Level::Clean,
                Level::Clean => Level::Clean,
                _ => Level::Scrambled,
            },
            (Op::BvAnd | Op::BvOr | Op::BvXor, &[one, other]) => {
                let ((address, open), mask) = match (of(one), of(other)) {
                    (Level::Address(open), Level::Clean) => ((one, open), other),
                    (Level::Clean, Level::Address(open)) => ((other, open), one),
                    (Level::Clean, Level::Clean) => return Level::Clean,
                    _ => return Level::Scrambled,
                };
                let fixed = self.pointer_bits - open;
                let mask = arena.as_bitvec(mask).and_then(nilas_term::BitVec::to_u64);
                let Some(mask) = mask.filter(|_| fixed < 64) else { return Level::Scrambled };
                let all = u64::MAX >> (64 - self.pointer_bits);
                let low = (1_u64 << fixed) - 1;
                match arena.op(term) {
                    Op::BvAnd if mask & !low == 0 => Level::Clean,
                    Op::BvAnd if mask | low == all => of(address),
                    Op::BvOr | Op::BvXor if mask & !low == 0 => of(address),
                    _ => Level::Scrambled,
                }
            }
            // Other low bits.
            (Op::Concat, &[high, low]) => match (arena.op(high), arena.children(high)) {
                (Op::Extract { hi, lo }, &[from])
                    if hi + 1 == self.pointer_bits
                        && arena.width(from) == self.pointer_bits
                        && of(low) == Level::Clean =>
                {
                    match self.cache.get(&from).copied() {
                        Some(Level::Address(open)) if lo <= self.pointer_bits - open => Level::Address(open),
                        Some(Level::Clean) => Level::Clean,
                        _ => Level::Scrambled,
                    }
                }
                _ if of(high) == Level::Clean && of(low) == Level::Clean => Level::Clean,
                _ => Level::Scrambled,
            },
            // Where an access is follows from its pointer; a scrambled one is told of, see `taint`.
            (Op::Select, &[array, _]) => of(array),
            (Op::Store, &[array, _, value]) => of(array).max(of(value)),
            (Op::ConstArray(_), &[value]) => of(value),
            _ if children.iter().any(|&child| of(child) != Level::Clean) => Level::Scrambled,
            _ => Level::Clean,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_addresses_are_scrambled() {
        let mut arena = Arena::new();
        let mut levels = Levels::new(
            BTreeMap::from([("p".to_owned(), Level::Address(61))]),
            0x1000..0x2000,
            BTreeMap::from([(0x1230, 2)]),
            64,
        );
        let p = arena.variable("p", &Sort::BitVec(64)).expect("a new name");
        let n = arena.variable("n", &Sort::BitVec(64)).expect("a new name");
        levels.declare("p", p);
        levels.declare("n", n);
        let moved = arena.bv_add(p, n);
        let low = arena.extract(p, 3, 0);
        let tag = arena.extract(p, 2, 0);
        let one = arena.bv(64, 1);
        let tagged = arena.bv_or(p, one);
        let mask = arena.bv(64, !7);
        let bare = arena.bv_and(tagged, mask);
        let product = arena.bv_mul(p, n);
        let constant = arena.bv(64, 0x1234);
        let number = arena.bv(64, 7);
        for (term, level) in [
            (p, Level::Address(61)),
            (n, Level::Clean),
            (moved, Level::Address(61)),
            (low, Level::Scrambled),
            (tag, Level::Clean),
            (tagged, Level::Address(61)),
            (bare, Level::Address(61)),
            (product, Level::Scrambled),
            (constant, Level::Address(62)),
            (number, Level::Clean),
        ] {
            assert_eq!(levels.level(&arena, term), level);
        }
    }
}
