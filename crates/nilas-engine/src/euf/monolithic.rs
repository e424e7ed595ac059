//! The automaton as one relation, as the thesis has it: one location, and a variable that says which location
//! of the program executions are at. For comparison with frames that are local to locations.
//!
//! All edges between locations are choices of one edge from the location to itself. Edges into sinks stay
//! edges of their own, so that what can be reached is told as it is of any automaton. Evidence goes back:
//! an invariant is said of each location by putting its number in, an execution takes the edges that the
//! choices were made of.

use crate::outcome::{Outcome, Proof, Unknown};
use nilas_evidence::{Execution, Invariant, Premises, Step};
use nilas_program::{
    Arc, ArcId, Automaton, Basic, Command, Edge, EdgeId, Location, LocationId, Origin, Program, VarId,
    Variable,
};
use nilas_term::{Arena, Sort, Substitution};
use std::collections::BTreeMap;

/// An automaton with one location besides entry and sinks.
pub(super) struct Monolithic {
    pub(super) program: Program,
    /// The name and the sort of the variable that tells the location.
    at: (String, Sort),
    width: u32,
    place: LocationId,
}

impl Monolithic {
    /// That of a program; `None` if nothing but the entry leads anywhere.
    pub(super) fn new(given: &Program) -> Option<Self> {
        let Program { arena, automaton } = given;
        let mut arena = arena.clone();
        let width = usize::BITS - automaton.locations.len().leading_zeros();
        let sort = Sort::BitVec(width);
        let at = arena.fresh_variable("location", &sort);
        let id = VarId::new(automaton.variables.len());
        let mut merged = automaton.clone();
        let span = automaton.location(automaton.entry).span;
        merged.variables.push(Variable { name: "location".to_owned(), sort, term: at, span });
        let place = LocationId::new(merged.locations.len());
        merged.locations.push(Location { name: unused(automaton, "anywhere"), span });
        merged.entry = LocationId::new(merged.locations.len());
        merged.locations.push(Location { name: unused(automaton, "begin"), span });
        let first = arena.bv(width, automaton.entry.index() as u64);
        let begin = Command::basic(Basic::Assign(id, first), span);
        merged.edges = vec![Edge { source: merged.entry, target: place, command: begin, span }];
        let mut choices = Vec::new();
        for edge in automaton.edge_ids() {
            let Edge { source, target, span, .. } = *automaton.edge(edge);
            let number = arena.bv(width, source.index() as u64);
            let here = arena.eq(at, number);
            let mut first = Command::basic(Basic::Assume(here), span);
            first = with_origins(&first, |_| Some(Origin { edge, arc: None }));
            let command = &automaton.edge(edge).command;
            let middle = with_origins(command, |arc| Some(Origin { edge, arc: Some(arc) }));
            if automaton.is_sink(target) {
                let command = Command::sequence(&[first, middle]);
                merged.edges.push(Edge { source: place, target, command, span });
            } else {
                let number = arena.bv(width, target.index() as u64);
                let last = Command::basic(Basic::Assign(id, number), span);
                choices.push(Command::sequence(&[first, middle, last]));
            }
        }
        if choices.is_empty() {
            return None;
        }
        let command = Command::choice(&choices, span);
        merged.edges.push(Edge { source: place, target: place, command, span });
        let name = arena.as_variable(at).map(|symbol| arena.signature(symbol).name.to_string())?;
        let at = (name, Sort::BitVec(width));
        Some(Monolithic { program: Program { arena, automaton: merged }, at, width, place })
    }

    /// What an outcome of the one relation says of the automaton that it was made of.
    pub(super) fn back(&self, given: &Automaton, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Safe(Proof::Invariant(invariant)) => match self.invariant(given, invariant) {
                Some(invariant) => Outcome::Safe(Proof::Invariant(invariant)),
                None => Outcome::Unknown(Unknown::Internal(
                    "an invariant of one relation says nothing of it".into(),
                )),
            },
            Outcome::Unsafe(execution) => Outcome::Unsafe(self.execution(given, execution)),
            Outcome::Unknown(Unknown::Unmodelled { execution, .. }) => {
                Outcome::Unknown(Unknown::leaves_model(given, self.execution(given, *execution)))
            }
            other => other,
        }
    }

    fn invariant(&self, given: &Automaton, found: Invariant) -> Option<Invariant> {
        // Invariants have arenas of their own.
        let mut arena: Arena = found.arena;
        let whole = *found.formulas.get(&self.place)?;
        let at = arena.variable(&self.at.0, &self.at.1).ok()?;
        let mut formulas = BTreeMap::new();
        for location in given.location_ids().filter(|&location| !given.is_sink(location)) {
            let number = arena.bv(self.width, location.index() as u64);
            let mut here: Substitution = [(at, number)].into_iter().collect();
            formulas.insert(location, here.apply(&mut arena, whole));
        }
        Some(Invariant { arena, formulas, induction: found.induction, premises: Premises::default() })
    }

    fn execution(&self, given: &Automaton, found: Execution) -> Execution {
        let mut initial = found.initial;
        initial.retain(|variable, _| variable.index() < given.variables.len());
        let path = found.path.iter().filter_map(|step| {
            let command = &self.program.automaton.edge(step.edge).command;
            let origins = || step.arcs.iter().filter_map(|&arc| command.arc(arc).origin);
            let edge: EdgeId = origins().next()?.edge;
            Some(Step { edge, arcs: origins().filter_map(|origin| origin.arc).collect() })
        });
        let path = path.collect();
        Execution { initial, path, ..found }
    }
}

/// A command whose arcs say where they come from.
fn with_origins(command: &Command, origin: impl Fn(ArcId) -> Option<Origin>) -> Command {
    let arcs = command.arc_ids().map(|(id, arc)| Arc { origin: origin(id), ..arc.clone() });
    let arcs = arcs.collect();
    // The same graph as before.
    Command::from_arcs(command.nodes(), arcs).unwrap_or_else(|| command.clone())
}

fn unused(automaton: &Automaton, name: &str) -> String {
    let mut name = name.to_owned();
    while automaton.locations.iter().any(|location| location.name == name) {
        name.push('\'');
    }
    name
}
