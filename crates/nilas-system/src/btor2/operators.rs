//! The operators of BTOR2 as terms.

use super::{Reader, Result, Word};
use crate::script::shorten;
use nilas_term::{Arena, BitVec, Op, Sort, Term, Value};

/// The longest literal that is read.
const LONGEST: usize = 1 << 20;

/// The value of a line that is an operator applied to earlier values, or a constant.
pub(super) fn term(reader: &mut Reader, op: Word<'_>, sort: &Sort, rest: &[Word<'_>]) -> Result<Term> {
    if let Some(constant) = constant(op, sort, rest)? {
        return Ok(reader.arena.constant(Value::BitVec(constant)));
    }
    let needed =
        arity(op.text).ok_or_else(|| op.error(format!("unknown operator `{}`", shorten(op.text))))?;
    if rest.len() < needed {
        return Err(op.error(format!("`{}` takes {needed} arguments", op.text)));
    }
    let mut arguments = Vec::new();
    for word in &rest[..needed] {
        arguments.push(reader.value(*word)?);
    }
    let index = |position: usize| -> Result<u32> {
        let word = rest.get(position).copied();
        let word = word.ok_or_else(|| op.error(format!("`{}` needs a number here", op.text)))?;
        word.text.parse().map_err(|_| word.error("a small number expected"))
    };
    let arena = &mut reader.arena;
    let made = match op.text {
        "slice" => {
            let (hi, lo) = (index(1)?, index(2)?);
            arena.try_mk(Op::Extract { hi, lo }, &arguments)
        }
        "uext" => arena.try_mk(Op::ZeroExtend(index(1)?), &arguments),
        "sext" => arena.try_mk(Op::SignExtend(index(1)?), &arguments),
        "not" => arena.try_mk(Op::BvNot, &arguments),
        "neg" => arena.try_mk(Op::BvNeg, &arguments),
        "read" => arena.try_mk(Op::Select, &arguments),
        "write" => arena.try_mk(Op::Store, &arguments),
        "concat" => arena.try_mk(Op::Concat, &arguments),
        _ => return others(arena, op, &arguments),
    };
    made.map_err(|error| op.error(error.message))
}

fn arity(op: &str) -> Option<usize> {
    Some(match op {
        "slice" | "uext" | "sext" | "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => 1,
        "iff" | "implies" | "eq" | "neq" | "ugt" | "sgt" | "ugte" | "sgte" | "ult" | "slt" | "ulte"
        | "slte" | "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "rol" | "ror" | "sll" | "sra" | "srl"
        | "add" | "mul" | "udiv" | "sdiv" | "smod" | "urem" | "srem" | "sub" | "uaddo" | "saddo"
        | "sdivo" | "umulo" | "smulo" | "usubo" | "ssubo" | "concat" | "read" => 2,
        "ite" | "write" => 3,
        _ => return None,
    })
}

/// A constant of the sort, if the operator is one.
fn constant(op: Word<'_>, sort: &Sort, rest: &[Word<'_>]) -> Result<Option<BitVec>> {
    let radix = match op.text {
        "zero" | "one" | "ones" => 0,
        "const" => 2,
        "constd" => 10,
        "consth" => 16,
        _ => return Ok(None),
    };
    let Some(width) = sort.width() else { return Err(op.error("a constant is a bit-vector")) };
    if radix == 0 {
        return Ok(Some(match op.text {
            "zero" => BitVec::zero(width),
            "one" => BitVec::one(width),
            _ => BitVec::ones(width),
        }));
    }
    let Some(&word) = rest.first() else { return Err(op.error("a constant needs digits")) };
    let (negative, digits) = match word.text.strip_prefix('-') {
        Some(digits) if radix == 10 => (true, digits),
        _ => (false, word.text),
    };
    if digits.is_empty() || digits.len() > LONGEST || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(word.error(format!("digits of base {radix} expected")));
    }
    if radix == 2 && digits.len() > width as usize {
        return Err(word.error(format!("{} digits for {width} bits", digits.len())));
    }
    let value = BitVec::parse(width, digits, radix)
        .ok_or_else(|| word.error(format!("the number does not fit into {width} bits")))?;
    Ok(Some(if negative { value.neg() } else { value }))
}

fn others(arena: &mut Arena, op: Word<'_>, arguments: &[Term]) -> Result<Term> {
    let first_sort = arena.sort(arguments[0]).clone();
    if op.text == "ite" {
        if first_sort != Sort::BitVec(1) {
            return Err(op.error("the condition of `ite` is a bit"));
        }
        let one = arena.bv(1, 1);
        let condition = arena.eq(arguments[0], one);
        return arena
            .try_mk(Op::Ite, &[condition, arguments[1], arguments[2]])
            .map_err(|error| op.error(error.message));
    }
    let equal_sorts = arguments.iter().all(|&argument| *arena.sort(argument) == first_sort);
    if !equal_sorts {
        return Err(op.error(format!("the arguments of `{}` have different sorts", op.text)));
    }
    if matches!(op.text, "eq" | "neq") {
        let equal = arena.eq(arguments[0], arguments[1]);
        let truth = if op.text == "eq" { equal } else { arena.not(equal) };
        return Ok(arena.bool_to_bv(truth, 1));
    }
    let Sort::BitVec(width) = first_sort else {
        return Err(op.error(format!("`{}` takes bit-vectors", op.text)));
    };
    if matches!(op.text, "iff" | "implies") && width != 1 {
        return Err(op.error(format!("`{}` takes bits", op.text)));
    }
    let bit = |arena: &mut Arena, truth: Term| arena.bool_to_bv(truth, 1);
    let (a, b) = (arguments[0], arguments.get(1).copied().unwrap_or(arguments[0]));
    let plain = |arena: &mut Arena, op: Op| arena.mk(op, &[a, b]);
    Ok(match op.text {
        "inc" | "dec" => {
            let one = arena.constant(Value::BitVec(BitVec::one(width)));
            if op.text == "inc" { arena.mk(Op::BvAdd, &[a, one]) } else { arena.bv_sub(a, one) }
        }
        "redor" => {
            let truth = arena.bv_redor(a);
            as_bit(arena, truth)
        }
        "redand" => {
            let truth = arena.bv_redand(a);
            as_bit(arena, truth)
        }
        "redxor" => {
            let mut parity = arena.extract(a, 0, 0);
            for index in 1..width {
                let next = arena.extract(a, index, index);
                parity = arena.mk(Op::BvXor, &[parity, next]);
            }
            parity
        }
        "iff" => {
            let truth = arena.eq(a, b);
            bit(arena, truth)
        }
        "implies" => {
            let not = arena.bv_not(a);
            arena.mk(Op::BvOr, &[not, b])
        }
        "ugt" => compare(arena, Op::BvUlt, b, a),
        "sgt" => compare(arena, Op::BvSlt, b, a),
        "ugte" => compare(arena, Op::BvUle, b, a),
        "sgte" => compare(arena, Op::BvSle, b, a),
        "ult" => compare(arena, Op::BvUlt, a, b),
        "slt" => compare(arena, Op::BvSlt, a, b),
        "ulte" => compare(arena, Op::BvUle, a, b),
        "slte" => compare(arena, Op::BvSle, a, b),
        "and" => plain(arena, Op::BvAnd),
        "or" => plain(arena, Op::BvOr),
        "xor" => plain(arena, Op::BvXor),
        "nand" => arena.bv_nand(a, b),
        "nor" => arena.bv_nor(a, b),
        "xnor" => arena.bv_xnor(a, b),
        "sll" => plain(arena, Op::BvShl),
        "srl" => plain(arena, Op::BvLshr),
        "sra" => plain(arena, Op::BvAshr),
        "rol" | "ror" => rotate(arena, a, b, width, op.text == "rol"),
        "add" => plain(arena, Op::BvAdd),
        "sub" => arena.bv_sub(a, b),
        "mul" => plain(arena, Op::BvMul),
        "udiv" => plain(arena, Op::BvUdiv),
        "sdiv" => plain(arena, Op::BvSdiv),
        "smod" => plain(arena, Op::BvSmod),
        "urem" => plain(arena, Op::BvUrem),
        "srem" => plain(arena, Op::BvSrem),
        overflow => {
            let truth = match overflow {
                "uaddo" => arena.bv_uaddo(a, b),
                "saddo" => arena.bv_saddo(a, b),
                "usubo" => arena.bv_usubo(a, b),
                "ssubo" => arena.bv_ssubo(a, b),
                "umulo" => arena.bv_umulo(a, b),
                "smulo" => arena.bv_smulo(a, b),
                _ => arena.bv_sdivo(a, b),
            };
            as_bit(arena, truth)
        }
    })
}

/// A truth value, or a bit, as a bit.
fn as_bit(arena: &mut Arena, term: Term) -> Term {
    if *arena.sort(term) == Sort::Bool { arena.bool_to_bv(term, 1) } else { term }
}

fn compare(arena: &mut Arena, op: Op, left: Term, right: Term) -> Term {
    let truth = arena.mk(op, &[left, right]);
    arena.bool_to_bv(truth, 1)
}

/// Rotation by any amount, modulo the width.
fn rotate(arena: &mut Arena, value: Term, by: Term, width: u32, left: bool) -> Term {
    let size = arena.constant(Value::BitVec(BitVec::new(width, u64::from(width))));
    // A width that does not fit into its own bits: only 1, where rotation does nothing.
    if width == 1 {
        return value;
    }
    let by = arena.mk(Op::BvUrem, &[by, size]);
    let back = arena.bv_sub(size, by);
    let (one, other) = if left { (Op::BvShl, Op::BvLshr) } else { (Op::BvLshr, Op::BvShl) };
    let (one, other) = (arena.mk(one, &[value, by]), arena.mk(other, &[value, back]));
    arena.mk(Op::BvOr, &[one, other])
}
