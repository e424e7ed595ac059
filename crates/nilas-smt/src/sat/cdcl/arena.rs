//! Long clauses, in one flat vector of words.
//!
//! The layout is MiniSat's region allocator: a clause is two header words and its literals, and a
//! reference is the offset of its first word. Binary clauses and the ternary ones of gates live in the watch
//! lists alone and units on the trail, so they are not found here; but cores of two assumptions are, so that
//! they can be forgotten.
//!
//! ```text
//! word 0   size << 1 | garbage
//! word 1   LBD << 3 | used << 1 | learnt        (after a collection: the new place)
//! word 2…  literals; the first two are watched
//! ```
//!
//! Invariants: a clause marked as garbage keeps its words until [`Arena::collect`], so that a stale
//! reference can still ask whether it is garbage; whoever holds references asks [`Forwarding`] for the new
//! ones after a collection.

use super::super::Lit;

const HEADER: usize = 2;
const LEARNT: u32 = 1;
const USED_SHIFT: u32 = 1;
const USED_MASK: u32 = 3 << USED_SHIFT;
const LBD_SHIFT: u32 = 3;

/// Where a clause begins in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClauseRef(pub(super) u32);

/// All long clauses.
#[derive(Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

/// Where the clauses of an arena went when it was collected.
pub(super) struct Forwarding {
    old: Vec<u32>,
}

impl Forwarding {
    /// The new place of a clause, or nothing if it was garbage.
    pub(super) fn of(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let at = clause.0 as usize;
        (self.old[at] & 1 == 0).then(|| ClauseRef(self.old[at + 1]))
    }
}

impl Arena {
    /// Stores a clause.
    pub(super) fn add(&mut self, lits: &[Lit], learnt: bool, lbd: u32) -> ClauseRef {
        let at = ClauseRef(self.words.len() as u32);
        self.words.push((lits.len() as u32) << 1);
        let flags = if learnt { LEARNT } else { 0 };
        self.words.push((lbd.min(u32::MAX >> LBD_SHIFT) << LBD_SHIFT) | flags);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        at
    }

    fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize] >> 1) as usize
    }

    /// The literals of a clause, as codes.
    #[inline]
    pub(super) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let at = clause.0 as usize + HEADER;
        &self.words[at..at + self.size(clause)]
    }

    /// The literals of a clause.
    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }

    /// The literals of a clause, to be reordered; nothing if it is garbage. One look at the header
    /// answers both questions: this is the call of the propagation loop.
    #[inline]
    pub(super) fn live_codes_mut(&mut self, clause: ClauseRef) -> Option<&mut [u32]> {
        let at = clause.0 as usize;
        let header = self.words[at];
        if header & 1 != 0 {
            return None;
        }
        Some(&mut self.words[at + HEADER..at + HEADER + (header >> 1) as usize])
    }

    /// Whether the clause was deleted.
    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & 1 != 0
    }

    /// Deletes a clause. Its words are reclaimed by the next collection.
    pub(super) fn delete(&mut self, clause: ClauseRef) {
        if !self.is_garbage(clause) {
            self.wasted += HEADER + self.size(clause);
            self.words[clause.0 as usize] |= 1;
        }
    }

    /// Whether the clause was learnt.
    pub(super) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & LEARNT != 0
    }

    /// Literal block distance: from how many decision levels the literals came when last computed.
    pub(super) fn lbd(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1] >> LBD_SHIFT
    }

    /// Sets the literal block distance.
    pub(super) fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        let word = &mut self.words[clause.0 as usize + 1];
        *word = *word & (LEARNT | USED_MASK) | lbd << LBD_SHIFT;
    }

    /// How many reductions the clause survives because conflicts needed it lately.
    pub(super) fn used(&self, clause: ClauseRef) -> u32 {
        (self.words[clause.0 as usize + 1] & USED_MASK) >> USED_SHIFT
    }

    /// Sets the count of [`Arena::used`], at most 3.
    pub(super) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        let word = &mut self.words[clause.0 as usize + 1];
        *word = *word & !USED_MASK | used.min(3) << USED_SHIFT;
    }

    /// The clauses that are not garbage, in the order they were stored.
    pub(super) fn live(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let clause = ClauseRef(at as u32);
            let header = *self.words.get(at)?;
            at += HEADER + (header >> 1) as usize;
            Some(clause)
        })
        .filter(|&clause| !self.is_garbage(clause))
    }

    /// Words in use, garbage included.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// Whether so much is garbage that a collection pays.
    pub(super) fn wants_collection(&self) -> bool {
        self.wasted > 4096 && self.wasted * 4 > self.words.len()
    }

    /// Drops the garbage and moves what is left together, in the same order.
    pub(super) fn collect(&mut self) -> Forwarding {
        let mut new = Vec::with_capacity((self.words.len() - self.wasted) * 5 / 4);
        let mut at = 0;
        while at < self.words.len() {
            let end = at + HEADER + (self.words[at] >> 1) as usize;
            if self.words[at] & 1 == 0 {
                let place = new.len() as u32;
                new.extend_from_slice(&self.words[at..end]);
                self.words[at + 1] = place;
            }
            at = end;
        }
        self.wasted = 0;
        Forwarding { old: std::mem::replace(&mut self.words, new) }
    }
}
