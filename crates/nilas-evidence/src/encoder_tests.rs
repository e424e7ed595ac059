//! The encoder against the evaluator, on all operands of small widths.

use crate::encoder::Encoder;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, Sort, Term, Value};

/// Fixes the variables to values; the encoder must give the term exactly the value that the evaluator gives
/// it.
fn compare(arena: &mut Arena, encoder: &mut Encoder<'_>, term: Term, assignment: &[(Term, Value)]) {
    let mut model = Model::new();
    let mut fixed = Vec::new();
    for (variable, value) in assignment {
        model.set(*variable, value.clone());
        let constant = arena.constant(value.clone());
        fixed.push(arena.eq(*variable, constant));
    }
    let value = Evaluator::new(model).eval(arena, term).unwrap();
    let constant = arena.constant(value.clone());
    let same = arena.eq(term, constant);
    let different = arena.not(same);
    let shown = nilas_term::smtlib::print_term(arena, term);
    let question = |formula| [&fixed[..], &[formula]].concat();
    assert!(
        encoder.satisfiable(arena, &question(same)).unwrap(),
        "{shown} can be {value:?} at {assignment:?}"
    );
    assert!(
        !encoder.satisfiable(arena, &question(different)).unwrap(),
        "{shown} is only {value:?} at {assignment:?}"
    );
}

fn bits(width: u32, value: u64) -> Value {
    Value::BitVec(BitVec::new(width, value))
}

#[test]
fn binary_operators() {
    let ops = [
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
    ];
    let budget = Budget::unlimited();
    for width in 1..=3 {
        let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
        let x = arena.variable("x", &Sort::BitVec(width)).unwrap();
        let y = arena.variable("y", &Sort::BitVec(width)).unwrap();
        for op in ops {
            let term = arena.mk(op, &[x, y]);
            for left in 0..1 << width {
                for right in 0..1 << width {
                    compare(
                        &mut arena,
                        &mut encoder,
                        term,
                        &[(x, bits(width, left)), (y, bits(width, right))],
                    );
                }
            }
        }
    }
}

/// A divisor of which bits are known has a circuit of its own: a remainder that has fewer bits.
#[test]
fn divisors_of_which_bits_are_known() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::BitVec(4)).unwrap();
    let y = arena.variable("y", &Sort::BitVec(4)).unwrap();
    let mut divisors: Vec<_> = (0..16).map(|value| arena.bv(4, value)).collect();
    for known in [1, 4, 6] {
        let known = arena.bv(4, known);
        divisors.extend([arena.bv_and(y, known), arena.bv_or(y, known)]);
        let low = arena.extract(y, 1, 0);
        let low = arena.zero_extend(low, 2);
        divisors.push(arena.bv_or(low, known));
    }
    for op in [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod] {
        for &divisor in &divisors {
            let term = arena.mk(op, &[x, divisor]);
            for (left, right) in (0..16).flat_map(|left| (0..16).map(move |right| (left, right))) {
                compare(&mut arena, &mut encoder, term, &[(x, bits(4, left)), (y, bits(4, right))]);
            }
        }
    }
}

#[test]
fn other_operators() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::BitVec(4)).unwrap();
    let ops = [
        Op::BvNot,
        Op::BvNeg,
        Op::Extract { hi: 2, lo: 1 },
        Op::Extract { hi: 3, lo: 3 },
        Op::ZeroExtend(3),
        Op::SignExtend(3),
    ];
    for op in ops {
        let term = arena.mk(op, &[x]);
        for value in 0..16 {
            compare(&mut arena, &mut encoder, term, &[(x, bits(4, value))]);
        }
    }
    let p = arena.variable("p", &Sort::Bool).unwrap();
    let q = arena.variable("q", &Sort::Bool).unwrap();
    let three = arena.bv(4, 3);
    let (both, either, one) = (arena.and(&[p, q]), arena.or(&[p, q]), arena.xor(p, q));
    let same = arena.eq(p, q);
    let neither = arena.not(either);
    let choice = arena.ite(p, x, three);
    for term in [both, either, one, same, neither, choice] {
        for code in 0..4 {
            let values = [(p, Value::Bool(code & 1 == 1)), (q, Value::Bool(code & 2 == 2)), (x, bits(4, 9))];
            compare(&mut arena, &mut encoder, term, &values);
        }
    }
}

#[test]
fn shifts_beyond_the_width_of_wide_vectors() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::BitVec(70)).unwrap();
    let y = arena.variable("y", &Sort::BitVec(70)).unwrap();
    let term = arena.bv_ashr(x, y);
    let wide = |value: u64, shift: u32| {
        Value::BitVec(BitVec::from_big(70, BitVec::new(64, value).to_big() << shift))
    };
    for amount in [wide(0, 0), wide(1, 0), wide(69, 0), wide(70, 0), wide(1, 33), wide(1, 69)] {
        compare(&mut arena, &mut encoder, term, &[(x, wide(5, 67)), (y, amount)]);
    }
}

#[test]
fn what_is_not_supported_is_said() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::Int).unwrap();
    let y = arena.variable("y", &Sort::Int).unwrap();
    let equal = arena.eq(x, y);
    assert!(matches!(encoder.satisfiable(&mut arena, &[equal]), Err(Reason::Unsupported(_))));
}

#[test]
fn the_budget_is_kept() {
    let budget = Budget::unlimited();
    budget.cancel.cancel(Interrupt::Timeout);
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::BitVec(20_000)).unwrap();
    let square = arena.bv_mul(x, x);
    let equal = arena.eq(square, x);
    assert_eq!(encoder.satisfiable(&mut arena, &[equal]), Err(Reason::Interrupted(Interrupt::Timeout)));
}

#[test]
fn arrays_are_reduced() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let array = Sort::array(Sort::BitVec(8), Sort::BitVec(8));
    let a = arena.variable("a", &array).unwrap();
    let b = arena.variable("b", &array).unwrap();
    let i = arena.variable("i", &Sort::BitVec(8)).unwrap();
    let j = arena.variable("j", &Sort::BitVec(8)).unwrap();
    let (five, six) = (arena.bv(8, 5), arena.bv(8, 6));

    // Reads of the same place agree; a write is read back and touches nothing else.
    let (at_i, at_j) = (arena.select(a, i), arena.select(a, j));
    let (same_index, same_value) = (arena.eq(i, j), arena.eq(at_i, at_j));
    let differ = arena.not(same_value);
    assert!(!encoder.satisfiable(&mut arena, &[same_index, differ]).unwrap());
    assert!(encoder.satisfiable(&mut arena, &[differ]).unwrap());
    let written = arena.store(a, i, five);
    let (read_i, read_j) = (arena.select(written, i), arena.select(written, j));
    let (wrong, changed) = (arena.ne(read_i, five), arena.ne(read_j, at_j));
    assert!(!encoder.satisfiable(&mut arena, &[wrong]).unwrap());
    assert!(encoder.satisfiable(&mut arena, &[changed]).unwrap());
    let apart = arena.not(same_index);
    assert!(!encoder.satisfiable(&mut arena, &[changed, apart]).unwrap());

    // Equal arrays hold the same, and different ones differ somewhere.
    let equal = arena.eq(b, written);
    let b_i = arena.select(b, i);
    let six_there = arena.eq(b_i, six);
    assert!(!encoder.satisfiable(&mut arena, &[equal, six_there]).unwrap());
    assert!(encoder.satisfiable(&mut arena, &[equal]).unwrap());
    let rewritten = arena.store(written, i, at_i);
    let not_back = arena.ne(rewritten, a);
    assert!(!encoder.satisfiable(&mut arena, &[not_back]).unwrap());
}

#[test]
fn functions_are_reduced() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let byte = Sort::BitVec(8);
    let f = arena.declare("f", vec![byte.clone()], byte.clone()).unwrap();
    let x = arena.variable("x", &byte).unwrap();
    let y = arena.variable("y", &byte).unwrap();
    let (fx, fy) = (arena.mk(Op::Apply(f), &[x]), arena.mk(Op::Apply(f), &[y]));
    let (same, different) = (arena.eq(x, y), arena.ne(fx, fy));
    assert!(encoder.satisfiable(&mut arena, &[different]).unwrap());
    assert!(!encoder.satisfiable(&mut arena, &[same, different]).unwrap());
}

/// Every *unsatisfiable* comes with a proof that was accepted: random questions over shared circuits, with
/// many conflicts each.
#[test]
fn answers_are_proved() {
    let budget = Budget::unlimited();
    let mut seed = 0x5eed_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let width = 6;
    let mut words: Vec<Term> =
        (0..4).map(|number| arena.variable(&format!("w{number}"), &Sort::BitVec(width)).unwrap()).collect();
    let mut unsatisfiable = 0;
    for _ in 0..200 {
        let ops = [Op::BvMul, Op::BvAdd, Op::BvUrem, Op::BvUdiv, Op::BvXor, Op::BvShl, Op::BvAnd];
        let pick = |random: &mut dyn FnMut(u64) -> u64, words: &[Term]| {
            words[words.len() - 1 - random(words.len().min(12) as u64) as usize]
        };
        let op = ops[random(ops.len() as u64) as usize];
        let (a, b) = (pick(&mut random, &words), pick(&mut random, &words));
        let term = arena.mk(op, &[a, b]);
        words.push(term);
        let mut question = Vec::new();
        for _ in 0..3 {
            let (a, b) = (pick(&mut random, &words), pick(&mut random, &words));
            let relation = [Op::BvUlt, Op::BvSle, Op::Eq][random(3) as usize];
            question.push(arena.mk(relation, &[a, b]));
        }
        unsatisfiable += u64::from(!encoder.satisfiable(&mut arena, &question).unwrap());
    }
    let counts = encoder.counts();
    assert!(unsatisfiable > 20, "{unsatisfiable}");
    assert_eq!((counts.proved, counts.alone), (unsatisfiable, 0), "{counts:?}");
    assert!(counts.steps > 1000, "{counts:?}");
}
