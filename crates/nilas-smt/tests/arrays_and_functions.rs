//! Random formulas over small arrays and functions: answers against enumeration, models against the
//! evaluator.

#![allow(clippy::unwrap_used)]

use nilas_smt::sat::{Batsat, Cdcl, Hard, SatSolver};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, ArraySort, ArrayValue, BitVec, Evaluator, Model, Op, Sort, SymbolId, Term, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// Two arrays, two indices, an element, a function that is also given as a third array so that it can be
/// enumerated.
struct World {
    arena: Arena,
    arrays: [Term; 2],
    indices: [Term; 2],
    element: Term,
    function: SymbolId,
    table: Term,
    /// Whether applications are written as reads of the table.
    as_table: bool,
}

const INDEX: Sort = Sort::BitVec(2);
const ELEMENT: Sort = Sort::BitVec(1);

impl World {
    fn new(as_table: bool) -> Self {
        let mut arena = Arena::new();
        let sort = Sort::array(INDEX, ELEMENT);
        let arrays = ["a", "b"].map(|name| arena.variable(name, &sort).unwrap());
        let indices = ["i", "j"].map(|name| arena.variable(name, &INDEX).unwrap());
        let element = arena.variable("x", &ELEMENT).unwrap();
        let function = arena.declare("f", vec![INDEX], ELEMENT).unwrap();
        let table = arena.variable("t", &sort).unwrap();
        World { arena, arrays, indices, element, function, table, as_table }
    }

    fn index(&mut self, rng: &mut Rng, depth: usize) -> Term {
        match rng.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.arena.bv(2, rng.below(4) as u64),
            1..=3 => self.indices[rng.below(2)],
            4 => {
                let (one, other) = (self.index(rng, depth - 1), self.index(rng, depth - 1));
                self.arena.bv_add(one, other)
            }
            _ => {
                let (high, low) = (self.element(rng, depth - 1), self.element(rng, depth - 1));
                self.arena.concat(high, low)
            }
        }
    }

    fn element(&mut self, rng: &mut Rng, depth: usize) -> Term {
        match rng.below(if depth == 0 { 2 } else { 6 }) {
            0 => self.arena.bv(1, rng.below(2) as u64),
            1 => self.element,
            2 => {
                let index = self.index(rng, depth - 1);
                if self.as_table {
                    self.arena.select(self.table, index)
                } else {
                    self.arena.mk(Op::Apply(self.function), &[index])
                }
            }
            _ => {
                let (array, index) = (self.array(rng, depth - 1), self.index(rng, depth - 1));
                self.arena.select(array, index)
            }
        }
    }

    fn array(&mut self, rng: &mut Rng, depth: usize) -> Term {
        match rng.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => self.arrays[rng.below(2)],
            2 => {
                let element = self.element(rng, depth - 1);
                let sort = Sort::array(INDEX, ELEMENT);
                let sort = self.arena.sort_id(&sort);
                self.arena.mk(Op::ConstArray(sort), &[element])
            }
            3 => {
                let condition = self.condition(rng, depth - 1);
                let (then, otherwise) = (self.array(rng, depth - 1), self.array(rng, depth - 1));
                self.arena.ite(condition, then, otherwise)
            }
            _ => {
                let array = self.array(rng, depth - 1);
                let (index, element) = (self.index(rng, depth - 1), self.element(rng, depth - 1));
                self.arena.store(array, index, element)
            }
        }
    }

    fn condition(&mut self, rng: &mut Rng, depth: usize) -> Term {
        match rng.below(if depth == 0 { 3 } else { 7 }) {
            0 => {
                let (left, right) = (self.index(rng, depth), self.index(rng, depth));
                self.arena.eq(left, right)
            }
            1 => {
                let (left, right) = (self.element(rng, depth), self.element(rng, depth));
                self.arena.eq(left, right)
            }
            2 => {
                let (left, right) = (self.array(rng, depth), self.array(rng, depth));
                self.arena.eq(left, right)
            }
            3 | 4 => {
                let inner = self.condition(rng, depth - 1);
                self.arena.not(inner)
            }
            5 => {
                let (left, right) = (self.condition(rng, depth - 1), self.condition(rng, depth - 1));
                self.arena.or(&[left, right])
            }
            _ => {
                let (left, right) = (self.condition(rng, depth - 1), self.condition(rng, depth - 1));
                self.arena.and(&[left, right])
            }
        }
    }

    fn formula(&mut self, rng: &mut Rng) -> Term {
        let parts: Vec<Term> = (0..2 + rng.below(3)).map(|_| self.condition(rng, 3)).collect();
        self.arena.and(&parts)
    }

    /// Whether some assignment satisfies the formula, in which applications are written as reads of the
    /// table.
    fn enumerate(&self, formula: Term) -> bool {
        let sort = ArraySort { index: INDEX, element: ELEMENT };
        let array = |code: usize| {
            let entries: BTreeMap<Value, Value> =
                (0..4).map(|index| (bits(2, index), bits(1, code as u64 >> index & 1))).collect();
            Value::Array(Arc::new(ArrayValue::new(sort.clone(), bits(1, 0), entries)))
        };
        let free = self.arena.free_variables(formula);
        let [a, b] = self.arrays;
        let [i, j] = self.indices;
        let sizes = [(a, 16), (b, 16), (self.table, 16), (i, 4), (j, 4), (self.element, 2)];
        let used: Vec<(Term, usize)> =
            sizes.into_iter().filter(|(variable, _)| free.contains(variable)).collect();
        let total: usize = used.iter().map(|(_, size)| size).product();
        (0..total).any(|mut code| {
            let mut model = Model::new();
            for &(variable, size) in &used {
                let value = match size {
                    16 => array(code % size),
                    4 => bits(2, (code % size) as u64),
                    _ => bits(1, (code % size) as u64),
                };
                model.set(variable, value);
                code /= size;
            }
            Evaluator::new(model).holds(&self.arena, formula).unwrap()
        })
    }
}

fn bits(width: u32, value: u64) -> Value {
    Value::BitVec(BitVec::new(width, value))
}

fn compare<S: SatSolver + Default + 'static>(seeds: std::ops::Range<u64>) {
    let (mut sat, mut unsat) = (0, 0);
    for seed in seeds {
        // The same random choices give the same formula, once with a function and once with a table.
        let start = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut world = World::new(false);
        let formula = world.formula(&mut Rng(start));
        let mut tables = World::new(true);
        let with_table = tables.formula(&mut Rng(start));
        let expected = tables.enumerate(with_table);
        let text = nilas_term::smtlib::print_term(&world.arena, formula);
        let mut solver: Embedded<S> = Embedded::new();
        solver.assert(&world.arena, formula);
        let answer = solver.check(&world.arena, &[], &[], &Budget::unlimited());
        assert_eq!(answer, if expected { Answer::Sat } else { Answer::Unsat }, "seed {seed}: {text}");
        if expected {
            sat += 1;
            let value = solver.value(&world.arena, formula).unwrap();
            assert_eq!(value, Value::Bool(true), "seed {seed}: the model does not satisfy {text}");
        } else {
            unsat += 1;
        }
        // The same under an activation, in a solver that has seen other things.
        let activation = solver.activation();
        let negated = world.arena.not(formula);
        solver.assert_under(&world.arena, activation, negated);
        assert_eq!(
            solver.check(&world.arena, &[activation], &[], &Budget::unlimited()),
            Answer::Unsat,
            "seed {seed}"
        );
        solver.retire(activation);
        let again = solver.check(&world.arena, &[], &[formula], &Budget::unlimited());
        assert_eq!(again, answer, "seed {seed}: again");
    }
    assert!(sat > 20 && unsat > 20, "{sat} sat, {unsat} unsat");
}

#[test]
fn random_formulas_on_the_hard_one() {
    compare::<Hard>(0..150);
}

#[test]
fn random_formulas_on_batsat() {
    compare::<Batsat>(300..450);
}

#[test]
fn random_formulas_on_cdcl() {
    compare::<Cdcl>(600..1000);
}

#[test]
fn uninterpreted_sorts() {
    let mut arena = Arena::new();
    let sort = Sort::Uninterpreted("U".into());
    let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &sort).unwrap());
    let f = arena.declare("f", vec![sort.clone()], sort.clone()).unwrap();
    // x = y ∧ f(x) ≠ f(y) is impossible; f(f(x)) = x ∧ f(f(f(x))) = x ⇒ f(x) = x.
    let mut solver: Embedded = Embedded::new();
    let apply = |arena: &mut Arena, term| arena.mk(Op::Apply(f), &[term]);
    let (fx, fy) = (apply(&mut arena, x), apply(&mut arena, y));
    let (same, different) = (arena.eq(x, y), arena.ne(fx, fy));
    assert_eq!(solver.check(&arena, &[], &[same, different], &Budget::unlimited()), Answer::Unsat);
    assert_eq!(solver.failed().len(), 2);
    assert_eq!(solver.check(&arena, &[], &[different], &Budget::unlimited()), Answer::Sat);
    let ffx = apply(&mut arena, fx);
    let fffx = apply(&mut arena, ffx);
    let (two, three, not_one) = (arena.eq(ffx, x), arena.eq(fffx, x), arena.ne(fx, x));
    assert_eq!(solver.check(&arena, &[], &[two, three, not_one], &Budget::unlimited()), Answer::Unsat);
    assert_eq!(solver.check(&arena, &[], &[two, not_one], &Budget::unlimited()), Answer::Sat);
    let (xy, yz, xz) = (arena.ne(x, y), arena.ne(y, z), arena.ne(x, z));
    assert_eq!(solver.check(&arena, &[], &[xy, yz, xz], &Budget::unlimited()), Answer::Sat);
    assert_ne!(solver.value(&arena, x).unwrap(), solver.value(&arena, y).unwrap());
}
