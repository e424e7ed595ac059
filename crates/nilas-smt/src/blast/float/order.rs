//! Comparisons, minimum and maximum, on packed bits: but for the sign they are in the order of magnitude.

use super::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

impl<S: SatSolver> Gates<S> {
    /// The order of numbers with −0 below +0.
    fn ordered(&mut self, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let last = x.len() - 1;
        let (sign_x, sign_y) = (x[last], y[last]);
        let below = self.less(&x[..last], &y[..last])?;
        let above = self.less(&y[..last], &x[..last])?;
        let of_negative = self.or(!sign_y, above)?;
        let of_positive = self.and(!sign_y, below)?;
        self.mux(sign_x, of_negative, of_positive)
    }

    /// Whether both are numbers.
    fn numbers(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let (a, b) = (self.classes(format, x)?, self.classes(format, y)?);
        self.and(!a.nan, !b.nan)
    }

    /// The IEEE order of numbers, where zeros are equal.
    fn number_lt(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let (a, b) = (self.classes(format, x)?, self.classes(format, y)?);
        let zeros = self.and(a.zero, b.zero)?;
        let less = self.ordered(x, y)?;
        self.and(less, !zeros)
    }

    /// Less than.
    pub(super) fn float_lt(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let numbers = self.numbers(format, x, y)?;
        let less = self.number_lt(format, x, y)?;
        self.and(numbers, less)
    }

    /// Less or equal: numbers of which the second is not less.
    pub(super) fn float_le(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let numbers = self.numbers(format, x, y)?;
        let greater = self.number_lt(format, y, x)?;
        self.and(numbers, !greater)
    }

    /// IEEE equality.
    pub(super) fn float_eq(&mut self, format: Format, x: &[Lit], y: &[Lit]) -> Result<Lit, Interrupt> {
        let (a, b) = (self.classes(format, x)?, self.classes(format, y)?);
        let zeros = self.and(a.zero, b.zero)?;
        let same = self.equal(x, y)?;
        let same = self.and(same, !a.nan)?;
        self.or(zeros, same)
    }

    /// Minimum or maximum; the other operand where one is NaN.
    pub(super) fn extremum(
        &mut self,
        format: Format,
        maximum: bool,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let (a, b) = (self.classes(format, x)?, self.classes(format, y)?);
        let second = if maximum { self.ordered(x, y)? } else { self.ordered(y, x)? };
        let second = self.and(second, !b.nan)?;
        let second = self.or(second, a.nan)?;
        self.choose(second, y, x)
    }
}
