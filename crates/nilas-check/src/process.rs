//! What processes use, as `/proc` tells.

/// Linux tells times in these units on every architecture that Rust builds for.
const TICKS_PER_SECOND: f64 = 100.0;

/// One process at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stat {
    /// Its state, as a letter.
    pub state: char,
    /// Its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Processor seconds, those of reaped children included.
    pub cpu_s: f64,
}

impl Stat {
    /// That of a process.
    #[must_use]
    pub fn read(process: u32) -> Option<Stat> {
        Stat::parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// What the text of `/proc/…/stat` says. The name in parentheses may hold anything, the last parenthesis
    /// ends it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Stat> {
        let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_whitespace().collect();
        let mut ticks = 0.0;
        for time in fields.get(11..15)? {
            ticks += time.parse::<f64>().ok()?;
        }
        Some(Stat {
            state: fields[0].chars().next()?,
            parent: fields[1].parse().ok()?,
            group: fields[2].parse().ok()?,
            cpu_s: ticks / TICKS_PER_SECOND,
        })
    }
}

/// The bytes that a line of `/proc/…/status` tells.
#[must_use]
pub fn kilobytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Resident memory of this process, where the system tells.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The most memory of this process that was ever resident, where the system tells.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Processor seconds that this process has used, where the system tells.
pub(crate) fn own_cpu_s() -> Option<f64> {
    Some(Stat::parse(&std::fs::read_to_string("/proc/self/stat").ok()?)?.cpu_s)
}
