//! Interpolants from the refutation proof of a SAT solver.
//!
//! The parts are blasted apart ([`record`]), refuted together by a solver that keeps its resolutions
//! ([`refute`]), the proof gives a circuit over bits of shared variables ([`system`]), and that is
//! lifted to words ([`lift`]). What comes out is an interpolant by theorem; the caller checks it all the
//! same.

mod circuit;
mod heap;
mod lift;
mod record;
mod refute;
mod system;
#[cfg(test)]
mod tests;
mod threshold;

pub use system::System;

use crate::budget::{Budget, Interrupt};
use crate::solver::Reason;
use circuit::Circuit;
use nilas_term::{Arena, Term};
use record::Parts;
use refute::Search;

/// The interpolants at all inner cuts of a sequence of parts: one less than there are parts. `None` if the
/// parts have a model, or if the proof or an interpolant gets too large.
pub(super) fn path(
    arena: &mut Arena,
    formulas: &[Vec<Term>],
    system: System,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Reason> {
    let parts = Parts::new(arena, formulas, budget)?;
    let chains = match refute::refute(parts.bits.len(), &parts.clauses, budget) {
        Search::Refuted(chains) => chains,
        Search::Satisfiable | Search::Interrupted(Interrupt::Conflicts) => return Ok(None),
        Search::Interrupted(why) => return Err(Reason::Interrupted(why)),
    };
    let needed = system::needed(parts.clauses.len(), &chains);
    let mut interpolants = Vec::new();
    for (cut, _) in (1..).zip(formulas.iter().skip(1)) {
        if let Some(why) = budget.exhausted() {
            return Err(Reason::Interrupted(why));
        }
        let mut circuit = Circuit::new();
        let Some(edge) = system::interpolant(&mut circuit, &parts, &chains, &needed, system, cut, limit)
        else {
            return Ok(None);
        };
        interpolants.push(lift::lift(arena, &circuit, edge));
    }
    Ok(Some(interpolants))
}
