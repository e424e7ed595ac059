//! Arithmetic and bitwise operations on bit-vector values.

use super::{BitVec, Bits};
use num_bigint::BigUint;
use num_traits::One;

impl BitVec {
    fn binary(
        &self,
        other: &Self,
        small: impl FnOnce(u64, u64) -> u64,
        big: impl FnOnce(BigUint, BigUint) -> BigUint,
    ) -> Self {
        debug_assert_eq!(self.width, other.width, "operands of one width");
        match (&self.bits, &other.bits) {
            (Bits::Small(left), Bits::Small(right)) => Self::new(self.width, small(*left, *right)),
            _ => Self::from_big(self.width, big(self.to_big(), other.to_big())),
        }
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.binary(other, u64::wrapping_add, |left, right| left + right)
    }

    /// Difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        let width = self.width;
        self.binary(other, u64::wrapping_sub, |left, right| left + (BigUint::one() << width) - right)
    }

    /// Two's complement negation.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self::zero(self.width).sub(self)
    }

    /// Product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        self.binary(other, u64::wrapping_mul, |left, right| left * right)
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    #[must_use]
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::ones(self.width);
        }
        self.binary(other, |left, right| left / right, |left, right| left / right)
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    #[must_use]
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        self.binary(other, |left, right| left % right, |left, right| left % right)
    }

    /// The absolute value; the least number stays as it is.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.sign_bit() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounding towards zero; with a zero divisor, 1 for negative dividends, else -1.
    #[must_use]
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.abs().udiv(&other.abs());
        if self.sign_bit() == other.sign_bit() { quotient } else { quotient.neg() }
    }

    /// Signed remainder, sign follows the dividend; the dividend when the divisor is zero.
    #[must_use]
    pub fn srem(&self, other: &Self) -> Self {
        let remainder = self.abs().urem(&other.abs());
        if self.sign_bit() { remainder.neg() } else { remainder }
    }

    /// Signed remainder, sign follows the divisor; the dividend when the divisor is zero.
    #[must_use]
    pub fn smod(&self, other: &Self) -> Self {
        let remainder = self.abs().urem(&other.abs());
        match (remainder.is_zero(), self.sign_bit(), other.sign_bit()) {
            (true, _, _) | (_, false, false) => remainder,
            (_, true, false) => remainder.neg().add(other),
            (_, false, true) => remainder.add(other),
            (_, true, true) => remainder.neg(),
        }
    }

    /// Bitwise complement.
    #[must_use]
    pub fn not(&self) -> Self {
        match &self.bits {
            Bits::Small(value) => Self::new(self.width, !value),
            Bits::Big(value) => Self::from_big(self.width, Self::mask(self.width) ^ value),
        }
    }

    /// Bitwise and.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.binary(other, |left, right| left & right, |left, right| left & right)
    }

    /// Bitwise or.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.binary(other, |left, right| left | right, |left, right| left | right)
    }

    /// Bitwise exclusive or.
    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        self.binary(other, |left, right| left ^ right, |left, right| left ^ right)
    }
}
