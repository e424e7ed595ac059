//! `nilas check`: a program in, a verdict with its evidence out.

use crate::challenge;
use crate::cli::{CheckArgs, Unreplayed};
use crate::exit::Exit;
use crate::explain;
use crate::input::{self, Input, Refusal};
use crate::limits::{self, Limits};
use crate::live::Live;
use crate::portfolio::{self, Plan, Run};
use crate::real::{self, Judgement};
use crate::replay::Replayed;
use crate::watch::Watch;
use nilas_c::Bound;
use nilas_engine::{Engine, Options, Report, Unknown, Verdict};
use nilas_evidence::{Evidence, Execution};
use nilas_report::{Answer, Reached, Summary, json, text};
use nilas_smt::record::{self, Tape};
use nilas_smt::{Budget, Interrupt};
use std::io::Write;
use std::time::Instant;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    let limits = Limits::start(&args.common);
    let (file, language) = (args.file.clone(), args.language.clone());
    let input = match limits.within(move || input::program(&file, &language)) {
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
    let plan = Plan { engines: &engines, tapes: &tapes, options };
    let search = Search { args, plan, limits: &limits };
    let tree = input.tree.clone();
    let mut watch = tree.as_deref().map(|tree| Watch::new(tree, args.language.check_undefined));
    // Whoever asks for an engine, or for what engines did, wants to see that.
    if let Some(watch) = watch.as_mut().filter(|_| args.engine.is_none() && !args.explain)
        && let Some(reached) = watch.before()
    {
        return told(args, &input, reached, watch, None);
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
    let Found { input, reports, doubtful, .. } = found;
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
        let reached = match &report.verdict {
            Verdict::Safe(evidence) => {
                let took = began.elapsed();
                let reached = watch.try_doubtful(&input, &doubtful);
                reached.or_else(|| watch.after_proof(took, &input, evidence))
            }
            Verdict::Unknown(_) if args.engine.is_none() => {
                watch.try_doubtful(&input, &doubtful).or_else(|| watch.after(began.elapsed()))
            }
            _ => None,
        };
        for lead in watch.leads().iter().filter(|_| args.common.verbose) {
            let _ = writeln!(std::io::stderr(), "nilas: lead: {lead}");
        }
        if let Some(reached) = reached {
            return told(args, &input, reached, watch, Some(report));
        }
        if let Verdict::Unsafe(Evidence::Execution(execution)) = &report.verdict {
            replayed = match watch.repeat(&input, execution) {
                Replayed::Confirmed(reached) => Some(Ok(reached)),
                Replayed::Not(why) if args.unreplayed == Unreplayed::Unknown => {
                    let why =
                        format!("an execution reaches the error, but it could not be repeated in C: {why}");
                    let mut summary = Summary::of(Answer::Unknown(why), Some(report.engine.name()));
                    summary.assumptions.clone_from(&input.assumptions);
                    summary.statistics.extend([watch.statistics()].into_iter().chain(process_statistics()));
                    print_summary(args, &input, &summary);
                    return Ok(Exit::Unknown);
                }
                Replayed::Not(why) => Some(Err(why)),
                Replayed::Contradicted(end) => return Err(contradicted(report, &end)),
            };
        }
    }
    let exit = match &report.verdict {
        Verdict::Safe(_) => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(Unknown::Internal(_)) | Verdict::Rejected { .. } => Exit::Internal,
        Verdict::Unknown(_) => Exit::Unknown,
    };
    if let (Some(path), Verdict::Safe(evidence) | Verdict::Unsafe(evidence)) =
        (&args.evidence, &report.verdict)
    {
        let mut text = input.bounds_line() + &nilas_evidence::text::print(&input.program, evidence);
        if let Some(Ok(reached)) = &replayed {
            for choice in reached.text.lines().filter(|line| !line.starts_with('#')) {
                text += &format!("{}{choice}\n", nilas_run::choice::EVIDENCE);
            }
        }
        std::fs::write(path, text).map_err(|error| Refusal {
            message: format!("nilas: cannot write `{}`: {error}", path.display()),
            exit: Exit::Usage,
        })?;
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

/// An execution of the program reached the error: the verdict, unless a report says otherwise.
fn told(
    args: &CheckArgs,
    input: &Input,
    reached: Reached,
    watch: &Watch<'_>,
    report: Option<&Report>,
) -> Result<Exit, Refusal> {
    if let Some(report) = report.filter(|report| matches!(report.verdict, Verdict::Safe(_))) {
        let stack: Vec<String> =
            reached.stack.iter().map(|(function, place)| format!("`{function}` at {place}")).collect();
        let message = format!(
            "nilas: internal error: {} has a proof that the error cannot be reached, but the reference interpreter \
             reaches it at {} ({}; in {}).\nOne of the two readings of the program is wrong. Please report the program \
             and these choices:\n{}",
            report.engine,
            reached.place,
            reached.what,
            stack.join(", called from "),
            reached.text
        );
        return Err(Refusal { message, exit: Exit::Internal });
    }
    if let Some(path) = &args.evidence {
        let text = format!("{}{}", challenge::HEADING, reached.text);
        std::fs::write(path, text).map_err(|error| Refusal {
            message: format!("nilas: cannot write `{}`: {error}", path.display()),
            exit: Exit::Usage,
        })?;
    }
    let mut summary = Summary::of(Answer::Reached(reached), Some("execution"));
    summary.assumptions.clone_from(&input.assumptions);
    summary.statistics.push(watch.statistics());
    summary.statistics.extend(process_statistics());
    print_summary(args, input, &summary);
    Ok(Exit::Unsafe)
}

/// An execution of an engine that the reference interpreter does not repeat.
fn contradicted(report: &Report, end: &str) -> Refusal {
    let message = format!(
        "nilas: internal error: {} found an execution that reaches the error, but with the same choices the \
         reference interpreter ends elsewhere ({end}).\nOne of the two readings of the program is wrong. Please \
         report the program.",
        report.engine
    );
    Refusal { message, exit: Exit::Internal }
}

/// How to search.
struct Search<'a> {
    args: &'a CheckArgs,
    plan: Plan<'a>,
    limits: &'a Limits,
}

/// What the engines found, on the program as it was lowered last.
struct Found {
    input: Input,
    reports: Vec<Report>,
    /// An execution of less doubt may be found where unknown functions do less.
    less: bool,
    /// Executions that rely on what nobody knows; their inputs may lead to the error all the same.
    doubtful: Vec<Execution>,
}

/// How a search ended.
enum Ended {
    Found(Found),
    /// A limit was reached while the engines ran.
    Overdue(Box<Input>, Interrupt),
    /// A limit was reached while the program was lowered again.
    Unread(Interrupt),
}

impl Search<'_> {
    /// Runs the engines, again and again while a bound of the lowering is in their way.
    fn run(&self, mut input: Input) -> Result<Ended, Refusal> {
        let Search { args, plan, limits } = self;
        loop {
            let live = Live::new(args.common.quiet || args.common.json);
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
            let reports: Vec<Report> = reports
                .into_iter()
                .map(|report| real_or_unknown(&input, report, &mut less, &mut doubtful))
                .collect();
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
                _ => return Ok(Ended::Found(Found { input, reports, less, doubtful })),
            }
        }
    }
}

/// There is no program to report on: a limit was reached before.
fn unread(args: &CheckArgs, why: Interrupt, when: &str) -> Exit {
    let reason = format!("{why} {when}");
    let output = if args.common.json {
        let file = args.file.display().to_string();
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

/// An execution that relies on what nobody knows shows nothing about the real program, nor does a proof of a
/// program all of whose executions stop at undefined behaviour. `less` is set where an execution in which
/// unknown functions do less may be real.
fn real_or_unknown(
    input: &Input,
    mut report: Report,
    less: &mut bool,
    doubtful: &mut Vec<Execution>,
) -> Report {
    if let Verdict::Unsafe(Evidence::Execution(execution)) = &report.verdict {
        report.verdict = match real::judge(input, execution, &Budget::unlimited()) {
            Judgement::Real(execution) => Verdict::Unsafe(Evidence::Execution(*execution)),
            Judgement::Doubtful { on, less: fewer } => {
                *less |= fewer;
                doubtful.push(execution.clone());
                Verdict::Unknown(Unknown::Inapplicable(format!("an execution to the error relies on {on}")))
            }
        };
    }
    if let (Verdict::Safe(_), Some(stopped)) = (&report.verdict, report.stopped)
        && let Some(what) = input.undefined_at(stopped)
    {
        let why =
            format!("every execution stops at undefined behaviour ({what}), so a proof would say nothing");
        report.verdict = Verdict::Unknown(Unknown::Inapplicable(why));
    }
    report
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

fn summary(input: &Input, report: &Report, all: &[Report]) -> Summary {
    let answer = match &report.verdict {
        Verdict::Safe(evidence) => Answer::Safe(evidence.clone()),
        Verdict::Unsafe(evidence) => Answer::Unsafe(evidence.clone()),
        Verdict::Unknown(Unknown::Unmodelled { span, edge, .. }) => {
            let construct = edge.and_then(|edge| input.unmodelled.get(&edge));
            let what = construct.map(|place| format!(" ({})", place.construct)).unwrap_or_default();
            let place = input.source.place(*span);
            let place = place.map(|place| format!(" at {place}"));
            let place = place.unwrap_or_default();
            Answer::Unknown(format!("an execution leaves what is modelled{what}{place}"))
        }
        Verdict::Unknown(why) => Answer::Unknown(why.to_string()),
        Verdict::Rejected { why, .. } => {
            Answer::Unknown(format!("internal error: the evidence of {} was rejected: {why}", report.engine))
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
