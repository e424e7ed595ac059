//! The automaton as one relation with a program counter, as the thesis has it (§3.2): for comparison with
//! frames that are local to locations.
//!
//! One location carries all states. Its only loop is the choice of all edges, each with its source and target
//! in the counter; the counter is a variable whose values are constants, which EUF keeps apart.

use crate::outcome::{Outcome, Proof, Unknown, invariant};
use nilas_evidence::{Execution, Invariant, Step};
use nilas_program::{
    Arc, ArcId, Automaton, Basic, Command, Edge, EdgeId, Location, LocationId, NodeId, Origin, Program, Span,
    VarId, Variable,
};
use nilas_term::{Arena, Importer, Sort, Substitution, Term};

/// Bits of the program counter.
const COUNTER: u32 = 32;

/// An automaton of one relation, and the way back from it.
pub(super) struct Monolithic {
    pub(super) program: Program,
    counter: Term,
}

/// The location of all states, and where they come from.
const ENTRY: usize = 0;
const LOOP: usize = 1;

impl Monolithic {
    pub(super) fn new(given: &Program) -> Self {
        let Program { mut arena, automaton } = given.clone();
        let sort = Sort::BitVec(COUNTER);
        let counter = arena.fresh_variable("location", &sort);
        let variable = VarId::new(automaton.variables.len());
        let names = ["entry", "states", "error", "unmodelled"];
        let locations = names.map(|name| Location { name: name.to_owned(), span: Span::default() });
        let mut one = Automaton {
            name: automaton.name.clone(),
            variables: automaton.variables.clone(),
            locations: locations.to_vec(),
            edges: Vec::new(),
            havocs: automaton.havocs.clone(),
            entry: LocationId::new(ENTRY),
            error: LocationId::new(2),
            unmodelled: automaton.unmodelled.map(|_| LocationId::new(3)),
        };
        if one.unmodelled.is_none() {
            one.locations.pop();
        }
        let span = Span::default();
        let name = "location".to_owned();
        one.variables.push(Variable { name, sort, term: counter, span });
        let start = code(&mut arena, automaton.entry);
        let start = Command::basic(Basic::Assign(variable, start), span);
        let (source, target) = (one.entry, LocationId::new(LOOP));
        one.edges.push(Edge { source, target, command: start, span });
        let mut by_target: [Vec<Command>; 3] = Default::default();
        for id in automaton.edge_ids() {
            let edge = automaton.edge(id);
            let to = if edge.target == automaton.error {
                1
            } else {
                2 * usize::from(Some(edge.target) == automaton.unmodelled)
            };
            let [source, target] = [edge.source, edge.target].map(|location| code(&mut arena, location));
            by_target[to].push(part(&mut arena, id, edge, counter, (source, target), variable));
        }
        let targets = [Some(LocationId::new(LOOP)), Some(one.error), one.unmodelled];
        for (parts, target) in by_target.iter().zip(targets) {
            if let Some(target) = target.filter(|_| !parts.is_empty()) {
                let command = Command::choice(parts, span);
                one.edges.push(Edge { source: LocationId::new(LOOP), target, command, span });
            }
        }
        Monolithic { program: Program { arena, automaton: one }, counter }
    }

    /// What was found out, said about the automaton that was given.
    pub(super) fn back(&self, given: &Program, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Safe(Proof::Invariant(found)) => match self.invariant_back(given, &found) {
                Ok(found) => Outcome::Safe(Proof::Invariant(found)),
                Err(unknown) => Outcome::Unknown(unknown),
            },
            Outcome::Unsafe(execution) => Outcome::Unsafe(self.execution_back(execution)),
            Outcome::Unknown(Unknown::Unmodelled { execution, .. }) => {
                let execution = self.execution_back(*execution);
                Outcome::Unknown(Unknown::leaves_model(&given.automaton, execution))
            }
            other => other,
        }
    }

    /// What the invariant says when the counter stands at each location.
    fn invariant_back(&self, given: &Program, found: &Invariant) -> Result<Invariant, Unknown> {
        let mut arena = self.program.arena.clone();
        let Some(&formula) = found.formulas.get(&LocationId::new(LOOP)) else {
            return Err(Unknown::Internal("an invariant says nothing about the states".into()));
        };
        let formula = Importer::new().import(&mut arena, &found.arena, formula);
        let formula = formula.map_err(|error| Unknown::Internal(error.to_string()))?;
        let automaton = &given.automaton;
        let mut formulas = Vec::new();
        for location in automaton.location_ids().filter(|&location| !automaton.is_sink(location)) {
            let code = code(&mut arena, location);
            let mut here: Substitution = [(self.counter, code)].into_iter().collect();
            formulas.push((location, here.apply(&mut arena, formula)));
        }
        invariant(&arena, formulas)
    }

    fn execution_back(&self, mut execution: Execution) -> Execution {
        execution.initial.remove(&VarId::new(self.program.automaton.variables.len() - 1));
        let steps = std::mem::take(&mut execution.path);
        let back = |step: Step| {
            let command = &self.program.automaton.edge(step.edge).command;
            let origins: Vec<Origin> = step.arcs.iter().filter_map(|&arc| command.arc(arc).origin).collect();
            let arcs: Vec<ArcId> = origins.iter().filter_map(|origin| origin.arc).collect();
            origins.first().map(|origin| Step { edge: origin.edge, arcs })
        };
        // The step that sets the counter is of no edge.
        execution.path = steps.into_iter().filter_map(back).collect();
        execution
    }
}

/// What the counter holds at a location.
fn code(arena: &mut Arena, location: LocationId) -> Term {
    arena.bv(COUNTER, location.index() as u64)
}

/// An edge as a part of the relation. The arcs remember where they come from.
fn part(
    arena: &mut Arena,
    id: EdgeId,
    edge: &Edge,
    counter: Term,
    (source, target): (Term, Term),
    variable: VarId,
) -> Command {
    let here = arena.eq(counter, source);
    let step = |basic| {
        let origin = Some(Origin { edge: id, arc: None });
        let (source, target) = (NodeId::new(0), NodeId::new(1));
        let arc = Arc { source, target, basic, span: edge.span, origin };
        Command::from_arcs(2, vec![arc]).unwrap_or_else(Command::skip)
    };
    let mut arcs = edge.command.arcs().to_vec();
    for (index, arc) in arcs.iter_mut().enumerate() {
        arc.origin = Some(Origin { edge: id, arc: Some(ArcId::new(index)) });
    }
    let inside = Command::from_arcs(edge.command.nodes(), arcs).unwrap_or_else(Command::skip);
    Command::sequence(&[step(Basic::Assume(here)), inside, step(Basic::Assign(variable, target))])
}
