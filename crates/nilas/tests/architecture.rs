//! The rooms of the house: which crate may use which, read off the manifests.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Each crate, with the crates it may use. What those stand on may be used too.
const ROOMS: [(&str, &[&str]); 14] = [
    ("nilas-memory", &[]),
    ("nilas-fault", &[]),
    ("nilas-term", &["nilas-fault"]),
    ("nilas-smt", &["nilas-term"]),
    ("nilas-icp", &["nilas-smt", "nilas-term"]),
    ("nilas-program", &["nilas-term", "nilas-fault"]),
    ("nilas-c", &["nilas-program", "nilas-term", "nilas-fault"]),
    ("nilas-run", &["nilas-c"]),
    ("nilas-evidence", &["nilas-program", "nilas-smt", "nilas-icp", "nilas-term"]),
    ("nilas-system", &["nilas-evidence", "nilas-program", "nilas-smt", "nilas-term"]),
    ("nilas-engine", &["nilas-program", "nilas-smt", "nilas-icp", "nilas-evidence", "nilas-term"]),
    ("nilas-report", &["nilas-evidence", "nilas-c", "nilas-run", "nilas-program", "nilas-smt", "nilas-term"]),
    (
        "nilas-check",
        &[
            "nilas-term",
            "nilas-smt",
            "nilas-program",
            "nilas-c",
            "nilas-evidence",
            "nilas-engine",
            "nilas-report",
            "nilas-run",
            "nilas-system",
        ],
    ),
    (
        "nilas",
        &[
            "nilas-check",
            "nilas-term",
            "nilas-smt",
            "nilas-icp",
            "nilas-program",
            "nilas-c",
            "nilas-evidence",
            "nilas-engine",
            "nilas-report",
            "nilas-run",
            "nilas-system",
            "nilas-fault",
            "nilas-memory",
        ],
    ),
];

fn crates() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The crates of this workspace that a manifest names, in dependencies of any kind.
fn used(manifest: &str) -> BTreeSet<String> {
    let mut section = String::new();
    let mut used = BTreeSet::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
            // `[dependencies.nilas-term]`
            if let Some((_, name)) = section.split_once("dependencies.") {
                used.insert(name.to_owned());
            }
        } else if section.ends_with("dependencies") {
            let name: String =
                line.chars().take_while(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect();
            used.insert(name);
        }
    }
    used.retain(|name| name == "nilas" || name.starts_with("nilas-"));
    used
}

#[test]
fn crates_use_only_what_they_may() {
    let rooms: BTreeMap<&str, &[&str]> = ROOMS.into_iter().collect();
    let mut found = 0;
    for entry in std::fs::read_dir(crates()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(allowed) = rooms.get(&*name) else {
            panic!("`{name}` is no room of the house: add it to ROOMS")
        };
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        for other in used(&manifest) {
            assert!(allowed.contains(&&*other), "`{name}` may not use `{other}`");
        }
        found += 1;
    }
    assert_eq!(found, ROOMS.len(), "every room exists");
}

#[test]
fn manifests_are_read_right() {
    let manifest = "[dependencies]\nnilas-term.workspace = true\nclap = \"4\"\n[dev-dependencies]\nnilas-smt = { path = \"x\" }\n\
                    [target.'cfg(unix)'.dependencies.nilas-c]\npath = \"y\"\n[features]\nnilas-engine = []\n";
    let names: Vec<String> = used(manifest).into_iter().collect();
    assert_eq!(names, ["nilas-c", "nilas-smt", "nilas-term"]);
}

/// Library crates neither print nor end the process; the lints see printing, this sees the rest.
#[test]
fn libraries_do_not_exit() {
    let mut stack: Vec<PathBuf> = ROOMS
        .iter()
        .filter(|(name, _)| *name != "nilas")
        .map(|(name, _)| crates().join(name).join("src"))
        .collect();
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("process::exit"), "{} ends the process", path.display());
        }
    }
}
