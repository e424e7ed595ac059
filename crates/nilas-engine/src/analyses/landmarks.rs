//! The constants of a program, and weakening of literals that prefers them.

use nilas_program::{Automaton, Basic};
use nilas_smt::weaken::{WeakenOptions, Weakener};
use nilas_term::{Arena, BitVec, Term};
use rustc_hash::FxHashSet;

/// Questions that one literal, and one cube, may take.
const PER_LITERAL: u32 = 24;
const PER_CUBE: u32 = 64;

/// A weakener that prefers the program's constants as bounds.
pub(crate) fn weakener(arena: &Arena, automaton: &Automaton) -> Weakener {
    preferring(constants(arena, automaton))
}

/// A weakener that prefers these values as bounds.
pub(crate) fn preferring(landmarks: Vec<BitVec>) -> Weakener {
    Weakener::new(WeakenOptions {
        checks_per_literal: PER_LITERAL,
        checks: PER_CUBE,
        landmarks,
        ..WeakenOptions::default()
    })
}

/// The bit-vectors that occur in the program, sorted.
pub(crate) fn constants(arena: &Arena, automaton: &Automaton) -> Vec<BitVec> {
    constants_of(arena, terms(automaton))
}

/// The terms of all commands.
pub(crate) fn terms(automaton: &Automaton) -> Vec<Term> {
    let arcs = automaton.edges.iter().flat_map(|edge| edge.command.arcs());
    let term = |basic: Basic| match basic {
        Basic::Assume(term) | Basic::Assign(_, term) => Some(term),
        Basic::Skip | Basic::Havoc(..) => None,
    };
    arcs.filter_map(|arc| term(arc.basic)).collect()
}

/// The bit-vectors that occur in terms, sorted.
pub(crate) fn constants_of(arena: &Arena, mut stack: Vec<Term>) -> Vec<BitVec> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.extend(arena.as_bitvec(term).cloned());
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.sort();
    found.dedup();
    found
}
