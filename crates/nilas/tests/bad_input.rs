//! Bad input: one clear message, the right exit code, no panic.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

/// A file in a folder of its own, with the given bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("nilas-bad-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("bad.cfa");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Checks a file that must be refused; what was said, without the folder.
fn refused(name: &str, bytes: &[u8]) -> String {
    let path = file(name, bytes);
    let output = nilas(&["check", path.to_str().unwrap()]);
    let message = String::from_utf8_lossy(&output.stderr).replace(path.to_str().unwrap(), "bad.cfa");
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{name}: {message}");
    assert!(output.stdout.is_empty(), "{name} prints no verdict");
    assert!(!message.contains("panicked"), "{name}: {message}");
    message
}

const HEAD: &str = "cfa bad\nvar x : bv8\nentry a\nerror e\n";

#[test]
fn messages_have_line_column_and_caret() {
    let cases = [
        ("syntax", "a -> b { x := }", ":5:15: error: "),
        ("unknown-variable", "a -> e { assume y == 1 }", ":5:17: error: "),
        ("sort", "a -> e { assume x }", ":5:17: error: "),
        ("assign-sort", "a -> e { x := true }", ":5:15: error: "),
        ("into-entry", "a -> e { skip }\ne -> a { skip }", ": error: "),
    ];
    for (name, edge, place) in cases {
        let message = refused(name, format!("{HEAD}{edge}\n").as_bytes());
        assert!(message.contains(place), "{name}: {message}");
        assert!(
            message.lines().any(|line| line.trim_start_matches([' ', '|']).starts_with('^')),
            "{name}: {message}"
        );
    }
}

#[test]
fn what_is_missing_is_named() {
    assert!(refused("no-entry", b"cfa bad\nvar x : bv8\nerror e\na -> e { skip }\n").contains("entry"));
    assert!(refused("no-error", b"cfa bad\nvar x : bv8\nentry a\na -> e { skip }\n").contains("error"));
    assert!(!refused("empty", b"").is_empty());
}

#[test]
fn junk_is_refused() {
    refused("binary", &(0..=255u8).cycle().take(5000).collect::<Vec<_>>());
    refused("zeros", &[0; 100]);
    let long = format!("{HEAD}a -> e {{ assume x == {} }}\n", "1 + ".repeat(2_500_000));
    let message = refused("long-line", long.as_bytes());
    assert!(message.len() < 5_000, "the message is short: {} bytes", message.len());
    let deep = format!("{HEAD}a -> e {{ assume {}true{} }}\n", "(".repeat(100_000), ")".repeat(100_000));
    refused("deep", deep.as_bytes());
}

#[test]
fn files_that_cannot_be_read() {
    for path in ["/nonexistent/x.cfa", "/tmp", "x.unknown"] {
        let output = nilas(&["check", path]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{path}");
    }
}

#[test]
fn wrong_usage() {
    for args in [
        &["check"][..],
        &["frobnicate"],
        &["check", "x.cfa", "--engine", "magic"],
        &["check", "x.cfa", "--timeout", "-1"],
    ] {
        let output = nilas(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    assert_eq!(nilas(&["--help"]).status.code(), Some(0));
    assert_eq!(nilas(&["--version"]).status.code(), Some(0));
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let path = file("no-folder", b"");
    let program = path.with_file_name("a.c");
    std::fs::write(&program, "#define A 0\nint main(void) { return A; }\n").unwrap();
    let missing = path.with_file_name("nowhere");
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["check", program.to_str().unwrap()])
        .env("TMPDIR", &missing)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(missing.to_str().unwrap()) && message.contains("TMPDIR"), "{message}");
}
