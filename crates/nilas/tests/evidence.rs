//! Saved evidence that was tampered with is rejected, and the place where it fails is named.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// What `verify-evidence` says of a text, and its exit code.
fn verify(program: &Path, evidence: &str) -> (String, Option<i32>) {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("nilas-evidence-{}-{number}", std::process::id()));
    std::fs::write(&path, evidence).unwrap();
    let output = nilas(&["verify-evidence", program.to_str().unwrap(), path.to_str().unwrap()]);
    std::fs::remove_file(path).unwrap();
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.code())
}

/// The header that `check` writes before evidence about a program.
fn header(program: &Path) -> String {
    let name = program.file_stem().unwrap().to_str().unwrap();
    let saved = std::env::temp_dir().join(format!("nilas-header-{}-{name}", std::process::id()));
    let (file, out) = (program.to_str().unwrap(), saved.to_str().unwrap());
    let said = nilas(&["check", file, "--engine", "ic3cfa", "--checker-timeout", "0", "--evidence", out]);
    assert_eq!(said.status.code(), Some(5), "{}", String::from_utf8_lossy(&said.stdout));
    let text = std::fs::read_to_string(&saved).unwrap();
    std::fs::remove_file(saved).unwrap();
    let words = ["(nilas-evidence ", "(program ", "(options "];
    let lines = text.lines().filter(|line| words.iter().any(|word| line.starts_with(word)));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn good_invariant_is_accepted_and_weaker_or_stronger_ones_are_not() {
    let program = example("fig2.cfa");
    let header = header(&program);
    let verify = |program: &Path, evidence: &str| verify(program, &format!("{header}{evidence}"));
    assert_eq!(verify(&program, "(invariant (at |1| (= x y)))").1, Some(0));
    // Too weak: the error can be reached from it.
    let (said, code) = verify(&program, "(invariant (at |1| true))");
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("`1` to `err`") && said.contains("x = "), "{said}");
    // Too strong: not preserved by the loop.
    let (said, code) = verify(&program, "(invariant (at |1| (and (= x y) (bvult x #x00000010))))");
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("to `1`"), "{said}");
    // No cutset: the loop has no formula.
    let (said, code) = verify(&program, "(invariant)");
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("cycle"), "{said}");
}

#[test]
fn unwindings_are_unrolled_anew() {
    let program = example("bounded_loop.cfa");
    let saved = std::env::temp_dir().join(format!("nilas-unwinding-{}", std::process::id()));
    let args = ["check", program.to_str().unwrap(), "--engine", "bmc", "--evidence", saved.to_str().unwrap()];
    assert_eq!(nilas(&args).status.code(), Some(0));
    let evidence = std::fs::read_to_string(&saved).unwrap();
    std::fs::remove_file(saved).unwrap();
    assert!(evidence.contains("\n(unwinding"), "{evidence}");
    assert_eq!(verify(&program, &evidence).1, Some(0));
    // One visit less than there can be.
    let number: String =
        evidence.chars().rev().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let visits: u64 = number.chars().rev().collect::<String>().parse().unwrap();
    let place = evidence.rfind(&visits.to_string()).unwrap();
    let less =
        format!("{}{}{}", &evidence[..place], visits - 1, &evidence[place + visits.to_string().len()..]);
    let (said, code) = verify(&program, &less);
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("more than"), "{said}");
}

#[test]
fn executions_are_replayed() {
    let program = example("p_false.cfa");
    let saved = std::env::temp_dir().join(format!("nilas-execution-{}", std::process::id()));
    let args = ["check", program.to_str().unwrap(), "--evidence", saved.to_str().unwrap()];
    assert_eq!(nilas(&args).status.code(), Some(10));
    let evidence = std::fs::read_to_string(&saved).unwrap();
    std::fs::remove_file(saved).unwrap();
    assert_eq!(verify(&program, &evidence).1, Some(10));
    // Another initial value does not get there.
    let (said, code) = verify(&program, &(header(&program) + "(execution (initial x #x00000063))"));
    assert_eq!(code, Some(6), "{said}");
    // A safe program has no execution to its error.
    let safe = example("lock.cfa");
    assert_eq!(verify(&safe, &(header(&safe) + "(execution)")).1, Some(6));
}

/// Evidence that does not say what it is about may be about anything: if it is wrong, nothing is broken.
#[test]
fn evidence_without_header_is_accepted_or_refused() {
    let program = example("fig2.cfa");
    assert_eq!(verify(&program, "(invariant (at |1| (= x y)))").1, Some(0));
    let (said, code) = verify(&program, "(invariant (at |1| true))");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("does not say which program"), "{said}");
}

#[test]
fn evidence_of_another_program_is_refused() {
    let evidence = header(&example("fig2.cfa")) + "(invariant (at |1| (= x y)))";
    let (said, code) = verify(&example("lock.cfa"), &evidence);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("about another program") && said.contains("hint:"), "{said}");
    for (from, to, expected) in [
        ("(nilas-evidence 1)", "(nilas-evidence 4)", "version 4 is not known"),
        ("(program", "(options (heap 3)) (program", "`(program …)` expected"),
        ("#x", "#xx", ""),
        ("(invariant", "(options (heap 3)) (invariant", "about a C program"),
    ] {
        let (said, code) = verify(&example("fig2.cfa"), &evidence.replacen(from, to, 1));
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn junk_is_refused() {
    let program = example("fig2.cfa");
    for junk in [
        "",
        "(",
        "(invariant (at nowhere true))",
        "(invariant (at |1| (= x z)))",
        "(invariant (at |1| x))",
        "(proof)",
        "(execution (step 99))",
        "(execution (initial x #b1))",
        "(unwinding (visits |1| -3))",
        "(invariant) (invariant)",
    ] {
        let (said, code) = verify(&program, junk);
        assert_eq!(code, Some(2), "{junk}: {said}");
        assert!(!said.contains("panicked"), "{junk}: {said}");
    }
}

/// An engine's k-inductive proof is saved, accepted again, and refused with a smaller number.
#[test]
fn k_inductive_invariants() {
    let folder = std::env::temp_dir();
    let name = |end: &str| folder.join(format!("nilas-k-{}{end}", std::process::id()));
    let (program, saved) = (name(".cfa"), name(""));
    let text = "var x, y, z : bv8 entry a error e location a, b, e a -> b { havoc x; assume (x & 1) == 1; y := x; z := x } \
                b -> b { z := y; y := x; havoc x; assume (x & 1) == (y & 1) } b -> e { assume (z & 1) != 1 }";
    std::fs::write(&program, text).unwrap();
    let (file, out) = (program.to_str().unwrap(), saved.to_str().unwrap());
    let said = nilas(&["check", file, "--engine", "k-ind", "--timeout", "60", "--evidence", out]);
    assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stdout));
    let evidence = std::fs::read_to_string(&saved).unwrap();
    assert!(evidence.contains("(induction 3)"), "{evidence}");
    assert_eq!(verify(&program, &evidence).1, Some(0));
    let (told, code) = verify(&program, &evidence.replace("(induction 3)", "(induction 2)"));
    assert_eq!(code, Some(6), "{told}");
    for path in [program, saved] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Several error locations: each has its answer, in one file.
#[test]
fn several_targets() {
    let folder = std::env::temp_dir();
    let name = |end: &str| folder.join(format!("nilas-targets-{}{end}", std::process::id()));
    let (program, saved) = (name(".cfa"), name(""));
    let text = "var x : bv8 entry a error low, high location a, b, low, high a -> b { havoc x } \
                b -> b { assume x >u 9; x := x - 1 } b -> low { assume x == 0 } b -> high { assume x >u 9 && x == 3 }";
    std::fs::write(&program, text).unwrap();
    let (file, out) = (program.to_str().unwrap(), saved.to_str().unwrap());
    let said = nilas(&["check", file, "--timeout", "60", "--evidence", out]);
    let told = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(said.status.code(), Some(10), "{told}");
    assert!(told.contains("low: unsafe") && told.contains("high: safe"), "{told}");
    let evidence = std::fs::read_to_string(&saved).unwrap();
    let (told, code) = verify(&program, &evidence);
    assert_eq!(code, Some(10), "{told}");
    // The answers of the two are not those of each other.
    let swapped = evidence.replace("(target low", "(target x").replace("(target high", "(target low");
    let (told, code) = verify(&program, &swapped.replace("(target x", "(target high"));
    assert_eq!(code, Some(6), "{told}");
    let (told, code) = verify(&program, &evidence.replace("(target low", "(target b"));
    assert_eq!(code, Some(2), "{told}");
    let shown = nilas(&["show", file]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("error low, high"));
    for path in [program, saved] {
        std::fs::remove_file(path).unwrap();
    }
}
