//! gcc as the judge of small programs.

use super::program::Model;
use std::path::Path;
use std::process::{Command, Stdio};

/// Undefined behaviour ends the process instead of going on.
const SANITISE: &[&str] = &[
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=alignment,shift-base,signed-integer-overflow",
    "-fno-sanitize-recover=all",
];

fn compile(source: &Path, binary: &Path, model: Model, more: &[&str]) -> Result<(), String> {
    let bits: &[&str] = match model {
        Model::Lp64 => &["-m64"],
        Model::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
    };
    let output = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"])
        .args(bits)
        .args(more)
        .arg(source)
        .arg("-o")
        .arg(binary)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// What the program prints.
///
/// # Errors
/// What gcc says, or how the program ends.
pub(crate) fn output(text: &str, model: Model, more: &[&str]) -> Result<String, String> {
    let (source, binary) = (super::temporary("program.c"), super::temporary("program"));
    std::fs::write(&source, text).unwrap();
    let compiled = compile(&source, &binary, model, more);
    std::fs::remove_file(&source).unwrap();
    compiled?;
    let ran = Command::new("timeout")
        .args(["--kill-after=1", "5"])
        .arg(&binary)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdin(Stdio::null())
        .output();
    std::fs::remove_file(&binary).unwrap();
    let ran = ran.map_err(|error| error.to_string())?;
    if ran.status.success() {
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&ran.stderr);
        Err(format!("the program ends with {}: {}", ran.status, said.lines().next().unwrap_or("")))
    }
}

/// The numbers that the program prints, one a line.
///
/// # Errors
/// See [`output`].
pub(crate) fn values(text: &str, model: Model) -> Result<Vec<i64>, String> {
    let printed = output(text, model, &[])?;
    Ok(printed.lines().map(|line| line.parse().unwrap()).collect())
}

/// Whether the sanitisers find undefined behaviour on the way, and which.
pub(crate) fn undefined(text: &str, model: Model, more: &[&str]) -> Option<String> {
    output(text, model, &[SANITISE, more].concat()).err()
}

/// Whether gcc takes the text for a program.
pub(crate) fn accepts(text: &str, model: Model) -> bool {
    let source = super::temporary("accepted.c");
    std::fs::write(&source, text).unwrap();
    // A function that nothing declares is a name that a change forgot.
    let more = ["-fsyntax-only", "-Werror=implicit-function-declaration"];
    let accepted = compile(&source, Path::new("/dev/null"), model, &more).is_ok();
    std::fs::remove_file(source).unwrap();
    accepted
}

/// Whether gcc makes programs for the data model here; says so if not.
pub(crate) fn available(model: Model) -> bool {
    match output("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n", model, &[]) {
        Ok(_) => true,
        Err(reason) => {
            eprintln!(
                "skipped for {model:?}: gcc makes no program ({})",
                reason.lines().next().unwrap_or("")
            );
            false
        }
    }
}
