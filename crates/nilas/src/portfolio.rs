//! Engines side by side: the first accepted evidence decides.

use crate::limits::Limits;
use crate::live::Live;
use nilas_engine::{Engine, Options, Report, Unknown, Verdict, verify};
use nilas_program::Program;
use nilas_smt::record::Tape;
use nilas_smt::{CancelFlag, Interrupt};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a program is run before other engines start. Where nothing depends on an input that mostly
/// decides, and only it tells whether the one execution stops at undefined behaviour, so it should not lose a
/// race.
const HEAD_START: Duration = Duration::from_secs(1);

/// The least time that other engines get after a cut.
const GRACE: Duration = Duration::from_millis(300);

/// Engines and checker recurse nowhere on user data, but drop deep structures of other crates: be generous.
pub(crate) const STACK: usize = 256 << 20;

/// What to run.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) engines: &'a [Engine],
    /// Where the queries of each engine are recorded, if they are.
    pub(crate) tapes: &'a [Tape],
    pub(crate) options: Options,
}

/// What came of running engines.
pub(crate) enum Run {
    /// The reports of the engines that ended, the one that decides first.
    Reports(Vec<Report>),
    /// A limit was reached, and nothing ended in time.
    Overdue(Interrupt),
    /// An engine died: a bug in Nilas.
    Died,
}

/// Runs the engines on threads of their own. A report that is only a `cut` (a larger model would do) ends the
/// run too, after as much time again as it took: another engine may be about to decide. The queries of an
/// engine are recorded if there is a tape for it.
pub(crate) fn run(
    program: &Program,
    plan: Plan<'_>,
    limits: &Limits,
    mut live: Live,
    verbose: bool,
    cut: &dyn Fn(&Report) -> bool,
) -> Run {
    let Plan { engines, tapes, options } = plan;
    let started = Instant::now();
    let mut patience: Option<Instant> = None;
    let (sender, receiver) = mpsc::channel();
    let mut flags: Vec<CancelFlag> = Vec::new();
    let mut reports: Vec<Report> = Vec::new();
    let mut decided = false;
    for (number, &engine) in engines.iter().enumerate() {
        let budget = limits.budget();
        flags.push(budget.cancel.clone());
        let (program, sender) = (program.clone(), sender.clone());
        let mut observer = live.observer(verbose, tapes.get(number).cloned());
        let thread = std::thread::Builder::new().name(engine.name().into()).stack_size(STACK);
        let spawned = thread.spawn(move || {
            let report = verify(&program, engine, &options, &budget, &mut observer);
            // The receiver is gone when another engine has decided.
            let _ = sender.send(report);
        });
        if spawned.is_err() {
            return Run::Died;
        }
        if engine == Engine::Run
            && let Ok(report) = receiver.recv_timeout(HEAD_START)
        {
            decided = matches!(report.verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
            if cut(&report) {
                patience = Some(Instant::now() + started.elapsed() + GRACE);
            }
            reports.push(report);
            if decided {
                break;
            }
        }
    }
    drop(sender);
    let mut overdue = None;
    while !decided
        && reports.len() < engines.len()
        && overdue.is_none()
        && patience.is_none_or(|until| Instant::now() < until)
    {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(report) => {
                decided = matches!(report.verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
                if cut(&report) && patience.is_none() {
                    patience = Some(Instant::now() + started.elapsed() + GRACE);
                }
                reports.push(report);
            }
            Err(RecvTimeoutError::Timeout) => {
                live.draw();
                overdue = limits.overdue();
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    for flag in flags {
        flag.cancel(Interrupt::Cancelled);
    }
    live.clear();
    // The most telling one decides: a verdict, a rejection, a reason that is not a limit.
    reports.sort_by_key(|report| rank(&report.verdict));
    match overdue {
        Some(why) if reports.first().is_none_or(|report| rank(&report.verdict) > rank_of_limits()) => {
            Run::Overdue(why)
        }
        None if !decided && patience.is_none() && reports.len() < engines.len() => Run::Died,
        _ => Run::Reports(reports),
    }
}

/// What is less telling than a limit.
fn rank_of_limits() -> u8 {
    rank(&Verdict::Unknown(Unknown::Interrupted(Interrupt::Timeout)))
}

fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => 0,
        Verdict::Rejected { .. } => 1,
        Verdict::Unknown(Unknown::Internal(_)) => 2,
        Verdict::Unknown(Unknown::Unmodelled { .. }) => 3,
        Verdict::Unknown(Unknown::Unsupported(_)) => 4,
        Verdict::Unknown(Unknown::Interrupted(_)) => 5,
        Verdict::Unknown(Unknown::Bound { .. } | Unknown::Inapplicable(_)) => 6,
    }
}
