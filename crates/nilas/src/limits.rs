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
    watched: Arc<Mutex<Vec<CancelFlag>>>,
    memory_reached: Arc<Mutex<Option<Instant>>>,
}

/// How long after a limit everything must have stopped by itself.
const GRACE: Duration = Duration::from_secs(1);

impl Limits {
    /// Starts watching.
    pub(crate) fn start(common: &Common) -> Self {
        let deadline =
            common.timeout.and_then(|seconds| Instant::now().checked_add(Duration::from_secs_f64(seconds)));
        let limits = Limits { deadline, watched: Arc::default(), memory_reached: Arc::default() };
        if let Some(megabytes) = common.memory_limit {
            let (watched, reached) = (Arc::clone(&limits.watched), Arc::clone(&limits.memory_reached));
            std::thread::spawn(move || {
                loop {
                    if resident_bytes().is_some_and(|bytes| bytes / 1_000_000 >= megabytes) {
                        for flag in watched.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                            flag.cancel(Interrupt::OutOfMemory);
                        }
                        reached
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .get_or_insert_with(Instant::now);
                    }
                    std::thread::sleep(POLL);
                }
            });
        }
        limits
    }

    /// The limit that was reached so long ago that waiting for the work to stop by itself has no point.
    pub(crate) fn overdue(&self) -> Option<Interrupt> {
        let past = |since: Option<Instant>| since.is_some_and(|since| since.elapsed() > GRACE);
        if past(*self.memory_reached.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(Interrupt::OutOfMemory);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() > deadline + GRACE);
        late.then_some(Interrupt::Timeout)
    }

    /// Does work that does not look at limits (reading a program), on a thread of its own: when it is overdue nobody waits
    /// for it any more, and the process is expected to end soon.
    pub(crate) fn within<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Interrupt> {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(work()));
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(why) = self.overdue() {
                        return Err(why);
                    }
                }
                // It died; what it wanted to say is lost.
                Err(RecvTimeoutError::Disconnected) => return Err(Interrupt::Cancelled),
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

/// The bytes that a line of `/proc/…/status` tells.
pub(crate) fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
