//! Levels of frames.

use std::fmt;

/// The index of a frame: how many edges an execution has taken at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u32);

impl Level {
    /// The level above.
    #[must_use]
    pub fn next(self) -> Level {
        Level(self.0 + 1)
    }

    /// The level below; level 0 has none.
    #[must_use]
    pub fn previous(self) -> Option<Level> {
        self.0.checked_sub(1).map(Level)
    }

    /// The position in a table by level.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
