//! The answer for each place, as it is told.

use super::asked::{Key, key};
use super::{Known, evidence, parts};
use crate::answer::{Answer, Standing};
use crate::check::{process_statistics, traced};
use crate::finding;
use crate::input::Input;
use crate::options::Options;
use crate::search::Search;
use nilas_c::Check;
use nilas_evidence::Evidence;
use nilas_report::{Conclusion, Finding, Reached, Violation};
use nilas_run::trace::Course;

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
    /// The property, and where.
    pub finding: Finding,
    /// The verdict.
    pub standing: Standing,
    /// Why it is neither safe nor unsafe.
    pub why: Option<String>,
    /// The execution that violates it, as the second reading repeats it.
    pub reached: Option<Reached>,
    /// What that execution does, or a simpler one that ends at the same place, if somebody wants to see it.
    pub course: Option<Course>,
}

impl Place {
    /// What an execution of the second reading violates where the lowering has no place for it.
    pub(super) fn of(input: &Input, reached: Reached) -> Option<Place> {
        let finding = finding::without_check(input, &reached)?;
        let (standing, why, reached, course) = (Standing::Unsafe, None, Some(reached), None);
        Some(Place { finding, standing, why, reached, course })
    }

    /// Whether an execution of the second reading violates it.
    pub(super) fn is_violated_by(&self, reached: &Reached) -> bool {
        let Finding { property, file, line, column, .. } = &self.finding;
        let own = (*property, &file[..], *line, *column);
        let violates = reached.violates.as_ref();
        violates.is_some_and(|it| (it.property, &it.file[..], it.line, it.column) == own)
    }
}

/// The check of the lowering that the second reading means: the same property at the same place, or the only
/// one on the line.
pub(crate) fn check_of(input: &Input, violation: &Violation) -> Option<Key> {
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
pub(super) fn answer(
    input: Input,
    known: Known,
    why: Option<&Why>,
    engine: Option<&'static str>,
    (options, search): (&Options, &Search<'_>),
) -> Answer {
    let answers = evidence(&input, &known, why);
    let modelled = known.modelled.clone();
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
        let finding = finding::of_check(&input, check);
        places.push(Place { finding, standing, why: reason, reached, course: None });
    }
    let (frames, statistics) = (known.frames, known.statistics);
    places.extend(known.others.into_values().filter_map(|reached| Place::of(&input, reached)));
    let order =
        |Finding { file, line, column, property, .. }: &Finding| (file.clone(), *line, *column, *property);
    places.sort_by_key(|place| order(&place.finding));
    for place in &mut places {
        let course = |reached| traced(&input, reached, options, search);
        place.course = place.reached.as_ref().and_then(course);
    }
    let (parts, mut summary) = parts(places, answers);
    summary.assumptions.clone_from(&input.assumptions);
    summary.engine = engine;
    summary.frames = frames;
    summary.statistics = statistics;
    summary.statistics.extend(process_statistics());
    if let Some(evidence) = modelled.filter(|_| input.checks.is_empty()) {
        // There is no place, and that is what the evidence is for.
        summary.conclusion = Conclusion::Safe(evidence);
    }
    Answer { parts, ..Answer::of(input, summary) }
}
