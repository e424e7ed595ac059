//! Random formulas over bounded integers and reals: `icp` against `z3`, where it is on PATH.
//!
//! Every variable has two bounds; terms are sums, products, quotients, remainders, choices and conversions.
//! Models are evaluated. `NILAS_ICP_NUMBERS` is how many formulas are asked (60 unless given), `NILAS_SEED` the
//! first seed. What `icp` leaves open is counted, and must stay rare where there are no reals.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use nilas_icp::{Icp, Options};
use nilas_smt::pipe::discover;
use nilas_smt::{Answer, Budget, Reason, Solver};
use nilas_term::{Arena, Evaluator, Model, Op, Sort, Term, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn number(&mut self, size: usize) -> i64 {
        self.below(2 * size + 1) as i64 - size as i64
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Terms of one formula, by their sorts.
struct Pool {
    integers: Vec<Term>,
    reals: Vec<Term>,
    truths: Vec<Term>,
}

fn grow(arena: &mut Arena, random: &mut Random, pool: &mut Pool) {
    let real = !pool.reals.is_empty() && random.below(2) == 0;
    let like = if real { &pool.reals } else { &pool.integers };
    let (one, two, truth) = (random.pick(like), random.pick(like), random.pick(&pool.truths));
    let made = match random.below(14) {
        0..=2 => arena.mk(Op::Add, &[one, two]),
        3 | 4 => arena.mk(Op::Mul, &[one, two]),
        5 => arena.mk(Op::Neg, &[one]),
        6 => arena.ite(truth, one, two),
        7 | 8 => {
            // SMT-LIB leaves quotients by zero open.
            let divisor = [1, 2, 3, 7, -2, -5][random.below(6)];
            let (op, value) = match real {
                true => (Op::RealDiv, Value::Real(BigRational::from_integer(divisor.into()))),
                false => (random.pick(&[Op::IntDiv, Op::IntMod]), Value::Int(divisor.into())),
            };
            let divisor = arena.constant(value);
            arena.mk(op, &[one, divisor])
        }
        9 if real => arena.mk(Op::ToInt, &[one]),
        9 => arena.mk(Op::IntAbs, &[one]),
        10 if !real && !pool.reals.is_empty() => arena.mk(Op::ToReal, &[one]),
        _ => {
            let made = match random.below(3) {
                0 => arena.mk(Op::Le, &[one, two]),
                1 => arena.mk(Op::Lt, &[one, two]),
                _ => arena.eq(one, two),
            };
            if random.below(3) == 0 { arena.or(&[made, truth]) } else { made }
        }
    };
    match arena.sort(made) {
        Sort::Int => pool.integers.push(made),
        Sort::Real => pool.reals.push(made),
        _ => pool.truths.push(made),
    }
}

fn constant(sort: &Sort, number: i64) -> Value {
    match sort {
        Sort::Int => Value::Int(BigInt::from(number)),
        _ => Value::Real(BigRational::from_integer(number.into())),
    }
}

#[derive(Default, Debug)]
struct Counts {
    sat: u64,
    unsat: u64,
    /// What `icp` did not decide, with integers only and with reals.
    open: [u64; 2],
    /// What z3 did not decide.
    alone: u64,
}

#[test]
fn answers_are_those_of_z3() {
    let Some(found) = discover().into_iter().find(|found| found.name() == "z3") else {
        eprintln!("z3 is not on PATH");
        return;
    };
    let mut counts = Counts::default();
    let (first, count) = (number("NILAS_SEED", 1), number("NILAS_ICP_NUMBERS", 60));
    for seed in first..first + count {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut arena = Arena::new();
        let with_reals = random.below(2) == 0;
        let mut pool = Pool { integers: Vec::new(), reals: Vec::new(), truths: Vec::new() };
        pool.truths.push(arena.variable("p", &Sort::Bool).unwrap());
        let mut formulas = Vec::new();
        let mut variables = vec![pool.truths[0]];
        let size = random.pick(&[4, 20, 1000]);
        for (name, sort) in [("i", Sort::Int), ("j", Sort::Int), ("x", Sort::Real), ("y", Sort::Real)] {
            if sort == Sort::Real && !with_reals {
                continue;
            }
            let variable = arena.variable(name, &sort).unwrap();
            let low = random.number(size);
            let high = low + random.below(2 * size) as i64;
            let [low, high] = [low, high].map(|number| arena.constant(constant(&sort, number)));
            formulas.push(arena.mk(Op::Le, &[low, variable]));
            formulas.push(arena.mk(Op::Le, &[variable, high]));
            variables.push(variable);
            let other = arena.constant(constant(&sort, random.number(size)));
            let terms = if sort == Sort::Int { &mut pool.integers } else { &mut pool.reals };
            terms.extend([variable, other]);
        }
        for _ in 0..6 + random.below(14) {
            grow(&mut arena, random, &mut pool);
        }
        let late = pool.truths.len() / 2;
        for _ in 0..1 + random.below(4) {
            let part = pool.truths[late + random.below(pool.truths.len() - late)];
            formulas.push(if random.below(2) == 0 { part } else { arena.not(part) });
        }
        let mut icp = Icp::new(Options { hand_over: false, patience: 100_000 });
        let mut other = found.start();
        // Half of the formulas are assumptions.
        let (assumed, asserted): (Vec<Term>, Vec<Term>) = formulas.iter().partition(|_| random.below(2) == 0);
        for &formula in &asserted {
            icp.assert(&arena, formula);
            other.assert(&arena, formula);
        }
        let limit =
            || Budget { deadline: Some(Instant::now() + Duration::from_secs(4)), ..Budget::default() };
        let answer = icp.check(&arena, &[], &assumed, &limit());
        let text = || {
            let texts: Vec<String> =
                formulas.iter().map(|&term| nilas_term::smtlib::print_term(&arena, term)).collect();
            format!("seed {seed}: {}", texts.join(" "))
        };
        match &answer {
            Answer::Sat => {
                counts.sat += 1;
                let values = variables.iter().map(|&it| (it, icp.value(&arena, it).unwrap()));
                let mut evaluator = Evaluator::new(values.collect::<Model>());
                for &formula in &formulas {
                    assert_eq!(evaluator.holds(&arena, formula), Ok(true), "{}", text());
                }
            }
            Answer::Unsat => {
                counts.unsat += 1;
                let core = icp.failed().to_vec();
                assert!(core.iter().all(|it| assumed.contains(it)), "{}", text());
                assert_ne!(other.check(&arena, &[], &core, &limit()), Answer::Sat, "core of {}", text());
            }
            Answer::Unknown(Reason::Unsupported(_) | Reason::Interrupted(_)) => {
                counts.open[usize::from(with_reals)] += 1;
                continue;
            }
            Answer::Unknown(why) => panic!("{why}: {}", text()),
        }
        match other.check(&arena, &[], &assumed, &limit()) {
            Answer::Unknown(_) => counts.alone += 1,
            wanted => assert_eq!(answer, wanted, "{}", text()),
        }
    }
    eprintln!("{counts:?}");
    assert!(counts.open[0] * 20 <= count && counts.open[1] * 4 <= count, "too much is open: {counts:?}");
    assert!(counts.sat > 0 && counts.unsat > 0, "{counts:?}");
}
