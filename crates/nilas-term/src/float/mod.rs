//! Exact IEEE 754 floats of any format, with all five rounding modes.
//!
//! A value is its IEEE bits, and there is one NaN: sign clear, fraction 10…0. Every operation takes its
//! operands apart into integers, computes exactly, and rounds once, in `round`: nothing here knows a format
//! by name, and nothing uses the floats of the machine.
//!
//! What SMT-LIB leaves open is fixed here once for all, and the circuits of the solver follow:
//! * `min` and `max` take −0 to be less than +0, so they do not depend on the order of their operands;
//! * a float that is no number, infinite or out of range gives **zero** as a bit-vector;
//! * a float that is no number or infinite gives zero as a real.
//!
//! Operands of binary operations have the same format; that is the caller's duty.

mod apply;
mod arith;
mod compare;
mod convert;
mod format;
mod remainder;
mod round;
mod simplify;
#[cfg(test)]
mod tests;

pub(crate) use apply::apply;
pub use format::Format;
pub(crate) use simplify::simplify;

use crate::bitvec::BitVec;
use crate::value::FloatValue;
use num_bigint::BigUint;
use num_traits::Zero;

/// A float taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unpacked {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// The number ± significand · 2^exponent. Zeros have significand 0.
    Finite(Number),
}

/// A finite number with a sign even where it is zero: ± significand · 2^exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) negative: bool,
    pub(crate) significand: BigUint,
    pub(crate) exponent: i64,
}

impl Number {
    fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }
}

impl FloatValue {
    /// The float with these IEEE bits, as many as the format has; every NaN becomes the one NaN.
    #[must_use]
    pub fn from_bits(format: Format, bits: BitVec) -> Self {
        debug_assert_eq!(bits.width(), format.width(), "bits of a float of {format:?}");
        let value = FloatValue { exponent: format.exponent, significand: format.significand, bits };
        if value.is_nan() { Self::nan(format) } else { value }
    }

    /// The one NaN.
    #[must_use]
    pub fn nan(format: Format) -> Self {
        Self::from_fields(
            format,
            false,
            &BitVec::ones(format.exponent),
            &BitVec::min_signed(format.fraction()),
        )
    }

    /// An infinity.
    #[must_use]
    pub fn infinity(format: Format, negative: bool) -> Self {
        Self::from_fields(format, negative, &BitVec::ones(format.exponent), &BitVec::zero(format.fraction()))
    }

    /// A zero.
    #[must_use]
    pub fn zero(format: Format, negative: bool) -> Self {
        Self::from_fields(format, negative, &BitVec::zero(format.exponent), &BitVec::zero(format.fraction()))
    }

    /// The finite number that is farthest from zero.
    #[must_use]
    pub fn largest(format: Format, negative: bool) -> Self {
        let exponent = BitVec::ones(format.exponent).sub(&BitVec::one(format.exponent));
        Self::from_fields(format, negative, &exponent, &BitVec::ones(format.fraction()))
    }

    fn from_fields(format: Format, negative: bool, exponent: &BitVec, fraction: &BitVec) -> Self {
        let bits = BitVec::new(1, u64::from(negative)).concat(exponent).concat(fraction);
        FloatValue { exponent: format.exponent, significand: format.significand, bits }
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> Format {
        Format { exponent: self.exponent, significand: self.significand }
    }

    /// The bits of the exponent field.
    #[must_use]
    pub fn exponent_field(&self) -> BitVec {
        self.bits.extract(self.exponent + self.significand - 2, self.significand - 1)
    }

    /// The bits of the significand, but for the hidden one.
    #[must_use]
    pub fn fraction_field(&self) -> BitVec {
        self.bits.extract(self.significand - 2, 0)
    }

    /// The sign bit, also of zeros; clear for NaN.
    #[must_use]
    pub fn sign(&self) -> bool {
        self.bits.sign_bit()
    }

    /// What the bits mean.
    pub(crate) fn unpack(&self) -> Unpacked {
        let (field, fraction) = (self.exponent_field(), self.fraction_field());
        if field.is_ones() {
            return if fraction.is_zero() {
                Unpacked::Infinite { negative: self.sign() }
            } else {
                Unpacked::Nan
            };
        }
        let mut significand = fraction.to_big();
        // Fields have at most 30 bits. Subnormals have the exponent of the least normal numbers.
        let mut biased = i64::try_from(field.to_u64().unwrap_or_default()).unwrap_or_default();
        if biased == 0 {
            biased = 1;
        } else {
            significand.set_bit(u64::from(self.significand - 1), true);
        }
        let exponent = biased - 1 + self.format().least_exponent();
        Unpacked::Finite(Number { negative: self.sign(), significand, exponent })
    }
}
