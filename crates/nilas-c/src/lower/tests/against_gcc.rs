//! Random programs, compiled by gcc and run, against the interpreter on the lowered automaton.

use super::generate::Generator;
use super::{Outcome, lowered, run};
use crate::types::DataModel;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What the programs leave behind when gcc compiles them; `None` without a gcc.
pub(super) fn gcc(declarations: &str, programs: &[String]) -> Option<Vec<u64>> {
    let directory =
        std::env::temp_dir().join(format!("nilas-lower-{}-{}", std::process::id(), declarations.len()));
    std::fs::create_dir_all(&directory).ok()?;
    let mut text = format!("int printf(const char *, ...);\n{declarations}");
    text.extend(programs.iter().map(String::as_str));
    text.push_str("int main(void) {\n");
    for number in 0..programs.len() {
        text.push_str(&format!("prog{number}(); printf(\"%llu\\n\", chk{number});\n"));
    }
    text.push_str("return 0; }\n");
    let binary = directory.join("programs");
    let mut child = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-fwrapv", "-O0", "-m64", "-x", "c", "-", "-o"])
        .arg(&binary)
        .arg("-lm")
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    assert!(child.wait().unwrap().success(), "gcc refuses the programs\n{text}");
    let output = Command::new(&binary).output().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    Some(output.lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn random_programs_mean_what_gcc_says() {
    let count = std::env::var("NILAS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    let seed = std::env::var("NILAS_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(7);
    let programs: Vec<String> = (0..count).map(|number| Generator::program(number, seed + number)).collect();
    let Some(expected) = gcc("", &programs) else { return };
    for (number, (program, expected)) in programs.iter().zip(expected).enumerate() {
        let text = format!("{program}\nint main(void) {{ prog{number}(); return 0; }}\n");
        let lowered = lowered(&text, DataModel::Lp64);
        let (outcome, values) = run(&lowered, &[]);
        assert_eq!(outcome, Outcome::End, "program {number}\n{text}");
        let name = format!("chk{number}");
        let (_, value) = values.iter().find(|(variable, _)| *variable == name).unwrap();
        let found = value.as_bitvec().unwrap().to_u64().unwrap();
        assert_eq!(found, expected, "program {number}, seed {seed}\n{text}");
    }
}
