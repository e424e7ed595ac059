//! Equations solved for a variable.

use nilas_term::{Arena, Op, Sort, Term};

/// What `variable` must be for `this = other` to hold, if `this` is the variable or a sum with it and it
/// occurs nowhere else. The result is equivalent to the equation.
pub fn solve_for(arena: &mut Arena, variable: Term, this: Term, other: Term) -> Option<Term> {
    if mentions(arena, other, variable) {
        return None;
    }
    if this == variable {
        return Some(other);
    }
    let op = arena.op(this);
    if !matches!(op, Op::BvAdd | Op::Add) {
        return None;
    }
    let summands = arena.children(this).to_vec();
    let position = summands.iter().position(|&summand| summand == variable)?;
    let mut rest = other;
    for (index, &summand) in summands.iter().enumerate() {
        if index != position {
            if mentions(arena, summand, variable) {
                return None;
            }
            rest = if op == Op::BvAdd {
                arena.bv_sub(rest, summand)
            } else {
                let negated = arena.mk(Op::Neg, &[summand]);
                arena.mk(Op::Add, &[rest, negated])
            };
        }
    }
    Some(rest)
}

/// The term that a formula says is the value of a variable, if the formula says just that.
pub(super) fn definition(arena: &mut Arena, variable: Term, formula: Term) -> Option<Term> {
    if formula == variable {
        return Some(arena.mk_true());
    }
    match (arena.op(formula), arena.children(formula)) {
        (Op::Not, &[child]) if child == variable => Some(arena.mk_false()),
        (Op::Not, &[child]) if arena.op(child) == Op::Eq => {
            // A Boolean that differs from another.
            let &[left, right] = arena.children(child) else { return None };
            if *arena.sort(left) != Sort::Bool {
                return None;
            }
            let value = solve_for(arena, variable, left, right)
                .or_else(|| solve_for(arena, variable, right, left))?;
            Some(arena.not(value))
        }
        (Op::Eq, &[left, right]) => {
            solve_for(arena, variable, left, right).or_else(|| solve_for(arena, variable, right, left))
        }
        _ => None,
    }
}

fn mentions(arena: &Arena, term: Term, variable: Term) -> bool {
    arena.free_variables(term).contains(&variable)
}
