//! Conversions: between formats, to integral floats, and from and to bit-vectors and reals.

use super::round::{Cut, cut};
use super::{Format, Number, Unpacked};
use crate::bitvec::BitVec;
use crate::value::{FloatValue, RoundingMode};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Reals have at most so many bits: a float of 30 exponent bits would make one of 128 megabytes.
const MAX_REAL_BITS: u64 = 1 << 20;

impl FloatValue {
    /// The same number in another format.
    #[must_use]
    pub fn to_format(&self, format: Format, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Nan => Self::nan(format),
            Unpacked::Infinite { negative } => Self::infinity(format, negative),
            Unpacked::Finite(number) => Self::round(format, mode, &number, false),
        }
    }

    /// The number rounded to an integer, with its sign even where that is zero.
    #[must_use]
    pub fn round_to_integral(&self, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Finite(number) if number.exponent < 0 => {
                let significand = integer(&number, mode);
                let number = Number { negative: number.negative, significand, exponent: 0 };
                // At most as many bits as before, or a power of two: nothing is rounded but in formats where
                // the power is out of range.
                Self::round(self.format(), mode, &number, false)
            }
            _ => self.clone(),
        }
    }

    /// The nearest float of a signed integer.
    #[must_use]
    pub fn from_integer(format: Format, value: &BigInt, mode: RoundingMode) -> Self {
        let (sign, significand) = (value.sign(), value.magnitude().clone());
        let number = Number { negative: sign == Sign::Minus, significand, exponent: 0 };
        Self::round(format, mode, &number, false)
    }

    /// The nearest float of a bit-vector read as a signed number.
    #[must_use]
    pub fn from_signed(format: Format, value: &BitVec, mode: RoundingMode) -> Self {
        Self::from_integer(format, &value.to_signed(), mode)
    }

    /// The nearest float of a bit-vector read as an unsigned number.
    #[must_use]
    pub fn from_unsigned(format: Format, value: &BitVec, mode: RoundingMode) -> Self {
        Self::from_integer(format, &BigInt::from(value.to_big()), mode)
    }

    /// The nearest float of a rational number.
    #[must_use]
    pub fn from_real(format: Format, value: &BigRational, mode: RoundingMode) -> Self {
        let (numerator, denominator) = (value.numer().magnitude(), value.denom().magnitude());
        let scale = u64::from(format.significand) + 2 + denominator.bits();
        let (quotient, remainder) = (numerator << scale).div_rem(denominator);
        let exponent = -i64::try_from(scale).unwrap_or(i64::MAX);
        let number = Number { negative: value.is_negative(), significand: quotient, exponent };
        Self::round(format, mode, &number, !remainder.is_zero())
    }

    /// The number rounded to an integer, as an unsigned bit-vector; zero for everything without one.
    #[must_use]
    pub fn to_unsigned(&self, width: u32, mode: RoundingMode) -> BitVec {
        match self.bounded_integer(width, mode) {
            Some(value) if !value.is_negative() && value.bits() <= u64::from(width) => {
                BitVec::from_big(width, value.into_parts().1)
            }
            _ => BitVec::zero(width),
        }
    }

    /// The number rounded to an integer, as a signed bit-vector; zero for everything without one.
    #[must_use]
    pub fn to_signed(&self, width: u32, mode: RoundingMode) -> BitVec {
        match self.bounded_integer(width, mode) {
            Some(value) => {
                let bits = BitVec::from_signed(width, &value);
                if bits.to_signed() == value { bits } else { BitVec::zero(width) }
            }
            None => BitVec::zero(width),
        }
    }

    /// The number rounded to an integer, if it is a number and not far out of the range of so many bits.
    fn bounded_integer(&self, width: u32, mode: RoundingMode) -> Option<BigInt> {
        let Unpacked::Finite(number) = self.unpack() else { return None };
        let bits = i64::try_from(number.significand.bits()).unwrap_or(i64::MAX);
        if !number.is_zero() && number.exponent + bits > i64::from(width) + 1 {
            return None;
        }
        let sign = if number.negative { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, integer(&number, mode)))
    }

    /// The number as a real, zero for NaN and infinities; `None` where the real would be absurdly large.
    #[must_use]
    pub fn to_real(&self) -> Option<BigRational> {
        let Unpacked::Finite(number) = self.unpack() else { return Some(BigRational::zero()) };
        if number.is_zero() {
            return Some(BigRational::zero());
        }
        let places = number.exponent.unsigned_abs();
        if places > MAX_REAL_BITS {
            return None;
        }
        let sign = if number.negative { Sign::Minus } else { Sign::Plus };
        let significand = BigInt::from_biguint(sign, number.significand);
        Some(if number.exponent >= 0 {
            BigRational::from_integer(significand << places)
        } else {
            BigRational::new(significand, BigInt::one() << places)
        })
    }
}

/// The magnitude rounded to an integer.
fn integer(number: &Number, mode: RoundingMode) -> BigUint {
    let Cut { mut kept, half, below } = cut(&number.significand, -number.exponent, false);
    if mode.increments(number.negative, kept.bit(0), half, below) {
        kept += BigUint::one();
    }
    kept
}
