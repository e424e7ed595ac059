//! Every blasted operator against the evaluator, exhaustively at widths 1 to 4, with variable and with
//! constant operands, and on a few values at larger widths.

#![allow(clippy::unwrap_used)]

use crate::sat::Hard;
use crate::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, Sort, Term, Value};

const BINARY: [Op; 20] = [
    Op::Eq,
    Op::Concat,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
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
    Op::Ite,
];

/// All operators over `x` and `y`, and some of their combinations that have circuits of their own.
fn terms(arena: &mut Arena, x: Term, y: Term) -> Vec<Term> {
    let width = arena.width(x);
    let mut terms = Vec::new();
    for op in BINARY {
        let term = if op == Op::Ite {
            let condition = arena.bv_ult(x, y);
            arena.ite(condition, y, x)
        } else {
            arena.mk(op, &[x, y])
        };
        terms.push(term);
    }
    let negated = arena.bv_neg(x);
    let complement = arena.bv_not(x);
    let twice_negated = arena.bv_neg(y);
    terms.extend([negated, complement]);
    terms.push(arena.bv_sub(x, y));
    terms.push(arena.bv_add(negated, twice_negated));
    terms.push(arena.bv_add(negated, negated));
    terms.push(arena.bv_mul(x, x));
    terms.push(arena.zero_extend(x, 3));
    terms.push(arena.sign_extend(x, 3));
    for hi in 0..width {
        for lo in 0..=hi {
            terms.push(arena.extract(x, hi, lo));
        }
    }
    let (less, same) = (arena.bv_ult(x, y), arena.eq(x, y));
    let not_same = arena.not(same);
    terms.push(arena.xor(less, same));
    terms.push(arena.eq(less, not_same));
    terms.push(arena.and(&[less, not_same]));
    terms.push(arena.or(&[less, same]));
    terms.push(arena.ite(less, same, not_same));
    terms
}

/// Each term gets a variable equal to it; with `x` and `y` fixed by assumptions that variable has the term's
/// value.
fn agree(arena: &mut Arena, terms: &[Term], inputs: &[Term], rows: &[Vec<Value>]) {
    let mut solver = Embedded::<Hard>::new();
    let mut outputs = Vec::new();
    for &term in terms {
        let sort = arena.sort(term).clone();
        let output = arena.fresh_variable("output", &sort);
        let same = arena.eq(output, term);
        solver.assert(arena, same);
        outputs.push(output);
    }
    for row in rows {
        let mut model = Model::new();
        let mut assumptions = Vec::new();
        for (&input, value) in inputs.iter().zip(row) {
            model.set(input, value.clone());
            let constant = arena.constant(value.clone());
            assumptions.push(arena.eq(input, constant));
        }
        let answer = solver.check(arena, &[], &assumptions, &Budget::unlimited());
        assert_eq!(answer, Answer::Sat, "inputs {row:?}");
        let mut evaluator = Evaluator::new(model);
        for (&term, &output) in terms.iter().zip(&outputs) {
            let expected = evaluator.eval(arena, term).unwrap();
            let found = solver.value(arena, output).unwrap();
            let (op, children) = (arena.op(term), arena.children(term));
            assert_eq!(found, expected, "{op:?} {children:?} at {row:?}");
        }
    }
}

fn bits(width: u32, value: u64) -> Value {
    Value::BitVec(BitVec::new(width, value))
}

#[test]
fn operators_on_variables() {
    for width in 1..=4 {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(width)).unwrap();
        let y = arena.variable("y", &Sort::BitVec(width)).unwrap();
        let terms = terms(&mut arena, x, y);
        let rows: Vec<Vec<Value>> = (0..1u64 << width)
            .flat_map(|a| (0..1u64 << width).map(move |b| vec![bits(width, a), bits(width, b)]))
            .collect();
        agree(&mut arena, &terms, &[x, y], &rows);
    }
}

#[test]
fn operators_on_a_constant() {
    for width in 1..=4 {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(width)).unwrap();
        let mut all = Vec::new();
        for value in 0..1 << width {
            let constant = arena.bv(width, value);
            all.extend(terms(&mut arena, x, constant));
            all.extend(terms(&mut arena, constant, x));
        }
        let rows: Vec<Vec<Value>> = (0..1 << width).map(|a| vec![bits(width, a)]).collect();
        agree(&mut arena, &all, &[x], &rows);
    }
}

#[test]
fn operators_at_larger_widths() {
    for width in [5, 7, 8, 13, 33] {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(width)).unwrap();
        let y = arena.variable("y", &Sort::BitVec(width)).unwrap();
        let terms = terms(&mut arena, x, y);
        let mut values = vec![0, 1, 2, 3, u64::from(width), u64::from(width) - 1, u64::MAX, u64::MAX - 5];
        values.extend([1 << (width - 1), (1 << (width - 1)) - 1, 0x5a5a_5a5a_5a5a, 0x1234_5678_9abc]);
        let rows: Vec<Vec<Value>> = (values.iter())
            .flat_map(|&a| values.iter().map(move |&b| vec![bits(width, a), bits(width, b)]))
            .collect();
        agree(&mut arena, &terms, &[x, y], &rows);
    }
}
