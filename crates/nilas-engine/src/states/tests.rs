//! Machines that are listed, both verdicts, and what is given up.

use crate::{Report, Settings, Silent, Unknown, Verdict, verify};
use nilas_evidence::Evidence;
use nilas_program::parse_program;
use nilas_smt::Budget;

fn report(text: &str) -> Report {
    let program = parse_program(text).expect("a program of this test");
    let engine = "states".parse().expect("the engine");
    let settings = Settings::of(&["states.least-arcs=0"]).expect("a setting of the engine");
    verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent)
}

fn verdict(text: &str) -> Verdict {
    report(text).verdict
}

/// A loop whose body is a chain of `count` branches, each for a state and an input; `n` is counted up and
/// cut.
fn machine(count: usize) -> String {
    let locations: Vec<String> = (0..=count).map(|number| format!("c{number}")).collect();
    let branch = |number: usize| {
        let (state, next) = (number / 2 % 20 + 1, number / 2 % 20 + 2);
        let input = number % 2 + 1;
        let next = if next == 21 || input == 2 { 1 } else { next };
        format!(
            "c{number} -> b {{ assume s == {state} && i == {input} && n <=s 150; s := {next}; \
             n := ((n * 9) /s 10) + {state} }} c{number} -> c{} {{ assume !(s == {state} && i == {input} && n <=s 150) }} ",
            number + 1
        )
    };
    let branches: String = (0..count).map(branch).collect();
    format!(
        "var s, n, i : bv32 entry a error e location a, b, {}, e a -> b {{ s := 1; n := 100 }} \
         b -> c0 {{ havoc i }} {branches} c{count} -> b {{ n := n %s 20 }} \
         b -> e {{ assume s == 22 }} b -> e {{ assume n <=s -300 }}",
        locations.join(", ")
    )
}

#[test]
fn a_long_chain_of_branches_is_listed() {
    let text = machine(80);
    let report = report(&text);
    let Verdict::Safe(Evidence::Invariant(invariant)) = &report.verdict else {
        panic!("{:?}", report.verdict)
    };
    assert!(invariant.formulas.len() > 3, "formulas between loop heads");
    assert!(report.counters["states"] >= 20, "{:?}", report.counters);
    // The state before the last one is reached after 18 rounds.
    let wrong = text.replace("s == 22", "s == 19 && n <=s 150");
    assert!(matches!(verdict(&wrong), Verdict::Unsafe(Evidence::Execution(_))));
}

/// Sums wrap: what lies behind is found by the solver, not by bounds.
#[test]
fn wrapped_sums_are_no_gap() {
    let text = "var x, s : bv8 entry a error e location a, b, e a -> b { havoc x; assume 100 <=s x; s := 0 } \
         b -> b { assume s == 0 && 100 <=s x; x := x + 100; s := 1 } b -> e { assume s == 1 && 0 <=s x }";
    assert!(matches!(verdict(text), Verdict::Safe(_)));
    let wrong = text.replace("0 <=s x }", "x == -56 }");
    assert!(matches!(verdict(&wrong), Verdict::Unsafe(_)));
}

/// The bounds of the product hold values that it does not have: exact classes exclude them.
#[test]
fn what_bounds_allow_is_asked_again() {
    let text = "var x, y : bv16 entry a error e location a, b, c, e a -> b { havoc x; assume 0 <=s x && x <=s 9 } \
         b -> c { y := x * 2 } c -> e { assume y == 7 }";
    assert!(matches!(verdict(text), Verdict::Safe(_)));
    let wrong = text.replace("y == 7", "y == 8");
    assert!(matches!(verdict(&wrong), Verdict::Unsafe(_)));
}

/// The class of `x` at first holds many values, of which it has one: that is followed, and classes are cut.
#[test]
fn values_are_followed_where_classes_are_too_wide() {
    let text = "var x, s : bv32 entry a error e location a, b, e a -> b { x := -49; s := 0 } \
         b -> b { assume s == 0 && x <s 0; x := (x %s 20) - 100; s := 1 } \
         b -> b { assume s == 1 && x <s 0; x := (x + 200) * 3; s := 2 } b -> e { assume s == 2 && x <s 200 }";
    let report = report(text);
    assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
    assert!(report.counters["refinements"] > 0);
    let wrong = text.replace("x <s 200", "x <s 274");
    assert!(matches!(verdict(&wrong), Verdict::Unsafe(_)));
}

/// Variables that are compared with each other: the path is none, and no class says so.
#[test]
fn what_classes_do_not_tell_is_unknown() {
    let text = "var x : bv8 entry a error e location a, b, e a -> b { x := 0 } \
         b -> b { x := x + 2 } b -> e { assume x == 9 }";
    assert!(matches!(verdict(text), Verdict::Unknown(Unknown::Inapplicable(_))));
}

/// Conditions that no table answers, and variables that are Boolean.
#[test]
fn open_conditions_and_booleans() {
    let text = "var x, y : bv8 var p : bool entry a error e location a, b, c, e a -> b { x := 3; y := 5; p := false } \
         b -> b { assume x + y == 8 && !p; x := 3; p := true } b -> c { assume p } c -> e { assume x == 5 || y == 3 }";
    assert!(matches!(verdict(text), Verdict::Safe(_)));
    let wrong = text.replace("y == 3", "p");
    assert!(matches!(verdict(&wrong), Verdict::Unsafe(_)));
}

/// An execution to what is not modelled is no proof.
#[test]
fn unmodelled_is_no_proof() {
    let text = "var x : bv8 entry a error e unmodelled u location a, b, e, u a -> b { havoc x } \
         b -> u { assume x == 3 } b -> e { assume x == 4 && x == 5 }";
    assert!(matches!(verdict(text), Verdict::Unknown(Unknown::Unmodelled { .. })));
}
