//! Limits end the front end, too: nothing is abandoned, and the answer says where the time went.

#![allow(clippy::unwrap_used)]

use nilas_check::{Cause, Language, LimitOptions, Options, Silent, Standing, Task, Text, check, verify};
use std::fmt::Write;
use std::time::Duration;

/// A program that takes long to read: many functions that call each other.
fn large() -> Task {
    let mut text = String::from("extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n");
    for number in 0..2000 {
        let callee =
            if number == 0 { "__VERIFIER_nondet_int()".into() } else { format!("f{}(x)", number / 2) };
        let body = format!("for (int i = 0; i < x; i++) {{ if (i == {number}) x += {callee}; }} return x;");
        let _ = writeln!(text, "static int f{number}(int x) {{ {body} }}");
    }
    text.push_str("int main(void) { if (f1999(__VERIFIER_nondet_int()) == 12) reach_error(); return 0; }\n");
    Task::of_c_text("large.c", &text, Language::default())
}

fn short() -> Options {
    let limits = LimitOptions { time: Some(Duration::from_millis(1)), ..LimitOptions::default() };
    Options { limits, ..Options::default() }
}

#[test]
fn reading_ends_with_the_time() {
    let answer = check(&large(), &short(), &mut Silent).unwrap();
    let why = answer.reason().unwrap();
    assert_eq!((answer.standing(), why.cause), (Standing::Unknown, Cause::Time));
    assert_eq!(why.text, "time limit reached while the program was read");
    assert!(answer.input.is_none() && answer.evidence_file().is_none());
}

#[test]
fn reading_for_evidence_ends_with_the_time() {
    let evidence = Text::Given { name: "e".into(), bytes: b"(run)\n".to_vec() };
    let verified = verify(&large(), &evidence, &short()).unwrap();
    assert_eq!(verified.standing, Standing::Unknown);
    assert_eq!(verified.why.as_deref(), Some("time limit reached while the program was read"));
}
