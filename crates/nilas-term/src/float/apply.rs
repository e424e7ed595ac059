//! Operators of floats applied to values.

use super::Format;
use crate::op::Op;
use crate::value::{FloatValue, RoundingMode, Value};

/// The value of an operator whose first argument is a float or a rounding mode; `None` where the arguments do
/// not fit it.
pub(crate) fn apply(op: Op, arguments: &[&Value]) -> Option<Value> {
    match arguments {
        [Value::Float(x)] => unary(op, x),
        [Value::Float(x), Value::Float(y)] => binary(op, x, y),
        [Value::RoundingMode(mode), operands @ ..] => rounded(op, *mode, operands),
        _ => None,
    }
}

fn unary(op: Op, x: &FloatValue) -> Option<Value> {
    Some(Value::Bool(match op {
        Op::FpAbs => return Some(Value::Float(x.abs())),
        Op::FpNeg => return Some(Value::Float(x.neg())),
        Op::FpToIeeeBits => return Some(Value::BitVec(x.bits.clone())),
        Op::FpToReal => return x.to_real().map(Value::Real),
        Op::FpIsNormal => x.is_normal(),
        Op::FpIsSubnormal => x.is_subnormal(),
        Op::FpIsZero => x.is_zero(),
        Op::FpIsInfinite => x.is_infinite(),
        Op::FpIsNan => x.is_nan(),
        Op::FpIsNegative => x.is_negative(),
        Op::FpIsPositive => x.is_positive(),
        _ => return None,
    }))
}

fn binary(op: Op, x: &FloatValue, y: &FloatValue) -> Option<Value> {
    Some(match op {
        Op::FpRem => Value::Float(x.rem(y)),
        Op::FpMin => Value::Float(x.minimum(y)),
        Op::FpMax => Value::Float(x.maximum(y)),
        Op::FpLe => Value::Bool(x.compare(y).is_some_and(std::cmp::Ordering::is_le)),
        Op::FpLt => Value::Bool(x.compare(y).is_some_and(std::cmp::Ordering::is_lt)),
        Op::FpEq => Value::Bool(x.compare(y).is_some_and(std::cmp::Ordering::is_eq)),
        _ => return None,
    })
}

fn rounded(op: Op, mode: RoundingMode, operands: &[&Value]) -> Option<Value> {
    let float = match (op, operands) {
        (Op::FpAdd, [Value::Float(x), Value::Float(y)]) => x.add(y, mode),
        (Op::FpMul, [Value::Float(x), Value::Float(y)]) => x.mul(y, mode),
        (Op::FpDiv, [Value::Float(x), Value::Float(y)]) => x.div(y, mode),
        (Op::FpFma, [Value::Float(x), Value::Float(y), Value::Float(z)]) => x.fma(y, z, mode),
        (Op::FpSqrt, [Value::Float(x)]) => x.sqrt(mode),
        (Op::FpRoundToIntegral, [Value::Float(x)]) => x.round_to_integral(mode),
        (Op::FpToFp(e, s), [Value::Float(x)]) => x.to_format(Format::new(e, s), mode),
        (Op::FpFromSigned(e, s), [Value::BitVec(x)]) => FloatValue::from_signed(Format::new(e, s), x, mode),
        (Op::FpFromUnsigned(e, s), [Value::BitVec(x)]) => {
            FloatValue::from_unsigned(Format::new(e, s), x, mode)
        }
        (Op::FpFromReal(e, s), [Value::Real(x)]) => FloatValue::from_real(Format::new(e, s), x, mode),
        (Op::FpToUnsigned(width), [Value::Float(x)]) => {
            return Some(Value::BitVec(x.to_unsigned(width, mode)));
        }
        (Op::FpToSigned(width), [Value::Float(x)]) => return Some(Value::BitVec(x.to_signed(width, mode))),
        _ => return None,
    };
    Some(Value::Float(float))
}
