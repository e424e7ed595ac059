//! Formats of floats.

/// A format: its numbers of bits. Exponents have 2 to 30 bits, significands at least 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand with its hidden bit.
    pub significand: u32,
}

impl Format {
    /// Half precision.
    pub const HALF: Format = Format { exponent: 5, significand: 11 };
    /// Single precision.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// Double precision.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// Quadruple precision.
    pub const QUAD: Format = Format { exponent: 15, significand: 113 };

    /// A format by its numbers of bits.
    #[must_use]
    pub const fn new(exponent: u32, significand: u32) -> Self {
        Format { exponent, significand }
    }

    /// Bits of a float.
    #[must_use]
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// Bits of the significand without the hidden one.
    #[must_use]
    pub fn fraction(self) -> u32 {
        self.significand - 1
    }

    /// What the exponent field of a normal number exceeds its exponent by.
    #[must_use]
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the least normal number 1.0 · 2^e.
    #[must_use]
    pub fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the largest numbers 1.x · 2^e.
    #[must_use]
    pub fn max_exponent(self) -> i64 {
        self.bias()
    }

    /// The exponent of the least number above zero, 2^e.
    #[must_use]
    pub fn least_exponent(self) -> i64 {
        self.min_exponent() - i64::from(self.fraction())
    }
}
