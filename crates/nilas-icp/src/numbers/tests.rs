//! Intervals of numbers against numbers in them, and answers against enumeration.

#![allow(clippy::unwrap_used)]

use super::contract::{Node, backward, forward};
use super::range::{End, Range};
use super::{Found, Why, solve};
use crate::testing::{Random, samples};
use nilas_smt::Budget;
use nilas_term::{Arena, Evaluator, Model, Op, Sort, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

fn integer(number: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

/// An interval around a number: ends near it, far away, open or missing.
fn around(random: &mut Random, number: &BigRational) -> Range {
    let mut end = |sign: i64| {
        let distance =
            BigRational::new(BigInt::from(random.below(9) as i64), BigInt::from(2)) * integer(sign);
        let open = distance != integer(0) && random.below(2) == 0;
        (random.below(6) > 0).then(|| End { at: number + distance, open })
    };
    Range { lo: end(-1), hi: end(1) }
}

/// All operators on intervals around numbers: the result is in the interval that is computed forward, and what is
/// narrowed backward keeps the operands.
#[test]
fn contractors_lose_no_number() {
    let random = &mut Random(0xabcd_ef01_2345_6789);
    let (int, real) = (Sort::Int, Sort::Real);
    let operators: Vec<(Op, Vec<&Sort>)> = vec![
        (Op::Neg, vec![&int]),
        (Op::Neg, vec![&real]),
        (Op::Add, vec![&int, &int, &int]),
        (Op::Add, vec![&real, &real]),
        (Op::Mul, vec![&int, &int]),
        (Op::Mul, vec![&real, &real, &real]),
        (Op::Mul, vec![&real, &real]),
        (Op::RealDiv, vec![&real, &real]),
        (Op::IntDiv, vec![&int, &int]),
        (Op::IntMod, vec![&int, &int]),
        (Op::IntAbs, vec![&int]),
        (Op::ToReal, vec![&int]),
        (Op::ToInt, vec![&real]),
        (Op::IsInt, vec![&real]),
        (Op::Divisible(3), vec![&int]),
        (Op::Le, vec![&int, &int]),
        (Op::Le, vec![&real, &real]),
        (Op::Lt, vec![&int, &int]),
        (Op::Lt, vec![&real, &real]),
        (Op::Eq, vec![&int, &int]),
        (Op::Eq, vec![&real, &real]),
        (Op::Ite, vec![&Sort::Bool, &real, &real]),
    ];
    for (op, sorts) in operators {
        let mut arena = Arena::new();
        let names = ["x", "y", "z"];
        let variables: Vec<Term> =
            sorts.iter().zip(names).map(|(sort, name)| arena.variable(name, sort).unwrap()).collect();
        let term = arena.try_mk(op, &variables).unwrap();
        // Some operators are told by others.
        if arena.op(term) != op || arena.children(term) != variables {
            continue;
        }
        let node = Node::new(&arena, term, (0..variables.len()).collect()).unwrap();
        for _ in 0..samples(200_000) {
            let numbers: Vec<BigRational> = sorts
                .iter()
                .map(|sort| match sort {
                    Sort::Bool => integer(random.below(2) as i64),
                    Sort::Int => integer(random.below(25) as i64 - 12),
                    _ => BigRational::new(BigInt::from(random.below(49) as i64 - 24), BigInt::from(4)),
                })
                .collect();
            let mut model = Model::new();
            for ((&variable, sort), number) in variables.iter().zip(&sorts).zip(&numbers) {
                model.set(variable, value(sort, number));
            }
            let Ok(result) = Evaluator::new(model).eval(&arena, term) else { continue };
            let result = match result {
                Value::Bool(value) => super::contract::truth_value(value),
                Value::Int(value) => BigRational::from_integer(value),
                Value::Real(value) => value,
                other => panic!("{other:?}"),
            };
            let known: Vec<Range> = numbers
                .iter()
                .zip(&sorts)
                .map(|(number, sort)| match sort {
                    Sort::Bool if random.below(2) == 0 => Range::closed(integer(0), integer(1)),
                    Sort::Bool => Range::point(number.clone()),
                    _ => around(random, number),
                })
                .collect();
            let made = forward(&node, &known);
            assert!(made.contains(&result), "{op:?} {numbers:?} {known:?}: {result} not in {made:?}");
            let own = around(random, &result).meet(&made);
            for (child, left) in backward(&node, &own, &known) {
                let kept = left.contains(&numbers[child]);
                assert!(kept, "{op:?} {numbers:?} {known:?} {own:?}: operand {child} not in {left:?}");
            }
        }
    }
}

fn value(sort: &Sort, number: &BigRational) -> Value {
    match sort {
        Sort::Bool => Value::Bool(*number == integer(1)),
        Sort::Int => Value::Int(number.to_integer()),
        _ => Value::Real(number.clone()),
    }
}

/// Random formulas over two integers from -6 to 6 and a truth value: every one is decided, as enumeration says.
#[test]
fn bounded_integers_are_decided() {
    let random = &mut Random(0x1357_9bdf_0246_8ace);
    let mut counts = [0; 2];
    for _ in 0..samples(60_000) {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::Int).unwrap());
        let truth = arena.variable("p", &Sort::Bool).unwrap();
        let mut numbers = vec![x, y];
        for _ in 0..2 {
            let constant = Value::Int(BigInt::from(random.below(13) as i64 - 4));
            numbers.push(arena.constant(constant));
        }
        let mut truths = vec![truth];
        for _ in 0..8 {
            let mut pick = |from: &[Term]| from[random.below(from.len())];
            let (one, two, three) = (pick(&numbers), pick(&numbers), pick(&truths));
            match random.below(10) {
                0 | 1 => numbers.push(arena.mk(Op::Add, &[one, two])),
                2 | 3 => numbers.push(arena.mk(Op::Mul, &[one, two])),
                4 => numbers.push(arena.mk(Op::IntDiv, &[one, two])),
                5 => numbers.push(arena.mk(Op::IntMod, &[one, two])),
                6 => numbers.push(arena.ite(three, one, two)),
                7 => truths.push(arena.mk(Op::Le, &[one, two])),
                8 => truths.push(arena.mk(Op::Lt, &[one, two])),
                _ => truths.push(arena.eq(one, two)),
            }
        }
        let (one, two) = (truths[truths.len() - 1], truths[random.below(truths.len())]);
        let other = arena.not(two);
        let mut formulas = vec![one, other];
        for variable in [x, y] {
            for (low, high) in [(Some(-6), variable), (None, variable)] {
                let bound = Value::Int(BigInt::from(low.unwrap_or(6)));
                let bound = arena.constant(bound);
                let ends = if low.is_some() { [bound, high] } else { [high, bound] };
                formulas.push(arena.mk(Op::Le, &ends));
            }
        }
        let mut exists = false;
        let mut by_zero = false;
        for (a, b, c) in (-6..=6).flat_map(|a| (-6..=6).flat_map(move |b| [(a, b, false), (a, b, true)])) {
            let mut model = Model::new();
            model.set(x, Value::Int(BigInt::from(a)));
            model.set(y, Value::Int(BigInt::from(b)));
            model.set(truth, Value::Bool(c));
            let mut evaluator = Evaluator::new(model);
            let all: Vec<_> = formulas.iter().map(|&formula| evaluator.holds(&arena, formula)).collect();
            by_zero |= all.iter().any(Result::is_err);
            exists |= all.iter().all(|it| *it == Ok(true));
        }
        match solve(&arena, &formulas, &Budget::unlimited(), None).unwrap_or_else(|why| panic!("{why}")) {
            Found::Model(_) => {
                assert!(exists);
                counts[0] += 1;
            }
            Found::Unsat => {
                assert!(!exists);
                counts[1] += 1;
            }
            // The value of a quotient by zero is nobody's choice.
            Found::Unknown(_) => assert!(by_zero && !exists),
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Reals: bounds decide, strict ends count, and what is left open is told.
#[test]
fn reals() {
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::Real).unwrap());
    let mut number = |text: &str| {
        let number: BigRational = text.parse().unwrap();
        arena.constant(Value::Real(number))
    };
    let (zero, one, two, ten, small) =
        (number("0"), number("1"), number("2"), number("10"), number("1/1000"));
    let square = arena.mk(Op::Mul, &[x, x]);
    let product = arena.mk(Op::Mul, &[x, y]);
    let sum = arena.mk(Op::Add, &[x, y]);
    let within: Vec<Term> = [x, y]
        .into_iter()
        .flat_map(|it| [arena.mk(Op::Le, &[zero, it]), arena.mk(Op::Le, &[it, ten])])
        .collect();
    let ask = |arena: &mut Arena, more: &[(Op, Term, Term)]| {
        let mut formulas = within.clone();
        formulas.extend(more.iter().map(|&(op, left, right)| arena.mk(op, &[left, right])));
        match solve(arena, &formulas, &Budget::unlimited(), Some(100_000)) {
            Ok(Found::Model(_)) => "sat".to_owned(),
            Ok(Found::Unsat) => "unsat".to_owned(),
            Ok(Found::Unknown(Why::Open(why))) => why,
            _ => "interrupted".to_owned(),
        }
    };
    assert_eq!(ask(&mut arena, &[(Op::Lt, square, zero)]), "unsat");
    assert_eq!(ask(&mut arena, &[(Op::Lt, sum, one), (Op::Lt, one, x)]), "unsat");
    assert_eq!(ask(&mut arena, &[(Op::Le, one, x), (Op::Lt, x, one)]), "unsat");
    assert_eq!(ask(&mut arena, &[(Op::Eq, product, two), (Op::Lt, one, x)]), "sat");
    assert_eq!(ask(&mut arena, &[(Op::Eq, sum, one), (Op::Lt, product, small), (Op::Lt, small, x)]), "sat");
    // The product of two numbers whose sum is one is at most a quarter.
    assert_eq!(ask(&mut arena, &[(Op::Le, sum, one), (Op::Lt, one, product)]), "unsat");
    // There is one, but no rational one.
    let open = ask(&mut arena, &[(Op::Eq, square, two)]);
    assert_eq!(open, "a real number lies in a narrow interval, and no model was found");
}

/// Without bounds a contradiction is found nevertheless, but not every model.
#[test]
fn without_bounds() {
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::Int).unwrap());
    let square = arena.mk(Op::Mul, &[x, x]);
    let minus = arena.constant(Value::Int(BigInt::from(-1)));
    let below = arena.mk(Op::Le, &[square, minus]);
    assert!(matches!(solve(&arena, &[below], &Budget::unlimited(), None), Ok(Found::Unsat)));
    let cube = arena.mk(Op::Mul, &[y, y, y]);
    let many = arena.constant(Value::Int(BigInt::from(1001)));
    let sum = arena.mk(Op::Add, &[cube, square]);
    let other = arena.mk(Op::Mul, &[many, x]);
    let more = arena.mk(Op::Lt, &[sum, minus]);
    let equal = arena.eq(sum, other);
    match solve(&arena, &[equal, more], &Budget::unlimited(), None) {
        Ok(Found::Unknown(Why::Open(why))) => assert!(why.contains("no bounds on both sides"), "{why}"),
        Ok(Found::Model(_)) => {}
        _ => panic!("neither a model nor a reason"),
    }
}
