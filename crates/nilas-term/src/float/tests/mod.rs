//! Tests of floats: against all values of tiny formats in rational arithmetic, against `rustc_apfloat`,
//! against the machine, and of simplification and text.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod against_apfloat;
mod against_machine;
mod against_table;
mod simplification;
mod text;

use super::Format;
use crate::bitvec::BitVec;
use crate::value::FloatValue;

/// xorshift64*: small, deterministic, good enough.
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    fn bits(&mut self, width: u32) -> BitVec {
        let words: Vec<u32> = (0..width.div_ceil(32)).map(|_| (self.next() >> 32) as u32).collect();
        BitVec::from_big(width, num_bigint::BigUint::new(words))
    }

    /// A float: any bits, special values, few bits set, or near `other`.
    fn float(&mut self, format: Format, other: Option<&FloatValue>) -> FloatValue {
        let width = format.width();
        let bits = match self.below(8) {
            0 => {
                let negative = self.below(2) == 1;
                return match self.below(4) {
                    0 => FloatValue::zero(format, negative),
                    1 => FloatValue::infinity(format, negative),
                    2 => FloatValue::largest(format, negative),
                    _ => FloatValue::nan(format),
                };
            }
            1 => {
                // Runs of equal bits.
                let cut = self.below(u64::from(width)) as u32;
                let ones = BitVec::ones(width).lshr_by(cut);
                ones.xor(&BitVec::ones(width).shl_by(self.below(u64::from(width)) as u32))
            }
            2 => self.bits(width).and(&self.bits(width)).and(&self.bits(width)),
            3 | 4 if other.is_some() => {
                // An exponent a few steps from the other's.
                let near = other.map_or_else(|| BitVec::zero(width), |other| other.bits.clone());
                let step = BitVec::new(width, self.below(8)).shl_by(format.fraction());
                let noise =
                    self.bits(width).lshr_by(width - 1 - self.below(u64::from(format.fraction())) as u32);
                let moved = if self.below(2) == 0 { near.add(&step) } else { near.sub(&step) };
                moved.xor(&noise).xor(&BitVec::new(width, self.below(2)).shl_by(width - 1))
            }
            5 => {
                // Subnormal, or close.
                let magnitude = self.bits(format.fraction() + 1).zero_extend(width - format.fraction() - 1);
                magnitude.xor(&BitVec::new(width, self.below(2)).shl_by(width - 1))
            }
            _ => self.bits(width),
        };
        FloatValue::from_bits(format, bits)
    }
}

/// All floats of a format, each once.
fn all(format: Format) -> Vec<FloatValue> {
    let mut floats: Vec<FloatValue> = (0..1u64 << format.width())
        .map(|bits| FloatValue::from_bits(format, BitVec::new(format.width(), bits)))
        .collect();
    floats.sort();
    floats.dedup();
    floats
}

/// How many random cases a test runs: the variable `FLOAT_CASES`, or fewer.
fn cases(otherwise: u64) -> u64 {
    std::env::var("FLOAT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
