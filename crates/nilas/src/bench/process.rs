//! One command in a process of its own, measured, and killed when it passes a limit.
//!
//! Time is processor time of the process and everything it starts. Wall-clock time is limited too, at a
//! multiple, for those that sleep. Limits are polled every few milliseconds, so a process can pass them by
//! that much.

use super::meter::{Life, Meter};
use super::warden::Warden;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much wall-clock time there is for a second of processor time, unless told otherwise. A process that
/// gets less than this share of a core is not measured fairly anyway.
const WALL_FACTOR: f64 = 4.0;

const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// How long after the end of a process its output may take to arrive.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Holds a command back until the warden knows of it: if the runner is killed before, it never starts.
const HOLD: &str = "read -r go && exec \"$@\" </dev/null";

/// What a task may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) memory_mb: u64,
}

impl Limits {
    pub(crate) fn new(cpu_s: f64, wall_s: Option<f64>, memory_mb: u64) -> Limits {
        Limits { cpu_s, wall_s: wall_s.unwrap_or(WALL_FACTOR * cpu_s), memory_mb }
    }
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal that the runner did not send.
    Signal(String),
    /// It used more processor time than it may.
    OutOfTime,
    /// It took longer than it may, although it used less processor time.
    OutOfWallTime,
    /// It held more memory than it may.
    OutOfMemory,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) ended: Ended,
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) memory_bytes: u64,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Runs a command to its end. Of its output the last `keep` bytes are kept, of each kind.
pub(crate) fn run(
    command: &Command,
    limits: Limits,
    keep: usize,
    warden: &Warden,
) -> std::io::Result<Measured> {
    let mut held = Command::new("sh");
    held.args(["-c", HOLD, "sh"]).arg(command.get_program()).args(command.get_args());
    held.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut held, 0);
    let started = Instant::now();
    let mut child = held.spawn()?;
    let leader = child.id();
    warden.watch(leader);
    if let Some(mut stdin) = child.stdin.take() {
        // It fails only when the process is gone already, which is seen below.
        let _ = stdin.write_all(b"go\n");
    }
    let stdout = child.stdout.take().map(|pipe| Tail::of(pipe, keep));
    let stderr = child.stderr.take().map(|pipe| Tail::of(pipe, keep));
    let mut meter = Meter::new(leader);
    let mut pause = SHORTEST_PAUSE;
    let stopped = loop {
        match meter.sample() {
            Life::Running => {}
            Life::Ended => break None,
            Life::Unseen => {
                if child.try_wait()?.is_some() {
                    break None;
                }
            }
        }
        if let Some(limit) = passed(&mut meter, limits, started) {
            break Some(limit);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    };
    let wall_s = started.elapsed().as_secs_f64();
    if stopped.is_some() {
        meter.scan();
    }
    let cpu_s = if stopped.is_some() { meter.cpu_s() } else { meter.final_cpu_s() };
    warden.stop(leader, meter.others());
    if stopped.is_some() {
        // It is dead already if the warden did its work.
        let _ = child.kill();
    }
    let status = child.wait()?;
    let ended = match (stopped, status.code()) {
        (Some(limit), _) => limit,
        (None, Some(code)) => Ended::Exit(code),
        (None, None) => Ended::Signal(status.to_string()),
    };
    let deadline = Instant::now() + LAST_WORDS;
    let output = |tail: Option<Tail>| tail.map(|tail| tail.take(deadline)).unwrap_or_default();
    let (stdout, stderr) = (output(stdout), output(stderr));
    Ok(Measured { ended, cpu_s, wall_s, memory_bytes: meter.peak_bytes(), stdout, stderr })
}

fn passed(meter: &mut Meter, limits: Limits, started: Instant) -> Option<Ended> {
    if meter.cpu_s() > limits.cpu_s {
        // What others have used may have moved to the account of the leader since the last scan.
        meter.scan();
        meter.sample();
        if meter.cpu_s() > limits.cpu_s {
            return Some(Ended::OutOfTime);
        }
    }
    let most = limits.memory_mb.saturating_mul(1_000_000);
    if meter.resident_bytes() > most || meter.peak_bytes() > most {
        return Some(Ended::OutOfMemory);
    }
    (started.elapsed().as_secs_f64() > limits.wall_s).then_some(Ended::OutOfWallTime)
}

/// The last bytes of a pipe, read by a thread so that the writer is never held up.
struct Tail {
    bytes: Arc<Mutex<Vec<u8>>>,
    keep: usize,
    ended: Receiver<()>,
}

impl Tail {
    fn of(mut pipe: impl Read + Send + 'static, keep: usize) -> Tail {
        let (sender, ended) = channel();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut piece = vec![0; 1 << 16];
            while let Ok(length @ 1..) = pipe.read(&mut piece) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&piece[..length]);
                if kept.len() > keep.saturating_mul(2) {
                    let surplus = kept.len() - keep;
                    kept.drain(..surplus);
                }
            }
            // Nobody listens any more when this took too long.
            let _ = sender.send(());
        });
        Tail { bytes, keep, ended }
    }

    /// What has arrived when the pipe closes, or at the deadline: somebody who left the group may hold the
    /// pipe open.
    fn take(self, deadline: Instant) -> Vec<u8> {
        let _ = self.ended.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let mut bytes = std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner));
        let surplus = bytes.len().saturating_sub(self.keep);
        bytes.drain(..surplus);
        bytes
    }
}
