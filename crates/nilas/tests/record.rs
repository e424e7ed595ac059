//! `nilas check --record-queries`: what is recorded are scripts that replay with the same answers.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).to_str().unwrap().to_owned()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("nilas-record-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a script and compares its answers to the recorded ones; how many there are.
fn replays(script: &Path) -> usize {
    let text = std::fs::read_to_string(script).unwrap();
    let recorded: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("(set-info :status ").and_then(|rest| rest.strip_suffix(')')))
        .collect();
    let output = nilas(&["smt", script.to_str().unwrap()]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}: {said}", script.display());
    let answers: Vec<&str> = said.lines().collect();
    assert_eq!(answers.len(), recorded.len(), "{}: {said}", script.display());
    for (number, (answer, recorded)) in answers.iter().zip(&recorded).enumerate() {
        // A question that a limit cut short has no answer on record.
        let agree = answer == recorded || *recorded == "unknown";
        assert!(agree, "{}: query {number} was {recorded}, is {answer}", script.display());
    }
    answers.len()
}

#[test]
fn recorded_queries_replay_with_the_same_answers() {
    let folder = folder("replay");
    let first = folder.join("queries.smt2");
    let program = example("havoc_sum.cfa");
    let args = ["check", &program, "--quiet", "--record-queries", first.to_str().unwrap()];
    let output = nilas(&[&args[..], &["--engine", "ic3cfa"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", String::from_utf8_lossy(&output.stderr));
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let asked: usize = files.map(|file| replays(&file)).sum();
    assert!(asked > 5, "{asked}");
    // Both engines: each has files of its own.
    std::fs::remove_file(&first).unwrap();
    assert_eq!(nilas(&args).status.code(), Some(10));
    assert!(!first.exists());
    let of_both = ["bmc", "ic3cfa"].map(|engine| replays(&folder.join(format!("queries.{engine}.smt2"))));
    assert!(of_both.iter().any(|&asked| asked > 0), "{of_both:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_run_that_a_limit_ends_leaves_scripts() {
    let folder = folder("limit");
    let first = folder.join("queries.smt2");
    let args = ["check", &example("fig2.cfa"), "--engine", "bmc", "--timeout", "0.5", "--record-queries"];
    let output = nilas(&[&args[..], &[first.to_str().unwrap(), "--record-limit", "1"]].concat());
    assert_eq!(output.status.code(), Some(5));
    assert!(replays(&first) > 10);
    let bytes: u64 =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 1_100_000, "{bytes}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_once() {
    let output = nilas(&["check", &example("fig2.cfa"), "--record-queries", "/nowhere/at/all.smt2"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot write") && said.contains("/nowhere/at/all"), "{said}");
}
