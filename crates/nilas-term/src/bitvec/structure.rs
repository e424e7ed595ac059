//! Concatenation, extraction, extensions, shifts, comparisons and signed readings of bit-vector values.

use super::{BitVec, Bits};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::cmp::Ordering;

impl BitVec {
    /// `self` above `low`.
    #[must_use]
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(high), Bits::Small(low_bits)) if width <= 64 => {
                Self::new(width, high << low.width | low_bits)
            }
            _ => Self::from_big(width, self.to_big() << low.width | low.to_big()),
        }
    }

    /// Bits `hi` down to `lo`.
    #[must_use]
    pub fn extract(&self, hi: u32, lo: u32) -> Self {
        debug_assert!(lo <= hi && hi < self.width, "bits {hi} to {lo} of {} bits", self.width);
        match &self.bits {
            Bits::Small(value) => Self::new(hi - lo + 1, value >> lo),
            Bits::Big(value) => Self::from_big(hi - lo + 1, value >> lo),
        }
    }

    /// Prepends `by` zeros.
    #[must_use]
    pub fn zero_extend(&self, by: u32) -> Self {
        match &self.bits {
            Bits::Small(value) => Self::new(self.width + by, *value),
            Bits::Big(value) => Self::from_big(self.width + by, value.clone()),
        }
    }

    /// Prepends `by` copies of the sign bit.
    #[must_use]
    pub fn sign_extend(&self, by: u32) -> Self {
        if by > 0 && self.sign_bit() { Self::ones(by).concat(self) } else { self.zero_extend(by) }
    }

    /// Shift left by a number of bits.
    #[must_use]
    pub fn shl_by(&self, by: u32) -> Self {
        match &self.bits {
            _ if by >= self.width => Self::zero(self.width),
            Bits::Small(value) => Self::new(self.width, value << by),
            Bits::Big(value) => Self::from_big(self.width, value << by),
        }
    }

    /// Logical shift right by a number of bits.
    #[must_use]
    pub fn lshr_by(&self, by: u32) -> Self {
        match &self.bits {
            _ if by >= self.width => Self::zero(self.width),
            Bits::Small(value) => Self::new(self.width, value >> by),
            Bits::Big(value) => Self::from_big(self.width, value >> by),
        }
    }

    /// Arithmetic shift right by a number of bits.
    #[must_use]
    pub fn ashr_by(&self, by: u32) -> Self {
        let by = by.min(self.width - 1);
        self.extract(self.width - 1, by).sign_extend(by)
    }

    /// The value as a distance to shift by: the width for everything from the width on.
    #[must_use]
    pub fn shift_distance(&self) -> u32 {
        self.to_u64().and_then(|value| u32::try_from(value).ok()).map_or(self.width, |by| by.min(self.width))
    }

    /// Shift left.
    #[must_use]
    pub fn shl(&self, by: &Self) -> Self {
        self.shl_by(by.shift_distance())
    }

    /// Logical shift right.
    #[must_use]
    pub fn lshr(&self, by: &Self) -> Self {
        self.lshr_by(by.shift_distance())
    }

    /// Arithmetic shift right.
    #[must_use]
    pub fn ashr(&self, by: &Self) -> Self {
        self.ashr_by(by.shift_distance())
    }

    /// Order as unsigned numbers.
    #[must_use]
    pub fn compare_unsigned(&self, other: &Self) -> Ordering {
        self.bits.cmp(&other.bits)
    }

    /// Order as signed numbers.
    #[must_use]
    pub fn compare_signed(&self, other: &Self) -> Ordering {
        // A set sign bit makes a number the smaller one; with equal signs the unsigned order is right.
        other.sign_bit().cmp(&self.sign_bit()).then_with(|| self.compare_unsigned(other))
    }

    /// Unsigned less than.
    #[must_use]
    pub fn ult(&self, other: &Self) -> bool {
        self.compare_unsigned(other).is_lt()
    }

    /// Unsigned less or equal.
    #[must_use]
    pub fn ule(&self, other: &Self) -> bool {
        self.compare_unsigned(other).is_le()
    }

    /// Signed less than.
    #[must_use]
    pub fn slt(&self, other: &Self) -> bool {
        self.compare_signed(other).is_lt()
    }

    /// Signed less or equal.
    #[must_use]
    pub fn sle(&self, other: &Self) -> bool {
        self.compare_signed(other).is_le()
    }

    /// The value read as a two's complement number.
    #[must_use]
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_big());
        if self.sign_bit() { value - (BigInt::one() << self.width) } else { value }
    }

    /// The number modulo 2^width.
    #[must_use]
    pub fn from_signed(width: u32, value: &BigInt) -> Self {
        let magnitude = Self::from_big(width, value.magnitude().clone());
        if value.sign() == num_bigint::Sign::Minus { magnitude.neg() } else { magnitude }
    }

    /// The value as a signed machine word, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        i64::try_from(self.to_signed()).ok()
    }

    /// Reads digits of the given radix; `None` if there is none or one that does not belong, or the number
    /// does not fit.
    #[must_use]
    pub fn parse(width: u32, digits: &str, radix: u32) -> Option<Self> {
        let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
        (value.bits() <= u64::from(width)).then(|| Self::from_big(width, value))
    }
}
