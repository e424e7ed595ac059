//! The IEEE remainder, exact for any distance of exponents.

use super::{Number, Unpacked};
use crate::value::{FloatValue, RoundingMode};
use num_bigint::BigUint;
use num_integer::Integer;

impl FloatValue {
    /// `self - other * n` where `n` is the integer nearest to the quotient, the even one of two. A zero has
    /// the sign of `self`.
    #[must_use]
    pub fn rem(&self, other: &Self) -> Self {
        let format = self.format();
        let (x, y) = match (self.unpack(), other.unpack()) {
            (Unpacked::Nan | Unpacked::Infinite { .. }, _) | (_, Unpacked::Nan) => return Self::nan(format),
            (_, Unpacked::Infinite { .. }) => return self.clone(),
            (Unpacked::Finite(x), Unpacked::Finite(y)) => (x, y),
        };
        if y.is_zero() {
            return Self::nan(format);
        }
        if x.is_zero() {
            return self.clone();
        }
        let length = |bits: &BigUint| i64::try_from(bits.bits()).unwrap_or(i64::MAX);
        if x.exponent + length(&x.significand) < y.exponent + length(&y.significand) - 1 {
            // |x| < |y| / 2.
            return self.clone();
        }
        // In units of 2^exponent: the remainder for the quotient rounded down, and whether that quotient is
        // odd. With x far above y only x modulo 2y matters.
        let exponent = x.exponent.min(y.exponent);
        let divisor = &y.significand << (y.exponent - exponent).unsigned_abs();
        let twice = &divisor << 1u32;
        let power = BigUint::from((x.exponent - exponent).unsigned_abs());
        let dividend = (x.significand * BigUint::from(2u32).modpow(&power, &twice)) % &twice;
        let (quotient, remainder) = dividend.div_rem(&divisor);
        let doubled = &remainder << 1u32;
        let up = doubled > divisor || (doubled == divisor && quotient.is_odd());
        let (negative, significand) =
            if up { (!x.negative, divisor - remainder) } else { (x.negative, remainder) };
        // It has no more bits than an operand: this rounds nothing.
        Self::round(format, RoundingMode::TowardZero, &Number { negative, significand, exponent }, false)
    }
}
