//! What a piece of work may cost, and how it is told to stop.
//!
//! A [`Budget`] is shared by everything that works on one question: search loops poll
//! [`Budget::exhausted`] and end with a reason instead of an answer. Nothing here measures memory: a
//! watchdog outside sets the [`CancelFlag`] with the reason it found.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
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

/// Somebody who says when work goes on, where several take turns.
pub trait Turns: Send + Sync {
    /// A piece of work was done: one poll of a budget. Returns when it goes on, or when the flag is set.
    fn worked(&self, cancel: &CancelFlag);

    /// There is nothing to do before others have worked.
    fn rests(&self, cancel: &CancelFlag) {
        self.worked(cancel);
    }
}

/// Who says when work goes on; nobody, unless it is said.
#[derive(Clone, Default)]
pub struct Turn(Option<Arc<dyn Turns>>);

impl Turn {
    /// Somebody says so.
    #[must_use]
    pub fn of(turns: Arc<dyn Turns>) -> Self {
        Turn(Some(turns))
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Turn(..)" } else { "Turn" })
    }
}

/// What a piece of work holds of the memory, as far as it tells: an estimate, to compare one with another.
/// Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Holdings {
    /// Variables and clauses in solvers.
    held: Arc<AtomicU64>,
    /// Terms of the largest arena.
    terms: Arc<AtomicU64>,
}

/// Bytes that a variable or clause of a solver, and a term, take about.
const PER_CLAUSE: u64 = 96;
const PER_TERM: u64 = 128;

impl Holdings {
    /// A solver that held `before` variables and clauses holds `now`, and saw an arena of so many terms.
    pub fn changed(&self, before: u64, now: u64, terms: usize) {
        // Wraps around, so that less can be added.
        self.held.fetch_add(now.wrapping_sub(before), Ordering::Relaxed);
        self.terms.fetch_max(terms as u64, Ordering::Relaxed);
    }

    /// The estimate, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.held.load(Ordering::Relaxed) * PER_CLAUSE + self.terms.load(Ordering::Relaxed) * PER_TERM
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
    /// Who says when work goes on.
    pub turn: Turn,
    /// What the work holds.
    pub holdings: Holdings,
}

impl Budget {
    /// The same for work that does not wait for its turn.
    #[must_use]
    pub fn out_of_turn(&self) -> Budget {
        Budget { turn: Turn::default(), ..self.clone() }
    }

    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Why to stop now, if at all. Reads the clock only when there is a deadline. Where turns are taken, it
    /// may be long until this returns.
    #[must_use]
    pub fn exhausted(&self) -> Option<Interrupt> {
        if let Some(turns) = &self.turn.0 {
            turns.worked(&self.cancel);
        }
        self.over()
    }

    /// The same for somebody who waits for the work of another: where turns are taken, he leaves his to the
    /// others. (He must hold nothing meanwhile that they want.)
    #[must_use]
    pub fn rest(&self) -> Option<Interrupt> {
        if let Some(turns) = &self.turn.0 {
            turns.rests(&self.cancel);
        }
        self.over()
    }

    fn over(&self) -> Option<Interrupt> {
        self.cancel.reason().or_else(|| match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Interrupt::Timeout),
            _ => None,
        })
    }
}
