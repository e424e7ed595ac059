//! Which solver a system needs: the embedded one, or another program where there are integers or reals.

use crate::outcome::Unknown;
use nilas_program::TransitionSystem;
use nilas_smt::pipe::{Features, Found, discover};
use nilas_smt::{SatCore, Solver};
use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashSet;

/// Makes solvers for one system.
pub(super) enum Solvers {
    Embedded(SatCore),
    Piped(Found),
}

impl Solvers {
    /// Those that decide what the system speaks about.
    pub(super) fn for_system(
        arena: &Arena,
        system: &TransitionSystem,
        core: SatCore,
    ) -> Result<Solvers, Unknown> {
        let needed = numbers(arena, system);
        if needed == Features::NONE {
            return Ok(Solvers::Embedded(core));
        }
        let able = |found: &Found| {
            let abilities = found.abilities;
            abilities.features.contains(needed) && abilities.unsat_assumptions
        };
        discover().into_iter().find(able).map(Solvers::Piped).ok_or_else(|| {
            let what = needed.words().join(" and ");
            Unknown::Inapplicable(format!("no solver for {what} was found on PATH"))
        })
    }

    /// A solver with nothing asserted.
    pub(super) fn make(&self) -> Box<dyn Solver> {
        match self {
            Solvers::Embedded(core) => core.solver(),
            Solvers::Piped(found) => Box::new(found.start()),
        }
    }
}

/// Integers and reals that occur in the system.
fn numbers(arena: &Arena, system: &TransitionSystem) -> Features {
    let mut stack: Vec<Term> = vec![system.initial, system.constraint, system.bad];
    stack.extend(system.variables.iter().map(|variable| variable.current));
    stack.extend(system.variables.iter().filter_map(|variable| variable.update));
    stack.extend(&system.inputs);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut needed = Features::NONE;
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            match arena.sort(term) {
                Sort::Int => needed = needed.union(Features::INTEGERS),
                Sort::Real => needed = needed.union(Features::REALS),
                _ => {}
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    needed
}
