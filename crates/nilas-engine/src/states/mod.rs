//! Explicit enumeration of abstract states, command by command: large state machines whose loop is one long
//! chain of branches.
//!
//! As in [`crate::classes`], the values of a variable are cut into classes where the program compares it with
//! constants, and a state is a location with a class for each variable that is live there. There, one edge is
//! the whole loop, and solvers enumerate what lies behind it. Here the automaton is taken as it was lowered,
//! and states go through it as in an explicit-state model checker (Holzmann, *The Model Checker SPIN*, 1997):
//! a comparison with a constant has one answer for a class, a constant that is assigned has one class, and
//! what else there is (arithmetic, mostly) is computed once for each combination of the classes that it reads
//! ([`solving`]). So a step costs a look into a table.
//!
//! States are remembered at loop heads alone; between two heads each is followed on its own
//! ([`Search::region`]). When all are found, those at heads, and at some locations between them, are the
//! invariant, as decision diagrams ([`diagram`]): many short steps are easier to check than one long one. A
//! path to a sink is an execution, or classes are cut where its interpolants say so. Where that does not
//! help, the engine gives up.

mod condition;
mod demand;
mod diagram;
mod interval;
mod proof;
mod refine;
mod solving;
mod tracked;

use crate::classes::cuts::Cuts;
use crate::engine::{Context, Engine, Kind, Own, Prepared, Setting, Wants};
use crate::observer::{Counters, Observer, Progress, Work};
use crate::outcome::{Outcome, Proof, Unknown};
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use condition::{Condition, TRUE};
use demand::Demand;
use nilas_program::{
    Automaton, Basic, EdgeId, Graph, LiveVariables, LocationId, NodeId, Program, VarId, cutset,
};
use nilas_smt::{Budget, SatCore};
use nilas_term::{Arena, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use solving::Question;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tracked::Tracked;

/// The class of a variable that is not live, or of which nothing is known.
const UNKNOWN: u16 = u16::MAX;
/// A variable with more classes is not tracked.
const MOST_CLASSES: u32 = 1_000;
/// Where more variables are compared with constants, combinations of their classes are too many to list, and
/// [`demand`] finds out which of them matter.
const MOST_TRACKED: usize = 60;
/// The most states at loop heads, and behind one of them until the next ones.
const MOST_STATES: usize = 200_000;
const MOST_IN_REGION: usize = 100_000;
/// The most states that are followed over a location in all.
const MOST_FOLLOWED: u64 = 60_000_000;

/// Why this engine is none for the program.
fn give_up<T>(why: &str) -> Result<T, Unknown> {
    Err(Unknown::Inapplicable(why.to_owned()))
}

/// A basic command, compiled.
enum Action {
    Skip,
    Assume(Condition),
    Assign(Vec<Given>),
    Havoc {
        /// The place of the variable and how many classes it has.
        variable: Option<(usize, u16)>,
        /// The places of atoms about it.
        atoms: Vec<usize>,
    },
}

/// What an assignment does to a place.
struct Given {
    place: usize,
    /// The variable that is assigned to; `None` if the place is that of an atom about it.
    variable: Option<VarId>,
    /// The value, or the condition, before the assignment.
    term: Term,
    reads: Vec<usize>,
    /// The class behind it for each combination of classes that the term depends on.
    known: FxHashMap<Vec<u16>, Vec<u16>>,
}

/// A compiled arc.
struct Step {
    source: NodeId,
    target: NodeId,
    action: Action,
    /// The places that are forgotten behind it.
    forget: Vec<usize>,
}

/// A state at a loop head.
struct Node {
    location: LocationId,
    vector: Vec<u16>,
    parent: Option<usize>,
}

/// A state behind a loop head, until the next one.
struct Entry {
    location: LocationId,
    vector: Vec<u16>,
    /// The entry before, and the edge between.
    parent: Option<(usize, EdgeId)>,
}

/// The state of a run.
struct Search<'a> {
    automaton: &'a Automaton,
    arena: Arena,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    core: SatCore,
    cuts: Cuts,
    tracked: Tracked,
    live: LiveVariables,
    relevant: Relevant,
    /// Loop heads, and the entry.
    is_head: Vec<bool>,
    /// Edges to locations that are no heads lead to larger positions.
    position: Vec<usize>,
    /// The commands of edges, once they are compiled.
    steps: Vec<Option<Vec<Step>>>,
    /// By location, the places of variables that are not live there.
    dead: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    known: FxHashSet<(LocationId, Vec<u16>)>,
    sinks: Sinks,
    exact: bool,
    refinements: u64,
    narrowed: u64,
    followed: u64,
    counters: Counters,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        core: SatCore,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Unknown> {
        let automaton = &program.automaton;
        let relevant = Relevant::new(automaton);
        let mut cuts = Cuts::none(automaton);
        cuts.of_commands(&program.arena, automaton);
        let tracked = Tracked::compared(automaton, &cuts);
        if tracked.len() > MOST_TRACKED {
            return give_up("too many variables are compared with constants (`states.track`)");
        }
        let live = LiveVariables::within(program, budget).map_err(Unknown::Interrupted)?;
        let mut is_head = vec![false; automaton.locations.len()];
        cutset(automaton).into_iter().for_each(|head| is_head[head.index()] = true);
        let mut position = vec![usize::MAX; automaton.locations.len()];
        let order = Graph::new(automaton).reverse_postorder(automaton.entry);
        order.into_iter().enumerate().for_each(|(number, location)| position[location.index()] = number);
        let mut search = Search {
            automaton,
            arena: program.arena.clone(),
            budget,
            observer,
            core,
            cuts,
            tracked,
            live,
            sinks: Sinks::new(automaton, &relevant),
            relevant,
            is_head,
            position,
            steps: Vec::new(),
            dead: Vec::new(),
            nodes: Vec::new(),
            known: FxHashSet::default(),
            exact: false,
            refinements: 0,
            narrowed: 0,
            followed: 0,
            counters: Counters::new(),
        };
        search.start();
        Ok(search)
    }

    /// Nothing is reached but the entry, and nothing is compiled.
    fn start(&mut self) {
        let automaton = self.automaton;
        self.tracked = Tracked::compared(automaton, &self.cuts);
        self.steps = automaton.edges.iter().map(|_| None).collect();
        let dead = |location: LocationId| {
            let dead = self.tracked.variables().filter(|(_, id)| !self.live.contains(location, *id));
            dead.map(|(place, _)| place).collect()
        };
        self.dead = automaton.location_ids().map(dead).collect();
        let vector = vec![UNKNOWN; self.tracked.len()];
        self.known.clear();
        self.known.insert((automaton.entry, vector.clone()));
        self.nodes = vec![Node { location: automaton.entry, vector, parent: None }];
    }

    fn run(&mut self) -> Result<Outcome, Unknown> {
        let mut next = 0;
        while next < self.nodes.len() {
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let entries = self.region(next)?;
            let mut sinks: Vec<(LocationId, usize)> = Vec::new();
            for (number, entry) in entries.iter().enumerate() {
                if self.sinks.left().contains(&entry.location) {
                    sinks.push((entry.location, number));
                } else if number > 0 && self.is_head[entry.location.index()] {
                    self.reach(entry.location, &entry.vector, next)?;
                }
            }
            let mut refined = false;
            for (sink, number) in sinks {
                if !self.sinks.left().contains(&sink) {
                    continue;
                }
                match self.execution(next, &entries, number)? {
                    Some(execution) => {
                        if let Some(outcome) = self.sinks.reached(self.automaton, sink, execution) {
                            return Ok(outcome);
                        }
                    }
                    None => {
                        refined = true;
                        break;
                    }
                }
            }
            next += 1;
            if refined {
                self.start();
                next = 0;
            }
        }
        self.sinks.none_was_reached(self.automaton)?;
        Ok(Outcome::Safe(Proof::Invariant(self.invariant()?)))
    }

    fn reach(&mut self, location: LocationId, vector: &[u16], parent: usize) -> Result<(), Unknown> {
        if !self.known.insert((location, vector.to_vec())) {
            return Ok(());
        }
        self.nodes.push(Node { location, vector: vector.to_vec(), parent: Some(parent) });
        self.observer.work(location, Work::Node);
        let nodes = self.nodes.len() as u64;
        self.observer.progress(&Progress { engine: "states", nodes, ..Progress::default() });
        if self.nodes.len() > MOST_STATES {
            return give_up("too many states at loop heads");
        }
        Ok(())
    }

    /// All states behind one at a loop head, up to the next heads and the sinks, which are among them. The
    /// first one is that of the head.
    fn region(&mut self, node: usize) -> Result<Vec<Entry>, Unknown> {
        let Node { location, vector, .. } = &self.nodes[node];
        let first = Entry { location: *location, vector: vector.clone(), parent: None };
        let mut entries = vec![first];
        let mut seen = FxHashSet::default();
        let mut waiting = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((_, number))) = waiting.pop() {
            let Entry { location, vector, .. } = &entries[number];
            let (location, vector) = (*location, vector.clone());
            for index in 0..self.relevant.outgoing[location.index()].len() {
                let edge = self.relevant.outgoing[location.index()][index];
                let target = self.automaton.edge(edge).target;
                for vector in self.behind(edge, &vector)? {
                    if !seen.insert((target, vector.clone())) {
                        continue;
                    }
                    if !self.is_head[target.index()] && !self.automaton.is_sink(target) {
                        waiting.push(Reverse((self.position[target.index()], entries.len())));
                    }
                    entries.push(Entry { location: target, vector, parent: Some((number, edge)) });
                }
            }
            self.followed += 1;
            if self.followed > MOST_FOLLOWED {
                return give_up("too many states to follow");
            }
            if entries.len() > MOST_IN_REGION {
                return give_up("too many states between loop heads");
            }
            if self.followed.is_multiple_of(1_024)
                && let Some(why) = self.budget.exhausted()
            {
                return Err(Unknown::Interrupted(why));
            }
        }
        Ok(entries)
    }

    /// The vectors behind an edge.
    fn behind(&mut self, edge: EdgeId, before: &[u16]) -> Result<Vec<Vec<u16>>, Unknown> {
        let command = &self.automaton.edge(edge).command;
        let mut steps = match self.steps[edge.index()].take() {
            Some(steps) => steps,
            None => compile(&mut self.arena, self.automaton, &self.cuts, &self.tracked, edge),
        };
        let mut at: Vec<Vec<Vec<u16>>> = vec![Vec::new(); command.nodes()];
        at[command.start().index()].push(before.to_vec());
        let mut question = Question {
            arena: &mut self.arena,
            automaton: self.automaton,
            cuts: &self.cuts,
            tracked: &self.tracked,
            core: self.core,
            budget: self.budget,
            counters: &mut self.counters,
            exact: self.exact,
            late: None,
        };
        let mut stack = Vec::new();
        for step in &mut steps {
            let here = at[step.source.index()].clone();
            for vector in here {
                step.action.apply(vector, &mut question, &mut stack, &mut at[step.target.index()])?;
            }
            if at[step.target.index()].len() > MOST_IN_REGION {
                return give_up("too many states inside a command");
            }
        }
        self.steps[edge.index()] = Some(steps);
        let target = self.automaton.edge(edge).target;
        let mut result = at.swap_remove(command.end().index());
        for vector in &mut result {
            self.dead[target.index()].iter().for_each(|&place| vector[place] = UNKNOWN);
        }
        if result.len() > 1 {
            result.sort_unstable();
            result.dedup();
        }
        Ok(result)
    }
}

/// The commands of an edge, compiled, in the order of its arcs.
fn compile(
    arena: &mut Arena,
    automaton: &Automaton,
    cuts: &Cuts,
    tracked: &Tracked,
    edge: EdgeId,
) -> Vec<Step> {
    let arcs = automaton.edge(edge).command.arcs().iter();
    let compiled = arcs.map(|arc| {
        let action = match arc.basic {
            Basic::Assume(term) => Action::Assume(Condition::new(arena, automaton, cuts, tracked, term)),
            Basic::Assign(variable, term) => {
                let given = Given::all(arena, automaton, tracked, variable, term);
                if given.is_empty() { Action::Skip } else { Action::Assign(given) }
            }
            Basic::Havoc(id, _) => {
                let term = automaton.variable(id).term;
                let classes = u16::try_from(cuts.count(automaton, id)).unwrap_or(UNKNOWN);
                let variable = tracked.place(term).map(|place| (place, classes));
                let atoms: Vec<usize> = tracked.atoms_about(term).map(|(place, _)| place).collect();
                let is_any = variable.is_none() && atoms.is_empty();
                if is_any { Action::Skip } else { Action::Havoc { variable, atoms } }
            }
            Basic::Skip => Action::Skip,
        };
        Step { source: arc.source, target: arc.target, action, forget: Vec::new() }
    });
    compiled.collect()
}

impl Action {
    /// Adds the vectors behind the command.
    fn apply(
        &mut self,
        mut vector: Vec<u16>,
        question: &mut Question<'_>,
        stack: &mut Vec<condition::Truth>,
        result: &mut Vec<Vec<u16>>,
    ) -> Result<(), Unknown> {
        match self {
            Action::Skip => result.push(vector),
            Action::Assume(condition) => {
                for vector in condition.split(vector, question)? {
                    if condition.answers(&vector, question, stack)? & TRUE != 0 {
                        result.push(vector);
                    }
                }
            }
            Action::Havoc { variable, atoms } => {
                atoms.iter().for_each(|&place| vector[place] = UNKNOWN);
                match *variable {
                    Some((place, classes)) if !question.is_late(place) => {
                        for class in 0..classes {
                            vector[place] = class;
                            result.push(vector.clone());
                        }
                    }
                    Some((place, _)) => {
                        vector[place] = UNKNOWN;
                        result.push(vector);
                    }
                    None => result.push(vector),
                }
            }
            Action::Assign(given) => {
                let first = result.len();
                result.push(vector.clone());
                for given in given {
                    let place = given.place;
                    let classes = given.classes(&vector, question)?;
                    let Some((&one, others)) = classes.split_first() else {
                        // Nothing has these classes.
                        result.truncate(first);
                        break;
                    };
                    let last = result.len();
                    for &class in others {
                        for number in first..last {
                            let mut other = result[number].clone();
                            other[place] = class;
                            result.push(other);
                        }
                    }
                    result[first..last].iter_mut().for_each(|vector| vector[place] = one);
                }
            }
        }
        Ok(())
    }
}

impl Given {
    /// What the assignment of a term to a variable does, place by place.
    fn all(
        arena: &mut Arena,
        automaton: &Automaton,
        tracked: &Tracked,
        variable: VarId,
        term: Term,
    ) -> Vec<Given> {
        let of = automaton.variable(variable).term;
        let own = tracked.place(of).map(|place| (place, Some(variable), term));
        let mut put = Substitution::from_iter([(of, term)]);
        let atoms = tracked.atoms_about(of).map(|(place, atom)| (place, None, put.apply(arena, atom)));
        let all: Vec<_> = own.into_iter().chain(atoms).collect();
        let given = all.into_iter().map(|(place, variable, term)| {
            let reads = tracked.places_in(arena, term);
            Given { place, variable, term, reads, known: FxHashMap::default() }
        });
        given.collect()
    }

    /// The classes that the place can have behind the assignment.
    fn classes(&mut self, vector: &[u16], question: &mut Question<'_>) -> Result<&[u16], Unknown> {
        let key: Vec<u16> = self.reads.iter().map(|&place| vector[place]).collect();
        let classes = match self.known.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(unknown) => {
                let mut classes = match self.variable {
                    Some(variable) => question.classes(variable, self.term, &self.reads, vector)?,
                    None => match question.truth(self.term, &self.reads, vector)? {
                        condition::FALSE => vec![0],
                        TRUE => vec![1],
                        0 => Vec::new(),
                        _ => vec![UNKNOWN],
                    },
                };
                let count = question.tracked.count(question.automaton, question.cuts, self.place);
                if classes.len() == count as usize && question.is_late(self.place) {
                    classes = vec![UNKNOWN];
                }
                unknown.insert(classes)
            }
        };
        Ok(classes)
    }
}

/// Explicit enumeration of abstract states as an engine.
pub(crate) struct States;

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn method(&self) -> &'static str {
        "follows combinations of classes of values through the program, command by command, until there are no new ones"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 2] = [
            Setting {
                key: "least-arcs",
                kind: Kind::Number("a number of commands"),
                default: Some("300"),
                help: "programs with fewer commands are left to other engines",
            },
            Setting {
                key: "track",
                kind: Kind::Words(&["auto", "all", "needed"]),
                default: Some("auto"),
                help: "which variables have classes: all that are compared with constants, those that paths \
                       to sinks turn out to depend on, or all where they are few",
            },
        ];
        &SETTINGS
    }

    fn wants(&self, _: &Own<'_>) -> Wants {
        Wants::Given
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let core = settings.sat_core().unwrap_or_default();
        let edges = prepared.program.automaton.edges.iter();
        let arcs: usize = edges.map(|edge| edge.command.arcs().len()).sum();
        if settings.parsed("least-arcs").is_some_and(|least: usize| arcs < least) {
            let why = "the program is smaller than what states are listed of (`states.least-arcs`)";
            return (Outcome::Unknown(Unknown::Inapplicable(why.to_owned())), Counters::new());
        }
        let program = &prepared.program;
        let is_needed = match settings.text("track") {
            Some("needed") => true,
            Some("all") => false,
            _ => !few_are_compared(program),
        };
        if is_needed {
            let mut search = Demand::new(program, core, context.budget, context.observer);
            let outcome = search.run().unwrap_or_else(Outcome::Unknown);
            return (outcome, search.figures());
        }
        match Search::new(program, core, context.budget, context.observer) {
            Ok(mut search) => {
                let outcome = search.run().unwrap_or_else(Outcome::Unknown);
                let mut counters = search.counters;
                counters.entry("solver checks").or_insert(0);
                counters.insert("states", search.nodes.len() as u64);
                counters.insert("states followed", search.followed);
                counters.insert("refinements", search.refinements + search.narrowed);
                (outcome, counters)
            }
            Err(why) => (Outcome::Unknown(why), Counters::new()),
        }
    }
}

/// Whether few enough variables are compared with constants that all of them can be tracked.
fn few_are_compared(program: &Program) -> bool {
    let mut cuts = Cuts::none(&program.automaton);
    cuts.of_commands(&program.arena, &program.automaton);
    Tracked::compared(&program.automaton, &cuts).len() <= MOST_TRACKED
}

#[cfg(test)]
mod tests;
