//! Boxes of floats.
//!
//! The rank of a float is its place among the numbers of its format, −0 below +0: the IEEE bits of a float
//! without sign, and `-1 - bits` of its magnitude for one with a sign. So 0 is +0, −1 is −0, and neighbours
//! have neighbouring ranks. Infinities are the ends of the order. NaN has no place in it: a float is two
//! columns, its rank and a flag that says whether it is NaN. Where the flag is set the rank is the *shadow*
//! of the float, which says nothing about it; see `contract::float`.

use super::interval::{Interval, Rank};
use nilas_term::{BitVec, FloatValue, Format};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Formats of more bits are not supported: ranks are machine words.
pub const MAX_BITS: u32 = 128;

/// The rank of +0, and the shadow of what no number is the result of.
pub const ZERO: Rank = 0;

/// The rank of +∞.
#[must_use]
pub fn infinity(format: Format) -> Rank {
    ((1 << format.exponent) - 1) << format.fraction()
}

/// The rank of the largest number.
#[must_use]
pub fn largest(format: Format) -> Rank {
    infinity(format) - 1
}

/// The rank of the least normal number above zero.
#[must_use]
pub fn least_normal(format: Format) -> Rank {
    1 << format.fraction()
}

/// All numbers of a format.
#[must_use]
pub fn numbers(format: Format) -> Interval {
    Interval { lo: opposite(infinity(format)), hi: infinity(format) }
}

/// The rank of the number with the other sign.
#[must_use]
pub fn opposite(rank: Rank) -> Rank {
    !rank
}

/// The IEEE bits of a rank.
#[must_use]
pub fn bits(format: Format, rank: Rank) -> u128 {
    let sign = u128::from(rank < 0) << (format.width() - 1);
    sign | magnitude(rank).cast_unsigned()
}

/// The rank without its sign: that of the absolute value.
#[must_use]
pub fn magnitude(rank: Rank) -> Rank {
    if rank < 0 { opposite(rank) } else { rank }
}

/// The rank of IEEE bits; `None` for those of a NaN.
#[must_use]
pub fn from_bits(format: Format, bits: u128) -> Option<Rank> {
    let sign = 1u128 << (format.width() - 1);
    let magnitude = (bits & (sign - 1)).cast_signed();
    (magnitude <= infinity(format)).then(|| if bits & sign == 0 { magnitude } else { opposite(magnitude) })
}

/// The float of a rank.
#[must_use]
pub fn value(format: Format, rank: Rank) -> FloatValue {
    FloatValue::from_bits(format, bit_vector(format.width(), bits(format, rank)))
}

/// The rank of a float; `None` for NaN.
#[must_use]
pub fn rank(value: &FloatValue) -> Option<Rank> {
    from_bits(value.format(), number(&value.bits))
}

/// The bit-vector of an unsigned number.
#[must_use]
pub fn bit_vector(width: u32, number: u128) -> BitVec {
    match u64::try_from(number) {
        Ok(number) => BitVec::new(width, number),
        Err(_) => BitVec::from_big(width, BigUint::from(number)),
    }
}

/// The unsigned number of a bit-vector of at most 128 bits.
#[must_use]
pub fn number(bits: &BitVec) -> u128 {
    bits.to_u64().map_or_else(|| bits.to_big().to_u128().unwrap_or_default(), u128::from)
}

/// Ranks with both zeros in one place: the order of IEEE comparisons.
#[must_use]
pub fn key(rank: Rank) -> Rank {
    if rank < 0 { rank + 1 } else { rank }
}

/// The greatest rank whose key is at most that.
#[must_use]
pub fn greatest_of_key(key: Rank) -> Rank {
    if key < 0 { key - 1 } else { key }
}

/// The least rank whose key is at least that.
#[must_use]
pub fn least_of_key(key: Rank) -> Rank {
    if key <= 0 { key - 1 } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_order_of_floats() {
        for format in [Format::new(2, 2), Format::new(3, 4), Format::HALF] {
            let all = numbers(format);
            for rank in all.lo..=all.hi {
                let float = value(format, rank);
                assert_eq!(super::rank(&float), Some(rank));
                assert_eq!(super::rank(&float.neg()), Some(opposite(rank)));
                assert_eq!(super::rank(&float.abs()), Some(magnitude(rank)));
                if rank < all.hi {
                    let next = value(format, rank + 1);
                    let order = float.compare(&next).expect("both are numbers");
                    assert_eq!(order.is_eq(), rank == -1, "only zeros are equal");
                    assert!(order.is_le());
                    assert_eq!(key(rank).cmp(&key(rank + 1)), order);
                }
                assert_eq!(float.is_zero(), key(rank) == 0);
                assert_eq!(float.is_normal(), {
                    let magnitude = magnitude(rank);
                    least_normal(format) <= magnitude && magnitude <= largest(format)
                });
                let (least, greatest) = (least_of_key(key(rank)), greatest_of_key(key(rank)));
                assert!(key(least) == key(rank) && (least == all.lo || key(least - 1) < key(rank)));
                assert!(key(greatest) == key(rank) && (greatest == all.hi || key(greatest + 1) > key(rank)));
            }
            let patterns = 1u128 << format.width();
            let nans = (0..patterns).filter(|&bits| from_bits(format, bits).is_none()).count();
            assert_eq!(nans as u128, patterns - 1 - all.width());
        }
    }

    #[test]
    fn wide_formats_fit() {
        for format in [Format::new(15, 64), Format::QUAD] {
            for float in [FloatValue::infinity(format, true), FloatValue::largest(format, false)] {
                let rank = rank(&float).expect("a number");
                assert_eq!(value(format, rank), float);
            }
            assert_eq!(rank(&FloatValue::nan(format)), None);
        }
    }
}
