//! Where lemmas live.

use nilas_program::LocationId;
use std::fmt::Debug;

/// A place that has frames of its own.
pub(crate) trait Place: Copy + Debug {
    /// Its number: places are numbered from 0 on.
    fn index(self) -> usize;
}

/// The one place of a system whose lemmas are about all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole;

impl Place for Whole {
    fn index(self) -> usize {
        0
    }
}

impl Place for LocationId {
    fn index(self) -> usize {
        LocationId::index(self)
    }
}
