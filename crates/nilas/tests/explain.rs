//! `nilas check --explain` tells what engines did, in the user's terms.

#![allow(clippy::unwrap_used)]

use serde_json::Value as Json;
use std::process::Command;

const EVEN: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int count(int n) {
  int y = 0, z = 0;
  while (n > 0) {
    n = n - 1;
    y = y + 2;
    z = z + 4;
  }
  return y;
}
int main(void) {
  if (count(__VERIFIER_nondet_int()) % 2 != 0) reach_error();
  return 0;
}
";

const BUG: &str = "extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int unused = __VERIFIER_nondet_int();
  if (x == 77) reach_error();
  return unused;
}
";

const FIXED: &str = "void reach_error(void);
int main(void) {
  int x = 0;
  while (x < 5) x = x + 1;
  if (x != 5) reach_error();
  return 0;
}
";

/// What is printed for a C program, and its exit code.
fn check(name: &str, text: &str, options: &[&str]) -> (i32, String) {
    let path = std::env::temp_dir().join(format!("nilas-explain-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let nilas = env!("CARGO_BIN_EXE_nilas");
    let output = Command::new(nilas).args(["check", "--explain"]).arg(&path).args(options).output().unwrap();
    let _ = std::fs::remove_file(&path);
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[track_caller]
fn contains(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn what_carries_a_proof_is_told() {
    let (code, said) = check("even", EVEN, &["--engine", "ic3cfa"]);
    assert_eq!(code, 0, "{said}");
    contains(
        &said,
        &["The engine `ic3cfa` goes back from the error", " frames, ", ":5 in count (`while (n > 0) {`)"],
    );
    contains(&said, &["What carries the proof: 1 fact,", "\n      y % 2 == 0\n"]);
    let facts = said.split("What carries the proof").nth(1).unwrap();
    assert!(!facts.contains('z'), "z has nothing to do with it\n{said}");
}

#[test]
fn which_inputs_decide_is_told() {
    for engine in ["ic3cfa", "bmc"] {
        let (code, said) = check(&format!("bug-{engine}"), BUG, &["--engine", engine]);
        assert_eq!(code, 10, "{said}");
        contains(
            &said,
            &[
                "__VERIFIER_nondet_int() (line 4) = 77; with 0, and all else the same",
                "1 input: the other values",
            ],
        );
    }
}

#[test]
fn every_engine_is_explained() {
    for (engine, part) in [
        ("run", "The only execution there is was run to its end"),
        ("bmc", "All executions were followed as far as"),
        ("ic3cfa", "The engine `ic3cfa`"),
    ] {
        let (code, said) = check(&format!("fixed-{engine}"), FIXED, &["--engine", engine]);
        assert_eq!(code, 0, "{said}");
        contains(&said, &["explanation:", "How far it came: ", part]);
    }
    // Of several engines, the one that decided.
    let (code, said) = check("fixed", FIXED, &[]);
    assert_eq!(code, 0, "{said}");
    contains(&said, &["found by: run", "The engine `run`"]);
}

#[test]
fn explanations_are_in_json_too() {
    let read = |text: &str, options: &[&str]| -> Json {
        let (_, said) = check("json", text, &[&["--json"], options].concat());
        serde_json::from_str(&said).unwrap()
    };
    let proof = read(EVEN, &["--engine", "ic3cfa"]);
    let explanation = &proof["explanation"];
    assert_eq!(explanation["engine"], "ic3cfa", "{proof:#}");
    assert_eq!(explanation["finding"]["kind"], "proof", "{proof:#}");
    assert_eq!(explanation["finding"]["facts"][0]["function"], "count", "{proof:#}");
    assert_eq!(explanation["finding"]["facts"][0]["formulas"][0], "y % 2 == 0", "{proof:#}");
    assert!(explanation["reach"]["solver calls"].as_u64().unwrap() > 0, "{proof:#}");
    let bug = read(BUG, &[]);
    assert_eq!(bug["explanation"]["finding"]["inputs"][0]["decides"], true, "{bug:#}");
    assert_eq!(bug["explanation"]["finding"]["inputs"][1]["decides"], false, "{bug:#}");
    let (_, plain) = check("quiet", FIXED, &["--engine", "run", "--json"]);
    assert!(plain.contains("\"explanation\""), "{plain}");
}
