//! The examples of the thesis's chapter 5, one test each. What they say about unbounded integers is said with
//! guards against wrap-around here. Those of 5.6 and 5.7 stand beside the generalisation contexts, those of
//! 5.2 beside `wep`.

use super::instance::{Obligation, Queue, Spot};
use super::predecessor::Trail;
use super::{Ic3Cfa, Settings, Technique, Techniques, engine, ic3cfa};
use crate::exchange::Port;
use crate::observer::Silent;
use crate::outcome::Outcome;
use crate::pdr::{Level, Purpose};
use nilas_program::{EdgeId, LocationId, Program, parse_program};
use nilas_smt::Budget;
use nilas_term::{Arena, Cube, Term};

const P_TRUE: &str = "cfa p_true\nvar x, y : bv32\nentry init\nerror err\n\
    init -> l1 { assume y <s x }\n\
    l1 -> l1 { assume y >s -2147483648; y := y - 1 }\n\
    l1 -> err { { assume y >=s x && x == 1 } [] { assume y >=s x && x == 2 } }\n";

fn program(text: &str) -> Program {
    parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Runs a test on an engine that has these techniques and has not begun.
fn with_engine(program: &Program, techniques: &[Technique], test: impl FnOnce(&mut Ic3Cfa<'_, '_>)) {
    let techniques = techniques.iter().copied().fold(Techniques::none(), Techniques::with);
    let settings = Settings { techniques, ..Settings::default() };
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let mut port = Port::closed();
    test(&mut engine(program, settings, &budget, &mut observer, &mut port).expect("there is no limit"));
}

fn location(engine: &Ic3Cfa<'_, '_>, name: &str) -> LocationId {
    let mut ids = engine.instance.map.automaton.location_ids();
    ids.find(|&id| engine.instance.map.automaton.location(id).name == name)
        .expect("a location of the program")
}

fn edge(engine: &Ic3Cfa<'_, '_>, source: &str, target: &str) -> EdgeId {
    let (source, target) = (location(engine, source), location(engine, target));
    let mut ids = engine.instance.map.automaton.edge_ids();
    ids.find(|&id| {
        engine.instance.map.automaton.edge(id).source == source
            && engine.instance.map.automaton.edge(id).target == target
    })
    .expect("an edge of the program")
}

fn variable(engine: &Ic3Cfa<'_, '_>, name: &str) -> Term {
    let mut variables = engine.instance.map.automaton.variables.iter();
    variables.find(|variable| variable.name == name).expect("a variable of the program").term
}

/// `left >= right`, signed.
fn at_least(arena: &mut Arena, left: Term, right: Term) -> Term {
    arena.bv_sle(right, left)
}

fn count(engine: &Ic3Cfa<'_, '_>, counter: &str) -> u64 {
    engine.counters().get(counter).copied().unwrap_or(0)
}

/// Example 5.1.3: `l3` is three steps away, so its frames 1 and 2 are false.
#[test]
fn example_5_1_3_frames_below_the_distance_are_false() {
    let p_false = program(
        "cfa p_false\nvar x : bv32\nentry init\nerror err\ninit -> l1 { assume x >=s 0 }\n\
         l1 -> l2 { x := x + 1 }\nl2 -> l2 { x := 4 * x }\nl2 -> l3 { x := x - 1 }\nl3 -> err { assume x == 3 }\n",
    );
    with_engine(&p_false, &[Technique::PathLength], |engine| {
        for (name, distance) in [("l1", 1), ("l2", 2), ("l3", 3)] {
            let location = location(engine, name);
            assert!(engine.frames.is_empty_at(Level(distance - 1), location), "{name}");
            assert!(!engine.frames.is_empty_at(Level(distance), location), "{name}");
        }
    });
}

/// Example 5.3.3: `y >= x` is relative inductive over the self-loop.
#[test]
fn example_5_3_3_the_precondition_decides_relative_inductiveness() {
    with_engine(&program(P_TRUE), &[], |engine| {
        let (x, y) = (variable(engine, "x"), variable(engine, "y"));
        let cube = Cube::new([at_least(&mut engine.arena, y, x)]);
        let edge = edge(engine, "l1", "l1");
        let blocked = engine.reachable_over(edge, Level(2), &cube, Purpose::Truth).expect("decided");
        assert_eq!(blocked, Some(cube));
    });
}

/// Example 5.4.3: the assume implies `x >= 1`, so only `y >= 1` is asked about.
#[test]
fn example_5_4_3_assumed_literals_are_dropped() {
    let text = "cfa assumes\nvar x, y : bv32\nentry init\nerror err\ninit -> l { skip }\n\
        l -> m { assume x + 1 >=s 1; x := x + 1 }\nm -> err { assume x >=s 1 && y >=s 1 }\n";
    with_engine(&program(text), &[Technique::Assumes], |engine| {
        let (x, y) = (variable(engine, "x"), variable(engine, "y"));
        let one = engine.arena.bv(32, 1);
        let (first, second) = (at_least(&mut engine.arena, x, one), at_least(&mut engine.arena, y, one));
        let l = location(engine, "l");
        engine.add_lemma(Level(1), l, Cube::new([second]));
        let edge = edge(engine, "l", "m");
        let cube = Cube::new([first, second]);
        let blocked = engine.reachable_over(edge, Level(2), &cube, Purpose::Truth).expect("decided");
        assert_eq!(blocked, Some(Cube::new([second])));
        assert_eq!(count(engine, "assumes: applied"), 1);
        assert_eq!(count(engine, "assumes: saved"), 1);
    });
}

/// Example 5.5.4: the frame before the edge has `y - 1 >= x` blocked, so `y >= x` is, without a question.
#[test]
fn example_5_5_4_a_lemma_of_the_predecessor_blocks() {
    let text = "cfa predecessor\nvar x, y : bv32\nentry init\nerror err\ninit -> l { skip }\n\
        l -> m { y := y - 1 }\nm -> err { assume y >=s x && x == 1 }\n";
    with_engine(&program(text), &[Technique::PredecessorCubes], |engine| {
        let (x, y) = (variable(engine, "x"), variable(engine, "y"));
        let one = engine.arena.bv(32, 1);
        let before = engine.arena.bv_sub(y, one);
        let lemma = at_least(&mut engine.arena, before, x);
        let l = location(engine, "l");
        engine.add_lemma(Level(1), l, Cube::new([lemma]));
        let (greater, equal) = (at_least(&mut engine.arena, y, x), engine.arena.eq(x, one));
        let edge = edge(engine, "l", "m");
        let cube = Cube::new([greater, equal]);
        let blocked = engine.reachable_over(edge, Level(2), &cube, Purpose::Truth).expect("decided");
        assert_eq!(blocked, Some(Cube::new([greater])));
        assert_eq!(engine.statistics.relative_checks, 0);
        assert_eq!(count(engine, "predecessor-cubes: saved"), 1);
    });
}

/// Example 5.8.1: of three cubes the one with two literals comes first.
#[test]
fn example_5_8_1_small_cubes_come_first() {
    with_engine(&program(P_TRUE), &[Technique::Ordering], |engine| {
        let p: Vec<Term> = (0..6)
            .map(|index| engine.arena.variable(&format!("p{index}"), &nilas_term::Sort::Bool).expect("new"))
            .collect();
        let l1 = location(engine, "l1");
        let mut queue = Queue::new(true);
        for cube in [&[p[1], p[3], p[4]][..], &[p[1], p[2]], &[p[1], p[3], p[5]]] {
            let cube = cube.iter().copied().collect();
            queue.push(Obligation::new(Level(1), l1, cube, Trail::default(), None));
        }
        let mut sizes = Vec::new();
        while let Some(id) = queue.pop() {
            sizes.push(queue.get(id).cube.len());
        }
        assert_eq!(sizes, [2, 3, 3]);
    });
}

/// Example 5.9.2: the first edge needs `y >= x`, so the second is asked about that only.
#[test]
fn example_5_9_2_what_one_edge_needs_is_kept() {
    with_engine(&program(P_TRUE), &[Technique::Necessary], |engine| {
        let (x, y) = (variable(engine, "x"), variable(engine, "y"));
        let one = engine.arena.bv(32, 1);
        let (greater, equal) = (at_least(&mut engine.arena, y, x), engine.arena.eq(x, one));
        let place = Spot { level: Level(2), place: location(engine, "l1"), over: None };
        let found = engine.generalise_by_edges(place, &Cube::new([greater, equal])).expect("decided");
        assert_eq!(found, Cube::new([greater]));
        assert_eq!(count(engine, "necessary: applied"), 1);
        assert_eq!(count(engine, "necessary: saved"), 1);
    });
}

/// Example 5.10.2: Jain1, which diverges with neither, is proved by interpolation alone and by literal
/// weakening alone.
#[test]
fn example_5_10_2_jain_1_is_proved_by_semantic_generalisation() {
    let jain = program(
        "cfa jain1\nvar y, n : bv32\nentry init\nerror err\ninit -> l1 { y := 1 }\n\
         l1 -> l1 { havoc n; y := y + 2 * n }\nl1 -> err { assume y == 0 }\n",
    );
    let prove = |techniques: Techniques| {
        let settings = Settings { techniques, max_level: Some(4), check_frames: true, ..Settings::default() };
        ic3cfa(&jain, settings, &Budget::unlimited(), &mut Silent)
    };
    for technique in [Technique::Interpolation, Technique::Weakening] {
        let (outcome, counters) = prove(Techniques::none().with(technique));
        assert!(matches!(outcome, Outcome::Safe(_)), "{technique}: {outcome:?}");
        assert_eq!(counters["frames"], 2, "{technique}");
    }
}
