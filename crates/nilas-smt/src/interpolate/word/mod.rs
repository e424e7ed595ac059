//! Word-level interpolants from unsatisfiable cores.
//!
//! Simple ones first. In post style, consequences of A over shared symbols are collected until they refute B:
//! 1. A's conjuncts, with definitions of other symbols substituted (the strongest post of a functional path);
//! 2. templates that A's solver confirms: constants, equalities, differences, low bits, bounds, orders;
//! 3. a cover of A by cubes, each a model of A generalised against B ("Computing interpolants without
//!    proofs", Chockler, Ivrii and Matsliah, HVC 2012).
//!
//! What refutes B is reduced to a core and its literals are weakened as long as it still does. Pre style is
//! the same with the sides exchanged and the result negated: then conjuncts of B with definitions substituted
//! are the weakest precondition.

mod cover;
mod project;
mod templates;

use super::options::{InterpolateOptions, Style};
use super::session::{Checks, Side};
use super::symbols::symbols;
use crate::solver::Reason;
use crate::weaken::Weakener;
use nilas_term::{Arena, Cube, Op, SymbolId, Term};
use std::collections::BTreeSet;

/// With at most that many shared words, something simpler is looked for than facts with Boolean structure.
const SIMPLIFY: usize = 4;

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
    let mut problem =
        Problem { shared, left: Side::new(arena, left), right: Side::new(arena, right), options, checks };
    let facts = project::project(arena, left, &problem.shared);
    let words = problem.shared_words(arena, left);
    let core = problem.right.core(arena, &facts, problem.checks)?;
    // Facts with Boolean structure are good enough only if there are no simple ones.
    let simple = |arena: &Arena, fact: Term| !matches!(arena.op(fact), Op::Or | Op::Ite | Op::Xor);
    if let Some(core) = &core
        && (words.len() > SIMPLIFY || core.iter().all(|&fact| simple(arena, fact)))
    {
        return problem.conclude(arena, core).map(Some);
    }
    match problem.left.satisfiable(arena, &[], problem.checks)? {
        Some(true) => {}
        Some(false) => return Ok(Some(arena.mk_false())),
        None => return Ok(None),
    }
    let mut found = facts.clone();
    if core.is_some() {
        found.retain(|&fact| simple(arena, fact));
    }
    for template in templates::ALL {
        let before = found.len();
        template(&mut problem, arena, &words, &mut found)?;
        if found.len() > before
            && let Some(core) = problem.right.core(arena, &found, problem.checks)?
        {
            return problem.conclude(arena, &core).map(Some);
        }
        if problem.checks.is_empty() {
            break;
        }
    }
    match core {
        Some(core) => problem.conclude(arena, &core).map(Some),
        None => problem.cover(arena, left),
    }
}

impl Problem<'_, '_> {
    /// An interpolant from a core: facts that the left side implies and that refute the right side.
    fn conclude(&mut self, arena: &mut Arena, core: &[Term]) -> Result<Term, Reason> {
        let cube = self.generalise(arena, Cube::new(core.iter().copied()))?;
        Ok(cube.to_term(arena))
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
            .filter(|&variable| {
                arena.as_variable(variable).is_some_and(|symbol| self.shared.contains(&symbol))
            })
            .collect()
    }
}
