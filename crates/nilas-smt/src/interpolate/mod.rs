//! Interpolation.
//!
//! Given formulas A and B that have no model together, an interpolant is a formula I over the symbols they
//! share with A ⇒ I and I ∧ B unsatisfiable; for a path of formulas F_1 … F_n, a sequence I_0 … I_n with I_0
//! true, I_n false and I_{i-1} ∧ F_i ⇒ I_i, each over the symbols that the formulas before and behind it
//! share.
//!
//! There are two ways, so that engines can choose ([`Method`]):
//! * `proof`: from the resolution proof of a SAT solver over the bit-blasted formulas, lifted back to words;
//! * `word`: from unsatisfiable cores over strongest posts and weakest preconditions, without a proof.
//!
//! Uninterpreted functions and arrays are first replaced by variables and instances of their axioms
//! (`theory`).
//!
//! Promised: **every interpolant is checked before it is returned**, all conditions, by fresh solvers
//! ([`is_interpolant`], [`is_sequence`]). Not finding one is a normal answer: `None` is also what comes out
//! when there is a model, or when a limit of [`InterpolateOptions`] is reached.

mod check;
mod options;
mod proof;
mod sequence;
mod session;
mod symbols;
mod theory;
mod word;

pub use check::{is_interpolant, is_sequence};
pub use options::{InterpolateOptions, Method, Style};
pub use proof::System;
pub use sequence::sequence;

use crate::budget::Budget;
use crate::solver::Reason;
use nilas_term::{Arena, Term};
use session::{Checks, Side};

/// An interpolant of `a` and `b`, which are conjunctions.
///
/// # Errors
/// When the budget ends, or when the formulas have something that is not supported.
pub fn interpolate(
    arena: &mut Arena,
    a: &[Term],
    b: &[Term],
    options: &InterpolateOptions,
    budget: &Budget,
) -> Result<Option<Term>, Reason> {
    let pure = theory::purify(arena, &[a.to_vec(), b.to_vec()], budget)?;
    let checked = options.check_budget(budget);
    let [pure_a, pure_b] = &pure.parts[..] else { return Ok(None) };
    let mut checks = Checks::new(options.checks, &checked);
    if options.method != Method::Proof
        && let Some(found) = word::interpolate(arena, pure_a, pure_b, options, &mut checks)?
        && let Some(found) = confirm(arena, a, b, &pure, found, budget)?
    {
        return Ok(Some(found));
    }
    if options.method == Method::Word {
        return Ok(None);
    }
    let limited = options.proof_budget(budget);
    let found = proof::path(arena, &pure.parts, options.system, options.nodes, &limited)?;
    let Some(&[found]) = found.as_deref() else { return Ok(None) };
    let found = if options.shrink {
        let mut checks = Checks::new(options.checks, &checked);
        shrink(arena, pure_a, pure_b, found, &mut checks)?
    } else {
        found
    };
    confirm(arena, a, b, &pure, found, budget)
}

/// An interpolant of the purified formulas as one of the given formulas, if it is one.
fn confirm(
    arena: &mut Arena,
    a: &[Term],
    b: &[Term],
    pure: &theory::Pure,
    found: Term,
    budget: &Budget,
) -> Result<Option<Term>, Reason> {
    let found = pure.restore(arena, found);
    Ok(is_interpolant(arena, a, b, found, budget)?.then_some(found))
}

/// Leaves out conjuncts that B is refuted without, or disjuncts that A implies the rest without.
fn shrink(
    arena: &mut Arena,
    a: &[Term],
    b: &[Term],
    found: Term,
    checks: &mut Checks<'_>,
) -> Result<Term, Reason> {
    use nilas_term::Op;
    let conjunction = match arena.op(found) {
        Op::And => true,
        Op::Or => false,
        _ => return Ok(found),
    };
    let mut members = arena.children(found).to_vec();
    if !conjunction {
        // By duality: the negated disjuncts refute A.
        members = members.into_iter().map(|member| arena.not(member)).collect();
    }
    let mut side = Side::new(arena, if conjunction { b } else { a });
    let members = side.core(arena, &members, checks)?.unwrap_or(members);
    let conjoined = arena.and(&members);
    Ok(if conjunction { conjoined } else { arena.not(conjoined) })
}
