//! Which values depend on the numbers that objects happen to get for addresses.
//!
//! The address of an object decides nothing: C leaves open where objects lie and in which order. A value is *clean* if it says
//! nothing about that; an *address* is one, perhaps moved by a clean number; everything else that was computed from an
//! address is *scrambled* (its bits, a hash of it). Two addresses may be compared as pointers are; whatever else is decided
//! by an address or a scrambled value may go either way, see [`crate::lower::translate::relation`].
//!
//! While a round lowers, it notes the level of all that is assigned to a variable. It relies on what the rounds before
//! found ([`Levels::known`]); if it finds more, there is another round.

use nilas_program::VarId;
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// See the module's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::lower) enum Level {
    #[default]
    Clean,
    Address,
    Scrambled,
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
    /// The addresses of the program.
    addresses: std::ops::Range<u64>,
    pointer_bits: u32,
    cache: FxHashMap<Term, Level>,
}

impl Levels {
    /// What a round begins with.
    pub(in crate::lower) fn new(
        known: BTreeMap<String, Level>,
        addresses: std::ops::Range<u64>,
        pointer_bits: u32,
    ) -> Self {
        Levels { known, addresses, pointer_bits, ..Levels::default() }
    }

    /// A new variable.
    pub(in crate::lower) fn declare(&mut self, name: &str, term: Term) {
        if let Some(&level) = self.known.get(name) {
            self.of.insert(term, level);
        }
    }

    /// A variable gets a value.
    pub(in crate::lower) fn assigned(&mut self, arena: &Arena, variable: VarId, term: Term) {
        let level = self.level(arena, term);
        if level != Level::Clean {
            let noted = self.noted.entry(variable).or_default();
            *noted = level.max(*noted);
        }
    }

    /// A variable holds what depends on addresses in a way that no term shows.
    pub(in crate::lower) fn taint(&mut self, variable: VarId, term: Term) {
        self.noted.insert(variable, Level::Scrambled);
        self.of.insert(term, Level::Scrambled);
        self.cache.clear();
    }

    /// A variable may hold an address though no term shows it.
    pub(in crate::lower) fn holds_address(&mut self, variable: VarId, term: Term) {
        let noted = self.noted.entry(variable).or_default();
        *noted = Level::Address.max(*noted);
        if self.of.get(&term).copied().unwrap_or_default() == Level::Clean {
            self.of.insert(term, Level::Address);
            self.cache.clear();
        }
    }

    /// What this round and those before it found, by name; and whether it is more than the round relied on.
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

    /// The level of a term.
    pub(in crate::lower) fn level(&mut self, arena: &Arena, term: Term) -> Level {
        // Nothing is known in the first round.
        if self.addresses.is_empty() {
            return Level::Clean;
        }
        let mut work = vec![term];
        while let Some(&term) = work.last() {
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
            return if address { Level::Address } else { Level::Clean };
        }
        let children = arena.children(term);
        let of = |child: Term| self.cache.get(&child).copied().unwrap_or_default();
        if children.is_empty() {
            return self.of.get(&term).copied().unwrap_or_default();
        }
        match (arena.op(term), children) {
            (Op::Ite, &[_, then, otherwise]) => of(then).max(of(otherwise)),
            (Op::BvAdd, children) => {
                let addresses = children.iter().filter(|&&child| of(child) == Level::Address).count();
                let most = children.iter().map(|&child| of(child)).max().unwrap_or_default();
                if addresses > 1 { Level::Scrambled } else { most }
            }
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
        let mut levels = Levels::new(BTreeMap::from([("p".to_owned(), Level::Address)]), 0x1000..0x2000, 64);
        let p = arena.variable("p", &Sort::BitVec(64)).expect("a new name");
        let n = arena.variable("n", &Sort::BitVec(64)).expect("a new name");
        levels.declare("p", p);
        levels.declare("n", n);
        let moved = arena.bv_add(p, n);
        let low = arena.extract(p, 3, 0);
        let product = arena.bv_mul(p, n);
        let constant = arena.bv(64, 0x1234);
        let number = arena.bv(64, 7);
        for (term, level) in [
            (p, Level::Address),
            (n, Level::Clean),
            (moved, Level::Address),
            (low, Level::Scrambled),
            (product, Level::Scrambled),
            (constant, Level::Address),
            (number, Level::Clean),
        ] {
            assert_eq!(levels.level(&arena, term), level);
        }
    }
}
