//! A limit ends as *unknown*, with the reason and whatever statistics there are; scripts are answered.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).to_str().unwrap().to_owned()
}

#[test]
fn time_and_memory_limits_end_as_unknown() {
    let diverges = example("prime.cfa");
    for (limit, reason) in [
        (["--timeout", "0.5"], "time limit"),
        (["--cpu-timeout", "0.5"], "time limit"),
        (["--memory-limit", "1"], "memory limit"),
    ] {
        for engine in ["bmc", "ic3cfa"] {
            let output = nilas(&["check", &diverges, "--engine", engine, "--stats", limit[0], limit[1]]);
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(5), "{engine} {limit:?}: {said}");
            assert!(said.starts_with("unknown: ") && said.contains(reason), "{engine} {limit:?}: {said}");
            assert!(said.contains("solver checks"), "{engine} {limit:?} prints statistics: {said}");
        }
    }
}

/// Where there is no address space for the stacks of all engines, those go on that have one.
#[test]
#[cfg(target_os = "linux")]
fn engines_without_room_are_left_out() {
    let diverges = example("prime.cfa");
    for kilobytes in ["1200000", "1800000", "2600000"] {
        let script = "ulimit -v \"$0\"; exec \"$@\"";
        let output = Command::new("sh")
            .args([
                "-c",
                script,
                kilobytes,
                env!("CARGO_BIN_EXE_nilas"),
                "check",
                &diverges,
                "--cpu-timeout",
                "1",
            ])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(5), "{kilobytes}: {said}");
        assert!(said.starts_with("unknown: ") && said.contains("limit"), "{kilobytes}: {said}");
    }
}

/// Of an execution with very many steps the first and the last ones are told, and how many are left out.
#[test]
fn a_long_execution_is_told_in_part() {
    let path = std::env::temp_dir().join(format!("nilas-long-{}.cfa", std::process::id()));
    let text = "var x : bv32 entry a error e location a, b, e a -> b { x := 0 } \
                b -> b { assume x <u 30000; x := x + 1 } b -> e { assume x == 30000 }";
    std::fs::write(&path, text).unwrap();
    let check = |more: &[&str]| {
        let output = nilas(&[&["check", path.to_str().unwrap(), "--engine", "run"], more].concat());
        assert_eq!(output.status.code(), Some(10));
        String::from_utf8(output.stdout).unwrap()
    };
    let told: serde_json::Value = serde_json::from_str(&check(&["--json"])).unwrap();
    let evidence = &told["evidence"];
    assert_eq!(evidence["steps"].as_array().unwrap().len(), 20_000);
    assert_eq!(evidence["omitted"], serde_json::json!({ "after": 10_000, "steps": 10_002 }));
    assert_eq!(evidence["steps"][19_999]["to"], "e");
    assert_eq!(evidence["steps"][10_000]["changes"][0]["value"], "#x00004e22");
    assert!(check(&[]).contains("10002 steps left out"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn quiet_prints_the_verdict_alone() {
    let output = nilas(&["check", &example("fig2.cfa"), "--quiet"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "safe\n");
    assert!(output.stderr.is_empty());
}

#[test]
fn automata_are_shown() {
    for args in [&[][..], &["--large-blocks"], &["--dot"], &["--json"]] {
        let output = nilas(&[&["show", &example("nested_loops.cfa")], args].concat());
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
    // What is shown as text can be read again.
    let shown = nilas(&["show", &example("nested_loops.cfa"), "--large-blocks"]).stdout;
    let path = std::env::temp_dir().join(format!("nilas-shown-{}.cfa", std::process::id()));
    std::fs::write(&path, shown).unwrap();
    let output = nilas(&["check", path.to_str().unwrap(), "--engine", "ic3cfa", "--timeout", "60"]);
    std::fs::remove_file(path).unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn scripts_are_answered() {
    let path = std::env::temp_dir().join(format!("nilas-script-{}.smt2", std::process::id()));
    let script = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(push 1)(assert (bvult x #x01))(check-sat)\n\
                  (get-value (x))(pop 1)(check-sat-assuming ((= x #x01) (= x #x02)))(get-unsat-assumptions)";
    std::fs::write(&path, script).unwrap();
    let output = nilas(&["smt", path.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..3], ["sat", "((x #x00))", "unsat"], "{said}");
    std::fs::write(&path, "(check-sat").unwrap();
    let output = nilas(&["smt", path.to_str().unwrap()]);
    std::fs::remove_file(path).unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
}
