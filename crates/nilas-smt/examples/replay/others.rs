//! A script on another solver, as a file.

use super::Run;
use nilas_smt::pipe::{Features, Found};
use nilas_term::smtlib::sexpr::Reader;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the script with and without its checks.
pub fn run(found: &Found, text: &str, features: Features, limit: Duration) -> Run {
    let name = format!("{} {}", found.name(), found.version);
    let failed = |note: String| Run { name: name.clone(), answers: Vec::new(), time: None, note };
    let folder = std::env::temp_dir().join(format!("nilas-replay-{}", std::process::id()));
    let timed = || -> Result<Run, String> {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let whole = dressed(found, text, features, true);
        let (output, total) = timed(found, &whole, &folder, limit)?;
        let (_, reading) = timed(found, &dressed(found, text, features, false), &folder, limit)?;
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
        Ok(Run {
            name: name.clone(),
            answers,
            time: Some(total.saturating_sub(reading).max(Duration::from_micros(1))),
            note: String::new(),
        })
    };
    let result = timed();
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result.unwrap_or_else(failed)
}

/// The script with the solver's own preamble, with or without checks.
fn dressed(found: &Found, text: &str, features: Features, checks: bool) -> String {
    let mut dressed = found.kind.preamble(&features.logic(), false);
    let mut reader = Reader::new(text);
    while let Ok(Some(tree)) = reader.read() {
        let command = tree.root();
        let head = command.children().next().and_then(|head| head.word()).unwrap_or_default();
        let skip = match head {
            "set-logic" | "set-option" | "set-info" => true,
            "check-sat" | "check-sat-assuming" => !checks,
            _ => head.starts_with("get-"),
        };
        if !skip {
            dressed.push_str(command.source());
            dressed.push('\n');
        }
    }
    dressed
}

fn timed(found: &Found, text: &str, folder: &Path, limit: Duration) -> Result<(String, Duration), String> {
    let words = |error: std::io::Error| error.to_string();
    let (input, output) = (folder.join("script.smt2"), folder.join("output"));
    std::fs::write(&input, text).map_err(words)?;
    let start = Instant::now();
    let mut child = Command::new(&found.path)
        .args(found.kind.arguments())
        .stdin(File::open(&input).map_err(words)?)
        .stdout(File::create(&output).map_err(words)?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(words)?;
    loop {
        if child.try_wait().map_err(words)?.is_some() {
            break;
        }
        if start.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).map_err(words)?;
            return Err("time limit reached".to_owned());
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    let time = start.elapsed();
    Ok((std::fs::read_to_string(&output).map_err(words)?, time))
}
