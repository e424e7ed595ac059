//! The solvers on PATH through the conformance kit, and what only they decide.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use nilas_smt::pipe::{Features, Found, discover};
use nilas_smt::{Answer, Budget, Solver, conformance};
use nilas_term::{Arena, Sort, Term, Value, smtlib};

/// Runs a test for each solver that has the features.
fn for_each(what: &str, features: Features, test: impl Fn(&Found)) {
    let found = discover();
    if found.is_empty() {
        eprintln!("notice: no solver on PATH, so {what} is not tested");
    }
    for found in found {
        if found.abilities.features.contains(features) {
            eprintln!("{what}: {} {}", found.name(), found.version);
            test(&found);
        } else {
            eprintln!("notice: {what} is not tested with {} {}", found.name(), found.version);
        }
    }
}

#[test]
fn solvers_conform() {
    for_each("conformance", Features::BIT_VECTORS, |found| {
        let scope = conformance::Scope { conflict_limits: found.abilities.conflict_limits };
        let mut make = || Box::new(found.start()) as Box<dyn Solver>;
        if let Err(what) = conformance::run_within(&mut make, scope) {
            panic!("{}: {what}", found.name());
        }
    });
}

struct Play {
    arena: Arena,
    solver: Box<dyn Solver>,
    name: &'static str,
}

impl Play {
    fn new(found: &Found, symbols: &[(&str, Sort)]) -> Self {
        let mut arena = Arena::new();
        for (name, sort) in symbols {
            arena.variable(name, sort).unwrap();
        }
        Play { arena, solver: Box::new(found.start()), name: found.name() }
    }

    fn term(&mut self, text: &str) -> Term {
        smtlib::parse_term(&mut self.arena, text).unwrap()
    }

    fn check(&mut self, assumptions: &[&str]) -> Answer {
        let assumptions: Vec<Term> = assumptions.iter().map(|text| self.term(text)).collect();
        let answer = self.solver.check(&self.arena, &[], &assumptions, &Budget::unlimited());
        if answer == Answer::Sat {
            for &assumption in &assumptions {
                let value = self.solver.value(&self.arena, assumption);
                let text = smtlib::print_term(&self.arena, assumption);
                assert_eq!(value, Ok(Value::Bool(true)), "{}: {text}", self.name);
            }
        }
        answer
    }

    fn value(&mut self, text: &str) -> String {
        let term = self.term(text);
        let value = self.solver.value(&self.arena, term);
        smtlib::print_value(&value.unwrap_or_else(|why| panic!("{}: {text}: {why}", self.name)))
    }
}

#[test]
fn integers() {
    for_each("integers", Features::INTEGERS, |found| {
        let mut play = Play::new(found, &[("i", Sort::Int), ("j", Sort::Int)]);
        assert_eq!(play.check(&["(< i (- 10))", "(= j (+ i i))", "(> i (- 12))"]), Answer::Sat);
        assert_eq!(play.value("i"), "(- 11)");
        assert_eq!(play.value("(+ i j)"), "(- 33)");
        assert_eq!(play.check(&["(< i 0)", "(> j 4)", "(> (+ i i) j)"]), Answer::Unsat);
        assert_eq!(play.solver.failed().len(), 3);
        assert_eq!(
            play.check(&["(= i (div j 3))", "(= (mod j 3) 2)", "(= i 123456789012345678901234567890)"]),
            Answer::Sat
        );
        assert_eq!(play.value("j"), "370370367037037036703703703672");
    });
}

#[test]
fn reals() {
    for_each("reals", Features::REALS, |found| {
        let mut play = Play::new(found, &[("r", Sort::Real), ("s", Sort::Real)]);
        assert_eq!(play.check(&["(= (* 3.0 r) (- 2.0))", "(< s r)"]), Answer::Sat);
        assert_eq!(play.value("r"), "(- (/ 2.0 3.0))");
        assert_eq!(play.check(&["(< r s)", "(< s r)", "(= r s)"]), Answer::Unsat);
    });
}

#[test]
fn numbers_and_bits_take_turns() {
    let both = Features::INTEGERS.union(Features::BIT_VECTORS);
    for_each("numbers mixed with bits", both, |found| {
        let mut play = Play::new(found, &[("i", Sort::Int), ("x", Sort::BitVec(8)), ("p", Sort::Bool)]);
        assert_eq!(play.check(&["(= x #x03)"]), Answer::Sat);
        assert_eq!(play.check(&["(= i 3)"]), Answer::Sat);
        assert_eq!(play.value("x"), "#x00");
        assert_eq!(play.check(&["(= (= i 3) (= x #x03))", "(= i 3)"]), Answer::Sat);
        assert_eq!(play.value("x"), "#x03");
        assert_eq!(play.check(&["(= x #x03)", "(= x #x04)"]), Answer::Unsat);
    });
}

#[test]
fn arrays_and_functions() {
    for_each("arrays and functions", Features::ARRAYS.union(Features::FUNCTIONS), |found| {
        let byte = Sort::BitVec(8);
        let array = Sort::array(byte.clone(), byte.clone());
        let mut play = Play::new(found, &[("a", array.clone()), ("b", array), ("x", byte.clone())]);
        play.arena.declare("f", vec![byte.clone()], byte).unwrap();
        assert_eq!(
            play.check(&[
                "(= (select a x) #x07)",
                "(= b (store a #x05 #x09))",
                "(= x #x02)",
                "(= (f x) #x11)"
            ]),
            Answer::Sat
        );
        assert_eq!(play.value("(select b #x05)"), "#x09");
        assert_eq!(play.value("(select b x)"), "#x07");
        assert_eq!(play.value("(f #x02)"), "#x11");
        if found.abilities.features.contains(Features::CONSTANT_ARRAYS) {
            // Who has no way to write an array down has no value of one either.
            let value = play.value("b");
            assert!(value.contains("(as const"), "{}: {value}", play.name);
        }
        assert_eq!(play.check(&["(= a b)", "(distinct (select a x) (select b x))"]), Answer::Unsat);
        assert_eq!(play.check(&["(distinct (f x) (f #x03))", "(= x #x03)"]), Answer::Unsat);
    });
}

#[test]
fn constant_arrays() {
    for_each("constant arrays", Features::CONSTANT_ARRAYS, |found| {
        let sort = Sort::array(Sort::BitVec(8), Sort::BitVec(8));
        let mut play = Play::new(found, &[("a", sort), ("x", Sort::BitVec(8))]);
        let constant = "((as const (Array (_ BitVec 8) (_ BitVec 8))) #x05)";
        assert_eq!(play.check(&[&format!("(= a (store {constant} #x01 #x02))")]), Answer::Sat);
        assert_eq!(play.value("a"), format!("(store {constant} #x01 #x02)"));
        assert_eq!(play.value("(select a x)"), "#x05");
        assert_eq!(play.check(&[&format!("(= a {constant})"), "(= (select a x) #x06)"]), Answer::Unsat);
    });
}

#[test]
fn floats() {
    for_each("floats", Features::FLOATS, |found| {
        let half = Sort::Float(5, 11);
        let mut play = Play::new(found, &[("f", half.clone()), ("g", half), ("m", Sort::RoundingMode)]);
        let (one, two) = ("(fp #b0 #b01111 #b0000000000)", "(fp #b0 #b10000 #b0000000000)");
        assert_eq!(play.check(&[&format!("(= f (fp.add m {one} {one}))"), "(= m RTZ)"]), Answer::Sat);
        assert_eq!(play.value("f"), two);
        assert_eq!(play.value("m"), "RTZ");
        assert_eq!(play.check(&["(fp.isNaN f)", "(= g (_ -zero 5 11))"]), Answer::Sat);
        assert_eq!(play.value("f"), "(_ NaN 5 11)");
        assert_eq!(play.value("g"), "(_ -zero 5 11)");
        assert_eq!(play.check(&["(fp.eq f f)", "(fp.isNaN f)"]), Answer::Unsat);
    });
}

#[test]
fn uninterpreted_sorts() {
    for_each("uninterpreted sorts", Features::SORTS, |found| {
        let sort = Sort::Uninterpreted("Set".into());
        // Names that solvers take for their own.
        let mut play = Play::new(found, &[("exp", sort.clone()), ("div", sort.clone()), ("implies", sort)]);
        assert_eq!(play.check(&["(distinct exp |div|)", "(= implies |div|)"]), Answer::Sat);
        let (first, second, third) = (play.value("exp"), play.value("|div|"), play.value("implies"));
        assert!(first != second && second == third, "{}: {first} {second} {third}", play.name);
        assert_eq!(
            play.check(&["(= exp |div|)", "(= |div| implies)", "(distinct exp implies)"]),
            Answer::Unsat
        );
    });
}

#[test]
fn many_retired_activations_restart_the_solver() {
    for_each("long use", Features::BIT_VECTORS, |found| {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(64)).unwrap();
        let mut solver = found.start();
        for round in 0..45u64 {
            // Much text that is no work.
            let members: Vec<Term> = (0..1000)
                .map(|number| {
                    let constant = arena.bv(64, round * 1000 + number);
                    arena.eq(x, constant)
                })
                .collect();
            let term = arena.or(&members);
            let activation = solver.activation();
            solver.assert_under(&arena, activation, term);
            let (inside, outside) = (members[7], arena.bv(64, round * 1000 + 1000));
            let outside = arena.eq(x, outside);
            let mut check =
                |assumption| solver.check(&arena, &[activation], &[assumption], &Budget::unlimited());
            assert_eq!(check(inside), Answer::Sat, "{} in round {round}", found.name());
            assert_eq!(check(outside), Answer::Unsat, "{} in round {round}", found.name());
            solver.retire(activation);
        }
        assert!(solver.stats().rebuilds > 0, "{} was never restarted", found.name());
    });
}
