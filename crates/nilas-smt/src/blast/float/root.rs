//! Square root: restoring, one bit per step.
//!
//! With an even exponent the radicand is between 1 and 4, its root between 1 and 2 and so in normal form. An
//! odd exponent is made even by doubling the significand. Each step takes two bits of the radicand, highest
//! first, to the rest and tries to subtract 4r + 1, where r is the root so far: if it can, the next bit of
//! the root is set. There are p + 1 steps, and the rest is the sticky bit.

use super::mode::Mode;
use super::round::Exact;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

impl<S: SatSolver> Gates<S> {
    /// Square root of a float.
    pub(super) fn float_root(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let a = self.unpack(format, x)?;
        let (precision, no) = (length(format.significand), !self.truth());
        let odd = a.exponent.bits[0];
        // p + 1 bits, two before the point; then zeros.
        let plain = [a.significand.as_slice(), &[no]].concat();
        let doubled = [&[no], a.significand.as_slice()].concat();
        let radicand = self.choose(odd, &doubled, &plain)?;
        let mut digits = radicand.iter().rev().copied();

        // Highest first.
        let mut root: Vec<Lit> = Vec::with_capacity(precision + 1);
        let mut rest: Vec<Lit> = Vec::new();
        for _ in 0..=precision {
            let (high, low) = (digits.next().unwrap_or(no), digits.next().unwrap_or(no));
            rest.splice(0..0, [low, high]);
            // 4r + 1, one bit shorter than the rest is made.
            let mut trial = vec![self.truth(), no];
            trial.extend(root.iter().rev());
            rest.resize(trial.len() + 1, no);
            let (bit, next) = self.subtract_if_not_less(&rest, &trial)?;
            root.push(bit);
            rest = next;
            // At most 2r for the new r.
            rest.truncate(root.len() + 1);
        }
        let sticky = self.or_all(&mut rest)?;
        root.push(sticky);
        root.reverse();

        let mut significand = Vec::with_capacity(root.len());
        for &bit in &root {
            significand.push(self.and(bit, !a.classes.zero)?);
        }
        let number = Exact { sign: a.sign, exponent: self.halved(&a.exponent), significand };
        let rounded = self.round(format, mode, &number)?;
        let negative = self.and(a.sign, !a.classes.zero)?;
        let nan = self.or(a.classes.nan, negative)?;
        self.special(format, nan, a.classes.infinite, &rounded)
    }
}
