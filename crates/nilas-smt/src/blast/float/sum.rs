//! Sum, and fused multiply and add.

use super::exponent::Integer;
use super::mode::Mode;
use super::round::Exact;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

/// A summand ± s · 2^(exponent - (n-1)) with s of n bits. Of two, the one with the larger exponent has the
/// larger magnitude unless one is zero.
struct Summand<'a> {
    sign: Lit,
    exponent: &'a Integer,
    significand: &'a [Lit],
}

impl<S: SatSolver> Gates<S> {
    /// Sum of floats.
    pub(super) fn float_add(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let (a, b) = (self.unpack_plain(format, x)?, self.unpack_plain(format, y)?);
        // Packed bits without sign are in the order of magnitude.
        let magnitude = x.len() - 1;
        let swap = self.less(&x[..magnitude], &y[..magnitude])?;
        let first = Summand { sign: a.sign, exponent: &a.exponent, significand: &a.significand };
        let second = Summand { sign: b.sign, exponent: &b.exponent, significand: &b.significand };
        let mut sum = self.sum(mode, swap, &first, &second)?;
        sum.exponent.least = sum.exponent.least.max(format.least_exponent());
        let infinite = (a.classes.infinite, b.classes.infinite);
        let opposite = self.xor(a.sign, b.sign)?;
        let clash = self.and_all(&mut vec![infinite.0, infinite.1, opposite])?;
        let nan = self.or_all(&mut vec![a.classes.nan, b.classes.nan, clash])?;
        self.finish_sum(format, mode, &sum, nan, (infinite.0, a.sign), (infinite.1, b.sign))
    }

    /// `x * y + z`, rounded once.
    pub(super) fn float_fma(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
        y: &[Lit],
        z: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let product = self.exact_product(format, x, y)?;
        let c = self.unpack(format, z)?;
        let mut addend = vec![!self.truth(); length(format.significand)];
        addend.extend(&c.significand);
        let first = Summand {
            sign: product.number.sign,
            exponent: &product.number.exponent,
            significand: &product.number.significand,
        };
        let second = Summand { sign: c.sign, exponent: &c.exponent, significand: &addend };
        // In normal form exponents decide, then significands; but zeros have any exponent.
        let lower = self.integer_less(first.exponent, second.exponent)?;
        let level = self.integer_equal(first.exponent, second.exponent)?;
        let below = self.less(first.significand, second.significand)?;
        let below = self.and(level, below)?;
        let less = self.or(lower, below)?;
        let less = self.and(less, !c.classes.zero)?;
        let swap = self.or(less, product.zero)?;
        let sum = self.sum(mode, swap, &first, &second)?;
        let opposite = self.xor(first.sign, second.sign)?;
        let clash = self.and_all(&mut vec![product.infinite, c.classes.infinite, opposite])?;
        let nan = self.or_all(&mut vec![product.nan, c.classes.nan, clash])?;
        let infinite = ((product.infinite, first.sign), (c.classes.infinite, second.sign));
        self.finish_sum(format, mode, &sum, nan, infinite.0, infinite.1)
    }

    /// Rounds a sum; an infinite summand gives its sign.
    fn finish_sum(
        &mut self,
        format: Format,
        mode: &Mode,
        sum: &Exact,
        nan: Lit,
        (first, first_sign): (Lit, Lit),
        (second, second_sign): (Lit, Lit),
    ) -> Result<Vec<Lit>, Interrupt> {
        let mut rounded = self.round(format, mode, sum)?;
        let infinite = self.or(first, second)?;
        let last = rounded.len() - 1;
        let sign = self.mux(second, second_sign, rounded[last])?;
        rounded[last] = self.mux(first, first_sign, sign)?;
        self.special(format, nan, infinite, &rounded)
    }

    /// The sum of two summands of equal lengths n, exact up to a sticky bit; `swap` says that the second one
    /// is the larger in magnitude.
    ///
    /// Both get three bits below. The smaller one is shifted right by the difference of exponents, and what
    /// drops out is or-ed into its lowest bit. If that difference is 0 or 1 nothing drops out. Else the
    /// result loses at most one bit at the top, so the lowest bit stays below the half bit, where only its
    /// being set or not matters.
    fn sum(
        &mut self,
        mode: &Mode,
        swap: Lit,
        first: &Summand<'_>,
        second: &Summand<'_>,
    ) -> Result<Exact, Interrupt> {
        let no = !self.truth();
        let larger = self.choose(swap, second.significand, first.significand)?;
        let smaller = self.choose(swap, first.significand, second.significand)?;
        let exponent = self.choose_integer(swap, second.exponent, first.exponent)?;
        let lower = self.choose_integer(swap, first.exponent, second.exponent)?;
        // Not negative, unless the smaller one is zero and may be shifted anywhere.
        let distance = self.minus(&exponent, &lower)?;
        let distance = &distance.bits[..distance.bits.len() - 1];

        let extended = [&[no; 3], smaller.as_slice()].concat();
        let (mut smaller, lost) = self.shift_right_sticky(&extended, distance)?;
        smaller[0] = self.or(smaller[0], lost)?;
        smaller.push(no);
        let larger = [&[no; 3], larger.as_slice(), &[no]].concat();

        let opposite = self.xor(first.sign, second.sign)?;
        for bit in &mut smaller {
            *bit = self.xor(*bit, opposite)?;
        }
        let sum = self.add(&larger, &smaller, opposite)?;
        let (significand, count) = self.normalise(&sum)?;
        let count = self.natural(&count, sum.len() as i64 - 1);
        let exponent = self.plus_constant(&exponent, 1)?;
        let exponent = self.minus(&exponent, &count)?;

        // Operands of one sign give it to the sum. Else the larger one does, or the mode if the sum is zero.
        let nonzero = significand[significand.len() - 1];
        let sign = self.mux(swap, second.sign, first.sign)?;
        let cancelled = self.and(opposite, !nonzero)?;
        let sign = self.mux(cancelled, mode.down, sign)?;
        Ok(Exact { sign, exponent, significand })
    }
}
