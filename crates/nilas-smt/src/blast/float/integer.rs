//! Conversions: between formats, to integral floats, and from and to bit-vectors.

use super::mode::Mode;
use super::round::Exact;
use super::{Gates, length};
use crate::blast::shifter::Shift;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

impl<S: SatSolver> Gates<S> {
    /// The same number in another format.
    pub(super) fn float_to_float(
        &mut self,
        from: Format,
        to: Format,
        mode: &Mode,
        x: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let a = self.unpack(from, x)?;
        let number = Exact { sign: a.sign, exponent: a.exponent, significand: a.significand };
        let rounded = self.round(to, mode, &number)?;
        self.special(to, a.classes.nan, a.classes.infinite, &rounded)
    }

    /// An integer as a float: its magnitude in normal form, rounded. Zero is +0.
    pub(super) fn integer_to_float(
        &mut self,
        format: Format,
        mode: &Mode,
        signed: bool,
        x: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let sign = if signed { x[x.len() - 1] } else { !self.truth() };
        let magnitude = self.negate_if(sign, x)?;
        let (significand, count) = self.normalise(&magnitude)?;
        let highest = i64::try_from(x.len()).unwrap_or(i64::MAX) - 1;
        let count = self.natural(&count, highest);
        let exponent = self.integer(highest);
        let exponent = self.minus(&exponent, &count)?;
        self.round(format, mode, &Exact { sign, exponent, significand })
    }

    /// A float rounded to an integral float.
    ///
    /// In plain form the last bit of the significand weighs 2^(E-(p-1)). If that is below 1, the significand
    /// is shifted right until it weighs 1, rounded, and brought back to normal form. Else the float is
    /// integral.
    pub(super) fn float_to_integral(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let a = self.unpack_plain(format, x)?;
        let no = !self.truth();
        let last = self.integer(i64::from(format.fraction()));
        let places = self.minus(&last, &a.exponent)?;
        let distance = self.positive_part(&places)?;
        let extended = [&[no], a.significand.as_slice()].concat();
        let (shifted, below) = self.shift_right_sticky(&extended, &distance)?;
        let (half, kept) = (shifted[0], &shifted[1..]);
        let increment = self.increment(mode, a.sign, kept[0], half, below)?;
        let zero = vec![no; kept.len()];
        let integer = self.add(kept, &zero, increment)?;

        let (significand, count) = self.normalise(&integer)?;
        let count = self.natural(&count, i64::from(format.fraction()));
        let exponent = self.minus(&last, &count)?;
        // Nothing is rounded any more. In formats where even the next integer is too large it becomes
        // infinite.
        let rounded = self.round(format, mode, &Exact { sign: a.sign, exponent, significand })?;
        let fractional = self.integer_less_than(&a.exponent, i64::from(format.fraction()))?;
        let special = self.or(a.classes.nan, a.classes.infinite)?;
        let changes = self.and(fractional, !special)?;
        self.choose(changes, &rounded, x)
    }

    /// A float rounded to an integer of `width` bits; zero where there is none.
    ///
    /// The significand of p bits is put right below the point, as a number less than 1, and shifted left by
    /// E + 1 into `width` bits before the point. More than `width` places are out of range; if E + 1 is
    /// negative the number is less than 1/2.
    pub(super) fn float_to_integer(
        &mut self,
        format: Format,
        mode: &Mode,
        signed: bool,
        width: usize,
        x: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let a = self.unpack_plain(format, x)?;
        let (precision, no) = (length(format.significand), !self.truth());
        let places = self.plus_constant(&a.exponent, 1)?;
        let limit = i64::try_from(width).unwrap_or(i64::MAX - 1);
        let too_large = !self.integer_less_than(&places, limit + 1)?;
        let tiny = self.integer_less_than(&places, 0)?;

        let mut register = a.significand.clone();
        register.resize(precision + width, no);
        let distance = self.positive_part(&places)?;
        let register = self.shift(Shift::Left, &register, &distance)?;
        let half = self.and(register[precision - 1], !tiny)?;
        let mut below = register[..precision - 1].to_vec();
        below.push(self.and(register[precision - 1], tiny)?);
        let below = self.or_all(&mut below)?;
        let whole = [&register[precision..], &[no]].concat();
        let increment = self.increment(mode, a.sign, whole[0], half, below)?;
        let zero = vec![no; whole.len()];
        let magnitude = self.add(&whole, &zero, increment)?;
        let (carry, magnitude) = (magnitude[width], &magnitude[..width]);

        let invalid = if signed {
            // Only the least number has the top bit set.
            let (top, lower) = (magnitude[width - 1], &magnitude[..width - 1]);
            let more = self.or_all(&mut lower.to_vec())?;
            let not_least = self.or(!a.sign, more)?;
            self.and(top, not_least)?
        } else {
            let nonzero = self.or_all(&mut magnitude.to_vec())?;
            self.and(a.sign, nonzero)?
        };
        let invalid = self.or_all(&mut vec![invalid, carry, too_large, a.classes.nan, a.classes.infinite])?;
        let value = if signed { self.negate_if(a.sign, magnitude)? } else { magnitude.to_vec() };
        value.iter().map(|&bit| self.and(bit, !invalid)).collect()
    }
}
