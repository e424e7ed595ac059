//! Simple bounds: the literals of the search.
//!
//! A bound `x ≥ c` or `x ≤ c` is a literal that exists as soon as somebody writes it down: no variable is
//! made for it. That one bound implies another of the same column is read off the intervals, so the
//! implication clauses of §2.3 of the paper are never made either, and a clause that needs `x ≥ 5` rests on
//! the step of the trail that came first to 5 or beyond, whatever bound that step was about.

use crate::boxes::interval::{Interval, Rank};

/// A column of the search: what holds an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Column(pub(crate) u32);

impl Column {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The least value: `x ≥ c`.
    Lower,
    /// The greatest value: `x ≤ c`.
    Upper,
}

/// `column ≥ value` or `column ≤ value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bound {
    pub(crate) column: Column,
    pub(crate) side: Side,
    pub(crate) value: Rank,
}

impl Bound {
    pub(crate) fn at_least(column: Column, value: Rank) -> Self {
        Bound { column, side: Side::Lower, value }
    }

    pub(crate) fn at_most(column: Column, value: Rank) -> Self {
        Bound { column, side: Side::Upper, value }
    }

    pub(crate) fn negated(self) -> Self {
        match self.side {
            Side::Lower => Bound { side: Side::Upper, value: self.value - 1, ..self },
            Side::Upper => Bound { side: Side::Lower, value: self.value + 1, ..self },
        }
    }

    /// The weakest bound of its kind that fails where the other end of the interval is at `reached`.
    pub(crate) fn weakened_to_fail_at(self, reached: Rank) -> Self {
        let value = match self.side {
            Side::Lower => reached + 1,
            Side::Upper => reached - 1,
        };
        Bound { value, ..self }
    }

    /// Whether all of an interval satisfies it.
    pub(crate) fn holds(self, range: Interval) -> bool {
        match self.side {
            Side::Lower => range.lo >= self.value,
            Side::Upper => range.hi <= self.value,
        }
    }

    /// Whether nothing of an interval satisfies it.
    pub(crate) fn fails(self, range: Interval) -> bool {
        match self.side {
            Side::Lower => range.hi < self.value,
            Side::Upper => range.lo > self.value,
        }
    }

    /// Whether the end of an interval at `value` satisfies it.
    pub(crate) fn implied_by(self, value: Rank) -> bool {
        match self.side {
            Side::Lower => value >= self.value,
            Side::Upper => value <= self.value,
        }
    }
}

/// The end of an interval.
pub(crate) fn end(range: Interval, side: Side) -> Rank {
    match side {
        Side::Lower => range.lo,
        Side::Upper => range.hi,
    }
}

/// Moves the end of an interval.
pub(crate) fn set_end(range: &mut Interval, side: Side, value: Rank) {
    match side {
        Side::Lower => range.lo = value,
        Side::Upper => range.hi = value,
    }
}
