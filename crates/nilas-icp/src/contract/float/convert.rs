//! Conversions: from and to IEEE bits, and from and to bit-vectors read as integers.

use super::monotone::{contract_map, join_pairs};
use super::search::{greatest, least};
use super::{FloatBox, modes};
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::float::{ZERO, infinity, number, numbers, opposite, rank, value};
use crate::boxes::interval::{Interval, Rank, hull};
use nilas_term::{FloatValue, Format, RoundingMode};
use num_bigint::BigInt;

/// `z` is the float of the bits `x`; the shadow of a NaN is +0.
#[must_use]
pub fn from_bits(format: Format, z: &mut FloatBox, x: &mut BitSet) -> Option<()> {
    let half = modulus(format.width() - 1);
    let top = infinity(format);
    let mut ranks = None;
    let mut bits = BitSet::empty(x.width);
    let (mut number, mut nan) = (false, false);
    // Magnitudes of one sign: numbers up to infinity, then NaNs.
    for (negative, part) in [(false, x.low), (true, x.high.map(|part| part.shifted(half)))] {
        let Some(part) = part else { continue };
        let back =
            |part: Interval| BitSet::wrapped(x.width, if negative { part.shifted(half) } else { part });
        let flip = |part: Interval| {
            if negative { Interval { lo: opposite(part.hi), hi: opposite(part.lo) } } else { part }
        };
        if z.nan.lo == 0
            && let Some(found) =
                part.meet(Interval { lo: 0, hi: top }).and_then(|part| flip(part).meet(z.rank))
        {
            number = true;
            ranks = hull(ranks, Some(found));
            bits = bits.join(back(flip(found)));
        }
        if z.nan.hi == 1
            && z.rank.contains(ZERO)
            && let Some(part) = part.meet(Interval { lo: top + 1, hi: half - 1 })
        {
            nan = true;
            ranks = hull(ranks, Some(Interval::point(ZERO)));
            bits = bits.join(back(part));
        }
    }
    z.rank = ranks?;
    z.nan = z.nan.meet(Interval::new(Rank::from(!number), Rank::from(nan))?)?;
    *x = x.meet(bits);
    (!x.is_empty()).then_some(())
}

/// `z` is the IEEE bits of the float `x`: those of the one NaN where the flag is set.
#[must_use]
pub fn to_bits(format: Format, z: &mut BitSet, x: &mut FloatBox) -> Option<()> {
    let half = modulus(format.width() - 1);
    let nan = number(&FloatValue::nan(format).bits).cast_signed();
    let mut bits = BitSet::empty(z.width);
    let mut ranks = None;
    if x.nan.lo == 0 {
        let above = x.rank.meet(Interval { lo: ZERO, hi: infinity(format) });
        if let Some(part) = z.low.and_then(|part| above?.meet(part)) {
            bits = bits.join(BitSet::wrapped(z.width, part));
            ranks = hull(ranks, Some(part));
        }
        let flip = |part: Interval| Interval { lo: opposite(part.hi), hi: opposite(part.lo) };
        let below = x.rank.meet(Interval { lo: Rank::MIN, hi: opposite(ZERO) }).map(flip);
        if let Some(part) = z.high.and_then(|part| below?.meet(part.shifted(half))) {
            bits = bits.join(BitSet::wrapped(z.width, part.shifted(half)));
            ranks = hull(ranks, Some(flip(part)));
        }
    }
    let may_be_number = ranks.is_some();
    let may_be_nan = x.nan.hi == 1 && z.contains(nan);
    if may_be_nan {
        bits = bits.join(BitSet::wrapped(z.width, Interval::point(nan)));
        // The shadow may be any rank.
        ranks = Some(x.rank);
    }
    x.rank = ranks?;
    x.nan = x.nan.meet(Interval::new(Rank::from(!may_be_number), Rank::from(may_be_nan))?)?;
    *z = z.meet(bits);
    (!z.is_empty()).then_some(())
}

/// `z` is the float nearest to the integer `x`, in one of its readings. Never NaN.
#[must_use]
pub fn from_integer(format: Format, mode: &mut Interval, z: &mut Interval, x: &mut Interval) -> Option<()> {
    let (mut all, mut possible) = (None, None);
    for (place, mode) in modes(*mode) {
        let map = |integer: Rank| integer_to_rank(format, mode, integer);
        let guess = |rank: Rank| rank_to_integer(format, mode, rank).unwrap_or(x.lo);
        let found = contract_map(*z, *x, map, guess);
        if found.is_some() {
            possible = hull(possible, Some(Interval::point(place)));
        }
        all = join_pairs(all, found);
    }
    *mode = possible?;
    (*z, *x) = all?;
    Some(())
}

fn integer_to_rank(format: Format, mode: RoundingMode, integer: Rank) -> Rank {
    if mode == RoundingMode::NearestEven && format == Format::DOUBLE {
        // The machine rounds to nearest even too.
        #[allow(clippy::cast_precision_loss)]
        let double = (integer as f64).to_bits();
        return crate::boxes::float::from_bits(format, u128::from(double)).unwrap_or_default();
    }
    rank(&FloatValue::from_integer(format, &BigInt::from(integer), mode)).unwrap_or_default()
}

/// The integer that a float is rounded to; `None` where it has more bits than machine words.
fn rank_to_integer(format: Format, mode: RoundingMode, rank: Rank) -> Option<Rank> {
    // More than the widest bit-vector has.
    const WIDTH: u32 = 126;
    let float = value(format, rank);
    let bits = float.to_signed(WIDTH, mode);
    // Zero stands for what is out of range.
    if bits.is_zero() && !float.round_to_integral(mode).is_zero() {
        return None;
    }
    let unsigned = number(&bits).cast_signed();
    Some(if bits.sign_bit() { unsigned - modulus(WIDTH) } else { unsigned })
}

/// The integers that a float is converted to, and for each rounding mode the floats that have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerRange {
    format: Format,
    integers: Interval,
    ranks: [Option<Interval>; 5],
}

impl IntegerRange {
    /// For bit-vectors of a width.
    #[must_use]
    pub fn new(format: Format, width: u32, signed: bool) -> Self {
        let integers = if signed {
            Interval { lo: -modulus(width - 1), hi: modulus(width - 1) - 1 }
        } else {
            Interval { lo: 0, hi: modulus(width) - 1 }
        };
        let all = numbers(format);
        let ranks = RoundingMode::ALL.map(|mode| {
            let at_least = |rank: Rank| match rank_to_integer(format, mode, rank) {
                Some(integer) => integer >= integers.lo,
                None => rank >= ZERO,
            };
            let at_most = |rank: Rank| match rank_to_integer(format, mode, rank) {
                Some(integer) => integer <= integers.hi,
                None => rank < ZERO,
            };
            Interval::new(least(all, ZERO, at_least)?, greatest(all, ZERO, at_most)?)
        });
        IntegerRange { format, integers, ranks }
    }
}

/// `z` is the integer that `x` is rounded to, in the reading of the range; zero where there is none.
#[must_use]
pub fn to_integer(
    range: &IntegerRange,
    mode: &mut Interval,
    z: &mut Interval,
    x: &mut FloatBox,
) -> Option<()> {
    let (mut all, mut possible): (Option<(Interval, Interval)>, Option<Interval>) = (None, None);
    let (mut may_be_number, mut may_be_nan) = (false, false);
    let zero = Interval::point(0);
    let of_zero = z.meet(zero);
    for (place, rounding) in modes(*mode) {
        let inside = range.ranks[usize::try_from(place).unwrap_or_default()];
        let mut found = None;
        if x.nan.lo == 0 {
            if let Some(part) = inside.and_then(|inside| x.rank.meet(inside)) {
                let map = |rank: Rank| rank_to_integer(range.format, rounding, rank).unwrap_or_default();
                let guess = |integer: Rank| integer_to_rank(range.format, rounding, integer);
                found = contract_map(*z, part, map, guess);
            }
            if let Some(of_zero) = of_zero {
                let lowest = inside.map_or(Rank::MAX, |inside| inside.lo);
                let highest = inside.map_or(Rank::MAX, |inside| inside.hi);
                let below = x.rank.meet(Interval { lo: Rank::MIN, hi: lowest - 1 });
                let above =
                    Interval::new(highest.saturating_add(1), Rank::MAX).and_then(|part| x.rank.meet(part));
                for part in [below, above].into_iter().flatten() {
                    found = join_pairs(found, Some((of_zero, part)));
                }
            }
        }
        may_be_number |= found.is_some();
        if x.nan.hi == 1
            && let Some(of_zero) = of_zero
        {
            // The shadow may be any rank.
            may_be_nan = true;
            found = join_pairs(found, Some((of_zero, x.rank)));
        }
        if found.is_some() {
            possible = hull(possible, Some(Interval::point(place)));
        }
        all = join_pairs(all, found);
    }
    *mode = possible?;
    (*z, x.rank) = all?;
    x.nan = x.nan.meet(Interval::new(Rank::from(!may_be_number), Rank::from(may_be_nan))?)?;
    debug_assert!(range.integers.includes(*z) || !may_be_number, "integers of the range");
    Some(())
}
