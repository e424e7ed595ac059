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
use nilas_program::{Automaton, BackMap, EdgeId, Program, large_blocks};
use nilas_smt::{Budget, Reason};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The program is run: decides where no decision depends on an input.
    Run,
    /// Bounded model checking.
    Bmc,
    /// IC3 on control-flow automata.
    Ic3Cfa,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Run, Engine::Bmc, Engine::Ic3Cfa];

    /// The name that users give.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Run => "run",
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
    if engine == Engine::Run {
        return run(program, budget);
    }
    let started = Instant::now();
    let (small, back) = large_blocks(program);
    let (outcome, counters) = match engine {
        Engine::Run => unreachable!("handled above"),
        Engine::Bmc => bmc(&small, options.bmc, budget, observer),
        Engine::Ic3Cfa => ic3cfa(&small, options.ic3cfa, budget, observer),
    };
    let engine_time = started.elapsed();
    let started = Instant::now();
    let verdict = judge(program, &small.automaton, &back, outcome, budget);
    Report { engine, verdict, counters, engine_time, check_time: started.elapsed() }
}

/// The checker itself runs the program; there is nothing to search for.
fn run(program: &Program, budget: &Budget) -> Report {
    let started = Instant::now();
    let (verdict, steps) = match evidence::run(program, budget) {
        Ok(ended) => {
            let verdict = match ended.verdict {
                evidence::Verdict::Safe => Verdict::Safe(Evidence::Run),
                evidence::Verdict::Unsafe => {
                    let outcome = Outcome::Unsafe(Execution::default());
                    judge(program, &program.automaton, &BackMap::identity(), outcome, budget)
                }
                evidence::Verdict::Unmodelled => {
                    judge_unmodelled(program, Execution::default(), ended.last, budget)
                }
            };
            (verdict, ended.steps)
        }
        Err(evidence::Rejection::Undecided(Reason::Unsupported(why))) => {
            (Verdict::Unknown(Unknown::Inapplicable(why)), 0)
        }
        Err(evidence::Rejection::Undecided(reason)) => (Verdict::Unknown(reason.into()), 0),
        Err(why) => (Verdict::Rejected { why, evidence: Evidence::Run }, 0),
    };
    let counters: Counters = [("steps", steps)].into_iter().collect();
    let check_time = started.elapsed();
    Report { engine: Engine::Run, verdict, counters, engine_time: Duration::ZERO, check_time }
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
            let execution = execution_back(back, small, *execution);
            let last = execution.path.last().map(|step| step.edge);
            return judge_unmodelled(program, execution, last, budget);
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
fn judge_unmodelled(
    program: &Program,
    execution: Execution,
    last: Option<EdgeId>,
    budget: &Budget,
) -> Verdict {
    let evidence = Evidence::Execution(execution.clone());
    match evidence::check(program, &evidence, budget) {
        Ok(evidence::Verdict::Unmodelled) => {
            let span = last.map(|edge| program.automaton.edge(edge).span).unwrap_or_default();
            Verdict::Unknown(Unknown::Unmodelled { span, edge: last, execution: Box::new(execution) })
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
