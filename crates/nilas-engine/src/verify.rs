//! From an automaton as lowered to a verdict that can be believed.
//!
//! Passes make the automaton small, an engine works on the small one, its evidence is mapped back and checked on the
//! automaton as lowered. A verdict leaves here only with evidence that the checker has accepted; a bug in a pass, an engine
//! or the solver ends as [`Verdict::Rejected`].

use crate::bmc::{self, bmc};
use crate::ic3cfa::{self, ic3cfa};
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Proof, Unknown};
use nilas_evidence::{self as evidence, Evidence, Execution, Invariant, Step, Unwinding};
use nilas_program::{Automaton, BackMap, Program, large_blocks};
use nilas_smt::Budget;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// Bounded model checking.
    Bmc,
    /// IC3 on control-flow automata.
    Ic3Cfa,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 2] = [Engine::Bmc, Engine::Ic3Cfa];

    /// The name that users give.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Bmc => "bmc",
            Engine::Ic3Cfa => "ic3cfa",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
            format!("there is no engine `{name}`; choose one of {}", names.join(", "))
        })
    }
}

/// Settings of all engines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Settings of BMC.
    pub bmc: bmc::Settings,
    /// Settings of IC3CFA.
    pub ic3cfa: ic3cfa::Settings,
}

/// A verdict, with the evidence that was accepted for it.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The error cannot be reached.
    Safe(Evidence),
    /// The error can be reached.
    Unsafe(Evidence),
    /// Nothing was shown.
    Unknown(Unknown),
    /// The checker did not accept the engine's evidence: a bug in Nilas.
    Rejected {
        /// What the checker said.
        why: evidence::Rejection,
        /// The evidence.
        evidence: Evidence,
    },
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine that ran.
    pub engine: Engine,
    /// Its verdict.
    pub verdict: Verdict,
    /// Counters of the engine.
    pub counters: Counters,
    /// Time of the engine.
    pub engine_time: Duration,
    /// Time of the checker.
    pub check_time: Duration,
}

/// Runs an engine on an automaton and checks its evidence. The checker's time counts in the budget.
pub fn verify(
    program: &Program,
    engine: Engine,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let started = Instant::now();
    let (small, back) = large_blocks(program);
    let (outcome, counters) = match engine {
        Engine::Bmc => bmc(&small, options.bmc, budget, observer),
        Engine::Ic3Cfa => ic3cfa(&small, options.ic3cfa, budget, observer),
    };
    let engine_time = started.elapsed();
    let started = Instant::now();
    let verdict = judge(program, &small.automaton, &back, outcome, budget);
    Report { engine, verdict, counters, engine_time, check_time: started.elapsed() }
}

fn judge(program: &Program, small: &Automaton, back: &BackMap, outcome: Outcome, budget: &Budget) -> Verdict {
    let (evidence, expected) = match outcome {
        Outcome::Safe(Proof::Invariant(invariant)) => {
            (Evidence::Invariant(invariant_back(back, invariant)), evidence::Verdict::Safe)
        }
        Outcome::Safe(Proof::Unwinding(unwinding)) => {
            (Evidence::Unwinding(unwinding_back(back, &unwinding)), evidence::Verdict::Safe)
        }
        Outcome::Unsafe(execution) => {
            (Evidence::Execution(execution_back(back, small, execution)), evidence::Verdict::Unsafe)
        }
        Outcome::Unknown(Unknown::Unmodelled { execution, .. }) => {
            return judge_unmodelled(program, execution_back(back, small, *execution), budget);
        }
        Outcome::Unknown(unknown) => return Verdict::Unknown(unknown),
    };
    match evidence::check(program, &evidence, budget) {
        Ok(verdict) if verdict == expected && verdict == evidence::Verdict::Safe => Verdict::Safe(evidence),
        Ok(verdict) if verdict == expected => Verdict::Unsafe(evidence),
        Ok(_) => {
            let why =
                evidence::Rejection::NotReached { why: "it ends elsewhere than the engine said".into() };
            Verdict::Rejected { why, evidence }
        }
        // Neither accepted nor shown to be wrong: out of budget, or outside of what the checker decides.
        Err(evidence::Rejection::Undecided(reason)) => Verdict::Unknown(reason.into()),
        Err(why) => Verdict::Rejected { why, evidence },
    }
}

/// An execution to *unmodelled* is replayed too: what is told to the user should be true.
fn judge_unmodelled(program: &Program, execution: Execution, budget: &Budget) -> Verdict {
    let evidence = Evidence::Execution(execution.clone());
    match evidence::check(program, &evidence, budget) {
        Ok(evidence::Verdict::Unmodelled) => {
            let last = execution.path.last();
            let span = last.map(|step| program.automaton.edge(step.edge).span).unwrap_or_default();
            Verdict::Unknown(Unknown::Unmodelled { span, execution: Box::new(execution) })
        }
        Ok(_) => {
            let why =
                evidence::Rejection::NotReached { why: "it ends elsewhere than the engine said".into() };
            Verdict::Rejected { why, evidence }
        }
        Err(evidence::Rejection::Undecided(reason)) => Verdict::Unknown(reason.into()),
        Err(why) => Verdict::Rejected { why, evidence },
    }
}

fn invariant_back(back: &BackMap, invariant: Invariant) -> Invariant {
    let formulas = invariant.formulas.iter().map(|(&location, &formula)| (back.location(location), formula));
    Invariant { formulas: formulas.collect(), arena: invariant.arena }
}

fn unwinding_back(back: &BackMap, unwinding: &Unwinding) -> Unwinding {
    let visits = unwinding.visits.iter().map(|(&location, &visits)| (back.location(location), visits));
    Unwinding { visits: visits.collect() }
}

fn execution_back(back: &BackMap, small: &Automaton, execution: Execution) -> Execution {
    let steps = execution.path.iter().flat_map(|step| back.path(step.edge, &step.arcs, small));
    let path = steps.map(|(edge, arcs)| Step { edge, arcs }).collect();
    Execution { path, ..execution }
}
