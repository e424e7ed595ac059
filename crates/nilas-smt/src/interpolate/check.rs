//! The conditions on interpolants, checked by fresh solvers.
//!
//! This is the only judge: nothing that the two ways of finding interpolants compute is believed.

use super::symbols::symbols;
use super::theory;
use crate::budget::Budget;
use crate::embedded::Embedded;
use crate::solver::{Answer, Reason, Solver};
use nilas_term::{Arena, Term};

/// Whether `interpolant` is one of `a` and `b`: implied by `a`, without a model with `b`, and over shared
/// symbols only.
///
/// # Errors
/// When a solver does not know.
pub fn is_interpolant(
    arena: &mut Arena,
    a: &[Term],
    b: &[Term],
    interpolant: Term,
    budget: &Budget,
) -> Result<bool, Reason> {
    if !is_shared(arena, a, b, interpolant) {
        return Ok(false);
    }
    let negated = arena.not(interpolant);
    Ok(refuted(arena, a, &[negated], budget)? && refuted(arena, b, &[interpolant], budget)?)
}

/// Whether `interpolants` is an inductive sequence for the path of `formulas`: one more than there are
/// formulas, the first true and the last false, each with the next formula implying the next one, over the
/// symbols that the formulas before it and behind it share.
///
/// # Errors
/// When a solver does not know.
pub fn is_sequence(
    arena: &mut Arena,
    formulas: &[Vec<Term>],
    interpolants: &[Term],
    budget: &Budget,
) -> Result<bool, Reason> {
    let [first, .., last] = interpolants else { return Ok(false) };
    if interpolants.len() != formulas.len() + 1
        || arena.as_bool(*first) != Some(true)
        || arena.as_bool(*last) != Some(false)
    {
        return Ok(false);
    }
    for (index, formula) in formulas.iter().enumerate() {
        let (before, behind) = formulas.split_at(index);
        let (before, behind) = (before.concat(), behind.concat());
        if !is_shared(arena, &before, &behind, interpolants[index]) {
            return Ok(false);
        }
        let negated = arena.not(interpolants[index + 1]);
        if !refuted(arena, formula, &[interpolants[index], negated], budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_shared(arena: &Arena, a: &[Term], b: &[Term], interpolant: Term) -> bool {
    let (of_a, of_b) = (symbols(arena, a), symbols(arena, b));
    symbols(arena, &[interpolant]).iter().all(|symbol| of_a.contains(symbol) && of_b.contains(symbol))
}

/// Whether the formulas have no model together. With functions and arrays, "no" means only that none was
/// refuted: extensionality is left out.
fn refuted(arena: &mut Arena, formulas: &[Term], more: &[Term], budget: &Budget) -> Result<bool, Reason> {
    let pure = theory::purify(arena, &[[formulas, more].concat()], budget)?;
    let mut solver: Embedded = Embedded::default();
    for &formula in pure.parts.iter().flatten() {
        solver.assert(arena, formula);
    }
    match solver.check(arena, &[], &[], budget) {
        Answer::Unsat => Ok(true),
        Answer::Sat => Ok(false),
        Answer::Unknown(reason) => Err(reason),
    }
}
