//! A stream on another solver, as a script in a file.

use super::Run;
use super::clock::{Clock, has_ended};
use nilas_smt::pipe::Found;
use nilas_smt::record::{Limits, Stream};
use nilas_smt::{Activation, Answer, Budget, Embedded, Reason, Recorder, Solver, SolverStats};
use nilas_term::{Arena, Term, Value};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The least that can be told from the noise of starting a process.
const LEAST: Duration = Duration::from_millis(1);

/// Runs without checks, of which the shortest counts.
const READINGS: usize = 3;

/// Runs the script with and without its checks.
pub fn run(found: &Found, stream: &Stream, limit: Duration) -> Run {
    let name = found.name().to_owned();
    let folder = std::env::temp_dir().join(format!("nilas-replay-{}", std::process::id()));
    let both = || -> Result<(Vec<Option<bool>>, Duration), String> {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let script = script(found, stream);
        let without: String =
            script.split_inclusive('\n').filter(|line| !line.starts_with("(check-sat")).collect();
        let (output, total) = timed(found, &script, &folder, limit)?;
        let reading = (0..READINGS)
            .map(|_| timed(found, &without, &folder, limit).map(|(_, time)| time))
            .collect::<Result<Vec<_>, _>>()?;
        let reading = reading.into_iter().min().unwrap_or_default();
        let mut answers = Vec::new();
        for line in output.lines() {
            match line.trim() {
                "sat" => answers.push(Some(true)),
                "unsat" => answers.push(Some(false)),
                "unknown" => answers.push(None),
                error if error.starts_with("(error") => return Err(error.to_owned()),
                _ => {}
            }
        }
        if answers.len() != stream.queries() {
            return Err(format!("{} answers", answers.len()));
        }
        Ok((answers, total.saturating_sub(reading).max(LEAST)))
    };
    let result = both();
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    match result {
        Ok((answers, time)) => Run { name, answers, time: Some(time), note: String::new() },
        Err(note) => Run { name, answers: Vec::new(), time: None, note },
    }
}

/// The stream as it is recorded, with the solver's own preamble: assumptions are constants, as all solvers
/// want them.
fn script(found: &Found, stream: &Stream) -> String {
    let mut text = Vec::new();
    let mut solver = Recorder::new(Silent(Embedded::default()), &mut text, Limits::default());
    stream.play(&mut solver, &mut Budget::unlimited, &mut |_, _, _| true);
    let (_, written) = solver.finish();
    written.expect("memory takes all that is written");
    let text = String::from_utf8(text).expect("recorded text is UTF-8");
    let commands = text.lines().filter(|line| !line.starts_with("(set-"));
    let mut script = found.kind.preamble(&stream.features().logic(), false);
    for command in commands {
        script.push_str(command);
        script.push('\n');
    }
    script
}

/// A solver that is told everything and never thinks.
struct Silent(Embedded);

impl Solver for Silent {
    fn assert(&mut self, _: &Arena, _: Term) {}

    fn activation(&mut self) -> Activation {
        self.0.activation()
    }

    fn assert_under(&mut self, _: &Arena, _: Activation, _: Term) {}

    fn retire(&mut self, activation: Activation) {
        self.0.retire(activation);
    }

    fn check(&mut self, _: &Arena, _: &[Activation], _: &[Term], _: &Budget) -> Answer {
        Answer::Unknown(Reason::Unsupported("thinking".to_owned()))
    }

    fn failed(&self) -> &[Term] {
        &[]
    }

    fn failed_activations(&self) -> &[Activation] {
        &[]
    }

    fn value(&mut self, _: &Arena, _: Term) -> Result<Value, Reason> {
        Err(Reason::Unsupported("thinking".to_owned()))
    }

    fn stats(&self) -> SolverStats {
        SolverStats::default()
    }
}

fn timed(found: &Found, text: &str, folder: &Path, limit: Duration) -> Result<(String, Duration), String> {
    let words = |error: std::io::Error| error.to_string();
    let (input, output) = (folder.join("script.smt2"), folder.join("output"));
    std::fs::write(&input, text).map_err(words)?;
    let (start, clock) = (Instant::now(), Clock::now());
    let mut child = Command::new(&found.path)
        .args(found.kind.arguments())
        .stdin(File::open(&input).map_err(words)?)
        .stdout(File::create(&output).map_err(words)?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(words)?;
    while !has_ended(child.id()) {
        if start.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).map_err(words)?;
            return Err("time limit reached".to_owned());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let time = clock.child(child.id());
    child.wait().map_err(words)?;
    Ok((std::fs::read_to_string(&output).map_err(words)?, time))
}
