//! Exact bit-vector values of any width.

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
        if width >= 64 {
            return Self::from_big(width, BigUint::from(value));
        }
        BitVec { width, bits: Bits::Small(value & ((1 << width) - 1)) }
    }

    /// The low `width` bits of a natural number.
    #[must_use]
    pub fn from_big(width: u32, value: BigUint) -> Self {
        let masked = if value.bits() > u64::from(width) { value & Self::mask(width) } else { value };
        let bits = if width <= 64 {
            Bits::Small(masked.to_u64().unwrap_or_default())
        } else {
            Bits::Big(masked)
        };
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
        Self::from_big(width, Self::mask(width))
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
        if self.width % 4 == 0 {
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
