//! Exact bit-vector values of any width.
//!
//! All operations are those of SMT-LIB, division by zero included. Values of up to 64 bits are one machine
//! word and take a fast path; wider ones are big natural numbers. `arith` has arithmetic and bitwise
//! operations, `structure` concatenation, extraction, extensions, shifts, comparisons and signed readings.
//!
//! Operands of binary operations have the same width; that is the caller's duty.

mod arith;
mod structure;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// A value of sort `(_ BitVec width)`. Bits above the width are zero, and values up to 64 bits wide are
/// always `Small`, so that equal values are equal as data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Bits {
    Small(u64),
    Big(BigUint),
}

impl BitVec {
    /// The low `width` bits of `value`. The width is at least 1.
    #[must_use]
    pub fn new(width: u32, value: u64) -> Self {
        debug_assert!(width > 0, "bit-vectors have at least one bit");
        if width > 64 {
            return Self::from_big(width, BigUint::from(value));
        }
        BitVec { width, bits: Bits::Small(value & (u64::MAX >> (64 - width))) }
    }

    /// The low `width` bits of a natural number.
    #[must_use]
    pub fn from_big(width: u32, value: BigUint) -> Self {
        let masked = if value.bits() > u64::from(width) { value & Self::mask(width) } else { value };
        let bits =
            if width <= 64 { Bits::Small(masked.to_u64().unwrap_or_default()) } else { Bits::Big(masked) };
        BitVec { width, bits }
    }

    fn mask(width: u32) -> BigUint {
        (BigUint::one() << width) - BigUint::one()
    }

    /// All bits zero.
    #[must_use]
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// The number 1.
    #[must_use]
    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    /// All bits one.
    #[must_use]
    pub fn ones(width: u32) -> Self {
        if width <= 64 { Self::new(width, u64::MAX) } else { Self::from_big(width, Self::mask(width)) }
    }

    /// The least signed number: only the highest bit is set.
    #[must_use]
    pub fn min_signed(width: u32) -> Self {
        Self::one(width).shl_by(width - 1)
    }

    /// The greatest signed number: all bits but the highest are set.
    #[must_use]
    pub fn max_signed(width: u32) -> Self {
        Self::min_signed(width).not()
    }

    /// From bits, lowest first.
    #[must_use]
    pub fn from_bits(bits: &[bool]) -> Self {
        let width = u32::try_from(bits.len()).unwrap_or(u32::MAX);
        if width <= 64 {
            let value = bits.iter().rev().fold(0u64, |value, &bit| value << 1 | u64::from(bit));
            return Self::new(width, value);
        }
        let mut value = BigUint::zero();
        for (index, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            value.set_bit(index as u64, true);
        }
        Self::from_big(width, value)
    }

    /// Number of bits.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bit at `index`, 0 being the lowest.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(value) => index < 64 && value >> index & 1 == 1,
            Bits::Big(value) => value.bit(u64::from(index)),
        }
    }

    /// The highest bit.
    #[must_use]
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 0,
            Bits::Big(value) => value.is_zero(),
        }
    }

    /// Whether it is the number 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Whether all bits are one.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        self.trailing_ones() == self.width
    }

    /// Number of zeros below the lowest one; the width if there is no one.
    #[must_use]
    pub fn trailing_zeros(&self) -> u32 {
        let zeros = match &self.bits {
            Bits::Small(value) => u64::from(value.trailing_zeros()),
            Bits::Big(value) => value.trailing_zeros().unwrap_or(u64::MAX),
        };
        u32::try_from(zeros).unwrap_or(u32::MAX).min(self.width)
    }

    /// Number of ones below the lowest zero.
    #[must_use]
    pub fn trailing_ones(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => value.trailing_ones(),
            Bits::Big(value) => u32::try_from(value.trailing_ones()).unwrap_or(u32::MAX),
        }
    }

    /// Number of zeros above the highest one; the width if there is no one.
    #[must_use]
    pub fn leading_zeros(&self) -> u32 {
        let used = match &self.bits {
            Bits::Small(value) => u64::from(64 - value.leading_zeros()),
            Bits::Big(value) => value.bits(),
        };
        self.width - u32::try_from(used).unwrap_or(self.width)
    }

    /// `Some(k)` if it is the number 2^k.
    #[must_use]
    pub fn power_of_two(&self) -> Option<u32> {
        let zeros = self.trailing_zeros();
        (zeros < self.width && self.leading_zeros() == self.width - 1 - zeros).then_some(zeros)
    }

    /// The unsigned value, if it fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(value) => Some(*value),
            Bits::Big(value) => value.to_u64(),
        }
    }

    /// The unsigned value.
    #[must_use]
    pub fn to_big(&self) -> BigUint {
        match &self.bits {
            Bits::Small(value) => BigUint::from(*value),
            Bits::Big(value) => value.clone(),
        }
    }
}

/// SMT-LIB: hexadecimal where the width allows, else binary.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0>1$}", self.to_big().to_str_radix(16), self.width as usize / 4)
        } else {
            write!(f, "#b{:0>1$}", self.to_big().to_str_radix(2), self.width as usize)
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
