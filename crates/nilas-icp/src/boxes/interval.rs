//! Intervals of ranks.
//!
//! Every sort that this solver knows is finite and has orders; a *rank* is the place of a value in one of
//! them, a plain integer. A column of the search holds an interval of ranks, whatever its sort, and
//! `x > c` is `x ≥ c + 1`.

/// A place in an order: the number of a bit-vector in one of its readings, the place of a float among floats.
pub type Rank = i128;

/// The ranks from `lo` to `hi`, both included. Never empty: what may be empty is an `Option`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least rank.
    pub lo: Rank,
    /// The greatest rank.
    pub hi: Rank,
}

impl Interval {
    /// False and true, for a column that holds a truth value.
    pub const BOOLEAN: Interval = Interval { lo: 0, hi: 1 };

    /// The ranks from `lo` to `hi`; `None` when there are none.
    #[must_use]
    pub fn new(lo: Rank, hi: Rank) -> Option<Self> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// One rank.
    #[must_use]
    pub fn point(rank: Rank) -> Self {
        Interval { lo: rank, hi: rank }
    }

    /// Whether it is one rank.
    #[must_use]
    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// Whether a rank is in it.
    #[must_use]
    pub fn contains(self, rank: Rank) -> bool {
        self.lo <= rank && rank <= self.hi
    }

    /// Whether all of another interval is in it.
    #[must_use]
    pub fn includes(self, other: Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The least interval around both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// All ranks moved.
    #[must_use]
    pub fn shifted(self, by: Rank) -> Interval {
        Interval { lo: self.lo + by, hi: self.hi + by }
    }

    /// The ranks with the other sign.
    #[must_use]
    pub fn negated(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }

    /// A rank in the middle, less than `hi` unless the interval is a point.
    #[must_use]
    pub fn middle(self) -> Rank {
        // Ranks of quadruple precision take all bits: the sum would overflow.
        (self.lo & self.hi) + ((self.lo ^ self.hi) >> 1)
    }

    /// How many ranks there are besides one.
    #[must_use]
    pub fn width(self) -> u128 {
        self.hi.wrapping_sub(self.lo).cast_unsigned()
    }
}

/// The hull of what may be empty.
#[must_use]
pub fn hull(left: Option<Interval>, right: Option<Interval>) -> Option<Interval> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.hull(right)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_are_inside_and_below_the_end() {
        for (lo, hi) in [(0, 1), (-1, 0), (-2, -1), (-3, 7), (i128::MIN, i128::MAX), (5, 5)] {
            let interval = Interval { lo, hi };
            let middle = interval.middle();
            assert!(interval.contains(middle) && (middle < hi || lo == hi), "{interval:?}: {middle}");
        }
    }

    #[test]
    fn meets_and_hulls() {
        let (left, right) = (Interval { lo: 0, hi: 4 }, Interval { lo: 3, hi: 9 });
        assert_eq!(left.meet(right), Some(Interval { lo: 3, hi: 4 }));
        assert_eq!(left.meet(Interval { lo: 5, hi: 9 }), None);
        assert_eq!(left.hull(right), Interval { lo: 0, hi: 9 });
        assert_eq!(hull(None, Some(left)), Some(left));
        assert_eq!(hull(None, None), None);
        assert_eq!(left.negated(), Interval { lo: -4, hi: 0 });
        assert_eq!(left.width(), 4);
    }
}
