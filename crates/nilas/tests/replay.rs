//! The second reading of C behind verdicts: programs are run, executions are repeated, and their choices are
//! evidence.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::PathBuf;
use std::process::Command;

/// Exit code and standard output of `nilas`.
fn nilas(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_nilas")).args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nilas-replay-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

const EXACT: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void check(int x, int y, int u) {
    if (x == 12345 && y == x + 7 && u == 99) reach_error();
}
int main(void) {
    int u;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    check(x, y, u);
    return 0;
}
";

#[test]
fn an_execution_of_an_engine_is_repeated() {
    let program = file("exact.c", EXACT);
    let evidence = file("exact.evidence", "");
    let (code, said) = nilas(&[
        "check",
        "--engine",
        "bmc",
        program.to_str().unwrap(),
        "--evidence",
        evidence.to_str().unwrap(),
    ]);
    assert_eq!(code, 10, "{said}");
    assert!(said.contains("repeated in C:"), "{said}");
    assert!(said.contains("check(x = 12345, y = 12352, u = 99):\n"), "{said}");
    let choices = std::fs::read_to_string(&evidence).unwrap();
    assert!(choices.contains("; choice uninitialised"), "{choices}");
    let (code, _) = nilas(&["run", program.to_str().unwrap(), "--choices", evidence.to_str().unwrap()]);
    assert_eq!(code, 10, "the choices of the evidence reach the error");
    let (code, said) = nilas(&["verify-evidence", program.to_str().unwrap(), evidence.to_str().unwrap()]);
    assert_eq!(code, 10, "{said}");
}

#[test]
fn an_execution_is_found_by_running_the_program() {
    let program = file(
        "found.c",
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) { if (!__VERIFIER_nondet_int()) reach_error(); return 0; }\n",
    );
    let evidence = file("found.choices", "");
    let (code, said) = nilas(&["check", program.to_str().unwrap(), "--evidence", evidence.to_str().unwrap()]);
    assert_eq!(code, 10, "{said}");
    assert!(
        said.starts_with("unsafe: `reach_error` is called at ") && said.contains("found by: execution"),
        "{said}"
    );
    let (code, said) = nilas(&["verify-evidence", program.to_str().unwrap(), evidence.to_str().unwrap()]);
    assert_eq!(code, 10, "{said}");
    let other = file("other.c", "int main(void) { return 0; }\n");
    let (code, said) = nilas(&["verify-evidence", other.to_str().unwrap(), evidence.to_str().unwrap()]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn what_rests_on_where_objects_lie_is_no_error() {
    let program = file(
        "layout.c",
        "#include <stdint.h>\nextern void reach_error(void);\nint x;\n\
         int main(void) { if ((uintptr_t)&x >> 8 & 1) reach_error(); return 0; }\n",
    );
    let (code, said) = nilas(&["check", program.to_str().unwrap()]);
    assert_eq!(code, 5, "{said}");
}

#[test]
fn what_cannot_be_repeated_may_be_unknown() {
    // What a pointer of unknown origin points to has no name in C.
    let program = file(
        "unnamed.c",
        "extern void reach_error(void);\nextern int *get(void);\n\
         int main(void) { int *p = get(); if (p && *p == 4711) reach_error(); return 0; }\n",
    );
    let path = program.to_str().unwrap();
    let (code, said) = nilas(&["check", "--engine", "bmc", path]);
    assert_eq!(code, 10, "{said}");
    assert!(said.contains("not repeated in C:"), "{said}");
    let (code, said) = nilas(&["check", "--engine", "bmc", "--unreplayed", "unknown", path]);
    assert_eq!(code, 5, "{said}");
}

/// The invariants of a proof are looked at while it is challenged, and hold.
#[test]
fn invariants_are_watched() {
    let program = file(
        "watched.c",
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         int main(void) {
             int n = __VERIFIER_nondet_int(), i = 0, s = 0;
             if (n < 0 || n > 1000) return 0;
             while (i < n) { i++; s += 2; }
             if (s != 2 * i) reach_error();
             return 0;
         }",
    );
    let (code, said) = nilas(&["check", "--engine", "ic3cfa", "--stats", program.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let count = |name: &str| -> u64 {
        let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("no `{name}` in {said}")).trim().parse().unwrap()
    };
    assert!(count("conjuncts watched") > 0 && count("looks at conjuncts") > 0, "{said}");
    assert_eq!(count("leads"), 0, "{said}");
    std::fs::remove_file(program).unwrap();
}

/// The automaton does not tell in which order it read inputs and objects: the one that explains it is found.
#[test]
fn orders_of_operands_are_found() {
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); static int x = 1;";
    let programs = [
        (
            "inputs",
            "static int f(void) { return __VERIFIER_nondet_int(); }",
            "f() - 2 * f() == 77 && f() / 3 - f() == 9",
        ),
        ("object", "static int f(void) { x = 5; return 10; }", "x + f() == 15 && f() + x == 15"),
        ("early", "static int f(void) { x = 5; return 10; }", "x + f() == 11"),
        ("late", "static int f(void) { x = 5; return 10; }", "f() + x == 11"),
    ];
    for (name, function, condition) in programs {
        let text =
            format!("{head} {function}\nint main(void) {{ if ({condition}) reach_error(); return 0; }}\n");
        let program = file(&format!("order-{name}.c"), &text);
        let (code, said) = nilas(&["check", "--engine", "bmc", program.to_str().unwrap()]);
        assert_eq!(code, 10, "{name}: {said}");
        assert!(said.contains("repeated in C:") && !said.contains("not repeated"), "{name}: {said}");
        std::fs::remove_file(program).unwrap();
    }
}

/// Inputs in the models of an engine take executions where random ones do not get.
#[test]
fn models_of_engines_lead_to_branches() {
    let program = file(
        "models.c",
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         int main(void) {
             int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), i = 5;
             if (x * 7 == 1246 * y + 3 && y > 100) {
                 while (i < x) i++;
                 if (i == x * 2 && x > 5) reach_error();
             }
             return 0;
         }",
    );
    let (code, said) = nilas(&["check", "--engine", "ic3cfa", "--stats", program.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let line = said.lines().find_map(|line| line.trim().strip_prefix("executions by models of engines"));
    assert!(line.is_some_and(|count| count.trim() != "0"), "{said}");
    std::fs::remove_file(program).unwrap();
}
