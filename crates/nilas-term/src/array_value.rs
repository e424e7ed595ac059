//! Arrays as values.
//!
//! An array holds a default but for some entries. The same array over a *small* index sort could be written
//! with several defaults; the constructors here pick one, so that arrays made by them are equal if and only
//! if they are equal as data.

use crate::sort::{ArraySort, Sort};
use crate::value::Value;
use std::collections::BTreeMap;

/// An array that is a default value but for some entries. No entry holds the default, and the default is
/// the most frequent element (the least of those) where the index sort is so small that entries cover half of
/// it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    /// Sorts of index and element.
    pub sort: ArraySort,
    /// What it holds where no entry says otherwise.
    pub default: Value,
    /// The exceptions.
    pub entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The array with those entries and a default, in the form that equality relies on.
    #[must_use]
    pub fn new(sort: ArraySort, default: Value, mut entries: BTreeMap<Value, Value>) -> Self {
        entries.retain(|_, element| *element != default);
        let mut array = ArrayValue { sort, default, entries };
        array.choose_default();
        array
    }

    /// The element at an index.
    #[must_use]
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one element replaced.
    #[must_use]
    pub fn store(&self, index: Value, element: Value) -> Self {
        let mut array = self.clone();
        if element == array.default {
            array.entries.remove(&index);
        } else {
            array.entries.insert(index, element);
        }
        array.choose_default();
        array
    }

    /// Whether it is certainly in the form that equality relies on; `false` if that takes a closer look.
    pub(crate) fn is_normal(&self) -> bool {
        let entries = self.entries.len() as u64;
        let sparse = cardinality(&self.sort.index).is_none_or(|size| entries < size.saturating_sub(entries));
        sparse && self.entries.values().all(|element| *element != self.default)
    }

    /// Makes the default the one that `==` expects.
    fn choose_default(&mut self) {
        let Some(size) = cardinality(&self.sort.index) else { return };
        let entries = self.entries.len() as u64;
        // More than half of the indices hold the default: no other choice would be more frequent.
        if entries < size - entries {
            return;
        }
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        if size > entries {
            counts.insert(&self.default, size - entries);
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let Some(best) = counts.iter().find(|(_, count)| **count == most).map(|(value, _)| (*value).clone())
        else {
            return;
        };
        if best == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, best);
        if size > entries {
            for index in all_values(&self.sort.index) {
                self.entries.entry(index).or_insert_with(|| old.clone());
            }
        }
        let default = &self.default;
        self.entries.retain(|_, element| element != default);
    }
}

/// Number of values of an index sort, if it is one whose values can be listed: a small bit-vector or Bool.
fn cardinality(sort: &Sort) -> Option<u64> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) if *width <= 32 => Some(1 << width),
        _ => None,
    }
}

fn all_values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) if *width <= 32 => {
            (0..1u64 << width).map(|value| Value::BitVec(crate::BitVec::new(*width, value))).collect()
        }
        _ => Vec::new(),
    }
}
