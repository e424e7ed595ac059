//! `nilas check`: a program in, a verdict with its evidence out.

use crate::cli::CheckArgs;
use crate::exit::Exit;
use crate::explain;
use crate::gate::{self, Confirmed};
use crate::input::{self, Input, Refusal};
use crate::limits::{self, Limits};
use crate::live::Live;
use crate::models::Models;
use crate::portfolio::{self, Plan, Run};
use crate::saved;
use crate::targets;
use crate::watch::Watch;
use nilas_c::Bound;
use nilas_engine::{Engine, Options, Report, Unknown, Verdict};
use nilas_evidence::{Execution, Form, Header};
use nilas_report::{Answer, Reached, Summary, json, text};
use nilas_smt::Interrupt;
use nilas_smt::record::{self, Tape};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let (files, language) = (args.files.clone(), args.language.clone());
    let input = match limits.within(move || input::program(&files, &language)) {
        Ok(input) => input?,
        Err(why) => return Ok(unread(args, why, "while the program was read")),
    };
    let engines: Vec<Engine> = args.engine.map_or_else(|| Engine::PORTFOLIO.to_vec(), |engine| vec![engine]);
    let tapes = tapes(args, &engines)?;
    let mut options = Options::default();
    if let Some(techniques) = args.techniques {
        options.ic3cfa.techniques = techniques;
    }
    for assignment in &args.set {
        options.set(assignment).map_err(|message| Refusal { message, exit: Exit::Usage })?;
    }
    let checker = args.checker_timeout.map(Duration::from_secs_f64);
    let plan = Plan { engines: &engines, tapes: &tapes, options, checker, threads: args.common.cores() };
    let search = Search { args, plan, limits: &limits };
    if input.errors.len() > 1 {
        return targets::check(args, &input, &search);
    }
    if let Some(system) = input.system.clone() {
        return crate::system::check(&system, &input, &search);
    }
    let tree = input.tree.clone();
    if let Some(tree) = &tree {
        input::tell_differences(tree, args.common.quiet);
    }
    let mut watch = tree.as_deref().map(|tree| Watch::new(tree, args.language.check_undefined));
    // Whoever asks for an engine, or for what engines did, wants to see that.
    if let Some(watch) = watch.as_mut().filter(|_| args.engine.is_none() && !args.explain)
        && let Some(reached) = watch.before()
    {
        return told(args, &input, reached, watch);
    }
    let began = Instant::now();
    let mut found = match search.run(input)? {
        Ended::Found(found) => found,
        Ended::Overdue(input, why) => {
            let answer = Answer::Unknown(Unknown::Interrupted(why).to_string());
            let mut summary = Summary::of(answer, None);
            summary.assumptions.clone_from(&input.assumptions);
            summary.statistics.extend(process_statistics());
            print_summary(args, &input, &summary);
            return Ok(Exit::Unknown);
        }
        Ended::Unread(why) => {
            return Ok(unread(args, why, "while the program was lowered with larger bounds"));
        }
    };
    // An execution in which unknown functions do less may be real.
    if found.less
        && limits.overdue().is_none()
        && let Some(idle) = found.input.with_idle_functions()
        && let Ended::Found(less) = search.run(idle?)?
        && matches!(less.reports.first().map(|report| &report.verdict), Some(Verdict::Unsafe(_)))
    {
        found = less;
    }
    let Found { input, reports, doubtful, models, .. } = found;
    for report in reports.iter().skip(1) {
        if let Verdict::Rejected { why, .. } = &report.verdict {
            let _ = writeln!(
                std::io::stderr(),
                "nilas: warning: evidence of {} was rejected ({why}); the verdict below has accepted evidence",
                report.engine
            );
        }
    }
    let Some(report) = reports.first() else {
        return Err(Refusal { message: "nilas: internal error: no engine ran".into(), exit: Exit::Internal });
    };
    let mut replayed = None;
    if let Some(watch) = &mut watch {
        let took = began.elapsed();
        watch.guide(&input, &models.take());
        // Whoever asks for an engine wants to see what that one can do.
        let alone = args.engine.is_some();
        let doubtful: &[Execution] = if alone { &[] } else { &doubtful };
        let verdict = (&report.verdict, doubtful);
        match gate::confirm(&input, verdict, watch, args.unreplayed, (report.engine.name(), took))? {
            Confirmed::Stands(repeated) => replayed = repeated,
            Confirmed::Reached(reached) => return told(args, &input, reached, watch),
            Confirmed::Unknown(why) => {
                let mut summary = Summary::of(Answer::Unknown(why), Some(report.engine.name()));
                summary.assumptions.clone_from(&input.assumptions);
                summary.statistics.extend([watch.statistics()].into_iter().chain(process_statistics()));
                print_summary(args, &input, &summary);
                return Ok(Exit::Unknown);
            }
        }
        for lead in watch.leads().iter().filter(|_| args.common.verbose) {
            let _ = writeln!(std::io::stderr(), "nilas: lead: {lead}");
        }
        if matches!(report.verdict, Verdict::Unknown(_) | Verdict::Unchecked { .. })
            && !alone
            && let Some(reached) = watch.after(took)
        {
            return told(args, &input, reached, watch);
        }
    }
    let exit = gate::exit(&report.verdict);
    if let Some(path) = &args.evidence {
        save(path, &input, &report.verdict, replayed.as_ref())?;
    }
    let mut summary = summary(&input, report, &reports);
    summary.replayed = replayed;
    summary.statistics.extend(watch.as_ref().map(Watch::statistics));
    if args.explain {
        let explained = explain::telling(&reports).unwrap_or(report);
        let reason = match (&summary.answer, &explained.verdict) {
            (Answer::Unknown(why), _) if std::ptr::eq(explained, report) => why.clone(),
            (_, Verdict::Unknown(why)) => why.to_string(),
            _ => String::new(),
        };
        // The verdict stands already; what is left of the time goes into explaining it.
        summary.explanation = Some(explain::explanation(&input, explained, &reason, &limits.budget()));
    }
    print_summary(args, &input, &summary);
    Ok(exit)
}

/// Saves the evidence of a verdict, if it has any.
pub(crate) fn save(
    path: &Path,
    input: &Input,
    verdict: &Verdict,
    replayed: Option<&Result<Reached, String>>,
) -> Result<(), Refusal> {
    let (evidence, unaccepted) = match verdict {
        Verdict::Safe(evidence) | Verdict::Unsafe(evidence) => (evidence, None),
        Verdict::Unchecked { evidence, why } => (evidence, Some(why.to_string())),
        Verdict::Unknown(_) | Verdict::Rejected { .. } => return Ok(()),
    };
    let header = Header { unaccepted, ..saved::header(input) };
    let mut text = header.print() + &nilas_evidence::text::print(&input.program, evidence);
    if let Some(Ok(reached)) = replayed {
        text += &choices(reached);
    }
    saved::write(path, &text)
}

/// The choices of an execution, as evidence files have them.
fn choices(reached: &Reached) -> String {
    let lines = reached.text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|choice| format!("{}{choice}\n", nilas_run::choice::EVIDENCE)).collect()
}

/// An execution of the program reached the error: that is the verdict.
fn told(args: &CheckArgs, input: &Input, reached: Reached, watch: &Watch<'_>) -> Result<Exit, Refusal> {
    if let Some(path) = &args.evidence {
        let text =
            format!("{}({})\n{}", saved::header(input).print(), Form::Choices.word(), choices(&reached));
        saved::write(path, &text)?;
    }
    let mut summary = Summary::of(Answer::Reached(reached), Some("execution"));
    summary.assumptions.clone_from(&input.assumptions);
    summary.statistics.push(watch.statistics());
    summary.statistics.extend(process_statistics());
    print_summary(args, input, &summary);
    Ok(Exit::Unsafe)
}

/// How to search.
pub(crate) struct Search<'a> {
    pub(crate) args: &'a CheckArgs,
    pub(crate) plan: Plan<'a>,
    pub(crate) limits: &'a Limits,
}

/// What the engines found, on the program as it was lowered last.
pub(crate) struct Found {
    pub(crate) input: Input,
    pub(crate) reports: Vec<Report>,
    /// An execution of less doubt may be found where unknown functions do less.
    less: bool,
    /// Executions that rely on what nobody knows; their inputs may lead to the error all the same.
    doubtful: Vec<Execution>,
    /// Inputs in the models of the engines.
    models: Models,
}

/// How a search ended.
pub(crate) enum Ended {
    Found(Found),
    /// A limit was reached while the engines ran.
    Overdue(Box<Input>, Interrupt),
    /// A limit was reached while the program was lowered again.
    Unread(Interrupt),
}

impl Search<'_> {
    /// Runs the engines, again and again while a bound of the lowering is in their way.
    pub(crate) fn run(&self, mut input: Input) -> Result<Ended, Refusal> {
        let Search { args, plan, limits } = self;
        loop {
            // They speak about this lowering only.
            let models = Models::default();
            let live = Live::new(args.common.quiet || args.common.json, models.clone());
            let cut = |report: &Report| bound(&input, report).is_some();
            let verbose = args.common.verbose;
            let ended = portfolio::run(&input.program, *plan, limits, live, verbose, &cut);
            if let Some(error) = plan.tapes.first().and_then(Tape::error) {
                let _ = writeln!(std::io::stderr(), "nilas: warning: queries are not all recorded: {error}");
            }
            let reports = match ended {
                Run::Reports(reports) => reports,
                Run::Overdue(why) => return Ok(Ended::Overdue(Box::new(input), why)),
                Run::Died => {
                    return Err(Refusal {
                        message: "nilas: internal error: an engine died".into(),
                        exit: Exit::Internal,
                    });
                }
            };
            let (mut less, mut doubtful) = (false, Vec::new());
            let mut admit = |report: Report| {
                let admitted = gate::admit(&input, report.verdict, report.stopped);
                less |= admitted.less;
                doubtful.extend(admitted.doubtful);
                Report { verdict: admitted.verdict, ..report }
            };
            let reports: Vec<Report> = reports.into_iter().map(&mut admit).collect();
            // An execution that only a bound of the lowering cut off: the bound is raised.
            let raise = reports.first().and_then(|report| bound(&input, report));
            match raise {
                Some(bound) if limits.overdue().is_none() => {
                    let raised = limits.within(move || input.raise(bound).map(|()| input));
                    input = match raised {
                        Ok(input) => input?,
                        Err(why) => return Ok(Ended::Unread(why)),
                    };
                }
                _ => return Ok(Ended::Found(Found { input, reports, less, doubtful, models })),
            }
        }
    }
}

/// There is no program to report on: a limit was reached before.
fn unread(args: &CheckArgs, why: Interrupt, when: &str) -> Exit {
    let reason = format!("{why} {when}");
    let output = if args.common.json {
        let file = input::name(&args.files);
        let object = serde_json::json!({ "file": file, "verdict": "unknown", "reason": reason });
        format!("{object:#}\n")
    } else if args.common.quiet {
        "unknown\n".to_owned()
    } else {
        format!("unknown: {reason}\n")
    };
    crate::print(&output);
    Exit::Unknown
}

/// The bound of the lowering that an execution of the report ran into.
fn bound(input: &Input, report: &Report) -> Option<Bound> {
    match &report.verdict {
        Verdict::Unknown(Unknown::Unmodelled { edge, .. }) => input.bound(*edge),
        _ => None,
    }
}

/// What to record queries to, engine by engine. That nothing can be written is told before the work begins.
fn tapes(args: &CheckArgs, engines: &[Engine]) -> Result<Vec<Tape>, Refusal> {
    let Some(path) = &args.record_queries else { return Ok(Vec::new()) };
    let bytes = args.record_limit.saturating_mul(1_000_000);
    let whole = Tape::new(path, record::Limits { queries: u64::MAX, bytes });
    let tapes = match engines {
        [_] => vec![whole],
        several => several.iter().map(|engine| whole.part(engine.name())).collect(),
    };
    for tape in &tapes {
        tape.begin().map_err(|error| Refusal {
            message: format!("nilas: cannot write `{}`: {error}", tape.path().display()),
            exit: Exit::Usage,
        })?;
    }
    Ok(tapes)
}

pub(crate) fn summary(input: &Input, report: &Report, all: &[Report]) -> Summary {
    let answer = match &report.verdict {
        Verdict::Safe(evidence) => Answer::Safe(evidence.clone()),
        Verdict::Unsafe(evidence) => Answer::Unsafe(evidence.clone()),
        verdict => {
            let who = (report.engine.name(), report.engine_time);
            Answer::Unknown(gate::reason(input, verdict, who))
        }
    };
    let mut summary = Summary::of(answer, Some(report.engine.name()));
    summary.assumptions.clone_from(&input.assumptions);
    for report in all {
        let mut counters: Vec<(String, f64)> =
            report.counters.iter().map(|(name, count)| ((*name).to_owned(), *count as f64)).collect();
        counters.push(("engine seconds".into(), report.engine_time.as_secs_f64()));
        counters.push(("checker seconds".into(), report.check_time.as_secs_f64()));
        summary.statistics.push((report.engine.name().to_owned(), counters));
    }
    summary.statistics.extend(process_statistics());
    summary
}

/// What the whole process used, where the system tells.
fn process_statistics() -> Option<(String, Vec<(String, f64)>)> {
    let megabytes = (limits::peak_bytes()? / 1_000_000) as f64;
    Some(("process".into(), vec![("peak memory in MB".into(), megabytes)]))
}

fn print_summary(args: &CheckArgs, input: &Input, summary: &Summary) {
    let output = if args.common.json {
        json::render(&input.program, &input.source, summary, !args.common.quiet)
    } else {
        let detail = text::Detail { evidence: !args.common.quiet, statistics: args.stats };
        text::render(&input.program, &input.source, summary, detail)
    };
    crate::print(&output);
}
