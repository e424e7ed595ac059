//! The sinks, and which of them were reached.
//!
//! The search ends when the error is reached. When something that is not modelled is reached, there is no
//! proof any more, but perhaps the error can be reached as well: the search goes on without that sink.

use crate::outcome::{Outcome, Unknown};
use crate::relevant::Relevant;
use nilas_evidence::Execution;
use nilas_program::{Automaton, LocationId};

/// The sinks of a search.
pub(crate) struct Sinks {
    /// Those that are still to be shown unreachable.
    left: Vec<LocationId>,
    /// An execution that leaves what is modelled.
    unmodelled: Option<Execution>,
}

impl Sinks {
    /// The sinks that matter.
    pub(crate) fn new(automaton: &Automaton, relevant: &Relevant) -> Self {
        let left = automaton.sinks().filter(|&sink| relevant.contains(sink)).collect();
        Sinks { left, unmodelled: None }
    }

    /// Those that are still to be shown unreachable.
    pub(crate) fn left(&self) -> &[LocationId] {
        &self.left
    }

    /// Whether no sink was reached.
    pub(crate) fn all_are_left(&self) -> bool {
        self.unmodelled.is_none()
    }

    /// Takes note of an execution to a sink. Returns the outcome if that is the end.
    pub(crate) fn reached(
        &mut self,
        automaton: &Automaton,
        sink: LocationId,
        execution: Execution,
    ) -> Option<Outcome> {
        if sink == automaton.error {
            return Some(Outcome::Unsafe(execution));
        }
        self.left.retain(|&other| other != sink);
        self.unmodelled.get_or_insert(execution);
        None
    }

    /// To be asked before a proof is given: an error if a sink was reached.
    pub(crate) fn none_was_reached(&mut self, automaton: &Automaton) -> Result<(), Unknown> {
        match self.unmodelled.take() {
            None => Ok(()),
            Some(execution) => Err(Unknown::leaves_model(automaton, execution)),
        }
    }
}
