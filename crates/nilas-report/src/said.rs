//! The JSON object of an answer, read again: for those who start `nilas check` as a process.

use crate::why::Cause;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// What an object says. What is missing in it is empty here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// The verdict in one word.
    pub verdict: String,
    /// Why nothing is known.
    pub reason: String,
    /// The engine that decided.
    pub engine: String,
    /// Named counters and times, in groups.
    pub statistics: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Said {
    /// Reads what was printed; what is no such object says nothing.
    #[must_use]
    pub fn parse(printed: &[u8]) -> Said {
        let object: Json = serde_json::from_slice(printed).unwrap_or(Json::Null);
        let text = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
        let group = |counters: &Json| counters.as_object().map(numbers).unwrap_or_default();
        let groups = object["statistics"].as_object();
        let groups = groups.into_iter().flatten().map(|(name, it)| (name.clone(), group(it)));
        Said {
            verdict: text("verdict"),
            reason: text("reason"),
            engine: text("engine"),
            statistics: groups.collect(),
        }
    }

    /// The kind of the reason.
    #[must_use]
    pub fn cause(&self) -> Cause {
        Cause::of_text(&self.reason)
    }

    /// A counter of a group.
    #[must_use]
    pub fn counter(&self, group: &str, name: &str) -> Option<f64> {
        self.statistics.get(group)?.get(name).copied()
    }

    /// A counter in all groups that have it, together.
    #[must_use]
    pub fn sum(&self, name: &str) -> Option<f64> {
        let found: Vec<f64> =
            self.statistics.values().filter_map(|counters| counters.get(name)).copied().collect();
        (!found.is_empty()).then(|| found.iter().sum())
    }
}

fn numbers(counters: &Map<String, Json>) -> BTreeMap<String, f64> {
    counters.iter().filter_map(|(name, count)| Some((name.clone(), count.as_f64()?))).collect()
}
