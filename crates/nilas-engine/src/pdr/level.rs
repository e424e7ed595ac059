//! Levels of frames.

use crate::outcome::Unknown;
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

    /// As a number; `None` for [`Level::INFINITE`].
    pub(crate) fn last(self) -> Option<u64> {
        (self != Level::INFINITE).then_some(u64::from(self.0))
    }

    /// The level below; level 0 has none.
    pub(crate) fn previous(self) -> Option<Level> {
        self.0.checked_sub(1).map(Level)
    }

    /// An error if this is beyond the greatest level that was allowed.
    pub(crate) fn within(self, max: Option<u32>) -> Result<(), Unknown> {
        match max {
            Some(max) if self > Level(max) => Err(Unknown::Bound { what: "frame", limit: max.into() }),
            _ => Ok(()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told() {
        assert!(Level(3).within(None).is_ok());
        assert!(Level(3).within(Some(3)).is_ok());
        let beyond = Level(4).within(Some(3)).expect_err("it is beyond");
        assert_eq!(beyond.to_string(), "no answer within 3 frames, the bound that was set");
    }
}
