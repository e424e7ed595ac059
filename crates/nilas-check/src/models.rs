//! Inputs in the models of engines, for the challenge.
//!
//! An engine meets models while it works: executions that get somewhere, states from which the error would be
//! reached. The inputs in them lead executions of the C program where random ones do not get. Every engine
//! tells of its first models, and then of fewer and fewer: what it costs does not grow with its work.

use nilas_program::HavocSite;
use nilas_term::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// The values of `havoc`s of the automaton as lowered, in the order of their way.
pub(crate) type Model = Vec<(HavocSite, Value)>;

/// So many models of an engine are wanted, and later one for each doubling of their number.
const FIRST: u64 = 24;

/// Models that engines told of, from their threads.
#[derive(Clone, Default)]
pub(crate) struct Models(Arc<Mutex<Vec<Model>>>);

impl Models {
    /// All of them, the last ones first: engines get further as they go.
    pub(crate) fn take(&self) -> Vec<Model> {
        let mut models = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        models.reverse();
        models
    }

    pub(crate) fn add(&self, model: Model) {
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !model.is_empty() && !models.contains(&model) {
            models.push(model);
        }
    }
}

/// Whether a model is wanted of an engine that had so many before.
pub(crate) fn is_wanted(before: u64) -> bool {
    before < FIRST || before.is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_and_fewer_are_wanted() {
        let wanted = |until: u64| (0..until).filter(|&before| is_wanted(before)).count();
        assert_eq!(wanted(FIRST), 24);
        assert_eq!(wanted(1 << 20), 24 + 15);
    }
}
