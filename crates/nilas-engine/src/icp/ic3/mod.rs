//! IC3 over simple bounds: *ICP and IC3 with Stronger Generalization* (Winterer, Seufert, Scheibler, Teige,
//! Scholl, Becker), on the locations of an automaton.
//!
//! An instance of the IC3 core ([`pdr`](crate::pdr)). Cubes are boxes: conjunctions of bounds of the
//! program's variables ([`literals`]). Questions go to [`nilas_icp`], which assumes literals one at a time,
//! rotates them and generalises bounds where a question is refuted; [`generalise`] has the procedures of
//! §3.4, [`preimage`] GeNTR and lifting, [`suffix`] target enlargement. What is used is said by the names of
//! table 1 ([`configuration`]).
//!
//! # Deviations
//!
//! - Frames are local to locations, and executions begin at the entry alone. So no lemma can exclude an
//!   initial state; what ungeneralisation (§2.4.3) adds is what the edges from the entry need.
//! - Literals behind an edge are bounds of what variables hold there as terms over the state before it: there
//!   are no next-state variables, and bounds are generalised on these terms.
//! - A join is tried a limited number of times, and only with states of the same location.
//! - A question that intervals do not decide in time goes to the bit-blaster; then its core is taken as it
//!   is.
//!
//! # What is kept
//!
//! - Every literal of an obligation or lemma is a simple bound of one variable, and is known to [`literals`].
//! - Obligations are real: with the inputs of their trail, each of their states leads on.

mod configuration;
mod edge;
mod exchange;
mod generalise;
mod instance;
mod literals;
mod preimage;
mod suffix;

pub use configuration::{Configuration, Dropping};

use crate::bmc::{self, Bmc, Reasoning};
use crate::engine::{Context, Engine, Kind, Own, Prepared, Question, Setting};
use crate::exchange::Port;
use crate::landmarks::weakener;
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Unknown};
use crate::pdr::{self, Level, Map, Pdr, distances};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use edge::EdgeSolver;
use literals::{Literals, is_bounded};
use nilas_program::{LiveVariables, Program};
use nilas_smt::{Budget, Solver};
use nilas_term::{Arena, Cube};
use std::time::{Duration, Instant};
use suffix::Suffix;

/// Obligations without a new frame before it is begun anew with a longer suffix.
const OBLIGATIONS: u64 = 150;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What of the paper is used.
    pub configuration: Configuration,
    /// Where the shuffling of literals begins.
    pub seed: u32,
    /// After every level, check that frames are monotone and edge-consecutive, with solvers of their own.
    /// Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
}

/// What is counted besides what every instance counts.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    /// Literals that refutations of relative inductiveness kept, and how many of them they relaxed.
    kept: u64,
    relaxed: u64,
    /// Literals that were asked about then.
    asked: u64,
    joins: u64,
    ctgs: u64,
    /// Time that dropping literals, joins and counterexamples to generalisation took.
    additional: Duration,
}

/// What this instance of IC3 knows.
struct Bounds<'a> {
    map: Map<'a, EdgeSolver>,
    configuration: Configuration,
    /// The length of the suffix.
    suffix: u32,
    suffixes: Vec<Suffix<'a>>,
    live: LiveVariables,
    literals: Literals,
    random: u64,
    /// The cube whose states are left out before a step, if that is not the one that is asked about.
    outside: Option<Cube>,
    /// Obligations since the last frame.
    without_progress: u64,
    aborted: bool,
    statistics: Statistics,
    port: &'a mut Port,
}

/// The state of a run.
type IcpIc3<'p, 'i> = Pdr<'p, Bounds<'i>>;

/// Runs IC3 over bounds on an automaton.
pub fn icp_ic3(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    icp_ic3_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn icp_ic3_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let begun = Instant::now();
    // One arena for all attempts: the port belongs to it.
    let mut arena = program.arena.clone();
    let mut suffix = settings.configuration.suffix;
    let mut restarts = 0;
    loop {
        let sinks = match ahead(program, suffix, budget, observer) {
            Ok(Ok(sinks)) => sinks,
            Ok(Err((outcome, counters))) => return (outcome, counters),
            Err(why) => return (Outcome::Unknown(why), Counters::new()),
        };
        let engine =
            engine(program, settings, suffix, sinks, std::mem::take(&mut arena), budget, observer, port);
        let mut engine = match engine {
            Ok(engine) => engine,
            Err(why) => return (Outcome::Unknown(why), [("solver checks", 0)].into()),
        };
        let outcome = engine.outcome(&program.automaton);
        if engine.instance.aborted && budget.exhausted().is_none() {
            // §2.4.6: from scratch, with as many steps as there were frames.
            suffix = engine.level.0.max(suffix + 1);
            restarts += 1;
            arena = std::mem::take(&mut engine.arena);
            drop(engine);
            observer.event(&|| format!("begins anew with a suffix of {suffix}"));
            continue;
        }
        engine.tell_lemmas(&program.automaton);
        let mut counters = engine.counters();
        counters.insert("restarts", restarts);
        counters.insert("microseconds", u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX));
        return (outcome.unwrap_or_else(Outcome::Unknown), counters);
    }
}

/// What BMC says about ways to sinks that are no longer than a suffix: an outcome, or the sinks that are
/// left.
fn ahead(
    program: &Program,
    suffix: u32,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Result<Sinks, (Outcome, Counters)>, Unknown> {
    if suffix == 0 {
        let relevant = Relevant::new(&program.automaton);
        return Ok(Ok(Sinks::new(&program.automaton, &relevant)));
    }
    let settings = bmc::Settings { max_depth: None, reasoning: Reasoning::Bounds };
    let mut base = Bmc::new("icp-ic3", program, settings, budget, observer).map_err(Unknown::Interrupted)?;
    for _ in 0..=suffix {
        if let Some(outcome) = base.advance(observer, &mut Port::closed())? {
            return Ok(Err((outcome, base.counters())));
        }
    }
    Ok(Ok(base.into_sinks()))
}

/// An engine that has not begun.
#[allow(clippy::too_many_arguments, reason = "the parts that it is made of")]
fn engine<'a>(
    program: &'a Program,
    settings: Settings,
    suffix: u32,
    sinks: Sinks,
    mut arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    port: &'a mut Port,
) -> Result<IcpIc3<'a, 'a>, Unknown> {
    let automaton = &program.automaton;
    let relevant = Relevant::new(automaton);
    let live = LiveVariables::within(program, budget).map_err(Unknown::Interrupted)?;
    for location in automaton.location_ids().filter(|&location| relevant.contains(location)) {
        let unbounded = |id| live.contains(location, id) && !is_bounded(&automaton.variable(id).sort);
        if let Some(id) = automaton.variable_ids().find(|&id| unbounded(id)) {
            let why = format!("`{}` has no bounds: it is made for numbers", automaton.variable(id).name);
            return Err(Unknown::Inapplicable(why));
        }
    }
    let solvers = relevant.try_edges(automaton, |edge| EdgeSolver::new(&mut arena, automaton, edge, budget));
    let solvers = solvers.map_err(Unknown::Interrupted)?;
    let inner = |&location: &_| relevant.contains(location) && !automaton.is_sink(location);
    let mut suffixes = Vec::new();
    for location in automaton.location_ids().filter(inner) {
        let found = Suffix::new(&mut arena, automaton, &relevant, sinks.left(), location, suffix, budget)?;
        suffixes.extend((!found.sinks.is_empty()).then_some(found));
    }
    let distance = distances(automaton, &relevant, u32::MAX);
    let weakener = weakener(&arena, automaton);
    let instance = Bounds {
        map: Map::new(automaton, relevant, solvers, sinks),
        configuration: settings.configuration,
        suffix,
        suffixes,
        live,
        literals: Literals::new(&arena, automaton),
        random: u64::from(settings.seed).wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15),
        outside: None,
        without_progress: 0,
        aborted: false,
        statistics: Statistics::default(),
        port,
    };
    let settings = pdr::Settings {
        check_frames: settings.check_frames,
        max_level: settings.max_level,
        first: Level(1),
        by_size: false,
        requeue: true,
        push_at_once: false,
        subsume_pushed: true,
    };
    Ok(Pdr::new(instance, arena, distance, weakener, settings, budget, observer))
}

impl IcpIc3<'_, '_> {
    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        let Statistics { kept, relaxed, asked, joins, ctgs, additional } = self.instance.statistics;
        counters.extend([
            ("suffix", u64::from(self.instance.suffix)),
            ("bounds asked", asked),
            ("bounds kept", kept),
            ("bounds relaxed", relaxed),
            ("joins", joins),
            ("counterexamples to generalisation blocked", ctgs),
            (
                "microseconds of stronger generalisation",
                u64::try_from(additional.as_micros()).unwrap_or(u64::MAX),
            ),
        ]);
        for solver in self.instance.map.solvers.iter().flatten() {
            add_solver(&mut counters, solver.frame.stats());
            if let Some(lifter) = &solver.lifter {
                add_solver(&mut counters, lifter.stats());
            }
        }
        for suffix in &self.instance.suffixes {
            add_solver(&mut counters, suffix.frame.stats());
        }
        counters
    }
}

/// Puts things into a pseudo-random order (xorshift, Fisher and Yates).
fn shuffled<T>(random: &mut u64, things: &mut [T]) {
    for last in (1..things.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let other = usize::try_from(*random % (last as u64 + 1)).unwrap_or(0);
        things.swap(last, other);
    }
}

/// IC3 over bounds as an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// As it is set.
    Set,
    /// iSAT3+IC3₁ of table 1: `ind2+abort`.
    First,
    /// iSAT3+IC3₂ of table 1: `ind0+abort+ig`.
    Second,
}

const CONFIGURATION: &str = "ind0+ig";

impl Engine for Variant {
    fn name(&self) -> &'static str {
        match self {
            Variant::Set => "icp-ic3",
            Variant::First => "icp-ic3-1",
            Variant::Second => "icp-ic3-2",
        }
    }

    fn group(&self) -> &'static str {
        "icp-ic3"
    }

    fn method(&self) -> &'static str {
        match self {
            Variant::Set => {
                "goes back from the error as ic3cfa does, and excludes boxes: ranges of variables, made as large \
                 as they can be"
            }
            Variant::First => {
                "is icp-ic3 as `ind2+abort`: it looks for states some steps before the error, \
                 and for more steps the longer it takes"
            }
            Variant::Second => "is icp-ic3 as `ind0+abort+ig`: ranges are made larger by induction",
        }
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 4] = [
            Setting {
                key: "configuration",
                kind: Kind::Text(
                    |text| text.parse::<Configuration>().map(|_| ()),
                    "ind0 or ind2, then any of +abort, +ld, +ld-once or +ig, +ctg, +j, +lf, +lift",
                ),
                default: Some(CONFIGURATION),
                help: "what is used to generalise, by the names of the paper's table 1 (icp-ic3 only)",
            },
            Setting {
                key: "seed",
                kind: Kind::Number("a number"),
                default: Some("0"),
                help: "where the shuffling of literals begins",
            },
            crate::pdr::MAX_LEVEL,
            crate::pdr::CHECK,
        ];
        &SETTINGS
    }

    fn takes(&self, question: Question) -> bool {
        question == Question::Program
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let program = &prepared.program;
        if !super::has_floats(program) {
            let why = "it is made for programs with floats".to_owned();
            return (Outcome::Unknown(Unknown::Inapplicable(why)), Counters::new());
        }
        let name = match self {
            Variant::Set => settings.text("configuration").unwrap_or(CONFIGURATION),
            Variant::First => "ind2+abort",
            Variant::Second => "ind0+abort+ig",
        };
        let settings = Settings {
            configuration: name.parse().unwrap_or_default(),
            seed: settings.parsed("seed").unwrap_or_default(),
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
        };
        let Context { budget, observer, exchange } = context;
        icp_ic3_beside(program, settings, budget, *observer, exchange)
    }
}
