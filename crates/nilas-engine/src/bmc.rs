//! Bounded model checking: unrolls the automaton layer by layer ([`crate::unrolling`]).
//!
//! A sink that can be reached gives an execution. A location that cannot be reached in a layer is given up
//! there, so a program all of whose executions end is proved by *exhausted unwinding*: the layers run
//! out, and the numbers of visits are the evidence.
//!
//! *Exchange*: invariants that it could show itself are told to the solver of every place. As deep as others
//! say that no sink is reached, sinks are not asked about one by one: they are put off, and asked about
//! together now and then, and before a proof is given. Depths and states that were reached are published.

use crate::analyses::houdini::effort;
use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting};
use crate::exchange::{self, Fact, Port, Shown};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use crate::transition::holds;
use crate::unrolling::{Layer, Place, Unrolling};
use nilas_evidence::Unwinding;
use nilas_icp::Icp;
use nilas_program::{LocationId, Program, State};
use nilas_smt::{Answer, Budget, Interrupt, SatCore, Solver};
use nilas_term::{Arena, Importer, Sort, Term};
use std::collections::BTreeMap;

/// States that are published of a location, and variables that a program may have for that.
const STATES: u64 = 4;
const VARIABLES: usize = 64;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Stop after so many layers, if set.
    pub max_depth: Option<u64>,
    /// What the solver reasons about. Unrollings are few and large questions.
    pub reasoning: Reasoning,
}

/// What a solver reasons about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoning {
    /// Bits, with a SAT core; the one for hard questions unless it is said.
    Bits(Option<SatCore>),
    /// Bounds of numbers, as long as that gets on.
    Bounds,
}

impl Default for Reasoning {
    fn default() -> Self {
        Reasoning::Bits(None)
    }
}

impl Reasoning {
    /// A solver.
    pub(crate) fn solver(self) -> Box<dyn Solver> {
        match self {
            Reasoning::Bits(core) => core.unwrap_or(SatCore::HARD).solver(),
            Reasoning::Bounds => Box::<Icp>::default(),
        }
    }
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
    /// Invariants that others told, as far as they could be shown.
    pub(crate) shown: Shown,
    transitions: exchange::Own<'a>,
    /// Sinks that were not asked about: which, in which layer, and the condition to get there.
    put_off: Vec<(LocationId, u64, Term)>,
}

/// Runs BMC on an automaton.
pub fn bmc(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    bmc_beside(program, settings, budget, observer, &mut Port::closed())
}

/// The same beside other engines.
pub(crate) fn bmc_beside(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
    port: &mut Port,
) -> (Outcome, Counters) {
    let name = if settings.reasoning == Reasoning::Bounds { "icp-bmc" } else { "bmc" };
    let mut engine = match Bmc::new(name, program, settings, budget, observer) {
        Ok(engine) => engine,
        Err(why) => return Outcome::before_work(why),
    };
    let outcome = engine.unroll(observer, port).unwrap_or_else(Outcome::Unknown);
    (outcome, engine.counters())
}

impl<'a> Bmc<'a> {
    pub(crate) fn new(
        engine: &'static str,
        program: &'a Program,
        settings: Settings,
        budget: &'a Budget,
        observer: &mut dyn Observer,
    ) -> Result<Self, Interrupt> {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let inner = automaton.location_ids().filter(|&location| !automaton.is_sink(location));
        let mut visits: BTreeMap<LocationId, u64> = inner.map(|id| (id, 0)).collect();
        visits.insert(automaton.entry, 1);
        let sinks = Sinks::new(automaton, &relevant);
        let shown = Shown::new(program, &relevant, budget)?;
        let transitions = exchange::Own::new(automaton, &relevant, budget);
        let mut unrolling = Unrolling::new(automaton, program.arena.clone(), relevant.outgoing, budget);
        let start = Place { condition: unrolling.arena.mk_true(), state: State::initial(automaton) };
        Ok(Bmc {
            engine,
            settings,
            unrolling,
            solver: observer.solver(settings.reasoning.solver()),
            budget,
            sinks,
            layer: Layer::from([(automaton.entry, start)]),
            visits,
            shown,
            transitions,
            put_off: Vec::new(),
        })
    }

    fn unroll(&mut self, observer: &mut dyn Observer, port: &mut Port) -> Result<Outcome, Unknown> {
        loop {
            let new = self.take_facts(port)?;
            port.used(new.len());
            if let Some(outcome) = self.advance(observer, port)? {
                return Ok(outcome);
            }
        }
    }

    /// How many layers there are behind layer 0.
    pub(crate) fn depth(&self) -> u64 {
        self.unrolling.depth()
    }

    /// The sinks, when it is not gone on.
    pub(crate) fn into_sinks(self) -> Sinks {
        self.sinks
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.unrolling.arena
    }

    /// Takes what others published, and tells the solver of what could be shown. Returns what is new.
    pub(crate) fn take_facts(&mut self, port: &mut Port) -> Result<Vec<(LocationId, Term)>, Unknown> {
        if !port.is_open() {
            return Ok(Vec::new());
        }
        let (arena, automaton) = (&mut self.unrolling.arena, self.unrolling.automaton);
        let work = effort(&self.solver.stats());
        let new = self.shown.take(arena, automaton, &mut self.transitions, port, self.budget, work)?;
        for &(location, formula) in &new {
            if let Some(place) = self.layer.get_mut(&location) {
                place.assume(arena, &mut *self.solver, formula);
            }
        }
        Ok(new)
    }

    /// Tells others of invariants that were found before.
    pub(crate) fn tell(&mut self, from: &Arena, formulas: &[(LocationId, Term)], port: &mut Port) {
        if !port.is_open() {
            return;
        }
        let (arena, mut importer) = (&mut self.unrolling.arena, Importer::new());
        for &(location, formula) in formulas {
            if let Ok(formula) = importer.import(arena, from, formula) {
                port.publish(arena, &Fact::Invariant(location, formula));
            }
        }
    }

    /// Asks about the sinks that were put off. The outcome, if one can be reached and that is the end.
    pub(crate) fn catch_up(&mut self) -> Result<Option<Outcome>, Unknown> {
        while !self.put_off.is_empty() {
            let conditions: Vec<Term> = self.put_off.iter().map(|(_, _, condition)| *condition).collect();
            let any = self.unrolling.arena.or(&conditions);
            if !self.reachable(any)? {
                self.put_off.clear();
                break;
            }
            // The first one that the model reaches.
            let mut reached = None;
            for (index, &(_, _, condition)) in self.put_off.iter().enumerate() {
                if holds(&mut *self.solver, &self.unrolling.arena, condition)? {
                    reached = Some(index);
                    break;
                }
            }
            let Some(index) = reached else {
                return Err(Unknown::Internal("the model reaches no sink".into()));
            };
            let (sink, depth, _) = self.put_off[index];
            let depth = usize::try_from(depth).unwrap_or(usize::MAX);
            let execution = self.unrolling.execution(&mut *self.solver, sink, depth)?;
            let outcome = self.sinks.reached(self.unrolling.automaton, sink, execution);
            if outcome.is_some() {
                return Ok(outcome);
            }
            self.put_off.retain(|(other, _, _)| *other != sink);
        }
        Ok(None)
    }

    /// Goes on by a layer. The outcome, if the error is reached, or nothing goes on any more.
    pub(crate) fn advance(
        &mut self,
        observer: &mut dyn Observer,
        port: &mut Port,
    ) -> Result<Option<Outcome>, Unknown> {
        let automaton = self.unrolling.automaton;
        if (self.layer.is_empty() || self.depth().is_power_of_two())
            && let Some(outcome) = self.catch_up()?
        {
            return Ok(Some(outcome));
        }
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
        let claimed = port.depth();
        for (location, mut place) in arrivals {
            let done = automaton.is_sink(location) && !self.sinks.left().contains(&location);
            if automaton.is_sink(location) && !done && depth < claimed {
                self.put_off.push((location, depth + 1, place.condition));
                continue;
            }
            for &formula in self.shown.at(location) {
                place.assume(&mut self.unrolling.arena, &mut *self.solver, formula);
            }
            if done || !self.reachable(place.condition)? {
                continue;
            }
            if automaton.is_sink(location) {
                let last = usize::try_from(self.depth()).unwrap_or(usize::MAX);
                let execution = self.unrolling.execution(&mut *self.solver, location, last)?;
                match self.sinks.reached(automaton, location, execution) {
                    Some(outcome) => return Ok(Some(outcome)),
                    None => continue,
                }
            }
            if observer.wants_inputs() {
                observer.inputs(self.unrolling.inputs(&mut *self.solver, location)?);
            }
            let visits = self.visits.entry(location).or_default();
            *visits += 1;
            if port.is_open() && *visits <= STATES && automaton.variables.len() <= VARIABLES {
                let arena = &mut self.unrolling.arena;
                let mut state = Vec::new();
                for id in automaton.variable_ids() {
                    let variable = automaton.variable(id);
                    if !matches!(variable.sort, Sort::Array(_)) {
                        state.push((variable.term, self.solver.value(arena, place.state.get(id))?));
                    }
                }
                port.publish(arena, &Fact::Reached(location, state));
            }
            observer.work(location, Work::Node);
            self.layer.insert(location, place);
        }
        if self.put_off.is_empty() && self.sinks.all_are_left() {
            port.publish(&mut self.unrolling.arena, &Fact::Depth(depth + 1));
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
        let reasoning = Reasoning::Bits(settings.sat_core());
        let settings = Settings { max_depth: settings.parsed("max-depth"), reasoning };
        bmc_beside(&prepared.program, settings, context.budget, context.observer, context.exchange)
    }
}
