//! IEEE remainder.
//!
//! With x = mx · 2^ex and y = my · 2^ey in normal form and D = ex - ey:
//! * D < -1: |x| is less than half of |y|, and the remainder is x.
//! * D ≥ 0: long division of the integer mx · 2^D by my gives the rest R in units of y's last bit, and the
//!   last bit of the quotient says whether that is odd.
//! * D = -1: the quotient is 0, and mx is the rest in units of half of y's last bit.
//!
//! In those half units the rest r is 2R, or mx for D = -1, and y is 2·my. The nearest quotient is one more if
//! r > my, or if r = my and the quotient is odd; then the result is y - r with the other sign. It is exact.
//!
//! The division takes one step for each possible D: there are about 2^e of them, so the circuit is refused in
//! formats beyond double precision.

use super::round::Exact;
use super::{Gates, length};
use crate::blast::shifter::Shift;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

/// The largest product of steps and significand bits that gets a circuit; it takes about three gates each.
/// Double precision has 111,247.
pub(super) const LARGEST: u64 = 1 << 17;

/// Steps of the division: the largest difference of exponents, and one.
pub(super) fn steps(format: Format) -> u64 {
    (format.max_exponent() - format.least_exponent() + 1).unsigned_abs()
}

impl<S: SatSolver> Gates<S> {
    /// Remainder of floats.
    pub(super) fn float_remainder(
        &mut self,
        format: Format,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let (a, b) = (self.unpack(format, x)?, self.unpack(format, y)?);
        let (precision, no) = (length(format.significand), !self.truth());
        let distance = self.minus(&a.exponent, &b.exponent)?;

        // The dividend mx · 2^D, whose top p - 1 bits are less than my at once.
        let mut dividend = a.significand.clone();
        let steps = usize::try_from(steps(format)).unwrap_or(usize::MAX);
        dividend.resize(steps + precision - 1, no);
        let shift = self.positive_part(&distance)?;
        let dividend = self.shift(Shift::Left, &dividend, &shift)?;
        let mut rest = dividend[steps..].to_vec();
        rest.push(no);
        let mut odd = no;
        for index in (0..steps).rev() {
            rest.insert(0, dividend[index]);
            (odd, rest) = self.subtract_if_not_less(&rest, &b.significand)?;
            // Less than the divisor now.
            rest.pop();
        }

        // In half units of y's last bit.
        let below = distance.bits[distance.bits.len() - 1];
        odd = self.and(odd, !below)?;
        let doubled = [&[no], rest.as_slice()].concat();
        let mut whole = a.significand.clone();
        whole.push(no);
        let rest = self.choose(below, &whole, &doubled)?;
        let mut half = b.significand.clone();
        half.push(no);
        let more = self.less(&half, &rest)?;
        let tie = self.equal(&half, &rest)?;
        let tie = self.and(tie, odd)?;
        let up = self.or(more, tie)?;
        let divisor = [&[no], b.significand.as_slice()].concat();
        let complement = self.subtract(&divisor, &rest)?;
        let nearest = self.choose(up, &complement, &rest)?;
        let sign = self.xor(a.sign, up)?;

        let (significand, count) = self.normalise(&nearest)?;
        let nonzero = significand[precision];
        let sign = self.mux(nonzero, sign, a.sign)?;
        let count = self.natural(&count, i64::from(format.significand));
        let mut exponent = self.minus(&b.exponent, &count)?;
        exponent.least = exponent.least.max(format.least_exponent());
        let mode = self.toward_zero();
        let rounded = self.round(format, &mode, &Exact { sign, exponent, significand })?;

        // x itself where |x| < |y| / 2, y is infinite, or x is zero.
        let far = self.integer_less_than(&distance, -1)?;
        let far = self.and(far, !b.classes.zero)?;
        let same = self.or_all(&mut vec![far, b.classes.infinite, a.classes.zero])?;
        let result = self.choose(same, x, &rounded)?;
        let nan = self.or_all(&mut vec![a.classes.nan, b.classes.nan, a.classes.infinite, b.classes.zero])?;
        self.special(format, nan, no, &result)
    }
}
