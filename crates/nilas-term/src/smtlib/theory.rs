//! The symbols of the theories: core, bit-vectors, arrays, integers and reals, floats.
//!
//! Operators that terms do not have become their definitions, as in `crate::derived`.

use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::sorting::{MAX_WIDTH, format_limit};
use crate::term::Term;
use crate::value::{RoundingMode, Value};

type Made = Result<Term, String>;

/// All names that [`apply`] knows without indices, sorted.
const NAMES: &[&str] = &[
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    "=>",
    ">",
    ">=",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "abs",
    "and",
    "bvadd",
    "bvand",
    "bvashr",
    "bvcomp",
    "bvlshr",
    "bvmul",
    "bvnand",
    "bvneg",
    "bvnego",
    "bvnor",
    "bvnot",
    "bvor",
    "bvredand",
    "bvredor",
    "bvsaddo",
    "bvsdiv",
    "bvsdivo",
    "bvsge",
    "bvsgt",
    "bvshl",
    "bvsle",
    "bvslt",
    "bvsmod",
    "bvsmulo",
    "bvsrem",
    "bvssubo",
    "bvsub",
    "bvuaddo",
    "bvudiv",
    "bvuge",
    "bvugt",
    "bvule",
    "bvult",
    "bvumulo",
    "bvurem",
    "bvusubo",
    "bvxnor",
    "bvxor",
    "concat",
    "distinct",
    "div",
    "false",
    "fp",
    "fp.abs",
    "fp.add",
    "fp.div",
    "fp.eq",
    "fp.fma",
    "fp.geq",
    "fp.gt",
    "fp.isInfinite",
    "fp.isNaN",
    "fp.isNegative",
    "fp.isNormal",
    "fp.isPositive",
    "fp.isSubnormal",
    "fp.isZero",
    "fp.leq",
    "fp.lt",
    "fp.max",
    "fp.min",
    "fp.mul",
    "fp.neg",
    "fp.rem",
    "fp.roundToIntegral",
    "fp.sqrt",
    "fp.sub",
    "fp.to_real",
    "is_int",
    "ite",
    "mod",
    "not",
    "or",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "select",
    "store",
    "to_int",
    "to_real",
    "true",
    "xor",
];

/// Whether a name means something in a theory, so that users' symbols of that name need bars.
#[must_use]
pub fn is_theory_symbol(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// Why a name that others know is unknown here.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    match name {
        "ubv_to_int" | "sbv_to_int" | "bv2nat" | "bv2int" | "int_to_bv" | "int2bv" | "nat2bv" => {
            Some("conversions between integers and bit-vectors are not supported")
        }
        "fp.to_ieee_bv" => Some("a NaN has no unique bits; go the other way with to_fp"),
        _ => None,
    }
}

/// A symbol of a theory applied to arguments; `None` when no theory has it.
pub(super) fn apply(arena: &mut Arena, name: &str, indices: &[u32], arguments: &[Term]) -> Option<Made> {
    match indices {
        [] => plain(arena, name, arguments),
        indices => indexed(arena, name, indices, arguments),
    }
}

fn plain(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    if !is_theory_symbol(name) {
        return None;
    }
    let constant = match name {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "RNE" | "roundNearestTiesToEven" => Some(Value::RoundingMode(RoundingMode::NearestEven)),
        "RNA" | "roundNearestTiesToAway" => Some(Value::RoundingMode(RoundingMode::NearestAway)),
        "RTP" | "roundTowardPositive" => Some(Value::RoundingMode(RoundingMode::Up)),
        "RTN" | "roundTowardNegative" => Some(Value::RoundingMode(RoundingMode::Down)),
        "RTZ" | "roundTowardZero" => Some(Value::RoundingMode(RoundingMode::TowardZero)),
        _ => None,
    };
    match constant {
        Some(value) if arguments.is_empty() => return Some(Ok(arena.constant(value))),
        Some(_) => return Some(Err("no arguments expected".to_owned())),
        None if arguments.is_empty() => return Some(Err("arguments expected".to_owned())),
        None => {}
    }
    let made = core(arena, name, arguments)
        .or_else(|| bit_vectors(arena, name, arguments))
        .or_else(|| numbers(arena, name, arguments))
        .or_else(|| floats(arena, name, arguments));
    Some(made.unwrap_or_else(|| Err("it cannot be applied here".to_owned())))
}

fn make(arena: &mut Arena, op: Op, arguments: &[Term]) -> Made {
    arena.try_mk(op, arguments).map_err(|error| error.message)
}

fn exactly(arguments: &[Term], count: usize) -> Result<(), String> {
    if arguments.len() == count {
        return Ok(());
    }
    Err(format!("{count} arguments expected, {} found", arguments.len()))
}

fn at_least(arguments: &[Term], count: usize) -> Result<(), String> {
    if arguments.len() >= count {
        return Ok(());
    }
    Err(format!("at least {count} arguments expected, {} found", arguments.len()))
}

/// `op` on the first two, then on the result and the third, and so on.
fn left_associative(arena: &mut Arena, op: Op, arguments: &[Term]) -> Made {
    at_least(arguments, 2)?;
    let mut result = arguments[0];
    for &argument in &arguments[1..] {
        result = make(arena, op, &[result, argument])?;
    }
    Ok(result)
}

/// The conjunction of `op` on neighbours, with the sides exchanged if asked for.
fn chained(arena: &mut Arena, op: Op, swapped: bool, arguments: &[Term]) -> Made {
    at_least(arguments, 2)?;
    let links = arguments
        .windows(2)
        .map(|pair| {
            let [left, right] = if swapped { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
            make(arena, op, &[left, right])
        })
        .collect::<Result<Vec<Term>, String>>()?;
    Ok(arena.and(&links))
}

/// Integers among reals are read as reals: in SMT-LIB's real logics `1` is a real number.
fn mixed(arena: &mut Arena, arguments: &[Term]) -> Vec<Term> {
    let is = |arena: &Arena, sort: &Sort| arguments.iter().any(|&argument| arena.sort(argument) == sort);
    if !is(arena, &Sort::Real) || !is(arena, &Sort::Int) {
        return arguments.to_vec();
    }
    let real = |argument: &Term| {
        if *arena.sort(*argument) == Sort::Int { arena.mk(Op::ToReal, &[*argument]) } else { *argument }
    };
    arguments.iter().map(real).collect()
}

fn core(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    Some(match name {
        "not" => make(arena, Op::Not, arguments),
        "and" => make(arena, Op::And, arguments),
        "or" => make(arena, Op::Or, arguments),
        "xor" => left_associative(arena, Op::Xor, arguments),
        "=" => {
            let arguments = mixed(arena, arguments);
            chained(arena, Op::Eq, false, &arguments)
        }
        "distinct" => at_least(arguments, 2).and_then(|()| {
            let arguments = mixed(arena, arguments);
            let sort = arena.sort(arguments[0]).clone();
            if arguments.iter().any(|&argument| *arena.sort(argument) != sort) {
                return Err("arguments of different sorts".to_owned());
            }
            Ok(arena.distinct(&arguments))
        }),
        "=>" => at_least(arguments, 2).and_then(|()| {
            let mut result = arguments[arguments.len() - 1];
            for &premise in arguments[..arguments.len() - 1].iter().rev() {
                let negated = make(arena, Op::Not, &[premise])?;
                result = make(arena, Op::Or, &[negated, result])?;
            }
            Ok(result)
        }),
        "ite" => exactly(arguments, 3).and_then(|()| {
            let branches = mixed(arena, &arguments[1..]);
            make(arena, Op::Ite, &[arguments[0], branches[0], branches[1]])
        }),
        "select" => make(arena, Op::Select, arguments),
        "store" => make(arena, Op::Store, arguments),
        _ => return None,
    })
}

fn bit_vectors(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    let op = match name {
        "concat" => return Some(left_associative(arena, Op::Concat, arguments)),
        "bvand" => return Some(left_associative(arena, Op::BvAnd, arguments)),
        "bvor" => return Some(left_associative(arena, Op::BvOr, arguments)),
        "bvxor" => return Some(left_associative(arena, Op::BvXor, arguments)),
        "bvadd" => return Some(left_associative(arena, Op::BvAdd, arguments)),
        "bvmul" => return Some(left_associative(arena, Op::BvMul, arguments)),
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvult" => Op::BvUlt,
        "bvule" => Op::BvUle,
        "bvslt" => Op::BvSlt,
        "bvsle" => Op::BvSle,
        _ => return derived_bit_vectors(arena, name, arguments),
    };
    Some(make(arena, op, arguments))
}

fn derived_bit_vectors(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    type Unary = fn(&mut Arena, Term) -> Term;
    type Binary = fn(&mut Arena, Term, Term) -> Term;
    let unary: Option<Unary> = match name {
        "bvnego" => Some(Arena::bv_nego),
        "bvredor" => Some(Arena::bv_redor),
        "bvredand" => Some(Arena::bv_redand),
        _ => None,
    };
    if let Some(build) = unary {
        return Some(exactly(arguments, 1).and_then(|()| {
            make(arena, Op::BvNot, arguments)?;
            Ok(build(arena, arguments[0]))
        }));
    }
    let build: Binary = match name {
        "bvsub" => Arena::bv_sub,
        "bvnand" => Arena::bv_nand,
        "bvnor" => Arena::bv_nor,
        "bvxnor" => Arena::bv_xnor,
        "bvcomp" => Arena::bv_comp,
        "bvugt" => Arena::bv_ugt,
        "bvuge" => Arena::bv_uge,
        "bvsgt" => Arena::bv_sgt,
        "bvsge" => Arena::bv_sge,
        "bvuaddo" => Arena::bv_uaddo,
        "bvsaddo" => Arena::bv_saddo,
        "bvumulo" => Arena::bv_umulo,
        "bvsmulo" => Arena::bv_smulo,
        "bvusubo" => Arena::bv_usubo,
        "bvssubo" => Arena::bv_ssubo,
        "bvsdivo" => Arena::bv_sdivo,
        _ => return None,
    };
    let associative = matches!(name, "bvsub" | "bvxnor");
    Some(if associative { at_least(arguments, 2) } else { exactly(arguments, 2) }.and_then(|()| {
        let mut result = arguments[0];
        for &argument in &arguments[1..] {
            arena.sort_of(Op::BvUlt, &[result, argument]).map_err(|error| error.message)?;
            if matches!(name, "bvumulo" | "bvsmulo") && arena.width(result) > MAX_WIDTH / 2 {
                return Err(format!("operands of at most {} bits expected", MAX_WIDTH / 2));
            }
            result = build(arena, result, argument);
        }
        Ok(result)
    }))
}

fn numbers(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
    let arguments = &mixed(arena, arguments)[..];
    Some(match (name, arguments) {
        ("-", [single]) => make(arena, Op::Neg, &[*single]),
        ("-", [first, rest @ ..]) => (|| {
            let mut summands = vec![*first];
            for &subtrahend in rest {
                summands.push(make(arena, Op::Neg, &[subtrahend])?);
            }
            make(arena, Op::Add, &summands)
        })(),
        ("+", _) => at_least(arguments, 2).and_then(|()| make(arena, Op::Add, arguments)),
        ("*", _) => at_least(arguments, 2).and_then(|()| make(arena, Op::Mul, arguments)),
        ("div", _) => left_associative(arena, Op::IntDiv, arguments),
        ("mod", _) => make(arena, Op::IntMod, arguments),
        ("abs", _) => make(arena, Op::IntAbs, arguments),
        ("/", _) => {
            let mut reals = Vec::with_capacity(arguments.len());
            for &argument in arguments {
                let is_int = *arena.sort(argument) == Sort::Int;
                reals.push(if is_int { arena.mk(Op::ToReal, &[argument]) } else { argument });
            }
            left_associative(arena, Op::RealDiv, &reals)
        }
        ("<=", _) => chained(arena, Op::Le, false, arguments),
        ("<", _) => chained(arena, Op::Lt, false, arguments),
        (">=", _) => chained(arena, Op::Le, true, arguments),
        (">", _) => chained(arena, Op::Lt, true, arguments),
        ("to_real", _) => make(arena, Op::ToReal, arguments),
        ("to_int", _) => make(arena, Op::ToInt, arguments),
        ("is_int", _) => make(arena, Op::IsInt, arguments),
        _ => return None,
    })
}

fn floats(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
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

fn indexed(arena: &mut Arena, name: &str, indices: &[u32], arguments: &[Term]) -> Option<Made> {
    Some(match (name, indices) {
        ("extract", [hi, lo]) => make(arena, Op::Extract { hi: *hi, lo: *lo }, arguments),
        ("zero_extend", [by]) => make(arena, Op::ZeroExtend(*by), arguments),
        ("sign_extend", [by]) => make(arena, Op::SignExtend(*by), arguments),
        ("rotate_left" | "rotate_right" | "repeat", [by]) => exactly(arguments, 1).and_then(|()| {
            make(arena, Op::BvNot, arguments)?;
            let width = arena.width(arguments[0]);
            match name {
                "rotate_left" => Ok(arena.bv_rotate_left(arguments[0], *by)),
                "rotate_right" => Ok(arena.bv_rotate_right(arguments[0], *by)),
                _ if *by == 0 => Err("at least one copy expected".to_owned()),
                _ if u64::from(width) * u64::from(*by) > u64::from(MAX_WIDTH) => {
                    Err(format!("bit-vectors have at most {MAX_WIDTH} bits"))
                }
                _ => Ok(arena.bv_repeat(arguments[0], *by)),
            }
        }),
        ("divisible", [by]) if *by > 0 => make(arena, Op::Divisible(*by), arguments),
        ("to_fp", [e, s]) => to_fp(arena, *e, *s, arguments),
        ("to_fp_unsigned", [e, s]) => make(arena, Op::FpFromUnsigned(*e, *s), arguments),
        ("fp.to_ubv", [width]) => make(arena, Op::FpToUnsigned(*width), arguments),
        ("fp.to_sbv", [width]) => make(arena, Op::FpToSigned(*width), arguments),
        ("+oo" | "-oo" | "NaN" | "+zero" | "-zero", [e, s]) => exactly(arguments, 0)
            .and_then(|()| format_limit(*e, *s).map_err(|error| error.message))
            .map(|_| arena.constant(special_float(name, *e, *s))),
        (_, [width]) if name.starts_with("bv") && name[2..].starts_with(|c: char| c.is_ascii_digit()) => {
            exactly(arguments, 0).and_then(|()| {
                if !(1..=MAX_WIDTH).contains(width) {
                    return Err(format!("bit-vectors have between 1 and {MAX_WIDTH} bits"));
                }
                let value = BitVec::parse(*width, &name[2..], 10);
                let value = value.ok_or_else(|| format!("no such constant of {width} bits"))?;
                Ok(arena.constant(Value::BitVec(value)))
            })
        }
        _ => return None,
    })
}

/// `to_fp` has four meanings, told apart by the sorts of its arguments.
fn to_fp(arena: &mut Arena, exponent: u32, significand: u32, arguments: &[Term]) -> Made {
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

fn special_float(name: &str, exponent: u32, significand: u32) -> Value {
    let sign = BitVec::new(1, u64::from(name.starts_with('-')));
    let exponent_bits = if name.ends_with("zero") { BitVec::zero(exponent) } else { BitVec::ones(exponent) };
    let fraction = BitVec::new(significand - 1, u64::from(name == "NaN"));
    Value::float(exponent, significand, sign.concat(&exponent_bits).concat(&fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_names_is_sorted_and_every_name_means_something() {
        assert!(NAMES.is_sorted());
        let mut arena = Arena::new();
        let mut candidates = Vec::new();
        let mode = arena.constant(Value::RoundingMode(RoundingMode::Up));
        for sort in [Sort::Bool, Sort::BitVec(8), Sort::BitVec(1), Sort::Int, Sort::Real, Sort::FLOAT32] {
            let Ok(variable) = arena.variable(&format!("{sort}"), &sort) else { continue };
            for count in 1..=3 {
                candidates.push(vec![variable; count]);
            }
            candidates.push([&[mode][..], &vec![variable; 1]].concat());
            candidates.push([&[mode][..], &vec![variable; 2]].concat());
            candidates.push([&[mode][..], &vec![variable; 3]].concat());
        }
        candidates.push(Vec::new());
        let exceptions = ["select", "store", "fp", "ite"];
        for name in NAMES {
            let works =
                candidates.iter().any(|list| matches!(apply(&mut arena, name, &[], list), Some(Ok(_))));
            assert!(works || exceptions.contains(name), "`{name}` cannot be applied to anything");
        }
    }
}
