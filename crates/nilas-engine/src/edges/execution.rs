//! Building executions out of the steps that an engine found.

use crate::outcome::Unknown;
use crate::transition::{self, Transition};
use nilas_evidence::{Execution, Step};
use nilas_program::{ArcId, Automaton, Basic, EdgeId, HavocSite};
use nilas_term::{Arena, Evaluator, Model, Term, Value};
use std::collections::BTreeMap;

/// Collects an execution edge by edge and counts how often each `havoc` occurs.
pub(crate) struct ExecutionBuilder<'a> {
    automaton: &'a Automaton,
    occurrences: BTreeMap<HavocSite, u64>,
    execution: Execution,
}

impl<'a> ExecutionBuilder<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        ExecutionBuilder { automaton, occurrences: BTreeMap::new(), execution: Execution::default() }
    }

    /// The value of a variable at the entry.
    pub(crate) fn initial(&mut self, variable: Term, value: Value) {
        let mut ids = self.automaton.variable_ids();
        if let Some(id) = ids.find(|&id| self.automaton.variable(id).term == variable) {
            self.execution.initial.insert(id, value);
        }
    }

    /// The next edge: the arcs taken, and the values of the `havoc`s among them in their order.
    pub(crate) fn step(&mut self, edge: EdgeId, arcs: Vec<ArcId>, havocs: Vec<Value>) {
        for (site, value) in sites(self.automaton, edge, &arcs).zip(havocs) {
            let occurrence = self.occurrences.entry(site).or_default();
            self.execution.havocs.insert((site, *occurrence), value);
            *occurrence += 1;
        }
        self.execution.path.push(Step { edge, arcs });
    }

    pub(crate) fn finish(self) -> Execution {
        self.execution
    }
}

/// The `havoc`s among the arcs of an edge.
pub(crate) fn sites(automaton: &Automaton, edge: EdgeId, arcs: &[ArcId]) -> impl Iterator<Item = HavocSite> {
    let command = &automaton.edge(edge).command;
    arcs.iter().filter_map(|&arc| match command.arc(arc).basic {
        Basic::Havoc(_, site) => Some(site),
        _ => None,
    })
}

/// The execution from a state at the entry by steps whose inputs are terms over the state before each: every
/// state of an obligation leads into the next one's, so that it ends in the sink that the steps were made
/// for. `transition` finds the relation of an edge.
pub(crate) fn follow<'t>(
    arena: &Arena,
    automaton: &Automaton,
    transition: &dyn Fn(EdgeId) -> Option<&'t Transition>,
    mut state: Vec<(Term, Value)>,
    steps: &[&transition::Step],
) -> Result<Execution, Unknown> {
    let mut builder = ExecutionBuilder::new(automaton);
    for (variable, value) in &state {
        builder.initial(*variable, value.clone());
    }
    for step in steps {
        let mut model = Model::new();
        for (variable, value) in &state {
            model.set(*variable, value.clone());
        }
        let mut evaluator = Evaluator::new(model).with_defaults();
        let mut values = Vec::with_capacity(step.inputs.len());
        for (input, term) in &step.inputs {
            let value = evaluator.eval(arena, *term);
            values.push((*input, value.map_err(|error| Unknown::Internal(error.to_string()))?));
        }
        let Some(transition) = transition(step.edge) else {
            return Err(Unknown::Internal(format!("{:?} was taken, but cannot matter", step.edge)));
        };
        let way = transition.execute(arena, automaton, &state, &values)?;
        builder.step(step.edge, way.arcs, way.havocs);
        state = way.after;
    }
    Ok(builder.finish())
}
