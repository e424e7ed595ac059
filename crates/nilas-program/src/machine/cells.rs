//! The content of an array variable.

use nilas_term::{ArraySort, ArrayValue, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An array that can be changed in place: what was written, and what is everywhere else. `None` is an unknown
/// element.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    written: FxHashMap<Value, Option<Value>>,
    elsewhere: Option<Value>,
}

impl Cells {
    pub(super) fn unknown() -> Self {
        Cells::filled(None)
    }

    pub(super) fn filled(value: Option<Value>) -> Self {
        Cells { written: FxHashMap::default(), elsewhere: value }
    }

    pub(super) fn of(array: &ArrayValue) -> Self {
        let written = array.entries.iter().map(|(index, value)| (index.clone(), Some(value.clone())));
        Cells { written: written.collect(), elsewhere: Some(array.default.clone()) }
    }

    pub(super) fn get(&self, index: &Value) -> Option<&Value> {
        self.written.get(index).unwrap_or(&self.elsewhere).as_ref()
    }

    pub(super) fn set(&mut self, index: Value, value: Option<Value>) {
        self.written.insert(index, value);
    }

    /// The whole array, if every element is known.
    pub(super) fn value(&self, sort: &ArraySort) -> Option<ArrayValue> {
        let entries: Option<BTreeMap<Value, Value>> =
            self.written.iter().map(|(index, value)| Some((index.clone(), value.clone()?))).collect();
        Some(ArrayValue::new(sort.clone(), self.elsewhere.clone()?, entries?))
    }

    /// Something was written, nobody knows where.
    pub(super) fn forget(&mut self) {
        *self = Cells::unknown();
    }
}
