//! What an engine's time goes to, in words that are the same for all engines.

use crate::observer::Counters;
use nilas_smt::SolverStats;
use std::time::{Duration, Instant};

/// A kind of work that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Block,
    Generalise,
    Weaken,
    Lift,
    Propagate,
    Guess,
    Strengthen,
    Cover,
    Interpolate,
    Abstract,
    Refine,
    Premises,
}

const PHASES: [(Phase, &str); 12] = [
    (Phase::Block, "milliseconds blocking"),
    (Phase::Generalise, "milliseconds dropping literals"),
    (Phase::Weaken, "milliseconds weakening literals"),
    (Phase::Lift, "milliseconds lifting"),
    (Phase::Propagate, "milliseconds propagating"),
    (Phase::Guess, "milliseconds guessing"),
    (Phase::Strengthen, "milliseconds strengthening"),
    (Phase::Cover, "milliseconds covering"),
    (Phase::Interpolate, "milliseconds interpolating"),
    (Phase::Abstract, "milliseconds abstracting"),
    (Phase::Refine, "milliseconds refining predicates"),
    (Phase::Premises, "milliseconds telling premises"),
];

/// The time that each phase took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times([Duration; PHASES.len()]);

impl Times {
    /// Time since `start` went to a phase.
    pub(crate) fn spent(&mut self, phase: Phase, start: Instant) {
        self.0[phase as usize] += start.elapsed();
    }

    /// Adds a counter for each phase that took any time.
    pub(crate) fn counters(&self, counters: &mut Counters) {
        for (phase, name) in PHASES {
            let time = self.0[phase as usize];
            if time > Duration::ZERO {
                counters.insert(name, u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            }
        }
    }
}

/// Adds what a solver has counted.
pub(crate) fn add_solver(counters: &mut Counters, stats: SolverStats) {
    for (name, count) in [
        ("solver checks", stats.checks),
        ("solver checks sat", stats.sat),
        ("solver checks unsat", stats.unsat),
        ("solver checks handed over", stats.sat_solver.handed_over),
        ("solver rebuilds", stats.rebuilds),
        ("sat variables", stats.variables),
        ("sat propagations", stats.sat_solver.propagations),
    ] {
        *counters.entry(name).or_default() += count;
    }
}
