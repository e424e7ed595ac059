//! A sparse table over terms.
//!
//! An engine has hundreds of solvers over one arena of millions of terms, and each solver sees a few thousand
//! of them. So the table takes memory for what it holds, not for what the arena holds. (On recorded streams
//! of IC3CFA neither this nor pages of 64 terms could be told from a dense vector by time; pages take more
//! memory where a solver's terms lie scattered.)

use nilas_term::Term;
use rustc_hash::FxHashMap;

/// A number for each of some terms.
#[derive(Default)]
pub(super) struct TermTable {
    numbers: FxHashMap<Term, u32>,
}

impl TermTable {
    /// The number of a term, if it has one.
    #[inline]
    pub(super) fn get(&self, term: Term) -> Option<u32> {
        self.numbers.get(&term).copied()
    }

    /// Gives a term a number.
    pub(super) fn set(&mut self, term: Term, number: u32) {
        self.numbers.insert(term, number);
    }
}
