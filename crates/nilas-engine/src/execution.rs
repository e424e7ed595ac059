//! Building executions out of the steps that an engine found.

use nilas_evidence::{Execution, Step};
use nilas_program::{ArcId, Automaton, Basic, EdgeId, HavocSite};
use nilas_term::{Term, Value};
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
        let command = &self.automaton.edge(edge).command;
        let sites = arcs.iter().filter_map(|&arc| match command.arc(arc).basic {
            Basic::Havoc(_, site) => Some(site),
            _ => None,
        });
        for (site, value) in sites.zip(havocs) {
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
