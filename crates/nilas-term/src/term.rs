//! Term ids.

use std::fmt;

/// A term: an index into the [`crate::Arena`] that made it. Two terms of one arena are the same term if and
/// only if their ids are equal. Children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position in its arena, dense from 0: for tables indexed by terms.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}
