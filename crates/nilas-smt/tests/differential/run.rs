//! Running scripts: on the embedded solver, and in batches on others.

use nilas_smt::pipe::{Found, Kind};
use nilas_smt::proof::Proved;
use nilas_smt::record::{Step, Stream};
use nilas_smt::sat::{Batsat, Cdcl, Hard, SatSolver};
use nilas_smt::{Answer, Budget, Embedded, Reason, Solver};
use nilas_term::{Value, smtlib};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time for a check.
const PER_CHECK: Duration = Duration::from_secs(2);

/// What came of a check: an answer, or none.
pub type Word = Option<bool>;

/// What the embedded solver says to a script.
pub enum Ours {
    Answers(Vec<Word>),
    /// Something is not decided; what, in words.
    Unsupported(String),
    /// A model or a core that is none, an error, a panic.
    Wrong(String),
}

/// The SAT solver that a seed runs on; `proved` is `cdcl` with proofs, which all seeds run on if
/// `NILAS_PROOFS` is set.
pub fn backend(seed: u64) -> &'static str {
    if std::env::var_os("NILAS_PROOFS").is_some() {
        return "proved";
    }
    ["hard", "cdcl", "batsat", "proved"][usize::try_from(seed % 4).unwrap()]
}

pub fn ours(text: &str, seed: u64) -> Ours {
    // Panics are results here; shrinking one would print it a thousand times.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let run = std::panic::catch_unwind(|| match backend(seed) {
        "hard" => play::<Hard>(text),
        "cdcl" => play::<Cdcl>(text),
        "proved" => play::<Proved>(text),
        _ => play::<Batsat>(text),
    });
    std::panic::set_hook(hook);
    run.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Ours::Wrong(format!("panic: {}", message.unwrap_or("without words")))
    })
}

fn budget() -> Budget {
    Budget { deadline: Some(Instant::now() + PER_CHECK), ..Budget::default() }
}

fn play<S: SatSolver + Default + 'static>(text: &str) -> Ours {
    let stream = match Stream::read(text) {
        Ok(stream) => stream,
        Err(error) => return Ours::Wrong(format!("refused: {error}")),
    };
    let mut answers = Vec::new();
    let mut ended = None;
    let mut solver = Embedded::<S>::new();
    stream.play(&mut solver, &mut budget, &mut |solver, number, answer| {
        let verdict = match answer {
            Answer::Sat => confirm(&stream, solver, number).map(|()| Some(true)),
            Answer::Unsat => core::<S>(&stream, solver, number).map(|()| Some(false)),
            Answer::Unknown(Reason::Interrupted(_)) => Ok(None),
            Answer::Unknown(Reason::Unsupported(what)) => Err(Ours::Unsupported(what.clone())),
            Answer::Unknown(why) => Err(Ours::Wrong(why.to_string())),
        };
        match verdict {
            Ok(word) => answers.push(word),
            Err(end) => ended = Some(end),
        }
        ended.is_none()
    });
    ended.unwrap_or(Ours::Answers(answers))
}

/// Every formula in force is true in the model.
fn confirm<S: Solver>(stream: &Stream, solver: &mut S, check: usize) -> Result<(), Ours> {
    for term in stream.in_force(check) {
        match solver.value(&stream.arena, term) {
            Ok(Value::Bool(true)) => {}
            Ok(value) => {
                let term = smtlib::print_term(&stream.arena, term);
                let value = smtlib::print_value(&value);
                return Err(Ours::Wrong(format!("step {check}: the model makes {term} {value}")));
            }
            Err(why) => return Err(Ours::Unsupported(format!("no value: {why}"))),
        }
    }
    Ok(())
}

/// The failed assumptions are among those given, and suffice for a solver that knows nothing else.
fn core<S: SatSolver>(stream: &Stream, solver: &Embedded<S>, check: usize) -> Result<(), Ours> {
    let Step::Check { assumptions, .. } = &stream.steps[check] else { return Ok(()) };
    let failed = solver.failed();
    if failed.iter().any(|term| !assumptions.contains(term)) {
        return Err(Ours::Wrong(format!("step {check}: a failed assumption that was not given")));
    }
    if failed.len() == assumptions.len() {
        return Ok(());
    }
    let in_force = stream.in_force(check);
    let asserted = &in_force[..in_force.len() - assumptions.len()];
    let mut fresh = Embedded::<Batsat>::new();
    for &term in asserted.iter().chain(failed) {
        fresh.assert(&stream.arena, term);
    }
    match fresh.check(&stream.arena, &[], &[], &budget()) {
        Answer::Sat => Err(Ours::Wrong(format!("step {check}: the failed assumptions do not suffice"))),
        _ => Ok(()),
    }
}

/// What another solver says to a script: answers, or the error it printed.
pub type Theirs = Result<Vec<Word>, String>;

/// What another solver says to scripts. One process runs as many as it can; where it ends before the last,
/// another goes on behind the script that it ended in.
pub fn theirs(found: &Found, scripts: &[String], folder: &Path) -> Vec<Theirs> {
    let mut results = Vec::new();
    while results.len() < scripts.len() {
        results.extend(batch(found, &scripts[results.len()..], folder));
    }
    results
}

/// At least one result.
fn batch(found: &Found, scripts: &[String], folder: &Path) -> Vec<Theirs> {
    let whole: String = scripts.iter().map(|text| format!("{text}(echo \"next\")\n(reset)\n")).collect();
    let file = folder.join(format!("{}.smt2", found.name()));
    std::fs::write(&file, &whole).unwrap();
    let limit = PER_CHECK.as_millis();
    let arguments: Vec<String> = match found.kind {
        Kind::Z3 => vec![format!("-t:{limit}")],
        _ => vec!["--incremental".into(), "--fp-exp".into(), format!("--tlimit-per={limit}")],
    };
    let output = folder.join(format!("{}.out", found.name()));
    let mut child = Command::new(&found.path)
        .args(arguments)
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut results: Vec<Theirs> = vec![Ok(Vec::new())];
    for line in std::fs::read_to_string(&output).unwrap().lines() {
        let Some(result) = results.last_mut() else { break };
        match (line.trim().trim_matches('"'), &mut *result) {
            ("sat", Ok(words)) => words.push(Some(true)),
            ("unsat", Ok(words)) => words.push(Some(false)),
            ("unknown" | "timeout", Ok(words)) => words.push(None),
            ("next", _) => results.push(Ok(Vec::new())),
            (error, Ok(_)) if error.starts_with("(error") && !is_timeout(error) => {
                *result = Err(error.to_owned());
            }
            _ => {}
        }
    }
    // After the last script there is one more, with nothing in it.
    results.truncate(scripts.len());
    results
}

/// Z3 words the end of its time in several ways.
fn is_timeout(error: &str) -> bool {
    error.contains("canceled") || error.contains("timeout")
}
