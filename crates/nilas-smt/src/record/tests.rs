#![allow(clippy::unwrap_used)]

use super::*;
use crate::sat::Batsat;
use crate::{Embedded, Piped};
use nilas_term::Sort;

/// A recorder with a few queries behind it; names are such that solvers take them for their own.
fn recorded(limits: Limits) -> String {
    let mut arena = Arena::new();
    let x = arena.variable("div", &Sort::BitVec(8)).unwrap();
    let y = arena.variable("a|b", &Sort::BitVec(8)).unwrap();
    let f = arena.declare("main::exp", vec![Sort::BitVec(8)], Sort::BitVec(8)).unwrap();
    let less = arena.bv_ult(x, y);
    let four = arena.bv(8, 4);
    let at_most = arena.bv_ule(y, four);
    let big = arena.bv_ult(four, x);
    let applied = arena.mk(nilas_term::Op::Apply(f), &[x]);
    let fixed = arena.eq(applied, y);
    let mut text = Vec::new();
    let mut solver = Recorder::new(Embedded::<Batsat>::new(), &mut text, limits);
    solver.assert(&arena, less);
    let (a, b) = (solver.activation(), solver.activation());
    solver.assert_under(&arena, a, at_most);
    solver.assert_under(&arena, b, fixed);
    let budget = Budget::unlimited();
    assert_eq!(solver.check(&arena, &[a], &[], &budget), Answer::Sat);
    assert_eq!(solver.check(&arena, &[a], &[big], &budget), Answer::Unsat);
    assert_eq!(solver.failed(), [big]);
    assert!(solver.value(&arena, x).is_err());
    solver.retire(a);
    assert_eq!(solver.check(&arena, &[], &[big], &budget), Answer::Sat);
    assert!(solver.value(&arena, x).is_ok());
    let _ = solver.check(&arena, &[b], &[], &budget);
    let (_, result) = solver.finish();
    result.unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn what_is_recorded_reads_back_as_the_same_calls() {
    let text = recorded(Limits::default());
    let stream = Stream::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(stream.queries(), 4, "{text}");
    let shape: String = stream
        .steps
        .iter()
        .map(|step| match step {
            Step::Assert(_) => 'a',
            Step::Activation => 'n',
            Step::AssertUnder(..) => 'u',
            Step::Retire(_) => 'r',
            Step::Check { expected: Some(true), .. } => 's',
            Step::Check { expected: Some(false), .. } => 'f',
            Step::Check { expected: None, .. } => '?',
        })
        .collect();
    assert!(shape == "annuusfrs?" || shape == "annuusfrss", "{shape}\n{text}");
    // Recorded again from the copy, the text is the same but for the numbers that names collect.
    let mut again = Vec::new();
    let mut solver = Recorder::new(Embedded::<Batsat>::new(), &mut again, Limits::default());
    stream.play(&mut solver, &mut Budget::unlimited, &mut |_, number, answer| {
        if let Step::Check { expected: Some(sat), .. } = stream.steps[number] {
            assert_eq!(*answer, if sat { Answer::Sat } else { Answer::Unsat });
        }
        true
    });
    solver.finish().1.unwrap();
    assert_eq!(String::from_utf8(again).unwrap().lines().count(), text.lines().count());
}

#[test]
fn recordings_are_bounded() {
    let whole = recorded(Limits::default());
    let one = recorded(Limits { queries: 1, ..Limits::default() });
    assert_eq!(Stream::read(&one).unwrap().queries(), 1);
    assert!(one.ends_with("(exit)\n") && whole.starts_with(one.strip_suffix("(exit)\n").unwrap()), "{one}");
    let short = recorded(Limits { bytes: 200, ..Limits::default() });
    assert!(short.len() < 400 && short.ends_with("(exit)\n"), "{short}");
    Stream::read(&short).unwrap();
}

#[test]
fn a_writer_that_fails_does_not_change_answers() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("disk full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut arena = Arena::new();
    let p = arena.variable("p", &Sort::Bool).unwrap();
    let mut solver = Recorder::new(Embedded::<Batsat>::new(), Full, Limits::default());
    solver.assert(&arena, p);
    assert_eq!(solver.check(&arena, &[], &[], &Budget::unlimited()), Answer::Sat);
    assert_eq!(solver.finish().1.unwrap_err().to_string(), "disk full");
}

#[test]
fn other_solvers_read_recorded_scripts() {
    let stream = Stream::read(&recorded(Limits::default())).unwrap();
    for found in crate::pipe::discover() {
        let mut answers = Vec::new();
        let mut solver: Piped = found.start();
        stream.play(&mut solver, &mut Budget::unlimited, &mut |_, _, answer| {
            answers.push(answer.clone());
            true
        });
        assert_eq!(answers, [Answer::Sat, Answer::Unsat, Answer::Sat, Answer::Sat], "{}", found.name());
    }
}
