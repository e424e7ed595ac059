//! Every example ends as its first lines say, by every engine, and its saved evidence is accepted again.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ENGINES: [&str; 2] = ["bmc", "ic3cfa"];

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa"))
        .collect();
    files.sort();
    files
}

/// The verdict that a file's first lines promise, for an engine or for all together.
fn expected(text: &str, engine: Option<&str>) -> String {
    let line = |start: String| text.lines().find_map(|line| line.strip_prefix(&start).map(str::trim));
    let general = line("// expect: ".into()).expect("the first line says what to expect");
    let special = engine.and_then(|engine| line(format!("// expect[{engine}]: ")));
    special.unwrap_or(general).to_owned()
}

fn verdict(output: &Output) -> &'static str {
    match output.status.code() {
        Some(0) => "safe",
        Some(10) => "unsafe",
        Some(5) => "unknown",
        code => panic!("exit code {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// *unknown* promises only that nothing wrong is said: an engine may learn to decide it.
fn agrees(found: &str, expected: &str, text: &str) -> bool {
    found == expected || (expected == "unknown" && found == self::expected(text, None)) || {
        expected == "unknown" && found == "safe" && text.contains("// unknown or safe")
    }
}

#[test]
fn every_engine_on_every_example() {
    let files = examples();
    assert!(files.len() >= 15, "only {} examples", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for engine in ENGINES {
            let expected = expected(&text, Some(engine));
            // Where nothing is promised there is no point in waiting long.
            let timeout = if expected == "unknown" { "2" } else { "60" };
            let saved = std::env::temp_dir().join(format!("nilas-{}-{engine}", std::process::id()));
            let _ = std::fs::remove_file(&saved);
            let name = file.to_str().unwrap();
            let output =
                nilas(&["check", name, "--engine", engine, "--timeout", timeout, "--evidence", saved.to_str().unwrap()]);
            let found = verdict(&output);
            assert!(agrees(found, &expected, &text), "{name}, {engine}: {found} instead of {expected}");
            if found != "unknown" {
                let again = nilas(&["verify-evidence", name, saved.to_str().unwrap()]);
                assert_eq!(again.status.code(), output.status.code(), "{name}, {engine}: evidence accepted again");
            }
            let _ = std::fs::remove_file(&saved);
        }
    }
}

#[test]
fn both_engines_side_by_side() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = expected(&text, None);
        let timeout = if expected == "unknown" { "2" } else { "60" };
        let output = nilas(&["check", file.to_str().unwrap(), "--timeout", timeout, "--json"]);
        let found = verdict(&output);
        assert!(agrees(found, &expected, &text), "{}: {found} instead of {expected}", file.display());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], found);
    }
}
