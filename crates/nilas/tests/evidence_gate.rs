//! Saved evidence passes the gate that `check` has: what one calls unknown the other does not accept.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code and everything that `nilas` said.
fn nilas(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nilas-gate-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A program, and where its evidence goes.
struct Case {
    program: String,
    evidence: String,
    folder: PathBuf,
}

impl Case {
    fn new(name: &str, text: &str) -> Case {
        let folder = folder(name);
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        std::fs::write(path("program.c"), text).unwrap();
        Case { program: path("program.c"), evidence: path("evidence"), folder }
    }

    fn check(&self, args: &[&str]) -> (Option<i32>, String) {
        nilas(&[&["check", &self.program, "--evidence", &self.evidence], args].concat())
    }

    /// Saves what an engine finds, without having it checked.
    fn find(&self, args: &[&str]) -> String {
        let (code, said) = self.check(&[&["--checker-timeout", "0"], args].concat());
        assert_eq!(code, Some(5), "{said}");
        said
    }

    fn verify(&self, args: &[&str]) -> (Option<i32>, String) {
        nilas(&[&["verify-evidence", &self.program, &self.evidence], args].concat())
    }

    fn saved(&self) -> String {
        std::fs::read_to_string(&self.evidence).unwrap()
    }

    fn change(&self, from: &str, to: &str) {
        let saved = self.saved();
        assert!(saved.contains(from), "{saved}");
        std::fs::write(&self.evidence, saved.replacen(from, to, 1)).unwrap();
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const LOCK: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int locked = 0;
    while (__VERIFIER_nondet_int()) {
        if (locked) reach_error();
        locked = 1;
        locked = 0;
    }
    return 0;
}
";

const EXACT: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 12345) reach_error();
    return 0;
}
";

#[test]
fn what_the_checker_had_no_time_for_is_checked_later() {
    let case = Case::new("later", LOCK);
    let said = case.find(&["--engine", "ic3cfa", "--explain", "--stats"]);
    assert!(said.starts_with("unknown: a proof was found after "), "{said}");
    assert!(said.contains(", but checking it ran out of time\n"), "{said}");
    assert!(said.contains("nilas verify-evidence FILE OUT --timeout S"), "{said}");
    assert!(said.contains("checker seconds"), "{said}");
    assert!(case.saved().contains("\n(unaccepted \"time limit reached\")\n(invariant"), "{}", case.saved());
    let (code, said) = case.verify(&[]);
    assert_eq!((code, said.as_str()), (Some(0), "safe: the evidence is accepted\n"));
    // An execution, too.
    let case = Case::new("later-execution", EXACT);
    let said = case.find(&["--engine", "bmc"]);
    assert!(said.starts_with("unknown: an execution to the error was found after "), "{said}");
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("repeated in C: "), "{said}");
}

/// What evidence is accepted for is not marked as unaccepted.
#[test]
fn accepted_evidence_says_so() {
    let case = Case::new("accepted", LOCK);
    let (code, said) = case.check(&["--engine", "ic3cfa"]);
    assert_eq!(code, Some(0), "{said}");
    let saved = case.saved();
    assert!(saved.starts_with("(nilas-evidence 1)\n(program fnv1a-128 #x"), "{saved}");
    assert!(saved.contains("(options (data-model lp64) (properties one) (malloc-may-fail no) "), "{saved}");
    assert!(!saved.contains("unaccepted"), "{saved}");
}

#[test]
fn an_execution_that_chooses_the_result_of_sin_is_unknown() {
    let text = "double sin(double); void reach_error(void);
        int main(void) { if (sin(1.0) == 0.25) reach_error(); return 0; }";
    let case = Case::new("sin", text);
    let (code, said) = case.check(&["--engine", "bmc"]);
    assert_eq!(code, Some(5), "{said}");
    case.find(&["--engine", "bmc"]);
    assert!(case.saved().contains("\n(execution"), "{}", case.saved());
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("relies on the result of `sin`"), "{said}");
}

/// The same of a place: an execution of the automaton is no violation as long as nobody repeats it in C.
#[test]
fn an_execution_to_a_place_that_chooses_the_result_of_sin_is_unknown() {
    let text = "double sin(double); int main(void) { double d = sin(1.0); return 10 / (d == 0.5 ? 0 : 1); }";
    let case = Case::new("sin-place", text);
    let (code, said) = case.check(&["--property", "division"]);
    assert_eq!(code, Some(5), "{said}");
    let saved = case.saved();
    let (head, _) = saved.split_once("(unknown ").unwrap();
    let forged = format!("{head}(execution (havoc 0 0 (fp #b0 #b01111111110 #x0000000000000)))))\n");
    std::fs::write(&case.evidence, forged).unwrap();
    let (code, said) = case.verify(&["--property", "division"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("not repeated in C"), "{said}");
}

/// A proof of a program that only ever does what is undefined says nothing.
#[test]
fn vacuous_proofs_are_unknown() {
    let text = "void reach_error(void);
        int main(void) { int z = 3; while (z) z--; int x = 1 / z; if (x == 7) reach_error(); return x; }";
    let case = Case::new("vacuous", text);
    let (code, said) = case.check(&[]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("every execution stops at undefined behaviour"), "{said}");
    case.find(&["--engine", "bmc"]);
    let saved = case.saved();
    let header = saved[..saved.find("\n(un").unwrap()].to_owned();
    std::fs::write(&case.evidence, header + "\n(run)\n").unwrap();
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("every execution stops at undefined behaviour"), "{said}");
}

/// The same of a proof about a place.
#[test]
fn vacuous_proofs_about_places_are_unknown() {
    let text = "int __VERIFIER_nondet_int(void);
        int main(void) { int z = 3; while (z) z--; int x = 1 / z; return x << (__VERIFIER_nondet_int() & 7); }";
    let case = Case::new("vacuous-place", text);
    let (code, said) = case.check(&["--property", "shift"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("every execution stops at undefined behaviour"), "{said}");
    let saved = case.saved();
    let (head, _) = saved.split_once("(unknown \"").unwrap();
    std::fs::write(&case.evidence, format!("{head}(run)))\n")).unwrap();
    let (code, said) = case.verify(&["--property", "shift"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("every execution stops at undefined behaviour"), "{said}");
}

/// Proofs about places are challenged, and what that meets elsewhere is told and contradicts nothing.
#[test]
fn a_challenge_of_proofs_about_places_may_end_elsewhere() {
    let text = "int __VERIFIER_nondet_int(void);
        int main(void) { int s = __VERIFIER_nondet_int(); int x = 1 << (s & 7); return x / s; }";
    let case = Case::new("elsewhere", text);
    let properties = ["--property", "shift,division"];
    let (code, said) = case.check(&properties);
    assert_eq!(code, Some(10), "{said}");
    let saved = case.saved();
    let (head, _) = saved.split_once("(choices").unwrap();
    std::fs::write(&case.evidence, format!("{head}(unknown \"not decided\")))\n")).unwrap();
    let (code, said) = case.verify(&properties);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.starts_with("unsafe: division by zero at "), "{said}");
    assert!(said.contains("1 of 2 places are safe"), "{said}");
}

/// Where all places lie behind what is not modelled, the lowering lists none: that is no proof that there are
/// none, and a violation there contradicts nothing.
#[test]
fn places_behind_what_is_not_modelled_are_not_safe() {
    let text = "int __VERIFIER_nondet_int(void);
        int main(void) {
            int s = __VERIFIER_nondet_int(), *p;
            __asm__(\"\" : \"=r\"(p));
            return s == 20481 ? 5 / (s - 20481) : 0;
        }";
    let case = Case::new("behind", text);
    let (code, said) = case.check(&["--property", "division", "--engine", "bmc"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.starts_with("unknown: an execution leaves what is modelled"), "{said}");
    let (code, said) = case.check(&["--property", "division"]);
    assert!(matches!(code, Some(5 | 10)), "{said}");
}

#[test]
fn what_could_not_be_repeated_may_be_unknown() {
    let text = "extern void reach_error(void); extern int *get(void);
        int main(void) { int *p = get(); if (p && *p == 4711) reach_error(); return 0; }";
    let case = Case::new("unnamed", text);
    let (code, said) = case.check(&["--engine", "bmc"]);
    assert_eq!(code, Some(10), "{said}");
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("not repeated in C: "), "{said}");
    let (code, said) = case.verify(&["--unreplayed", "unknown"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("could not be repeated in C"), "{said}");
}

#[test]
fn assumptions_are_listed() {
    let text =
        "int nd(void); void reach_error(void); int main(void) { if (nd() == 77) reach_error(); return 0; }";
    let case = Case::new("assumptions", text);
    let (code, said) = case.check(&["--engine", "bmc"]);
    assert_eq!(code, Some(10), "{said}");
    let assumption =
        said.lines().find(|line| line.starts_with("assuming: `nd` has no body")).unwrap().to_owned();
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.lines().any(|line| line == assumption), "{said}");
    let (_, said) = case.verify(&["--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["assumptions"][0]["kind"], "unknown-function", "{said:#}");
}

/// An execution that says how long it is must not be longer.
#[test]
fn the_number_of_steps_counts() {
    let text =
        "void reach_error(void); int main(void) { int i = 0; while (i < 9) i++; reach_error(); return 0; }";
    let case = Case::new("steps", text);
    let (code, said) = case.check(&["--engine", "run"]);
    assert_eq!(code, Some(10), "{said}");
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(10), "{said}");
    let saved = case.saved();
    let start = saved.find("(steps ").unwrap();
    let end = start + saved[start..].find(')').unwrap();
    case.change(&saved[start..end], "(steps 3");
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("more than the 3 it says"), "{said}");
}

#[test]
fn options_that_change_the_meaning_are_compared() {
    // Undefined behaviour is an error only where it is asked for.
    let divides =
        "extern int __VERIFIER_nondet_int(void); int main(void) { return 10 / __VERIFIER_nondet_int(); }";
    let case = Case::new("undefined", divides);
    let (code, said) = case.check(&["--check-undefined", "--engine", "bmc"]);
    assert_eq!(code, Some(10), "{said}");
    assert_eq!(case.verify(&["--check-undefined"]).0, Some(10));
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("made with `--property assert,"), "{said}");
    // Answers about places are no answer to the one question, nor the other way.
    let case = Case::new("defined", LOCK);
    assert_eq!(case.check(&["--check-undefined", "--engine", "ic3cfa"]).0, Some(0));
    assert_eq!(case.verify(&[]).0, Some(2));
    assert_eq!(case.verify(&["--check-undefined"]).0, Some(0));
    assert_eq!(case.check(&["--engine", "ic3cfa"]).0, Some(0));
    let (code, said) = case.verify(&["--check-undefined"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = case.verify(&["--32"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("made with `--64`"), "{said}");
    // Bounds are the evidence's to say.
    case.change("(recursion 4)", "(recursion 5)");
    assert_eq!(case.verify(&[]).0, Some(0), "the program has no recursion");
    case.change("(recursion 5)", "(recursion 5) (moon full)");
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("`(moon full)`"), "{said}");
}

#[test]
fn evidence_of_a_changed_program_is_refused() {
    let case = Case::new("changed", LOCK);
    assert_eq!(case.check(&["--engine", "ic3cfa"]).0, Some(0));
    // Spaces and comments change nothing.
    std::fs::write(&case.program, LOCK.replace("int locked", "int /* or not */  locked")).unwrap();
    assert_eq!(case.verify(&[]).0, Some(0));
    std::fs::write(&case.program, LOCK.replace("locked = 0;\n    }", "locked = 2;\n    }")).unwrap();
    let (code, said) = case.verify(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("about another program"), "{said}");
}

#[test]
fn executions_found_by_running_have_a_header_too() {
    let text = "extern void reach_error(void); int main(void) { reach_error(); return 0; }";
    let case = Case::new("choices", text);
    let (code, said) = case.check(&[]);
    assert_eq!(code, Some(10), "{said}");
    assert!(case.saved().contains("\n(choices)\n"), "{}", case.saved());
    assert_eq!(case.verify(&[]).0, Some(10));
    // It has no choices, and can be run all the same.
    assert_eq!(nilas(&["run", &case.program, "--choices", &case.evidence]).0, Some(10));
    std::fs::write(&case.program, "int main(void) { return 0; }").unwrap();
    assert_eq!(case.verify(&[]).0, Some(2));
}

#[test]
fn an_automaton_has_no_choices() {
    let automaton = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fig2.cfa");
    let folder = folder("automaton");
    let evidence = folder.join("evidence");
    std::fs::write(&evidence, "(choices)").unwrap();
    let (code, said) = nilas(&["verify-evidence", automaton.to_str().unwrap(), evidence.to_str().unwrap()]);
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(code, Some(2), "{said}");
}
