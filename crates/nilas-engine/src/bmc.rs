//! Bounded model checking: unrolls the automaton layer by layer.
//!
//! Layer `k` is where executions are after `k` edges. Each location has one symbolic state per layer; where
//! edges meet, states are merged, so the unrolling is linear in the depth. Terms are built over the values at
//! the entry by substitution, and simplification runs whatever is concrete.
//!
//! A sink that can be reached gives an execution. A location that cannot be reached in a layer is given up
//! there, so a program all of whose executions end is proved by *exhausted unwinding*: the layers run
//! out, and the numbers of visits are the evidence.

use crate::execution::{ExecutionBuilder, sites};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::phase::add_solver;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use nilas_evidence::{Execution, Unwinding};
use nilas_program::{ArcId, Automaton, EdgeId, Encoding, HavocSite, LocationId, Program, State, encode};
use nilas_smt::{Answer, Budget, Reason, SatCore, Solver};
use nilas_term::{Arena, Sort, Term, Value};
use std::collections::BTreeMap;

/// What can be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Stop after so many layers, if set.
    pub max_depth: Option<u64>,
    /// The SAT core of the solver. Unrollings are few and large questions, which is what CaDiCaL is best at.
    pub core: Option<SatCore>,
}

/// A place in a layer: the condition to be there, and the state.
struct Place {
    condition: Term,
    state: State,
}

/// An edge taken from one layer to the next.
struct Taken {
    edge: EdgeId,
    encoding: Encoding,
}

/// An edge on the way of a model: its arcs, and the inputs that the `havoc`s among these read.
type Passed = (EdgeId, Vec<ArcId>, Vec<Term>);

struct Bmc<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    solver: Box<dyn Solver>,
    budget: &'a Budget,
    sinks: Sinks,
    outgoing: Vec<Vec<EdgeId>>,
    /// `layers[k]` leads from layer k to layer k + 1.
    layers: Vec<Vec<Taken>>,
    visits: BTreeMap<LocationId, u64>,
}

/// Runs BMC on an automaton.
pub fn bmc(
    program: &Program,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Counters) {
    let automaton = &program.automaton;
    let relevant = Relevant::new(automaton);
    let visits = automaton.location_ids().filter(|&location| !automaton.is_sink(location)).map(|id| (id, 0));
    let mut engine = Bmc {
        automaton,
        arena: program.arena.clone(),
        solver: observer.solver(settings.core.unwrap_or(SatCore::Cadical).solver()),
        budget,
        sinks: Sinks::new(automaton, &relevant),
        outgoing: relevant.outgoing,
        layers: Vec::new(),
        visits: visits.collect(),
    };
    let outcome = engine.unroll(settings, observer).unwrap_or_else(Outcome::Unknown);
    let mut counters =
        BTreeMap::from([("depth", engine.layers.len() as u64), ("terms", engine.arena.len() as u64)]);
    add_solver(&mut counters, engine.solver.stats());
    (outcome, counters)
}

impl Bmc<'_> {
    fn unroll(&mut self, settings: Settings, observer: &mut dyn Observer) -> Result<Outcome, Unknown> {
        let start = Place { condition: self.arena.mk_true(), state: State::initial(self.automaton) };
        let mut layer = BTreeMap::from([(self.automaton.entry, start)]);
        self.visits.insert(self.automaton.entry, 1);
        while !layer.is_empty() {
            let depth = self.layers.len() as u64;
            if let Some(limit) = settings.max_depth.filter(|&max| depth >= max) {
                return Err(Unknown::Bound { what: "layer", limit });
            }
            let checks = self.solver.stats().checks;
            observer.progress(&Progress { engine: "bmc", frame: depth, checks, ..Progress::default() });
            let arrivals = self.next_layer(&layer)?;
            layer = BTreeMap::new();
            for (location, place) in arrivals {
                let done = self.automaton.is_sink(location) && !self.sinks.left().contains(&location);
                if done || !self.reachable(place.condition)? {
                    continue;
                }
                if self.automaton.is_sink(location) {
                    let execution = self.execution(location)?;
                    match self.sinks.reached(self.automaton, location, execution) {
                        Some(outcome) => return Ok(outcome),
                        None => continue,
                    }
                }
                if observer.wants_inputs() {
                    observer.inputs(self.inputs(location)?);
                }
                *self.visits.entry(location).or_default() += 1;
                observer.work(location, Work::Node);
                layer.insert(location, place);
            }
            // Told at powers of two: depths can be many.
            if depth.is_power_of_two() {
                observer.event(&|| format!("depth {depth}: {} locations reachable", layer.len()));
            }
        }
        self.sinks.none_was_reached(self.automaton)?;
        Ok(Outcome::Safe(Proof::Unwinding(Unwinding { visits: std::mem::take(&mut self.visits) })))
    }

    /// All edges from the places of a layer; what arrives where, merged. The error comes first.
    fn next_layer(
        &mut self,
        layer: &BTreeMap<LocationId, Place>,
    ) -> Result<Vec<(LocationId, Place)>, Unknown> {
        let mut taken = Vec::new();
        let mut arrivals: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        for (&location, place) in layer {
            let edges = self.outgoing[location.index()].clone();
            let mut rest = place.condition;
            for (index, &edge) in edges.iter().enumerate() {
                if let Some(why) = self.budget.exhausted() {
                    return Err(Unknown::Interrupted(why));
                }
                // Selectors make the edges exclude each other, so that merging loses nothing.
                let condition = if index + 1 == edges.len() {
                    rest
                } else {
                    let selector = self.arena.fresh_variable("edge", &Sort::Bool);
                    let unselected = self.arena.not(selector);
                    let condition = self.arena.and(&[rest, selector]);
                    rest = self.arena.and(&[rest, unselected]);
                    condition
                };
                let command = &self.automaton.edge(edge).command;
                let encoding = encode(&mut self.arena, self.automaton, command, &place.state, condition);
                if self.arena.as_bool(encoding.guard) == Some(false) {
                    continue;
                }
                arrivals.entry(self.automaton.edge(edge).target).or_default().push(taken.len());
                taken.push(Taken { edge, encoding });
            }
        }
        let mut places = Vec::with_capacity(arrivals.len());
        for (location, indices) in arrivals {
            let ways: Vec<(Term, &State)> = indices
                .iter()
                .map(|&index| (taken[index].encoding.guard, &taken[index].encoding.next))
                .collect();
            let (condition, state) = State::merge(&mut self.arena, &ways);
            places.push((location, Place { condition, state }));
        }
        places.sort_by_key(|(location, _)| *location != self.automaton.error);
        self.layers.push(taken);
        Ok(places)
    }

    fn reachable(&mut self, condition: Term) -> Result<bool, Unknown> {
        if self.arena.as_bool(condition) == Some(false) {
            return Ok(false);
        }
        match self.solver.check(&self.arena, &[], &[condition], self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => {
                // What is known to be impossible helps with what comes after.
                let impossible = self.arena.not(condition);
                self.solver.assert(&self.arena, impossible);
                Ok(false)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The execution of the model, from the entry to `sink`, which the last layer reaches.
    fn execution(&mut self, sink: LocationId) -> Result<Execution, Unknown> {
        let way = self.way(sink)?;
        let mut builder = ExecutionBuilder::new(self.automaton);
        for variable in &self.automaton.variables {
            builder.initial(variable.term, self.solver.value(&self.arena, variable.term)?);
        }
        for (edge, arcs, inputs) in way {
            let values = inputs.iter().map(|&input| self.solver.value(&self.arena, input));
            builder.step(edge, arcs, values.collect::<Result<_, _>>()?);
        }
        Ok(builder.finish())
    }

    /// The inputs of the model on its way to a location that the last layer reaches. Arrays are left out: to
    /// read them takes long.
    fn inputs(&mut self, location: LocationId) -> Result<Vec<(HavocSite, Value)>, Unknown> {
        let mut found = Vec::new();
        for (edge, arcs, inputs) in self.way(location)? {
            for (site, input) in sites(self.automaton, edge, &arcs).zip(inputs) {
                if !matches!(self.arena.sort(input), Sort::Array(_)) {
                    found.push((site, self.solver.value(&self.arena, input)?));
                }
            }
        }
        Ok(found)
    }

    /// The way of the model from the entry to a location that the last layer reaches: edges, their arcs, and
    /// the inputs that the `havoc`s among these read.
    fn way(&mut self, location: LocationId) -> Result<Vec<Passed>, Unknown> {
        let Bmc { automaton, arena, solver, layers, .. } = self;
        let mut holds = |formula: Term| -> Result<bool, Reason> {
            let value = solver.value(arena, formula)?;
            value.as_bool().ok_or_else(|| Reason::Failed("a condition has no truth value".into()))
        };
        // Backwards: conditions of different ways exclude each other, so the edge taken is the one that
        // holds.
        let mut way = Vec::with_capacity(layers.len());
        let mut location = location;
        for layer in layers.iter().rev() {
            let mut found = None;
            for taken in layer.iter().filter(|taken| automaton.edge(taken.edge).target == location) {
                if holds(taken.encoding.guard)? {
                    found = Some(taken);
                    break;
                }
            }
            let taken = found.ok_or_else(|| Unknown::Internal("the model takes no edge".into()))?;
            location = automaton.edge(taken.edge).source;
            way.push(taken);
        }
        let mut steps = Vec::with_capacity(way.len());
        for taken in way.into_iter().rev() {
            let command = &automaton.edge(taken.edge).command;
            let arcs = taken.encoding.path(command, &mut |formula| -> Result<bool, Reason> {
                let value = solver.value(arena, formula)?;
                value.as_bool().ok_or_else(|| Reason::Failed("a condition has no truth value".into()))
            })?;
            let inputs = arcs.iter().filter_map(|&arc| taken.encoding.havoc_input(arc)).collect();
            steps.push((taken.edge, arcs, inputs));
        }
        Ok(steps)
    }
}
