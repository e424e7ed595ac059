//! Time and memory limits: one watchdog thread that sets cancel flags.
//!
//! Limits are not enforced by the operating system, because that would abort the process: everything that
//! searches polls the flags, so that a limit ends as *unknown* with whatever statistics there are.

use crate::cli::Common;
use nilas_smt::{Budget, CancelFlag, Interrupt};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(20);

/// The watchdog of a process.
#[derive(Clone)]
pub(crate) struct Limits {
    deadline: Option<Instant>,
    /// When the checker's share of the time begins.
    reserve: Option<Instant>,
    /// Processor seconds that may be used.
    cpu_s: Option<f64>,
    watched: Arc<Mutex<Vec<CancelFlag>>>,
    /// Which limit of the process was reached, and when.
    reached: Arc<Mutex<Option<(Interrupt, Instant)>>>,
}

/// One part in so many of a time limit, the last one, is the checker's: engines that still search are stopped
/// then if there is evidence to be checked. If there is none they go on, because there is nothing to keep the
/// time for.
const CHECKERS_PART: u32 = 5;

/// How long after a limit everything must have stopped by itself.
const GRACE: Duration = Duration::from_secs(1);

impl Limits {
    /// Starts watching.
    pub(crate) fn start(common: &Common) -> Self {
        let now = Instant::now();
        let time = common.timeout.map(Duration::from_secs_f64);
        let deadline = time.and_then(|time| now.checked_add(time));
        let reserve = time.and_then(|time| now.checked_add(time - time / CHECKERS_PART));
        let cpu_s = common.cpu_timeout;
        let limits = Limits { deadline, reserve, cpu_s, watched: Arc::default(), reached: Arc::default() };
        let megabytes = common.memory_limit.or_else(default_megabytes);
        if megabytes.is_some() || cpu_s.is_some() {
            let (watched, reached) = (Arc::clone(&limits.watched), Arc::clone(&limits.reached));
            std::thread::spawn(move || {
                loop {
                    let full =
                        megabytes.zip(resident_bytes()).is_some_and(|(most, is)| is / 1_000_000 >= most);
                    let late = cpu_s.zip(process_cpu_s()).is_some_and(|(most, is)| is >= most);
                    let why = match (full, late) {
                        (true, _) => Some(Interrupt::OutOfMemory),
                        (_, true) => Some(Interrupt::Timeout),
                        _ => None,
                    };
                    if let Some(why) = why {
                        for flag in watched.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                            flag.cancel(why);
                        }
                        let mut reached = reached.lock().unwrap_or_else(PoisonError::into_inner);
                        reached.get_or_insert_with(|| (why, Instant::now()));
                    }
                    std::thread::sleep(POLL);
                }
            });
        }
        limits
    }

    /// Whether what is left of the time is the checker's.
    pub(crate) fn is_reserved(&self) -> bool {
        let by_clock = self.reserve.is_some_and(|reserve| Instant::now() >= reserve);
        let part = 1.0 - 1.0 / f64::from(CHECKERS_PART);
        by_clock || self.cpu_s.zip(process_cpu_s()).is_some_and(|(most, is)| is >= part * most)
    }

    /// The limit that was reached so long ago that waiting for the work to stop by itself has no point.
    pub(crate) fn overdue(&self) -> Option<Interrupt> {
        if let Some((why, since)) = *self.reached.lock().unwrap_or_else(PoisonError::into_inner)
            && since.elapsed() > GRACE
        {
            return Some(why);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() > deadline + GRACE);
        late.then_some(Interrupt::Timeout)
    }

    /// Does work that does not look at limits (reading a program), on a thread of its own: when it is overdue
    /// nobody waits for it any more, and the process is expected to end soon.
    pub(crate) fn within<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Interrupt> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new().stack_size(crate::portfolio::STACK);
        let spawned = thread.spawn(move || {
            // The receiver is gone when the work was overdue.
            let _ = sender.send(work());
        });
        let Ok(thread) = spawned else { return Err(Interrupt::OutOfMemory) };
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(why) = self.overdue() {
                        return Err(why);
                    }
                }
                // It died of a bug: that is for `main` to report.
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => return Err(Interrupt::Cancelled),
                },
            }
        }
    }

    /// A budget under these limits, with a flag of its own.
    pub(crate) fn budget(&self) -> Budget {
        let cancel = CancelFlag::new();
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).push(cancel.clone());
        Budget { cancel, deadline: self.deadline, conflicts: None }
    }
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

/// Resident memory of this process, where the system tells.
pub(crate) fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmRSS:")
}

/// The most memory that was ever resident, where the system tells.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmHWM:")
}

/// Processor seconds that this process has used, where the system tells.
fn process_cpu_s() -> Option<f64> {
    crate::bench::cpu_s(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The bytes that a line of `/proc/…/status` tells.
pub(crate) fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::{address_space, default_megabytes};

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
