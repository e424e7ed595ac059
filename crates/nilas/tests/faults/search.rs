//! Looking for a fault: programs are checked with it, question by question; those with a word of its
//! construct come first, short ones before long ones.

use crate::suite::{Question, SLOW, Suite};
use crate::words::words;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Processor seconds after which a check is ended.
const LIMIT: u64 = 2;
/// How much longer the second reading is looked for where another test has found the fault.
pub(crate) const LONGER: Duration = Duration::from_secs(6);

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Safe,
    Unsafe,
    Unknown,
    /// The interpreter reaches the error in spite of a proof.
    Challenged,
    /// The interpreter does not repeat an execution to the error.
    NotRepeated,
    /// The checker of evidence refuses evidence, or another internal error.
    Rejected,
    /// Refused, or a panic.
    Broken,
    /// Ended because it took too long.
    Slow,
    /// The tests of a crate pass.
    Passes,
    /// One of them fails.
    Fails,
}

impl Outcome {
    /// Whether the second reading contradicts the verdict.
    fn is_contradiction(self) -> bool {
        matches!(self, Outcome::Challenged | Outcome::NotRepeated)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Safe => "safe",
            Outcome::Unsafe => "unsafe",
            Outcome::Unknown => "unknown",
            Outcome::Challenged => "challenge",
            Outcome::NotRepeated => "replay",
            Outcome::Rejected => "evidence refused",
            Outcome::Broken => "refused or broken",
            Outcome::Slow => "too long",
            Outcome::Passes => "passes",
            Outcome::Fails => "fails",
        })
    }
}

/// One check.
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    /// Processor time, so that a busy machine makes no difference.
    pub(crate) time: Duration,
}

impl Run {
    /// Checks with a fault.
    pub(crate) fn new(question: &Question, fault: Option<&str>) -> Run {
        let binary = std::env::var("NILAS_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nilas").into());
        let mut command = timed(LIMIT, Path::new(&binary));
        command
            .args(["check", "--quiet", "--memory-limit", "3000", "--timeout", "60"])
            .args(&question.options)
            .arg(&question.path)
            .env("NILAS_FAULT", fault.unwrap_or(""))
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let time = processor_time(&said).unwrap_or_else(|| panic!("no time: {said}"));
        let outcome = match output.status.code() {
            Some(0) => Outcome::Safe,
            Some(10) => Outcome::Unsafe,
            Some(5) => Outcome::Unknown,
            Some(6) if said.contains("but the reference interpreter reaches it") => Outcome::Challenged,
            Some(6) if said.contains("the reference interpreter ends elsewhere") => Outcome::NotRepeated,
            Some(6) => Outcome::Rejected,
            Some(SIGKILL | SIGXCPU) => Outcome::Slow,
            _ => Outcome::Broken,
        };
        Run { outcome, time }
    }
}

/// A program that says its processor time in the last line, and is ended after so many seconds of it.
pub(crate) fn timed(limit: u64, program: &Path) -> Command {
    // The shell's `time` has the precision of `getrusage`; the files in `/proc` have ticks of 10 ms.
    let mut command = Command::new("bash");
    command.args(["-c", "TIMEFORMAT='%3U %3S'; ulimit -t \"$0\"; time \"$@\"", &limit.to_string()]);
    command.arg(program);
    command
}

/// What a shell makes of the signals that end what takes too long.
const SIGKILL: i32 = 128 + 9;
const SIGXCPU: i32 = 128 + 24;

/// The processor time in the last line, for the program and for the kernel.
pub(crate) fn processor_time(said: &str) -> Option<Duration> {
    let seconds = said.lines().last()?.split_whitespace().map(|part| part.parse::<f64>().ok());
    Some(Duration::from_secs_f64(seconds.sum::<Option<f64>>()?))
}

/// What found a fault, and when.
pub(crate) struct Catch {
    pub(crate) outcome: Outcome,
    pub(crate) usual: Outcome,
    pub(crate) place: String,
    pub(crate) after: Duration,
}

/// What was found of a fault.
#[derive(Default)]
pub(crate) struct Found {
    /// How many questions were asked.
    pub(crate) asked: usize,
    /// The second reading of C.
    pub(crate) reading: Option<Catch>,
    /// A verdict that its test does not allow, or evidence that is refused.
    pub(crate) verdict: Option<Catch>,
    /// A verdict that is lost, where the test does not ask for one.
    pub(crate) lost: Option<Catch>,
}

impl Found {
    pub(crate) fn is_caught(&self) -> bool {
        self.reading.is_some() || self.verdict.is_some()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} questions ", self.asked)?;
        for (what, catch) in
            [("second reading", &self.reading), ("verdict", &self.verdict), ("lost", &self.lost)]
        {
            if let Some(Catch { outcome, usual, place, after }) = catch {
                write!(f, "[{what}: {outcome} for {usual}, {place}, {:.2} s] ", after.as_secs_f32())?;
            }
        }
        if self.is_caught() { Ok(()) } else { f.write_str("NOT FOUND") }
    }
}

/// Asks the questions of the suite until the second reading finds the fault, or the time is up: all of it, or
/// [`LONGER`] after another test found the fault, as it may have `already`.
pub(crate) fn search(fault: &str, suite: &Suite, already: Option<Catch>, time: Duration) -> Found {
    let mut spent = already.as_ref().map_or(Duration::ZERO, |catch| catch.after);
    let mut found = Found { verdict: already, ..Found::default() };
    for question in suite.questions_for(words(fault)) {
        let end = found.verdict.as_ref().map_or(time, |catch| time.min(catch.after + LONGER));
        if found.reading.is_some() || spent >= end {
            break;
        }
        if question.is_left_out() {
            continue;
        }
        let run = Run::new(question, Some(fault));
        let outcome = run.outcome;
        let as_promised = question.promise.allows(&outcome);
        // What the answer is without fault matters only now.
        let suspect = !as_promised || outcome == Outcome::Unknown || run.time >= SLOW;
        let usual = if suspect { question.usual() } else { Some(outcome) };
        let Some(usual) = usual else { continue };
        spent += run.time;
        found.asked += 1;
        let catch = || Some(Catch { outcome, usual, place: question.to_string(), after: spent });
        if outcome.is_contradiction() {
            found.reading = catch();
        } else if !as_promised && outcome != Outcome::Slow {
            found.verdict = found.verdict.take().or_else(catch);
        } else if outcome != usual && outcome != Outcome::Slow {
            found.lost = found.lost.take().or_else(catch);
        }
    }
    found
}
