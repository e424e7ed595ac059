//! IC3IA: IC3 with implicit predicate abstraction (Cimatti, Griggio, Mover, Tonetta, *IC3 Modulo Theories via
//! Implicit Predicate Abstraction*, TACAS 2014), on the locations of an automaton. A transition system is the
//! case of one location.
//!
//! An instance of the IC3 core ([`pdr`](crate::pdr)). Every location `l` has its own predicates `P_l`
//! ([`predicates`]); obligations and lemmas are cubes and clauses over them. A step over an edge `T` from `l`
//! to `l'` is the abstract one, between states that agree on the predicates with states of a concrete step:
//! `EQ_P(X, X̄) ∧ T(X̄, X̄') ∧ EQ_P'(X̄', X')`. An abstract counterexample is a path of edges. Either that can be
//! executed, or it is refined away ([`refine`]).
//!
//! # Why no copies are made
//!
//! Relative inductiveness of a cube `c` over an edge is `F(X) ∧ ¬c(X) ∧ EQ_P(X, X̄) ∧ T(X̄, X̄') ∧ EQ_P'(X̄', X')
//! ∧ c(X')` in the paper (AbsRelInd). `F` and `c` before the step are combinations of `P_l`, and `c` behind it
//! is one of `P_l'`. So from a model of this, one of `F(X̄) ∧ ¬c(X̄) ∧ T(X̄, X̄') ∧ c(X̄')` is read off: `X̄` agrees
//! with `X` on everything that `F` and `c` are made of. The other way round, put `X = X̄` and `X' = X̄'`. Hence the
//! question is asked with the concrete step. Where the abstraction shows is in the preimage: the obligation
//! before a step is all that the predicates say about the state of the model, that is, the abstract state,
//! and only some of its states need lead on.
//!
//! # What is kept
//!
//! - Every literal of a lemma is a predicate of its location or the negation of one: literals are dropped, not
//!   weakened.
//! - Predicates are never taken back, and come only while no obligation waits: all of a chain are complete
//!   over the same predicates.
//! - The entry has no predicates: every state is initial there.

mod edge;
mod instance;
mod predicates;
mod refine;
#[cfg(test)]
mod tests;

use crate::engine::{Context, Engine, Own, Prepared, Setting};
use crate::landmarks::weakener;
use crate::observer::{Counters, Observer};
use crate::outcome::{Outcome, Unknown};
use crate::pdr::{self, Level, Map, Pdr, distances};
use crate::phase::add_solver;
use crate::predabs::{REFINEMENT, Refinement};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use edge::EdgeSolver;
use nilas_program::{EdgeId, LiveVariables, Program};
use nilas_smt::{Budget, Interrupt, SatCore};
use nilas_term::Arena;
use predicates::Predicates;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// After every level, check that frames are monotone and edge-consecutive, with solvers of their own.
    /// Slow: for finding bugs.
    pub check_frames: bool,
    /// Give up beyond this frontier, if set.
    pub max_level: Option<u32>,
    /// Where predicates come from.
    pub refinement: Refinement,
    /// The SAT core of the edges' solvers.
    pub core: SatCore,
}

/// What this instance of IC3 knows.
struct Abstracted<'a> {
    map: Map<'a, EdgeSolver>,
    refinement: Refinement,
    live: LiveVariables,
    predicates: Predicates,
    /// Refinements for which interpolation gave nothing.
    without_interpolants: u64,
}

/// The state of a run.
type Ic3Ia<'p, 'i> = Pdr<'p, Abstracted<'i>>;

/// Runs IC3IA on an automaton.
pub fn ic3ia(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let mut engine = match engine(program, settings, budget, observer) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    let outcome = engine.outcome(&program.automaton).unwrap_or_else(Outcome::Unknown);
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
) -> Result<Ic3Ia<'a, 'a>, Interrupt> {
    let Settings { check_frames, max_level, refinement, core } = settings;
    let automaton = &program.automaton;
    let mut arena = program.arena.clone();
    let relevant = Relevant::new(automaton);
    let solvers = relevant.try_edges(automaton, |edge| {
        let solver = observer.solver(core.solver());
        EdgeSolver::new(&mut arena, automaton, edge, solver, budget)
    })?;
    let distance = distances(automaton, &relevant, u32::MAX);
    let weakener = weakener(&arena, automaton);
    let sinks = Sinks::new(automaton, &relevant);
    let instance = Abstracted {
        map: Map::new(automaton, relevant, solvers, sinks),
        refinement,
        live: LiveVariables::within(program, budget)?,
        predicates: Predicates::new(automaton.locations.len()),
        without_interpolants: 0,
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

impl Ic3Ia<'_, '_> {
    /// The solver of an edge. Edges outside of what matters have none and are never asked.
    fn solver(&mut self, edge: EdgeId) -> Result<(&mut EdgeSolver, &mut Arena), Unknown> {
        Ok((self.instance.map.solver(edge)?, &mut self.arena))
    }

    fn counters(&self) -> Counters {
        let mut counters = self.common_counters();
        counters.extend([
            ("predicates", self.instance.predicates.len() as u64),
            ("refinements without interpolants", self.instance.without_interpolants),
        ]);
        for solver in self.instance.map.solvers.iter().flatten() {
            add_solver(&mut counters, solver.frame.stats());
        }
        counters
    }
}

/// IC3IA as an engine.
pub(crate) struct Ic3IaEngine;

impl Engine for Ic3IaEngine {
    fn name(&self) -> &'static str {
        "ic3ia"
    }

    fn method(&self) -> &'static str {
        "goes back from the error as ic3cfa does, but looks at states through a few conditions (predicates) at \
         each place, and adds conditions where an execution that it finds is none"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 3] = [crate::pdr::MAX_LEVEL, crate::pdr::CHECK, REFINEMENT];
        &SETTINGS
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings {
            check_frames: settings.flag("check"),
            max_level: settings.parsed("max-level"),
            refinement: Refinement::of(settings),
            core: settings.sat_core().unwrap_or_default(),
        };
        ic3ia(&prepared.program, settings, context.budget, context.observer)
    }
}
