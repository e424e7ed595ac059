//! Which tasks of an index run: conditions on its columns, and one of several equal parts.

use super::index::{Index, Task};
use std::str::FromStr;

/// Conditions that a task must meet, all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    conditions: Vec<Condition>,
}

/// One of the patterns must match the column.
#[derive(Clone, Debug)]
struct Condition {
    column: String,
    patterns: Vec<String>,
}

impl Filter {
    /// Reads `set=loops,tier=T1a*,path=heap`. Several patterns for one column are alternatives.
    pub(crate) fn parse(texts: &[String]) -> Result<Filter, String> {
        let mut filter = Filter::default();
        for condition in texts.iter().flat_map(|text| text.split(',')) {
            let Some((column, pattern)) = condition.split_once('=') else {
                return Err(format!("`{condition}` is no condition of a filter; write `column=value`"));
            };
            let (column, pattern) = (column.trim(), pattern.trim().to_owned());
            match filter.conditions.iter_mut().find(|condition| condition.column == column) {
                Some(condition) => condition.patterns.push(pattern),
                None => {
                    filter.conditions.push(Condition { column: column.to_owned(), patterns: vec![pattern] });
                }
            }
        }
        Ok(filter)
    }

    /// The tasks that meet the conditions, in the order of the index.
    pub(crate) fn select<'i>(&self, index: &'i Index) -> Result<Vec<&'i Task>, String> {
        let mut columns = Vec::new();
        for condition in &self.conditions {
            match index.header.iter().position(|column| *column == condition.column) {
                Some(column) => columns.push((column, condition)),
                None => {
                    let known = index.header.join(", ");
                    return Err(format!("no column `{}` to filter by; there are {known}", condition.column));
                }
            }
        }
        let meets =
            |task: &&Task| columns.iter().all(|(column, condition)| condition.matches(&task.fields[*column]));
        Ok(index.tasks.iter().filter(meets).collect())
    }
}

impl Condition {
    fn matches(&self, value: &str) -> bool {
        self.patterns.iter().any(|pattern| {
            // Paths are long: a part of one is enough.
            if self.column == "path" { glob(&format!("*{pattern}*"), value) } else { glob(pattern, value) }
        })
    }
}

/// Does the pattern, in which `*` stands for anything, match the whole value?
fn glob(pattern: &str, value: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = value.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for piece in pieces {
        // Taking the leftmost place for every piece but the last leaves the most for those that follow.
        if let Some(piece) = last.replace(piece) {
            let Some(place) = rest.find(piece) else {
                return false;
            };
            rest = &rest[place + piece.len()..];
        }
    }
    last.map_or(rest.is_empty(), |piece: &str| rest.ends_with(piece))
}

/// One of several parts that together are everything: every n-th task, from the i-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    part: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
            _ => Err("a part such as 1/4 expected, from 1/n to n/n".into()),
        }
    }
}

impl Shard {
    pub(crate) fn select<T>(self, tasks: Vec<T>) -> Vec<T> {
        tasks.into_iter().skip(self.part - 1).step_by(self.of).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const INDEX: &str = "path,expected,set,tier\nloops/a.c,true,loops,T1a-int\nloops/b.c,false,loops,T2a-array\n\
                         heap/a.c,true,heap,T4-heap\n";

    fn selected(filters: &[&str]) -> Result<Vec<String>, String> {
        let index = Index::parse(INDEX, "index").map_err(|refusal| refusal.message).unwrap();
        let filters: Vec<String> = filters.iter().map(|&text| text.to_owned()).collect();
        let tasks = Filter::parse(&filters)?.select(&index)?;
        Ok(tasks.into_iter().map(|task| task.path.clone()).collect())
    }

    #[test]
    fn all_conditions_must_hold() {
        assert_eq!(selected(&[]).unwrap().len(), 3);
        assert_eq!(selected(&["set=loops"]).unwrap(), ["loops/a.c", "loops/b.c"]);
        assert_eq!(selected(&["set=loops,tier=T1a*"]).unwrap(), ["loops/a.c"]);
        assert_eq!(selected(&["set=loops", "expected=false"]).unwrap(), ["loops/b.c"]);
        assert_eq!(selected(&["path=a.c"]).unwrap(), ["loops/a.c", "heap/a.c"]);
        assert!(selected(&["set=loop"]).unwrap().is_empty());
    }

    #[test]
    fn values_of_one_column_are_alternatives() {
        assert_eq!(selected(&["tier=T1a*,tier=T4*"]).unwrap(), ["loops/a.c", "heap/a.c"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(selected(&["loops"]).unwrap_err().contains("`loops`"));
        assert!(selected(&["colour=red"]).unwrap_err().contains("`colour`"));
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, value, expected) in [
            ("", "", true),
            ("", "x", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*c", "ac", true),
            ("a*b*a", "aba", true),
            ("a*a", "a", false),
            ("*b*b", "abcb", true),
            ("*ab*b", "ab", false),
            ("b", "abc", false),
        ] {
            assert_eq!(glob(pattern, value), expected, "{pattern} on {value}");
        }
    }

    #[test]
    fn shards_together_are_everything_once() {
        let parts: Vec<Vec<u32>> = (1..=3)
            .map(|part| format!("{part}/3").parse::<Shard>().unwrap().select((0..8).collect()))
            .collect();
        let mut all: Vec<u32> = parts.concat();
        all.sort_unstable();
        assert_eq!(all, (0..8).collect::<Vec<_>>());
        assert_eq!(parts[0], [0, 3, 6]);
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
