//! Values of constant expressions, where the language asks for one: lengths, cases, enumerators, static
//! initialisers (C11 6.6). Casts of floats and comparisons between them count.
//!
//! Floats are exact values of their own format, rounded to nearest as before the start of the program, and
//! never
//! those of the machine: both readings of a program begin with what is computed here. What C leaves
//! undefined,
//! or does not call constant, has no value.

use super::Checker;
use crate::tree::{BinaryOp, CompareOp, Conversion, ExprId, ExprKind, UnaryOp};
use nilas_term::{BitVec, FloatValue, Format, RoundingMode};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// As the program starts.
const NEAREST: RoundingMode = RoundingMode::NearestEven;

impl Checker<'_> {
    /// The value of an integer constant expression.
    pub(super) fn constant_int(&self, expr: ExprId) -> Option<i128> {
        if let Some(value) = self.as_int(expr) {
            return Some(value);
        }
        let model = self.program.types.model();
        match *self.kind_of(expr) {
            ExprKind::Convert { conversion: Conversion::FloatToInt, operand } => {
                let value = truncated(&self.constant_float(operand)?)?;
                // A value that the type does not have is undefined.
                (self.int_kind_of(expr).wrap(value, model) == value).then_some(value)
            }
            ExprKind::Convert { conversion: Conversion::FloatToBool, operand } => {
                Some(i128::from(!self.constant_float(operand)?.is_zero()))
            }
            ExprKind::Convert { conversion: Conversion::IntToInt, operand } => {
                let value = self.constant_int(operand)?;
                Some(self.int_kind_of(expr).wrap(value, model))
            }
            ExprKind::Convert { conversion: Conversion::IntToBool, operand } => {
                Some(i128::from(self.constant_int(operand)? != 0))
            }
            ExprKind::Unary { op, operand } if self.program.types.int_kind(self.type_of(expr)).is_some() => {
                let value = self.constant_int(operand)?;
                let value = if op == UnaryOp::Negate { value.wrapping_neg() } else { !value };
                Some(self.int_kind_of(expr).wrap(value, model))
            }
            ExprKind::Binary { op, lhs, rhs }
                if self.program.types.int_kind(self.type_of(expr)).is_some() =>
            {
                let kind = self.int_kind_of(lhs);
                let value = self.fold_binary(op, self.constant_int(lhs)?, self.constant_int(rhs)?, kind)?;
                Some(self.int_kind_of(expr).wrap(value, model))
            }
            ExprKind::Compare { op, lhs, rhs } => {
                // Without order, where one is not a number, they are unequal and nothing else.
                let order = if self.program.types.int_kind(self.type_of(lhs)).is_some() {
                    let (a, b) = (self.constant_int(lhs)?, self.constant_int(rhs)?);
                    Some(self.order_of(a, b, lhs))
                } else {
                    self.constant_float(lhs)?.compare(&self.constant_float(rhs)?)
                };
                Some(i128::from(match op {
                    CompareOp::Less => order == Some(Ordering::Less),
                    CompareOp::LessEqual => order.is_some_and(Ordering::is_le),
                    CompareOp::Greater => order == Some(Ordering::Greater),
                    CompareOp::GreaterEqual => order.is_some_and(Ordering::is_ge),
                    CompareOp::Equal => order == Some(Ordering::Equal),
                    CompareOp::NotEqual => order != Some(Ordering::Equal),
                }))
            }
            ExprKind::Not(operand) => Some(i128::from(self.constant_int(operand)? == 0)),
            ExprKind::And(lhs, rhs) => match self.constant_int(lhs)? {
                0 => Some(0),
                _ => Some(i128::from(self.constant_int(rhs)? != 0)),
            },
            ExprKind::Or(lhs, rhs) => match self.constant_int(lhs)? {
                0 => Some(i128::from(self.constant_int(rhs)? != 0)),
                _ => Some(1),
            },
            ExprKind::Conditional { condition, then, otherwise }
                if self.program.types.int_kind(self.type_of(expr)).is_some() =>
            {
                self.constant_int(if self.constant_int(condition)? != 0 { then } else { otherwise })
            }
            _ => None,
        }
    }

    /// The value of a floating constant expression.
    fn constant_float(&self, expr: ExprId) -> Option<FloatValue> {
        let (exponent, significand) = self.program.types.float_kind(self.type_of(expr))?.format();
        let format = Format::new(exponent, significand);
        Some(match self.kind_of(expr) {
            ExprKind::Float(constant) => {
                let bits = BitVec::from_big(format.width(), constant.bits(exponent, significand));
                FloatValue::from_bits(format, bits)
            }
            ExprKind::Convert { conversion: Conversion::IntToFloat, operand } => {
                let value = self.constant_int(*operand)?;
                let is_signed = self.int_kind_of(*operand).is_signed();
                let value = if is_signed { value.into() } else { BigInt::from(value.cast_unsigned()) };
                FloatValue::from_integer(format, &value, NEAREST)
            }
            ExprKind::Convert { conversion: Conversion::FloatToFloat, operand } => {
                self.constant_float(*operand)?.to_format(format, NEAREST)
            }
            ExprKind::Unary { op: UnaryOp::Negate, operand } => self.constant_float(*operand)?.neg(),
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.constant_float(*lhs)?, self.constant_float(*rhs)?);
                match op {
                    BinaryOp::Add => a.add(&b, NEAREST),
                    BinaryOp::Sub => a.sub(&b, NEAREST),
                    BinaryOp::Mul => a.mul(&b, NEAREST),
                    BinaryOp::Div => a.div(&b, NEAREST),
                    _ => return None,
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.constant_float(if self.constant_int(*condition)? != 0 { *then } else { *otherwise })?
            }
            _ => return None,
        })
    }
}

/// A float without its fraction, if it is a number that is not far beyond all integer types.
fn truncated(value: &FloatValue) -> Option<i128> {
    let limit = FloatValue::from_integer(value.format(), &(BigInt::from(1) << 126), NEAREST);
    let is_small = value.abs().compare(&limit) == Some(Ordering::Less);
    is_small.then(|| i128::try_from(value.to_signed(128, RoundingMode::TowardZero).to_signed()).ok())?
}
