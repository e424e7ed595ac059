//! A set of vectors as a formula: a decision diagram over the places in their order.
//!
//! Equal parts of the diagram are one term, since terms are shared; so the formula is as small as the
//! diagram, however many vectors there are.

use super::UNKNOWN;
use super::tracked::Tracked;
use crate::classes::cuts::Cuts;
use nilas_program::Automaton;
use nilas_term::{Arena, Term};

/// Makes formulas of sets of vectors.
pub(super) struct Diagram<'d> {
    pub(super) arena: &'d mut Arena,
    pub(super) automaton: &'d Automaton,
    pub(super) cuts: &'d Cuts,
    pub(super) tracked: &'d Tracked,
}

impl Diagram<'_> {
    /// The formula of vectors, which are sorted.
    pub(super) fn formula(&mut self, vectors: &[Vec<u16>]) -> Term {
        self.from(vectors, 0)
    }

    /// What vectors that agree in all places before say of this place and those behind it. (As deep as there
    /// are places, which are few.)
    fn from(&mut self, vectors: &[Vec<u16>], place: usize) -> Term {
        if vectors.is_empty() || place == self.tracked.len() {
            return self.arena.mk_bool(!vectors.is_empty());
        }
        // Classes from one to another that have the same behind them.
        let mut parts: Vec<(u16, u16, Term)> = Vec::new();
        let mut rest = vectors;
        while let Some(first) = rest.first() {
            let class = first[place];
            let (same, others) = rest.split_at(rest.partition_point(|vector| vector[place] == class));
            let behind = self.from(same, place + 1);
            match parts.last_mut() {
                Some((_, last, term))
                    if class != UNKNOWN && *last != UNKNOWN && *last + 1 == class && *term == behind =>
                {
                    *last = class;
                }
                _ => parts.push((class, class, behind)),
            }
            rest = others;
        }
        let count = self.tracked.count(self.automaton, self.cuts, place);
        let mut cases = Vec::with_capacity(parts.len());
        for (first, last, behind) in parts {
            let is_any = first == UNKNOWN || (first == 0 && u32::from(last) + 1 == count);
            let mut case = vec![behind];
            if !is_any {
                let range = (first, last);
                case.extend(self.tracked.literals(self.arena, self.automaton, self.cuts, place, range));
            }
            cases.push(self.arena.and(&case));
        }
        self.arena.or(&cases)
    }
}
