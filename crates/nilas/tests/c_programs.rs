//! What `nilas check` says about C programs beyond safe and unsafe: what is not known is not claimed.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn check(name: &str, text: &str, more: &[&str]) -> Output {
    let path = std::env::temp_dir().join(format!("nilas-{name}-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["check", "--timeout", "60"])
        .args(more)
        .arg(&path)
        .output()
        .unwrap();
    std::fs::remove_file(path).unwrap();
    output
}

#[track_caller]
fn says(name: &str, text: &str, code: i32, words: &str) {
    let output = check(name, text, &[]);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}: {said}");
    assert!(said.contains(words), "`{words}` in: {said}");
}

/// An execution to the error exists only because nobody knows what `sin` returns.
#[test]
fn results_of_library_functions_are_not_chosen() {
    let text = "double sin(double); void reach_error(void);
                int main(void) { double x = sin(0.0); if (x != 0.0) reach_error(); return 0; }";
    says("sin", text, 5, "`sin` of the C library");
    // A function that nobody knows may return anything.
    says("unknown", &text.replace("sin", "measure"), 10, "input measure()");
}

#[test]
fn proofs_that_say_nothing_are_not_given() {
    let text = "void reach_error(void); int a[3];
                int main(void) { int s = 0; for (int i = 0; i <= 3; i++) s += a[i]; if (s) reach_error(); return 0; }";
    says("vacuous", text, 5, "undefined behaviour (access out of bounds");
    says("defined", &text.replace("<=", "<"), 0, "safe");
}

#[test]
fn what_is_not_modelled_has_a_name_and_a_line() {
    let text =
        "int setjmp(void *); void reach_error(void); int b[9];\nint main(void) {\n  return setjmp(b);\n}";
    says("setjmp", text, 5, ":3: return setjmp(b);");
}

#[test]
fn bad_programs_are_refused_with_a_caret() {
    says("type", "int main(void) { return y; }", 2, ":1:25: error: `y` is not declared");
    says("syntax", "int main(void) { return 1 }", 2, "^");
    let output =
        check("model", "int main(void) { _Static_assert(sizeof(long) == 4, \"\"); return 0; }", &["--32"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Deeper recursion than the lowering starts with; a bound that is raised finds the error.
#[test]
fn bounds_are_raised() {
    let text = "void reach_error(void); int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
                int main(void) { if (depth(40) == 40) reach_error(); return 0; }";
    says("recursion", text, 10, "unsafe");
}
