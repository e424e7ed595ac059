//! Choosers that follow a list.

use super::{Choice, ChoiceKind, Chooser, NoChoice};
use std::collections::VecDeque;

/// Every choice is the default: 0, the order of gcc, allocations succeed, addresses are what they are.
#[derive(Clone, Copy, Default, Debug)]
pub struct Defaults;

impl Chooser for Defaults {
    fn choose(&mut self, _: &Choice) -> Result<Option<i128>, NoChoice> {
        Ok(None)
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        !matches!(kind, ChoiceKind::AddressRelation | ChoiceKind::EvaluationOrder | ChoiceKind::FloatBits)
    }
}

/// Inputs by a list, in the order in which the execution asks for them. Everything else is the default.
#[derive(Clone, Debug)]
pub struct Inputs {
    values: VecDeque<i128>,
}

impl Inputs {
    /// A chooser with these inputs; an execution that asks for more ends without choices.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = i128>) -> Inputs {
        Inputs { values: values.into_iter().collect() }
    }
}

impl Chooser for Inputs {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        if choice.kind != ChoiceKind::Input {
            return Ok(None);
        }
        self.values.pop_front().map(Some).ok_or(NoChoice)
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        Defaults.asks(kind)
    }
}
