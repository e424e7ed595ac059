//! What the tests share: running a text by the interpreter and by gcc.
#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::unwrap_used)]

use nilas_c::types::DataModel;
use nilas_run::choice::Defaults;
use nilas_run::{Chooser, End, Execution, Interpreter, Options};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// The C files of a folder of tests, in order.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

pub(crate) fn parse(text: &str, model: DataModel, include: Option<&str>) -> nilas_c::tree::Program {
    let mut options = nilas_c::Options { model, ..nilas_c::Options::default() };
    options.preprocessor.include_dirs.extend(include.map(PathBuf::from));
    let input = nilas_c::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    nilas_c::parse_program(&input, &options).unwrap_or_else(|failure| panic!("{}", failure.render()))
}

/// Runs a text with choices; what it prints.
pub(crate) fn run_with(
    text: &str,
    model: DataModel,
    options: &Options,
    chooser: &mut dyn Chooser,
) -> (Execution, String) {
    let program = parse(text, model, None);
    let mut output = Vec::new();
    let execution = Interpreter::new(&program).run(options, chooser, &mut output);
    (execution, String::from_utf8_lossy(&output).into_owned())
}

pub(crate) fn run(text: &str, model: DataModel, options: &Options) -> (Execution, String) {
    run_with(text, model, options, &mut Defaults)
}

/// What a program prints and how it ends, as the `.out` files have it.
pub(crate) fn told(execution: &Execution, output: &str) -> String {
    match &execution.end {
        End::Exit(status) => format!("{output}exit {status}\n"),
        end => format!("{output}{end:?}\n"),
    }
}

/// A file in the temporary folder that no other test uses.
pub(crate) fn temporary(name: &str) -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("nilas-run-{}-{number}-{name}", std::process::id()))
}

/// The same by gcc; `None` if it makes no program for the data model here, or the program does not end.
pub(crate) fn gcc(text: &str, model: DataModel, more: &[&str]) -> Option<String> {
    let (source, binary) = (temporary("program.c"), temporary("program"));
    std::fs::write(&source, text).unwrap();
    let bits: &[&str] = match model {
        DataModel::Lp64 => &["-m64"],
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        DataModel::Other(_) => return None,
    };
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"])
        .args(bits)
        .args(more)
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .output();
    std::fs::remove_file(&source).unwrap();
    if !compiled.ok()?.status.success() {
        return None;
    }
    let ran =
        Command::new("timeout").args(["--kill-after=1", "5"]).arg(&binary).stdin(Stdio::null()).output();
    std::fs::remove_file(&binary).unwrap();
    let ran = ran.ok()?;
    let status = ran.status.code().filter(|&status| status != 124)?;
    Some(format!("{}exit {status}\n", String::from_utf8_lossy(&ran.stdout)))
}

/// A number from the environment.
pub(crate) fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
