//! A program in, an answer with its evidence out.

use crate::answer::{Answer, Parts, Standing};
use crate::course;
use crate::explain;
use crate::finding;
use crate::frames;
use crate::gate::{self, Claim, Confirmed};
use crate::input::{self, Input, Stop};
use crate::models::Model;
use crate::observer::{Listener, Observer, Warning};
use crate::options::Options;
use crate::places;
use crate::portfolio::Plan;
use crate::process;
use crate::refusal::Refusal;
use crate::search::{Ended, Found, Search};
use crate::session::Session;
use crate::system;
use crate::targets;
use crate::task::Task;
use crate::watch::Watch;
use nilas_engine::{EngineRef, Report, Unknown, Verdict};
use nilas_evidence::Trace;
use nilas_report::{Conclusion, Reached, Summary, Why};
use nilas_smt::Interrupt;
use nilas_smt::record::{self, Tape};
use std::num::NonZero;
use std::time::Instant;

/// One part in so many of the time goes into executions before a program is lowered with all its memory.
const HUNT: u32 = 8;

pub(crate) fn check(
    session: &Session,
    task: &Task,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Answer, Refusal> {
    let input = match input::read(task, &session.budget()) {
        Ok(input) => input,
        Err(Stop::Interrupted(why)) => return Ok(unread(task, why, "while the program was read")),
        Err(Stop::Refused(refusal)) => return Err(refusal),
    };
    let has_predicates =
        || input.system.as_ref().is_some_and(|system| system.form == nilas_system::Form::Horn);
    if options.unfold && input.system.is_none() {
        return Err(Refusal::usage(
            "nilas: --unfold is for transition systems and Horn clauses: programs have locations",
        ));
    }
    if options.one_relation && !has_predicates() {
        return Err(Refusal::usage(
            "nilas: --one-relation is for Horn clauses: other files have no predicates",
        ));
    }
    let chosen = !options.portfolio.is_empty();
    let engines = match options.engine {
        Some(engine) => vec![engine],
        None if chosen => options.portfolio.clone(),
        None => options.registry.portfolio(),
    };
    let tapes = tapes(options, &engines)?;
    let plan = Plan {
        engines: &engines,
        registry: &options.registry,
        alike: chosen,
        tapes: &tapes,
        settings: &options.settings,
        checker: options.checker_time,
        // Which of several threads asks what is not the same every time.
        threads: if options.deterministic { NonZero::<usize>::MIN } else { options.cores() },
        until: None,
        work: None,
        exchange: !options.no_exchange,
        deterministic: options.deterministic,
        frames: options.frames,
    };
    let search = Search { plan, session };
    let mut listener = Listener::new(observer);
    let mut answer = if input.by_place {
        places::check(input, &search, options, &mut listener)?
    } else if input.errors.len() > 1 {
        targets::check(input, &search, &mut listener)?
    } else if let Some(system) = input.system.clone() {
        system::check(&system, input, &search, options, &mut listener)?
    } else {
        program(task, input, &search, options, &mut listener)?
    };
    if answer.standing() == Standing::Unknown {
        answer.summary.reach = listener.reach;
    }
    answer.warnings = listener.warnings;
    Ok(answer)
}

/// Can the error of the program be reached?
fn program(
    task: &Task,
    input: Input,
    search: &Search<'_>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<Answer, Refusal> {
    let limits = search.session.limits();
    let tree = input.tree.clone();
    if let Some(tree) = tree.as_ref().filter(|tree| !tree.differences.is_empty()) {
        listener.warn(Warning::Differences(input::render(tree, &tree.differences)));
    }
    for why in &input.unkept {
        listener.warn(Warning::Inlined(why.clone()));
    }
    let mut watch = tree
        .as_deref()
        .map(|tree| Watch::new(tree, input.properties(), search.session.budget(), options.deterministic));
    // Whoever asks for an engine, or for what engines did, wants to see that.
    if let Some(watch) = watch.as_mut().filter(|_| options.engine.is_none() && !options.explain)
        && let Some(reached) = watch.before()
    {
        return Ok(told(input, reached, watch, options, search));
    }
    let began = Instant::now();
    let share = limits.part(HUNT);
    // Whoever asks for an engine wants to see what that one can do.
    let hunts = options.engine.is_none();
    let mut hunt = |input: &Input, models: &[Model]| {
        let watch = watch.as_mut().filter(|_| hunts)?;
        watch.hunt(input, models, share)
    };
    let mut found = match search.run(input, listener, &mut hunt)? {
        Ended::Found(found) => found,
        Ended::Reached(input, reached) => {
            return Ok(match &watch {
                Some(watch) => told(*input, reached, watch, options, search),
                None => return Err(Refusal::internal("nilas: internal error: nobody ran the program")),
            });
        }
        // What is tried after an answer of engines is tried where they have none, too.
        Ended::Overdue(input, _) | Ended::Unread(input, _)
            if let Some(watch) = watch.as_mut().filter(|_| hunts)
                && let Some(reached) = watch.after(began.elapsed()) =>
        {
            return Ok(told(*input, reached, watch, options, search));
        }
        Ended::Overdue(input, why) => {
            let text = Unknown::Interrupted(why).to_string();
            let conclusion = Conclusion::Unknown(Why { cause: gate::interrupted(why), text });
            let mut summary = Summary::of(conclusion, None);
            summary.assumptions.clone_from(&input.assumptions);
            summary.statistics.extend(process_statistics());
            return Ok(Answer::of(*input, summary));
        }
        Ended::Unread(_, why) => {
            return Ok(unread(task, why, "while the program was lowered with larger bounds"));
        }
    };
    // An execution in which unknown functions do less may be real.
    if found.less
        && limits.overdue().is_none()
        && let Some(idle) = found.input.with_idle_functions(&search.session.budget())
    {
        match idle {
            Ok(idle) => {
                if let Ended::Found(less) = search.run(idle, listener, &mut |_, _| None)?
                    && matches!(less.reports.first().map(|it| &it.verdict), Some(Verdict::Unsafe(_)))
                {
                    found = less;
                }
            }
            // Then what was found before is the answer.
            Err(Stop::Interrupted(_)) => {}
            Err(Stop::Refused(refusal)) => return Err(refusal),
        }
    }
    let Found { input, reports, trace, doubtful, models, .. } = found;
    for report in reports.iter().skip(1) {
        if let Verdict::Rejected { why, .. } = &report.verdict {
            listener.warn(Warning::Rejected { engine: report.engine, why: why.to_string() });
        }
    }
    let Some(report) = reports.first() else {
        return Err(Refusal::internal("nilas: internal error: no engine ran"));
    };
    let mut replayed = None;
    if let Some(watch) = &mut watch {
        let took = began.elapsed();
        watch.guide(&input, &models.take());
        // Whoever asks for an engine wants to see what that one can do.
        let alone = options.engine.is_some();
        let doubtful: &[Model] = if alone { &[] } else { &doubtful };
        let about = &gate::everything;
        let claim = Claim { verdict: &report.verdict, trace: trace.as_ref(), doubtful, about };
        match gate::confirm(&input, claim, watch, options.unreplayed, (report.engine.name(), took))? {
            Confirmed::Stands { repeated, .. } => replayed = repeated,
            Confirmed::Reached(reached) => return Ok(told(input, reached, watch, options, search)),
            Confirmed::Unknown(why) => {
                let mut summary =
                    Summary::of(Conclusion::Unknown(Why::of_text(why)), Some(report.engine.name()));
                summary.assumptions.clone_from(&input.assumptions);
                summary.statistics.extend([watch.statistics()].into_iter().chain(process_statistics()));
                return Ok(Answer::of(input, summary));
            }
        }
        for lead in watch.leads() {
            listener.warn(Warning::Lead(lead.clone()));
        }
        if matches!(report.verdict, Verdict::Unknown(_) | Verdict::Unchecked { .. })
            && !alone
            && let Some(reached) = watch.after(took)
        {
            return Ok(told(input, reached, watch, options, search));
        }
    }
    let mut summary = summary(&input, report, &reports, trace);
    if let Some(Ok(reached)) = &replayed {
        summary.course = traced(&input, reached, options, search);
        summary.finding = finding::of_reached(&input, reached).or(summary.finding);
    }
    summary.replayed = replayed;
    summary.frames = frames::of(&reports, options.frames);
    summary.statistics.extend(watch.as_ref().map(Watch::statistics));
    if options.explain {
        let explained = explain::telling(&reports).unwrap_or(report);
        let reason = match (&summary.conclusion, &explained.verdict) {
            (Conclusion::Unknown(why), _) if std::ptr::eq(explained, report) => why.text.clone(),
            (_, Verdict::Unknown(why)) => why.to_string(),
            _ => String::new(),
        };
        let trace = summary.trace.as_ref();
        // The verdict stands already; what is left of the time goes into explaining it.
        let explanation = explain::explanation(
            &input,
            (explained, trace),
            &reason,
            &options.registry,
            &search.session.budget(),
        );
        summary.explanation = Some(explanation);
    }
    let unaccepted = match &report.verdict {
        Verdict::Unchecked { evidence, why } => Some((evidence.clone(), why.to_string())),
        _ => None,
    };
    Ok(Answer { unaccepted, ..Answer::of(input, summary) })
}

/// An execution of the program reached the error: that is the verdict.
fn told(input: Input, reached: Reached, watch: &Watch<'_>, options: &Options, search: &Search<'_>) -> Answer {
    let course = traced(&input, &reached, options, search);
    let finding = finding::of_reached(&input, &reached);
    let mut summary = Summary::of(Conclusion::Reached(reached), Some("execution"));
    summary.course = course;
    summary.finding = finding;
    summary.assumptions.clone_from(&input.assumptions);
    summary.statistics.push(watch.statistics());
    summary.statistics.extend(process_statistics());
    Answer { parts: Parts::One, ..Answer::of(input, summary) }
}

/// What an execution of the C program does, if somebody wants to see it.
pub(crate) fn traced(
    input: &Input,
    reached: &Reached,
    options: &Options,
    search: &Search<'_>,
) -> Option<nilas_run::trace::Course> {
    let tree = input.tree.as_deref().filter(|_| options.trace)?;
    course::course(tree, input.properties(), reached, search.session.budget().deadline)
}

/// There is no program to report on: a limit was reached before.
fn unread(task: &Task, why: Interrupt, when: &str) -> Answer {
    Answer::unread(task.name(), gate::interrupted(why), format!("{why} {when}"))
}

/// What to record queries to, engine by engine. That nothing can be written is told before the work begins.
fn tapes(options: &Options, engines: &[EngineRef]) -> Result<Vec<Tape>, Refusal> {
    let Some(recording) = &options.record else { return Ok(Vec::new()) };
    let bytes = recording.megabytes.saturating_mul(1_000_000);
    let whole = Tape::new(&recording.path, record::Limits { queries: u64::MAX, bytes });
    let tapes = match engines {
        [_] => vec![whole],
        several => several.iter().map(|engine| whole.part(engine.name())).collect(),
    };
    for tape in &tapes {
        tape.begin().map_err(|error| {
            Refusal::usage(format!("nilas: cannot write `{}`: {error}", tape.path().display()))
        })?;
    }
    Ok(tapes)
}

/// What a report comes to, with the statistics of all.
pub(crate) fn summary(input: &Input, report: &Report, all: &[Report], trace: Option<Trace>) -> Summary {
    let conclusion = match &report.verdict {
        Verdict::Safe(evidence) => Conclusion::Safe(evidence.clone()),
        Verdict::Unsafe(evidence) => Conclusion::Unsafe(evidence.clone()),
        verdict => {
            let who = (report.engine.name(), report.engine_time);
            Conclusion::Unknown(gate::reason(input, verdict, who))
        }
    };
    let mut summary = Summary::of(conclusion, Some(report.engine.name()));
    summary.question = finding::question(input);
    summary.finding = trace.as_ref().and_then(|trace| finding::of_trace(input, trace));
    summary.trace = trace;
    summary.assumptions.clone_from(&input.assumptions);
    add_statistics(&mut summary.statistics, all);
    summary.statistics.extend(process_statistics());
    summary
}

/// Adds what engines counted and how long they took, to what they did before if they did.
pub(crate) fn add_statistics(statistics: &mut Vec<(String, Vec<(String, f64)>)>, all: &[Report]) {
    for report in all {
        let mut counters: Vec<(String, f64)> =
            report.counters.iter().map(|(name, count)| ((*name).to_owned(), *count as f64)).collect();
        counters.push(("engine seconds".into(), report.engine_time.as_secs_f64()));
        counters.push(("checker seconds".into(), report.check_time.as_secs_f64()));
        let engine = report.engine.name();
        let Some((_, before)) = statistics.iter_mut().find(|(group, _)| group == engine) else {
            statistics.push((engine.to_owned(), counters));
            continue;
        };
        for (name, count) in counters {
            match before.iter_mut().find(|(other, _)| *other == name) {
                Some((_, sum)) => *sum += count,
                None => before.push((name, count)),
            }
        }
    }
}

/// What the whole process used, where the system tells.
pub(crate) fn process_statistics() -> Option<(String, Vec<(String, f64)>)> {
    let megabytes = (process::peak_bytes()? / 1_000_000) as f64;
    Some(("process".into(), vec![("peak memory in MB".into(), megabytes)]))
}

/// What is said of a program that asks several questions: their answers are the parts.
pub(crate) fn several() -> Summary {
    Summary::of(Conclusion::Unknown(Why::other("there are several questions, each with its answer")), None)
}
