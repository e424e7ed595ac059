//! Processor time: what work costs, however busy the machine is.

use std::time::Duration;

/// Processor time that the calling thread has used, where the system tells.
#[must_use]
pub fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The milliseconds of it since an earlier reading.
pub(crate) fn milliseconds_since(earlier: Option<Duration>) -> Option<u64> {
    let used = processor_time()?.saturating_sub(earlier?);
    u64::try_from(used.as_millis()).ok()
}
