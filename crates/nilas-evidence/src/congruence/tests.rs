//! What is refuted without bits has no model: the evaluator and the encoder are asked, too.

use super::closure::contradiction;
use super::*;
use crate::encoder::Encoder;
use nilas_term::{BitVec, Evaluator, Model, Value};

fn refuted(arena: &mut Arena, formulas: &[Term]) -> bool {
    Skeleton::new().refutes(arena, formulas, &Budget::unlimited()).unwrap()
}

fn contradicts(arena: &Arena, truths: &[(Term, bool)]) -> bool {
    contradiction(arena, truths).is_some()
}

struct Terms {
    arena: Arena,
    x: Term,
    y: Term,
    three: Term,
}

fn terms() -> Terms {
    let mut arena = Arena::new();
    let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
    let three = arena.bv(8, 3);
    Terms { arena, x, y, three }
}

#[test]
fn equal_operands_have_equal_results() {
    let Terms { mut arena, x, y, three } = terms();
    let same = arena.eq(x, y);
    let (one, other) = (arena.bv_mul(x, x), arena.bv_mul(y, y));
    let squares = arena.eq(one, other);
    assert!(contradicts(&arena, &[(same, true), (squares, false)]));
    assert!(!contradicts(&arena, &[(same, false), (squares, false)]));
    assert!(!contradicts(&arena, &[(same, false), (squares, true)]));
    let (below, other_below) = (arena.bv_ult(one, three), arena.bv_ult(other, three));
    assert!(contradicts(&arena, &[(same, true), (below, true), (other_below, false)]));
    assert!(!contradicts(&arena, &[(same, false), (below, true), (other_below, false)]));
}

#[test]
fn values_differ_and_are_computed_with() {
    let Terms { mut arena, x, y, three } = terms();
    let four = arena.bv(8, 4);
    let (is_three, is_four) = (arena.eq(x, three), arena.eq(x, four));
    assert!(contradicts(&arena, &[(is_three, true), (is_four, true)]));
    assert!(!contradicts(&arena, &[(is_three, true), (is_four, false)]));
    let product = arena.bv_mul(x, y);
    let twelve = arena.bv(8, 12);
    let (is_twelve, y_is_four) = (arena.eq(product, twelve), arena.eq(y, four));
    assert!(contradicts(&arena, &[(is_three, true), (y_is_four, true), (is_twelve, false)]));
    assert!(!contradicts(&arena, &[(is_three, true), (is_twelve, false)]));
}

#[test]
fn conditions_choose_branches() {
    let Terms { mut arena, x, y, three } = terms();
    let condition = arena.bv_ult(x, three);
    let chosen = arena.ite(condition, x, y);
    let (one, other) = (arena.bv_mul(chosen, y), arena.bv_mul(x, y));
    let same = arena.eq(one, other);
    assert!(contradicts(&arena, &[(condition, true), (same, false)]));
    assert!(!contradicts(&arena, &[(condition, false), (same, false)]));
    assert!(!contradicts(&arena, &[(same, false)]));
}

/// Only what is needed is named, and that suffices.
#[test]
fn few_are_needed() {
    let Terms { mut arena, x, y, three } = terms();
    let z = arena.variable("z", &Sort::BitVec(8)).unwrap();
    let (xy, yz, below) = (arena.eq(x, y), arena.eq(y, z), arena.bv_ult(z, three));
    let (one, other) = (arena.bv_add(x, z), arena.bv_add(z, y));
    let same = arena.eq(one, other);
    let given = [(yz, true), (below, true), (same, false), (xy, true)];
    assert_eq!(contradiction(&arena, &given), Some(vec![2, 3]));
}

/// Multipliers that no search on bits gets through, in branches and in arrays. That the branch is taken is
/// part of what is shown: without it the question has a model.
#[test]
fn what_congruence_shows_needs_no_bits() {
    let mut arena = Arena::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| arena.variable(name, &Sort::BitVec(64)).unwrap());
    let sort = Sort::array(Sort::BitVec(64), Sort::BitVec(64));
    let memory = arena.variable("memory", &sort).unwrap();
    let small = arena.bv_ult(z, x);
    let chosen = arena.ite(small, x, y);
    let (one, other) = (arena.bv_mul(chosen, z), arena.bv_mul(x, z));
    let (left, right) = (arena.bv_udiv(one, y), arena.bv_udiv(other, y));
    let (left, right) = (arena.select(memory, left), arena.select(memory, right));
    let differ = arena.ne(left, right);
    let (same, large) = (arena.eq(x, y), arena.not(small));
    assert!(refuted(&mut arena, &[small, differ]));
    assert!(refuted(&mut arena, &[same, differ]), "whichever branch it is");
    assert!(!refuted(&mut arena, &[differ]));
    assert!(!refuted(&mut arena, &[large, differ]));
    assert!(!refuted(&mut arena, &[same]));
    // The questions one after the other, of one skeleton: what one of them has taught is true of all.
    let mut skeleton = Skeleton::new();
    let asks = |formulas: &[Term]| skeleton.refutes(&mut arena, formulas, &Budget::unlimited()).unwrap();
    let answers = [&[small, differ][..], &[differ], &[large, differ], &[same, differ], &[same], &[differ]];
    assert_eq!(answers.map(asks), [true, false, false, true, false, false]);
}

/// A comparison and its negation have different terms and one literal.
#[test]
fn comparisons_and_their_negations() {
    let Terms { mut arena, x, y, three } = terms();
    for (one, other) in [(x, y), (x, three), (three, x)] {
        for op in [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            let below = arena.mk(op, &[one, other]);
            let not_below = arena.not(below);
            assert!(refuted(&mut arena, &[below, not_below]));
            let chosen = arena.ite(below, x, y);
            let (square, other) = (arena.bv_mul(chosen, chosen), arena.bv_mul(y, y));
            let differ = arena.ne(square, other);
            assert!(refuted(&mut arena, &[not_below, differ]), "{op:?}");
            assert!(!refuted(&mut arena, &[below, differ]), "{op:?}");
        }
    }
}

/// What needs arithmetic is left to others.
#[test]
fn arithmetic_is_not_known_here() {
    let Terms { mut arena, x, three, .. } = terms();
    let four = arena.bv(8, 4);
    let (below, above) = (arena.bv_ult(x, three), arena.bv_ugt(x, four));
    assert!(!refuted(&mut arena, &[below, above]));
    let (root, root_below) = (arena.bv_mul(x, x), arena.bv_ult(three, x));
    let is_two = arena.bv(8, 2);
    let is_two = arena.eq(root, is_two);
    assert!(!refuted(&mut arena, &[is_two, root_below]));
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn of(&mut self, terms: &[Term]) -> Term {
        // Younger ones are larger.
        let recent = terms.len().min(10);
        terms[if self.below(3) == 0 { self.below(terms.len()) } else { terms.len() - 1 - self.below(recent) }]
    }
}

/// Random words and formulas over two words of two bits, a truth value and an array, with all connectives,
/// conditions inside of words, and truth values inside of arrays.
struct Soup {
    arena: Arena,
    variables: Vec<Term>,
    formulas: Vec<Term>,
}

impl Soup {
    fn new(random: &mut Random, size: usize) -> Self {
        let mut arena = Arena::new();
        let word = Sort::BitVec(2);
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &word).unwrap());
        let p = arena.variable("p", &Sort::Bool).unwrap();
        let memory = arena.variable("memory", &Sort::array(word.clone(), word.clone())).unwrap();
        let flags = arena.variable("flags", &Sort::array(word, Sort::Bool)).unwrap();
        let mut words = vec![x, y, arena.bv(2, 0), arena.bv(2, 3), x, y];
        let mut formulas = vec![p, arena.eq(x, y)];
        let (mut memories, mut sets) = (vec![memory], vec![flags]);
        for _ in 0..size {
            let [one, other] = [random.of(&words), random.of(&words)];
            let [left, right] = [random.of(&formulas), random.of(&formulas)];
            match random.below(22) {
                0 => words.push(arena.bv_add(one, other)),
                1 => words.push(arena.bv_mul(one, other)),
                2 => words.push(arena.bv_udiv(one, other)),
                3..=6 => words.push(arena.ite(left, one, other)),
                7 => words.push(arena.select(random.of(&memories), one)),
                8 => memories.push(arena.store(random.of(&memories), one, other)),
                9 => memories.push(arena.ite(left, random.of(&memories), random.of(&memories))),
                10 => sets.push(arena.store(random.of(&sets), one, left)),
                11 => formulas.push(arena.select(random.of(&sets), one)),
                12 => formulas.push(arena.and(&[left, right])),
                13 => formulas.push(arena.or(&[left, right])),
                14 => formulas.push(arena.xor(left, right)),
                15 => formulas.push(arena.not(left)),
                16 => {
                    let condition = random.of(&formulas);
                    formulas.push(arena.ite(condition, left, right));
                }
                17 => formulas.push(arena.bv_ult(one, other)),
                18 => formulas.push(arena.eq(random.of(&memories), random.of(&memories))),
                _ => formulas.push(arena.eq(one, other)),
            }
        }
        Soup { arena, variables: vec![x, y, p, memory, flags], formulas }
    }

    /// The assignments of everything but the arrays, which hold the same everywhere, or one other element.
    fn assignments(&self) -> Vec<Model> {
        let word = |value: usize| Value::BitVec(BitVec::new(2, value as u64));
        let mut models = Vec::new();
        for number in 0..4 * 4 * 2 * 4 * 4 {
            let [x, y, p, element, at] =
                [number % 4, number / 4 % 4, number / 16 % 2, number / 32 % 4, number / 128 % 4];
            let mut model = Model::new();
            let array = |sort: &Sort, default: Value, entry: Value| {
                let Sort::Array(sort) = sort else { panic!("an array expected") };
                let entries = [(word(at), entry)].into();
                Value::Array(nilas_term::ArrayValue::new((**sort).clone(), default, entries).into())
            };
            let [memory, flags] = [3, 4].map(|number| self.arena.sort(self.variables[number]).clone());
            let values = [
                word(x),
                word(y),
                Value::Bool(p == 1),
                array(&memory, word(element), word(x)),
                array(&flags, Value::Bool(element % 2 == 1), Value::Bool(element / 2 == 1)),
            ];
            for (&variable, value) in self.variables.iter().zip(values) {
                model.set(variable, value);
            }
            models.push(model);
        }
        models
    }
}

/// Random questions: whatever is refuted is false under all assignments that are tried, and the encoder
/// agrees. The skeleton of a soup is kept over its questions.
#[test]
fn what_is_refuted_has_no_model() {
    let budget = Budget::unlimited();
    let mut random = Random(19);
    let (mut questions, mut by_congruence, mut satisfiable) = (0, 0, 0);
    for round in 0..250 {
        let mut soup = Soup::new(&mut random, 30 + round % 40);
        let mut skeleton = Skeleton::new();
        let mut encoder = Encoder::of_bits_alone(&budget);
        let models = soup.assignments();
        for _ in 0..20 {
            let few = 1 + random.below(5);
            let question: Vec<Term> = (0..few)
                .map(|_| {
                    let formula = random.of(&soup.formulas);
                    if random.below(2) == 0 { soup.arena.not(formula) } else { formula }
                })
                .collect();
            questions += 1;
            skeleton.failed = 0;
            let refuted = skeleton.refutes(&mut soup.arena, &question, &budget).unwrap();
            let holds = |model: &Model| {
                let mut evaluator = Evaluator::new(model.clone());
                question.iter().all(|&formula| evaluator.holds(&soup.arena, formula) == Ok(true))
            };
            let has_model = models.iter().any(holds);
            assert!(!(refuted && has_model), "{question:?} in round {round} has a model");
            let by_bits = encoder.satisfiable(&mut soup.arena, &question).unwrap();
            assert!(!(refuted && by_bits), "{question:?} in round {round} is satisfiable, bits say");
            assert!(by_bits || !has_model, "{question:?} in round {round}: bits say that there is no model");
            by_congruence += usize::from(refuted);
            satisfiable += usize::from(has_model);
        }
    }
    assert!(by_congruence > 500 && satisfiable > 1_000, "{by_congruence}, {satisfiable} of {questions}");
}

/// The closure by itself, on truth values of formulas of all kinds.
#[test]
fn contradictions_have_no_assignment() {
    let mut random = Random(17);
    let mut found = 0;
    for round in 0..60 {
        let soup = Soup::new(&mut random, 30 + round);
        let models = soup.assignments();
        for _ in 0..50 {
            let some: Vec<(Term, bool)> =
                (0..2 + random.below(4)).map(|_| (random.of(&soup.formulas), random.below(2) == 0)).collect();
            let Some(needed) = contradiction(&soup.arena, &some) else { continue };
            found += 1;
            let needed: Vec<(Term, bool)> = needed.into_iter().map(|number| some[number]).collect();
            assert!(contradicts(&soup.arena, &needed), "{needed:?} of {some:?} suffice");
            for model in &models {
                let mut evaluator = Evaluator::new(model.clone());
                let holds =
                    needed.iter().all(|&(formula, value)| evaluator.holds(&soup.arena, formula) == Ok(value));
                assert!(!holds, "{needed:?} in round {round}");
            }
        }
    }
    assert!(found > 300, "{found}");
}
