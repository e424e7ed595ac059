//! The same through the solver: operands are fixed by assumptions, so that only search finds the result.

use super::{Format, Rng, SEED, Subject, conversions, operators, sort};
use crate::sat::Hard;
use crate::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Evaluator, Model, Op, RoundingMode, Sort, Term, Value};

fn agree(subject: &mut Subject, seed: u64, count: u64) {
    let mut rng = Rng::new(seed);
    let mut solver = Embedded::<Hard>::new();
    let result = subject.arena.sort(subject.output).clone();
    let output = subject.arena.fresh_variable("output", &result);
    let same = subject.arena.eq(output, subject.output);
    solver.assert(&subject.arena, same);
    for _ in 0..count {
        let mut row: Vec<Value> = Vec::new();
        for sort in &subject.sorts {
            let value = rng.value(sort, &row);
            row.push(value);
        }
        let mut assumptions = Vec::new();
        for (&input, value) in subject.inputs.iter().zip(&row) {
            let constant = subject.arena.constant(value.clone());
            assumptions.push(subject.arena.eq(input, constant));
        }
        let arena = &subject.arena;
        assert_eq!(solver.check(arena, &[], &assumptions, &Budget::unlimited()), Answer::Sat, "{row:?}");
        let expected = subject.expected(&row);
        let op = arena.op(subject.output);
        assert_eq!(solver.value(arena, output), Ok(expected.clone()), "{op:?} at {row:?}");
        // And it has no other value.
        let constant = subject.arena.constant(expected);
        let other = subject.arena.ne(output, constant);
        assumptions.push(other);
        assert_eq!(solver.check(&subject.arena, &[], &assumptions, &Budget::unlimited()), Answer::Unsat);
    }
}

fn through_solver(format: Format, count: u64) {
    println!("{format:?}: seed {SEED}, {count} operands per operation");
    let float = sort(format);
    let fma = (Op::FpFma, vec![Sort::RoundingMode, float.clone(), float.clone(), float]);
    let list = operators(format).into_iter().chain([fma]);
    for (op, sorts) in list.chain(conversions(format, &[Format::SINGLE, Format::new(4, 5)], &[8, 40])) {
        agree(&mut Subject::new(op, &sorts), SEED, count);
    }
}

#[test]
fn operands_fixed_by_assumptions() {
    through_solver(Format::HALF, 10);
    through_solver(Format::new(3, 4), 20);
}

#[test]
#[ignore = "takes minutes; run with --release --ignored"]
fn operands_fixed_by_assumptions_at_length() {
    through_solver(Format::HALF, 500);
}

fn float_variable(arena: &mut Arena, name: &str) -> Term {
    arena.variable(name, &Sort::Float(5, 11)).unwrap()
}

/// What the solver says of a formula; its model is evaluated.
fn decide(arena: &Arena, formula: Term, variables: &[Term]) -> bool {
    let mut solver = Embedded::<Hard>::new();
    solver.assert(arena, formula);
    match solver.check(arena, &[], &[], &Budget::unlimited()) {
        Answer::Sat => {
            let model: Model = variables
                .iter()
                .map(|&variable| (variable, solver.value(arena, variable).unwrap()))
                .collect();
            assert_eq!(Evaluator::new(model.clone()).holds(arena, formula), Ok(true), "{model:?}");
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn laws_of_floats() {
    let mut arena = Arena::new();
    let (x, y) = (float_variable(&mut arena, "x"), float_variable(&mut arena, "y"));
    let rm = arena.variable("rm", &Sort::RoundingMode).unwrap();
    let variables = [x, y, rm];
    // x + y = y + x holds by construction; x - x is 0 or NaN.
    let negated = arena.mk(Op::FpNeg, &[x]);
    let difference = arena.mk(Op::FpAdd, &[rm, x, negated]);
    let zero = arena.mk(Op::FpIsZero, &[difference]);
    let nan = arena.mk(Op::FpIsNan, &[difference]);
    let neither = arena.or(&[zero, nan]);
    let neither = arena.not(neither);
    assert!(!decide(&arena, neither, &variables));
    // There is an x other than zero with x + y = y, but none with x + y = NaN for numbers that are finite.
    let sum = arena.mk(Op::FpAdd, &[rm, x, y]);
    let absorbed = arena.eq(sum, y);
    let x_zero = arena.mk(Op::FpIsZero, &[x]);
    let x_nonzero = arena.not(x_zero);
    let y_normal = arena.mk(Op::FpIsNormal, &[y]);
    let both = arena.and(&[absorbed, x_nonzero, y_normal]);
    assert!(decide(&arena, both, &variables));
    let sum_nan = arena.mk(Op::FpIsNan, &[sum]);
    let x_normal = arena.mk(Op::FpIsNormal, &[x]);
    let impossible = arena.and(&[sum_nan, x_normal, y_normal]);
    assert!(!decide(&arena, impossible, &variables));
    // fp.eq and = differ exactly on NaN and on zeros.
    let (ieee, same) = (arena.mk(Op::FpEq, &[x, y]), arena.eq(x, y));
    let differ = arena.xor(ieee, same);
    let (x_nan, y_zero) = (arena.mk(Op::FpIsNan, &[x]), arena.mk(Op::FpIsZero, &[y]));
    let zeros = arena.and(&[x_zero, y_zero]);
    let excuse = arena.or(&[x_nan, zeros]);
    let no_excuse = arena.not(excuse);
    let unexcused = arena.and(&[differ, no_excuse]);
    assert!(!decide(&arena, unexcused, &variables));
    assert!(decide(&arena, differ, &variables));
    // A rounding mode is one of five.
    let mut others = Vec::new();
    for mode in RoundingMode::ALL {
        let mode = arena.constant(Value::RoundingMode(mode));
        others.push(arena.ne(rm, mode));
    }
    let none = arena.and(&others);
    assert!(!decide(&arena, none, &variables));
    let four = arena.and(&others[1..]);
    assert!(decide(&arena, four, &variables));
    // Order: x < y or y <= x, unless there is a NaN.
    let (less, not_less) = (arena.mk(Op::FpLt, &[x, y]), arena.mk(Op::FpLe, &[y, x]));
    let ordered = arena.or(&[less, not_less]);
    let unordered = arena.not(ordered);
    let y_nan = arena.mk(Op::FpIsNan, &[y]);
    let some_nan = arena.or(&[x_nan, y_nan]);
    let wrong = arena.xor(unordered, some_nan);
    assert!(!decide(&arena, wrong, &variables));
    // There is a number below 1 that is the root of its square.
    let square = arena.mk(Op::FpMul, &[rm, y, y]);
    let root = arena.mk(Op::FpSqrt, &[rm, x]);
    let (squared, rooted) = (arena.eq(square, x), arena.eq(root, y));
    let both = arena.and(&[squared, rooted, x_normal, y_normal, less]);
    assert!(decide(&arena, both, &variables));
}
