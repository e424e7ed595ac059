//! What a run counts. The names are those of IC3CFA where they mean the same.

use crate::observer::Counters;
use nilas_smt::SolverStats;
use std::time::{Duration, Instant};

/// What the engine's time goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Block,
    Generalise,
    Weaken,
    Lift,
    Propagate,
}

const PHASES: [(Phase, &str); 5] = [
    (Phase::Block, "milliseconds blocking"),
    (Phase::Generalise, "milliseconds dropping literals"),
    (Phase::Weaken, "milliseconds weakening literals"),
    (Phase::Lift, "milliseconds lifting"),
    (Phase::Propagate, "milliseconds propagating"),
];

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistics {
    pub(super) obligations: u64,
    pub(super) lemmas: u64,
    pub(super) pushed: u64,
    pub(super) push_tries: u64,
    pub(super) push_skipped: u64,
    pub(super) too_hard: u64,
    pub(super) relative_checks: u64,
    pub(super) literals_before: u64,
    pub(super) literals_after: u64,
    pub(super) lifted: u64,
    pub(super) projected: u64,
    times: [Duration; PHASES.len()],
}

impl Statistics {
    /// Time since `start` went to a phase.
    pub(super) fn spent(&mut self, phase: Phase, start: Instant) {
        self.times[phase as usize] += start.elapsed();
    }

    /// The counters by name.
    pub(super) fn counters(&self, counters: &mut Counters) {
        counters.extend([
            ("lemmas learnt", self.lemmas),
            ("lemmas pushed", self.pushed),
            ("pushes tried", self.push_tries),
            ("pushes saved by witness", self.push_skipped),
            ("questions given up", self.too_hard),
            ("obligations", self.obligations),
            ("literals before generalisation", self.literals_before),
            ("literals after generalisation", self.literals_after),
            ("literals dropped by lifting", self.lifted),
            ("inputs set to terms", self.projected),
        ]);
        for (phase, name) in PHASES {
            let time = self.times[phase as usize].as_millis();
            counters.insert(name, u64::try_from(time).unwrap_or(u64::MAX));
        }
    }
}

/// Adds the counters of a solver.
pub(super) fn add_solver(counters: &mut Counters, stats: SolverStats) {
    for (name, count) in [
        ("solver checks", stats.checks),
        ("solver checks sat", stats.sat),
        ("solver checks unsat", stats.unsat),
        ("solver checks handed to CaDiCaL", stats.sat_solver.handed_over),
        ("solver rebuilds", stats.rebuilds),
        ("sat variables", stats.variables),
    ] {
        *counters.entry(name).or_default() += count;
    }
}
