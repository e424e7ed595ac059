//! IC3 over uninterpreted abstraction (Denis Bueno, *Automatic Abstraction Refinement for Software Model
//! Checking*, the EUForia thesis, chapters 3 and 4), on the locations of an automaton. A transition system is
//! the case of one location.
//!
//! Data operations become functions of which nothing is known but that equal arguments give equal results;
//! Booleans, equality and constants stay what they are. An instance of the IC3 core ([`pdr`](crate::pdr))
//! searches there, with questions that congruence closure answers ([`nilas_smt::euf`]): no bit is looked at.
//! An abstract counterexample is a path of edges. Either that can be executed, or lemmas about the operators
//! concerned are learnt ([`refine`]): only what the property needs.
//!
//! # The abstraction is a reading
//!
//! The thesis maps terms to abstract ones (Def. 3.3, 4.3) and back (Def. 3.4). Here both are the same terms,
//! and only the solver reads them differently; what it calls unsatisfiable is so of values. So frames are
//! frames of the program: when the search ends, they are an invariant like that of any engine, and lemmas
//! need not be part of it. Terms are in the arena's normal form: constants are folded and commutative
//! operands ordered before any question is asked.
//!
//! # Deviations
//!
//! - Frames and solvers are local to locations and edges; the thesis has one relation.
//! - There are no next-state variables: literals behind an edge are substituted. What that costs is bounded
//!   by the [`vocabulary`]; what it gains is that a variable which is assigned a constant is that constant.
//! - With `templates`, operators are computed where all their arguments have values: lemmas such as (4.37),
//!   `x = 3 → x + 3 = 6`, need not be learnt.
//! - Interpolants come from our own interpolation; no Horn solver is asked.
//!
//! # What is kept
//!
//! - Every literal of an obligation holds in the model that it was made of ([`preimage`]).
//! - Every refinement lemma holds of all values; the solver of values has shown it.
//! - The entry has no lemma and no predicate: every state is initial there.

mod arrays;
mod bmc;
mod concrete;
mod edge;
mod exchange;
mod instance;
mod lemmas;
mod monolithic;
mod order;
mod preimage;
mod project;
mod refine;
#[cfg(test)]
mod tests;
mod vocabulary;

use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting};
use crate::exchange::Port;
use crate::landmarks::weakener;
use crate::observer::{Counters, Observer, Silent};
use crate::outcome::Outcome;
use crate::pdr::{self, Level, Map, Pdr, distances};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use edge::EdgeSolver;
use exchange::Exchanged;
use lemmas::Lemmas;
use monolithic::Monolithic;
use nilas_program::{LiveVariables, Program};
use nilas_smt::{Budget, Interrupt};
use nilas_term::Term;
use vocabulary::Vocabulary;

/// How a path of feasible steps that cannot be executed is refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// By interpolants of the formula of the path (BUILDBMCCX); by simulation where there are none.
    #[default]
    Bmc,
    /// By an execution that follows it as far as it goes.
    Simulation,
}

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// After every level, check that frames are monotone and edge-consecutive, with solvers of their own.
    /// Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
    /// How paths are refined.
    pub refinement: Refinement,
    /// Whether operators are computed on values.
    pub templates: bool,
    /// Whether arrays are abstracted, too.
    pub arrays: bool,
    /// Whether frames are local to locations; otherwise there is one relation.
    pub local: bool,
    /// After so many refinement lemmas about an operator over the same variables, models are asked of bits,
    /// too, as far as it is concerned; never if not set.
    pub concrete: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        let refinement = Refinement::default();
        Settings {
            check_frames: false,
            max_level: None,
            refinement,
            templates: true,
            arrays: true,
            local: true,
            concrete: None,
        }
    }
}

/// What this instance of IC3 knows.
struct Uninterpreted<'a> {
    map: Map<'a, EdgeSolver>,
    refinement: Refinement,
    live: LiveVariables,
    /// A variable for what each variable is behind a step.
    behind: Vec<Term>,
    /// By location: formulas that obligations decide, besides what the step needs.
    predicates: Vec<Vec<Term>>,
    /// By location: whether obligations say all equalities of their models where something is dropped.
    whole: Vec<bool>,
    vocabulary: Vocabulary,
    lemmas: Lemmas,
    /// Preimages from which something was dropped.
    incomplete: u64,
    /// Refinements that could but add terms.
    grounded: u64,
    /// Questions that the solver of values was asked.
    concrete: u64,
    exchange: Exchanged<'a>,
}

/// The state of a run.
type EufIc3<'p, 'i> = Pdr<'p, Uninterpreted<'i>>;

/// Runs IC3 over the uninterpreted abstraction of an automaton.
pub fn euf(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    euf_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
fn euf_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    if !settings.local
        && let Some(whole) = Monolithic::new(program)
    {
        // Whoever listens knows the locations of the program only, and so does the exchange.
        let settings = Settings { local: true, ..settings };
        let (outcome, counters) = euf(&whole.program, settings, budget, &mut Silent);
        return (whole.back(&program.automaton, outcome), counters);
    }
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
) -> Result<EufIc3<'a, 'a>, Interrupt> {
    let Settings { check_frames, max_level, refinement, concrete, .. } = settings;
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let relevant = Relevant::new(automaton);
    let solvers = relevant.try_edges(automaton, |edge| {
        EdgeSolver::new(&mut arena, automaton, edge, &settings, observer, budget)
    })?;
    let mut vocabulary = Vocabulary::default();
    for solver in solvers.iter().flatten() {
        vocabulary.add(&arena, solver.transition.encoding.guard);
        for variable in automaton.variable_ids() {
            vocabulary.add(&arena, solver.transition.encoding.next.get(variable));
        }
    }
    let distance = distances(automaton, &relevant, u32::MAX);
    let weakener = weakener(&arena, automaton);
    let sinks = Sinks::new(automaton, &relevant);
    let exchange = Exchanged::new(program, &relevant, port, budget)?;
    let behind = automaton.variables.iter().map(|it| arena.fresh_variable("behind", &it.sort)).collect();
    let mut lemmas = Lemmas::default();
    lemmas.concrete.after = concrete;
    let instance = Uninterpreted {
        map: Map::new(automaton, relevant, solvers, sinks),
        refinement,
        live: LiveVariables::within(program, budget)?,
        behind,
        predicates: vec![Vec::new(); automaton.locations.len()],
        whole: vec![false; automaton.locations.len()],
        vocabulary,
        lemmas,
        incomplete: 0,
        grounded: 0,
        concrete: 0,
        exchange,
    };
    let settings = pdr::Settings {
        check_frames,
        max_level,
        first: Level(1),
        by_size: false,
        requeue: true,
        push_at_once: true,
        subsume_pushed: true,
    };
    Ok(Pdr::new(instance, arena, distance, weakener, settings, budget, observer))
}

impl EufIc3<'_, '_> {
    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        let Uninterpreted { lemmas, vocabulary, predicates, map: Map { solvers, .. }, .. } = &self.instance;
        let count = lemmas.count;
        counters.extend([
            ("state lemmas", count.states),
            ("transition lemmas", count.transitions),
            ("interpolant lemmas", count.interpolants),
            ("simulation lemmas", count.simulations),
            ("constraint lemmas", count.constraints),
            ("expansion lemmas", count.expansions),
            ("array lemmas", count.arrays),
            ("refinement lemmas shared", lemmas.shared.len() as u64),
            ("refinement lemmas told", solvers.iter().flatten().map(|solver| solver.told).sum()),
            ("array axioms told", solvers.iter().flatten().map(|solver| solver.axioms.len() as u64).sum()),
            ("order axioms told", solvers.iter().flatten().map(|solver| solver.orders.len() as u64).sum()),
            ("concrete operators", lemmas.concrete.len() as u64),
            (
                "lemmas of concrete operators",
                solvers.iter().flatten().map(|solver| solver.applications.clauses.len() as u64).sum(),
            ),
            ("refinements by terms alone", self.instance.grounded),
            ("predicates", predicates.iter().map(|of| of.len() as u64).sum()),
            ("terms of the vocabulary", vocabulary.len() as u64),
            ("preimages incomplete", self.instance.incomplete),
            ("questions about values", self.instance.concrete),
        ]);
        for solver in solvers.iter().flatten() {
            add_solver(&mut counters, solver.frame.stats());
        }
        self.instance.exchange.port.counters(&mut counters);
        counters
    }
}

/// IC3 over uninterpreted abstraction as an engine.
pub(crate) struct EufEngine;

impl Engine for EufEngine {
    fn name(&self) -> &'static str {
        "euf"
    }

    fn method(&self) -> &'static str {
        "goes back from the error as ic3cfa does, but knows of arithmetic and arrays only that equal operands \
         give equal results, and learns more where an execution that it finds is none: for control code"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 7] = [
            crate::pdr::MAX_LEVEL,
            crate::pdr::CHECK,
            Setting {
                key: "refinement",
                kind: Kind::Words(&["bmc", "simulation"]),
                default: Some("bmc"),
                help: "what is learnt from a path that cannot be executed: interpolants, or what stops one \
                       execution",
            },
            Setting {
                key: "templates",
                kind: Kind::YesNo,
                default: Some("yes"),
                help: "compute operators where all operands have values and tell axioms of order wherever a \
                       model violates one, instead of learning that",
            },
            Setting {
                key: "arrays",
                kind: Kind::YesNo,
                default: Some("yes"),
                help: "abstract arrays, too, instead of telling their axioms wherever a model violates one",
            },
            Setting {
                key: "local",
                kind: Kind::YesNo,
                default: Some("yes"),
                help: "keep frames for each location, instead of one relation with the location in a variable",
            },
            Setting {
                key: "concrete",
                kind: Kind::Number("a number of lemmas"),
                default: None,
                help: "after so many refinement lemmas about an operator over the same variables, ask models of \
                       bits, too, as far as it is concerned; without it, never",
            },
        ];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let simulates = settings.text("refinement") == Some("simulation");
        let settings = Settings {
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
            refinement: if simulates { Refinement::Simulation } else { Refinement::Bmc },
            templates: settings.flag("templates"),
            arrays: settings.flag("arrays"),
            local: settings.flag("local"),
            concrete: settings.parsed("concrete"),
        };
        let Context { budget, observer, exchange } = context;
        euf_beside(&prepared.program, settings, budget, *observer, exchange)
    }
}
