//! Engines side by side: the first accepted evidence decides.
//!
//! While the evidence of one engine is being checked, the others go on: theirs may be checked sooner,
//! though a second proof waits for a while until its check begins ([`Checks`]). In the checker's share of
//! the time (see [`crate::limits::Limits::is_reserved`]) they are stopped, so that the checker has the
//! machine for itself. Evidence that was being checked when a limit was reached is not lost: it is
//! reported as unchecked.
//!
//! Engines that lose are told to stop, and nobody waits for them here: their threads belong to the session,
//! which joins them when it ends.

use crate::board::{Board, Found, Message};
use crate::limits::Until;
use crate::models::Models;
use crate::observer::{Listener, Observer};
use crate::process::own_cpu_s;
use crate::session::Session;
use crate::turns::{Brief, Seat, ShortTurns, Turnstile};
use nilas_engine::{
    Budgets, Checks, EngineRef, Exchange, Journal, Preparations, Registry, Report, Role, Settings, Unknown,
    Verdict, verify_within,
};
use nilas_program::Program;
use nilas_program::procedures::WithCalls;
use nilas_smt::record::Tape;
use nilas_smt::{Budget, CancelFlag, Interrupt, Reason, Turn, Turns};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a program is run before other engines start, in processor time. Where nothing depends on an input
/// that mostly decides, and only it tells whether the one execution stops at undefined behaviour, so it should
/// not lose a race.
const HEAD_START: Duration = Duration::from_secs(1);

/// The longest head start by the clock, where a machine is busy with other things.
const LONGEST_HEAD_START: Duration = Duration::from_secs(8);

/// So long the clock is waited for at least before processor time is asked for again.
const SHORTEST_WAIT: Duration = Duration::from_millis(10);

/// The least time that other engines get after a cut.
const GRACE: Duration = Duration::from_millis(300);

/// The same where an engine runs beside them that needs no bound of recursion.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long after the end of its time an engine is waited for.
const LATE: Duration = Duration::from_secs(1);

/// Messages that wait. An engine that tells more of them than the observer takes waits for it.
const EVENTS: usize = 1 << 12;

/// What to run.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) engines: &'a [EngineRef],
    /// Says what they do side by side.
    pub(crate) registry: &'a Registry,
    /// Whether nobody among them has only a short turn, whatever the registry says.
    pub(crate) alike: bool,
    /// Where the queries of each engine are recorded, if they are.
    pub(crate) tapes: &'a [Tape],
    pub(crate) settings: &'a Settings,
    /// How long the checker may take for a piece of evidence.
    pub(crate) checker: Option<Duration>,
    /// How many cores it may use.
    pub(crate) threads: NonZero<usize>,
    /// Before the limits of the session, it ends here.
    pub(crate) until: Option<Until>,
    /// The same as counted work, where turns are taken.
    pub(crate) work: Option<u64>,
    /// Whether engines tell each other what they find out.
    pub(crate) exchange: bool,
    /// Whether they take turns by counted work.
    pub(crate) deterministic: bool,
    /// Whether somebody wants to see their frames.
    pub(crate) frames: bool,
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
    calls: Option<&Arc<WithCalls>>,
    plan: Plan<'_>,
    session: &Session,
    models: Models,
    listener: &mut Listener<'_>,
    cut: &dyn Fn(&Report) -> bool,
) -> Run {
    let Plan { engines, registry, alike, tapes, settings, checker, threads, .. } = plan;
    let Plan { until, work, exchange, deterministic, frames, .. } = plan;
    let firsts = engines.iter().filter(|&&engine| registry.role(engine) == Role::First).count();
    let is_brief = |engine: EngineRef| !alike && engines.len() > 1 && registry.role(engine) == Role::Briefly;
    let brief: Vec<bool> = engines.iter().map(|&engine| is_brief(engine)).collect();
    let turnstile = deterministic.then(|| Turnstile::new(&brief, firsts, work));
    let mut seats: Vec<Arc<Seat>> = Vec::new();
    let short = ShortTurns::new(own_cpu_s());
    let exchange = (exchange && engines.len() > 1).then(Exchange::new);
    // Waiting by the clock would tell in what engines do by turns.
    let checks = (!deterministic && engines.len() > 1).then(Checks::default);
    // Passes run once for all engines.
    let preparations = Arc::new(Preparations::with_calls(program.clone(), calls.cloned()));
    let (limits, board) = (session.limits(), Board::new(models));
    let grace = if calls.is_some() && engines.len() > 1 { PATIENCE } else { GRACE };
    let started = Instant::now();
    let mut patience: Option<Instant> = None;
    let (sender, receiver) = mpsc::sync_channel(EVENTS);
    let wants_events = listener.observer.wants_events();
    let mut flags: Vec<Flags> = Vec::new();
    let mut reports: Vec<Report> = Vec::new();
    let mut working: Vec<bool> = vec![true; engines.len()];
    let mut decided = false;
    for (number, &engine) in engines.iter().enumerate() {
        let within = |budget: Budget| {
            let earlier = until.and_then(|until| match until {
                Until::Clock(end) => Some(end),
                Until::Processor(_) => None,
            });
            let deadline = budget.deadline.into_iter().chain(earlier).min();
            Budget { deadline, ..budget }
        };
        let mut search = within(limits.share());
        let seat = turnstile.as_ref().map(|turnstile| turnstile.seat(number));
        seats.extend(seat.clone());
        if brief[number] {
            search.turn = Turn::of(Arc::new(Brief::new(seat.clone())));
        } else if let Some(seat) = &seat {
            search.turn = Turn::of(Arc::clone(seat) as Arc<dyn Turns>);
        }
        let budgets = Budgets {
            search,
            check: within(limits.budget()),
            checker,
            threads: Some(threads),
            exchange: exchange.clone(),
            checks: checks.clone(),
        };
        flags.push(Flags { search: budgets.search.cancel.clone(), check: budgets.check.cancel.clone() });
        let (preparations, sender) = (Arc::clone(&preparations), sender.clone());
        let settings = settings.clone();
        let mut watcher =
            board.observer(engine, tapes.get(number).cloned(), wants_events.then(|| sender.clone()), frames);
        let place = brief[..number].iter().filter(|brief| **brief).count();
        let short = (brief[number] && seat.is_none()).then(|| Arc::clone(&short));
        let spawned = session.spawn(engine.name(), move || {
            if let Some(seat) = &seat {
                seat.wait(&budgets.search.cancel);
            }
            if let Some(short) = &short {
                short.wait(place, &budgets.search.cancel);
            }
            let report = verify_within(&preparations, engine, &settings, &budgets, &mut watcher);
            // The receiver is gone when another engine has decided.
            let _ = sender.send(Message::Ended(number, Box::new(report)));
            if let Some(short) = short {
                short.next();
            }
        });
        if !spawned {
            // There is no room for another stack: the others go on without it.
            board.ended(number);
            working[number] = false;
            flags[number].search.cancel(Interrupt::OutOfMemory);
            reports.push(unstarted(engine));
            if let Some(seat) = seats.get(number) {
                seat.leave();
            }
            continue;
        }
        if turnstile.is_none()
            && registry.role(engine) == Role::First
            && let Some(report) = head_start(&receiver, listener.observer)
        {
            board.ended(number);
            working[number] = false;
            flags[number].search.cancel(Interrupt::Cancelled);
            decided = matches!(report.verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
            // The only execution ran into a bound: all that helps is a larger one.
            let is_cut = cut(&report);
            patience = is_cut.then(Instant::now);
            reports.push(report);
            if decided || is_cut {
                break;
            }
        }
    }
    drop(sender);
    let (mut overdue, mut passed) = (None, None);
    while !decided
        && reports.len() < engines.len()
        && overdue.is_none()
        && patience.is_none_or(|until| Instant::now() < until)
        && !turnstile.as_ref().is_some_and(|turnstile| turnstile.has_ended())
    {
        let all_have_ended = working.iter().zip(&brief).all(|(working, brief)| *brief || !working);
        short.open_when(all_have_ended, own_cpu_s());
        if passed.is_none() && until.is_some_and(Until::has_passed) {
            passed = Some(Instant::now());
            for Flags { search, check } in &flags {
                search.cancel(Interrupt::Timeout);
                check.cancel(Interrupt::Timeout);
            }
        }
        match receive(&receiver, Duration::from_millis(100), listener.observer) {
            Ok((number, report)) => {
                board.ended(number);
                working[number] = false;
                // It has no share of the memory any more.
                flags[number].search.cancel(Interrupt::Cancelled);
                decided = matches!(report.verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
                if let Some(turnstile) = turnstile.as_ref().filter(|_| cut(&report)) {
                    turnstile.cut();
                } else if cut(&report) && patience.is_none() {
                    patience = Some(Instant::now() + started.elapsed() + grace);
                }
                reports.push(report);
                // Whoever has ended keeps the turn until it is known what follows from that: so others do the
                // same work every time. Nobody works any more after a verdict.
                if let Some(seat) = seats.get(number).filter(|_| !decided) {
                    seat.leave();
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                listener.observer.progress(board.elapsed(), &board.status());
                overdue =
                    limits.overdue().or(passed.filter(|it| it.elapsed() > LATE).map(|_| Interrupt::Timeout));
                if limits.is_reserved() {
                    leave_to_checker(&flags, &board.checking());
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let was_cut = patience.is_some() || turnstile.is_some_and(|turnstile| turnstile.has_ended());
    if was_cut && reports.is_empty() {
        // The work that was asked for is done.
        overdue = overdue.or(Some(Interrupt::Timeout));
    }
    stop(&flags);
    if let Some(why) = overdue {
        for (number, &engine) in engines.iter().enumerate() {
            reports.extend(board.found(number).map(|found| unchecked(engine, found, started.elapsed(), why)));
        }
    }
    listener.reached(&board.status());
    listener.observer.searched();
    // The most telling one decides: a verdict, a rejection, a reason that is not a limit.
    reports.sort_by_key(|report| rank(&report.verdict));
    match overdue {
        Some(why) if reports.first().is_none_or(|report| rank(&report.verdict) > rank_of_limits()) => {
            Run::Overdue(why)
        }
        None if !decided && !was_cut && reports.len() < engines.len() => Run::Died,
        _ => Run::Reports(reports),
    }
}

/// The next report and whose it is; events that come before are passed on.
fn receive(
    receiver: &Receiver<Message>,
    time: Duration,
    observer: &mut dyn Observer,
) -> Result<(usize, Report), RecvTimeoutError> {
    let until = Instant::now() + time;
    loop {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now()))? {
            Message::Event(event) => observer.event(&event),
            Message::Ended(number, report) => return Ok((number, *report)),
        }
    }
}

/// The report of an engine that runs before others start, if it ends soon.
fn head_start(receiver: &Receiver<Message>, observer: &mut dyn Observer) -> Option<Report> {
    let (began, before) = (Instant::now(), own_cpu_s());
    let worked = || match before.zip(own_cpu_s()) {
        Some((before, now)) => Duration::from_secs_f64((now - before).max(0.0)),
        None => began.elapsed(),
    };
    loop {
        let left = HEAD_START.saturating_sub(worked());
        if left.is_zero() || began.elapsed() >= LONGEST_HEAD_START {
            return None;
        }
        match receive(receiver, left.max(SHORTEST_WAIT), observer) {
            Ok((_, report)) => return Some(report),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

fn stop(flags: &[Flags]) {
    for Flags { search, check } in flags {
        search.cancel(Interrupt::Cancelled);
        check.cancel(Interrupt::Cancelled);
    }
}

/// What stops an engine, and the checker of its evidence.
struct Flags {
    search: CancelFlag,
    check: CancelFlag,
}

/// Stops the engines that still search, if there is evidence to be checked.
fn leave_to_checker(flags: &[Flags], checking: &[bool]) {
    if checking.contains(&true) {
        for (flags, _) in flags.iter().zip(checking).filter(|(_, checking)| !**checking) {
            flags.search.cancel(Interrupt::Cancelled);
        }
    }
}

/// The report of an engine whose evidence was being checked when a limit was reached, so long ago that nobody
/// waits any more.
fn unchecked(engine: EngineRef, found: Found, elapsed: Duration, why: Interrupt) -> Report {
    let Found { evidence, after } = found;
    Report {
        engine,
        verdict: Verdict::Unchecked { evidence, why: Reason::Interrupted(why) },
        counters: [].into(),
        journal: Journal::default(),
        stopped: None,
        engine_time: after,
        check_time: elapsed.saturating_sub(after),
    }
}

/// The report of an engine that there was no memory for to start it.
fn unstarted(engine: EngineRef) -> Report {
    Report {
        engine,
        verdict: Verdict::Unknown(Unknown::Interrupted(Interrupt::OutOfMemory)),
        counters: [].into(),
        journal: Journal::default(),
        stopped: None,
        engine_time: Duration::ZERO,
        check_time: Duration::ZERO,
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
        Verdict::Unchecked { .. } => 4,
        Verdict::Unknown(Unknown::Unsupported(_)) => 5,
        // Who was told to stop says nothing about why nobody has an answer.
        Verdict::Unknown(Unknown::Interrupted(Interrupt::Cancelled)) => 7,
        Verdict::Unknown(Unknown::Interrupted(_)) => 6,
        Verdict::Unknown(Unknown::Bound { .. } | Unknown::Inapplicable(_)) => 7,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_evidence::Evidence;

    /// The checker gets the machine for itself, but only if there is something to check.
    #[test]
    fn engines_are_stopped_for_the_checker_alone() {
        let flags = || [(); 3].map(|()| Flags { search: CancelFlag::new(), check: CancelFlag::new() });
        let stopped = |flags: &[Flags]| -> Vec<bool> {
            flags.iter().map(|flags| flags.search.reason() == Some(Interrupt::Cancelled)).collect()
        };
        let nothing = flags();
        leave_to_checker(&nothing, &[false, false, false]);
        assert_eq!(stopped(&nothing), [false, false, false]);
        let one = flags();
        leave_to_checker(&one, &[false, true, false]);
        assert_eq!(stopped(&one), [true, false, true]);
        assert!(one.iter().all(|flags| flags.check.reason().is_none()), "no checker is stopped");
    }

    /// Evidence that nobody had the time to check says more than a limit, and less than a verdict.
    #[test]
    fn unchecked_evidence_is_told() {
        let found = Found { evidence: Evidence::Run, after: Duration::from_secs(1) };
        let report = unchecked("bmc".parse().unwrap(), found, Duration::from_secs(3), Interrupt::Timeout);
        assert_eq!(report.check_time, Duration::from_secs(2));
        assert!(rank(&report.verdict) < rank_of_limits());
        assert!(rank(&report.verdict) > rank(&Verdict::Safe(Evidence::Run)));
    }
}
