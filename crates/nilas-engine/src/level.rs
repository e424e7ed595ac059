//! Levels of frames.

use std::fmt;

/// The index of a frame: how many edges an execution has taken at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Level(pub(crate) u32);

impl Level {
    /// The level of lemmas that hold at every level: they are inductive together with others of their kind.
    pub(crate) const INFINITE: Level = Level(u32::MAX);

    /// The level above.
    pub(crate) fn next(self) -> Level {
        Level(self.0.saturating_add(1))
    }

    /// The level below; level 0 has none.
    pub(crate) fn previous(self) -> Option<Level> {
        self.0.checked_sub(1).map(Level)
    }

    /// The position in a table by level.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Level::INFINITE { f.write_str("∞") } else { write!(f, "{}", self.0) }
    }
}
