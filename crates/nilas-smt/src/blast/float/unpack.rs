//! Classification, and floats taken apart.

use super::exponent::Integer;
use super::{Gates, length};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use nilas_term::Format;

/// What kind of float it is: exactly one holds.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
    pub(super) subnormal: Lit,
    pub(super) normal: Lit,
}

/// A float taken apart. Exponent and significand mean ± significand · 2^(exponent - (p-1)) where it is
/// finite.
pub(super) struct Unpacked {
    pub(super) classes: Classes,
    pub(super) sign: Lit,
    pub(super) exponent: Integer,
    pub(super) significand: Vec<Lit>,
}

impl<S: SatSolver> Gates<S> {
    /// The class of a float, from any bits.
    pub(super) fn classes(&mut self, format: Format, bits: &[Lit]) -> Result<Classes, Interrupt> {
        let (fraction, field) = fields(format, bits);
        let empty = !self.or_all(&mut fraction.to_vec())?;
        let lowest = !self.or_all(&mut field.to_vec())?;
        let highest = self.and_all(&mut field.to_vec())?;
        Ok(Classes {
            nan: self.and(highest, !empty)?,
            infinite: self.and(highest, empty)?,
            zero: self.and(lowest, empty)?,
            subnormal: self.and(lowest, !empty)?,
            normal: self.and(!lowest, !highest)?,
        })
    }

    /// A float in plain form: subnormals have the least exponent and a clear top bit.
    pub(super) fn unpack_plain(&mut self, format: Format, bits: &[Lit]) -> Result<Unpacked, Interrupt> {
        let classes = self.classes(format, bits)?;
        let (fraction, field) = fields(format, bits);
        let lowest = !self.or_all(&mut field.to_vec())?;
        let mut significand = fraction.to_vec();
        significand.push(!lowest);
        // The field is 1 where it is 0.
        let mut field = field.to_vec();
        field[0] = self.or(field[0], lowest)?;
        let mut exponent = self.natural(&field, 2 * format.bias());
        exponent.least = 1;
        let exponent = self.plus_constant(&exponent, -format.bias())?;
        Ok(Unpacked { classes, sign: bits[bits.len() - 1], exponent, significand })
    }

    /// A float in normal form: the top bit of the significand is set but for zeros.
    pub(super) fn unpack(&mut self, format: Format, bits: &[Lit]) -> Result<Unpacked, Interrupt> {
        let plain = self.unpack_plain(format, bits)?;
        let (significand, count) = self.normalise(&plain.significand)?;
        let count = self.natural(&count, i64::from(format.fraction()));
        let mut exponent = self.minus(&plain.exponent, &count)?;
        exponent.least = format.least_exponent();
        Ok(Unpacked { exponent, significand, ..plain })
    }

    /// Packed bits with special cases put over them: `nan` before `infinite`, which has the sign of the bits.
    pub(super) fn special(
        &mut self,
        format: Format,
        nan: Lit,
        infinite: Lit,
        bits: &[Lit],
    ) -> Result<Vec<Lit>, Interrupt> {
        let special = self.or(nan, infinite)?;
        let fraction = length(format.fraction());
        let mut result = Vec::with_capacity(bits.len());
        for (index, &bit) in bits.iter().enumerate() {
            result.push(if index + 1 < fraction {
                self.and(bit, !special)?
            } else if index + 1 == fraction {
                let bit = self.and(bit, !special)?;
                self.or(bit, nan)?
            } else if index + 1 < bits.len() {
                self.or(bit, special)?
            } else {
                self.and(bit, !nan)?
            });
        }
        Ok(result)
    }
}

/// The bits of the fraction and of the exponent field.
fn fields(format: Format, bits: &[Lit]) -> (&[Lit], &[Lit]) {
    let (fraction, rest) = bits.split_at(length(format.fraction()));
    (fraction, &rest[..length(format.exponent)])
}
