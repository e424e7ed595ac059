//! Time and memory limits: one watchdog thread that sets cancel flags.
//!
//! Limits are not enforced by the operating system, because that would abort the process: everything that
//! works polls the flags, so that a limit ends as *unknown* with whatever statistics there are. The watchdog
//! ends with its limits.

use crate::options::LimitOptions;
use crate::process::{kilobytes, own_cpu_s, resident_bytes};
use nilas_smt::{Budget, CancelFlag, Holdings, Interrupt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(20);

/// What is stopped when a limit is reached.
#[derive(Clone)]
struct Watched {
    cancel: CancelFlag,
    holdings: Holdings,
    /// Whether it has a share of the memory: one that takes too much is stopped before the others are.
    shares: bool,
}

/// The limits of a session.
pub(crate) struct Limits {
    clock: Clock,
    /// The time on the clock, or of processors, whichever is shorter.
    all: Option<Duration>,
    /// When the checker's share of the time begins.
    reserve: Option<Instant>,
    /// The processor time of this process at which that share begins.
    cpu_reserve_s: Option<f64>,
    /// The processor time at which all ends.
    cpu_s: Option<f64>,
    watched: Arc<Mutex<Vec<Watched>>>,
    watchdog: Option<JoinHandle<()>>,
    ended: Arc<AtomicBool>,
}

/// Stops the work of a session from outside, as a limit does.
#[derive(Clone)]
pub struct Stopper {
    watched: Arc<Mutex<Vec<Watched>>>,
    clock: Clock,
}

impl Stopper {
    /// Stops everything. The check that goes on ends as *unknown*, soon.
    pub fn stop(&self) {
        for it in self.watched.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            it.cancel.cancel(Interrupt::Cancelled);
        }
        let mut reached = self.clock.reached.lock().unwrap_or_else(PoisonError::into_inner);
        reached.get_or_insert_with(|| (Interrupt::Cancelled, Instant::now()));
    }
}

/// When a limit was reached: what somebody needs who ends a process that does not end by itself.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    deadline: Option<Instant>,
    /// Which limit of the process was reached, and when.
    reached: Arc<Mutex<Option<(Interrupt, Instant)>>>,
}

impl Clock {
    /// The limit that was reached so long ago, if there is one.
    #[must_use]
    pub fn passed(&self, ago: Duration) -> Option<Interrupt> {
        if let Some((why, since)) = *self.reached.lock().unwrap_or_else(PoisonError::into_inner)
            && since.elapsed() > ago
        {
            return Some(why);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() > deadline + ago);
        late.then_some(Interrupt::Timeout)
    }
}

/// When a part of a search ends, before the limits of the session do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// By the clock.
    Clock(Instant),
    /// When this process has used so many seconds of processors.
    Processor(f64),
}

impl Until {
    /// How long work may still go on.
    pub(crate) fn left(self) -> Duration {
        match self {
            Until::Clock(end) => end.saturating_duration_since(Instant::now()),
            Until::Processor(most_s) => {
                Duration::from_secs_f64((most_s - own_cpu_s().unwrap_or(most_s)).max(0.0))
            }
        }
    }

    pub(crate) fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}

/// One part in so many of a time limit, the last one, is the checker's: engines that still search are stopped
/// then if there is evidence to be checked. If there is none they go on, because there is nothing to keep the
/// time for.
const CHECKERS_PART: u32 = 5;

/// Where there is no limit, shares are those of this time.
const UNLIMITED: Duration = Duration::from_secs(60);

/// How long after a limit everything must have stopped by itself.
const GRACE: Duration = Duration::from_secs(1);

impl Limits {
    /// Starts watching.
    pub(crate) fn start(options: &LimitOptions) -> Self {
        let now = Instant::now();
        let deadline = options.time.and_then(|time| now.checked_add(time));
        let reserve = options.time.and_then(|time| now.checked_add(time - time / CHECKERS_PART));
        let used_s = own_cpu_s().unwrap_or(0.0);
        let from_now = |time: Duration| used_s + time.as_secs_f64();
        let cpu_s = options.processor_time.map(from_now);
        let cpu_reserve_s = options.processor_time.map(|time| from_now(time - time / CHECKERS_PART));
        let mut limits = Limits {
            clock: Clock { deadline, reached: Arc::default() },
            all: [options.time, options.processor_time].into_iter().flatten().min(),
            reserve,
            cpu_reserve_s,
            cpu_s,
            watched: Arc::default(),
            watchdog: None,
            ended: Arc::default(),
        };
        let megabytes = options.megabytes.or_else(default_megabytes);
        if megabytes.is_some() || cpu_s.is_some() {
            let (watched, clock) = (Arc::clone(&limits.watched), limits.clock.clone());
            let ended = Arc::clone(&limits.ended);
            let watch = move || {
                let mut memory = Memory { megabytes, stopped: None };
                while !ended.load(Ordering::Relaxed) {
                    look(&mut memory, cpu_s, &watched, &clock);
                    std::thread::park_timeout(POLL);
                }
            };
            let thread = std::thread::Builder::new().name("watchdog".into());
            // Without a thread there are no limits but that of the clock.
            limits.watchdog = thread.spawn(watch).ok();
        }
        limits
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn stopper(&self) -> Stopper {
        Stopper { watched: Arc::clone(&self.watched), clock: self.clock.clone() }
    }

    /// One part in so many of the time that there is, a short one if nothing is said about it.
    pub(crate) fn part(&self, part: u32) -> Duration {
        self.all.unwrap_or(UNLIMITED) / part
    }

    /// The whole time that there is, if there is a limit.
    pub(crate) fn all(&self) -> Option<Duration> {
        self.all
    }

    /// Whether what is left of the time is the checker's.
    pub(crate) fn is_reserved(&self) -> bool {
        let by_clock = self.reserve.is_some_and(|reserve| Instant::now() >= reserve);
        by_clock || self.cpu_reserve_s.zip(own_cpu_s()).is_some_and(|(most, is)| is >= most)
    }

    /// The limit that was reached so long ago that waiting for the work to stop by itself has no point.
    pub(crate) fn overdue(&self) -> Option<Interrupt> {
        self.clock.passed(GRACE)
    }

    /// How long work may still go on, if there is a limit: by the clock, and as if all processor time went by
    /// on one core.
    pub(crate) fn left(&self) -> Option<Duration> {
        let by_clock = self.clock.deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let by_processor =
            self.cpu_s.zip(own_cpu_s()).map(|(most, is)| Duration::from_secs_f64((most - is).max(0.0)));
        by_clock.into_iter().chain(by_processor).min()
    }

    /// The end of a part of the time that is left, measured as the limit is that comes first: under a limit
    /// of processor time, work beside this process takes nothing from the part.
    pub(crate) fn until(&self, part: Duration) -> Until {
        let by_clock = self.clock.deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let used = self.cpu_s.zip(own_cpu_s());
        let comes_first = |&(most, is): &(f64, f64)| by_clock.is_none_or(|it| most - is <= it.as_secs_f64());
        match used.filter(comes_first) {
            Some((_, is)) => Until::Processor(is + part.as_secs_f64()),
            None => Until::Clock(Instant::now() + part),
        }
    }

    /// A budget under these limits, with a flag of its own.
    pub(crate) fn budget(&self) -> Budget {
        self.watch(false)
    }

    /// A budget of one of several that work side by side. When memory runs out, the one that holds most of it
    /// is stopped, and the others go on.
    pub(crate) fn share(&self) -> Budget {
        self.watch(true)
    }

    fn watch(&self, shares: bool) -> Budget {
        let budget = Budget { deadline: self.clock.deadline, ..Budget::default() };
        let (cancel, holdings) = (budget.cancel.clone(), budget.holdings.clone());
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        // Who is stopped needs no watching; a session may ask many questions.
        watched.retain(|it| it.cancel.reason().is_none());
        // Who begins after everything was stopped does not begin.
        if let Some((why, _)) = *self.clock.reached.lock().unwrap_or_else(PoisonError::into_inner) {
            cancel.cancel(why);
        }
        watched.push(Watched { cancel, holdings, shares });
        budget
    }

    /// Stops everything that works under these limits.
    pub(crate) fn cancel(&self) {
        for it in self.watched.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            it.cancel.cancel(Interrupt::Cancelled);
        }
    }
}

impl Drop for Limits {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.thread().unpark();
            // It does not panic, and there is nothing to do if it did.
            let _ = watchdog.join();
        }
    }
}

/// The limit of memory, and when somebody was stopped because of it.
struct Memory {
    megabytes: Option<u64>,
    stopped: Option<Instant>,
}

/// How long somebody who was stopped has until what he held is expected to be free.
const RELEASE: Duration = Duration::from_millis(500);

impl Memory {
    /// Whether memory has run out, and it does not help to stop one of several.
    fn has_run_out(&mut self, watched: &[Watched]) -> bool {
        let resident = self.megabytes.zip(resident_bytes());
        if resident.is_none_or(|(most, is)| is / 1_000_000 < most) {
            return false;
        }
        if self.stopped.is_some_and(|since| since.elapsed() < RELEASE) {
            return false;
        }
        let Some(greediest) = greediest(watched) else { return true };
        greediest.cancel.cancel(Interrupt::OutOfMemory);
        self.stopped = Some(Instant::now());
        false
    }
}

/// Of several that share the memory, the one that holds most.
fn greediest(watched: &[Watched]) -> Option<&Watched> {
    let sharing: Vec<&Watched> =
        watched.iter().filter(|it| it.shares && it.cancel.reason().is_none()).collect();
    if sharing.len() < 2 {
        return None;
    }
    sharing.into_iter().max_by_key(|it| it.holdings.bytes())
}

/// Sets the flags if a limit of the process is reached.
fn look(memory: &mut Memory, cpu_s: Option<f64>, watched: &Mutex<Vec<Watched>>, clock: &Clock) {
    let full = memory.has_run_out(&watched.lock().unwrap_or_else(PoisonError::into_inner));
    let late = cpu_s.is_some_and(|most| own_cpu_s().is_some_and(|is| is >= most));
    let why = match (full, late) {
        (true, _) => Interrupt::OutOfMemory,
        (_, true) => Interrupt::Timeout,
        _ => return,
    };
    for it in watched.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        it.cancel.cancel(why);
    }
    let mut reached = clock.reached.lock().unwrap_or_else(PoisonError::into_inner);
    reached.get_or_insert_with(|| (why, Instant::now()));
}

/// The limit that holds if none is given: most of what this process can have. Beyond that the system would
/// end it (or swap), and an allocation that fails cannot be answered with a message.
fn default_megabytes() -> Option<u64> {
    let machine = kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    // Address space is larger than what is resident, so less of it counts.
    let allowed = address_space(&limits).map_or(u64::MAX, |bytes| bytes / 10 * 6);
    Some((machine / 10 * 8).min(allowed) / 1_000_000)
}

/// The soft limit of address space that `/proc/…/limits` tells, if there is one.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Watched, address_space, default_megabytes, greediest};
    use nilas_smt::{CancelFlag, Holdings, Interrupt};

    /// One greedy engine is stopped, and the last one only with everything else.
    #[test]
    fn the_greediest_is_stopped_first() {
        let watched = |held: u64, shares: bool| {
            let holdings = Holdings::default();
            holdings.changed(0, held, 10);
            Watched { cancel: CancelFlag::new(), holdings, shares }
        };
        let all = [watched(10, true), watched(30, true), watched(20, true), watched(90, false)];
        for expected in [30, 20] {
            let found = greediest(&all).expect("there are several");
            assert_eq!(found.holdings.bytes(), watched(expected, true).holdings.bytes());
            found.cancel.cancel(Interrupt::OutOfMemory);
        }
        assert!(greediest(&all).is_none());
    }

    #[test]
    fn the_address_space_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max address space         12288000000          unlimited            bytes     \n";
        assert_eq!(address_space(limits), Some(12_288_000_000));
        assert_eq!(address_space(&limits.replace("12288000000", "unlimited  ")), None);
        assert_eq!(address_space(""), None);
    }

    #[test]
    fn there_is_a_limit_below_what_the_machine_has() {
        if let Some(megabytes) = default_megabytes() {
            assert!(megabytes > 0);
        }
    }
}
