//! Every example ends as its first lines say, by every engine, and its saved evidence is accepted again.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ENGINES: [&str; 4] = ["bmc", "ic3cfa", "tree-ic3", "pred-abs"];

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(&folder).unwrap().chain(std::fs::read_dir(folder.join("c")).unwrap());
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa" || extension == "c"))
        .collect();
    files.sort();
    files
}

/// The verdicts that a file's first lines allow. `// expect: V` is the truth; `// expect[E]: unknown` says that the engine cannot
/// decide it, and then *unknown* is allowed as well: nothing wrong is said, and an engine may learn to decide it.
fn allowed<'t>(text: &'t str, engines: &[&str]) -> Vec<&'t str> {
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start).map(str::trim));
    let mut allowed = vec![line("// expect: ").expect("the first line says what to expect")];
    let undecided = |engine: &&str| line(&format!("// expect[{engine}]: ")) == Some("unknown");
    if engines.iter().all(undecided) {
        allowed.push("unknown");
    }
    allowed
}

/// Where nothing is promised there is no point in waiting long.
fn timeout(allowed: &[&str]) -> &'static str {
    if allowed.contains(&"unknown") { "2" } else { "60" }
}

fn verdict(output: &Output) -> &'static str {
    match output.status.code() {
        Some(0) => "safe",
        Some(10) => "unsafe",
        Some(5) => "unknown",
        code => panic!("exit code {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn every_engine_on_every_example() {
    let files = examples();
    assert!(files.len() >= 15, "only {} examples", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for engine in ENGINES {
            let allowed = allowed(&text, &[engine]);
            let saved = std::env::temp_dir().join(format!("nilas-{}-{engine}", std::process::id()));
            let _ = std::fs::remove_file(&saved);
            let name = file.to_str().unwrap();
            let output = nilas(&[
                "check",
                name,
                "--engine",
                engine,
                "--timeout",
                timeout(&allowed),
                "--evidence",
                saved.to_str().unwrap(),
            ]);
            let found = verdict(&output);
            assert!(allowed.contains(&found), "{name}, {engine}: {found} instead of {allowed:?}");
            if found != "unknown" {
                let again = nilas(&["verify-evidence", name, saved.to_str().unwrap()]);
                assert_eq!(
                    again.status.code(),
                    output.status.code(),
                    "{name}, {engine}: evidence accepted again"
                );
            }
            let _ = std::fs::remove_file(&saved);
        }
    }
}

#[test]
fn both_engines_side_by_side() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let allowed = allowed(&text, &ENGINES);
        let output = nilas(&["check", file.to_str().unwrap(), "--timeout", timeout(&allowed), "--json"]);
        let found = verdict(&output);
        assert!(allowed.contains(&found), "{}: {found} instead of {allowed:?}", file.display());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], found);
    }
}
