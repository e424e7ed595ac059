//! Linear forms: what follows from differences, and from branches of choices.

#![allow(clippy::unwrap_used)]

use nilas_icp::{Icp, Options};
use nilas_smt::script::{self, run_script};
use nilas_smt::{Budget, Solver};

fn icp() -> Box<dyn Solver> {
    Box::new(Icp::new(Options { hand_over: false, patience: 20_000 }))
}

/// The answer of intervals alone about formulas over two floats in single precision and a truth value.
fn answer(formulas: &[&str]) -> String {
    let mut text =
        String::from("(declare-const x (_ FloatingPoint 8 24))(declare-const y (_ FloatingPoint 8 24))");
    text.push_str("(declare-const c Bool)");
    for formula in formulas {
        text.push_str(&format!("(assert {formula})"));
    }
    text.push_str("(check-sat)");
    let budget = Budget { conflicts: Some(2_000), ..Budget::default() };
    let options = script::Options { budget, solver: icp, ..script::Options::default() };
    let mut output = Vec::new();
    run_script(&text, &options, &mut output).unwrap();
    String::from_utf8(output).unwrap().trim().to_owned()
}

const BOUNDED: &str = "(and (fp.leq ((_ to_fp 8 24) RNE (- 100.0)) x) (fp.leq x ((_ to_fp 8 24) RNE 100.0)) \
                       (fp.leq ((_ to_fp 8 24) RNE (- 100.0)) y) (fp.leq y ((_ to_fp 8 24) RNE 100.0)))";

/// What is known of `x - y` is used for `0.5 x - 0.5 y`, also where `x` is a branch of a choice.
#[test]
fn differences_are_used() {
    let near = "(fp.leq (fp.sub RNE x y) ((_ to_fp 8 24) RNE 1.0))";
    let half = "((_ to_fp 8 24) RNE 0.5)";
    let far = format!("(fp.lt {half} (fp.sub RNE (fp.mul RNE {half} x) (fp.mul RNE {half} y)))");
    assert_eq!(answer(&[BOUNDED, &far]), "sat");
    let more = far.replacen(half, "((_ to_fp 8 24) RNE 0.51)", 1);
    assert_eq!(answer(&[BOUNDED, near, &more]), "unsat");
    assert_eq!(answer(&[BOUNDED, &more, near]), "unsat");
    let chosen = more.replace(&format!("(fp.mul RNE {half} x)"), &format!("(ite c (fp.mul RNE {half} x) y)"));
    assert_eq!(answer(&[BOUNDED, near, "c", &chosen]), "unsat");
}

/// A branch that is infinite is no number.
#[test]
fn infinite_branches() {
    let infinite = "(fp.lt ((_ to_fp 8 24) RNE 1000.0) \
                    (fp.add RNE (ite c x (_ +oo 8 24)) (fp.mul RNE x ((_ to_fp 8 24) RNE 0.25))))";
    assert_eq!(answer(&[BOUNDED, "(not c)", infinite]), "sat");
    assert_eq!(answer(&[BOUNDED, "c", infinite]), "unsat");
}
