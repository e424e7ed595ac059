//! Bounded model checking: unrolls the automaton layer by layer ([`crate::unrolling`]).
//!
//! A sink that can be reached gives an execution. A location that cannot be reached in a layer is given up
//! there, so a program all of whose executions end is proved by *exhausted unwinding*: the layers run
//! out, and the numbers of visits are the evidence.

use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use crate::unrolling::{Layer, Place, Unrolling};
use nilas_evidence::Unwinding;
use nilas_program::{LocationId, Program, State};
use nilas_smt::{Answer, Budget, SatCore, Solver};
use nilas_term::Term;
use std::collections::BTreeMap;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Stop after so many layers, if set.
    pub max_depth: Option<u64>,
    /// The SAT core of the solver. Unrollings are few and large questions.
    pub core: Option<SatCore>,
}

/// All executions from the entry on, as far as they were followed.
pub(crate) struct Bmc<'a> {
    engine: &'static str,
    settings: Settings,
    unrolling: Unrolling<'a>,
    solver: Box<dyn Solver>,
    budget: &'a Budget,
    pub(crate) sinks: Sinks,
    /// Where executions are in the last layer.
    layer: Layer,
    visits: BTreeMap<LocationId, u64>,
}

/// Runs BMC on an automaton.
pub fn bmc(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let mut engine = Bmc::new("bmc", program, settings, budget, observer);
    let outcome = engine.unroll(observer).unwrap_or_else(Outcome::Unknown);
    (outcome, engine.counters())
}

impl<'a> Bmc<'a> {
    pub(crate) fn new(
        engine: &'static str,
        program: &'a Program,
        settings: Settings,
        budget: &'a Budget,
        observer: &mut dyn Observer,
    ) -> Self {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let inner = automaton.location_ids().filter(|&location| !automaton.is_sink(location));
        let mut visits: BTreeMap<LocationId, u64> = inner.map(|id| (id, 0)).collect();
        visits.insert(automaton.entry, 1);
        let sinks = Sinks::new(automaton, &relevant);
        let mut unrolling = Unrolling::new(automaton, program.arena.clone(), relevant.outgoing, budget);
        let start = Place { condition: unrolling.arena.mk_true(), state: State::initial(automaton) };
        Bmc {
            engine,
            settings,
            unrolling,
            solver: observer.solver(settings.core.unwrap_or(SatCore::HARD).solver()),
            budget,
            sinks,
            layer: Layer::from([(automaton.entry, start)]),
            visits,
        }
    }

    fn unroll(&mut self, observer: &mut dyn Observer) -> Result<Outcome, Unknown> {
        loop {
            if let Some(outcome) = self.advance(observer)? {
                return Ok(outcome);
            }
        }
    }

    /// How many layers there are behind layer 0.
    pub(crate) fn depth(&self) -> u64 {
        self.unrolling.depth()
    }

    /// Goes on by a layer. The outcome, if the error is reached, or nothing goes on any more.
    pub(crate) fn advance(&mut self, observer: &mut dyn Observer) -> Result<Option<Outcome>, Unknown> {
        let automaton = self.unrolling.automaton;
        if self.layer.is_empty() {
            self.sinks.none_was_reached(automaton)?;
            let visits = std::mem::take(&mut self.visits);
            return Ok(Some(Outcome::Safe(Proof::Unwinding(Unwinding { visits }))));
        }
        let depth = self.depth();
        if let Some(limit) = self.settings.max_depth.filter(|&max| depth >= max) {
            return Err(Unknown::Bound { what: "layer", limit });
        }
        let checks = self.solver.stats().checks;
        observer.progress(&Progress { engine: self.engine, frame: depth, checks, ..Progress::default() });
        let arrivals = self.unrolling.next_layer(&self.layer)?;
        self.layer = Layer::new();
        for (location, place) in arrivals {
            let done = automaton.is_sink(location) && !self.sinks.left().contains(&location);
            if done || !self.reachable(place.condition)? {
                continue;
            }
            if automaton.is_sink(location) {
                let execution = self.unrolling.execution(&mut *self.solver, location)?;
                match self.sinks.reached(automaton, location, execution) {
                    Some(outcome) => return Ok(Some(outcome)),
                    None => continue,
                }
            }
            if observer.wants_inputs() {
                observer.inputs(self.unrolling.inputs(&mut *self.solver, location)?);
            }
            *self.visits.entry(location).or_default() += 1;
            observer.work(location, Work::Node);
            self.layer.insert(location, place);
        }
        // Told at powers of two: depths can be many.
        if depth.is_power_of_two() {
            observer.event(&|| format!("depth {depth}: {} locations reachable", self.layer.len()));
        }
        Ok(None)
    }

    fn reachable(&mut self, condition: Term) -> Result<bool, Unknown> {
        let arena = &mut self.unrolling.arena;
        if arena.as_bool(condition) == Some(false) {
            return Ok(false);
        }
        match self.solver.check(arena, &[], &[condition], self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => {
                // What is known to be impossible helps with what comes after.
                let impossible = arena.not(condition);
                self.solver.assert(arena, impossible);
                Ok(false)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        let terms = self.unrolling.arena.len() as u64;
        let mut counters = Counters::from([("depth", self.depth()), ("terms", terms)]);
        add_solver(&mut counters, self.solver.stats());
        counters
    }
}

/// BMC as an engine.
pub(crate) struct BoundedModelChecking;

impl Engine for BoundedModelChecking {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn method(&self) -> &'static str {
        "follows all executions at once, one step more at a time, until one reaches the error or all have ended"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 1] = [Setting {
            key: "max-depth",
            kind: Kind::Number("a number of layers"),
            default: None,
            help: "stop after so many layers",
        }];
        &SETTINGS
    }

    fn needs_bound(&self) -> bool {
        true
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let settings = Settings { max_depth: settings.parsed("max-depth"), core: settings.sat_core() };
        bmc(&prepared.program, settings, context.budget, context.observer)
    }
}
