//! When to drop a SAT instance and start anew.
//!
//! Starting anew costs blasting what is alive again, and what the SAT solver has learnt; not doing so
//! costs time in every check, since solvers walk over all their variables. So an instance goes when most of
//! it is garbage: the cost is then paid by the work that made the garbage.

use std::ops::{AddAssign, Sub};

/// Size of a SAT instance, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) variables: u64,
    pub(crate) clauses: u64,
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.variables += other.variables;
        self.clauses += other.clauses;
    }
}

impl Sub for Size {
    type Output = Size;
    fn sub(self, other: Size) -> Size {
        Size {
            variables: self.variables.saturating_sub(other.variables),
            clauses: self.clauses.saturating_sub(other.clauses),
        }
    }
}

/// Garbage that is tolerated in any instance.
const TOLERATED: Size = Size { variables: 1 << 11, clauses: 1 << 14 };

/// Loose gates that are tolerated in any instance, in variables.
const TOLERATED_LOOSE: u64 = 1 << 16;

/// What nothing alive stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Garbage {
    /// Made for groups that were retired.
    pub(crate) retired: Size,
    /// Made for assumptions. They may be asked again, and assertions may come to share them, so much more of
    /// this is tolerated.
    pub(crate) loose: Size,
}

impl Garbage {
    /// Whether an instance of that total size is better dropped.
    pub(crate) fn outweighs(&self, total: Size) -> bool {
        let alive = total - self.retired;
        let asserted = alive - self.loose;
        self.retired.variables > TOLERATED.variables.max(alive.variables)
            || self.retired.clauses > TOLERATED.clauses.max(alive.clauses)
            || self.loose.variables > TOLERATED_LOOSE.max(4 * asserted.variables)
    }
}
