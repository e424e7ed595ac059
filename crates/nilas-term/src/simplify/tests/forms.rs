//! The normal forms that the module promises, by example.

use crate::arena::Arena;
use crate::smtlib::{parse_term, print_term};
use crate::sort::Sort;

#[track_caller]
fn becomes(text: &str, wanted: &str) {
    let mut arena = Arena::new();
    for (name, width) in [("x", 32), ("y", 32), ("z", 32), ("a", 8), ("b", 8), ("s", 16), ("bit", 1)] {
        arena.variable(name, &Sort::BitVec(width)).unwrap();
    }
    for name in ["p", "q", "r"] {
        arena.variable(name, &Sort::Bool).unwrap();
    }
    let found = parse_term(&mut arena, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = print_term(&arena, found);
    assert_eq!(found, wanted, "from {text}");
}

const ZERO: &str = "#x00000000";
const ONE: &str = "#x00000001";

#[test]
fn comparisons_as_c_makes_them() {
    let flag = format!("(ite (bvslt x y) {ONE} {ZERO})");
    becomes(&format!("(not (= {flag} {ZERO}))"), "(bvslt x y)");
    becomes(&format!("(= {flag} {ONE})"), "(bvslt x y)");
    becomes(&format!("(= {flag} {ZERO})"), "(bvsle y x)");
    let other = format!("(ite (= x z) {ONE} {ZERO})");
    becomes(&format!("(= (bvand {flag} {other}) {ZERO})"), "(or (bvsle y x) (not (= x z)))");
    becomes(&format!("(= (ite (= {flag} {ZERO}) {ONE} {ZERO}) {ZERO})"), "(bvslt x y)");
    becomes("(not (= ((_ zero_extend 24) a) ((_ zero_extend 24) b)))", "(not (= a b))");
    becomes("(bvslt ((_ sign_extend 24) a) #x00000005)", "(bvsle a #x04)");
    becomes("(bvslt ((_ zero_extend 24) a) ((_ zero_extend 16) s))", "(bvult ((_ zero_extend 8) a) s)");
    becomes("(bvult ((_ zero_extend 24) a) #x00000100)", "true");
}

#[test]
fn the_same_bound_meets() {
    for text in
        ["(bvult x #x0000000a)", "(bvule x #x00000009)", "(not (bvugt x #x00000009))", "(bvugt #x0000000a x)"]
    {
        becomes(text, "(bvule x #x00000009)");
    }
    for text in ["(bvsge x #x0000000a)", "(not (bvslt x #x0000000a))", "(bvsgt x #x00000009)"] {
        becomes(text, "(bvsle #x0000000a x)");
    }
    becomes("(bvult #x00000000 x)", "(not (= x #x00000000))");
    becomes("(bvult x #x00000001)", "(= x #x00000000)");
    for text in ["(bvslt x #x00000000)", "(= ((_ extract 31 31) x) #b1)", "(bvuge x #x80000000)"] {
        becomes(text, "(bvsle x #xffffffff)");
    }
}

#[test]
fn sums() {
    becomes("(bvsub (bvadd x #x00000001) #x00000001)", "x");
    becomes("(bvadd (bvadd x #x00000001) #x00000001)", "(bvadd x #x00000002)");
    becomes("(bvadd x (bvneg x))", ZERO);
    becomes("(bvadd x x)", "(bvmul x #x00000002)");
    becomes("(bvshl x #x00000003)", "(bvmul x #x00000008)");
    becomes("(bvsub (bvmul (bvadd x #x00000001) #x00000004) (bvshl x #x00000002))", "#x00000004");
    becomes("(bvadd (bvnot x) #x00000001)", "(bvneg x)");
    becomes("(bvsub (bvneg x) #x00000001)", "(bvnot x)");
    becomes("(bvsub x (bvadd x y))", "(bvneg y)");
    becomes("(= (bvadd x #x00000003) #x00000005)", "(= x #x00000002)");
    becomes("(= (bvsub x y) #x00000000)", "(= x y)");
    becomes("(= (bvneg x) (bvneg y))", "(= x y)");
    becomes("(= (bvnot x) (bvnot y))", "(= x y)");
    becomes("(= y (bvadd x #x00000001))", "(= x (bvadd y #xffffffff))");
    becomes("(= (bvadd y #xffffffff) x)", "(= x (bvadd y #xffffffff))");
    becomes("(= (bvmul x #x00000003) #x00000009)", "(= x #x00000003)");
    becomes(
        "(= (bvmul x #x00000004) #x00000008)",
        "(= ((_ extract 29 0) x) (_ bv2 30))"
            .replace("(_ bv2 30)", "#b000000000000000000000000000010")
            .as_str(),
    );
    becomes("(= (bvmul x #x00000004) #x00000009)", "false");
}

#[test]
fn bytes_and_words() {
    becomes("(bvand x #x000000ff)", "((_ zero_extend 24) ((_ extract 7 0) x))");
    becomes("((_ extract 7 0) (bvadd ((_ sign_extend 24) a) ((_ sign_extend 24) b)))", "(bvadd a b)");
    becomes("((_ extract 7 0) (bvadd x #x00000101))", "(bvadd ((_ extract 7 0) x) #x01)");
    becomes(
        "(bvor (bvshl ((_ zero_extend 24) a) #x00000008) ((_ zero_extend 24) b))",
        "((_ zero_extend 16) (concat a b))",
    );
    becomes("(concat ((_ extract 31 8) x) ((_ extract 7 0) x))", "x");
    becomes("(bvlshr x #x00000008)", "((_ zero_extend 8) ((_ extract 31 8) x))");
    becomes("(bvudiv x #x00000100)", "((_ zero_extend 8) ((_ extract 31 8) x))");
    becomes("(bvurem x #x00000100)", "((_ zero_extend 24) ((_ extract 7 0) x))");
    becomes("(bvsdiv ((_ zero_extend 24) a) #x0000000a)", "((_ zero_extend 24) (bvudiv a #x0a))");
    becomes("(= (bvand x #x00000010) #x00000000)", "(not (= ((_ extract 4 4) x) #b1))");
    becomes("(= (bvxor x y) #x00000000)", "(= x y)");
}

#[test]
fn booleans() {
    becomes("(not (and p q))", "(or (not p) (not q))");
    becomes("(not (or (not p) (bvult x y)))", "(and p (bvule y x))");
    becomes("(and p (or p q))", "p");
    becomes("(and p (or (not p) q))", "(and p q)");
    becomes("(and p q (not p))", "false");
    becomes("(or (bvult x y) (bvule y x))", "true");
    becomes("(xor p q)", "(not (= p q))");
    becomes("(= (not p) q)", "(not (= p q))");
    becomes("(ite (not p) x y)", "(ite p y x)");
    becomes("(ite (bvult x y) x y)", "(ite (bvule y x) y x)");
    becomes("(ite p true q)", "(or p q)");
    becomes("(ite p (ite p x y) z)", "(ite p x z)");
    becomes("(ite p x (ite q x y))", "(ite (or p q) x y)");
    becomes("(= bit #b0)", "(not (= bit #b1))");
}

#[test]
fn products_of_extended_terms() {
    let short = |text: &str| format!("((_ sign_extend 48) {text})");
    becomes(&format!("(bvsle (bvmul {} {}) #x000000007fffffff)", short("s"), short("s")), "true");
    becomes(
        "(bvmul ((_ zero_extend 24) a) ((_ zero_extend 24) b))",
        "((_ zero_extend 16) (bvmul ((_ zero_extend 8) a) ((_ zero_extend 8) b)))",
    );
    becomes(
        "(bvmul ((_ sign_extend 8) a) ((_ sign_extend 8) b))",
        "(bvmul ((_ sign_extend 8) a) ((_ sign_extend 8) b))",
    );
}
