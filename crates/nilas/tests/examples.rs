//! Every example ends as its first lines say, by every engine, and its saved evidence is accepted again.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The engines that run side by side unless one is chosen, but for those that take few programs.
const PORTFOLIO: [&str; 2] = ["bmc", "ic3cfa"];

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

/// The verdicts that a file's first lines allow. `// expect: V` is the truth; `// expect[A, B]: unknown` says
/// that these engines cannot decide it, and then *unknown* is allowed as well: nothing wrong is said, and an
/// engine may learn to decide it.
fn allowed<'t>(text: &'t str, engines: &[&str]) -> Vec<&'t str> {
    let truth = text.lines().find_map(|line| line.strip_prefix("// expect: "));
    let mut allowed = vec![truth.expect("the first line says what to expect").trim()];
    let list = text.lines().find_map(|line| line.strip_prefix("// expect[")?.strip_suffix("]: unknown"));
    let undecided: Vec<&str> = list.map(|list| list.split(", ").collect()).unwrap_or_default();
    if engines.iter().all(|engine| undecided.contains(engine)) {
        allowed.push("unknown");
    }
    allowed
}

/// Where nothing is promised there is no point in waiting long.
fn timeout(allowed: &[&str]) -> &'static str {
    if allowed.contains(&"unknown") { "1" } else { "60" }
}

fn verdict(output: &Output) -> &'static str {
    match output.status.code() {
        Some(0) => "safe",
        Some(10) => "unsafe",
        Some(5) => "unknown",
        code => panic!("exit code {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// An engine on every example.
fn on_every_example(engine: &str) {
    let files = examples();
    assert!(files.len() >= 15, "only {} examples", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut allowed = allowed(&text, &[engine]);
        // They decide what they happen to decide.
        if engine == "k-ind" || engine == "itp" || engine == "icp" && !text.contains("float ") {
            allowed.push("unknown");
        }
        let saved = std::env::temp_dir().join(format!("nilas-{}-{engine}", std::process::id()));
        let _ = std::fs::remove_file(&saved);
        let (name, evidence) = (file.to_str().unwrap(), saved.to_str().unwrap());
        let limit = timeout(&allowed);
        let output = nilas(&["check", name, "--engine", engine, "--timeout", limit, "--evidence", evidence]);
        let found = verdict(&output);
        assert!(allowed.contains(&found), "{name}, {engine}: {found} instead of {allowed:?}");
        if found != "unknown" {
            let again = nilas(&["verify-evidence", name, evidence]);
            let (first, second) = (output.status.code(), again.status.code());
            assert_eq!(first, second, "{name}, {engine}: evidence accepted again");
        }
        let _ = std::fs::remove_file(&saved);
    }
}

macro_rules! engines {
    ($($test:ident: $engine:literal,)*) => {
        $(#[test]
        fn $test() {
            on_every_example($engine);
        })*
    };
}

engines! {
    bmc: "bmc",
    k_ind: "k-ind",
    itp: "itp",
    icp: "icp",
    ic3cfa: "ic3cfa",
    ic3: "ic3",
    tree_ic3: "tree-ic3",
    tree_ic3_itp: "tree-ic3-itp",
    tree_ic3_itp_mono: "tree-ic3-itp-mono",
    tree_itp: "tree-itp",
    pred_abs: "pred-abs",
}

#[test]
fn both_engines_side_by_side() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let allowed = allowed(&text, &PORTFOLIO);
        let output = nilas(&["check", file.to_str().unwrap(), "--timeout", timeout(&allowed), "--json"]);
        let found = verdict(&output);
        assert!(allowed.contains(&found), "{}: {found} instead of {allowed:?}", file.display());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], found);
    }
}
