//! Comparisons of a constant with one of several constants that conditions choose: how an automaton says
//! which object a pointer leads to. What they mean is told by the conditions; the constants are often
//! addresses, which mean nothing to a person.

use super::expression::Writer;
use super::interval::{Domain, Intervals};
use super::shape::Shape;
use nilas_term::{Arena, BitVec, Op, Sort, Term};
use rustc_hash::FxHashMap;

/// Longer choices are not taken apart.
const LONGEST: usize = 64;

/// One branch of a choice: where a condition has a value, the constant is chosen.
struct Branch {
    condition: Term,
    when: bool,
    constant: Term,
}

/// A choice whose branches are constants, one after the other, and what is chosen at last.
struct Choice {
    branches: Vec<Branch>,
    last: Term,
}

impl Choice {
    fn of(arena: &Arena, mut term: Term) -> Option<Choice> {
        let mut branches = Vec::new();
        while arena.op(term) == Op::Ite {
            let &[condition, then, otherwise] = arena.children(term) else { return None };
            let (when, constant, rest) = match (arena.as_bitvec(then), arena.as_bitvec(otherwise)) {
                (Some(_), _) => (true, then, otherwise),
                (None, Some(_)) => (false, otherwise, then),
                (None, None) => return None,
            };
            branches.push(Branch { condition, when, constant });
            term = rest;
            if branches.len() > LONGEST {
                return None;
            }
        }
        let chosen = !branches.is_empty() && arena.as_bitvec(term).is_some();
        chosen.then_some(Choice { branches, last: term })
    }
}

/// The choice, the constant, and whether the choice is on the left; `None` if that is not what is compared.
fn sides(arena: &Arena, term: Term) -> Option<(Choice, Term, bool)> {
    if !matches!(arena.op(term), Op::Eq | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle) {
        return None;
    }
    let &[one, other] = arena.children(term) else { return None };
    match (arena.as_bitvec(one), arena.as_bitvec(other)) {
        (None, Some(_)) => Some((Choice::of(arena, one)?, other, true)),
        (Some(_), None) => Some((Choice::of(arena, other)?, one, false)),
        _ => None,
    }
}

/// The conditions that decide such a comparison, if it is one.
pub(super) fn conditions(arena: &Arena, term: Term) -> Option<Vec<Term>> {
    let (choice, ..) = sides(arena, term)?;
    Some(choice.branches.iter().map(|branch| branch.condition).collect())
}

/// What such a comparison says, by its conditions; `None` if it is none.
pub(super) fn compared(writer: &Writer<'_>, term: Term, shapes: &FxHashMap<Term, Shape>) -> Option<Shape> {
    let arena = writer.arena;
    let (choice, constant, left) = sides(arena, term)?;
    let Sort::BitVec(width @ 1..=64) = *arena.sort(constant) else { return None };
    let domain = Domain { width, signed: false };
    let set = Intervals::compared(domain, arena.op(term), arena.as_bitvec(constant)?, left)?;
    let holds = |constant: Term| {
        let value = i128::from(arena.as_bitvec(constant).and_then(BitVec::to_u64)?);
        Some(set.parts.iter().any(|&(low, high)| low <= value && value <= high))
    };
    let mut shape = Shape::truth(holds(choice.last)?);
    for Branch { condition, when, constant } in choice.branches.iter().rev() {
        let chosen = shapes.get(condition)?;
        let (chosen, passed) =
            if *when { (chosen.clone(), chosen.negated()) } else { (chosen.negated(), chosen.clone()) };
        shape = match holds(*constant)? {
            true => Shape::joined(true, [&chosen, &shape].into_iter()),
            false => Shape::joined(false, [&passed, &shape].into_iter()),
        };
    }
    Some(shape)
}
