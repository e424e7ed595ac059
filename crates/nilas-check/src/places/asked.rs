//! Which places are asked about.

use nilas_c::{Check, Property};
use nilas_program::source::Span;
use std::collections::BTreeSet;

/// What names a check in every lowering of a program: property and place.
pub(crate) type Key = (Property, Span);

pub(crate) fn key(check: &Check) -> Key {
    (check.property, check.span)
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// None.
    None,
    /// All.
    All,
    /// All but those that have an answer. New ones that a larger lowering meets are asked about.
    Except(BTreeSet<Key>),
    /// The same, and executions that leave the model just stop: a violation is one, but there is no proof.
    Modelled(BTreeSet<Key>),
    /// One.
    Only(Key),
}

impl Asked {
    pub(crate) fn includes(&self, check: &Check) -> bool {
        match self {
            Asked::None => false,
            Asked::All => true,
            Asked::Except(answered) | Asked::Modelled(answered) => !answered.contains(&key(check)),
            Asked::Only(only) => key(check) == *only,
        }
    }

    /// Whether executions that leave the model stop.
    pub(crate) fn stops_unmodelled(&self) -> bool {
        matches!(self, Asked::Modelled(_))
    }
}
