//! From a chain of obligations to a trace.

use super::Ic3;
use super::obligation::Queue;
use crate::obligation::ObligationId;
use crate::outcome::Unknown;
use nilas_term::{EvalError, Evaluator, Term, Value};

/// One moment of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The values of all current variables.
    pub state: Vec<(Term, Value)>,
    /// The values of all inputs at the step that follows; at the last moment, those with which the state is
    /// bad.
    pub inputs: Vec<(Term, Value)>,
}

/// An execution of a system: from an initial state to a bad one, each state a step after the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The moments, at least one.
    pub steps: Vec<TraceStep>,
}

impl Ic3<'_> {
    /// The trace that begins with the initial state which was just found in the obligation `first`. With its
    /// choices each state of an obligation leads into the next one's, so evaluation alone ends in a bad
    /// state.
    pub(super) fn trace(&mut self, queue: &Queue, first: ObligationId) -> Result<Trace, Unknown> {
        let fails = |error: EvalError| Unknown::Internal(error.to_string());
        let mut state = self.initial.state(&self.arena, &self.variables)?;
        let mut trace = Trace::default();
        let mut is_bad = false;
        for obligation in queue.chain(first) {
            let mut evaluator = Evaluator::new(state.iter().cloned().collect()).with_defaults();
            let mut chosen = Vec::with_capacity(obligation.choices.len());
            for (choice, term) in &obligation.choices {
                chosen.push((*choice, evaluator.eval(&self.arena, *term).map_err(fails)?));
            }
            for (choice, value) in chosen {
                evaluator.set(choice, value);
            }
            let mut inputs = Vec::with_capacity(self.system.inputs.len());
            for &input in &self.system.inputs {
                inputs.push((input, evaluator.eval(&self.arena, input).map_err(fails)?));
            }
            trace.steps.push(TraceStep { state, inputs });
            if obligation.next.is_none() {
                is_bad = evaluator.holds(&self.arena, self.bad).map_err(fails)?;
                break;
            }
            let mut after = Vec::with_capacity(self.system.variables.len());
            for variable in &self.system.variables {
                let held = variable.update.unwrap_or(variable.next);
                after.push((variable.current, evaluator.eval(&self.arena, held).map_err(fails)?));
            }
            if !evaluator.holds(&self.arena, self.system.constraint).map_err(fails)? {
                return Err(Unknown::Internal("a trace takes a step that is none".into()));
            }
            state = after;
        }
        if is_bad { Ok(trace) } else { Err(Unknown::Internal("a trace does not end in a bad state".into())) }
    }
}
