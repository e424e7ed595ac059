//! Division: restoring, quotient and remainder from one circuit.
//!
//! Division by zero needs no case of its own: subtracting zero always succeeds, so that the quotient is
//! all ones and the remainder the dividend, as SMT-LIB has it.

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

/// Quotient and remainder.
pub(crate) struct Division {
    pub(crate) quotient: Vec<Lit>,
    pub(crate) remainder: Vec<Lit>,
}

impl<S: SatSolver> Gates<S> {
    /// Unsigned division of `a` by `b`.
    pub(crate) fn divide(&mut self, a: &[Lit], b: &[Lit]) -> Result<Division, Interrupt> {
        let width = a.len();
        let zero = !self.truth();
        if let Some(shift) = self.as_power_of_two(b) {
            let mut quotient = a[shift..].to_vec();
            quotient.resize(width, zero);
            let mut remainder = a[..shift].to_vec();
            remainder.resize(width, zero);
            return Ok(Division { quotient, remainder });
        }
        let mut quotient = vec![zero; width];
        let bound = self.remainder_bits(b);
        // After the step for bit i the remainder has at most `width - i` bits.
        let mut remainder: Vec<Lit> = Vec::new();
        for index in (0..width).rev() {
            self.poll(1)?;
            remainder.insert(0, a[index]);
            let known = remainder.len();
            // b fits below the remainder's bits only if those above are zero.
            let mut above: Vec<Lit> = b[known..].to_vec();
            let too_big = self.or_all(&mut above)?;
            let low_less = self.less(&remainder, &b[..known])?;
            let fits = !self.or(too_big, low_less)?;
            quotient[index] = fits;
            // The difference matters only where it is taken; it takes the same borrow chain.
            let difference = self.subtract(&remainder, &b[..known])?;
            remainder = self.choose(fits, &difference, &remainder)?;
            remainder.truncate(bound);
        }
        remainder.resize(width, zero);
        Ok(Division { quotient, remainder })
    }

    /// How many bits a remainder can have. It is below a divisor that is not zero, so it has no more bits
    /// than that; by zero everything remains.
    fn remainder_bits(&self, divisor: &[Lit]) -> usize {
        let is = |bit: &Lit, value: bool| self.as_constant(*bit) == Some(value);
        if !divisor.iter().any(|bit| is(bit, true)) {
            return divisor.len();
        }
        divisor.iter().rposition(|bit| !is(bit, false)).map_or(0, |highest| highest + 1)
    }

    /// Signed division rounding towards zero: the unsigned one of the absolute values, signs put back. The
    /// remainder has the sign of the dividend.
    pub(crate) fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> Result<Division, Interrupt> {
        let (Some(&sign_a), Some(&sign_b)) = (a.last(), b.last()) else {
            return Ok(Division { quotient: Vec::new(), remainder: Vec::new() });
        };
        let magnitude_a = self.negate_if(sign_a, a)?;
        let magnitude_b = self.negate_if(sign_b, b)?;
        let unsigned = self.divide(&magnitude_a, &magnitude_b)?;
        let opposite = self.xor(sign_a, sign_b)?;
        Ok(Division {
            quotient: self.negate_if(opposite, &unsigned.quotient)?,
            remainder: self.negate_if(sign_a, &unsigned.remainder)?,
        })
    }

    /// The remainder with the sign of the divisor, from the one with the sign of the dividend: the divisor is
    /// added where the signs differ and there is a remainder at all.
    pub(crate) fn modulo(&mut self, a: &[Lit], b: &[Lit], remainder: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let (Some(&sign_a), Some(&sign_b)) = (a.last(), b.last()) else {
            return Ok(Vec::new());
        };
        let opposite = self.xor(sign_a, sign_b)?;
        let some = self.or_all(&mut remainder.to_vec())?;
        let adjust = self.and(opposite, some)?;
        let mut summand = Vec::with_capacity(b.len());
        for &bit in b {
            summand.push(self.and(adjust, bit)?);
        }
        self.add(remainder, &summand, !self.truth())
    }

    fn as_power_of_two(&self, bits: &[Lit]) -> Option<usize> {
        let mut found = None;
        for (index, &bit) in bits.iter().enumerate() {
            match self.as_constant(bit)? {
                true if found.is_some() => return None,
                true => found = Some(index),
                false => {}
            }
        }
        found
    }
}
