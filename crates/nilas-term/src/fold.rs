//! Operators applied to values: the meaning of every operator that Nilas can compute.
//!
//! The evaluator and the constant folding of the simplifier both come here, so there is one definition of
//! what an operator means. Division of numbers by zero has none: SMT-LIB leaves it open.

use crate::arena::Arena;
use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::float;
use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use nilas_fault::{Fault, planted};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of `op` on arguments of fitting sorts; `None` where it is not defined here.
#[must_use]
pub fn apply(arena: &Arena, op: Op, arguments: &[&Value]) -> Option<Value> {
    match op {
        Op::Const(value) => Some(arena.value(value).clone()),
        Op::Not => Some(Value::Bool(!arguments[0].as_bool()?)),
        Op::And => Some(Value::Bool(arguments.iter().all(|value| value.as_bool() == Some(true)))),
        Op::Or => Some(Value::Bool(arguments.iter().any(|value| value.as_bool() == Some(true)))),
        Op::Xor => Some(Value::Bool(arguments[0] != arguments[1])),
        Op::Eq => Some(Value::Bool(arguments[0] == arguments[1])),
        Op::Ite => Some(if arguments[0].as_bool()? { arguments[1] } else { arguments[2] }.clone()),
        Op::Select => match arguments[0] {
            Value::Array(array) => Some(array.select(arguments[1]).clone()),
            _ => None,
        },
        Op::Store => match arguments[0] {
            Value::Array(array) => {
                Some(Value::Array(Arc::new(array.store(arguments[1].clone(), arguments[2].clone()))))
            }
            _ => None,
        },
        Op::ConstArray(sort) => match arena.sort_by_id(sort) {
            Sort::Array(sort) => Some(Value::Array(Arc::new(ArrayValue::new(
                (**sort).clone(),
                arguments[0].clone(),
                BTreeMap::new(),
            )))),
            _ => None,
        },
        _ => match arguments {
            [Value::BitVec(value)] => unary(op, value),
            [Value::BitVec(left), Value::BitVec(right)] => binary(op, left, right),
            [Value::BitVec(sign), Value::BitVec(exponent), Value::BitVec(fraction)]
                if op == Op::FpFromBits =>
            {
                let bits = sign.concat(exponent).concat(fraction);
                Some(Value::float(exponent.width(), fraction.width() + 1, bits))
            }
            [Value::Float(_) | Value::RoundingMode(_), ..] => float::apply(op, arguments),
            [Value::Int(first), ..] => integers(op, first, arguments),
            [Value::Real(first), ..] => reals(op, first, arguments),
            _ => None,
        },
    }
}

fn unary(op: Op, value: &BitVec) -> Option<Value> {
    Some(Value::BitVec(match op {
        Op::BvNot => value.not(),
        Op::BvNeg => value.neg(),
        Op::Extract { hi, lo } => value.extract(hi, lo),
        Op::ZeroExtend(by) => value.zero_extend(by),
        Op::SignExtend(by) => value.sign_extend(by),
        Op::FpFromIeeeBits(exponent, significand) => {
            return Some(Value::float(exponent, significand, value.clone()));
        }
        _ => return None,
    }))
}

fn binary(op: Op, left: &BitVec, right: &BitVec) -> Option<Value> {
    Some(Value::BitVec(match op {
        Op::Concat => left.concat(right),
        Op::BvAnd => left.and(right),
        Op::BvOr => left.or(right),
        Op::BvXor => left.xor(right),
        Op::BvAdd => left.add(right),
        Op::BvMul => left.mul(right),
        Op::BvUdiv => left.udiv(right),
        Op::BvUrem => left.urem(right),
        Op::BvSdiv => left.sdiv(right),
        Op::BvSrem => left.srem(right),
        Op::BvSmod => left.smod(right),
        Op::BvShl => left.shl(right),
        Op::BvLshr => left.lshr(right),
        Op::BvAshr if planted(Fault::ShiftFoldedLogical) => left.lshr(right),
        Op::BvAshr => left.ashr(right),
        Op::BvUlt => return Some(Value::Bool(left.ult(right))),
        Op::BvUle => return Some(Value::Bool(left.ule(right))),
        Op::BvSlt => return Some(Value::Bool(left.slt(right))),
        Op::BvSle => return Some(Value::Bool(left.sle(right))),
        _ => return None,
    }))
}

fn integers(op: Op, first: &BigInt, arguments: &[&Value]) -> Option<Value> {
    let second = match arguments.get(1) {
        Some(Value::Int(second)) => Some(second),
        _ => None,
    };
    let all = || {
        arguments.iter().filter_map(|value| if let Value::Int(value) = value { Some(value) } else { None })
    };
    Some(match op {
        Op::Neg => Value::Int(-first),
        Op::Add => Value::Int(all().sum()),
        Op::Mul => Value::Int(all().product()),
        Op::IntDiv | Op::IntMod => {
            let divisor = second.filter(|divisor| !divisor.is_zero())?;
            // SMT-LIB: the remainder is never negative.
            let remainder = first.mod_floor(&divisor.abs());
            if op == Op::IntMod { Value::Int(remainder) } else { Value::Int((first - remainder) / divisor) }
        }
        Op::IntAbs => Value::Int(first.abs()),
        Op::Le => Value::Bool(first <= second?),
        Op::Lt => Value::Bool(first < second?),
        Op::ToReal => Value::Real(BigRational::from_integer(first.clone())),
        Op::Divisible(by) if by > 0 => Value::Bool(first.mod_floor(&BigInt::from(by)).is_zero()),
        _ => return None,
    })
}

fn reals(op: Op, first: &BigRational, arguments: &[&Value]) -> Option<Value> {
    let second = match arguments.get(1) {
        Some(Value::Real(second)) => Some(second),
        _ => None,
    };
    let all = || {
        arguments.iter().filter_map(|value| if let Value::Real(value) = value { Some(value) } else { None })
    };
    Some(match op {
        Op::Neg => Value::Real(-first),
        Op::Add => Value::Real(all().sum()),
        Op::Mul => Value::Real(all().product()),
        Op::RealDiv => Value::Real(first / second.filter(|divisor| !divisor.is_zero())?),
        Op::Le => Value::Bool(first <= second?),
        Op::Lt => Value::Bool(first < second?),
        Op::ToInt => Value::Int(first.floor().to_integer()),
        Op::IsInt => Value::Bool(first.is_integer()),
        _ => return None,
    })
}
