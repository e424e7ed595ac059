//! IC3CFA: IC3 on control-flow automata (Lange, Neuhäußer, Noll, FMCAD 2015; the generalisation thesis).
//!
//! An instance of the IC3 core ([`pdr`](crate::pdr)): frames are local to locations, relative inductiveness
//! to edges. [`instance`] says so to the core, [`relative`] answers its questions, [`predecessor`] has the
//! preimages, [`generalise`] the algorithm that unites the catalogue. Alg. 1–3 of the paper (4.2.1 and 4.2.2
//! of the thesis) and Alg. 4.3.1–4.3.3 are the core's.
//!
//! Deviations from the printed algorithms, and why:
//! - A cube is blocked only after *all* incoming edges were shown unsatisfiable; the printed inner loop
//!   blocks edge by edge, which loses states that come over another edge.
//! - The entry has no incoming edge and no lemma, so an obligation there is a counterexample at any level.
//! - Frames below a location's distance from the entry are *false* (5.1). Together with delta encoding this
//!   means that an empty delta at level `i` is a fixpoint only if `i` is at least every location's distance.
//! - Predecessors are cubes along the one path that a model picks, not all of `split` at once (5.2, lazily).

mod candidates;
mod conjecture;
mod context;
mod counterexample;
mod edge;
mod effort;
mod exchange;
mod generalise;
mod guidance;
mod infinity;
mod instance;
mod interpolate;
mod necessary;
mod predecessor;
mod predict;
mod premises;
mod relative;
mod statistics;
mod sums;
mod technique;
#[cfg(test)]
mod thesis;

use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting, Wants};
use crate::exchange::Port;
use crate::landmarks::weakener;
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Unknown};
use crate::pdr::{self, Level, Map, Pdr, distances};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use edge::EdgeSolver;
use nilas_program::{EdgeId, LiveVariables, LocationId, Program};
use nilas_smt::{Budget, Interrupt, SatCore};
use nilas_term::{Arena, Term};
use rustc_hash::FxHashMap;
use statistics::Applied;
pub use technique::{Technique, Techniques};

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// After every level, check that frames are monotone and edge-consecutive, with solvers of their own.
    /// Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
    /// The SAT core of the edges' solvers.
    pub core: SatCore,
    /// What is switched on.
    pub techniques: Techniques,
    /// Tell the evidence checker which lemmas follow from which.
    pub premises: bool,
}

/// What this instance of IC3 knows.
struct Cfa<'a> {
    map: Map<'a, EdgeSolver>,
    techniques: Techniques,
    tells_premises: bool,
    applied: Applied,
    /// Lemmas that do not come from an execution towards a sink may speak about these only.
    live: LiveVariables,
    /// How often a literal stood in a lemma that was pushed.
    good: FxHashMap<(LocationId, Term), u32>,
    guidance: guidance::Guidance,
    sums: sums::Sums,
    /// To be tried next.
    conjectures: Vec<conjecture::Conjecture>,
    candidates: candidates::Candidates,
    exchange: exchange::Exchanged<'a>,
}

/// The state of a run.
type Ic3Cfa<'p, 'i> = Pdr<'p, Cfa<'i>>;

/// Runs IC3CFA on an automaton.
pub fn ic3cfa(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    ic3cfa_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn ic3cfa_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let mut engine = match engine(program, settings, budget, observer, port) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    // Others may have begun before.
    let outcome = engine.take_facts().and_then(|()| engine.outcome(&program.automaton));
    let outcome = outcome.unwrap_or_else(Outcome::Unknown);
    engine.tell_lemmas(&program.automaton);
    let counters = engine.counters();
    (outcome, counters)
}

/// An engine that has not begun.
fn engine<'a>(
    program: &'a Program,
    settings: Settings,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    port: &'a mut Port,
) -> Result<Ic3Cfa<'a, 'a>, Interrupt> {
    let Settings { check_frames, max_level, core, techniques, premises } = settings;
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let relevant = Relevant::new(automaton);
    // Without a way of no edges, a location other than the entry is at least one edge away.
    let longest = if techniques.contains(Technique::PathLength) { u32::MAX } else { 1 };
    let distance = distances(automaton, &relevant, longest);
    let solvers = relevant.try_edges(automaton, |edge| {
        let solvers = [(); 2].map(|()| observer.solver(core.solver()));
        EdgeSolver::new(&mut arena, automaton, edge, solvers, budget)
    })?;
    let weakener = weakener(&arena, automaton);
    let sinks = Sinks::new(automaton, &relevant);
    let exchange = exchange::Exchanged::new(program, &relevant, port, budget)?;
    let instance = Cfa {
        map: Map::new(automaton, relevant, solvers, sinks),
        techniques,
        tells_premises: premises,
        applied: Applied::default(),
        live: LiveVariables::within(program, budget)?,
        good: FxHashMap::default(),
        guidance: guidance::Guidance::default(),
        sums: sums::Sums::default(),
        conjectures: Vec::new(),
        candidates: candidates::Candidates::new(),
        exchange,
    };
    let settings = pdr::Settings {
        check_frames,
        max_level,
        first: Level(1),
        by_size: techniques.contains(Technique::Ordering),
        requeue: techniques.contains(Technique::Requeue),
        push_at_once: techniques.contains(Technique::PushAtOnce),
        subsume_pushed: false,
    };
    Ok(Pdr::new(instance, arena, distance, weakener, settings, budget, observer))
}

impl Ic3Cfa<'_, '_> {
    /// Asks an edge's solver. Edges outside of what matters have none and are never asked.
    fn solver(&mut self, edge: EdgeId) -> Result<(&mut EdgeSolver, &mut Arena), Unknown> {
        Ok((self.instance.map.solver(edge)?, &mut self.arena))
    }

    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        counters.extend([
            ("lemmas at the location with most", self.frames.most() as u64),
            ("locations with lemmas", self.frames.places() as u64),
            ("lemmas at infinity", self.frames.at(Level::INFINITE) as u64),
        ]);
        self.instance.applied.counters(&self.statistics, &mut counters);
        for stats in self.instance.map.solvers.iter().flatten().flat_map(EdgeSolver::stats) {
            add_solver(&mut counters, stats);
        }
        counters
    }
}

/// IC3CFA as an engine.
pub(crate) struct Ic3CfaEngine;

impl Ic3CfaEngine {
    fn techniques(settings: &Own<'_>) -> Techniques {
        settings.parsed("techniques").unwrap_or_default()
    }
}

impl Engine for Ic3CfaEngine {
    fn name(&self) -> &'static str {
        "ic3cfa"
    }

    fn method(&self) -> &'static str {
        "goes back from the error, and excludes the states that lead there by facts (lemmas) about single \
         places of the program, until these facts imply each other and so hold for ever"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 4] = [
            crate::pdr::MAX_LEVEL,
            crate::pdr::CHECK,
            Setting {
                key: "techniques",
                kind: Kind::Text(
                    |list| list.parse::<Techniques>().map(drop),
                    "a list as `--techniques` takes it",
                ),
                default: None,
                help: "the techniques that are switched on and off",
            },
            Setting {
                key: "premises",
                kind: Kind::YesNo,
                default: Some("no"),
                help: "tell the evidence checker which lemmas follow from which",
            },
        ];
        &SETTINGS
    }

    fn wants(&self, settings: &Own<'_>) -> Wants {
        match Ic3CfaEngine::techniques(settings).contains(Technique::FewValues) {
            true => Wants::FewValues,
            false => Wants::Small,
        }
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings {
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
            core: settings.sat_core().unwrap_or_default(),
            techniques: Ic3CfaEngine::techniques(settings),
            premises: settings.flag("premises"),
        };
        let Context { budget, observer, exchange } = context;
        ic3cfa_beside(&prepared.program, settings, budget, *observer, exchange)
    }
}
