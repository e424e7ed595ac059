//! Circuits for IEEE floats.
//!
//! A float is its IEEE bits, lowest first: fraction, exponent field, sign. There is one NaN (sign clear,
//! fraction 10…0): whatever could be another one is mapped to it by [`Gates::canonical`], a total gate, so
//! that equality of floats is equality of bits. A rounding mode is three bits, see [`mode`]; codes that mean
//! nothing are mapped to one that does. So nothing here constrains anything: all outputs are total functions
//! of all inputs.
//!
//! An operation unpacks its operands, computes exactly with integers, rounds once and packs, as symfpu does
//! it. Written out for a format of `e` exponent bits and `p` significand bits, with bias `B = 2^(e-1) - 1`:
//!
//! * [`unpack`]: a finite float is ± s · 2^(E-(p-1)) with an integer significand s of p bits and an exponent
//!   E. The plain form has E = max(field, 1) - B and the hidden bit (field ≠ 0) on top of s. The normal form
//!   shifts s left until its top bit is set and lowers E by as much, so that 2^E is the weight of the top
//!   bit. Flags say whether the float is NaN, infinite or zero.
//! * [`round`]: from sign, E and a significand of any length in normal form, of which the lowest bit may be
//!   *sticky* (set if anything below was dropped), to packed bits.
//! * [`sum`]: the operand of smaller magnitude is shifted right to the exponent of the larger one, three bits
//!   longer than the significand and with a sticky bit; then one addition or subtraction, normalisation,
//!   rounding.
//! * [`product`], [`quotient`], [`root`]: integer multiplication, restoring division and restoring square
//!   root, one bit per step.
//! * [`remainder`]: long division of the significands, one step per unit of exponent difference.
//! * [`integer`]: conversions from and to integers by shifting to the point.
//! * [`order`]: comparisons, on packed bits.
//!
//! Exponents are integers with statically known bounds ([`exponent`]), which give their widths and tell which
//! cases of rounding cannot occur. Bounds hold for finite operands other than zero; for others the result is
//! replaced at the end ([`Gates::special`]), whatever was computed.
//!
//! What SMT-LIB leaves open is decided as in `nilas_term`: −0 is less than +0 for `min` and `max`, and what
//! has no value as a bit-vector is zero.

mod exponent;
mod integer;
mod mode;
mod order;
mod product;
mod quotient;
mod remainder;
mod root;
mod round;
mod shifts;
mod sum;
#[cfg(test)]
mod tests;
mod unpack;
mod value;

use super::gates::Gates;
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver};
use mode::Mode;
use nilas_term::{Arena, Format, Op, Sort, Term};
use unpack::Classes;
pub(crate) use value::{bits_of_sort, from_bits, to_bits};

/// Why a term of float operators has no circuit, though its operands have.
pub(super) fn obstacle(arena: &Arena, term: Term) -> Option<String> {
    match (arena.op(term), arena.sort(term)) {
        (Op::FpRem, Sort::Float(exponent, significand)) => {
            let steps = remainder::steps(Format::new(*exponent, *significand));
            let size = steps.saturating_mul(u64::from(*significand));
            (size > remainder::LARGEST).then(|| {
                format!("fp.rem in the format {exponent} {significand}, a circuit of {} gates", 3 * size)
            })
        }
        (Op::FpToReal | Op::FpFromReal(..), _) => Some("conversions of floats from and to reals".to_owned()),
        _ => None,
    }
}

/// Whether [`Gates::float`] knows the operator.
// One line per group of operators.
#[allow(clippy::match_like_matches_macro)]
pub(super) fn is_float(op: Op) -> bool {
    use Op::{
        FpAbs, FpAdd, FpDiv, FpEq, FpFma, FpFromBits, FpFromIeeeBits, FpFromReal, FpFromSigned,
        FpFromUnsigned, FpIsInfinite, FpIsNan, FpIsNegative, FpIsNormal, FpIsPositive, FpIsSubnormal,
        FpIsZero, FpLe, FpLt, FpMax, FpMin, FpMul, FpNeg, FpRem, FpRoundToIntegral, FpSqrt, FpToFp,
        FpToIeeeBits, FpToReal, FpToSigned, FpToUnsigned,
    };
    let arithmetic =
        matches!(op, FpAbs | FpNeg | FpAdd | FpMul | FpDiv | FpFma | FpSqrt | FpRem | FpRoundToIntegral);
    let comparison = matches!(op, FpMin | FpMax | FpLe | FpLt | FpEq);
    let class = matches!(
        op,
        FpIsNormal | FpIsSubnormal | FpIsZero | FpIsInfinite | FpIsNan | FpIsNegative | FpIsPositive
    );
    let from = matches!(
        op,
        FpFromBits | FpFromIeeeBits(..) | FpToFp(..) | FpFromSigned(..) | FpFromUnsigned(..) | FpFromReal(..)
    );
    let to = matches!(op, FpToUnsigned(_) | FpToSigned(_) | FpToReal | FpToIeeeBits);
    arithmetic || comparison || class || from || to
}

/// The format of a float sort.
pub(super) fn format_of(sort: &Sort) -> Option<Format> {
    match sort {
        Sort::Float(exponent, significand) => Some(Format::new(*exponent, *significand)),
        _ => None,
    }
}

fn length(bits: u32) -> usize {
    bits as usize
}

impl<S: SatSolver> Gates<S> {
    /// The bits of a variable of a sort with fewer values than its bits have: those of the value that the
    /// free bits stand for.
    pub(super) fn canonical(&mut self, sort: &Sort, free: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        match sort {
            Sort::Float(exponent, significand) => {
                self.canonical_float(Format::new(*exponent, *significand), free)
            }
            Sort::RoundingMode => self.canonical_mode(free),
            _ => Ok(free.to_vec()),
        }
    }

    /// The same bits, but the one NaN for every NaN.
    fn canonical_float(&mut self, format: Format, bits: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let Classes { nan, .. } = self.classes(format, bits)?;
        let last = length(format.fraction()) - 1;
        let mut canonical = bits.to_vec();
        for bit in &mut canonical[..last] {
            *bit = self.and(*bit, !nan)?;
        }
        canonical[last] = self.or(bits[last], nan)?;
        if let Some(sign) = canonical.last_mut() {
            *sign = self.and(*sign, !nan)?;
        }
        Ok(canonical)
    }

    /// A float operator over the bits of its operands. `operand` is the format of the operands that are
    /// floats, `result` the sort of the result.
    pub(super) fn float(
        &mut self,
        op: Op,
        operand: Option<Format>,
        result: &Sort,
        bits: &[Vec<Lit>],
    ) -> Result<Vec<Lit>, Interrupt> {
        // Operators without float operands never look at this.
        let format = operand.unwrap_or(Format::HALF);
        let target = format_of(result).unwrap_or(format);
        match (op, bits) {
            (Op::FpFromBits, [sign, exponent, fraction]) => {
                let bits = [fraction.as_slice(), exponent, sign].concat();
                self.canonical_float(target, &bits)
            }
            (Op::FpFromIeeeBits(..), [bits]) => self.canonical_float(target, bits),
            // A float is its canonical bits here.
            (Op::FpToIeeeBits, [x]) => Ok(x.clone()),
            (Op::FpAbs | Op::FpNeg, [x]) => self.change_sign(format, op == Op::FpNeg, x),
            (Op::FpLe, [x, y]) => Ok(vec![self.float_le(format, x, y)?]),
            (Op::FpLt, [x, y]) => Ok(vec![self.float_lt(format, x, y)?]),
            (Op::FpEq, [x, y]) => Ok(vec![self.float_eq(format, x, y)?]),
            (Op::FpMin | Op::FpMax, [x, y]) => self.extremum(format, op == Op::FpMax, x, y),
            (Op::FpRem, [x, y]) => self.float_remainder(format, x, y),
            (_, [x]) => {
                let classes = self.classes(format, x)?;
                let sign = x[x.len() - 1];
                Ok(vec![match op {
                    Op::FpIsNan => classes.nan,
                    Op::FpIsInfinite => classes.infinite,
                    Op::FpIsZero => classes.zero,
                    Op::FpIsSubnormal => classes.subnormal,
                    Op::FpIsNormal => classes.normal,
                    Op::FpIsNegative => self.and(sign, !classes.nan)?,
                    Op::FpIsPositive => self.and(!sign, !classes.nan)?,
                    _ => unreachable!("{op:?} is no test of a float"),
                }])
            }
            (_, [mode, operands @ ..]) => {
                let mode = self.mode(mode)?;
                self.rounded(op, format, target, &mode, operands, result)
            }
            _ => unreachable!("{op:?} has operands"),
        }
    }

    /// The operators with a rounding mode.
    fn rounded(
        &mut self,
        op: Op,
        format: Format,
        target: Format,
        mode: &Mode,
        operands: &[Vec<Lit>],
        result: &Sort,
    ) -> Result<Vec<Lit>, Interrupt> {
        match (op, operands) {
            (Op::FpAdd, [x, y]) => self.float_add(format, mode, x, y),
            (Op::FpMul, [x, y]) => self.float_multiply(format, mode, x, y),
            (Op::FpFma, [x, y, z]) => self.float_fma(format, mode, x, y, z),
            (Op::FpDiv, [x, y]) => self.float_divide(format, mode, x, y),
            (Op::FpSqrt, [x]) => self.float_root(format, mode, x),
            (Op::FpRoundToIntegral, [x]) => self.float_to_integral(format, mode, x),
            (Op::FpToFp(..), [x]) => self.float_to_float(format, target, mode, x),
            (Op::FpFromSigned(..), [x]) => self.integer_to_float(target, mode, true, x),
            (Op::FpFromUnsigned(..), [x]) => self.integer_to_float(target, mode, false, x),
            (Op::FpToSigned(_) | Op::FpToUnsigned(_), [x]) => {
                let width = length(result.width().unwrap_or(1));
                self.float_to_integer(format, mode, matches!(op, Op::FpToSigned(_)), width, x)
            }
            _ => unreachable!("{op:?} is refused by `obstacle` or has other operands"),
        }
    }

    /// Negation, or absolute value; NaN keeps its clear sign.
    fn change_sign(&mut self, format: Format, negate: bool, x: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let mut bits = x.to_vec();
        let last = bits.len() - 1;
        bits[last] = if negate {
            let Classes { nan, .. } = self.classes(format, x)?;
            self.and(!x[last], !nan)?
        } else {
            !self.truth()
        };
        Ok(bits)
    }
}
