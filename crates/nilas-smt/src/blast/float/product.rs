//! Product: significands are multiplied, exponents added.

use super::mode::Mode;
use super::round::Exact;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

/// A product before rounding. The number means something where no flag holds.
pub(super) struct Product {
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
    /// In normal form, twice as long as the operands; the sign is that of infinities and zeros as well.
    pub(super) number: Exact,
}

impl<S: SatSolver> Gates<S> {
    /// Product of floats.
    pub(super) fn float_multiply(
        &mut self,
        format: Format,
        mode: &Mode,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let product = self.exact_product(format, x, y)?;
        let rounded = self.round(format, mode, &product.number)?;
        self.special(format, product.nan, product.infinite, &rounded)
    }

    /// The product of significands, of which the top bit or the one below is set, and one more step of
    /// normalisation.
    pub(super) fn exact_product(
        &mut self,
        format: Format,
        x: &[Lit],
        y: &[Lit],
    ) -> Result<Product, Interrupt> {
        let (a, b) = (self.unpack(format, x)?, self.unpack(format, y)?);
        let no = !self.truth();
        let extend = |bits: &[Lit]| {
            let mut bits = bits.to_vec();
            bits.resize(2 * length(format.significand), no);
            bits
        };
        let product = self.multiply(&extend(&a.significand), &extend(&b.significand))?;
        let top = product[product.len() - 1];
        let shifted = [&[no], &product[..product.len() - 1]].concat();
        let significand = self.choose(top, &product, &shifted)?;
        let exponent = self.plus(&a.exponent, &b.exponent)?;
        let exponent = self.plus_bit(&exponent, top)?;
        let sign = self.xor(a.sign, b.sign)?;

        let infinite = self.or(a.classes.infinite, b.classes.infinite)?;
        let zero = self.or(a.classes.zero, b.classes.zero)?;
        let clash = self.and(infinite, zero)?;
        let nan = self.or_all(&mut vec![a.classes.nan, b.classes.nan, clash])?;
        Ok(Product { nan, infinite, zero, number: Exact { sign, exponent, significand } })
    }
}
