//! `nilas check`: asks the library, and prints what it answers.

use crate::batch;
use crate::cli::{CheckArgs, Common};
use crate::exit::Exit;
use crate::live::Live;
use crate::paint;
use crate::places;
use crate::resort;
use crate::signal;
use crate::system;
use crate::targets;
use nilas_check::{
    Answer, Conclusion, Confirmation, Finding, Options, Parts, Recording, Refusal, RefusalKind, Session,
    Standing, Task, Why, WitnessFormat,
};
use nilas_engine::Settings;
use nilas_report::html::{self, Page};
use nilas_report::{Report, Trace, json, junit, sarif, text};
use serde_json::{Value as Json, json as object};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The version of Nilas that reports name.
const NILAS: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    if args.batch {
        return batch::run(args);
    }
    let answered = answer(args);
    if let Err(refusal) = &answered
        && refusal.kind != RefusalKind::Usage
    {
        let name: Vec<String> = args.files.files.iter().map(|file| file.display().to_string()).collect();
        tell_refusal(args, &name.join(" "), refusal)?;
    }
    let (mut answer, task) = answered?;
    if args.confirm {
        resort::answered();
        answer.confirm(&task)?;
    }
    if let Some(path) = &args.harness
        && let Some(test) = answer.harness(&task)
    {
        match test {
            Ok(test) => write(path, &test.text)?,
            Err(why) => _ = writeln!(std::io::stderr(), "nilas: warning: no test is written: {why}"),
        }
    }
    if let Some(path) = &args.evidence
        && let Some(text) = answer.evidence_file()
    {
        write(path, &text)?;
    }
    if let Some(path) = &args.witness {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let graphml = path.extension().is_some_and(|it| it == "graphml");
        let format = if graphml { WitnessFormat::GraphMl } else { WitnessFormat::Yaml };
        match answer.witness(&task, now.as_secs(), format)? {
            Some(text) => write(path, &text)?,
            None => {
                let why =
                    "there is no verdict about `main` of named C files, or its execution was not repeated";
                let _ = writeln!(std::io::stderr(), "nilas: warning: no witness is written: {why}");
            }
        }
    }
    let headline = first_line(&answer);
    write_reports(args, &answer.report(headline.clone()), || html::render(&answer.page(headline)))?;
    let told = told(args, &answer);
    let coloured = !args.common.json && args.color.applies();
    resort::tell(&if coloured { paint::verdicts(&told) } else { told });
    Ok(Exit::of(answer.standing()))
}

fn answer(args: &CheckArgs) -> Result<(Answer, Task), Refusal> {
    let options = options(args)?;
    let task = args.files.task(&args.language)?;
    let session = Session::start(&options.limits);
    let (common, name) = (args.common.clone(), task.name());
    resort::watch(session.clock(), move |why| unread(&common, &name, &why.to_string()));
    let stopped = signal::stops(session.stopper());
    let mut live = Live::new(args);
    let answer = session.check(&task, &options, &mut live);
    // Whatever still stops is not waited for: the process ends.
    std::mem::forget(session);
    let mut answer = answer?;
    if stopped.is_set() {
        told_interrupted(&mut answer);
    }
    Ok((answer, task))
}

/// Whatever engines said when they were stopped, it is the user who stopped them.
fn told_interrupted(answer: &mut Answer) {
    const REASON: &str = "interrupted";
    if answer.standing() == Standing::Unknown {
        answer.summary.conclusion = Conclusion::Unknown(Why::other(REASON));
    }
    if let Parts::Places(places, _) = &mut answer.parts {
        for place in places.iter_mut().filter(|place| place.standing == Standing::Unknown) {
            place.why = Some(REASON.to_owned());
        }
    }
}

pub(crate) fn options(args: &CheckArgs) -> Result<Options, Refusal> {
    let mut settings = Settings::default();
    if let Some(techniques) = &args.techniques {
        settings.set(&format!("ic3cfa.techniques={techniques}")).map_err(Refusal::usage)?;
    }
    for assignment in &args.set {
        settings.set_in(crate::registry(), assignment).map_err(Refusal::usage)?;
    }
    let record = args.record_queries.as_ref();
    let reports = args.sarif.is_some() || args.junit.is_some() || args.html.is_some();
    Ok(Options {
        engine: args.engine,
        portfolio: args.portfolio.iter().flat_map(|engines| &engines.0).copied().collect(),
        no_exchange: args.no_exchange,
        deterministic: args.deterministic,
        registry: args.without.iter().fold(crate::registry().clone(), |all, &engine| all.without(engine)),
        settings,
        checker_time: args.checker_timeout.map(Duration::from_secs_f64),
        checker_threads: args.common.checker_threads,
        unreplayed: args.unreplayed.into(),
        explain: args.explain,
        trace: !args.common.quiet || reports,
        frames: args.html.is_some(),
        model: args.model,
        one_relation: args.one_relation,
        unfold: args.unfold,
        save: args.evidence.is_some(),
        record: record.map(|path| Recording { path: path.clone(), megabytes: args.record_limit }),
        limits: args.common.limits(),
    })
}

/// Writes a file.
fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text)
        .map_err(|error| Refusal::usage(format!("nilas: cannot write `{}`: {error}", path.display())))
}

/// Writes the reports that are asked for.
fn write_reports(
    args: &CheckArgs,
    report: &Report<'_>,
    page: impl FnOnce() -> String,
) -> Result<(), Refusal> {
    if let Some(path) = &args.sarif {
        write(path, &sarif::render(report))?;
    }
    if let Some(path) = &args.junit {
        write(path, &junit::render(report))?;
    }
    if let Some(path) = &args.html {
        write(path, &page())?;
    }
    Ok(())
}

/// Machines are told in their formats that there is no answer; the message goes to standard error as ever.
fn tell_refusal(args: &CheckArgs, name: &str, refusal: &Refusal) -> Result<(), Refusal> {
    let report = Report {
        name: name.to_owned(),
        version: NILAS,
        source: None,
        verdict: "unknown",
        headline: "unknown".to_owned(),
        checked: Vec::new(),
        assumptions: Vec::new(),
        warnings: Vec::new(),
        error: Some(refusal.message.clone()),
    };
    write_reports(args, &report, || html::render(&Page::of(report.clone())))?;
    if args.common.json {
        resort::tell(&format!("{:#}\n", refused(name, refusal)));
    }
    Ok(())
}

/// A refusal as an object.
pub(crate) fn refused(name: &str, refusal: &Refusal) -> Json {
    let kind = match refusal.kind {
        RefusalKind::Usage => "usage",
        RefusalKind::Input => "input",
        RefusalKind::Limit => "limit",
        RefusalKind::Internal => "internal",
    };
    json::answer(json::error(name, kind, &refusal.message), NILAS, &[])
}

/// The first line of an answer in text.
pub(crate) fn first_line(answer: &Answer) -> String {
    match (&answer.parts, &answer.input) {
        (Parts::One, Some(input)) => nilas_report::headline(&input.source, &answer.summary),
        (Parts::One, None) => format!("unknown: {}", answer.reason().map_or("", |why| why.text.as_str())),
        (Parts::Places(found, _), _) => places::headline(found),
        (Parts::Targets(..) | Parts::Goals(_), _) => answer.verdict().to_owned(),
    }
}

fn told(args: &CheckArgs, answer: &Answer) -> String {
    let common = &args.common;
    if common.json {
        return format!("{:#}\n", object(args, answer));
    }
    let mut text = match (&answer.parts, &answer.input) {
        (Parts::Targets(targets, _), _) => targets::text(common, targets),
        (Parts::Places(found, _), input) => {
            let how = (input.as_ref().map(|input| &input.source), args.trace.into());
            places::text(common, found, answer.assumptions(), how)
        }
        // They were told one by one.
        (Parts::Goals(_), _) => String::new(),
        (Parts::One, None) => {
            unread(common, &answer.name, answer.reason().map_or("", |why| why.text.as_str()))
        }
        (Parts::One, Some(input)) => {
            let trace: Trace = args.trace.into();
            let detail = text::Detail { evidence: !common.quiet, statistics: args.stats, trace };
            text::render(&input.program, &input.source, &answer.summary, detail)
        }
    };
    if !common.quiet {
        text.push_str(&confirmations(answer));
    }
    text
}

/// What came of running tests, a line each. Where there are several, they name their places.
fn confirmations(answer: &Answer) -> String {
    let several = answer.confirmations.len() > 1;
    let line = |(finding, it): &(Option<Finding>, Confirmation)| match finding {
        Some(at) if several => format!("{}:{}: {}\n", at.file, at.line, it.line()),
        _ => it.line() + "\n",
    };
    answer.confirmations.iter().map(line).collect()
}

/// The answer as an object.
pub(crate) fn object(args: &CheckArgs, answer: &Answer) -> Json {
    let quiet = args.common.quiet;
    let object = match (&answer.parts, &answer.input) {
        (Parts::Targets(targets, _), _) => targets::object(&answer.name, targets),
        (Parts::Places(..), _) => places::object(answer, &first_line(answer)),
        (Parts::Goals(goals), _) => system::json(&answer.name, answer.standing(), goals, quiet),
        (Parts::One, None) => {
            let reason = answer.reason().map_or("", |why| why.text.as_str());
            object!({ "file": answer.name, "verdict": "unknown", "reason": reason })
        }
        (Parts::One, Some(input)) => {
            let mut object = json::object(&input.program, &input.source, &answer.summary, !quiet);
            if input.source.is_c() && !quiet {
                let mut report = answer.report(String::new());
                // They are those of the answer.
                for checked in &mut report.checked {
                    (checked.reached, checked.course) = (None, None);
                }
                object["places"] = json::places(&report);
            }
            object
        }
    };
    let warnings: Vec<String> = answer.warnings.iter().map(ToString::to_string).collect();
    json::answer(object, NILAS, &warnings)
}

/// There is no program to report on: a limit was reached before.
fn unread(common: &Common, file: &str, reason: &str) -> String {
    if common.json {
        let object = object!({ "file": file, "verdict": "unknown", "reason": reason });
        format!("{:#}\n", json::answer(object, NILAS, &[]))
    } else if common.quiet {
        "unknown\n".to_owned()
    } else {
        format!("unknown: {reason}\n")
    }
}

/// The program that `-` stands for: C text from standard input.
pub(crate) fn standard_input(language: nilas_check::Language) -> Result<Task, Refusal> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut text)
        .map_err(|error| Refusal::new(format!("nilas: cannot read standard input: {error}")))?;
    let text = String::from_utf8_lossy(&text);
    Ok(Task::of_c_text("<stdin>", &text, language))
}
