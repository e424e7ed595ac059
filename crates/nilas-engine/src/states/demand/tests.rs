//! Programs of which few variables matter, both verdicts.

use crate::{Report, Settings, Silent, Unknown, Verdict, verify};
use nilas_program::parse_program;
use nilas_smt::Budget;

fn report(text: &str) -> Report {
    let program = parse_program(text).expect("a program of this test");
    let engine = "states".parse().expect("the engine");
    let settings = ["states.least-arcs=0", "states.track=needed"];
    let settings = Settings::of(&settings).expect("settings of the engine");
    verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent)
}

#[track_caller]
fn safe(text: &str) -> Report {
    let report = report(text);
    assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
    report
}

#[track_caller]
fn is_unsafe(text: &str) {
    let report = report(text);
    assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
}

/// A lock that is taken and released in a loop, beside variables that are compared as well.
const LOCK: &str = "var lock, x, y, z : bv32 entry a error e location a, b, c, d, e \
     a -> b { lock := 0; havoc x; havoc y } \
     b -> c { assume lock == 0; lock := 1; havoc z } b -> e { assume lock == 1 } \
     c -> d { assume z == 7; x := x + 1 } c -> d { assume !(z == 7); y := 3 } \
     d -> b { assume lock == 1; lock := 0 } d -> b { assume x == 5 && y == 9 && lock == 0 }";

#[test]
fn only_what_matters_is_tracked() {
    let report = safe(LOCK);
    assert_eq!(report.counters["variables added"], 1, "{:?}", report.counters);
    assert!(report.counters["refinements"] > 0);
    is_unsafe(&LOCK.replace("assume lock == 1; lock := 0 }", "assume lock == 1 }"));
}

/// A class that is told where it is compared comes too late for a copy that was made before.
#[test]
fn copies_of_inputs_agree() {
    let text = "var x, y : bv8 entry a error e location a, b, c, e a -> b { havoc x; y := x } \
         b -> c { assume x == 0 } c -> e { assume !(y == 0) }";
    safe(text);
    is_unsafe(&text.replace("!(y == 0)", "y == 0"));
}

/// A counter has a class for each of its values.
#[test]
fn counters_are_followed() {
    let text = "var i, s : bv32 entry a error e location a, b, c, e a -> b { i := 0; s := 0 } \
         b -> b { assume i <s 20; i := i + 1; s := 1 } b -> c { assume 20 <=s i } c -> e { assume s == 0 }";
    safe(text);
    is_unsafe(&text.replace("s == 0 }", "s == 1 }"));
}

/// Variables that are compared with each other, and bits: the conditions are tracked.
#[test]
fn conditions_are_tracked() {
    let text = "var x, y, s : bv8 entry a error e location a, b, c, d, e a -> b { havoc x; havoc y; s := 0 } \
         b -> c { assume x <u y; s := 1 } b -> c { assume y <=u x } \
         c -> d { assume s == 1 } d -> e { assume y <=u x }";
    safe(text);
    is_unsafe(&text.replace("d -> e { assume y <=u x }", "d -> e { assume x <u y }"));
    let bits = "var x, s : bv8 entry a error e location a, b, c, d, e a -> b { havoc x; s := 0 } \
         b -> c { assume x[2:2] == 1bv1; s := 1 } b -> c { assume !(x[2:2] == 1bv1); s := 2 } \
         c -> d { assume !(s == 2) } d -> e { assume !(x[2:2] == 1bv1) }";
    let bits = bits.replace("x[2:2] == 1bv1", "(x & 4) == 4");
    safe(&bits);
    is_unsafe(&bits.replace("assume !(s == 2)", "assume s == 2"));
}

/// A path that one command alone excludes, of whose variables none is tracked.
#[test]
fn a_contradiction_in_one_condition() {
    safe(
        "var x, y : bv8 entry a error e location a, b, e a -> b { havoc x; havoc y } \
          b -> e { assume x + y == 1 && x + y == 2 }",
    );
}

/// A body that two calls share, asked for the number of the call on the way out. What the second call returns
/// to is not what the first one left.
#[test]
fn calls_of_a_shared_body_go_back() {
    let text = "var call, s, r : bv8 entry a error e location a, m, n, o, in, mid, out, e \
         a -> in { s := 1; call := 1 } in -> mid { havoc r } mid -> out { assume r == 3 } \
         mid -> out { assume !(r == 3); r := 3 } \
         out -> m { assume call == 1 } m -> n { assume s == 1; s := 2 } n -> in { call := 2 } \
         out -> o { assume call == 2 } o -> e { assume s == 1 } o -> e { assume !(r == 3) }";
    safe(text);
    is_unsafe(&text.replace("assume s == 1 }", "assume s == 2 }"));
    is_unsafe(&text.replace("assume !(r == 3); r := 3", "assume !(r == 3)"));
}

#[test]
fn unmodelled_is_no_proof() {
    let text = "var x : bv8 entry a error e unmodelled u location a, b, e, u a -> b { havoc x } \
         b -> u { assume x == 3 } b -> e { assume x == 4 && x == 5 }";
    assert!(matches!(report(text).verdict, Verdict::Unknown(Unknown::Unmodelled { .. })));
}
