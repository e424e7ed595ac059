//! Explanations: from what an engine recorded to what a person wants to know.

use crate::input::Input;
use crate::turns;
use nilas_engine::{Journal, Registry, Report, Role, Tally, Unknown, Verdict, Work};
use nilas_evidence::{Evidence, Trace};
use nilas_program::LocationId;
use nilas_report::explain::{Busy, Explanation, Finding, Stuck, deciding, growth, needed};
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::Term;
use std::time::Duration;

/// What finding out may take, as work that is counted; what is not found out in time is said to be so.
const PATIENCE: Duration = Duration::from_secs(5);

/// So many places are told.
const PLACES: usize = 3;

/// So many lemmas are told.
const LAST: usize = 5;

/// The report to explain: the one that decided. Where none did, one that has done something.
pub(crate) fn telling(reports: &[Report]) -> Option<&Report> {
    let first = reports.first()?;
    let decided = !matches!(
        first.verdict,
        Verdict::Unknown(Unknown::Interrupted(_) | Unknown::Bound { .. } | Unknown::Inapplicable(_))
    );
    if decided {
        return Some(first);
    }
    let worked = |report: &&Report| !report.journal.lemmas.is_empty();
    reports.iter().find(worked).or(Some(first))
}

/// What the engine of a report did. `reason` is what the user is told where nothing was shown.
pub(crate) fn explanation(
    input: &Input,
    (report, trace): (&Report, Option<&Trace>),
    reason: &str,
    registry: &Registry,
    budget: &Budget,
) -> Explanation {
    let Report { engine, counters, journal, .. } = report;
    let count = |name: &str| counters.get(name).copied().unwrap_or(0);
    let reach = [
        ("steps", count("steps")),
        // What is a frame to other engines is a layer of the unrolling to BMC.
        ("layers", count("depth")),
        ("frames", if counters.contains_key("depth") { 0 } else { count("frames") }),
        ("nodes", count("nodes")),
        ("obligations", count("obligations")),
        ("lemmas", count("lemmas learnt")),
        ("coverings", count("coverings")),
        ("refinements", count("refinements")),
        ("solver calls", count("solver checks")),
    ];
    let busiest = journal.busiest(&Work::ALL).into_iter().take(PLACES);
    Explanation {
        engine: engine.name().into(),
        method: engine.method().into(),
        reach: told(&reach),
        seconds: (report.engine_time + report.check_time).as_secs_f64(),
        busiest: busiest.map(|location| Busy { location, work: work(journal.places[&location]) }).collect(),
        finding: finding(input, (report, trace), reason, registry, budget),
    }
}

fn finding(
    input: &Input,
    (report, trace): (&Report, Option<&Trace>),
    reason: &str,
    registry: &Registry,
    budget: &Budget,
) -> Finding {
    let program = &input.program;
    let budget = turns::counted(budget, PATIENCE);
    match &report.verdict {
        Verdict::Safe(Evidence::Invariant(invariant)) => Finding::Proof {
            needed: needed(program, invariant, &budget),
            learnt: report.counters.get("lemmas learnt").copied().filter(|&learnt| learnt > 0),
        },
        Verdict::Safe(Evidence::Unwinding(unwinding)) => Finding::Unwound(unwinding.clone()),
        Verdict::Safe(Evidence::Contracts(contracts)) => Finding::Contracts(contracts.procedures.len()),
        Verdict::Safe(_) => Finding::Ran,
        Verdict::Unsafe(Evidence::Execution(execution)) => match trace {
            Some(trace) => Finding::Execution(deciding(program, &input.source, execution, trace, &budget)),
            None => {
                Finding::Stuck(stuck(report, "the execution could not be followed again in time", registry))
            }
        },
        _ => Finding::Stuck(stuck(report, reason, registry)),
    }
}

/// Where an engine that has shown nothing was at work.
fn stuck(report: &Report, reason: &str, registry: &Registry) -> Stuck {
    let journal = &report.journal;
    let at_work = matches!(report.verdict, Verdict::Unknown(Unknown::Interrupted(_) | Unknown::Bound { .. }));
    let place = stuck_at(journal).filter(|_| at_work);
    let lemmas: &[Term] =
        place.and_then(|place| journal.lemmas.get(&place)).map_or(&[], |lemmas| lemmas.as_slice());
    let growth = growth(&journal.arena, lemmas);
    Stuck {
        reason: reason.to_owned(),
        place,
        arena: journal.arena.clone(),
        last: lemmas[lemmas.len().saturating_sub(LAST)..].to_vec(),
        advice: advice(report, growth.is_some(), registry),
        growth,
    }
}

/// The place where states had to be excluded most often, else where most nodes were made.
fn stuck_at(journal: &Journal) -> Option<LocationId> {
    let hard = journal.busiest(&[Work::Obligation, Work::Refinement]);
    hard.first().copied().or_else(|| journal.busiest(&[Work::Node]).first().copied())
}

/// What the user may try: only what there is.
fn advice(report: &Report, growing: bool, registry: &Registry) -> Vec<String> {
    let mut advice = Vec::new();
    let unknown = match &report.verdict {
        Verdict::Unknown(unknown) => unknown,
        Verdict::Unchecked { why: Reason::Interrupted(_), .. } => {
            advice.push("more time (`--timeout`)".into());
            advice.push(
                "saving what was found (`--evidence OUT`), and checking it alone: \
                 `nilas verify-evidence FILE OUT --timeout S`"
                    .into(),
            );
            return advice;
        }
        _ => return advice,
    };
    match unknown {
        Unknown::Interrupted(Interrupt::OutOfMemory) => {
            advice.push("more memory (`--memory-limit`)".into());
        }
        Unknown::Interrupted(_) | Unknown::Bound { .. } => {
            let more = match unknown {
                Unknown::Bound { .. } => "a greater bound (`--set`)",
                _ => "more time (`--timeout`)",
            };
            advice.push(more.into());
            if growing {
                advice.push(
                    "an assertion at that place about what you know to hold there (a relation between its variables): \
                     it is proved with the rest, and helps to prove it"
                        .into(),
                );
            }
        }
        Unknown::Unmodelled { .. } | Unknown::Unsupported(_) => {
            advice.push("replacing the construct that is named by one that Nilas models".into());
        }
        Unknown::Inapplicable(_) | Unknown::Internal(_) => {}
    }
    if matches!(unknown, Unknown::Interrupted(_) | Unknown::Bound { .. } | Unknown::Inapplicable(_)) {
        // Those of the portfolio. What comes first there has said that it is not made for such programs.
        let others = registry
            .entries()
            .iter()
            .filter(|it| it.engine != report.engine && matches!(it.role, Role::Beside | Role::Briefly));
        let others = others.map(|entry| entry.engine);
        let others: Vec<String> = others.map(|engine| format!("`--engine {engine}`")).collect();
        let why = if report.engine.needs_bound() {
            "another engine, because this one finds no proof where executions go on without bound"
        } else {
            "another engine"
        };
        advice.push(format!("{why}: {}, …", others.join(", ")));
    }
    advice
}

fn work(tally: Tally) -> Vec<(String, u64)> {
    told(&[
        ("obligations", tally.get(Work::Obligation)),
        ("lemmas", tally.get(Work::Lemma)),
        ("nodes", tally.get(Work::Node)),
        ("coverings", tally.get(Work::Covering)),
        ("refinements", tally.get(Work::Refinement)),
    ])
}

/// Counts that are not zero.
fn told(counts: &[(&str, u64)]) -> Vec<(String, u64)> {
    counts.iter().filter(|(_, count)| *count > 0).map(|(what, count)| ((*what).to_owned(), *count)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::task::{Task, Text};
    use nilas_engine::{Settings, Silent, verify};
    use nilas_report::explain::text;

    /// The explanation of a run of IC3CFA without generalisation that is given up at a frame.
    fn cut_short(name: &str, program: &str) -> (Input, Explanation) {
        let bytes = program.as_bytes().to_vec();
        let task = Task::Automaton(Text::Given { name: name.to_owned(), bytes });
        let input = crate::input::read(&task, &Budget::unlimited()).unwrap();
        let settings = Settings::of(&["ic3cfa.max-level=9", "ic3cfa.techniques=none"]).unwrap();
        let budget = Budget::unlimited();
        let report = verify(&input.program, "ic3cfa".parse().unwrap(), &settings, &budget, &mut Silent);
        let registry = Registry::default();
        let explanation = explanation(&input, (&report, None), "it was stopped", &registry, &budget);
        (input, explanation)
    }

    #[test]
    fn where_it_is_stuck_is_told() {
        let program = "cfa even\nvar x : bv32\nentry a\nerror e\na -> b { x := 0 }\nb -> b { x := x + 2 }\nb -> e { assume x == 101 }\n";
        let (input, explanation) = cut_short("even.cfa", program);
        let said = text(&input.program, &input.source, &explanation);
        for part in [
            "The engine `ic3cfa` goes back from the error",
            "10 frames",
            "Where it was stuck: b.",
            "It learnt x != 85, x != 87, x != 89, … there: 9 lemmas that differ in a number only, one value at a time.",
            "a greater bound (`--set`)",
            "an assertion at that place",
            "`--engine bmc`",
        ] {
            assert!(said.contains(part), "{part}\n{said}");
        }
        let object = nilas_report::explain::json(&input.program, &input.source, &explanation);
        assert_eq!(object["finding"]["kind"], "stuck", "{object:#}");
        assert_eq!(object["finding"]["sequence"]["one_at_a_time"], true, "{object:#}");
        assert_eq!(object["finding"]["at"]["location"], "b", "{object:#}");
    }
}
