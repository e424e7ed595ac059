//! Semantic generalisation by weakening literals (thesis 5.10 asks for interpolants; ICP-based IC3, §2.4.2).
//!
//! What cannot be dropped may be weakened: `y = 0` to `y` even, `x = 7` to `x >= 5`. Each weaker literal is implied
//! by the one it replaces, so the cube still contains the obligation, and relative inductiveness over all edges is asked for every
//! try. This proves Jain1, which diverges without.

use super::Ic3Cfa;
use super::level::Level;
use super::relative::Purpose;
use super::statistics::Phase;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_program::{Automaton, Basic, LocationId};
use nilas_smt::Reason;
use nilas_smt::weaken::{WeakenOptions, Weakener};
use nilas_term::{Arena, BitVec, Cube, Term};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Questions that one literal, and one cube, may take.
const PER_LITERAL: u32 = 24;
const PER_CUBE: u32 = 64;

/// A weakener that prefers the program's constants as bounds.
pub(super) fn weakener(arena: &Arena, automaton: &Automaton) -> Weakener {
    let landmarks = constants(arena, automaton);
    let options = WeakenOptions {
        checks_per_literal: PER_LITERAL,
        checks: PER_CUBE,
        landmarks,
        ..WeakenOptions::default()
    };
    Weakener::new(options)
}

/// The bit-vectors that occur in the program, sorted.
pub(super) fn constants(arena: &Arena, automaton: &Automaton) -> Vec<BitVec> {
    let mut stack: Vec<Term> = Vec::new();
    for edge in &automaton.edges {
        for arc in edge.command.arcs() {
            match arc.basic {
                Basic::Assume(term) | Basic::Assign(_, term) => stack.push(term),
                Basic::Skip | Basic::Havoc(..) => {}
            }
        }
    }
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Some(value) = arena.as_bitvec(term) {
                found.push(value.clone());
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.sort();
    found.dedup();
    found
}

impl Ic3Cfa<'_> {
    /// A cube that the given one implies and that is still relative inductive.
    pub(super) fn weaken(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
    ) -> Result<Cube, Unknown> {
        let start = Instant::now();
        let mut weakener = std::mem::take(&mut self.weakener);
        let mut result = cube.clone();
        let mut arena = std::mem::take(&mut self.arena);
        // The weakener makes terms and asks in turn, so the arena goes back and forth.
        let asked = weakener.weaken(&mut arena, &mut result, &mut |arena, cube| {
            std::mem::swap(arena, &mut self.arena);
            let answer = self.reachable(level, location, cube, Purpose::Truth);
            std::mem::swap(arena, &mut self.arena);
            match answer {
                Ok(answer) => Ok(answer.is_ok()),
                Err(Unknown::Interrupted(why)) => Err(Reason::Interrupted(why)),
                Err(Unknown::Unsupported(what)) => Err(Reason::Unsupported(what)),
                Err(other) => Err(Reason::Failed(other.to_string())),
            }
        });
        self.arena = arena;
        self.weakener = weakener;
        self.statistics.spent(Phase::Weaken, start);
        if asked? {
            self.statistics.count(Technique::Weakening, 0);
        }
        Ok(result)
    }
}
