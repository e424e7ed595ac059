//! The conformance kit: what every back end must do, as code.
//!
//! [`run`] takes a maker of solvers and plays small scenes on fresh ones. The first thing that is not as
//! the contract says comes back as one sentence. A back end is conformant when it comes back empty-handed.
//! Cases use Booleans and narrow bit-vectors only, so that any solver can take part.

mod budgets;
mod cases;
mod incremental;
mod stage;

use crate::solver::Solver;
use stage::Stage;

/// One scene of the kit.
type Case = (&'static str, fn(&mut Stage) -> Result<(), String>);

/// What a back end need not be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// It ends a check after a number of conflicts.
    pub conflict_limits: bool,
}

/// Runs all cases, each on a solver of its own.
///
/// # Errors
/// The name of the first case that fails, and what was wrong.
pub fn run(make: &mut dyn FnMut() -> Box<dyn Solver>) -> Result<(), String> {
    run_within(make, Scope { conflict_limits: true })
}

/// Runs the cases that are within what a back end can do.
///
/// # Errors
/// As [`run`].
pub fn run_within(make: &mut dyn FnMut() -> Box<dyn Solver>, scope: Scope) -> Result<(), String> {
    let limited: &[Case] = if scope.conflict_limits { budgets::LIMITED } else { &[] };
    for (name, case) in all().chain(limited.iter().copied()) {
        let mut stage = Stage::new(make());
        case(&mut stage).map_err(|what| format!("conformance case `{name}`: {what}"))?;
    }
    Ok(())
}

fn all() -> impl Iterator<Item = Case> {
    cases::CASES.iter().chain(incremental::CASES).chain(budgets::CASES).copied()
}
