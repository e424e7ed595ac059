//! What lowering and passes make of small programs, word for word: `tests/show/NAME` as lowered is
//! `NAME.lowered`, after the passes `NAME.passes`. A change of either shows here what it does.
//! `NILAS_WRITE=1 cargo test -p nilas --test show` writes them anew; look at the difference before it is kept.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What `nilas show` prints about one of the programs.
fn shown(folder: &Path, name: &str, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .current_dir(folder)
        .args(["show", name, "--unknown-functions", "arguments"])
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn compare(kind: &str, options: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/show");
    let is_program =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c" || extension == "cfa");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> = entries.filter(is_program).collect();
    programs.sort();
    assert!(programs.len() >= 15);
    let mut different = Vec::new();
    for path in programs {
        let name = path.file_name().unwrap().to_str().unwrap();
        let now = shown(&folder, name, options);
        let expected = folder.join(format!("{name}.{kind}"));
        if std::env::var_os("NILAS_WRITE").is_some() {
            std::fs::write(&expected, now).unwrap();
            continue;
        }
        let before = std::fs::read_to_string(&expected).unwrap_or_default();
        if before != now {
            different.push(format!("{name}: expected\n{before}\nis now\n{now}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn as_lowered() {
    compare("lowered", &[]);
}

#[test]
fn after_passes() {
    compare("passes", &["--passes"]);
}
