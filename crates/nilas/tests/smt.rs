//! `nilas smt` from outside: answers, messages, exit codes; nothing makes it crash.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nilas-smt-{}-{name}.smt2", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

/// Exit code and output of `nilas smt` on a script.
fn smt(name: &str, text: &str, options: &[&str]) -> (Option<i32>, String) {
    let path = file(name, text);
    let output =
        Command::new(env!("CARGO_BIN_EXE_nilas")).arg("smt").args(options).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!message.contains("panicked"), "{name}: {message}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

const ARRAYS: &str = "(set-logic QF_AUFBV)(set-option :produce-unsat-cores true)\
    (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const i (_ BitVec 8))(declare-const j (_ BitVec 8))\
    (declare-fun f ((_ BitVec 8)) (_ BitVec 8))\
    (assert (! (= i j) :named same))(assert (! (bvult i #x80) :named small))\
    (push)(assert (! (distinct (f (select a i)) (f (select a j))) :named differ))(check-sat)(get-unsat-core)\
    (pop)(check-sat)(check-sat-assuming ((bvult #x80 j)))";

#[test]
fn proofs() {
    let answers = "unsat\n(same differ)\nsat\nunsat\n";
    assert_eq!(smt("plain", ARRAYS, &[]), (Some(0), answers.to_owned()));
    assert_eq!(smt("proof", ARRAYS, &["--proof"]), (Some(0), answers.to_owned()));
    let saved = std::env::temp_dir().join(format!("nilas-smt-{}.idrup", std::process::id()));
    let option = saved.to_str().unwrap();
    assert_eq!(smt("proof-file", ARRAYS, &["--proof-file", option]), (Some(0), answers.to_owned()));
    let proof = std::fs::read_to_string(&saved).unwrap();
    std::fs::remove_file(&saved).unwrap();
    assert!(proof.lines().filter(|line| line.starts_with("u ")).count() >= 2, "{proof}");
    let (code, _) = smt("no-folder", ARRAYS, &["--proof-file", "/nonexistent/folder/proof"]);
    assert_eq!(code, Some(2));
}

/// Intervals answer what they can, and say what they cannot.
#[test]
fn intervals() {
    let floats = "(set-logic QF_BVFP)(declare-const x (_ FloatingPoint 8 24))\
        (assert (fp.leq ((_ to_fp 8 24) RNE 0.0) x ((_ to_fp 8 24) RNE 10.0)))\
        (push)(assert (fp.lt ((_ to_fp 8 24) RNE 100.5) (fp.mul RNE x x)))(check-sat)(pop)\
        (assert (fp.lt ((_ to_fp 8 24) RNE 99.5) (fp.mul RNE x x)))(check-sat)";
    for solver in ["bits", "icp", "icp-only"] {
        let (code, output) = smt(solver, floats, &["--solver", solver]);
        assert_eq!((code, &*output), (Some(0), "unsat\nsat\n"), "{solver}");
    }
    let numbers = "(declare-const i Int)(declare-const j Int)(declare-const x Real)\
        (assert (and (<= 2 i 1000) (<= 2 j 1000) (<= 0.0 x 1.0)))\
        (push)(assert (= (* i j) 9991))(check-sat)(get-value ((+ i j)))(pop)\
        (push)(assert (= (* i j) 9973))(check-sat)(pop)\
        (assert (< 0.251 (* x (- 1.0 x))))(check-sat)";
    for solver in ["icp", "icp-only"] {
        let (code, output) = smt(solver, numbers, &["--solver", solver]);
        assert_eq!((code, &*output), (Some(0), "sat\n(((+ i j) 200))\nunsat\nunsat\n"), "{solver}");
    }
    let answers = "unsat\n(same differ)\nsat\nunsat\n";
    assert_eq!(smt("handed-over", ARRAYS, &["--solver", "icp"]), (Some(0), answers.to_owned()));
    let arrays = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= (select a #x00) #x01))\
        (check-sat)(get-info :reason-unknown)";
    let (_, output) = smt("unsupported", arrays, &["--solver", "icp-only"]);
    assert!(output.starts_with("unknown\n") && output.contains("Array"), "{output}");
    assert_eq!(smt("no-proofs", floats, &["--solver", "icp", "--proof"]).0, Some(1));
    let horn = "(set-logic HORN)(assert (forall ((x Int)) (=> (> x 0) false)))(check-sat)";
    assert_eq!(smt("horn", horn, &["--solver", "icp"]).0, Some(2));
}

#[test]
fn what_is_wrong_is_said() {
    let deep = 100_000;
    let cases = [
        ("syntax", "(declare-const x Bool)\n(assert (and x }))\n(check-sat)", "line 2 column 16"),
        ("unclosed", "(assert (and true", "never closed"),
        ("command", "(frobnicate)", "unknown command `frobnicate`"),
        ("sort", "(declare-const x (_ BitVec 8))(assert x)", "line 1 column 39"),
        ("nesting", &("(".repeat(deep) + &")".repeat(deep)), "line 1 column 1"),
        ("open", &"(".repeat(deep), "never closed"),
    ];
    for (name, text, message) in cases {
        for options in [&[][..], &["--proof"]] {
            let (code, output) = smt(name, text, options);
            assert_eq!(code, Some(2), "{name}: {output}");
            assert!(output.contains("(error \"") && output.contains(message), "{name}: {output}");
        }
    }
}

#[test]
fn a_status_that_is_wrong_is_an_internal_error() {
    let (code, output) = smt("status", "(set-info :status unsat)(check-sat)", &[]);
    assert_eq!(code, Some(6));
    assert!(output.contains("the answer is sat, but the script says unsat"), "{output}");
}

#[test]
fn deep_terms_and_long_scripts() {
    let deep = 100_000;
    let formula = "(not ".repeat(deep) + "p" + &")".repeat(deep);
    let text = format!("(declare-const p Bool)(assert {formula})(assert (not p))(check-sat)");
    assert_eq!(smt("deep", &text, &["--proof"]), (Some(0), "unsat\n".to_owned()));
    let comments = "; a long comment line that says nothing at all\n".repeat(50_000);
    let text = format!("{comments}(check-sat)\n{comments}");
    assert_eq!(smt("long", &text, &[]), (Some(0), "sat\n".to_owned()));
}
