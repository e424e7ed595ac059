//! `nilas check`: asks the library, and prints what it answers.

use crate::cli::{CheckArgs, Common};
use crate::exit::Exit;
use crate::live::Live;
use crate::places;
use crate::resort;
use crate::system;
use crate::targets;
use nilas_check::{Answer, Options, Parts, Recording, Refusal, Session};
use nilas_engine::Settings;
use nilas_report::{json, text};
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    let options = options(args)?;
    let task = args.files.task(&args.language)?;
    let session = Session::start(&options.limits);
    let (common, name) = (args.common.clone(), task.name());
    resort::watch(session.clock(), move |why| unread(&common, &name, &why.to_string()));
    let mut live = Live::new(args);
    let answer = session.check(&task, &options, &mut live);
    // Whatever still stops is not waited for: the process ends.
    std::mem::forget(session);
    let answer = answer?;
    if let Some(path) = &args.evidence
        && let Some(text) = answer.evidence_file()
    {
        write(path, &text)?;
    }
    resort::tell(&told(args, &answer));
    Ok(Exit::of(answer.standing()))
}

fn options(args: &CheckArgs) -> Result<Options, Refusal> {
    let mut settings = Settings::default();
    if let Some(techniques) = &args.techniques {
        settings.set(&format!("ic3cfa.techniques={techniques}")).map_err(Refusal::usage)?;
    }
    for assignment in &args.set {
        settings.set_in(crate::registry(), assignment).map_err(Refusal::usage)?;
    }
    let record = args.record_queries.as_ref();
    Ok(Options {
        engine: args.engine,
        portfolio: args.portfolio.clone(),
        no_exchange: args.no_exchange,
        deterministic: args.deterministic,
        registry: crate::registry().clone(),
        settings,
        checker_time: args.checker_timeout.map(Duration::from_secs_f64),
        checker_threads: args.common.checker_threads,
        unreplayed: args.unreplayed.into(),
        explain: args.explain,
        trace: !args.common.quiet,
        model: args.model,
        save: args.evidence.is_some(),
        record: record.map(|path| Recording { path: path.clone(), megabytes: args.record_limit }),
        limits: args.common.limits(),
    })
}

/// Writes an evidence file.
fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text)
        .map_err(|error| Refusal::usage(format!("nilas: cannot write `{}`: {error}", path.display())))
}

fn told(args: &CheckArgs, answer: &Answer) -> String {
    let quiet = args.common.quiet;
    match (&answer.parts, &answer.input) {
        (Parts::Targets(targets, _), _) => targets::text(&args.common, &answer.name, targets),
        (Parts::Places(found, _), input) => {
            let source = input.as_ref().map(|input| &input.source);
            let how = (source, args.trace.into());
            places::text(&args.common, &answer.name, found, answer.assumptions(), how)
        }
        // In text they were told one by one.
        (Parts::Goals(_), _) if !args.common.json => String::new(),
        (Parts::Goals(goals), _) => system::json(&answer.name, answer.standing(), goals, quiet),
        (Parts::One, None) => {
            unread(&args.common, &answer.name, answer.reason().map_or("", |why| why.text.as_str()))
        }
        (Parts::One, Some(input)) if args.common.json => {
            json::render(&input.program, &input.source, &answer.summary, !quiet)
        }
        (Parts::One, Some(input)) => {
            let detail = text::Detail { evidence: !quiet, statistics: args.stats, trace: args.trace.into() };
            text::render(&input.program, &input.source, &answer.summary, detail)
        }
    }
}

/// There is no program to report on: a limit was reached before.
fn unread(common: &Common, file: &str, reason: &str) -> String {
    if common.json {
        let object = serde_json::json!({ "file": file, "verdict": "unknown", "reason": reason });
        format!("{object:#}\n")
    } else if common.quiet {
        "unknown\n".to_owned()
    } else {
        format!("unknown: {reason}\n")
    }
}
