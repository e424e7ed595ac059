//! What a term can be, given what its children can be.

use super::Node;
use super::bits::{self, Bits, Span, below, binary, unary};
use super::floats::{Floats, infinity, value};
use super::known::{Known, OPEN};
use nilas_term::{Arena, BitVec, FloatValue, Format, Op, RoundingMode, Sort, Value};

/// The values of a term. Variables have all of their sort.
pub(super) fn forward(arena: &Arena, node: &Node, known: &[Known]) -> Known {
    let child = |at: usize| known[node.children[at]];
    match node.op {
        Op::Const(value) => Known::one(arena.value(value)),
        Op::Not | Op::And | Op::Or | Op::Xor => connective(node, known),
        Op::Eq => child(0).equal(child(1)).map_or(OPEN, Known::truth),
        Op::Ite => match child(0).decided() {
            Some(true) => child(1),
            Some(false) => child(2),
            None => child(1).join(child(2)),
        },
        _ => {
            let operands: Vec<Known> = node.children.iter().map(|&child| known[child]).collect();
            let all = || on_values(arena, node.op, &operands).unwrap_or_else(|| Known::all(&node.sort));
            let made = operator(node, &operands).unwrap_or_else(all);
            node.linear.iter().fold(made, |made, linear| linear.narrowed(made, known))
        }
    }
}

/// What the evaluator says, where every operand has one value.
fn on_values(arena: &Arena, op: Op, operands: &[Known]) -> Option<Known> {
    let values: Vec<Value> = operands.iter().map(|operand| operand.value()).collect::<Option<_>>()?;
    let values: Vec<&Value> = values.iter().collect();
    nilas_term::apply(arena, op, &values).map(|value| Known::one(&value))
}

fn connective(node: &Node, known: &[Known]) -> Known {
    let mut children = node.children.iter().map(|&child| known[child]);
    let all = |yes: bool, no: bool| Known::Truth { yes, no };
    match node.op {
        Op::Not => children.next().map_or(OPEN, |it| all(it.can_be(false), it.can_be(true))),
        Op::And => {
            let yes = children.clone().all(|it| it.can_be(true));
            all(yes, children.any(|it| it.can_be(false)))
        }
        Op::Or => {
            let no = children.clone().all(|it| it.can_be(false));
            all(children.any(|it| it.can_be(true)), no)
        }
        _ => match children.map(Known::decided).collect::<Option<Vec<bool>>>() {
            Some(values) => Known::truth(values.iter().fold(false, |sum, &value| sum != value)),
            None => OPEN,
        },
    }
}

/// An operator; nothing if it is not known here, or its operands are not.
fn operator(node: &Node, operands: &[Known]) -> Option<Known> {
    match (&node.sort, operands) {
        (Sort::Bool, _) => predicate(node.op, operands),
        (Sort::BitVec(width), [Known::Bits(x)]) => unary(node.op, *width, *x).map(Known::Bits),
        (Sort::BitVec(width), [Known::Bits(x), Known::Bits(y)]) => {
            binary(node.op, *width, *x, *y).map(Known::Bits)
        }
        (Sort::BitVec(width), [Known::Mode(modes), Known::Float(x)]) => {
            in_modes(*modes, |mode| to_integer(node.op, *width, mode, *x).map(Known::Bits))
        }
        (Sort::BitVec(width), [Known::Float(x)]) if node.op == Op::FpToIeeeBits => {
            x.bits().and_then(|span| Bits::unsigned(*width, span)).map(Known::Bits)
        }
        (Sort::Float(exponent, significand), [Known::Mode(modes), operands @ ..]) => {
            let format = Format::new(*exponent, *significand);
            in_modes(*modes, |mode| rounded(node.op, format, mode, operands).map(Known::Float))
        }
        (Sort::Float(exponent, significand), _) => {
            float(node.op, Format::new(*exponent, *significand), operands).map(Known::Float)
        }
        _ => None,
    }
}

/// What comes out in any of some rounding modes; nothing if that is not known in one of them.
fn in_modes(modes: u8, result: impl Fn(RoundingMode) -> Option<Known>) -> Option<Known> {
    let mut all = Known::modes(modes).map(result);
    let first = all.next()??;
    all.try_fold(first, |joined, next| Some(joined.join(next?)))
}

fn predicate(op: Op, operands: &[Known]) -> Option<Known> {
    let decided = match (op, operands) {
        (Op::BvUlt, [Known::Bits(x), Known::Bits(y)]) => below(x.unsigned, y.unsigned, 1),
        (Op::BvUle, [Known::Bits(x), Known::Bits(y)]) => below(x.unsigned, y.unsigned, 0),
        (Op::BvSlt, [Known::Bits(x), Known::Bits(y)]) => below(x.signed, y.signed, 1),
        (Op::BvSle, [Known::Bits(x), Known::Bits(y)]) => below(x.signed, y.signed, 0),
        (Op::FpLt, [Known::Float(x), Known::Float(y)]) => x.less(*y, 1),
        (Op::FpLe, [Known::Float(x), Known::Float(y)]) => x.less(*y, 0),
        (Op::FpEq, [Known::Float(x), Known::Float(y)]) => x.same(*y),
        (Op::FpIsNan, [Known::Float(x)]) => match (x.nan, x.numbers()) {
            (true, true) => None,
            (nan, _) => Some(nan),
        },
        (Op::FpIsNegative, [Known::Float(x)]) => x.within(i128::MIN, -1),
        (Op::FpIsPositive, [Known::Float(x)]) => x.within(0, i128::MAX),
        (Op::FpIsZero, [Known::Float(x)]) => x.within(-1, 0),
        (Op::FpIsInfinite | Op::FpIsNormal | Op::FpIsSubnormal, [Known::Float(x)]) => {
            let (top, normal) = (infinity(x.format), 1 << x.format.fraction());
            let (lo, hi) = match op {
                Op::FpIsInfinite => (top, top),
                Op::FpIsNormal => (normal, top - 1),
                _ => (1, normal - 1),
            };
            match (x.within(lo, hi), x.within(-1 - hi, -1 - lo)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }
        }
        _ => None,
    };
    decided.map(Known::truth)
}

fn float(op: Op, format: Format, operands: &[Known]) -> Option<Floats> {
    match (op, operands) {
        (Op::FpNeg, [Known::Float(x)]) => Some(x.negated()),
        (Op::FpAbs, [Known::Float(x)]) => Some(x.absolute()),
        (Op::FpMin, [Known::Float(x), Known::Float(y)]) => Some(x.minimum(*y)),
        (Op::FpMax, [Known::Float(x), Known::Float(y)]) => Some(x.maximum(*y)),
        (Op::FpRem, [Known::Float(x), Known::Float(y)]) => Some(x.remainder(*y)),
        (Op::FpFromIeeeBits(..), [Known::Bits(x)]) => Floats::of_bits(format, x.unsigned),
        _ => None,
    }
}

fn rounded(op: Op, format: Format, mode: RoundingMode, operands: &[Known]) -> Option<Floats> {
    Some(match (op, operands) {
        (Op::FpAdd, [Known::Float(x), Known::Float(y)]) => x.add(*y, mode),
        (Op::FpMul, [Known::Float(x), Known::Float(y)]) => x.multiply(*y, mode),
        (Op::FpDiv, [Known::Float(x), Known::Float(y)]) => x.divide(*y, mode),
        (Op::FpFma, [Known::Float(x), Known::Float(y), Known::Float(z)]) => x.fused(*y, *z, mode),
        (Op::FpSqrt, [Known::Float(x)]) => x.root(mode),
        (Op::FpRoundToIntegral, [Known::Float(x)]) => x.to_integral(mode),
        (Op::FpToFp(..), [Known::Float(x)]) => {
            Floats::all(format)?;
            x.to_format(format, mode)
        }
        (Op::FpFromSigned(..), [Known::Bits(x)]) => {
            Floats::all(format)?;
            let ends = [x.signed.lo, x.signed.hi];
            let of = |number| FloatValue::from_signed(format, &two_complement(x.width, number), mode);
            Floats::of_integers(format, &ends.map(of))
        }
        (Op::FpFromUnsigned(..), [Known::Bits(x)]) => {
            Floats::all(format)?;
            let ends = [x.unsigned.lo, x.unsigned.hi];
            let of = |number| FloatValue::from_unsigned(format, &two_complement(x.width, number), mode);
            Floats::of_integers(format, &ends.map(of))
        }
        _ => return None,
    })
}

/// The bit-vector of a number, modulo its width.
fn two_complement(width: u32, number: i128) -> BitVec {
    super::floats::bit_vector(width, number & ((1 << width) - 1))
}

/// A float as an integer: where all of the interval has one that fits.
fn to_integer(op: Op, width: u32, mode: RoundingMode, x: Floats) -> Option<Bits> {
    if x.nan || !x.numbers() || width > 64 {
        return None;
    }
    let all = Bits::all(width)?;
    let (fits, signed) = match op {
        Op::FpToSigned(_) => (all.signed, true),
        Op::FpToUnsigned(_) => (all.unsigned, false),
        _ => return None,
    };
    // Numbers beyond the range have no integer, and become 0: with room for one more bit it is seen which do.
    let wide = width + 2;
    let top = infinity(x.format);
    if x.lo == -1 - top || x.hi == top {
        return None;
    }
    let integer = |rank: i128| {
        let float = value(x.format, rank);
        let bits = float.to_signed(wide, mode);
        let number = bits::Bits::one_wide(&bits);
        let zero = number == 0 && !float.round_to_integral(mode).is_zero();
        (!zero).then_some(number)
    };
    let span = Span { lo: integer(x.lo)?, hi: integer(x.hi)? };
    if span.lo < fits.lo || span.hi > fits.hi {
        return None;
    }
    if signed { Bits::signed(width, span) } else { Bits::unsigned(width, span) }
}
