//! Preconditions: their states, and only those, lead into the cube.

use crate::explicit::{eval, evaluator, paths, stores};
use nilas_program::random::{self, Rng, Shape};
use nilas_program::{ArcId, Basic, Interpreter, Program, Step, print_program, split, wep};
use nilas_term::{Cube, Value};

const SMALL: Shape =
    Shape { variables: 3, width: 2, locations: 0, edges: 0, command_depth: 2, term_depth: 2 };

/// The store after a path, with the value of each havoc by arc.
fn follow(program: &Program, path: &[ArcId], havocs: &[Value], store: &[Value]) -> Option<Vec<Value>> {
    let command = &program.automaton.edges[0].command;
    let mut interpreter = Interpreter::new(&program.arena, &program.automaton, store.to_vec()).unwrap();
    let step = interpreter.follow(command, path, &mut |site, _| havocs[site.index()].clone()).unwrap();
    (step != Step::Blocked).then(|| interpreter.store().to_vec())
}

#[test]
fn states_of_the_precondition_lead_into_the_cube() {
    let mut checked = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut program = random::single_command(&mut rng, &SMALL);
        let command = program.automaton.edges[0].command.clone();
        let text = print_program(&program);
        let havocs: Vec<Value> = program
            .automaton
            .havocs
            .iter()
            .map(|havoc| random::value(&mut rng, &program.automaton.variable(havoc.variable).sort))
            .collect();
        let all = stores(&program.automaton);
        let ways = paths(&command);
        let path = &ways[rng.below(ways.len())];
        let start = &all[rng.below(all.len())];
        let Some(end) = follow(&program, path, &havocs, start) else { continue };
        // A cube that the end satisfies.
        let mut literals = Vec::new();
        for _ in 0..=rng.below(3) {
            let literal = random::condition(&mut rng, &mut program, 2);
            let holds = eval(&program.arena, &program.automaton, &end, literal) == Value::Bool(true);
            literals.push(if holds { literal } else { program.arena.not(literal) });
        }
        let cube = Cube::new(literals);
        let mut value_of = |arena: &mut nilas_term::Arena, arc: ArcId| match command.arc(arc).basic {
            Basic::Havoc(_, site) => arena.constant(havocs[site.index()].clone()),
            other => panic!("asked for the value of {other:?}"),
        };
        let formulas = wep(&mut program.arena, &program.automaton, &command, path, &mut value_of, &cube);
        let in_cube = |program: &Program, cube: &[nilas_term::Term], store: &[Value]| {
            let mut evaluator = evaluator(&program.automaton, store);
            cube.iter().all(|&literal| evaluator.holds(&program.arena, literal).unwrap())
        };
        for store in &all {
            let leads = follow(&program, path, &havocs, store)
                .is_some_and(|end| in_cube(&program, cube.literals(), &end));
            let before = in_cube(&program, &formulas, store);
            assert_eq!(before, leads, "seed {seed}, {store:?} over {path:?}\n{text}");
        }
        let mut model = evaluator(&program.automaton, start);
        let split =
            split(&mut program.arena, &formulas, &mut |arena, term| model.holds(arena, term).unwrap());
        assert!(
            in_cube(&program, split.literals(), start),
            "seed {seed}: the model is not in {split:?}\n{text}"
        );
        for store in all.iter().filter(|store| in_cube(&program, split.literals(), store)) {
            let end = follow(&program, path, &havocs, store);
            let good = end.is_some_and(|end| in_cube(&program, cube.literals(), &end));
            assert!(good, "seed {seed}: {store:?} is in {split:?} but does not lead into the cube\n{text}");
        }
        for &literal in split.literals() {
            use nilas_term::Op;
            let op = program.arena.op(literal);
            assert!(!matches!(op, Op::And | Op::Or | Op::Xor | Op::Ite), "seed {seed}: {op:?} is no literal");
        }
        checked += 1;
    }
    assert!(checked > 800, "only {checked} preconditions checked");
}
