//! Processor time, so that other work on the machine does not count.
//!
//! From `/proc`, where there is one, in nanoseconds: of this thread, and of a child that has ended and has
//! not been waited for. The scheduler counts when a thread gives way, otherwise in ticks of some milliseconds
//! only, in which a short script would be lost: so this thread offers to give way before each reading.
//! Elsewhere it is the time of day.

use std::time::{Duration, Instant};

/// A reading of the clocks.
#[derive(Clone, Copy)]
pub struct Clock {
    own: Option<Duration>,
    wall: Instant,
}

impl Clock {
    pub fn now() -> Self {
        Clock { own: used("thread-self"), wall: Instant::now() }
    }

    /// What this thread has used since.
    pub fn own(&self) -> Duration {
        match (self.own, used("thread-self")) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }

    /// What a child has used that was started since and has ended: its first thread, in which all these
    /// solvers work.
    pub fn child(&self, id: u32) -> Duration {
        used(&id.to_string()).unwrap_or_else(|| self.wall.elapsed())
    }
}

/// Whether a child has ended and waits to be waited for. Always true where there is no `/proc`.
pub fn has_ended(id: u32) -> bool {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { return true };
    // The name of the program, in parentheses, may contain anything.
    text.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
}

fn used(process: &str) -> Option<Duration> {
    std::thread::yield_now();
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
