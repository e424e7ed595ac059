//! Executions that go on for ever without changing anything are told as such, and no others.
#![allow(clippy::unwrap_used)]

mod kit;

use nilas_run::{End, Options};

fn end(text: &str) -> End {
    let options = Options { steps: 100_000, ..Options::default() };
    kit::run(text, kit::MODELS[0], &options).0.end
}

#[test]
fn a_state_that_comes_again_ends_the_execution() {
    for text in [
        "int main(void) { stop: goto stop; }",
        "int main(void) { while (1) {} }",
        "int main(void) { for (;;) ; }",
        "int main(void) { do ; while (1); }",
        "int main(void) { int i; for (i = 0; i < 9; i++) ; a: goto b; b: goto c; c: goto b; }",
        "void stop(void) { s: goto s; } int main(void) { stop(); return 1; }",
        "void no(void) {} int main(void) { while (1) no(); }",
    ] {
        assert!(matches!(end(text), End::Endless { .. }), "{text}: {:?}", end(text));
    }
}

#[test]
fn what_changes_something_goes_on() {
    for text in [
        "int main(void) { unsigned i = 0; again: if (i++ < 1000) goto again; return 7; }",
        "int x; void f(void) { x++; } int main(void) { while (x < 50) f(); return 7; }",
        "int f(int n) { while (n > 3) return f(n - 1); return 7; } int main(void) { return f(40); }",
        "int main(void) { int k = 0; for (;;) { for (;;) { if (k > 5) break; k++; } if (k > 5) break; } return 7; }",
    ] {
        assert_eq!(end(text), End::Exit(7), "{text}");
    }
    let text = "unsigned char i; int main(void) { while (1) i++; }";
    assert_eq!(end(text), End::OutOfSteps, "{text}");
}
