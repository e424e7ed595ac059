//! The content of an array variable.

use nilas_term::{ArraySort, ArrayValue, BitVec, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An array that can be changed in place: what was written, and what is everywhere else. `None` is an unknown
/// element.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// By index, where that is a bit-vector of at most 64 bits. (All indices have one sort.)
    words: FxHashMap<u64, Option<Value>>,
    /// By index, where it is not.
    others: FxHashMap<Value, Option<Value>>,
    /// The sort of the indices of `words`.
    width: u32,
    elsewhere: Option<Value>,
}

/// The index as a word, if it is one.
fn word(index: &Value) -> Option<(u32, u64)> {
    match index {
        Value::BitVec(bits) if bits.width() <= 64 => Some((bits.width(), bits.to_u64()?)),
        _ => None,
    }
}

impl Cells {
    pub(super) fn unknown() -> Self {
        Cells::filled(None)
    }

    pub(super) fn filled(value: Option<Value>) -> Self {
        Cells { words: FxHashMap::default(), others: FxHashMap::default(), width: 0, elsewhere: value }
    }

    pub(super) fn of(array: &ArrayValue) -> Self {
        let mut cells = Cells::filled(Some(array.default.clone()));
        for (index, value) in &array.entries {
            cells.set(index.clone(), Some(value.clone()));
        }
        cells
    }

    pub(super) fn get(&self, index: &Value) -> Option<&Value> {
        let written = match word(index) {
            Some((_, word)) => self.words.get(&word),
            None => self.others.get(index),
        };
        written.unwrap_or(&self.elsewhere).as_ref()
    }

    pub(super) fn set(&mut self, index: Value, value: Option<Value>) {
        match word(&index) {
            Some((width, word)) => {
                self.width = width;
                self.words.insert(word, value);
            }
            None => _ = self.others.insert(index, value),
        }
    }

    /// The whole array, if every element is known.
    pub(super) fn value(&self, sort: &ArraySort) -> Option<ArrayValue> {
        let index = |word: u64| Value::BitVec(BitVec::new(self.width, word));
        let words = self.words.iter().map(|(&word, value)| (index(word), value));
        let indices = words.chain(self.others.iter().map(|(index, value)| (index.clone(), value)));
        let entries: Option<BTreeMap<Value, Value>> =
            indices.map(|(index, value)| Some((index, value.clone()?))).collect();
        Some(ArrayValue::new(sort.clone(), self.elsewhere.clone()?, entries?))
    }

    /// Something was written, nobody knows where.
    pub(super) fn forget(&mut self) {
        *self = Cells::unknown();
    }
}
