//! IC3 over bounds on small programs, every configuration of table 1, both verdicts.

#![allow(clippy::unwrap_used, missing_docs)]

use nilas_engine::{Settings, Silent, Unknown, Verdict, verify};
use nilas_evidence::Evidence;
use nilas_program::parse_program;
use nilas_smt::Budget;

/// Those of table 1.
const TABLE: [&str; 18] = [
    "ind0",
    "ind0+ld",
    "ind0+ld-once",
    "ind0+ig",
    "ind0+ig+j",
    "ind0+ig+ctg",
    "ind0+ig+ctg+lf",
    "ind0+ig+ctg+j",
    "ind0+ig+ctg+j+lf",
    "ind0+abort",
    "ind0+abort+ig",
    "ind0+abort+ig+ctg+lf",
    "ind2",
    "ind2+ig",
    "ind2+ig+ctg+lf",
    "ind2+abort",
    "ind2+abort+ig",
    "ind2+abort+ig+ctg+lf",
];

fn verdict(text: &str, configuration: &str) -> Verdict {
    let program = parse_program(text).expect("a program of this test");
    let configuration = format!("icp-ic3.configuration={configuration}");
    let settings = Settings::of(&[&configuration, "icp-ic3.max-level=30", "icp-ic3.check=yes"]);
    let settings = settings.expect("settings of the engine");
    let engine = "icp-ic3".parse().expect("the engine");
    verify(&program, engine, &settings, &Budget::unlimited(), &mut Silent).verdict
}

/// Single precision as text.
fn float(value: f32) -> String {
    let bits = format!("{:032b}", value.to_bits());
    format!("(fp #b{} #b{} #b{})", &bits[..1], &bits[1..9], &bits[9..])
}

/// A rate limiter: the output follows an input from -8 to 8 by at most 1 in a step. What is asked is that it
/// stays below a limit.
fn rate_limiter(limit: f32) -> String {
    let [one, eight, least, limit] = [1.0, 8.0, -8.0, limit].map(float);
    format!(
        "var y, x, d : fp(8, 24) entry a error e location a, b, e a -> b {{ y := `(_ +zero 8 24)` }} \
         b -> b {{ havoc x; assume `(and (fp.leq {least} x) (fp.leq x {eight}))`; d := `(fp.sub RNE x y)`; \
         d := `(ite (fp.lt {one} d) {one} (ite (fp.lt d (fp.neg {one})) (fp.neg {one}) d))`; \
         y := `(fp.add RNE y d)` }} b -> e {{ assume `(not (fp.leq y {limit}))` }}"
    )
}

/// A counter of steps beside a float that is reset every fourth step.
fn state_chart(limit: f32) -> String {
    let [two, limit] = [2.0, limit].map(float);
    format!(
        "var n : bv8 var y : fp(8, 24) entry a error e location a, b, e \
         a -> b {{ n := 0; y := `(_ +zero 8 24)` }} \
         b -> b {{ y := (n == 3 ? `(_ +zero 8 24)` : `(fp.add RNE y {two})`); n := (n == 3 ? 0 : n + 1) }} \
         b -> e {{ assume `(fp.lt {limit} y)` }}"
    )
}

#[test]
fn every_configuration_of_table_1_finds_an_execution() {
    for configuration in TABLE {
        let verdict = verdict(&state_chart(5.0), configuration);
        assert!(matches!(verdict, Verdict::Unsafe(Evidence::Execution(_))), "{configuration}: {verdict:?}");
    }
}

#[test]
fn every_configuration_of_table_1_proves_a_state_chart() {
    for configuration in TABLE {
        let verdict = verdict(&state_chart(6.0), configuration);
        assert!(matches!(verdict, Verdict::Safe(Evidence::Invariant(_))), "{configuration}: {verdict:?}");
    }
}

/// Without generalisation that goes further, a step of the limiter has very many predecessors.
#[test]
fn inductive_generalisation_finds_executions_of_a_rate_limiter() {
    for configuration in ["ind0+ig", "ind0+ig+lift"] {
        let verdict = verdict(&rate_limiter(2.5), configuration);
        assert!(matches!(verdict, Verdict::Unsafe(Evidence::Execution(_))), "{configuration}: {verdict:?}");
    }
}

/// With a suffix evidence is k-inductive, with k one more than the suffix is long.
#[test]
fn suffixes_make_k_inductive_evidence() {
    let Verdict::Safe(Evidence::Invariant(invariant)) = verdict(&state_chart(6.0), "ind2") else {
        panic!("a proof expected")
    };
    assert_eq!(invariant.induction.k.get(), 3);
}

/// NaN and the sign of zero are states like others.
#[test]
fn nan_and_negative_zero_are_told_apart() {
    let zero = "(_ +zero 8 24)";
    let program = |kept: &str, asked: &str| {
        format!(
            "var y : fp(8, 24) var n : bv4 entry a error e location a, b, e a -> b {{ havoc y; assume `{kept}`; n := 0 }} \
             b -> b {{ n := n + 1 }} b -> e {{ assume `{asked}` }}"
        )
    };
    for (kept, asked, safe) in [
        ("(fp.isNaN y)", "(fp.eq y y)", true),
        ("(fp.isNaN y)", "(not (fp.eq y y))", false),
        ("(and (fp.isZero y) (fp.isNegative y))", "(fp.isPositive y)", true),
        ("(fp.eq y (_ -zero 8 24))", "(fp.isPositive y)", false),
        (&format!("(not (fp.lt y {zero}))"), "(fp.isNegative y)", false),
        (&format!("(fp.lt {zero} y)"), "(fp.isNegative y)", true),
    ] {
        for configuration in ["ind0", "ind0+ig+ctg+j+lf", "ind2"] {
            let verdict = verdict(&program(kept, asked), configuration);
            let is_right = match &verdict {
                Verdict::Safe(_) => safe,
                Verdict::Unsafe(_) => !safe,
                _ => false,
            };
            assert!(is_right, "{kept} {asked} {configuration}: {verdict:?}");
        }
    }
}

#[test]
fn programs_without_floats_or_with_arrays_are_left_to_others() {
    let text = "var x : bv8 entry a error e location a, e a -> e { assume x == 3 }";
    assert!(matches!(verdict(text, "ind0"), Verdict::Unknown(Unknown::Inapplicable(_))));
}
