//! Well-sortedness: the sort of an operator applied to children of given sorts.

use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use std::fmt;

/// An operator that does not fit its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// What is wrong, in words.
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

fn error<T>(message: impl Into<String>) -> Result<T, SortError> {
    Err(SortError { message: message.into() })
}

/// The widest bit-vector that may be built; wider ones are refused rather than left to exhaust memory.
pub const MAX_WIDTH: u32 = 1 << 24;

fn width_limit(width: u64) -> Result<Sort, SortError> {
    match u32::try_from(width) {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::BitVec(width)),
        _ => error(format!("bit-vector width {width} is not between 1 and {MAX_WIDTH}")),
    }
}

impl Arena {
    /// The sort of `op` applied to `children`, or what is wrong with it.
    ///
    /// # Errors
    /// When the number or the sorts of the children do not fit.
    pub fn sort_of(&self, op: Op, children: &[Term]) -> Result<Sort, SortError> {
        let sorts: Vec<&Sort> = children.iter().map(|&child| self.sort(child)).collect();
        let arity = |wanted: usize| {
            if sorts.len() == wanted {
                Ok(())
            } else {
                error(format!("{wanted} arguments expected, {} found", sorts.len()))
            }
        };
        let all = |wanted: &Sort| match sorts.iter().find(|sort| **sort != wanted) {
            None => Ok(()),
            Some(found) => error(format!("argument of sort {wanted} expected, {found} found")),
        };
        let same = |from: usize| match sorts[from..].iter().find(|sort| **sort != sorts[from]) {
            None => Ok(()),
            Some(found) => error(format!("arguments of different sorts: {} and {found}", sorts[from])),
        };
        let width = |index: usize| match sorts[index] {
            Sort::BitVec(width) => Ok(*width),
            found => error(format!("bit-vector expected, {found} found")),
        };
        let float = |index: usize| match sorts[index] {
            Sort::Float(..) => Ok(sorts[index].clone()),
            found => error(format!("floating-point argument expected, {found} found")),
        };
        let rounding = || match sorts[0] {
            Sort::RoundingMode => Ok(()),
            found => error(format!("rounding mode expected, {found} found")),
        };
        let number = || match sorts.first() {
            Some(sort @ (Sort::Int | Sort::Real)) => Ok((*sort).clone()),
            Some(found) => error(format!("number expected, {found} found")),
            None => error("arguments expected"),
        };
        match op {
            Op::Var(symbol) | Op::Apply(symbol) => {
                let signature = self.signature(symbol);
                arity(signature.arguments.len())?;
                for (wanted, found) in signature.arguments.iter().zip(&sorts) {
                    if wanted != *found {
                        return error(format!("argument of sort {wanted} expected, {found} found"));
                    }
                }
                Ok(signature.result.clone())
            }
            Op::Const(value) => Ok(self.value(value).sort()),
            Op::Not => arity(1).and_then(|()| all(&Sort::Bool)).map(|()| Sort::Bool),
            Op::And | Op::Or => all(&Sort::Bool).map(|()| Sort::Bool),
            Op::Xor => arity(2).and_then(|()| all(&Sort::Bool)).map(|()| Sort::Bool),
            Op::Eq => arity(2).and_then(|()| same(0)).map(|()| Sort::Bool),
            Op::Ite => {
                arity(3)?;
                same(1)?;
                match sorts[0] {
                    Sort::Bool => Ok(sorts[1].clone()),
                    found => error(format!("condition of sort Bool expected, {found} found")),
                }
            }
            Op::Concat => {
                arity(2)?;
                width_limit(u64::from(width(0)?) + u64::from(width(1)?))
            }
            Op::Extract { hi, lo } => {
                arity(1)?;
                let width = width(0)?;
                if hi < lo || hi >= width {
                    return error(format!("bits {hi} to {lo} do not exist in a bit-vector of width {width}"));
                }
                Ok(Sort::BitVec(hi - lo + 1))
            }
            Op::ZeroExtend(by) | Op::SignExtend(by) => {
                arity(1)?;
                width_limit(u64::from(width(0)?) + u64::from(by))
            }
            Op::BvNot | Op::BvNeg => {
                arity(1)?;
                width(0).map(Sort::BitVec)
            }
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => {
                arity(2)?;
                width(0)?;
                same(0)?;
                Ok(sorts[0].clone())
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                arity(2)?;
                width(0)?;
                same(0)?;
                Ok(Sort::Bool)
            }
            Op::Select | Op::Store => {
                arity(if op == Op::Select { 2 } else { 3 })?;
                let Sort::Array(array) = sorts[0] else {
                    return error(format!("array expected, {} found", sorts[0]));
                };
                if *sorts[1] != array.index {
                    return error(format!("index of sort {} expected, {} found", array.index, sorts[1]));
                }
                if op == Op::Select {
                    return Ok(array.element.clone());
                }
                if *sorts[2] != array.element {
                    return error(format!("element of sort {} expected, {} found", array.element, sorts[2]));
                }
                Ok(sorts[0].clone())
            }
            Op::ConstArray(sort) => {
                arity(1)?;
                let sort = self.sort_by_id(sort);
                match sort {
                    Sort::Array(array) if array.element == *sorts[0] => Ok(sort.clone()),
                    _ => error(format!("a constant array of sort {sort} cannot hold {}", sorts[0])),
                }
            }
            Op::Neg => {
                arity(1)?;
                number()
            }
            Op::Add | Op::Mul => {
                let sort = number()?;
                same(0)?;
                Ok(sort)
            }
            Op::IntDiv | Op::IntMod => arity(2).and_then(|()| all(&Sort::Int)).map(|()| Sort::Int),
            Op::IntAbs => arity(1).and_then(|()| all(&Sort::Int)).map(|()| Sort::Int),
            Op::RealDiv => arity(2).and_then(|()| all(&Sort::Real)).map(|()| Sort::Real),
            Op::Le | Op::Lt => {
                arity(2)?;
                number()?;
                same(0)?;
                Ok(Sort::Bool)
            }
            Op::ToReal => arity(1).and_then(|()| all(&Sort::Int)).map(|()| Sort::Real),
            Op::ToInt => arity(1).and_then(|()| all(&Sort::Real)).map(|()| Sort::Int),
            Op::IsInt => arity(1).and_then(|()| all(&Sort::Real)).map(|()| Sort::Bool),
            Op::Divisible(_) => arity(1).and_then(|()| all(&Sort::Int)).map(|()| Sort::Bool),
            Op::FpFromBits => {
                arity(3)?;
                if width(0)? != 1 {
                    return error("the sign of a float has one bit");
                }
                format_limit(width(1)?, width(2)?.saturating_add(1))
            }
            Op::FpAbs | Op::FpNeg => {
                arity(1)?;
                float(0)
            }
            Op::FpAdd | Op::FpMul | Op::FpDiv => {
                arity(3)?;
                rounding()?;
                same(1)?;
                float(1)
            }
            Op::FpFma => {
                arity(4)?;
                rounding()?;
                same(1)?;
                float(1)
            }
            Op::FpSqrt | Op::FpRoundToIntegral => {
                arity(2)?;
                rounding()?;
                float(1)
            }
            Op::FpRem | Op::FpMin | Op::FpMax => {
                arity(2)?;
                same(0)?;
                float(0)
            }
            Op::FpLe | Op::FpLt | Op::FpEq => {
                arity(2)?;
                same(0)?;
                float(0).map(|_| Sort::Bool)
            }
            Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive => {
                arity(1)?;
                float(0).map(|_| Sort::Bool)
            }
            Op::FpToFp(exponent, significand) => {
                arity(2)?;
                rounding()?;
                float(1)?;
                format_limit(exponent, significand)
            }
            Op::FpFromIeeeBits(exponent, significand) => {
                arity(1)?;
                let sort = format_limit(exponent, significand)?;
                if width(0)? != exponent + significand {
                    return error(format!("{} bits do not make a float of sort {sort}", width(0)?));
                }
                Ok(sort)
            }
            Op::FpToIeeeBits => {
                arity(1)?;
                match float(0)? {
                    Sort::Float(exponent, significand) => width_limit(u64::from(exponent + significand)),
                    other => Ok(other),
                }
            }
            Op::FpFromSigned(exponent, significand) | Op::FpFromUnsigned(exponent, significand) => {
                arity(2)?;
                rounding()?;
                width(1)?;
                format_limit(exponent, significand)
            }
            Op::FpFromReal(exponent, significand) => {
                arity(2)?;
                rounding()?;
                if *sorts[1] != Sort::Real {
                    return error(format!("argument of sort Real expected, {} found", sorts[1]));
                }
                format_limit(exponent, significand)
            }
            Op::FpToUnsigned(width) | Op::FpToSigned(width) => {
                arity(2)?;
                rounding()?;
                float(1)?;
                width_limit(u64::from(width))
            }
            Op::FpToReal => {
                arity(1)?;
                float(0).map(|_| Sort::Real)
            }
        }
    }
}

pub(crate) fn format_limit(exponent: u32, significand: u32) -> Result<Sort, SortError> {
    if !(2..=30).contains(&exponent) || !(2..=65536).contains(&significand) {
        return error(format!("unsupported floating-point format {exponent} {significand}"));
    }
    Ok(Sort::Float(exponent, significand))
}
