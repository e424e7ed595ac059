//! Sum, difference, product, quotient, fused multiply and add, square root.

use super::{Format, Number, Unpacked};
use crate::value::{FloatValue, RoundingMode};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;
use std::cmp::Ordering;

impl FloatValue {
    /// The same with the other sign; NaN stays.
    #[must_use]
    pub fn neg(&self) -> Self {
        if self.is_nan() {
            return self.clone();
        }
        let sign = crate::BitVec::min_signed(self.bits.width());
        FloatValue { bits: self.bits.xor(&sign), ..*self }
    }

    /// The same without sign.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self, mode: RoundingMode) -> Self {
        sum(self.format(), mode, self.unpack(), other.unpack())
    }

    /// Difference.
    #[must_use]
    pub fn sub(&self, other: &Self, mode: RoundingMode) -> Self {
        self.add(&other.neg(), mode)
    }

    /// Product.
    #[must_use]
    pub fn mul(&self, other: &Self, mode: RoundingMode) -> Self {
        let format = self.format();
        match product(self.unpack(), other.unpack()) {
            Unpacked::Nan => Self::nan(format),
            Unpacked::Infinite { negative } => Self::infinity(format, negative),
            Unpacked::Finite(number) => Self::round(format, mode, &number, false),
        }
    }

    /// `self * factor + addend`, rounded once.
    #[must_use]
    pub fn fma(&self, factor: &Self, addend: &Self, mode: RoundingMode) -> Self {
        sum(self.format(), mode, product(self.unpack(), factor.unpack()), addend.unpack())
    }

    /// Quotient.
    #[must_use]
    pub fn div(&self, other: &Self, mode: RoundingMode) -> Self {
        use Unpacked::{Finite, Infinite, Nan};
        let format = self.format();
        let (x, y) = match (self.unpack(), other.unpack()) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => return Self::nan(format),
            (Infinite { negative }, Finite(y)) => return Self::infinity(format, negative != y.negative),
            (Finite(x), Infinite { negative }) => return Self::zero(format, x.negative != negative),
            (Finite(x), Finite(y)) => (x, y),
        };
        let negative = x.negative != y.negative;
        if y.is_zero() {
            return if x.is_zero() { Self::nan(format) } else { Self::infinity(format, negative) };
        }
        // Enough bits for a quotient of two more than the significand's.
        let scale = u64::from(format.significand) + 2 + y.significand.bits();
        let (quotient, remainder) = (x.significand << scale).div_rem(&y.significand);
        let exponent = x.exponent - y.exponent - i64::try_from(scale).unwrap_or(i64::MAX);
        let number = Number { negative, significand: quotient, exponent };
        Self::round(format, mode, &number, !remainder.is_zero())
    }

    /// Square root; NaN for numbers below zero, −0 for −0.
    #[must_use]
    pub fn sqrt(&self, mode: RoundingMode) -> Self {
        let format = self.format();
        let x = match self.unpack() {
            Unpacked::Infinite { negative: false } => return self.clone(),
            Unpacked::Nan | Unpacked::Infinite { .. } => return Self::nan(format),
            Unpacked::Finite(x) => x,
        };
        if x.is_zero() {
            return self.clone();
        }
        if x.negative {
            return Self::nan(format);
        }
        // An even exponent, and twice as many bits as the root needs.
        let scale = 2 * i64::from(format.significand + 2) + (x.exponent & 1);
        let (radicand, exponent) = (x.significand << scale.unsigned_abs(), x.exponent - scale);
        let root = radicand.sqrt();
        let sticky = &root * &root != radicand;
        let number = Number { negative: false, significand: root, exponent: exponent.div_euclid(2) };
        Self::round(format, mode, &number, sticky)
    }
}

/// The exact product.
fn product(x: Unpacked, y: Unpacked) -> Unpacked {
    use Unpacked::{Finite, Infinite, Nan};
    match (x, y) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: x }, Infinite { negative: y }) => Infinite { negative: x != y },
        (Infinite { negative }, Finite(number)) | (Finite(number), Infinite { negative }) => {
            if number.is_zero() { Nan } else { Infinite { negative: negative != number.negative } }
        }
        (Finite(x), Finite(y)) => Finite(Number {
            negative: x.negative != y.negative,
            significand: x.significand * y.significand,
            exponent: x.exponent + y.exponent,
        }),
    }
}

fn sum(format: Format, mode: RoundingMode, x: Unpacked, y: Unpacked) -> FloatValue {
    use Unpacked::{Finite, Infinite, Nan};
    match (x, y) {
        (Nan, _) | (_, Nan) => FloatValue::nan(format),
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => FloatValue::nan(format),
        (Infinite { negative }, _) | (_, Infinite { negative }) => FloatValue::infinity(format, negative),
        (Finite(x), Finite(y)) => finite_sum(format, mode, &x, &y),
    }
}

fn finite_sum(format: Format, mode: RoundingMode, x: &Number, y: &Number) -> FloatValue {
    if x.is_zero() && y.is_zero() {
        let negative = if x.negative == y.negative { x.negative } else { mode.zero_is_negative() };
        return FloatValue::zero(format, negative);
    }
    if x.is_zero() || y.is_zero() {
        return FloatValue::round(format, mode, if x.is_zero() { y } else { x }, false);
    }
    let top =
        |number: &Number| number.exponent + i64::try_from(number.significand.bits()).unwrap_or(i64::MAX);
    let (large, small) = if top(x) >= top(y) { (x, y) } else { (y, x) };
    // Exponents may be 2^30 apart. What is far below the last bit of the larger one, and of the result, can
    // be any non-zero number of its sign that is as far below.
    let spare = i64::from(format.significand) + 4;
    let floor = large.exponent.min(top(large) - spare) - 2;
    let clipped;
    let small = if top(small) < floor {
        clipped = Number { significand: BigUint::from(1u32), exponent: floor - 1, ..*small };
        &clipped
    } else {
        small
    };
    let exponent = large.exponent.min(small.exponent);
    let align = |number: &Number| &number.significand << (number.exponent - exponent).unsigned_abs();
    let (large_bits, small_bits) = (align(large), align(small));
    let (negative, significand) = if large.negative == small.negative {
        (large.negative, large_bits + small_bits)
    } else {
        match large_bits.cmp(&small_bits) {
            Ordering::Equal => (mode.zero_is_negative(), BigUint::zero()),
            Ordering::Greater => (large.negative, large_bits - small_bits),
            Ordering::Less => (small.negative, small_bits - large_bits),
        }
    };
    FloatValue::round(format, mode, &Number { negative, significand, exponent }, false)
}
