//! Tests of weakening: every literal put in is implied by the one it replaces, cubes stay blocked, bounds are
//! the weakest. By enumeration at small widths.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::embedded::Embedded;
use crate::solver::{Answer, Solver};
use nilas_term::smtlib::print_term;
use nilas_term::{Evaluator, Model, Op, Sort, Value};

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 16
}

struct Words {
    arena: Arena,
    x: Term,
    y: Term,
    width: u32,
}

impl Words {
    fn new(width: u32) -> Self {
        let mut arena = Arena::new();
        let sort = Sort::BitVec(width);
        let (x, y) = (arena.variable("x", &sort).unwrap(), arena.variable("y", &sort).unwrap());
        Words { arena, x, y, width }
    }

    /// All spellings of all literals over `x`, constants and `y`.
    fn literals(&mut self) -> Vec<Term> {
        let mut others: Vec<Term> =
            (0..1 << self.width).map(|value| self.arena.bv(self.width, value)).collect();
        others.push(self.y);
        let mut literals = Vec::new();
        for other in others {
            for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
                for pair in [[self.x, other], [other, self.x]] {
                    let literal = self.arena.mk(op, &pair);
                    literals.extend([literal, self.arena.not(literal)]);
                }
            }
        }
        literals
    }

    /// By values of x and y: whether the term holds.
    fn table(&self, term: Term) -> Vec<bool> {
        let mut table = Vec::new();
        for x in 0..1u64 << self.width {
            for y in 0..1u64 << self.width {
                let value = |value| Value::BitVec(BitVec::new(self.width, value));
                let model: Model = [(self.x, value(x)), (self.y, value(y))].into_iter().collect();
                table.push(Evaluator::new(model).holds(&self.arena, term).unwrap());
            }
        }
        table
    }
}

fn implies(a: &[bool], b: &[bool]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| !a || b)
}

fn disjoint(a: &[bool], b: &[bool]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| !(a && b))
}

const ALL: [Step; 10] = [
    Step::Drop,
    Step::LowestBit,
    Step::UnsignedBound,
    Step::SignedBound,
    Step::LowBits,
    Step::HighBits,
    Step::AnyBits,
    Step::WeakerBound,
    Step::Disequality,
    Step::Lax,
];

/// Every literal with every single step, against queries that refuse a random set of states: also every cube
/// that is only asked about must be implied.
#[test]
fn every_step_weakens() {
    let mut weakened = [0; ALL.len()];
    for width in 1..=3 {
        let mut words = Words::new(width);
        let states = 1usize << (2 * width);
        for literal in words.literals() {
            if words.arena.as_bool(literal).is_some() {
                continue;
            }
            let old = words.table(literal);
            for (step, count) in ALL.into_iter().zip(&mut weakened) {
                for seed in 1..=6u64 {
                    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + u64::from(width);
                    // States to be kept out: any that the literal keeps out.
                    let bad: Vec<bool> =
                        (0..states).map(|at| !old[at] && random(&mut state) % 24 < seed).collect();
                    let options = WeakenOptions { steps: vec![step], ..WeakenOptions::default() };
                    let mut cube = Cube::new([literal]);
                    let mut weakener = Weakener::new(options);
                    let mut asked: Vec<Cube> = Vec::new();
                    // A shallow copy of what is needed to judge cubes inside of the query.
                    let (x, y) = (words.x, words.y);
                    let changed = weakener
                        .weaken(&mut words.arena, &mut cube, &mut |arena: &mut Arena, cube: &Cube| {
                            asked.push(cube.clone());
                            let term = cube.to_term(arena);
                            let judge = Words { arena: arena.clone(), x, y, width };
                            Ok(disjoint(&judge.table(term), &bad))
                        })
                        .unwrap();
                    let new = cube.to_term(&mut words.arena);
                    let text = || {
                        let old = print_term(&words.arena, literal);
                        format!("seed {seed}, {step:?}: {old} to {}", print_term(&words.arena, new))
                    };
                    assert!(implies(&old, &words.table(new)), "not weaker: {}", text());
                    assert!(disjoint(&words.table(new), &bad), "no longer blocked: {}", text());
                    assert_eq!(changed, cube != Cube::new([literal]), "{}", text());
                    for cube in asked {
                        let term = cube.to_term(&mut words.arena);
                        assert!(implies(&old, &words.table(term)), "{step:?} asked about a stronger cube");
                    }
                    *count += u32::from(changed);
                }
            }
        }
    }
    for (step, count) in ALL.iter().zip(weakened) {
        assert!(count > 20, "{step:?} has weakened {count} literals only");
    }
}

/// With a monotone query, the bound is the weakest that conflicts.
#[test]
fn bounds_become_the_weakest() {
    let mut exact = 0;
    for width in 1..=4u32 {
        let mut words = Words::new(width);
        let y = words.y;
        for signed in [false, true] {
            for upper in [false, true] {
                let order = Order { signed, upper };
                for from in 0..(1u64 << width) - 1 {
                    for to in from..(1u64 << width) - 1 {
                        let (from, to) = (BitVec::new(width, from), BitVec::new(width, to));
                        let literal = order.bound(&mut words.arena, y, &from);
                        let mut cube = Cube::new([literal]);
                        let options =
                            WeakenOptions { steps: vec![Step::WeakerBound], ..WeakenOptions::default() };
                        // Bound by the next rank: that value is to stay out.
                        let bad = order.rank(&to.add(&BitVec::one(width)));
                        Weakener::new(options)
                            .weaken(&mut words.arena, &mut cube, &mut |arena: &mut Arena, cube: &Cube| {
                                let model: Model = [(y, Value::BitVec(bad.clone()))].into_iter().collect();
                                let term = cube.to_term(arena);
                                Ok(!Evaluator::new(model).holds(arena, term).unwrap())
                            })
                            .unwrap();
                        let (found, expected) =
                            (cube.to_term(&mut words.arena), order.bound(&mut words.arena, y, &to));
                        // The simplifier may have written the bound in another order, or as an equality; then
                        // it is the weakest there.
                        let same = Shape::Bound { term: y, order, rank: from.clone() };
                        let strict = Shape::of(&words.arena, literal) == same;
                        exact += u32::from(strict);
                        assert!(
                            found == expected
                                || (!strict && implies(&words.table(literal), &words.table(found))),
                            "{order:?} from {from:?} to {to:?}: {}",
                            print_term(&words.arena, found)
                        );
                    }
                }
            }
        }
    }
    assert!(exact > 300, "{exact} bounds only");
}

/// 32 bits, with a solver.
fn weaken_against(text: &str, literal: &str, steps: &[Step], expected: &str) -> WeakenCounters {
    let mut arena = Arena::new();
    for name in ["x", "y"] {
        arena.variable(name, &Sort::BitVec(32)).unwrap();
    }
    let mut parse = |text: &str| nilas_term::smtlib::parse_term(&mut arena, text).unwrap();
    let (other, literal, expected) = (parse(text), parse(literal), parse(expected));
    let mut solver = Embedded::hard();
    solver.assert(&arena, other);
    let mut cube = Cube::new([literal]);
    let mut weakener = Weakener::new(WeakenOptions { steps: steps.to_vec(), ..WeakenOptions::default() });
    weakener
        .weaken(&mut arena, &mut cube, &mut |arena: &mut Arena, cube: &Cube| {
            Ok(solver.check(arena, &[], cube.literals(), &Budget::unlimited()) == Answer::Unsat)
        })
        .unwrap();
    let term = cube.to_term(&mut arena);
    assert_eq!(print_term(&arena, term), print_term(&arena, expected));
    weakener.counters()
}

#[test]
fn examples_at_32_bits() {
    let steps = WeakenOptions::default().steps;
    let parity = "(= ((_ extract 0 0) x) #b0)";
    let counters = weaken_against("(= x #x00000001)", "(= x #x00000000)", &steps, parity);
    assert_eq!(counters.checks, 1);
    let counters = weaken_against("(bvugt x #x00000009)", "(= x #x00000005)", &steps, "(bvule x #x00000009)");
    assert!(counters.checks <= 70, "{counters:?}");
    weaken_against("(bvslt x #xfffffff0)", "(bvsle #x00000003 x)", &steps, "(bvsle #xfffffff0 x)");
    weaken_against("(bvult y x)", "(= x y)", &steps, "(bvule x y)");
    let (zero, low) = ("(= x #x00000000)", "(= ((_ extract 3 0) x) #x0)");
    weaken_against("(= ((_ extract 3 0) x) #x8)", zero, &[Step::LowBits], low);
    let bit = "(= ((_ extract 8 8) x) #b0)";
    weaken_against("(= (bvand x #x00010100) #x00000100)", zero, &[Step::AnyBits], bit);
}

#[test]
fn landmarks_limit_the_search() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(32)).unwrap();
    let (three, limit) = (arena.bv(32, 3), arena.bv(32, 1_000_000));
    let literal = arena.bv_ule(x, three);
    let other = arena.bv_ult(limit, x);
    let mut solver = Embedded::hard();
    solver.assert(&arena, other);
    let landmarks =
        vec![BitVec::new(32, 100), BitVec::new(32, 5000), BitVec::new(32, 1 << 30), BitVec::new(8, 7)];
    let mut weakener = Weakener::new(WeakenOptions { landmarks, ..WeakenOptions::default() });
    let mut cube = Cube::new([literal]);
    weakener
        .weaken(&mut arena, &mut cube, &mut |arena: &mut Arena, cube: &Cube| {
            Ok(solver.check(arena, &[], cube.literals(), &Budget::unlimited()) == Answer::Unsat)
        })
        .unwrap();
    let limit = arena.bv(32, 5001);
    assert_eq!(cube, Cube::new([arena.bv_ule(x, limit)]));
    assert!(weakener.counters().checks <= 4);
}

#[test]
fn checks_are_bounded_and_failures_keep_what_was_confirmed() {
    let mut words = Words::new(3);
    let (x, y) = (words.x, words.y);
    let two = words.arena.bv(3, 2);
    let literals = [words.arena.eq(x, two), words.arena.bv_ult(x, y)];
    let mut weakener = Weakener::new(WeakenOptions { checks: 3, ..WeakenOptions::default() });
    let mut cube = Cube::new(literals);
    let mut asked = 0;
    weakener
        .weaken(&mut words.arena, &mut cube, &mut |_: &mut Arena, _: &Cube| {
            asked += 1;
            Ok(false)
        })
        .unwrap();
    assert_eq!((asked, weakener.counters().checks), (3, 3));
    assert_eq!(cube, Cube::new(literals));
    let mut weakener = Weakener::default();
    let mut asked = 0;
    let result = weakener.weaken(&mut words.arena, &mut cube, &mut |_: &mut Arena, _: &Cube| {
        asked += 1;
        if asked == 2 { Err(Reason::Failed("broken".to_owned())) } else { Ok(true) }
    });
    assert!(result.is_err());
    assert_ne!(cube, Cube::new(literals));
    assert_eq!(weakener.counters().weakened, 1);
}
