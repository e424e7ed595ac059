//! States of those variables that matter, which is found out on demand.
//!
//! A driver compares hundreds of variables with constants, and combinations of all their classes cannot be
//! listed. But its property depends on few of them. At first none is tracked: a state is a location. A path
//! of states to a sink is an execution, or it tells which variables exclude it ([`path`]); these are tracked
//! from then on, and all begins anew. So it is lazy abstraction with explicit values (Beyer and Löwe,
//! *Explicit-State Software Model Checking Based on CEGAR and Interpolation*, 2013), with classes of values
//! in the place of values.
//!
//! What a variable is compared with on such a path is where its values are cut into classes, no more.
//!
//! States are remembered at every location: paths that meet again are followed once. A variable that can be
//! anything has no class until it is compared, unless a path shows that this comes too late (a copy of it is
//! compared as well). Where a variable is read no more ([`live`]) its class is forgotten. It is also forgotten
//! where a variable that only ever gets constants was found to be equal to one: mostly that is the number of a
//! caller, and the call is over; this, too, ends where a path shows that it is too early.

mod calls;
mod copies;
mod live;
mod path;

use super::condition::Truth;
use super::diagram::Diagram;
use super::solving::Question;
use super::tracked::Tracked;
use super::{Step, UNKNOWN, compile, give_up, proof};
use crate::classes::cuts::Cuts;
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown, invariant};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use calls::Calls;
use copies::Copies;
use live::Accesses;
use nilas_evidence::Invariant;
use nilas_program::{Automaton, Basic, EdgeId, Graph, LocationId, Program, VarId, cutset};
use nilas_smt::{Budget, SatCore};
use nilas_term::{Arena, Op, Term};
use path::Found;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most variables that are tracked.
const MOST_TRACKED: usize = 128;
/// The most states of one round, and behind one edge.
const MOST_STATES: usize = 1_000_000;
const MOST_BEHIND: usize = 10_000;
/// The most paths to sinks that are looked at in one round.
const MOST_PATHS: usize = 8;

/// A state.
struct Node {
    location: LocationId,
    vector: Rc<[u16]>,
    /// The state before it, and the edge between.
    parent: Option<(usize, EdgeId)>,
}

/// The state of a run.
pub(super) struct Demand<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    core: SatCore,
    cuts: Cuts,
    relevant: Relevant,
    accesses: Accesses,
    /// What is tracked, in the order in which it was found out.
    tracked: Tracked,
    /// By place: whether a variable that can be anything gets a class only where it is compared.
    late: Vec<bool>,
    /// By place: whether the class is forgotten where the variable was found to be equal to a constant.
    brief: Vec<bool>,
    /// By variable: whether it only ever gets constants.
    is_constant: Vec<bool>,
    /// By variable: whether it is computed from itself.
    is_counter: Vec<bool>,
    copies: Copies,
    calls: Calls,
    /// The commands of edges, once they are compiled.
    steps: Vec<Option<Vec<Step>>>,
    nodes: Vec<Node>,
    sinks: Sinks,
    rounds: u64,
    followed: u64,
    pub(super) counters: Counters,
}

impl<'a> Demand<'a> {
    pub(super) fn new(
        program: &'a Program,
        core: SatCore,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let accesses = Accesses::new(&program.arena, automaton);
        Demand {
            automaton,
            arena: program.arena.clone(),
            budget,
            observer,
            core,
            cuts: Cuts::none(automaton),
            sinks: Sinks::new(automaton, &relevant),
            relevant,
            tracked: Tracked::none(),
            late: Vec::new(),
            brief: Vec::new(),
            is_constant: only_constants(&program.arena, automaton),
            calls: Calls::new(&program.arena, automaton, &accesses),
            is_counter: counters(&accesses, automaton),
            accesses,
            copies: Copies::new(&program.arena, automaton),
            steps: automaton.edges.iter().map(|_| None).collect(),
            nodes: Vec::new(),
            rounds: 0,
            followed: 0,
            counters: Counters::new(),
        }
    }

    pub(super) fn run(&mut self) -> Result<Outcome, Unknown> {
        loop {
            self.rounds += 1;
            let reached = self.round()?;
            if reached.is_empty() {
                break;
            }
            let mut paths = Vec::with_capacity(reached.len());
            for node in reached {
                paths.push((self.nodes[node].location, self.arcs(node)?));
            }
            for (number, (sink, path)) in paths.into_iter().enumerate() {
                if !self.sinks.left().contains(&sink) {
                    continue;
                }
                if let Found::Execution(execution) = self.explain(&path, number == 0)?
                    && let Some(outcome) = self.sinks.reached(self.automaton, sink, execution)
                {
                    return Ok(outcome);
                }
            }
        }
        self.sinks.none_was_reached(self.automaton)?;
        Ok(Outcome::Safe(Proof::Invariant(self.invariant()?)))
    }

    /// Figures of the run.
    pub(super) fn figures(&mut self) -> Counters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.entry("solver checks").or_insert(0);
        counters.insert("states", self.nodes.len() as u64);
        counters.insert("states followed", self.followed);
        counters.insert("refinements", self.rounds.saturating_sub(1));
        counters.insert("variables added", self.tracked.len() as u64);
        counters
    }

    /// Follows all states from the entry, until sinks that are left are reached on some ways.
    fn round(&mut self) -> Result<Vec<usize>, Unknown> {
        let mut reached = Vec::new();
        let automaton = self.automaton;
        // Both are more than what is live.
        let mut live = live::live(automaton, &self.relevant, &self.accesses, &self.tracked);
        let back = self.calls.live(automaton, &self.relevant, &self.accesses, &self.tracked);
        live.iter_mut().zip(back).for_each(|(live, back)| *live &= back);
        let vector: Rc<[u16]> = vec![UNKNOWN; self.tracked.len()].into();
        let mut known: FxHashSet<(LocationId, Rc<[u16]>)> = FxHashSet::default();
        known.insert((automaton.entry, Rc::clone(&vector)));
        self.nodes = vec![Node { location: automaton.entry, vector, parent: None }];
        let mut next = 0;
        while next < self.nodes.len() {
            let (location, vector) = (self.nodes[next].location, Rc::clone(&self.nodes[next].vector));
            for index in 0..self.relevant.outgoing[location.index()].len() {
                let edge = self.relevant.outgoing[location.index()][index];
                let target = automaton.edge(edge).target;
                for mut behind in self.behind(edge, &vector)? {
                    for (place, class) in behind.iter_mut().enumerate() {
                        if live[target.index()] >> place & 1 == 0 {
                            *class = UNKNOWN;
                        }
                    }
                    let behind: Rc<[u16]> = behind.into();
                    let is_sink = self.sinks.left().contains(&target);
                    if !is_sink && !known.insert((target, Rc::clone(&behind))) {
                        continue;
                    }
                    self.nodes.push(Node { location: target, vector: behind, parent: Some((next, edge)) });
                    if is_sink {
                        reached.push(self.nodes.len() - 1);
                        if reached.len() == MOST_PATHS {
                            return Ok(reached);
                        }
                    }
                }
            }
            self.followed += 1;
            if self.followed.is_multiple_of(1_024) {
                if let Some(why) = self.budget.exhausted() {
                    return Err(Unknown::Interrupted(why));
                }
                let nodes = self.nodes.len() as u64;
                self.observer.progress(&Progress { engine: "states", nodes, ..Progress::default() });
            }
            if self.nodes.len() > MOST_STATES {
                return give_up("too many states of the variables that matter");
            }
            next += 1;
            // Ways that are found soon after the first one.
            let first = reached.first().copied().unwrap_or(usize::MAX);
            if next > first.saturating_add(first / 4) {
                break;
            }
        }
        Ok(reached)
    }

    /// The vectors behind an edge.
    fn behind(&mut self, edge: EdgeId, before: &[u16]) -> Result<Vec<Vec<u16>>, Unknown> {
        let command = &self.automaton.edge(edge).command;
        let mut at: Vec<Vec<Vec<u16>>> = vec![Vec::new(); command.nodes()];
        at[command.start().index()].push(before.to_vec());
        let mut steps = self.compiled(edge);
        let mut stack = Vec::new();
        for step in &mut steps {
            let here = at[step.source.index()].clone();
            for vector in here {
                self.apply(step, vector, &mut stack, &mut at[step.target.index()])?;
            }
            let there = &mut at[step.target.index()];
            if there.len() > 1 {
                there.sort_unstable();
                there.dedup();
            }
            if there.len() > MOST_BEHIND {
                return give_up("too many states inside a command");
            }
        }
        self.steps[edge.index()] = Some(steps);
        Ok(at.swap_remove(command.end().index()))
    }

    /// The commands of an edge, compiled; to be put back.
    fn compiled(&mut self, edge: EdgeId) -> Vec<Step> {
        if let Some(steps) = self.steps[edge.index()].take() {
            return steps;
        }
        let mut steps = compile(&mut self.arena, self.automaton, &self.cuts, &self.tracked, edge);
        for (step, arc) in steps.iter_mut().zip(self.automaton.edge(edge).command.arcs()) {
            if let Basic::Assume(condition) = arc.basic {
                step.forget = self.found_equal(condition);
            }
        }
        steps
    }

    /// The places to be forgotten behind a condition: it says which constant their variable is.
    fn found_equal(&self, condition: Term) -> Vec<usize> {
        let conjuncts = match self.arena.op(condition) {
            Op::And => self.arena.children(condition),
            _ => std::slice::from_ref(&condition),
        };
        let place = |&conjunct: &Term| {
            let is_equation = self.arena.op(conjunct) == Op::Eq;
            let (id, ..) = self.cuts.comparison(&self.arena, conjunct).filter(|_| is_equation)?;
            self.tracked.place(self.automaton.variable(id).term).filter(|&place| self.brief[place])
        };
        conjuncts.iter().filter_map(place).collect()
    }

    fn apply(
        &mut self,
        step: &mut Step,
        vector: Vec<u16>,
        stack: &mut Vec<Truth>,
        result: &mut Vec<Vec<u16>>,
    ) -> Result<(), Unknown> {
        let mut question = Question {
            arena: &mut self.arena,
            automaton: self.automaton,
            cuts: &self.cuts,
            tracked: &self.tracked,
            core: self.core,
            budget: self.budget,
            counters: &mut self.counters,
            exact: true,
            late: Some(&self.late),
        };
        let first = result.len();
        step.action.apply(vector, &mut question, stack, result)?;
        for vector in &mut result[first..] {
            step.forget.iter().for_each(|&place| vector[place] = UNKNOWN);
        }
        Ok(())
    }

    /// Tracks a variable from now on; commands that mention it are compiled anew.
    fn track(&mut self, variable: VarId) -> Result<(), Unknown> {
        if self.tracked.len() == MOST_TRACKED {
            return give_up("too many variables matter");
        }
        self.tracked.add(self.automaton, variable);
        self.late.push(true);
        self.brief.push(self.is_constant[variable.index()]);
        self.observer.work(self.automaton.entry, Work::Node);
        self.forget(variable);
        Ok(())
    }

    /// Commands that mention a variable, or one that an atom is about as well, are to be compiled anew.
    fn forget(&mut self, variable: VarId) {
        let term = self.automaton.variable(variable).term;
        let atoms = self.tracked.atoms_about(term);
        let others = atoms.flat_map(|(place, _)| self.tracked.about(place));
        for id in std::iter::once(&variable).chain(others) {
            for edge in self.accesses.edges(*id) {
                self.steps[edge.index()] = None;
            }
        }
    }

    /// What was reached, as formulas at loop heads and at some locations between them.
    fn invariant(&mut self) -> Result<Invariant, Unknown> {
        let automaton = self.automaton;
        let mut is_head = vec![false; automaton.locations.len()];
        cutset(automaton).into_iter().for_each(|head| is_head[head.index()] = true);
        let mut position = vec![usize::MAX; automaton.locations.len()];
        let order = Graph::new(automaton).reverse_postorder(automaton.entry);
        order.into_iter().enumerate().for_each(|(number, location)| position[location.index()] = number);
        let is_cut = proof::between(automaton, &self.relevant, &is_head, &position);
        let mut sets: Vec<Vec<Vec<u16>>> = vec![Vec::new(); automaton.locations.len()];
        for node in &self.nodes {
            if is_head[node.location.index()] || is_cut[node.location.index()] {
                sets[node.location.index()].push(node.vector.to_vec());
            }
        }
        let mut formulas: Vec<(LocationId, Term)> = Vec::new();
        let mut diagram =
            Diagram { arena: &mut self.arena, automaton, cuts: &self.cuts, tracked: &self.tracked };
        for (location, mut vectors) in automaton.location_ids().zip(sets) {
            let has_formula = is_head[location.index()] || is_cut[location.index()];
            if !has_formula || automaton.is_sink(location) {
                continue;
            }
            vectors.sort_unstable();
            let any = location == automaton.entry;
            formulas.push((location, if any { diagram.arena.mk_true() } else { diagram.formula(&vectors) }));
        }
        for (location, formula) in &formulas {
            if is_head[location.index()] {
                self.observer.lemmas(*location, &self.arena, &[*formula]);
            }
        }
        invariant(&self.arena, formulas)
    }
}

/// By variable: whether it only ever gets constants.
fn only_constants(arena: &Arena, automaton: &Automaton) -> Vec<bool> {
    let mut only = vec![true; automaton.variables.len()];
    for arc in automaton.edges.iter().flat_map(|edge| edge.command.arcs()) {
        match arc.basic {
            Basic::Assign(id, term) => only[id.index()] &= arena.as_value(term).is_some(),
            Basic::Havoc(id, _) => only[id.index()] = false,
            Basic::Skip | Basic::Assume(_) => {}
        }
    }
    only
}

/// By variable: whether it is computed from itself.
fn counters(accesses: &Accesses, automaton: &Automaton) -> Vec<bool> {
    let mut is_counter = vec![false; automaton.variables.len()];
    for edge in automaton.edge_ids() {
        for (arc, basic) in automaton.edge(edge).command.arc_ids() {
            if let Basic::Assign(id, _) = basic.basic {
                is_counter[id.index()] |= accesses.read(edge, arc.index()).contains(&id);
            }
        }
    }
    is_counter
}

#[cfg(test)]
mod tests;
