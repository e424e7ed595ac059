//! Proofs over bounds: those of the solver `icp` are accepted, and nothing is accepted of what has a model,
//! whatever a proof says. `NILAS_ICP_PROOFS` is the number of formulas.

#![allow(clippy::print_stderr)]

use super::super::{Counts, shown};
use super::{Random, random_term};
use nilas_icp::{Reading, Side, SimpleBound, prove};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, BitVec, Op, RoundingMode, Sort, Term, Value};

fn rounds(default: u64) -> u64 {
    std::env::var("NILAS_ICP_PROOFS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn has_model(arena: &Arena, formulas: &[Term]) -> bool {
    let mut solver: Embedded = Embedded::new();
    formulas.iter().for_each(|&formula| solver.assert(arena, formula));
    solver.check(arena, &[], &[], &Budget::unlimited()) == Answer::Sat
}

/// Single precision: sums and products of two variables between bounds, compared.
fn arithmetic(arena: &mut Arena, random: &mut Random) -> Vec<Term> {
    let float = Sort::Float(8, 24);
    let mode = arena.constant(Value::RoundingMode(random.pick(&RoundingMode::ALL)));
    let number = |arena: &mut Arena, value: f32| {
        arena.constant(Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits()))))
    };
    let mut pool: Vec<Term> = ["x", "y"].map(|name| arena.variable(name, &float).unwrap()).to_vec();
    let mut formulas = Vec::new();
    for &variable in &pool {
        let low = random.below(40) as f32 / 4.0 - 5.0;
        let (low, high) = (number(arena, low), number(arena, low + random.below(20) as f32 / 4.0));
        formulas.push(arena.mk(Op::FpLe, &[low, variable]));
        formulas.push(arena.mk(Op::FpLe, &[variable, high]));
    }
    for _ in 0..3 {
        let (x, y) = (random.pick(&pool), random.pick(&pool));
        let op = random.pick(&[Op::FpAdd, Op::FpMul, Op::FpMul]);
        let y = if random.below(3) == 0 { arena.mk(Op::FpNeg, &[y]) } else { y };
        pool.push(arena.mk(op, &[mode, x, y]));
    }
    for _ in 0..2 {
        let limit = random.below(400) as f32 / 8.0 - 25.0;
        let limit = number(arena, limit);
        let term = pool[2 + random.below(3)];
        let pair = if random.below(2) == 0 { [term, limit] } else { [limit, term] };
        formulas.push(arena.mk(Op::FpLt, &pair));
    }
    formulas
}

fn formulas(arena: &mut Arena, random: &mut Random, round: u64) -> Vec<Term> {
    match round % 4 {
        0 => arithmetic(arena, random),
        _ => (0..4).map(|_| random_term(arena, random, &Sort::Bool, 4)).collect(),
    }
}

#[test]
fn proofs_are_accepted() {
    let random = &mut Random(0x5851_f42d_4c95_7f2d);
    let (mut proved, mut accepted, mut clauses, mut untold) = (0_u64, 0_u64, 0, 0);
    let mut counts = Counts::default();
    for round in 0..rounds(400) {
        let mut arena = Arena::new();
        let formulas = formulas(&mut arena, random, round);
        let Some(proof) = prove(&arena, &formulas, 200_000, &Budget::unlimited()).unwrap() else { continue };
        proved += 1;
        clauses += proof.clauses.len();
        untold += proof.untold;
        if shown(&arena, &formulas, &proof.clauses, &Budget::unlimited(), &mut counts).unwrap() {
            accepted += 1;
            assert!(round % 4 == 0 || !has_model(&arena, &formulas), "round {round}");
        } else {
            // The bounds of real programs are of this kind.
            assert_ne!(round % 4, 0, "{} clauses", proof.clauses.len());
        }
    }
    eprintln!("{accepted} of {proved} proofs accepted, {clauses} clauses, {untold} untold, {counts:?}");
    // Single operators on sorts of a few values are told by the solver as tightly as can be, and here not.
    assert!(proved > 0 && accepted * 10 >= proved * 9, "{accepted} of {proved}");
}

/// Another bound of the same term, or of another one, or none.
fn tampered(random: &mut Random, proof: &[Vec<SimpleBound>]) -> Vec<Vec<SimpleBound>> {
    let mut proof = proof.to_vec();
    let terms: Vec<Term> = proof.iter().flatten().map(|bound| bound.of).collect();
    for _ in 0..1 + random.below(4) {
        if proof.is_empty() {
            break;
        }
        let at = random.below(proof.len());
        match random.below(6) {
            0 => drop(proof.remove(at)),
            1 => {
                let other = random.below(proof.len());
                proof.swap(at, other);
            }
            2 => drop(proof[at].pop()),
            3 => proof[at].iter_mut().for_each(|bound| bound.value += random.below(9) as i128 - 4),
            4 => proof[at].iter_mut().for_each(|bound| {
                bound.side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
            }),
            _ => {
                let of = random.pick(&terms);
                let reading = random.pick(&[
                    Reading::Truth,
                    Reading::Nan,
                    Reading::Number,
                    Reading::Unsigned,
                    Reading::Signed,
                ]);
                let value = random.below(40) as i128 - 20;
                proof[at] = vec![SimpleBound { of, reading, side: Side::Lower, value }];
            }
        }
    }
    proof
}

/// The proof of more formulas, tampered or not, shows nothing about fewer that have a model.
#[test]
fn nothing_is_shown_of_what_has_a_model() {
    let random = &mut Random(0x1405_7b7e_f767_814f);
    let (mut asked, mut fewer) = (0, 0);
    for _ in 0..rounds(400) {
        let mut arena = Arena::new();
        let formulas: Vec<Term> = (0..4).map(|_| random_term(&mut arena, random, &Sort::Bool, 4)).collect();
        let Some(proof) = prove(&arena, &formulas, 200_000, &Budget::unlimited()).unwrap() else { continue };
        for left in 1..4 {
            let fewer_formulas = &formulas[..left];
            let mut proofs: Vec<Vec<Vec<SimpleBound>>> = vec![proof.clauses.clone()];
            proofs.extend((0..4).map(|_| tampered(random, &proof.clauses)));
            let mut model = None;
            for proof in proofs {
                asked += 1;
                let counts = &mut Counts::default();
                if shown(&arena, fewer_formulas, &proof, &Budget::unlimited(), counts).unwrap() {
                    let model = *model.get_or_insert_with(|| has_model(&arena, fewer_formulas));
                    assert!(!model, "{proof:?}");
                } else {
                    fewer += 1;
                }
            }
        }
    }
    eprintln!("{asked} proofs, {fewer} not accepted");
    assert!(fewer > 0, "all of {asked} proofs are accepted");
}

/// `x - x³/6 + x⁵/120` between -1.5 and 1.5 stays below 1.001, which takes splits: the proof is accepted, and says
/// nothing about less.
#[test]
fn a_polynomial_is_bounded_by_a_proof() {
    let mut arena = Arena::new();
    let float = Sort::Float(8, 24);
    let mode = arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
    let x = arena.variable("x", &float).unwrap();
    let number = |arena: &mut Arena, value: f32| {
        arena.constant(Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits()))))
    };
    let square = arena.mk(Op::FpMul, &[mode, x, x]);
    let cube = arena.mk(Op::FpMul, &[mode, square, x]);
    let fifth = arena.mk(Op::FpMul, &[mode, cube, square]);
    let (six, more) = (number(&mut arena, 6.0), number(&mut arena, 120.0));
    let third = arena.mk(Op::FpDiv, &[mode, cube, six]);
    let fifth = arena.mk(Op::FpDiv, &[mode, fifth, more]);
    let third = arena.mk(Op::FpNeg, &[third]);
    let sum = arena.mk(Op::FpAdd, &[mode, x, third]);
    let sum = arena.mk(Op::FpAdd, &[mode, sum, fifth]);
    let (low, high) = (number(&mut arena, -1.5), number(&mut arena, 1.5));
    let range = vec![arena.mk(Op::FpLt, &[low, x]), arena.mk(Op::FpLt, &[x, high])];
    let limit = number(&mut arena, 1.001);
    let mut all = range.clone();
    all.push(arena.mk(Op::FpLt, &[limit, sum]));
    let proof = prove(&arena, &all, 200_000, &Budget::unlimited()).unwrap().unwrap();
    let mut counts = Counts::default();
    let accepted = shown(&arena, &all, &proof.clauses, &Budget::unlimited(), &mut counts).unwrap();
    eprintln!("{} clauses, {counts:?}", proof.clauses.len());
    assert!(accepted && !proof.clauses.is_empty(), "{} clauses, {counts:?}", proof.clauses.len());
    assert!(counts.shown > counts.left_out, "{counts:?}");
    // Without the limit there is a model.
    assert!(!shown(&arena, &range, &proof.clauses, &Budget::unlimited(), &mut counts).unwrap());
}

/// A filter of second order, five steps from anywhere: no interval is kept by one step, but the linear form of the
/// last value is bounded.
#[test]
fn a_filter_is_bounded_by_a_proof() {
    let mut arena = Arena::new();
    let float = Sort::Float(8, 24);
    let mode = arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
    let mut number =
        |value: f32| arena.constant(Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits()))));
    let [one, minus_one, most, least, rest, loss] = [1.0, -1.0, 25.0, -25.0, 1.5, 0.7].map(&mut number);
    let mut formulas = Vec::new();
    let mut values: Vec<Term> = ["y0", "y1"].map(|name| arena.variable(name, &float).unwrap()).to_vec();
    for step in 0..5 {
        let x = arena.variable(&format!("x{step}"), &float).unwrap();
        formulas.push(arena.mk(Op::FpLe, &[minus_one, x]));
        formulas.push(arena.mk(Op::FpLe, &[x, one]));
        let last = arena.mk(Op::FpMul, &[mode, rest, values[step + 1]]);
        let before = arena.mk(Op::FpMul, &[mode, loss, values[step]]);
        let before = arena.mk(Op::FpNeg, &[before]);
        let sum = arena.mk(Op::FpAdd, &[mode, last, before]);
        values.push(arena.mk(Op::FpAdd, &[mode, sum, x]));
    }
    for &value in &values[..6] {
        formulas.push(arena.mk(Op::FpLe, &[least, value]));
        formulas.push(arena.mk(Op::FpLe, &[value, most]));
    }
    let begun = std::time::Instant::now();
    formulas.push(arena.mk(Op::FpLt, &[most, values[6]]));
    let proof = prove(&arena, &formulas, 200_000, &Budget::unlimited()).unwrap().unwrap();
    let found = begun.elapsed();
    let mut counts = Counts::default();
    let accepted = shown(&arena, &formulas, &proof.clauses, &Budget::unlimited(), &mut counts).unwrap();
    eprintln!("{} clauses, {found:?} to find, {:?} in all, {counts:?}", proof.clauses.len(), begun.elapsed());
    assert!(accepted, "{} clauses, {counts:?}", proof.clauses.len());
}
