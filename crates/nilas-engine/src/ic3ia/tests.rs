//! Both verdicts, both ways to predicates, and the lemma about copies that the module rests on.

#![allow(clippy::unwrap_used)]

use crate::transition::Transition;
use crate::{Report, Settings, Silent, Verdict, verify};
use nilas_evidence::Evidence;
use nilas_program::{EdgeId, parse_program};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Substitution, Term};

const REFINEMENTS: [&str; 2] = ["ic3ia.refinement=interpolants", "ic3ia.refinement=preconditions"];

fn check(text: &str, refinement: &str) -> Report {
    let program = parse_program(text).unwrap();
    let settings = Settings::of(&["ic3ia.check=yes", refinement]).unwrap();
    verify(&program, "ic3ia".parse().unwrap(), &settings, &Budget::unlimited(), &mut Silent)
}

#[test]
fn the_invariant_is_made_of_predicates() {
    let text = "var x, y : bv16 entry i error e i -> l { y := x } l -> l { x := x + 1; y := y + 1 } \
         l -> e { assume x != y }";
    for refinement in REFINEMENTS {
        let report = check(text, refinement);
        assert!(matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))), "{:?}", report.verdict);
        // That `x` and `y` differ is what leads to the error, and all that is needed.
        assert_eq!(report.counters["predicates"], 1, "{:?}", report.counters);
        assert_eq!(report.counters["refinements"], 0, "{:?}", report.counters);
    }
}

/// That `x` is even does not stand in the program.
#[test]
fn predicates_come_from_paths_that_cannot_be_executed() {
    let text = "var x, n : bv3 entry i error e i -> l { x := 0; havoc n } \
         l -> l { assume n >u 0; n := n - 1; x := x + 2 } l -> e { assume n == 0 && x == 7 }";
    for refinement in REFINEMENTS {
        let report = check(text, refinement);
        assert!(matches!(report.verdict, Verdict::Safe(Evidence::Invariant(_))), "{:?}", report.verdict);
        assert!(report.counters["refinements"] >= 1, "{:?}", report.counters);
    }
}

#[test]
fn an_execution_is_found_through_a_loop() {
    let text = "var x : bv8 entry i error e i -> l { x := 0 } l -> l { x := x + 3 } l -> e { assume x == 9 }";
    for refinement in REFINEMENTS {
        let report = check(text, refinement);
        assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
    }
}

/// AbsRelInd with copies of the state and without them has the same answers, for all cubes over two
/// predicates before and behind a step.
#[test]
fn relative_inductiveness_needs_no_copies() {
    let text = "var x, y : bv3 entry i error e i -> l { skip } \
         l -> l { assume x <u 5; x := x + y; y := y ^ 3 } l -> e { skip }";
    let mut program = parse_program(text).unwrap();
    let automaton = &program.automaton;
    let arena = &mut program.arena;
    let transition = Transition::new(arena, automaton, EdgeId::new(1), &Budget::unlimited()).unwrap();
    let variables: Vec<Term> = automaton.variables.iter().map(|variable| variable.term).collect();
    let copy = |arena: &mut Arena, name: &str| -> Vec<Term> {
        let sorts: Vec<_> = variables.iter().map(|&it| arena.sort(it).clone()).collect();
        sorts.iter().map(|sort| arena.fresh_variable(name, sort)).collect()
    };
    let [outer, outer_after] = ["outer", "after"].map(|name| copy(arena, name));
    let at = |arena: &mut Arena, state: &[Term], formula: Term| -> Term {
        variables.iter().copied().zip(state.iter().copied()).collect::<Substitution>().apply(arena, formula)
    };
    let after: Vec<Term> = automaton.variable_ids().map(|id| transition.encoding.next.get(id)).collect();
    let two = arena.bv(3, 2);
    let predicates = [arena.bv_ult(variables[0], two), arena.eq(variables[0], variables[1])];
    let mut answers = [0; 2];
    // Each predicate holds, does not, or is not mentioned; in the frame, and in the cube.
    for number in 0..81_usize {
        let literals = |arena: &mut Arena, mut number: usize| -> Term {
            let mut found = Vec::new();
            for predicate in predicates {
                match number % 3 {
                    0 => found.push(predicate),
                    1 => found.push(arena.not(predicate)),
                    _ => {}
                }
                number /= 3;
            }
            arena.and(&found)
        };
        let (excluded, cube) = (literals(arena, number % 9), literals(arena, number / 9));
        let frame = arena.not(excluded);
        let outside = arena.not(cube);
        let before = arena.and(&[frame, outside]);
        let without = [before, transition.encoding.guard, at(arena, &after, cube)];
        let mut with =
            vec![at(arena, &outer, before), transition.encoding.guard, at(arena, &outer_after, cube)];
        for predicate in predicates {
            for (one, other) in [(&outer, &variables), (&outer_after, &after)] {
                let (one, other) = (at(arena, one, predicate), at(arena, other, predicate));
                with.push(arena.eq(one, other));
            }
        }
        let ask = |arena: &Arena, question: &[Term]| {
            let mut solver: Embedded = Embedded::default();
            solver.check(arena, &[], question, &Budget::unlimited())
        };
        let answer = ask(arena, &without);
        answers[usize::from(answer == Answer::Sat)] += 1;
        assert_eq!(answer, ask(arena, &with), "{number}");
    }
    assert!(answers.iter().all(|&count| count > 5), "{answers:?}");
}
