//! Quotient: restoring division of significands, one bit per step.
//!
//! With both significands in normal form the quotient is between 1/2 and 2. It gets one bit before the point
//! and p + 1 after; if the first is clear the second is set, and one step of normalisation remains.
//! What is left of the dividend is the sticky bit.

use super::mode::Mode;
use super::round::Exact;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

impl<S: SatSolver> Gates<S> {
    /// Quotient of floats.
    pub(super) fn float_divide(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let (a, b) = (self.unpack(format, x)?, self.unpack(format, y)?);
        let (precision, no) = (length(format.significand), !self.truth());
        let mut rest = a.significand.clone();
        rest.push(no);
        // Quotient bits come highest first.
        let mut quotient = Vec::with_capacity(precision + 2);
        for step in 0..precision + 2 {
            if step > 0 {
                // The rest is less than the divisor: its top bit is clear.
                rest.pop();
                rest.insert(0, no);
            }
            let (bit, next) = self.subtract_if_not_less(&rest, &b.significand)?;
            quotient.push(bit);
            rest = next;
        }
        let sticky = self.or_all(&mut rest)?;
        quotient.reverse();
        let top = quotient[precision + 1];
        let shifted = [&[no], &quotient[..=precision]].concat();
        let quotient = self.choose(top, &quotient, &shifted)?;
        let significand = [&[sticky], quotient.as_slice()].concat();

        let exponent = self.minus(&a.exponent, &b.exponent)?;
        let exponent = self.plus_constant(&exponent, -1)?;
        let exponent = self.plus_bit(&exponent, top)?;
        let sign = self.xor(a.sign, b.sign)?;

        // A zero dividend has a zero quotient, whatever the divisor's significand.
        let vanishes = self.or(a.classes.zero, b.classes.infinite)?;
        let mut cleared = Vec::with_capacity(significand.len());
        for &bit in &significand {
            cleared.push(self.and(bit, !vanishes)?);
        }
        let rounded = self.round(format, mode, &Exact { sign, exponent, significand: cleared })?;

        let infinities = self.and(a.classes.infinite, b.classes.infinite)?;
        let zeros = self.and(a.classes.zero, b.classes.zero)?;
        let nan = self.or_all(&mut vec![a.classes.nan, b.classes.nan, infinities, zeros])?;
        let infinite = self.or(a.classes.infinite, b.classes.zero)?;
        self.special(format, nan, infinite, &rounded)
    }

    /// Whether `b`, one bit shorter than `a`, is at most `a`; and `a - b` if it is, else `a`.
    pub(super) fn subtract_if_not_less(
        &mut self,
        a: &[Lit],
        b: &[Lit],
    ) -> Result<(Lit, Vec<Lit>), Interrupt> {
        self.poll(1)?;
        let mut complement: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
        complement.push(self.truth());
        let mut carry = self.truth();
        let mut difference = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(&complement) {
            difference.push(self.xor3(a, b, carry)?);
            carry = self.majority(a, b, carry)?;
        }
        let rest = self.choose(carry, &difference, a)?;
        Ok((carry, rest))
    }
}
