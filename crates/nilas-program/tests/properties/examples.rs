//! The examples: they parse, survive printing, and an explicit search at small widths agrees with their first lines.

use crate::round_trip::assert_round_trip;
use nilas_program::text::expectation;
use nilas_program::{large_blocks, parse_program, to_dot};
use std::path::PathBuf;

/// Name and text of each example.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<(String, String)> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    found.sort();
    assert!(found.len() >= 20, "examples in {}", folder.display());
    found
}

#[test]
fn parse_and_print() {
    for (name, text) in examples() {
        let program = parse_program(&text).unwrap_or_else(|errors| {
            panic!("{}", errors.iter().map(|e| e.render(&name, &text)).collect::<String>())
        });
        assert_round_trip(&program, &name);
        assert_round_trip(&large_blocks(&program).0, &name);
        assert!(to_dot(&program).starts_with("digraph"), "{name}");
    }
}

#[test]
fn first_lines_say_what_to_expect() {
    for (name, text) in examples() {
        let verdict = expectation(&text, None);
        assert!(matches!(verdict, Some("safe" | "unsafe" | "unknown")), "{name}: {verdict:?}");
        assert!(text.starts_with("// expect:"), "{name}");
        for engine in ["bmc", "ic3cfa"] {
            // An engine may give up on an example, but not contradict it.
            let own = expectation(&text, Some(engine));
            assert!(own == verdict || own == Some("unknown"), "{name}: {engine} {own:?}");
        }
    }
}
