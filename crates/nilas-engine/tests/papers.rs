//! The examples of the papers end as the papers say.

#![allow(clippy::unwrap_used)]

use nilas_engine::{Report, Settings, Silent, Verdict, verify};
use nilas_evidence::Evidence;
use nilas_program::{Program, parse_program, print_expression};
use nilas_smt::Budget;

const ENGINES: [&str; 9] = [
    "bmc",
    "ic3cfa",
    "ic3",
    "ic3ia",
    "pred-abs",
    "tree-ic3",
    "tree-ic3-itp",
    "tree-ic3-itp-mono",
    "tree-itp",
];
const TREES: [&str; 4] = ["tree-ic3", "tree-ic3-itp", "tree-ic3-itp-mono", "tree-itp"];

fn program(text: &str) -> Program {
    parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn run(program: &Program, engine: &str) -> Report {
    verify(program, engine.parse().unwrap(), &Settings::default(), &Budget::unlimited(), &mut Silent)
}

/// The formula that the invariant has at a location.
fn invariant(program: &Program, report: &Report, location: &str) -> String {
    let Verdict::Safe(Evidence::Invariant(invariant)) = &report.verdict else {
        panic!("no invariant: {:?}", report.verdict);
    };
    let mut formulas = invariant.formulas.iter();
    let found = formulas.find(|(id, _)| program.automaton.location(**id).name == location);
    print_expression(&invariant.arena, *found.unwrap().1)
}

#[test]
fn figure_2_is_proved_at_level_two() {
    let program = program(
        "cfa fig2\nvar x : bv32\nvar y : bv32\nentry l0\nerror err\n\
         l0 -> l1 { y := x }\nl1 -> l1 { x := x + 1; y := y + 1 }\nl1 -> l2 { skip }\nl1 -> err { assume x != y }\n",
    );
    let report = run(&program, "ic3cfa");
    let invariant = invariant(&program, &report, "l1");
    assert!(["x == y", "y == x"].contains(&&*invariant), "{invariant}");
    assert_eq!(report.counters["frames"], 2);
    assert!(matches!(run(&program, "pred-abs").verdict, Verdict::Safe(_)));
    for engine in TREES {
        let report = run(&program, engine);
        assert!(matches!(report.verdict, Verdict::Safe(_)), "{engine}: {:?}", report.verdict);
        // Once around the loop, and covered.
        assert_eq!(report.counters["nodes"], 3, "{engine}: {:?}", report.counters);
    }
}

#[test]
fn p_true_is_proved_by_the_generalised_cube() {
    let program = program(
        "cfa p_true\nvar x : bv32\nvar y : bv32\nentry init\nerror err\ninit -> l1 { assume y <s x }\n\
         l1 -> l1 { assume y >s -2147483648; y := y - 1 }\n\
         l1 -> err { { assume y >=s x && x == 1 } [] { assume y >=s x && x == 2 } }\n",
    );
    let report = run(&program, "ic3cfa");
    // ¬(y ≥ x), in normal form.
    assert_eq!(invariant(&program, &report, "l1"), "y <s x");
    for engine in TREES.into_iter().chain(["pred-abs"]) {
        assert!(matches!(run(&program, engine).verdict, Verdict::Safe(_)), "{engine}");
    }
}

/// Over the whole transition system the same clauses do, at the location where they are needed.
#[test]
fn ic3_proves_both_with_the_program_counter_in_bits() {
    let fig2 = program(
        "cfa fig2\nvar x : bv32\nvar y : bv32\nentry l0\nerror err\n\
         l0 -> l1 { y := x }\nl1 -> l1 { x := x + 1; y := y + 1 }\nl1 -> l2 { skip }\nl1 -> err { assume x != y }\n",
    );
    let found = invariant(&fig2, &run(&fig2, "ic3"), "l1");
    assert!(["x == y", "y == x"].contains(&&*found), "{found}");
    let p_true = program(
        "cfa p_true\nvar x : bv32\nvar y : bv32\nentry init\nerror err\ninit -> l1 { assume y <s x }\n\
         l1 -> l1 { assume y >s -2147483648; y := y - 1 }\n\
         l1 -> err { { assume y >=s x && x == 1 } [] { assume y >=s x && x == 2 } }\n",
    );
    let report = run(&p_true, "ic3");
    assert_eq!(invariant(&p_true, &report, "l1"), "y <s x");
    assert_eq!(invariant(&p_true, &report, "init"), "true", "no lemma excludes the entry");
}

#[test]
fn p_false_has_an_execution() {
    let program = program(
        "cfa p_false\nvar x : bv32\nentry init\nerror err\ninit -> l1 { assume x >=s 0 }\nl1 -> l2 { x := x + 1 }\n\
         l2 -> l2 { x := 4 * x }\nl2 -> l3 { x := x - 1 }\nl3 -> err { assume x == 3 }\n",
    );
    for engine in ENGINES {
        assert!(matches!(run(&program, engine).verdict, Verdict::Unsafe(Evidence::Execution(_))), "{engine}");
    }
}

/// The trap of public attempts at IC3CFA: a cube with two incoming edges, one blocked and one not, must not
/// be blocked. The cube `x = 0` at `l` is blocked over the first edge (where x is 1) and reachable over the
/// second.
#[test]
fn a_cube_is_blocked_only_when_all_edges_block_it() {
    for (first, second) in [("1", "0"), ("0", "1")] {
        let program = program(&format!(
            "cfa trap\nvar x : bv8\nvar b : bool\nentry init\nerror err\ninit -> a {{ x := {first} }}\n\
             init -> b {{ x := {second} }}\na -> l {{ assume b }}\nb -> l {{ assume !b }}\nl -> l {{ x := x }}\n\
             l -> err {{ assume x == 0 }}\n"
        ));
        for engine in ENGINES {
            assert!(matches!(run(&program, engine).verdict, Verdict::Unsafe(_)), "{engine}, {first} first");
        }
    }
}

#[test]
fn an_error_behind_the_entry_is_found() {
    let program = program("cfa direct\nvar x : bv8\nentry e\nerror err\ne -> err { assume x == 7 }\n");
    for engine in ENGINES {
        assert!(matches!(run(&program, engine).verdict, Verdict::Unsafe(_)), "{engine}");
    }
    let program =
        crate::program("cfa never\nvar x : bv8\nentry e\nerror err\ne -> err { assume x <u 7 && x >u 9 }\n");
    for engine in ENGINES {
        assert!(matches!(run(&program, engine).verdict, Verdict::Safe(_)), "{engine}");
    }
}
