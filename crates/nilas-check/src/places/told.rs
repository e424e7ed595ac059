//! The answer for each place, as it is told.

use super::asked::{Key, key};
use super::{Known, evidence, parts};
use crate::answer::{Answer, Standing};
use crate::input::Input;
use nilas_c::{Check, Property};
use nilas_evidence::Evidence;
use nilas_report::{Reached, Violation};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Why {
    /// The reason.
    pub(crate) reason: String,
    /// It is that time is up.
    pub(crate) late: bool,
}

/// What is known of one check.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// It cannot be violated, and perhaps others that refer to it.
    Proof(Evidence),
    /// The proof of another one is about this one, too.
    With(Key),
    /// The second reading violates it.
    Choices(Reached),
    /// An execution of the automaton violates it.
    Execution(Evidence),
    /// Nothing, though it was asked about.
    Nothing(Why),
}

impl Shown {
    /// Whether it cannot be violated.
    pub(super) fn is_proof(&self) -> bool {
        matches!(self, Shown::Proof(_) | Shown::With(_))
    }
}

/// What is told of a place where a property could be violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The property.
    pub property: Property,
    /// What is claimed never to happen.
    pub what: String,
    /// The file, as line markers name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The expression, as far as there is one.
    pub expression: Option<String>,
    /// The verdict.
    pub standing: Standing,
    /// Why it is neither safe nor unsafe.
    pub why: Option<String>,
    /// The execution that violates it, as the second reading repeats it.
    pub reached: Option<Reached>,
}

impl Place {
    /// What an execution of the second reading violates where the lowering has no place for it.
    pub(super) fn of(reached: Reached) -> Option<Place> {
        let Violation { property, file, line, column, .. } = reached.violates.clone()?;
        let (what, standing, expression, why) = (reached.what.clone(), Standing::Unsafe, None, None);
        let reached = Some(reached);
        Some(Place { property, what, file, line, column, expression, standing, why, reached })
    }

    /// Whether an execution of the second reading violates it.
    pub(super) fn is_violated_by(&self, reached: &Reached) -> bool {
        let own = (self.property, &self.file[..], self.line, self.column);
        let violates = reached.violates.as_ref();
        violates.is_some_and(|it| (it.property, &it.file[..], it.line, it.column) == own)
    }

    /// What is wrong there, in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let what = match self.property {
            // Not every error is an assertion.
            Property::Assert if self.expression.is_none() => &self.what,
            property => property.violated(),
        };
        let place = format!("{} at {}:{}", what, self.file, self.line);
        match &self.expression {
            Some(text) => format!("{place}: {text}"),
            None => place,
        }
    }
}

/// The check of the lowering that the second reading means: the same property at the same place, or the only
/// one on the line.
pub(super) fn check_of(input: &Input, violation: &Violation) -> Option<Key> {
    let tree = input.tree.as_ref()?;
    let same = |check: &&Check| {
        check.property == violation.property && Some(check.span) == violation.span && !check.auxiliary
    };
    if let Some(check) = input.checks.iter().find(same) {
        return Some(key(check));
    }
    let mut on_line = Vec::new();
    for check in input.checks.iter().filter(|check| check.property == violation.property) {
        let at = tree.sources.locate(check.span);
        if (at.file == violation.file) && at.line == violation.line {
            if at.column == violation.column && !check.auxiliary {
                return Some(key(check));
            }
            on_line.push(check);
        }
    }
    let plain: Vec<_> = on_line.iter().filter(|check| !check.auxiliary).collect();
    match plain[..] {
        [check] => Some(key(check)),
        _ => None,
    }
}

/// All answers.
pub(super) fn answer(input: Input, known: Known, why: Option<&Why>, engine: Option<&'static str>) -> Answer {
    let answers = evidence(&input, &known, why);
    let mut places = Vec::new();
    for check in &input.checks {
        let shown = known.shown.get(&key(check));
        let (standing, reason, reached) = match shown {
            Some(Shown::Proof(_) | Shown::With(_)) => (Standing::Safe, None, None),
            Some(Shown::Choices(reached)) => (Standing::Unsafe, None, Some(reached.clone())),
            Some(Shown::Execution(_)) => (Standing::Unsafe, None, None),
            Some(Shown::Nothing(why)) => (Standing::Unknown, Some(why.reason.clone()), None),
            None if known.passed.contains_key(&key(check)) => continue,
            None => {
                let why = known.whys.get(&key(check)).or(why);
                let reason = why.map_or_else(|| "not decided".to_owned(), |why| why.reason.clone());
                (Standing::Unknown, Some(reason), None)
            }
        };
        if check.auxiliary && standing == Standing::Safe {
            continue;
        }
        let at = input.tree.as_ref().map(|tree| tree.sources.locate(check.span));
        let (file, line, column) = at.map(|at| (at.file, at.line, at.column)).unwrap_or_default();
        let (property, what, expression) = (check.property, check.what.clone(), check.expression.clone());
        places.push(Place { property, what, file, line, column, expression, standing, why: reason, reached });
    }
    places.extend(known.others.into_values().filter_map(Place::of));
    places.sort_by(|a, b| {
        (&a.file, a.line, a.column, a.property).cmp(&(&b.file, b.line, b.column, b.property))
    });
    let (parts, mut summary) = parts(places, answers);
    summary.assumptions.clone_from(&input.assumptions);
    summary.engine = engine;
    Answer { parts, ..Answer::of(input, summary) }
}
