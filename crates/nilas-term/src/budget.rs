//! What a piece of work may cost, and how it is told to stop.
//!
//! A [`Budget`] is shared by everything that works on one question: search loops poll
//! [`Budget::exhausted`] and end with a reason instead of an answer. Nothing here measures memory: a
//! watchdog outside sets the [`CancelFlag`] with the reason it found.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// Why work stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// Somebody else no longer needs the answer.
    Cancelled,
    /// The time limit has passed.
    Timeout,
    /// The memory limit has been reached.
    OutOfMemory,
    /// The conflict limit of a single query has been reached.
    Conflicts,
}

impl fmt::Display for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interrupt::Cancelled => "cancelled",
            Interrupt::Timeout => "time limit reached",
            Interrupt::OutOfMemory => "memory limit reached",
            Interrupt::Conflicts => "conflict limit reached",
        })
    }
}

/// A flag that stops work wherever it is polled. Clones share the flag; the first reason stays.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicU8>);

impl CancelFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all holders of the flag to stop.
    pub fn cancel(&self, why: Interrupt) {
        let code = match why {
            Interrupt::Cancelled => 1,
            Interrupt::Timeout => 2,
            Interrupt::OutOfMemory => 3,
            Interrupt::Conflicts => 4,
        };
        // Only the first reason counts; a failed exchange means that there is one already.
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason to stop, if there is one.
    #[must_use]
    pub fn reason(&self) -> Option<Interrupt> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Interrupt::Cancelled),
            2 => Some(Interrupt::Timeout),
            3 => Some(Interrupt::OutOfMemory),
            _ => Some(Interrupt::Conflicts),
        }
    }
}

/// Limits of a piece of work.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Polled by every search loop.
    pub cancel: CancelFlag,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// Conflicts that a single query may take.
    pub conflicts: Option<u64>,
}

impl Budget {
    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Why to stop now, if at all. Reads the clock only when there is a deadline.
    #[must_use]
    pub fn exhausted(&self) -> Option<Interrupt> {
        self.cancel.reason().or_else(|| match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Interrupt::Timeout),
            _ => None,
        })
    }
}
