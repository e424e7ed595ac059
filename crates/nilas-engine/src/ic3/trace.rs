//! From a chain of obligations to a trace.

use super::Ic3;
use super::instance::Queue;
use crate::outcome::Unknown;
use crate::pdr::ObligationId;
use nilas_evidence::{Moment, SystemTrace};
use nilas_term::{EvalError, Evaluator};

impl Ic3<'_, '_> {
    /// The trace that begins with the initial state which was just found in the obligation `first`. With its
    /// choices each state of an obligation leads into the next one's, so evaluation alone ends in a bad
    /// state.
    pub(super) fn trace(&mut self, queue: &Queue, first: ObligationId) -> Result<SystemTrace, Unknown> {
        let fails = |error: EvalError| Unknown::Internal(error.to_string());
        let mut state = self.instance.initial.state(&self.arena, &self.instance.variables)?;
        let mut trace = SystemTrace::default();
        let mut is_bad = false;
        for obligation in queue.chain(first) {
            let mut evaluator = Evaluator::new(state.iter().cloned().collect()).with_defaults();
            let mut chosen = Vec::with_capacity(obligation.trail.len());
            for (choice, term) in &obligation.trail {
                chosen.push((*choice, evaluator.eval(&self.arena, *term).map_err(fails)?));
            }
            for (choice, value) in chosen {
                evaluator.set(choice, value);
            }
            let mut inputs = Vec::with_capacity(self.instance.system.inputs.len());
            for &input in &self.instance.system.inputs {
                inputs.push((input, evaluator.eval(&self.arena, input).map_err(fails)?));
            }
            trace.steps.push(Moment { state, inputs });
            if obligation.next.is_none() {
                is_bad = evaluator.holds(&self.arena, self.instance.bad).map_err(fails)?;
                break;
            }
            let mut after = Vec::with_capacity(self.instance.system.variables.len());
            for variable in &self.instance.system.variables {
                let held = variable.update.unwrap_or(variable.next);
                after.push((variable.current, evaluator.eval(&self.arena, held).map_err(fails)?));
            }
            if !evaluator.holds(&self.arena, self.instance.system.constraint).map_err(fails)? {
                return Err(Unknown::Internal("a trace takes a step that is none".into()));
            }
            state = after;
        }
        if is_bad { Ok(trace) } else { Err(Unknown::Internal("a trace does not end in a bad state".into())) }
    }
}
