//! Which calls are told though others are folded: those that changed last what the failure depends on, and
//! in these again those that made their results.

use super::fold::root;
use super::{Node, Note};
use nilas_run::trace::{Course, What};
use std::collections::{BTreeMap, BTreeSet};

/// Calls that are tried.
const MOST: usize = 12;

/// An execution as far as it is told.
pub(super) struct Shown {
    pub(super) lines: Vec<String>,
    /// Folded calls that decide the failure.
    pub(super) decisive: BTreeSet<usize>,
}

/// The variables that the failing expression names, each with the folded call that changed it last; `None`
/// where that is told already.
#[derive(Clone, Default)]
pub(super) struct Decisive {
    last: BTreeMap<String, Option<usize>>,
}

impl Decisive {
    pub(super) fn of(course: &Course) -> Decisive {
        let mut last = BTreeMap::new();
        for event in course.head.iter().chain(&course.tail).rev().take(1) {
            let What::Failure { parts, .. } = &event.what else { continue };
            last.extend(parts.iter().flat_map(|(text, _)| names(text)).map(|name| (name, None)));
        }
        Decisive { last }
    }

    /// Something changed, perhaps in a folded call.
    pub(super) fn changes(&mut self, notes: &[Note], call: Option<usize>) {
        for note in notes {
            let Note::Change { name, .. } = note else { continue };
            let plain = name.rsplit("::").next().unwrap_or(name);
            if let Some(last) = self.last.get_mut(root(plain)) {
                *last = call;
            }
        }
    }

    /// A call that decides the failure is told: so do the variables that its result is made of.
    pub(super) fn result_of(&mut self, body: &[Node]) {
        let mut steps = body.iter().rev().filter_map(|node| match node {
            Node::Step { text, .. } => Some(&**text),
            _ => None,
        });
        let Some(last) = steps.next().filter(|text| text.starts_with("return")) else { return };
        // The condition under which it is returned.
        let condition = steps.next().filter(|text| text.starts_with("if ("));
        for name in [Some(last), condition].into_iter().flatten().flat_map(names) {
            self.last.entry(name).or_insert(None);
        }
    }

    pub(super) fn calls(&self) -> BTreeSet<usize> {
        self.last.values().flatten().copied().collect()
    }
}

/// The variables that an expression names: no members, no functions.
fn names(text: &str) -> Vec<String> {
    let letter = |it: char| it.is_alphanumeric() || it == '_';
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = String::new();
    while let Some(start) = rest.find(letter) {
        before.push_str(&rest[..start]);
        let end = rest[start..].find(|it| !letter(it)).map_or(rest.len(), |end| start + end);
        let (name, behind) = (&rest[start..end], &rest[end..]);
        let member = before.ends_with('.') || before.ends_with("->");
        let number = name.starts_with(|it: char| it.is_ascii_digit());
        if !member && !number && !behind.trim_start().starts_with('(') {
            found.push(name.to_owned());
        }
        before = name.to_owned();
        rest = behind;
    }
    found
}

/// How many calls that decide the failure can be told, and the execution with them, as long as it has not
/// more lines than `longest`.
pub(super) fn opened(longest: usize, lines: impl Fn(&BTreeSet<usize>) -> Shown) -> (usize, Vec<String>) {
    let (mut open, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let mut shown = lines(&open);
    for _ in 0..MOST {
        // The last ones are closest to the failure.
        let Some(&call) = shown.decisive.iter().rev().find(|call| !refused.contains(*call)) else { break };
        open.insert(call);
        let next = lines(&open);
        if next.lines.len() <= longest {
            shown = next;
        } else {
            open.remove(&call);
            refused.insert(call);
        }
    }
    (open.len(), shown.lines)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn variables_of_an_expression() {
        assert_eq!(names("bank[n].volume == f(v) + 0x1f"), ["bank", "n", "v"]);
        assert_eq!(names("p->next"), ["p"]);
    }
}
