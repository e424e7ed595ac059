//! From a chain of obligations to an execution.

use super::Ic3Cfa;
use super::obligation::{ObligationId, Queue};
use crate::execution::ExecutionBuilder;
use nilas_evidence::Execution;

impl Ic3Cfa<'_> {
    /// The execution that the obligation `first`, which lies at the entry, begins. Each obligation's states lead into the next
    /// one's by its step, so the state found at the entry leads to the sink.
    pub(super) fn counterexample(&self, queue: &Queue, first: ObligationId) -> Execution {
        let chain = queue.chain(first);
        let mut builder = ExecutionBuilder::new(self.automaton);
        for (variable, value) in chain.first().into_iter().flat_map(|obligation| &obligation.state) {
            builder.initial(*variable, value.clone());
        }
        for obligation in chain {
            let step = &obligation.step;
            builder.step(step.edge, step.arcs.clone(), step.havocs.clone());
        }
        builder.finish()
    }
}
