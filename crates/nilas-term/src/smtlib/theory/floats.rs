//! Symbols of the theory of floats.

use super::{Made, chained, exactly, make};
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::Value;

pub(super) fn floats(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    let op = match name {
        "fp" => Op::FpFromBits,
        "fp.abs" => Op::FpAbs,
        "fp.neg" => Op::FpNeg,
        "fp.add" => Op::FpAdd,
        "fp.mul" => Op::FpMul,
        "fp.div" => Op::FpDiv,
        "fp.fma" => Op::FpFma,
        "fp.sqrt" => Op::FpSqrt,
        "fp.rem" => Op::FpRem,
        "fp.roundToIntegral" => Op::FpRoundToIntegral,
        "fp.min" => Op::FpMin,
        "fp.max" => Op::FpMax,
        "fp.isNormal" => Op::FpIsNormal,
        "fp.isSubnormal" => Op::FpIsSubnormal,
        "fp.isZero" => Op::FpIsZero,
        "fp.isInfinite" => Op::FpIsInfinite,
        "fp.isNaN" => Op::FpIsNan,
        "fp.isNegative" => Op::FpIsNegative,
        "fp.isPositive" => Op::FpIsPositive,
        "fp.to_real" => Op::FpToReal,
        "fp.to_ieee_bv" => Op::FpToIeeeBits,
        "fp.sub" => {
            return Some(exactly(arguments, 3).and_then(|()| {
                let negated = make(arena, Op::FpNeg, &arguments[2..])?;
                make(arena, Op::FpAdd, &[arguments[0], arguments[1], negated])
            }));
        }
        "fp.eq" => return Some(chained(arena, Op::FpEq, false, arguments)),
        "fp.leq" => return Some(chained(arena, Op::FpLe, false, arguments)),
        "fp.lt" => return Some(chained(arena, Op::FpLt, false, arguments)),
        "fp.geq" => return Some(chained(arena, Op::FpLe, true, arguments)),
        "fp.gt" => return Some(chained(arena, Op::FpLt, true, arguments)),
        _ => return None,
    };
    Some(make(arena, op, arguments))
}

/// `to_fp` has four meanings, told apart by the sorts of its arguments.
pub(super) fn to_fp(arena: &mut Arena, exponent: u32, significand: u32, arguments: &[Term]) -> Made {
    let op = match arguments {
        [_] => Op::FpFromIeeeBits(exponent, significand),
        [rounding, number] => match arena.sort(*number) {
            Sort::Float(..) => Op::FpToFp(exponent, significand),
            Sort::BitVec(_) => Op::FpFromSigned(exponent, significand),
            Sort::Int => {
                let real = arena.mk(Op::ToReal, &[*number]);
                return make(arena, Op::FpFromReal(exponent, significand), &[*rounding, real]);
            }
            _ => Op::FpFromReal(exponent, significand),
        },
        _ => return Err("one or two arguments expected".to_owned()),
    };
    make(arena, op, arguments)
}

pub(super) fn special_float(name: &str, exponent: u32, significand: u32) -> Value {
    let sign = BitVec::new(1, u64::from(name.starts_with('-')));
    let exponent_bits = if name.ends_with("zero") { BitVec::zero(exponent) } else { BitVec::ones(exponent) };
    let fraction = BitVec::new(significand - 1, u64::from(name == "NaN"));
    Value::float(exponent, significand, sign.concat(&exponent_bits).concat(&fraction))
}
