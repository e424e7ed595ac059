//! Every rule, proved by trying everything at small widths.
//!
//! [`Arena::mk`] sees only normal forms below it. So it suffices to check, for operands in normal form, that
//! the result means what the operator means on them; terms of any depth follow by induction. Operands are all
//! terms up to a depth, over two bit-vectors and Booleans, and random deeper ones.

#![allow(clippy::unwrap_used)]

mod forms;
mod reference;
mod universe;
mod wide;

use super::rules::{RULES, Rule};
use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::testing::Random;
use std::collections::{BTreeMap, BTreeSet};
use universe::{Universe, combinations, unary};

/// Variables and constants.
fn leaves(universe: &mut Universe, width: u32) -> Vec<Term> {
    let mut leaves = universe.variables.clone();
    for value in 0..1 << width {
        if width <= 2
            || [0, 1, 2, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1].contains(&value)
        {
            leaves.push(universe.arena.bv(width, value));
        }
    }
    leaves
}

/// Checks all those terms, and returns them: normal forms only, each once.
fn check_all(universe: &mut Universe, candidates: Vec<(Op, Vec<Term>)>) -> Vec<Term> {
    let mut made = BTreeSet::new();
    for (op, children) in candidates {
        made.insert(universe.check(op, &children));
    }
    made.into_iter().collect()
}

fn ites(universe: &Universe, conditions: &[Term], branches: &[Term]) -> Vec<(Op, Vec<Term>)> {
    let mut all = Vec::new();
    for &condition in conditions.iter().filter(|&&term| universe.arena.width(term) == 0) {
        for &a in branches {
            for &b in branches {
                if universe.arena.sort(a) == universe.arena.sort(b) {
                    all.push((Op::Ite, vec![condition, a, b]));
                }
            }
        }
    }
    all
}

/// Everything of depth two over terms of depth one, by brute force or a sample of at most `sample` of each
/// kind.
fn exhaust(width: u32, booleans: usize, sample: usize, fired: &mut BTreeMap<Rule, u64>) {
    let mut universe = Universe::new(width, booleans);
    let zero = leaves(&mut universe, width);
    let mut candidates = combinations(&universe.arena, &zero, &zero);
    candidates.extend(unary(&universe.arena, &zero));
    candidates.extend(ites(&universe, &zero, &zero));
    let mut one = check_all(&mut universe, candidates);
    one.extend_from_slice(&zero);
    one.sort_unstable();
    one.dedup();
    let base = universe.arena.clone();
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ u64::from(width));

    let mut next = unary(&base, &one);
    next.extend(combinations(&base, &one, &zero));
    next.extend(combinations(&base, &zero, &one));
    next.extend(ites(&universe, &zero, &one).into_iter().filter(|_| random.below(8) == 0));
    next.extend(ites(&universe, &one, &zero));
    let total = one.len() * one.len() * 10;
    for _ in 0..sample.min(total) {
        let pair = (random.pick(&one), random.pick(&one));
        let both = combinations(&base, &[pair.0], &[pair.1]);
        next.extend(both);
    }
    for (number, (op, children)) in next.into_iter().enumerate() {
        universe.check(op, &children);
        if number % 20_000 == 19_999 {
            universe.reset(&base);
        }
    }
    merge(fired, &universe.arena);
}

/// Random terms, deeper and deeper.
fn sample_deep(width: u32, rounds: usize, seed: u64, fired: &mut BTreeMap<Rule, u64>) {
    let mut universe = Universe::new(width, 2);
    let zero = leaves(&mut universe, width);
    let base = universe.arena.clone();
    let mut random = Random(seed);
    for _ in 0..rounds {
        let mut pool = zero.clone();
        for _ in 0..60 {
            let a = random.pick(&pool);
            let b = random.pick(&pool);
            let mut candidates = combinations(&universe.arena, &[a], &[b]);
            candidates.extend(unary(&universe.arena, &[a]));
            candidates.extend(ites(&universe, &universe.variables, &[a, b]));
            let (op, children) = candidates.swap_remove(random.below(candidates.len()));
            if universe.arena.sort_of(op, &children).is_ok_and(|sort| sort.width().unwrap_or(1) <= 8) {
                pool.push(universe.check(op, &children));
            }
        }
        universe.reset(&base);
    }
    merge(fired, &universe.arena);
}

fn merge(fired: &mut BTreeMap<Rule, u64>, arena: &Arena) {
    for (rule, count) in &arena.fired {
        *fired.entry(*rule).or_default() += count;
    }
}

/// Arrays and numbers have no truth tables: their few rules are checked one by one.
fn arrays_and_numbers(fired: &mut BTreeMap<Rule, u64>) {
    let mut arena = Arena::new();
    let bv = Sort::BitVec(8);
    let array = arena.variable("a", &Sort::array(bv.clone(), bv.clone())).unwrap();
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| arena.variable(name, &bv).unwrap());
    let stored = arena.store(array, i, v);
    assert_eq!(arena.select(stored, i), v);
    assert_ne!(arena.select(stored, j), v);
    let (one, two) = (arena.bv(8, 1), arena.bv(8, 2));
    let at_one = arena.store(array, one, v);
    let direct = arena.select(array, two);
    assert_eq!(arena.select(at_one, two), direct);
    let over = arena.store(stored, i, w);
    assert_eq!(over, arena.store(array, i, w));
    let old = arena.select(array, i);
    assert_eq!(arena.store(array, i, old), array);
    let sort = arena.sort_id(&Sort::array(bv.clone(), bv));
    let constant = arena.mk(Op::ConstArray(sort), &[v]);
    assert_eq!(arena.select(constant, j), v);
    let zeros = arena.mk(Op::ConstArray(sort), &[one]);
    assert_eq!(arena.select(zeros, j), one);

    let n = arena.variable("n", &Sort::Int).unwrap();
    let m = arena.variable("m", &Sort::Int).unwrap();
    let negated = arena.mk(Op::Neg, &[n]);
    assert_eq!(arena.mk(Op::Neg, &[negated]), n);
    assert_eq!(arena.mk(Op::Le, &[n, n]), arena.mk_true());
    assert_eq!(arena.mk(Op::Lt, &[n, n]), arena.mk_false());
    let less = arena.mk(Op::Lt, &[n, m]);
    let not_less = arena.not(less);
    assert_eq!(not_less, arena.mk(Op::Le, &[m, n]));
    merge(fired, &arena);
}

#[test]
fn every_rule_is_right_and_every_rule_fires() {
    let mut fired = BTreeMap::new();
    exhaust(1, 2, 20_000, &mut fired);
    exhaust(2, 1, 40_000, &mut fired);
    exhaust(3, 1, 10_000, &mut fired);
    for (width, seed) in [(1, 11), (2, 12), (2, 13), (3, 14), (4, 15)] {
        sample_deep(width, 400, seed, &mut fired);
    }
    arrays_and_numbers(&mut fired);
    let silent: Vec<&Rule> = RULES.iter().filter(|rule| !fired.contains_key(rule)).collect();
    assert!(silent.is_empty(), "rules that never fired: {silent:?}");
}
