//! What the solver does not decide, and what it has no budget for, is unknown; never a wrong word.

#![allow(clippy::unwrap_used)]

use nilas_smt::{Answer, Budget, CancelFlag, Embedded, Interrupt, Reason, Solver};
use nilas_term::{Arena, Op, Sort, Term};
use std::time::{Duration, Instant};

fn unsupported(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Unsupported(_)))
}

#[test]
fn a_huge_multiplication_ends_with_the_budget() {
    let mut arena = Arena::new();
    let sort = Sort::BitVec(100_000);
    let x = arena.variable("x", &sort).unwrap();
    let y = arena.variable("y", &sort).unwrap();
    let p = arena.variable("p", &Sort::Bool).unwrap();
    let product = arena.bv_mul(x, y);
    let square = arena.bv_mul(x, x);
    let quotient = arena.bv_udiv(x, y);
    let mut solver = Embedded::hard();
    for term in [product, square, quotient] {
        let same = arena.eq(term, y);
        let activation = solver.activation();
        solver.assert_under(&arena, activation, same);
        let budget =
            Budget { deadline: Some(Instant::now() + Duration::from_millis(200)), ..Budget::default() };
        let answer = solver.check(&arena, &[activation], &[], &budget);
        assert_eq!(answer, Answer::Unknown(Reason::Interrupted(Interrupt::Timeout)));
        solver.retire(activation);
    }
    assert_eq!(solver.check(&arena, &[], &[p], &Budget::unlimited()), Answer::Sat);
}

#[test]
fn cancelling_stops_blasting() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(20_000)).unwrap();
    let y = arena.variable("y", &Sort::BitVec(20_000)).unwrap();
    let product = arena.bv_mul(x, y);
    let same = arena.eq(product, y);
    let mut solver = Embedded::hard();
    solver.assert(&arena, same);
    let cancel = CancelFlag::new();
    let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
    let watchdog = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel(Interrupt::OutOfMemory);
    });
    let answer = solver.check(&arena, &[], &[], &budget);
    watchdog.join().unwrap();
    assert_eq!(answer, Answer::Unknown(Reason::Interrupted(Interrupt::OutOfMemory)));
}

#[test]
fn unsupported_terms_count_only_in_force() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(8)).unwrap();
    let n = arena.variable("n", &Sort::Int).unwrap();
    let r = arena.variable("r", &Sort::Real).unwrap();
    let p = arena.variable("p", &Sort::Bool).unwrap();
    let square = arena.mk(Op::Mul, &[n, n]);
    let floor = arena.mk(Op::ToInt, &[r]);
    let terms: Vec<Term> = vec![arena.eq(square, n), arena.mk(Op::Lt, &[n, floor])];
    let mut solver = Embedded::hard();
    let not_p = arena.not(p);
    for &term in &terms {
        let activation = solver.activation();
        let either = arena.or(&[term, p]);
        solver.assert_under(&arena, activation, either);
        let unlimited = Budget::unlimited();
        assert!(unsupported(&solver.check(&arena, &[activation], &[], &unlimited)), "{:?}", arena.op(term));
        // Again: the reason is remembered.
        assert!(unsupported(&solver.check(&arena, &[activation], &[not_p], &unlimited)));
        assert!(unsupported(&solver.check(&arena, &[], &[term], &unlimited)));
        assert_eq!(solver.check(&arena, &[], &[not_p], &unlimited), Answer::Sat);
        solver.retire(activation);
        assert_eq!(solver.check(&arena, &[], &[p], &unlimited), Answer::Sat);
    }
    // A term that is no formula is refused rather than taken for something.
    assert!(unsupported(&solver.check(&arena, &[], &[x], &Budget::unlimited())));
    solver.assert(&arena, terms[0]);
    assert!(unsupported(&solver.check(&arena, &[], &[], &Budget::unlimited())));
}

#[test]
fn deep_terms_need_no_stack() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(2)).unwrap();
    let y = arena.variable("y", &Sort::BitVec(2)).unwrap();
    let (mut term, mut formula) = (x, arena.eq(x, y));
    for _ in 0..100_000 {
        term = arena.bv_mul(term, y);
        term = arena.bv_xor(term, x);
        let here = arena.eq(term, x);
        formula = arena.xor(formula, here);
    }
    let mut solver = Embedded::hard();
    solver.assert(&arena, formula);
    let zero = arena.bv(2, 0);
    let assumption = arena.eq(y, zero);
    assert!(!matches!(solver.check(&arena, &[], &[assumption], &Budget::unlimited()), Answer::Unknown(_)));
}
