//! What a process and its descendants use, as `/proc` tells.

use nilas_check::process::{Stat, kilobytes};
use std::collections::BTreeSet;

/// How many samples of the process itself come between two looks at everything that runs.
const SAMPLES_PER_SCAN: u32 = 8;

/// Can anything be measured here?
pub(crate) fn available() -> bool {
    Stat::read(std::process::id()).is_some()
}

/// Follows one process, the leader of its group, and whatever it starts.
///
/// A process that has ended but is not yet reaped still tells its times: the caller samples until the leader
/// has ended and reaps it only then, so that the times are final.
pub(crate) struct Meter {
    leader: u32,
    samples: u32,
    leader_cpu_s: f64,
    others_cpu_s: f64,
    others_bytes: u64,
    resident_bytes: u64,
    peak_bytes: u64,
    /// Everything else in the group or descended from it, at the last scan.
    others: Vec<u32>,
}

/// Whether the leader still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Running,
    Ended,
    /// The system does not tell.
    Unseen,
}

impl Meter {
    pub(crate) fn new(leader: u32) -> Meter {
        Meter {
            leader,
            samples: 0,
            leader_cpu_s: 0.0,
            others_cpu_s: 0.0,
            others_bytes: 0,
            resident_bytes: 0,
            peak_bytes: 0,
            others: Vec::new(),
        }
    }

    pub(crate) fn sample(&mut self) -> Life {
        let Some(stat) = Stat::read(self.leader) else {
            return Life::Unseen;
        };
        self.leader_cpu_s = self.leader_cpu_s.max(stat.cpu_s);
        if matches!(stat.state, 'Z' | 'X') {
            return Life::Ended;
        }
        let (now, peak) = memory(self.leader);
        self.samples += 1;
        if self.samples.is_multiple_of(SAMPLES_PER_SCAN) {
            self.scan();
        }
        self.resident_bytes = now + self.others_bytes;
        self.peak_bytes = self.peak_bytes.max(peak).max(self.resident_bytes);
        Life::Running
    }

    /// Looks at all processes for those that the leader has started.
    pub(crate) fn scan(&mut self) {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return;
        };
        let processes = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let all: Vec<(u32, Stat)> =
            processes.filter_map(|process| Some((process, Stat::read(process)?))).collect();
        let mut members = BTreeSet::from([self.leader]);
        loop {
            let before = members.len();
            for (process, stat) in &all {
                if stat.group == self.leader || members.contains(&stat.parent) {
                    members.insert(*process);
                }
            }
            if members.len() == before {
                break;
            }
        }
        members.remove(&self.leader);
        self.others_cpu_s =
            all.iter().filter(|(process, _)| members.contains(process)).map(|(_, stat)| stat.cpu_s).sum();
        self.others_bytes = members.iter().map(|process| memory(*process).0).sum();
        self.others = members.into_iter().collect();
    }

    /// Processor seconds up to now.
    pub(crate) fn cpu_s(&self) -> f64 {
        self.leader_cpu_s + self.others_cpu_s
    }

    /// When the leader has ended, it has reaped what it waited for: only its own account counts.
    pub(crate) fn final_cpu_s(&self) -> f64 {
        self.leader_cpu_s
    }

    pub(crate) fn resident_bytes(&self) -> u64 {
        self.resident_bytes
    }

    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    pub(crate) fn others(&self) -> &[u32] {
        &self.others
    }
}

/// Resident bytes of a process now and at most.
fn memory(process: u32) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    (kilobytes(&status, "VmRSS:").unwrap_or(0), kilobytes(&status, "VmHWM:").unwrap_or(0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn stat_lines_are_read() {
        let text = "42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 150 50 20 30 20 0 1 0 99 1000 5";
        let stat = Stat::parse(text).unwrap();
        assert_eq!((stat.state, stat.parent, stat.group), ('S', 7, 42));
        assert!((stat.cpu_s - 2.5).abs() < 1e-9, "{}", stat.cpu_s);
        assert!(Stat::parse("42 (x) S 7").is_none());
        assert!(Stat::parse("").is_none());
    }
}
