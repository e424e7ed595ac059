//! Widths that cannot be exhausted: random terms at random points; and the sizes of what comes out.

use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::eval::{Evaluator, Model};
use crate::op::Op;
use crate::smtlib::print_term;
use crate::sort::Sort;
use crate::term::Term;
use crate::testing::Random;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// A term as built without rules, and with them.
#[derive(Clone, Copy)]
struct Pair {
    raw: Term,
    simple: Term,
}

struct Workshop {
    arena: Arena,
    random: Random,
    variables: Vec<Term>,
    pool: Vec<Pair>,
}

impl Workshop {
    fn new(width: u32, seed: u64) -> Self {
        let mut arena = Arena::new();
        let mut random = Random(seed);
        let mut variables = Vec::new();
        for name in ["x", "y", "z"] {
            variables.push(arena.variable(name, &Sort::BitVec(width)).unwrap());
        }
        for name in ["p", "q"] {
            variables.push(arena.variable(name, &Sort::Bool).unwrap());
        }
        let mut terms = variables.clone();
        for _ in 0..8 {
            let value = special_value(width, &mut random);
            terms.push(arena.constant(Value::BitVec(value)));
        }
        let pool = terms.into_iter().map(|term| Pair { raw: term, simple: term }).collect();
        Workshop { arena, random, variables, pool }
    }

    /// Adds a random operator on random members of the pool.
    fn grow(&mut self, width: u32) {
        let hi = self.random.below(width as usize) as u32;
        let lo = self.random.below(hi as usize + 1) as u32;
        let by = self.random.below(width as usize + 1) as u32;
        let ops = [
            Op::Not,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Eq,
            Op::Ite,
            Op::Concat,
            Op::Extract { hi, lo },
            Op::Extract { hi, lo: 0 },
            Op::ZeroExtend(by),
            Op::SignExtend(by),
            Op::BvNot,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvNeg,
            Op::BvAdd,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSmod,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
            Op::Eq,
        ];
        let op = self.random.pick(&ops);
        for _ in 0..60 {
            let arity = 1 + self.random.below(3);
            // Recent terms more often, so that terms get deep.
            let children: Vec<Pair> = (0..arity)
                .map(|_| {
                    let bound = self.pool.len();
                    let back = self.random.below(bound).min(self.random.below(bound));
                    self.pool[bound - 1 - back]
                })
                .collect();
            let raw: Vec<Term> = children.iter().map(|pair| pair.raw).collect();
            let Ok(sort) = self.arena.sort_of(op, &raw) else { continue };
            if sort.width().unwrap_or(0) > 2 * width || matches!(op, Op::And | Op::Or) && raw.len() < 2 {
                continue;
            }
            let simple: Vec<Term> = children.iter().map(|pair| pair.simple).collect();
            let pair = Pair { raw: self.arena.mk_raw(op, &raw), simple: self.arena.mk(op, &simple) };
            self.pool.push(pair);
            return;
        }
    }

    fn assignment(&mut self, width: u32) -> Model {
        let variables = self.variables.clone();
        let value = |variable: Term| {
            let value = if *self.arena.sort(variable) == Sort::Bool {
                Value::Bool(self.random.below(2) == 1)
            } else {
                Value::BitVec(special_value(width, &mut self.random))
            };
            (variable, value)
        };
        variables.into_iter().map(value).collect()
    }
}

/// Extreme numbers, small ones, powers of two, and others.
fn special_value(width: u32, random: &mut Random) -> BitVec {
    let small = BitVec::new(width, random.next() % 5);
    match random.below(6) {
        0 => small,
        1 => small.neg(),
        2 => BitVec::min_signed(width).add(&small).sub(&BitVec::one(width)),
        3 => BitVec::one(width).shl_by(random.below(width as usize) as u32),
        4 => BitVec::one(width).shl_by(random.below(width as usize) as u32).sub(&BitVec::one(width)),
        _ => {
            let low = BitVec::new(width, random.next());
            if width > 64 { low.shl_by(width - 64).add(&BitVec::new(width, random.next())) } else { low }
        }
    }
}

fn graph_size(arena: &Arena, root: Term) -> usize {
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(arena.children(term));
        }
    }
    seen.len()
}

#[test]
fn random_terms_of_real_widths_keep_their_values() {
    for width in [5, 8, 32, 63, 64, 65, 100] {
        for seed in 1..=12 {
            let mut workshop = Workshop::new(width, seed * 7919 + u64::from(width));
            for _ in 0..150 {
                workshop.grow(width);
            }
            for _ in 0..12 {
                let mut evaluator = Evaluator::new(workshop.assignment(width));
                for pair in &workshop.pool {
                    let wanted = evaluator.eval(&workshop.arena, pair.raw).unwrap();
                    let found = evaluator.eval(&workshop.arena, pair.simple).unwrap();
                    assert!(
                        wanted == found,
                        "width {width}, seed {seed}: {} became {}, values {wanted:?} and {found:?} under {:?}",
                        print_term(&workshop.arena, pair.raw),
                        print_term(&workshop.arena, pair.simple),
                        evaluator.model()
                    );
                }
            }
        }
    }
}

#[test]
fn simplification_does_not_grow_terms_much() {
    let (mut raw, mut simple) = (0, 0);
    for seed in 1..=40 {
        let mut workshop = Workshop::new(32, seed * 104_729);
        for _ in 0..200 {
            workshop.grow(32);
        }
        for pair in &workshop.pool {
            let (before, after) =
                (graph_size(&workshop.arena, pair.raw), graph_size(&workshop.arena, pair.simple));
            assert!(
                after <= 3 * before + 10,
                "seed {seed}: {before} nodes became {after}: {} became {}",
                print_term(&workshop.arena, pair.raw),
                print_term(&workshop.arena, pair.simple)
            );
            raw += before;
            simple += after;
        }
    }
    assert!(simple <= raw, "{raw} nodes became {simple} in all");
}

/// Chains so long that any recursion on their depth would overflow the stack, and any copying would show.
#[test]
fn long_chains_are_built_in_linear_size() {
    let length = 50_000;
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(32)).unwrap());
    let one = arena.bv(32, 1);
    let mask = arena.bv(32, 0x00ff_ff0f);
    let mut variables = Vec::new();
    for number in 0..100 {
        variables.push(arena.variable(&format!("v{number}"), &Sort::BitVec(32)).unwrap());
    }
    let mut built = Vec::new();
    for kind in 0..8 {
        let before = arena.len();
        let mut term = x;
        for step in 0..length {
            let variable = variables[step * 37 % 100];
            term = match kind {
                0 => arena.bv_add(term, variable),
                1 => {
                    let sum = arena.bv_add(term, one);
                    arena.bv_and(sum, mask)
                }
                2 => {
                    let condition = arena.bv_ult(variable, y);
                    arena.ite(condition, term, variable)
                }
                3 => arena.bv_xor(term, variable),
                4 => {
                    let low = arena.extract(term, 23, 0);
                    let high = arena.extract(variable, 7, 0);
                    arena.concat(low, high)
                }
                5 => arena.bv_mul(term, variable),
                6 => {
                    let negated = arena.bv_not(term);
                    arena.bv_add(negated, variable)
                }
                _ => {
                    let product = arena.bv_mul(term, y);
                    let sum = arena.bv_add(product, one);
                    let low = arena.extract(sum, 15, 0);
                    arena.sign_extend(low, 16)
                }
            };
        }
        let made = arena.len() - before;
        assert!(made <= 12 * length, "kind {kind}: {made} terms for {length} steps");
        built.push(term);
    }
    let mut conjunction = arena.mk_true();
    let before = arena.len();
    for &variable in variables.iter().cycle().take(5_000) {
        let other = arena.fresh_variable("b", &Sort::BitVec(32));
        let atom = arena.bv_ult(variable, other);
        conjunction = arena.and(&[conjunction, atom]);
    }
    assert!(arena.len() - before < 100_000);
    let mut evaluator = Evaluator::new(Model::new()).with_defaults();
    for term in built {
        evaluator.eval(&arena, term).unwrap();
        assert!(!arena.free_variables(term).is_empty());
        arena.prime_all(term);
        assert!(!print_term(&arena, term).is_empty());
    }
}
