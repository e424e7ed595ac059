//! What tests share: a generator of numbers, and random terms of all sorts.

#![allow(clippy::unwrap_used)]

use crate::arena::Arena;
use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sort::{ArraySort, Sort};
use crate::term::Term;
use crate::value::{RoundingMode, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::sync::Arc;

/// A xorshift generator: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Variables and constants of all sorts, with names that want quotes.
pub(crate) fn leaves_of_all_sorts(arena: &mut Arena) -> Vec<Term> {
    let bytes = Sort::array(Sort::BitVec(8), Sort::BitVec(8));
    let nested = Sort::array(Sort::Int, Sort::array(Sort::BitVec(1), Sort::Real));
    let thing = Sort::Uninterpreted("Thing".into());
    let half = Sort::Float(5, 11);
    let variables = [
        ("p", Sort::Bool),
        ("and", Sort::Bool),
        ("let", Sort::Bool),
        ("bit", Sort::BitVec(1)),
        ("x", Sort::BitVec(8)),
        ("x'", Sort::BitVec(8)),
        ("main::y z", Sort::BitVec(8)),
        ("?0", Sort::BitVec(16)),
        ("0", Sort::BitVec(16)),
        ("wide", Sort::BitVec(100)),
        ("f", half.clone()),
        ("g", half.clone()),
        ("single", Sort::FLOAT32),
        ("mode", Sort::RoundingMode),
        ("bytes", bytes.clone()),
        ("", bytes.clone()),
        ("nested", nested),
        ("t", thing.clone()),
        ("u", thing.clone()),
        ("n", Sort::Int),
        ("m", Sort::Int),
        ("r", Sort::Real),
        ("s", Sort::Real),
    ];
    let mut terms: Vec<Term> =
        variables.iter().map(|(name, sort)| arena.variable(name, sort).unwrap()).collect();
    let rational = |n: i64, d: i64| Value::Real(BigRational::new(BigInt::from(n), BigInt::from(d)));
    let array = |entries: &[(u64, u64)]| {
        let byte = |value: u64| Value::BitVec(BitVec::new(8, value));
        Value::Array(Arc::new(ArrayValue::new(
            ArraySort { index: Sort::BitVec(8), element: Sort::BitVec(8) },
            byte(7),
            entries.iter().map(|&(index, element)| (byte(index), byte(element))).collect(),
        )))
    };
    let float = |bits: u64| Value::float(5, 11, BitVec::new(16, bits));
    let values = [
        Value::Bool(true),
        Value::BitVec(BitVec::new(1, 1)),
        Value::BitVec(BitVec::new(8, 0)),
        Value::BitVec(BitVec::new(8, 0x81)),
        Value::BitVec(BitVec::new(16, 0x1234)),
        Value::BitVec(BitVec::ones(100)),
        float(0),
        float(0x8000),
        float(0x7c00),
        float(0xfc00),
        float(0x7fff),
        float(0x3c01),
        Value::RoundingMode(RoundingMode::NearestAway),
        Value::RoundingMode(RoundingMode::TowardZero),
        array(&[]),
        array(&[(1, 2), (200, 3)]),
        Value::Uninterpreted("Thing".into(), 12),
        Value::Int(BigInt::from(0)),
        Value::Int(BigInt::from(-17)),
        rational(1, 3),
        rational(-5, 4),
        rational(3, 1),
    ];
    terms.extend(values.into_iter().map(|value| arena.constant(value)));
    arena.declare("fun", vec![Sort::BitVec(8), Sort::BitVec(8)], Sort::BitVec(8)).unwrap();
    arena.declare("is good", vec![thing.clone()], Sort::Bool).unwrap();
    arena.declare("make", vec![Sort::Int], thing).unwrap();
    terms
}

/// A random operator of any theory on random operands.
pub(crate) fn random_term(arena: &mut Arena, random: &mut Random, pool: &[Term]) -> Term {
    let sort = arena.sort_id(&Sort::array(Sort::BitVec(8), Sort::BitVec(8)));
    let functions = ["fun", "is good", "make"].map(|name| Op::Apply(arena.lookup(name).unwrap()));
    let lo = random.below(8) as u32;
    let hi = lo + random.below(8) as u32;
    let by = random.below(4) as u32;
    let ops = [
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Eq,
        Op::Ite,
        Op::Concat,
        Op::Extract { hi, lo },
        Op::ZeroExtend(by),
        Op::SignExtend(by),
        Op::BvNot,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvNeg,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::Select,
        Op::Store,
        Op::ConstArray(sort),
        Op::Neg,
        Op::Add,
        Op::Mul,
        Op::IntDiv,
        Op::IntMod,
        Op::IntAbs,
        Op::RealDiv,
        Op::Le,
        Op::Lt,
        Op::ToReal,
        Op::ToInt,
        Op::IsInt,
        Op::Divisible(3),
        Op::FpFromBits,
        Op::FpAbs,
        Op::FpNeg,
        Op::FpAdd,
        Op::FpMul,
        Op::FpDiv,
        Op::FpFma,
        Op::FpSqrt,
        Op::FpRem,
        Op::FpRoundToIntegral,
        Op::FpMin,
        Op::FpMax,
        Op::FpLe,
        Op::FpLt,
        Op::FpEq,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsZero,
        Op::FpIsInfinite,
        Op::FpIsNan,
        Op::FpIsNegative,
        Op::FpIsPositive,
        Op::FpToFp(8, 24),
        Op::FpFromIeeeBits(5, 11),
        Op::FpToIeeeBits,
        Op::FpFromSigned(5, 11),
        Op::FpFromUnsigned(5, 11),
        Op::FpFromReal(5, 11),
        Op::FpToUnsigned(8),
        Op::FpToSigned(8),
        Op::FpToReal,
        functions[0],
        functions[1],
        functions[2],
    ];
    loop {
        let op = random.pick(&ops);
        for _ in 0..200 {
            let arity = 1 + random.below(4);
            let children: Vec<Term> = (0..arity).map(|_| random.pick(pool)).collect();
            if matches!(op, Op::Add | Op::Mul) && arity < 2 {
                continue;
            }
            if let Ok(term) = arena.try_mk(op, &children) {
                return term;
            }
        }
    }
}
