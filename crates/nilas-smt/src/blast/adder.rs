//! Addition, subtraction and negation: ripple-carry, two gates per bit.

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};

impl<S: SatSolver> Gates<S> {
    /// `a + b + carry`, as wide as `a` and `b`. Bits are lowest first, here and in all circuits.
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Result<Vec<Lit>, Interrupt> {
        let width = a.len();
        let mut sum = Vec::with_capacity(width);
        for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(a, b, carry)?);
            // The carry out of the highest bit is nobody's input.
            if index + 1 < width {
                carry = self.majority(a, b, carry)?;
            }
        }
        Ok(sum)
    }

    /// `a - b`.
    pub(crate) fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let b: Vec<Lit> = b.iter().map(|&lit| !lit).collect();
        self.add(a, &b, self.truth())
    }

    /// `-a`.
    pub(crate) fn negate(&mut self, a: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let zero = vec![!self.truth(); a.len()];
        self.subtract(&zero, a)
    }

    /// `-a` where `condition` holds, else `a`.
    pub(crate) fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let mut flipped = Vec::with_capacity(a.len());
        for &lit in a {
            flipped.push(self.xor(lit, condition)?);
        }
        let zero = vec![!self.truth(); a.len()];
        self.add(&flipped, &zero, condition)
    }
}
