//! Boxes of bit-vectors.
//!
//! A bit-vector has two readings, and a variable two columns: its unsigned and its signed number. Both
//! intervals together are as much as one interval of non-negative and one of negative numbers, which is how
//! contractors see the box: with `H = 2^(width-1)`, `u ∈ [a, b]` and `s ∈ [c, d]` mean, where both parts
//! exist, the numbers `[a, d]` of the lower half and `[c, b - 2H]` of the upper half. A number that wraps
//! around goes from one part to the other.

use super::interval::{Interval, Rank, hull};

/// Wider bit-vectors are not supported: ranks and their sums fit into machine words.
pub const MAX_WIDTH: u32 = 120;

/// A set of bit-vectors: an interval of those whose highest bit is clear, and one of those where it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitSet {
    /// Number of bits.
    pub width: u32,
    /// The numbers from 0 to `H - 1`.
    pub low: Option<Interval>,
    /// The numbers from `-H` to `-1`, in the signed reading.
    pub high: Option<Interval>,
}

/// `2^width`.
#[must_use]
pub fn modulus(width: u32) -> Rank {
    1 << width
}

impl BitSet {
    /// No bit-vector.
    #[must_use]
    pub fn empty(width: u32) -> Self {
        BitSet { width, low: None, high: None }
    }

    /// All bit-vectors.
    #[must_use]
    pub fn full(width: u32) -> Self {
        let half = modulus(width - 1);
        BitSet { width, low: Interval::new(0, half - 1), high: Interval::new(-half, -1) }
    }

    /// The bit-vectors whose numbers are in both intervals.
    #[must_use]
    pub fn of_readings(width: u32, unsigned: Interval, signed: Interval) -> Self {
        let half = modulus(width - 1);
        let (low, high) = (Interval { lo: 0, hi: half - 1 }, Interval { lo: half, hi: 2 * half - 1 });
        BitSet {
            width,
            low: unsigned.meet(low).and_then(|part| part.meet(signed)),
            high: unsigned.meet(high).and_then(|part| part.shifted(-2 * half).meet(signed)),
        }
    }

    /// The hull of the integers `range`, each taken modulo `2^width`.
    #[must_use]
    pub fn wrapped(width: u32, range: Interval) -> Self {
        let modulus = modulus(width);
        if range.width() >= (modulus - 1).cast_unsigned() {
            return Self::full(width);
        }
        let half = modulus / 2;
        let lo = range.lo.rem_euclid(modulus);
        let range = Interval { lo, hi: lo + (range.hi - range.lo) };
        // Two periods, each in two halves.
        let part = |from: Rank| {
            range.meet(Interval { lo: from, hi: from + half - 1 }).map(|part| part.shifted(-from))
        };
        BitSet {
            width,
            low: hull(part(0), part(modulus)),
            high: hull(part(half), part(modulus + half)).map(|part| part.shifted(-half)),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: BitSet) -> BitSet {
        let meet = |left: Option<Interval>, right: Option<Interval>| left?.meet(right?);
        BitSet { width: self.width, low: meet(self.low, other.low), high: meet(self.high, other.high) }
    }

    /// The hull of both, part by part.
    #[must_use]
    pub fn join(self, other: BitSet) -> BitSet {
        BitSet { width: self.width, low: hull(self.low, other.low), high: hull(self.high, other.high) }
    }

    /// Its intervals in the signed reading, in order.
    pub fn signed(self) -> impl Iterator<Item = Interval> + Clone {
        self.high.into_iter().chain(self.low)
    }

    /// Its intervals in the unsigned reading, in order.
    pub fn unsigned(self) -> impl Iterator<Item = Interval> + Clone {
        let modulus = modulus(self.width);
        self.low.into_iter().chain(self.high.map(|part| part.shifted(modulus)))
    }

    /// The least interval of unsigned numbers around it.
    #[must_use]
    pub fn unsigned_hull(self) -> Option<Interval> {
        self.unsigned().reduce(Interval::hull)
    }

    /// The least interval of signed numbers around it.
    #[must_use]
    pub fn signed_hull(self) -> Option<Interval> {
        self.signed().reduce(Interval::hull)
    }

    /// The unsigned number, if there is only one.
    #[must_use]
    pub fn point(self) -> Option<Rank> {
        self.unsigned_hull().filter(|hull| hull.is_point()).map(|hull| hull.lo)
    }

    /// Whether the bit-vector of an unsigned number is in it.
    #[must_use]
    pub fn contains(self, unsigned: Rank) -> bool {
        self.unsigned().any(|part| part.contains(unsigned))
    }

    /// The set without an unsigned number, where that is the end of a part.
    #[must_use]
    pub fn without(self, unsigned: Rank) -> BitSet {
        let cut = |part: Interval, rank: Rank| {
            if part.lo == rank {
                Interval::new(rank + 1, part.hi)
            } else if part.hi == rank {
                Interval::new(part.lo, rank - 1)
            } else {
                Some(part)
            }
        };
        BitSet {
            width: self.width,
            low: self.low.and_then(|part| cut(part, unsigned)),
            high: self.high.and_then(|part| cut(part, unsigned - modulus(self.width))),
        }
    }

    /// The set of the complements.
    #[must_use]
    pub fn complement(self) -> BitSet {
        let flip = |part: Interval| Interval { lo: -1 - part.hi, hi: -1 - part.lo };
        BitSet { width: self.width, low: self.high.map(flip), high: self.low.map(flip) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(width: u32) -> Vec<BitSet> {
        let half = modulus(width - 1);
        let parts = |from: Rank| -> Vec<Option<Interval>> {
            let mut parts = vec![None];
            for lo in from..from + half {
                parts.extend((lo..from + half).map(|hi| Interval::new(lo, hi)));
            }
            parts
        };
        let (low, high) = (parts(0), parts(-half));
        low.iter().flat_map(|&low| high.iter().map(move |&high| BitSet { width, low, high })).collect()
    }

    #[test]
    fn two_readings_are_as_much_as_two_parts() {
        for set in all(4) {
            let (Some(unsigned), Some(signed)) = (set.unsigned_hull(), set.signed_hull()) else { continue };
            assert_eq!(BitSet::of_readings(4, unsigned, signed), set);
            let mirrored = set.complement();
            for number in 0..16 {
                let negative = number >= 8;
                let inside = set.contains(number);
                let signed = if negative { number - 16 } else { number };
                assert_eq!(inside, set.signed().any(|part| part.contains(signed)), "{set:?} {number}");
                assert_eq!(inside, mirrored.contains(15 - number), "{set:?} {number}");
                let without = set.without(number);
                assert!(!without.contains(number) || inside);
                for other in (0..16).filter(|&other| other != number) {
                    assert_eq!(without.contains(other), set.contains(other), "{set:?} without {number}");
                }
            }
        }
    }

    #[test]
    fn integers_wrap_around() {
        for lo in -40..40 {
            for hi in lo..lo + 20 {
                let set = BitSet::wrapped(4, Interval { lo, hi });
                let mut wanted = BitSet::empty(4);
                for number in lo..=hi {
                    let number = number.rem_euclid(16);
                    assert!(set.contains(number), "{number} of [{lo}, {hi}]");
                    let signed = if number >= 8 { number - 16 } else { number };
                    let point = Some(Interval::point(signed));
                    let (low, high) = if signed < 0 { (None, point) } else { (point, None) };
                    wanted = wanted.join(BitSet { width: 4, low, high });
                }
                assert_eq!(set, wanted, "[{lo}, {hi}]");
            }
        }
    }
}
