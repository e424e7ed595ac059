//! From a chain of obligations to an execution.

use super::Ic3Cfa;
use super::obligation::{ObligationId, Queue};
use crate::execution::ExecutionBuilder;
use crate::outcome::Unknown;
use crate::transition::Step;
use nilas_evidence::Execution;
use nilas_term::{Evaluator, Model};

impl Ic3Cfa<'_> {
    /// The execution that the obligation `first`, which lies at the entry, begins. With the inputs of its step, each state
    /// of an obligation leads into the next one's, so that running from the state found at the entry ends in the sink.
    pub(super) fn counterexample(
        &mut self,
        queue: &Queue,
        first: ObligationId,
    ) -> Result<Execution, Unknown> {
        let automaton = self.automaton;
        let chain = queue.chain(first);
        let mut builder = ExecutionBuilder::new(automaton);
        let mut state = chain.first().map(|obligation| obligation.state.clone()).unwrap_or_default();
        for (variable, value) in &state {
            builder.initial(*variable, value.clone());
        }
        for obligation in chain {
            let Some(Step { edge, inputs }) = &obligation.step else {
                return Err(Unknown::Internal("a conjecture is taken for an execution".into()));
            };
            let mut model = Model::new();
            for (variable, value) in &state {
                model.set(*variable, value.clone());
            }
            let mut evaluator = Evaluator::new(model).with_defaults();
            let mut values = Vec::with_capacity(inputs.len());
            for (input, term) in inputs {
                let value = evaluator.eval(&self.arena, *term);
                values.push((*input, value.map_err(|error| Unknown::Internal(error.to_string()))?));
            }
            let (solver, arena) = self.solver(*edge)?;
            let step = solver.transition.execute(arena, automaton, &state, &values)?;
            builder.step(*edge, step.arcs, step.havocs);
            state = step.after;
        }
        Ok(builder.finish())
    }
}
