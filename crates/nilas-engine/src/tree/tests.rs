//! Small automata of both verdicts, with the tree checked after every step and the evidence accepted.

use super::{Settings, Variant, tree};
use crate::observer::{Counters, Silent};
use crate::outcome::{Outcome, Proof, Unknown};
use nilas_evidence::{Evidence, Verdict};
use nilas_program::parse_program;
use nilas_smt::Budget;

const VARIANTS: [Variant; 4] =
    [Variant::TreeIc3, Variant::TreeIc3Itp, Variant::TreeIc3ItpMono, Variant::TreeItp];

/// What a variant says of an automaton, as it is, without passes. Evidence must be accepted.
#[track_caller]
fn run(variant: Variant, text: &str) -> (&'static str, Counters) {
    let program = parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("text", text)));
    let settings = Settings { check_tree: true, ..Settings::default() };
    let (outcome, counters) = tree(&program, variant, settings, &Budget::unlimited(), &mut Silent);
    let (evidence, expected) = match outcome {
        Outcome::Safe(Proof::Invariant(invariant)) => (Evidence::Invariant(invariant), Verdict::Safe),
        Outcome::Unsafe(execution) => (Evidence::Execution(execution), Verdict::Unsafe),
        Outcome::Unknown(Unknown::Unmodelled { execution, .. }) => {
            (Evidence::Execution(*execution), Verdict::Unmodelled)
        }
        other => panic!("{variant:?}: {other:?}"),
    };
    let said = nilas_evidence::check(&program, &evidence, &Budget::unlimited());
    assert_eq!(said.as_ref().ok(), Some(&expected), "{variant:?}: {said:?}\n{evidence:?}");
    let verdict = match expected {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unmodelled => "unmodelled",
    };
    (verdict, counters)
}

#[track_caller]
fn check(text: &str, verdict: &str) -> Vec<Counters> {
    let runs = VARIANTS.into_iter().map(|variant| {
        let (said, counters) = run(variant, text);
        assert_eq!(said, verdict, "{variant:?}: {counters:?}");
        counters
    });
    runs.collect()
}

/// Two loops, one in the other: the outer one is strengthened over a path with the inner one on it.
const NESTED: &str = "var x, y, z : bv8 entry i error e location i, a, b, e i -> a { x := 0; z := 1 } \
     a -> b { assume x <u 5; y := 0 } b -> b { assume y <u 3; y := y + 1 } b -> a { assume y == 3; x := x + 1 } \
     a -> e { assume x >u 5 || z != 1 }";

#[test]
fn nested_loops_are_closed_by_strengthening() {
    for counters in check(NESTED, "safe") {
        assert!(counters["coverings"] > 0 && counters["nodes"] < 80, "{counters:?}");
        assert!(counters["clauses by strengthening"] > 0, "{counters:?}");
    }
    // The same with the bound missed by one.
    check(&NESTED.replace("x >u 5", "x >u 4"), "unsafe");
}

#[test]
fn interpolants_are_used() {
    let [none, itp, mono, lazy] = &check(NESTED, "safe")[..] else { panic!("four variants") };
    assert_eq!(none["interpolants used"], 0);
    for counters in [itp, mono, lazy] {
        assert!(counters["interpolants used"] > 0, "{counters:?}");
    }
}

#[test]
fn a_counterexample_is_as_long_as_its_path() {
    for counters in check(
        "var x : bv8 entry i error e location i, a, e i -> a { x := 0 } a -> a { x := x + 3 } a -> e { assume x == 21 }",
        "unsafe",
    ) {
        assert_eq!(counters["depth"], 8, "{counters:?}");
    }
}

#[test]
fn inputs_are_chosen() {
    check(
        "var x, y : bv8 entry i error e location i, a, b, e i -> a { havoc x; assume x <u 9; y := x } a -> b { havoc y; y := y + x } \
         b -> a { skip } b -> e { assume y == 77 && x == 5 }",
        "unsafe",
    );
    check(
        "var x, y : bv8 entry i error e location i, a, b, e i -> a { havoc x; assume x <u 9; y := x } a -> b { havoc y; assume y >u x } \
         b -> a { skip } b -> e { assume y == 7 && x == 7 }",
        "safe",
    );
}

#[test]
fn the_error_is_looked_for_behind_what_is_not_modelled() {
    let text = |error: &str| {
        format!(
            "var x : bv8 entry i error e unmodelled u location i, a, e, u i -> a {{ x := 0 }} a -> a {{ assume x <u 6; x := x + 2 }} \
             a -> u {{ assume x == 2 }} a -> e {{ assume x == {error} }}"
        )
    };
    check(&text("6"), "unsafe");
    check(&text("5"), "unmodelled");
}
