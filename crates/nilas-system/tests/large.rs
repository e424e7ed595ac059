//! Large and deep inputs: readers, the way to automata and what they leave behind never recurse.

#![allow(clippy::unwrap_used)]

use nilas_system::{GoalId, System, read_btor2, read_horn, read_vmt, to_automaton, to_plain_automaton};
use std::fmt::Write;

/// Nested deeper than a stack of calls goes.
const DEEP: usize = 100_000;
const MANY: usize = 3_000;

#[track_caller]
fn edges(system: &System) -> usize {
    let goal = Some(GoalId(0));
    let (solved, plain) = (to_automaton(system, goal), to_plain_automaton(system, goal));
    assert_eq!(solved.program.automaton.edges.len(), plain.program.automaton.edges.len());
    plain.program.automaton.edges.len()
}

fn vmt(trans: &str) -> String {
    format!(
        "(declare-fun x () (_ BitVec 8))(declare-fun y () (_ BitVec 8))
(define-fun .s () (_ BitVec 8) (! x :next y))(define-fun .i () Bool (! (= x #x00) :init true))
(define-fun .t () Bool (! {trans} :trans true))(define-fun .p () Bool (! (= x #x00) :invar-property 0))"
    )
}

#[test]
fn deep_transition_systems() {
    let mut term = "(bvmul x (bvxor x ".repeat(DEEP) + "x";
    term += &"))".repeat(DEEP);
    assert_eq!(edges(&read_vmt(&vmt(&format!("(= y {term})"))).unwrap()), 3);
    let mut lets = String::new();
    for index in 0..DEEP {
        let _ = write!(lets, "(let ((a{} (bvmul a{index} x))) ", index + 1);
    }
    let lets = format!("(let ((a0 x)) {lets}(= y a{DEEP}){})", ")".repeat(DEEP));
    assert_eq!(edges(&read_vmt(&vmt(&lets)).unwrap()), 3);
    let mut chain = String::from("1 sort bitvec 8\n2 sort bitvec 1\n3 state 1\n4 mul 1 3 3\n");
    for index in 5..DEEP {
        let _ = writeln!(chain, "{index} {} 1 {} 3", if index % 2 == 0 { "xor" } else { "mul" }, index - 1);
    }
    let (next, bit, bad) = (DEEP, DEEP + 1, DEEP + 2);
    let _ = write!(chain, "{next} next 1 3 {}\n{bit} redor 2 3\n{bad} bad {bit}", DEEP - 1);
    assert_eq!(edges(&read_btor2(&chain).unwrap()), 3);
}

/// Each of many variables, definitions and predicates means what it should.
#[test]
fn wide_systems() {
    let mut states = String::new();
    let (mut initial, mut steps) = (String::new(), String::new());
    for index in 0..MANY {
        let _ = write!(
            states,
            "(declare-fun x{index} () Bool)(declare-fun y{index} () Bool)
(define-fun .s{index} () Bool (! x{index} :next y{index}))"
        );
        let _ = write!(initial, "x{index} ");
        // Each takes the value of the next one: all assignments are one cycle.
        let _ = write!(steps, "(= y{index} x{}) ", (index + 1) % MANY);
    }
    let text = format!(
        "{states}(define-fun .i () Bool (! (and {initial}) :init true))
(define-fun .t () Bool (! (and {steps}) :trans true))(define-fun .p () Bool (! x7 :invar-property 0))"
    );
    let system = read_vmt(&text).unwrap();
    assert_eq!(system.predicates[0].parameters.len(), MANY);
    let layout = to_automaton(&system, Some(GoalId(0)));
    // One variable beside the states keeps a value aside.
    assert_eq!(layout.program.automaton.variables.len(), MANY + 1);
    let clash = format!("{states}(define-fun .again () Bool (! x3 :next y4))");
    let error = read_vmt(&clash).unwrap_err();
    assert_eq!(error.message, "one of the two variables belongs to another pair already");

    let mut predicates = String::from("(declare-rel p0 ())(rule p0)");
    for index in 1..MANY {
        let _ = write!(predicates, "(declare-rel p{index} ())(rule (=> p{} p{index}))", index - 1);
    }
    let _ = write!(predicates, "(query p{})", MANY - 1);
    assert_eq!(edges(&read_horn(&predicates).unwrap()), MANY + 1);
}
