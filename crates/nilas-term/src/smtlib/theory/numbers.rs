//! Symbols of the theories of integers and reals.

use super::{Made, at_least, chained, left_associative, make, mixed};
use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

pub(super) fn numbers(arena: &mut Arena, name: &str, arguments: &[Term]) -> Option<Made> {
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
