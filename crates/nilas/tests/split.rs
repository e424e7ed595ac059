//! Programs that are split over two files get the verdict that they get as one file.
//!
//! The programs are those of `tests/soundness/`, whose first lines say what must never come out.
#![allow(clippy::unwrap_used)]

#[path = "../../nilas-run/tests/kit/split.rs"]
mod split;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds for a check; what takes longer is left out.
const LIMIT: &str = "20";

fn check(options: &[&str], files: &[PathBuf]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nilas"));
    let output = command.args(["check", "--timeout", LIMIT]).args(options).args(files).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said.into_owned())
}

/// Whether gcc compiles and links the files, whatever they leave undefined; not, if there is no gcc.
fn gcc_takes(files: &[PathBuf]) -> bool {
    let object = files[0].with_extension("o");
    let mut command = Command::new("gcc");
    command.args(["-w", "-r", "-nostdlib", "-o"]).arg(object).args(files);
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn split_programs_get_the_same_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soundness");
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    programs.sort();
    let scratch = std::env::temp_dir().join(format!("nilas-split-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let files = [scratch.join("a.c"), scratch.join("b.c")];
    let (mut same, mut wrong) = (0, Vec::new());
    for path in programs {
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(parts) = split::split(&text).filter(|parts| parts.iter().all(|part| part.contains('{')))
        else {
            continue;
        };
        for (file, part) in files.iter().zip(&parts) {
            std::fs::write(file, part).unwrap();
        }
        let options = text.lines().nth(1).and_then(|line| line.strip_prefix("// options: ")).unwrap_or("");
        let options: Vec<&str> = options.split_whitespace().collect();
        let (code, said) = check(&options, &files);
        match (code, check(&options, std::slice::from_ref(&path)).0) {
            (Some(a @ (0 | 10)), Some(b)) if a == b => same += 1,
            (Some(a @ (0 | 10)), Some(b @ (0 | 10))) => {
                wrong.push(format!("{}: {a} in two files, {b} in one\n{said}", path.display()));
            }
            // Neither is decided, or only one of them is, in this time.
            (Some(0 | 5 | 10), _) => {}
            // What `split` made a mess of is refused by gcc, too.
            (_, _) if !gcc_takes(&files) => {}
            (code, _) => wrong.push(format!("{}: exit code {code:?}\n{said}", path.display())),
        }
    }
    std::fs::remove_dir_all(scratch).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 60, "only {same} programs were compared");
}
