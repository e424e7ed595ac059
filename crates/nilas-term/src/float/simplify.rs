//! Simplification of float operators on construction.
//!
//! Cheap rules only: they look at most two operators deep, and every result is smaller than, or as large as
//! and more regular than, what was asked for. Constants have been folded before. Each rule is checked
//! exhaustively on small formats in `tests::simplification`.

use super::Format;
use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{FloatValue, RoundingMode, Value};

/// A simpler term than `op(children)`, if a rule finds one.
pub(crate) fn simplify(arena: &mut Arena, op: Op, children: &[Term]) -> Option<Term> {
    match (op, children) {
        (Op::FpNeg | Op::FpAbs, &[x]) => signs(arena, op, x),
        (
            Op::FpIsNan
            | Op::FpIsInfinite
            | Op::FpIsZero
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsNegative
            | Op::FpIsPositive,
            &[x],
        ) => classes(arena, op, x),
        (Op::FpEq | Op::FpLt | Op::FpLe, &[x, y]) => comparisons(arena, op, x, y),
        (Op::FpMin | Op::FpMax, &[x, y]) => extrema(arena, op, x, y),
        (Op::FpFromBits, &[sign, exponent, fraction]) => {
            let format = (arena.width(exponent), arena.width(fraction) + 1);
            let high = arena.concat(sign, exponent);
            let bits = arena.concat(high, fraction);
            Some(arena.mk(Op::FpFromIeeeBits(format.0, format.1), &[bits]))
        }
        // The other way round a NaN would lose its sign and payload.
        (Op::FpFromIeeeBits(e, s), &[bits]) => {
            below(arena, Op::FpToIeeeBits, bits).filter(|&x| *arena.sort(x) == Sort::Float(e, s))
        }
        (Op::FpRem, &[x, y]) => [x, y].into_iter().find(|&operand| is_nan(arena, operand)),
        (Op::FpAdd | Op::FpMul | Op::FpDiv, &[mode, x, y]) => arithmetic(arena, op, mode, x, y),
        (Op::FpFma, &[mode, x, y, z]) => [x, y, z]
            .into_iter()
            .find(|&operand| is_nan(arena, operand))
            .or_else(|| is_out_of_order(arena, x, y).then(|| arena.mk(Op::FpFma, &[mode, y, x, z]))),
        (Op::FpRoundToIntegral, &[_, x]) => (arena.op(x) == Op::FpRoundToIntegral).then_some(x),
        (Op::FpToFp(e, s), &[mode, x]) => conversion(arena, Format::new(e, s), mode, x),
        (Op::FpFromSigned(e, s) | Op::FpFromUnsigned(e, s), &[mode, x]) => {
            let bits = arena.width(x) - u32::from(matches!(op, Op::FpFromSigned(..)));
            let exact = bits <= s && i64::from(bits) <= Format::new(e, s).max_exponent();
            exact.then(|| any_mode(arena, mode)).flatten().map(|mode| arena.mk(op, &[mode, x]))
        }
        (Op::FpFromReal(e, s), &[mode, x]) => constant_real(arena, Format::new(e, s), mode, x),
        _ => None,
    }
}

fn float(arena: &Arena, term: Term) -> Option<&FloatValue> {
    match arena.as_value(term) {
        Some(Value::Float(value)) => Some(value),
        _ => None,
    }
}

fn is_nan(arena: &Arena, term: Term) -> bool {
    float(arena, term).is_some_and(FloatValue::is_nan)
}

/// Whether commutative operands should change places: constants come last, and else the older term first.
fn is_out_of_order(arena: &Arena, x: Term, y: Term) -> bool {
    let key = |term: Term| (arena.as_value(term).is_some(), term);
    key(y) < key(x)
}

fn format_of(arena: &Arena, term: Term) -> Option<Format> {
    match arena.sort(term) {
        Sort::Float(exponent, significand) => Some(Format::new(*exponent, *significand)),
        _ => None,
    }
}

/// The one child of a unary operator.
fn below(arena: &Arena, op: Op, term: Term) -> Option<Term> {
    (arena.op(term) == op).then(|| arena.children(term)[0])
}

fn is_number(arena: &mut Arena, term: Term) -> Term {
    let nan = arena.mk(Op::FpIsNan, &[term]);
    arena.not(nan)
}

fn signs(arena: &mut Arena, op: Op, x: Term) -> Option<Term> {
    if op == Op::FpNeg {
        return below(arena, Op::FpNeg, x);
    }
    if arena.op(x) == Op::FpAbs {
        return Some(x);
    }
    below(arena, Op::FpNeg, x).map(|inner| arena.mk(Op::FpAbs, &[inner]))
}

fn classes(arena: &mut Arena, op: Op, x: Term) -> Option<Term> {
    let inner = arena.op(x);
    if matches!(inner, Op::FpNeg | Op::FpAbs) {
        let operand = arena.children(x)[0];
        return Some(match (op, inner) {
            (Op::FpIsNegative, Op::FpNeg) => arena.mk(Op::FpIsPositive, &[operand]),
            (Op::FpIsPositive, Op::FpNeg) => arena.mk(Op::FpIsNegative, &[operand]),
            (Op::FpIsNegative, _) => arena.mk_false(),
            (Op::FpIsPositive, _) => is_number(arena, operand),
            _ => arena.mk(op, &[operand]),
        });
    }
    if op != Op::FpIsNan {
        return None;
    }
    match (inner, arena.children(x)) {
        (Op::FpToFp(..) | Op::FpRoundToIntegral, &[_, operand]) => Some(arena.mk(Op::FpIsNan, &[operand])),
        (Op::FpFromSigned(..) | Op::FpFromUnsigned(..) | Op::FpFromReal(..), _) => Some(arena.mk_false()),
        (Op::FpMin | Op::FpMax, &[a, b]) => {
            let (a, b) = (arena.mk(Op::FpIsNan, &[a]), arena.mk(Op::FpIsNan, &[b]));
            Some(arena.and(&[a, b]))
        }
        _ => None,
    }
}

fn comparisons(arena: &mut Arena, op: Op, x: Term, y: Term) -> Option<Term> {
    if x == y {
        return Some(if op == Op::FpLt { arena.mk_false() } else { is_number(arena, x) });
    }
    let values = (float(arena, x), float(arena, y));
    if values.0.is_some_and(FloatValue::is_nan) || values.1.is_some_and(FloatValue::is_nan) {
        return Some(arena.mk_false());
    }
    let least = |value: Option<&FloatValue>| value.is_some_and(|v| v.is_infinite() && v.sign());
    let greatest = |value: Option<&FloatValue>| value.is_some_and(|v| v.is_infinite() && !v.sign());
    match op {
        Op::FpEq => {
            let (variable, value) = match values {
                (Some(value), None) => (y, value),
                (None, Some(value)) => (x, value),
                _ => return is_out_of_order(arena, x, y).then(|| arena.mk(Op::FpEq, &[y, x])),
            };
            // Only zeros have two layouts.
            if value.is_zero() {
                return Some(arena.mk(Op::FpIsZero, &[variable]));
            }
            Some(arena.eq(x, y))
        }
        Op::FpLt if least(values.1) || greatest(values.0) => Some(arena.mk_false()),
        Op::FpLe if greatest(values.1) => Some(is_number(arena, x)),
        Op::FpLe if least(values.0) => Some(is_number(arena, y)),
        _ => None,
    }
}

fn extrema(arena: &mut Arena, op: Op, x: Term, y: Term) -> Option<Term> {
    if x == y || is_nan(arena, y) {
        return Some(x);
    }
    if is_nan(arena, x) {
        return Some(y);
    }
    is_out_of_order(arena, x, y).then(|| arena.mk(op, &[y, x]))
}

fn arithmetic(arena: &mut Arena, op: Op, mode: Term, x: Term, y: Term) -> Option<Term> {
    if let Some(nan) = [x, y].into_iter().find(|&operand| is_nan(arena, operand)) {
        return Some(nan);
    }
    if op != Op::FpDiv && is_out_of_order(arena, x, y) {
        return Some(arena.mk(op, &[mode, y, x]));
    }
    // Which constant is neutral, and beside what.
    let (value, other) = match (float(arena, x), float(arena, y)) {
        (Some(value), None) if op != Op::FpDiv => (value, y),
        (None, Some(value)) => (value, x),
        _ => return None,
    };
    if op == Op::FpAdd {
        // −0 + +0 has the sign that the mode says, so the neutral zero depends on it.
        let Some(Value::RoundingMode(mode)) = arena.as_value(mode) else { return None };
        return (value.is_zero() && value.sign() != mode.zero_is_negative()).then_some(other);
    }
    let negative = value.sign();
    let one = FloatValue::from_integer(value.format(), &1.into(), RoundingMode::NearestEven);
    if value.abs() != one {
        return None;
    }
    Some(if negative { arena.mk(Op::FpNeg, &[other]) } else { other })
}

/// Any constant will do as mode, so it is always the same; `None` when it is that already.
fn any_mode(arena: &mut Arena, mode: Term) -> Option<Term> {
    let nearest = arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
    (mode != nearest).then_some(nearest)
}

/// Whether every float of one format is one of the other.
fn is_within(small: Format, large: Format) -> bool {
    small.exponent <= large.exponent && small.significand <= large.significand
}

fn conversion(arena: &mut Arena, format: Format, mode: Term, x: Term) -> Option<Term> {
    let from = format_of(arena, x)?;
    if from == format {
        return Some(x);
    }
    let op = Op::FpToFp(format.exponent, format.significand);
    if let (Op::FpToFp(..), &[_, origin]) = (arena.op(x), arena.children(x))
        && is_within(format_of(arena, origin)?, from)
    {
        return Some(arena.mk(op, &[mode, origin]));
    }
    if is_within(from, format) {
        return any_mode(arena, mode).map(|mode| arena.mk(op, &[mode, x]));
    }
    None
}

/// A constant real under a variable mode: the constant for each mode. Two of them differ at most.
fn constant_real(arena: &mut Arena, format: Format, mode: Term, x: Term) -> Option<Term> {
    let Some(Value::Real(real)) = arena.as_value(x) else { return None };
    let values = RoundingMode::ALL.map(|mode| (mode, FloatValue::from_real(format, real, mode)));
    let (_, last) = &values[values.len() - 1];
    let mut result = arena.constant(Value::Float(last.clone()));
    for (case, value) in values.into_iter().rev().skip(1) {
        let case = arena.constant(Value::RoundingMode(case));
        let value = arena.constant(Value::Float(value));
        if value != result {
            let chosen = arena.eq(mode, case);
            result = arena.ite(chosen, value, result);
        }
    }
    Some(result)
}
