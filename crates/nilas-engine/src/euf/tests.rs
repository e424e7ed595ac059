//! Both verdicts, and the examples of the thesis with the lemmas that it names.

#![allow(clippy::unwrap_used)]

use super::project::Projection;
use crate::{Observer, Report, Settings, Silent, Verdict, verify};
use nilas_evidence::Evidence;
use nilas_program::parse_program;
use nilas_smt::{Answer, Budget, Euf, Solver};
use nilas_term::{Arena, Sort};

const REFINEMENTS: [&str; 2] = ["euf.refinement=bmc", "euf.refinement=simulation"];

fn check(text: &str, settings: &[&str]) -> Report {
    let program = parse_program(text).unwrap();
    let settings = Settings::of(&[&["euf.check=yes"], settings].concat()).unwrap();
    verify(&program, "euf".parse().unwrap(), &settings, &Budget::unlimited(), &mut Silent)
}

/// Collects the refinement lemmas of a run, as they are told.
#[derive(Default)]
struct Learnt(Vec<String>);

impl Observer for Learnt {
    fn event(&mut self, event: &dyn Fn() -> String) {
        self.0.extend(event().strip_prefix("refinement: ").map(str::to_owned));
    }
}

fn learnt(text: &str, settings: &[&str]) -> Vec<String> {
    let program = parse_program(text).unwrap();
    let mut learnt = Learnt::default();
    let settings = Settings::of(settings).unwrap();
    let report = verify(&program, "euf".parse().unwrap(), &settings, &Budget::unlimited(), &mut learnt);
    assert!(is_safe(&report), "{:?}", report.verdict);
    learnt.0
}

fn is_safe(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_)))
}

/// Equality is all that is needed: nothing is refined.
#[test]
fn control_needs_no_refinement() {
    let text = "var state, next, data : bv32 entry i error e i -> l { state := 1; next := 2; havoc data } \
         l -> l { assume state == 1; state := next; data := data * data + 7 } \
         l -> l { assume state == 2; state := 1; data := data >>u 3 } \
         l -> e { assume state == 3 }";
    for refinement in REFINEMENTS {
        let report = check(text, &[refinement]);
        assert!(is_safe(&report), "{:?}", report.verdict);
        assert_eq!(report.counters["refinements"], 0, "{:?}", report.counters);
    }
}

#[test]
fn equal_operands_give_equal_results() {
    let text = "var x, y : bv16 entry i error e i -> l { y := x } l -> l { x := x * 3; y := y * 3 } \
         l -> e { assume x != y }";
    let report = check(text, &[]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    assert_eq!(report.counters["refinements"], 0, "{:?}", report.counters);
}

#[test]
fn an_execution_is_found_through_a_loop() {
    let text = "var x : bv8 entry i error e i -> l { x := 0 } l -> l { x := x + 3 } l -> e { assume x == 9 }";
    for templates in ["euf.templates=yes", "euf.templates=no"] {
        for refinement in REFINEMENTS {
            let report = check(text, &[refinement, templates]);
            assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
        }
    }
}

/// The three lines of §4.4.1: `x <- 3; x <- x + 3; assert x < 7`. Loops between the lines keep the steps
/// apart. The lemmas (4.37) and (4.38) are instances that folding knows where `x` is replaced by 3.
#[test]
fn the_three_line_program() {
    let text = "var x, n : bv8 entry i error e i -> a { x := 3; havoc n } \
         a -> a { assume n >u 0; n := n - 1 } a -> b { x := x + 3 } b -> b { assume n >u 9; n := n - 1 } b -> e { assume x >=u 7 }";
    for templates in ["euf.templates=yes", "euf.templates=no"] {
        for refinement in REFINEMENTS {
            let report = check(text, &[refinement, templates]);
            assert!(is_safe(&report), "{templates} {refinement}: {:?}", report.verdict);
        }
    }
}

/// Example 4.5: the property is its own invariant, but EUF does not relate `store` and `select`. The lemma is
/// the instance of McCarthy's axiom that the thesis names; with one index alone, terms are simplified by it
/// before they are read, so there are two here that are equal (Example 4.7).
#[test]
fn a_lemma_about_arrays_is_learnt() {
    let text = "var a : array(bv8, bv8) var i, j : bv8 entry s error e s -> l { assume a[i] == 3 } \
         l -> l { havoc j; assume j == i; a := a[j := 3] } l -> e { assume a[i] != 3 }";
    for refinement in REFINEMENTS {
        let report = check(text, &[refinement]);
        assert!(is_safe(&report), "{refinement}: {:?}", report.verdict);
        assert_eq!(report.counters["array axioms told"], 0, "{:?}", report.counters);
        assert!(report.counters["array lemmas"] > 0, "{:?}", report.counters);
        assert!(report.counters["transition lemmas"] > 0, "{:?}", report.counters);
    }
    let report = check(text, &["euf.arrays=no"]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    // The edge gives the value of `j` a name of its own.
    let [lemma] = &learnt(text, &[])[..] else { panic!("one lemma is enough") };
    let said = lemma.replace("j!0", "j");
    assert_eq!(said, "Transition: (not (= i j)) or (= (select (store a j #x03) i) #x03)");
}

/// Arrays that are not abstracted need no lemma: an element elsewhere is what it was.
#[test]
fn axioms_are_told_if_arrays_are_not_abstracted() {
    let text = "var a : array(bv8, bv8) var i, n : bv8 entry s error e s -> l { assume a[i] == 3 } \
         l -> l { havoc n; a := a[n := 3] } l -> e { assume a[i] != 3 }";
    let report = check(text, &["euf.arrays=no"]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    assert!(report.counters["array axioms told"] > 0, "{:?}", report.counters);
}

/// Two steps that add to one variable: choosing the branches of both makes a term that no model knows of,
/// `x + 2`, and the path is refined by interpolants all the same.
#[test]
fn steps_of_a_path_are_projected_as_values_take_them() {
    let text = "var x, n : bv8 var p, q : bool entry i error e i -> l { x := 0; n := 0 } \
         l -> l { havoc p; havoc q; { assume p; x := x + 1 } [] { assume !p }; { assume q; x := x + 1 } [] { assume !q }; \
         assume n <u 2; n := n + 1 } l -> e { assume x >u 4 && n <=u 2 }";
    for refinement in REFINEMENTS {
        let report = check(text, &[refinement]);
        assert!(is_safe(&report), "{refinement}: {:?}", report.verdict);
    }
}

/// A loop that only arithmetic keeps away from the error.
#[test]
fn lemmas_are_learnt_where_arithmetic_matters() {
    let text = "var x, n : bv3 entry i error e i -> l { x := 0; havoc n } \
         l -> l { assume n >u 0; n := n - 1; x := x + 2 } l -> e { assume n == 0 && x == 7 }";
    for refinement in REFINEMENTS {
        let report = check(text, &[refinement]);
        assert!(is_safe(&report), "{refinement}: {:?}", report.verdict);
    }
}

/// Example 3.1: `x1' = ite(x1 = x2, x1 + 1, x1 - 3)`, `x2' = x1`. The branch that the model does not take and
/// the predicate that does not matter are not looked at.
#[test]
fn projection_follows_the_model() {
    let mut arena = Arena::new();
    let [x1, x2] = ["x1", "x2"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let [one, three] = [1, 3].map(|value| arena.bv(8, value));
    let equal = arena.eq(x1, x2);
    let (sum, difference) = (arena.bv_add(x1, one), arena.bv_sub(x1, three));
    let first = arena.ite(equal, sum, difference);
    let greater = arena.bv_ugt(x1, x2);
    // Something about the values behind the step, so that they are read.
    let after = arena.bv_mul(first, x1);
    let zero = arena.bv(8, 0);
    let nonzero = arena.ne(after, zero);
    let mut euf = Euf::new();
    let asked = [equal, greater, nonzero];
    assert_eq!(euf.check(&arena, &[], &asked, &Budget::unlimited()), Answer::Sat);
    let mut partition = euf.partition().unwrap();
    let mut projection = Projection::new(&mut partition);
    projection.formula(&mut arena, nonzero);
    assert_eq!(projection.term(&mut arena, first), sum);
    assert!(projection.terms.contains(&sum) && projection.terms.contains(&x1));
    assert!(!projection.terms.contains(&difference) && !projection.terms.contains(&three));
    assert!(projection.literals.contains(&equal) && !projection.literals.contains(&greater));
    let product = arena.bv_mul(sum, x1);
    let projected = arena.ne(product, zero);
    assert!(projection.literals.contains(&projected), "{:?}", projection.literals);
}

/// Example 3.2: `k = i` and then `k = j` are what the loops keep, and EUF knows equality.
#[test]
fn loops_that_keep_an_equality() {
    let text = "var i, j, k, n : bv3 entry s error e s -> a { k := 0; i := 0; havoc n } \
         a -> a { assume i <u n; i := i + 1; k := k + 1 } a -> b { assume i >=u n; j := n } \
         b -> e { assume j >u 0 && k == 0 } b -> b { assume j >u 0 && k != 0; j := j - 1; k := k - 1 }";
    let report = check(text, &[]);
    assert!(is_safe(&report), "{:?}", report.verdict);
}

/// One relation with the location in a variable: the same verdicts, and evidence about the locations.
#[test]
fn one_relation_has_the_same_verdicts() {
    let safe = "var x, y : bv16 entry i error e i -> l { y := x } l -> l { x := x * 3; y := y * 3 } \
         l -> m { assume x == y } m -> l { } l -> e { assume x != y }";
    let report = check(safe, &["euf.local=no"]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    let unsafe_ = "var x : bv8 entry i error e i -> l { x := 0 } l -> m { x := x + 3 } m -> l { } l -> e { assume x == 9 }";
    for refinement in REFINEMENTS {
        let report = check(unsafe_, &["euf.local=no", refinement]);
        assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
    }
}

/// Transitivity and the order of bounds are templates: no refinement needs to learn them.
#[test]
fn order_needs_no_refinement() {
    let text = "var x, y, z : bv32 entry i error e i -> l { assume x <u y && y <u z } \
         l -> l { assume x <u 5 } l -> e { assume z <=u x } l -> e { assume x <u 5 && x >=u 9 }";
    let report = check(text, &[]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    assert_eq!(report.counters["refinements"], 0, "{:?}", report.counters);
    assert!(report.counters["order axioms told"] > 0, "{:?}", report.counters);
    let report = check(text, &["euf.templates=no"]);
    assert!(is_safe(&report), "{:?}", report.verdict);
    assert!(report.counters["refinements"] > 0, "{:?}", report.counters);
}
