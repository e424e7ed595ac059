//! What tests share: random numbers, and how many samples to take.

#![allow(clippy::unwrap_used)]

use crate::boxes::interval::{Interval, Rank};

/// A xorshift generator: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    /// A number from 0 up to `bound`, of any magnitude.
    pub(crate) fn up_to(&mut self, bound: u128) -> u128 {
        let raw = u128::from(self.next()) << 64 | u128::from(self.next());
        let raw = raw >> self.below(128);
        if bound == u128::MAX { raw } else { raw % (bound + 1) }
    }

    /// An interval around a rank, within limits; mostly narrow, sometimes a point, sometimes everything.
    pub(crate) fn around(&mut self, rank: Rank, limits: Interval) -> Interval {
        match self.below(8) {
            0 => Interval::point(rank),
            1 => limits,
            _ => {
                let below = self.up_to(rank.wrapping_sub(limits.lo).cast_unsigned());
                let above = self.up_to(limits.hi.wrapping_sub(rank).cast_unsigned());
                Interval { lo: rank - below.cast_signed(), hi: rank + above.cast_signed() }
            }
        }
    }
}

/// How many samples of `full` to take: all with `NILAS_ICP_SAMPLES=full`, else a hundredth.
pub(crate) fn samples(full: usize) -> usize {
    if all_samples() { full } else { full.div_ceil(100) }
}

/// Whether all samples are to be taken.
pub(crate) fn all_samples() -> bool {
    std::env::var("NILAS_ICP_SAMPLES").is_ok_and(|value| value == "full")
}
