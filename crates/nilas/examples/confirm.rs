//! Runs what Nilas calls unsafe: each execution becomes a harness, which gcc compiles with the program and
//! the machine executes. An execution that can be repeated must reach the error.
//!
//! ```sh
//! cargo run --release -p nilas --example confirm -- [--64] [--timeout S] FILE.c …
//! ```

#![allow(clippy::print_stdout, reason = "a program for people")]

use nilas_c::harness::{MARK, harness};
use nilas_c::types::DataModel;
use nilas_engine::{Registry, Settings, Silent, Verdict, verify};
use nilas_evidence::{Evidence, Execution};
use nilas_program::HavocSite;
use nilas_smt::Budget;
use nilas_term::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let mut model = DataModel::Ilp32;
    let mut timeout = 10.0;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--64" => model = DataModel::Lp64,
            "--timeout" => timeout = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(timeout),
            _ => files.push(argument.into()),
        }
    }
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for file in files {
        let outcome = confirm(&file, model, Duration::from_secs_f64(timeout));
        println!("{}: {outcome}", file.display());
        *counts.entry(outcome).or_default() += 1;
    }
    println!();
    for (outcome, count) in counts {
        println!("{count:>5}  {outcome}");
    }
}

/// What came of one file, in words.
fn confirm(file: &Path, model: DataModel, timeout: Duration) -> String {
    let options = nilas_c::Options { model, ..nilas_c::Options::default() };
    let Ok(tree) = nilas_c::parse_program(&nilas_c::Input::Path(file.to_owned()), &options) else {
        return "refused".into();
    };
    let Ok(lowered) = nilas_c::lower(&tree, &nilas_c::LowerOptions::default()) else {
        return "refused".into();
    };
    let deadline = Some(Instant::now() + timeout);
    let execution = Registry::default().portfolio().into_iter().find_map(|engine| {
        let budget = Budget { deadline, ..Budget::default() };
        let report = verify(&lowered.program, engine, &Settings::default(), &budget, &mut Silent);
        match report.verdict {
            Verdict::Unsafe(Evidence::Execution(execution)) => Some(execution),
            _ => None,
        }
    });
    let Some(execution) = execution else { return "not found unsafe".into() };
    let automaton = &lowered.program.automaton;
    let default = |id| Value::default_of(&automaton.variable(id).sort);
    let Execution { initial, havocs, .. } = &execution;
    let initial: Vec<Value> =
        automaton.variable_ids().map(|id| initial.get(&id).cloned().unwrap_or_else(|| default(id))).collect();
    let values = |site: HavocSite, occurrence: usize| {
        let chosen = havocs.get(&(site, occurrence as u64)).cloned();
        chosen.unwrap_or_else(|| default(automaton.havoc(site).variable))
    };
    match harness(&tree, &lowered, &initial, &values, 7) {
        Err(why) => format!("not repeatable: {why}"),
        Ok(text) => {
            run(file, &text, model).unwrap_or_else(|error| format!("cannot be compiled or run: {error}"))
        }
    }
}

fn run(file: &Path, text: &str, model: DataModel) -> std::io::Result<String> {
    let folder = std::env::temp_dir().join(format!("nilas-confirm-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (source, binary) = (folder.join("harness.c"), folder.join("program"));
    std::fs::write(&source, text)?;
    let mut gcc = Command::new("gcc");
    let bits: &[&str] =
        if model == DataModel::Ilp32 { &["-m32", "-msse2", "-mfpmath=sse"] } else { &["-m64"] };
    gcc.args(["-w", "-O0", "-fwrapv", "-fno-builtin", "-Wl,-z,muldefs"]).args(bits);
    gcc.args(["-Wl,--unresolved-symbols=ignore-all", "-x", "c"]);
    gcc.arg(&source).arg(file).args(["-lm", "-o"]).arg(&binary).stderr(Stdio::null());
    if !gcc.status()?.success() {
        return Ok("gcc refuses it".into());
    }
    let output = Command::new("timeout").arg("10").arg(&binary).stdin(Stdio::null()).output()?;
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    std::fs::remove_dir_all(&folder)?;
    Ok(if output.status.code() == Some(7) && said.contains(MARK) {
        "confirmed: the error is reached".into()
    } else {
        format!("NOT CONFIRMED: exit {:?}", output.status.code())
    })
}
