//! Sequence interpolants along a path.

use super::check::is_sequence;
use super::options::{InterpolateOptions, Method, Style};
use super::session::Checks;
use super::{proof, theory, word};
use crate::budget::Budget;
use crate::solver::Reason;
use nilas_term::{Arena, Term};

/// An inductive sequence of interpolants for a path of formulas that has no model: I_0 is true, I_n false,
/// I_{i-1} ∧ F_i ⇒ I_i, and I_i is over the symbols that F_1 … F_i and F_{i+1} … F_n share.
///
/// Word-level ones are found step by step, forwards (strongest posts) or backwards (weakest preconditions);
/// those of the proof all from one refutation.
///
/// # Errors
/// When the budget ends, or when the formulas have something that is not supported.
pub fn sequence(
    arena: &mut Arena,
    formulas: &[Vec<Term>],
    options: &InterpolateOptions,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Reason> {
    if formulas.is_empty() {
        return Ok(None);
    }
    let pure = theory::purify(arena, formulas, budget)?;
    if options.method != Method::Proof
        && let Some(found) = stepwise(arena, &pure.parts, options, budget)?
        && let Some(found) = confirm(arena, formulas, &pure, &found, budget)?
    {
        return Ok(Some(found));
    }
    if options.method == Method::Word {
        return Ok(None);
    }
    let limited = options.proof_budget(budget);
    match proof::path(arena, &pure.parts, options.system, options.nodes, &limited)? {
        Some(found) => confirm(arena, formulas, &pure, &found, budget),
        None => Ok(None),
    }
}

/// The inner interpolants with both ends, if all of it is a sequence.
fn confirm(
    arena: &mut Arena,
    formulas: &[Vec<Term>],
    pure: &theory::Pure,
    inner: &[Term],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Reason> {
    let mut found = vec![arena.mk_true()];
    for &term in inner {
        let term = pure.restore(arena, term);
        found.push(term);
    }
    found.push(arena.mk_false());
    Ok(is_sequence(arena, formulas, &found, budget)?.then_some(found))
}

/// The inner interpolants, word-level. Each is one of the neighbour found before it with the formula between,
/// against all formulas on the other side: inductive by construction.
fn stepwise(
    arena: &mut Arena,
    parts: &[Vec<Term>],
    options: &InterpolateOptions,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Reason> {
    let checked = options.check_budget(budget);
    let mut inner = Vec::new();
    let mut neighbour: Option<Term> = None;
    for index in 1..parts.len() {
        let mut checks = Checks::new(options.checks, &checked);
        let (a, b) = match options.style {
            Style::Post => {
                let mut a = parts[index - 1].clone();
                a.extend(neighbour);
                (a, parts[index..].concat())
            }
            Style::Pre => {
                let cut = parts.len() - index;
                let mut b = parts[cut].clone();
                if let Some(neighbour) = neighbour {
                    b.push(arena.not(neighbour));
                }
                (parts[..cut].concat(), b)
            }
        };
        let Some(found) = word::interpolate(arena, &a, &b, options, &mut checks)? else { return Ok(None) };
        inner.push(found);
        neighbour = Some(found);
    }
    if options.style == Style::Pre {
        inner.reverse();
    }
    Ok(Some(inner))
}
