//! Rounding and packing: the one way from exact numbers to floats.
//!
//! The number is ± s · 2^(E-(n-1)) with s of n bits in normal form. In steps:
//! 1. s becomes p bits to keep, the half bit below them, and a sticky bit for all the rest;
//! 2. if E < Emin the number is subnormal: all of that is shifted right by Emin - E;
//! 3. the exponent field is E + B, or 0 where the top bit of the kept ones is clear;
//! 4. field and fraction together are one number of e + p - 1 bits, and rounding away from zero adds one to
//!    it: the carry out of the fraction turns the largest subnormal into the least normal number, the end of
//!    one exponent into the start of the next, and the largest number into infinity;
//! 5. E > Emax before rounding gives infinity or the largest number, as mode and sign say.
//!
//! A zero comes out as a zero with its sign.

use super::exponent::Integer;
use super::mode::Mode;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

/// An exact number in normal form, see the module's text.
pub(super) struct Exact {
    pub(super) sign: Lit,
    pub(super) exponent: Integer,
    /// All clear for zero; else the top bit is set, and the lowest may be sticky if there are at least p + 2.
    pub(super) significand: Vec<Lit>,
}

impl<S: SatSolver> Gates<S> {
    /// The float for a number.
    pub(super) fn round(
        &mut self,
        format: Format,
        mode: &Mode,
        number: &Exact,
    ) -> Result<Vec<Lit>, Interrupt> {
        let Exact { sign, exponent, significand } = number;
        let (sign, precision, no) = (*sign, length(format.significand), !self.truth());

        // Step 1: one bit below the kept ones, and a sticky one.
        let mut bits = significand.clone();
        let nonzero = bits[bits.len() - 1];
        while bits.len() < precision + 1 {
            bits.insert(0, no);
        }
        let rest = bits.len() - (precision + 1);
        let mut sticky = self.or_all(&mut bits.drain(..rest).collect())?;

        // Step 2.
        if exponent.least < format.min_exponent() {
            let least = self.integer(format.min_exponent());
            let missing = self.minus(&least, exponent)?;
            let distance = self.positive_part(&missing)?;
            let (shifted, lost) = self.shift_right_sticky(&bits, &distance)?;
            bits = shifted;
            sticky = self.or(sticky, lost)?;
        }
        let (half, kept) = (bits[0], &bits[1..]);

        // Step 3.
        let (fraction, hidden) = (&kept[..precision - 1], kept[precision - 1]);
        let field = self.plus_constant(exponent, format.bias())?;
        let field = self.fit(&field.bits, length(format.exponent));
        let mut packed = fraction.to_vec();
        for &bit in &field {
            packed.push(self.and(bit, hidden)?);
        }

        // Step 4.
        let mut carry = self.increment(mode, sign, kept[0], half, sticky)?;
        for bit in &mut packed {
            let sum = self.xor(*bit, carry)?;
            carry = self.and(*bit, carry)?;
            *bit = sum;
        }

        // Step 5.
        if exponent.greatest > format.max_exponent() {
            let fits = self.integer_less_than(exponent, format.max_exponent() + 1)?;
            let overflow = self.and(nonzero, !fits)?;
            let infinite = self.overflow_is_infinite(mode, sign)?;
            for (index, bit) in packed.iter_mut().enumerate() {
                // Largest: field 1…10, fraction 1…1; infinity: field 1…11, fraction 0…0.
                let value = match index {
                    _ if index < precision - 1 => !infinite,
                    _ if index == precision - 1 => infinite,
                    _ => self.truth(),
                };
                *bit = self.mux(overflow, value, *bit)?;
            }
        }
        packed.push(sign);
        Ok(packed)
    }
}
