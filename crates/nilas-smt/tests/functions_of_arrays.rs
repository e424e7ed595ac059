//! Functions whose arguments are arrays: equal arrays have equal results, and no others need to.

#![allow(clippy::unwrap_used)]

use nilas_smt::script::{Options, run_script};

const HEAD: &str = "(set-logic QF_AUFBV)
(define-sort A () (Array (_ BitVec 2) (_ BitVec 2)))
(declare-fun f (A) (_ BitVec 2))
(declare-fun g (A (_ BitVec 2) A) Bool)
(declare-fun a () A) (declare-fun b () A) (declare-fun c () A)
(declare-fun i () (_ BitVec 2)) (declare-fun j () (_ BitVec 2))
";

/// The answer to a script, which must come without a complaint; models are checked by the script itself.
#[track_caller]
fn check(assertions: &str, expected: &str) {
    let text = format!("{HEAD}{assertions}\n(check-sat)\n");
    let mut output = Vec::new();
    let outcome = run_script(&text, &Options::default(), &mut output).unwrap();
    let said = String::from_utf8(output).unwrap();
    assert_eq!((said.trim(), outcome.wrong_models, outcome.errors), (expected, 0, 0), "{assertions}");
}

#[test]
fn different_arrays_may_have_different_results() {
    check("(assert (distinct (f a) (f b)))", "sat");
    check("(assert (distinct (f a) (f b) (f c)))", "sat");
    check("(assert (distinct (f a) (f (store a i j))))", "sat");
    check("(assert (distinct (f ((as const A) #b00)) (f ((as const A) #b01))))", "sat");
    check("(assert (g a i b)) (assert (not (g b i a)))", "sat");
}

#[test]
fn equal_arrays_have_equal_results() {
    check("(assert (= a b)) (assert (distinct (f a) (f b)))", "unsat");
    check("(assert (= a b)) (assert (= b c)) (assert (distinct (f a) (f c)))", "unsat");
    check("(assert (distinct (f a) (f (store a i (select a i)))))", "unsat");
    check("(assert (= i j)) (assert (g a i b)) (assert (not (g a j b)))", "unsat");
    // Equal in content, not by name.
    let content = "(assert (= (select a #b00) (select b #b00))) (assert (= (select a #b01) (select b #b01)))
        (assert (= (select a #b10) (select b #b10))) (assert (= (select a #b11) (select b #b11)))";
    check(&format!("{content} (assert (distinct (f a) (f b)))"), "unsat");
    check(&format!("{content} (assert (distinct (f a) (f c)))"), "sat");
}

#[test]
fn more_results_than_values_need_an_equal_pair() {
    // Five arrays cannot have five different results of two bits.
    let more = "(declare-fun d () A) (declare-fun e () A)";
    check(&format!("{more} (assert (distinct (f a) (f b) (f c) (f d)))"), "sat");
    check(&format!("{more} (assert (distinct (f a) (f b) (f c) (f d) (f e)))"), "unsat");
}

/// A function that gives arrays is not decided, which is better than a guess.
#[test]
fn results_that_are_arrays_are_refused() {
    check("(declare-fun h (A) A) (assert (distinct (h a) (h b)))", "unknown");
}
