//! What engines held when they ended, for people.

use nilas_engine::{Journal, Report};
use nilas_report::{Frames, FramesAt};

/// What the first report with lemmas held: the one that decides comes first. Reports without frames have their
/// lemmas.
pub(crate) fn of(reports: &[Report], wanted: bool) -> Option<Frames> {
    let told = |journal: &Journal| !journal.frames.is_empty() || !journal.lemmas.is_empty();
    let report = reports.iter().find(|report| wanted && told(&report.journal))?;
    let journal = &report.journal;
    let (frontier, places) = if journal.frames.is_empty() {
        let at = |lemmas: &Vec<_>| {
            let lemmas = lemmas.iter().map(|&lemma| (lemma, None)).collect();
            FramesAt { lemmas, ..FramesAt::default() }
        };
        (None, journal.lemmas.iter().map(|(&location, lemmas)| (location, at(lemmas))).collect())
    } else {
        let at = |it: &nilas_engine::FramesAt| {
            let nilas_engine::FramesAt { first, lemmas, more } = it.clone();
            FramesAt { first, lemmas, more }
        };
        (Some(journal.frontier), journal.frames.iter().map(|(&location, it)| (location, at(it))).collect())
    };
    Some(Frames { engine: report.engine.name(), frontier, arena: journal.arena.clone(), places })
}
