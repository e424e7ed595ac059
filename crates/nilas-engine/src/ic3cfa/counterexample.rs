//! From a chain of obligations to an execution.

use super::Ic3Cfa;
use super::instance::Queue;
use crate::execution::follow;
use crate::outcome::Unknown;
use crate::pdr::ObligationId;
use nilas_evidence::Execution;
use nilas_program::EdgeId;

impl Ic3Cfa<'_, '_> {
    /// The execution that the obligation `first`, which lies at the entry, begins. With the inputs of its
    /// step, each state of an obligation leads into the next one's, so that running from the state found at
    /// the entry ends in the sink.
    pub(super) fn counterexample(
        &mut self,
        queue: &Queue,
        first: ObligationId,
    ) -> Result<Execution, Unknown> {
        let chain = queue.chain(first);
        let state = chain.first().map(|obligation| obligation.trail.state.clone()).unwrap_or_default();
        let mut steps = Vec::with_capacity(chain.len());
        for obligation in chain {
            let Some(step) = &obligation.trail.step else {
                return Err(Unknown::Internal("a conjecture is taken for an execution".into()));
            };
            steps.push(step);
        }
        let transition =
            |edge: EdgeId| self.instance.map.solvers[edge.index()].as_ref().map(|solver| &solver.transition);
        follow(&self.arena, self.instance.map.automaton, &transition, state, &steps)
    }
}
