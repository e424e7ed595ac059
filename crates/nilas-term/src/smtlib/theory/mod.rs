//! The symbols of the theories: core, bit-vectors, arrays, integers and reals, floats.
//!
//! Operators that terms do not have become their definitions, as in `crate::derived`.

mod bit_vectors;
mod floats;
mod indexed;
mod numbers;

use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{RoundingMode, Value};
use bit_vectors::bit_vectors;
use floats::floats;
use indexed::indexed;
use numbers::numbers;

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
    "fp.to_ieee_bv",
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
            candidates.push([&[mode][..], &[variable; 1]].concat());
            candidates.push([&[mode][..], &[variable; 2]].concat());
            candidates.push([&[mode][..], &[variable; 3]].concat());
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
