//! Word-level interpolants from unsatisfiable cores.
//!
//! Simple ones first. In post style, consequences of A over shared symbols are collected until they refute B:
//! 1. A's conjuncts, with definitions of other symbols substituted (the strongest post of a functional path);
//! 2. templates that A's solver confirms: constants, equalities, differences, low bits, bounds, orders;
//! 3. a cover of A by cubes, each a model of A generalised against B ("Computing interpolants without proofs",
//!    Chockler, Ivrii and Matsliah, HVC 2012).
//!
//! What refutes B is reduced to a core and its literals are weakened as long as it still does. Pre style is the same
//! with the sides exchanged and the result negated: then conjuncts of B with definitions substituted are the
//! weakest precondition.

mod cover;
mod project;
mod templates;

use super::options::{InterpolateOptions, Style};
use super::session::{Checks, Side};
use super::symbols::symbols;
use crate::solver::Reason;
use crate::weaken::Weakener;
use nilas_term::{Arena, Cube, SymbolId, Term};
use std::collections::BTreeSet;

/// A problem: the two sides, what they share, and how it is to be solved.
struct Problem<'p, 'b> {
    shared: BTreeSet<SymbolId>,
    left: Side,
    right: Side,
    options: &'p InterpolateOptions,
    checks: &'p mut Checks<'b>,
}

/// An interpolant of formulas without functions and arrays, which is to be checked.
pub(super) fn interpolate(
    arena: &mut Arena,
    a: &[Term],
    b: &[Term],
    options: &InterpolateOptions,
    checks: &mut Checks<'_>,
) -> Result<Option<Term>, Reason> {
    let (left, right) = match options.style {
        Style::Post => (a, b),
        Style::Pre => (b, a),
    };
    let found = post(arena, left, right, options, checks)?;
    Ok(found.map(|found| match options.style {
        Style::Post => found,
        Style::Pre => arena.not(found),
    }))
}

fn post(
    arena: &mut Arena,
    left: &[Term],
    right: &[Term],
    options: &InterpolateOptions,
    checks: &mut Checks<'_>,
) -> Result<Option<Term>, Reason> {
    let of_right = symbols(arena, right);
    let mut shared = symbols(arena, left);
    shared.retain(|symbol| of_right.contains(symbol));
    let mut problem = Problem {
        shared,
        left: Side::new(arena, left),
        right: Side::new(arena, right),
        options,
        checks,
    };
    let mut facts = project::project(arena, left, &problem.shared);
    if let Some(found) = problem.conclude(arena, &facts)? {
        return Ok(Some(found));
    }
    match problem.left.satisfiable(arena, &[], problem.checks)? {
        Some(true) => {}
        Some(false) => return Ok(Some(arena.mk_false())),
        None => return Ok(None),
    }
    let words = problem.shared_words(arena, left);
    for template in templates::ALL {
        let before = facts.len();
        template(&mut problem, arena, &words, &mut facts)?;
        if facts.len() > before
            && let Some(found) = problem.conclude(arena, &facts)?
        {
            return Ok(Some(found));
        }
        if problem.checks.is_empty() {
            return Ok(None);
        }
    }
    problem.cover(arena, left)
}

impl Problem<'_, '_> {
    /// An interpolant from facts that the left side implies, if they refute the right side.
    fn conclude(&mut self, arena: &mut Arena, facts: &[Term]) -> Result<Option<Term>, Reason> {
        let Some(core) = self.right.core(arena, facts, self.checks)? else { return Ok(None) };
        let cube = self.generalise(arena, Cube::new(core))?;
        Ok(Some(cube.to_term(arena)))
    }

    /// Weakens a cube that refutes the right side.
    fn generalise(&mut self, arena: &mut Arena, mut cube: Cube) -> Result<Cube, Reason> {
        let mut weakener = Weakener::new(self.options.weaken.clone());
        let (right, checks) = (&mut self.right, &mut *self.checks);
        weakener.weaken(arena, &mut cube, &mut |arena: &mut Arena, cube: &Cube| {
            right.refutes(arena, cube.literals(), checks)
        })?;
        Ok(cube)
    }

    /// The shared variables.
    fn shared_words(&self, arena: &Arena, formulas: &[Term]) -> Vec<Term> {
        arena
            .free_variables_of(formulas)
            .into_iter()
            .filter(|&variable| arena.as_variable(variable).is_some_and(|symbol| self.shared.contains(&symbol)))
            .collect()
    }
}
