//! Processor time of the thread.

use std::time::{Duration, Instant};

/// Reads the time that the thread has run from Linux's scheduler. It counts when the thread gives way,
/// otherwise in ticks of some milliseconds only, so the thread offers to give way before each reading.
/// Elsewhere it is time on the wall.
pub struct Clock {
    start: Instant,
}

impl Clock {
    pub fn new() -> Self {
        Clock { start: Instant::now() }
    }

    pub fn now(&self) -> Duration {
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        match text.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
            Some(nanos) => Duration::from_nanos(nanos),
            None => self.start.elapsed(),
        }
    }

    pub fn since(&self, start: Duration) -> Duration {
        self.now().saturating_sub(start)
    }
}
