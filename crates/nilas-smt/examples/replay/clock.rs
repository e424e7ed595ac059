//! Processor time, so that other work on the machine does not count.
//!
//! From `/proc`, where there is one: of this thread in nanoseconds, of children that have ended in ticks of the
//! kernel's clock, 100 a second. Elsewhere it is the time of day.

use std::time::{Duration, Instant};

/// A reading of both clocks.
#[derive(Clone, Copy)]
pub struct Clock {
    own: Option<Duration>,
    children: Option<Duration>,
    wall: Instant,
}

impl Clock {
    pub fn now() -> Self {
        Clock { own: own(), children: children(), wall: Instant::now() }
    }

    /// What this thread has used since.
    pub fn own(&self) -> Duration {
        since(self.own, own()).unwrap_or_else(|| self.wall.elapsed())
    }

    /// What children have used that ended since.
    pub fn children(&self) -> Duration {
        since(self.children, children()).unwrap_or_else(|| self.wall.elapsed())
    }
}

fn since(start: Option<Duration>, end: Option<Duration>) -> Option<Duration> {
    Some(end?.saturating_sub(start?))
}

fn own() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn children() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    // `cutime` and `cstime`, 16th and 17th of all fields.
    Some(Duration::from_millis((ticks(13)? + ticks(14)?) * 10))
}
