//! Float operations through the solver, operand by operand, against exact values.
//!
//! There is one solver per operation, and its circuit is built once: operands and result are bit-vector
//! variables, and only the assumptions that fix the bits of the operands and the rounding mode change. The
//! answer must be sat, with exactly the result that the evaluator gives; for single and double precision and
//! rounding to nearest it must be the machine's, too.
//!
//! `NILAS_FLOAT_OPERANDS` is the number of operands per operation and rounding mode in half precision; single
//! precision gets a fifth of it, double precision a twentieth. The full run, with as many as the project's
//! goals ask for, is
//!
//! ```text
//! NILAS_FLOAT_OPERANDS=100000 cargo test -p nilas-smt --test float_operations -- --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, unreachable_pub, missing_docs)]

mod common;

use common::Rng;
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, BitVec, Evaluator, FloatValue, Format, Model, Op, RoundingMode, Sort, Term, Value};

const DEFAULT_OPERANDS: u64 = 40;

/// A variable with terms that say that a bit is set, and that it is not.
struct Word {
    variable: Term,
    bits: Vec<[Term; 2]>,
}

impl Word {
    fn new(arena: &mut Arena, name: &str, width: u32) -> Word {
        let variable = arena.variable(name, &Sort::BitVec(width)).unwrap();
        let one = arena.bv(1, 1);
        let bits = (0..width)
            .map(|index| {
                let bit = arena.extract(variable, index, index);
                let set = arena.eq(bit, one);
                [arena.not(set), set]
            })
            .collect();
        Word { variable, bits }
    }

    fn fix(&self, value: &BitVec, assumptions: &mut Vec<Term>) {
        for (index, pair) in self.bits.iter().enumerate() {
            assumptions.push(pair[usize::from(value.bit(u32::try_from(index).unwrap()))]);
        }
    }
}

/// An operation in a solver of its own.
struct Circuit {
    name: String,
    arena: Arena,
    solver: Embedded,
    op: Op,
    /// Operands, and what they are floats of, if they are.
    operands: Vec<(Word, Option<Format>)>,
    /// The rounding mode, as terms that fix it, if the operation has one.
    modes: Vec<(RoundingMode, Term)>,
    result: Word,
    result_sort: Sort,
}

fn format(sort: &Sort) -> Option<Format> {
    match sort {
        Sort::Float(e, s) => Some(Format::new(*e, *s)),
        _ => None,
    }
}

fn width(sort: &Sort) -> u32 {
    format(sort).map_or_else(|| sort.width().unwrap_or(1), Format::width)
}

impl Circuit {
    fn new(name: &str, op: Op, has_mode: bool, sorts: &[Sort]) -> Circuit {
        let (mut arena, mut solver) = (Arena::new(), Embedded::new());
        let (mut operands, mut children, mut modes) = (Vec::new(), Vec::new(), Vec::new());
        if has_mode {
            let mode = arena.variable("mode", &Sort::RoundingMode).unwrap();
            children.push(mode);
            for value in RoundingMode::ALL {
                let constant = arena.constant(Value::RoundingMode(value));
                modes.push((value, arena.eq(mode, constant)));
            }
        }
        for (index, sort) in sorts.iter().enumerate() {
            let word = Word::new(&mut arena, &format!("x{index}"), width(sort));
            children.push(match sort {
                Sort::Float(e, s) => arena.mk(Op::FpFromIeeeBits(*e, *s), &[word.variable]),
                _ => word.variable,
            });
            operands.push((word, format(sort)));
        }
        let term = arena.mk(op, &children);
        let result_sort = arena.sort(term).clone();
        let result = Word::new(&mut arena, "result", width(&result_sort));
        let shown = match &result_sort {
            Sort::Float(e, s) => arena.mk(Op::FpFromIeeeBits(*e, *s), &[result.variable]),
            Sort::Bool => result.bits[0][1],
            _ => result.variable,
        };
        let equal = arena.eq(term, shown);
        solver.assert(&arena, equal);
        Circuit { name: name.to_owned(), arena, solver, op, operands, modes, result, result_sort }
    }

    /// The result that the solver finds, as a value.
    fn solve(&mut self, mode: Option<Term>, operands: &[BitVec]) -> Value {
        let mut assumptions: Vec<Term> = mode.into_iter().collect();
        for ((word, _), value) in self.operands.iter().zip(operands) {
            word.fix(value, &mut assumptions);
        }
        let answer = self.solver.check(&self.arena, &[], &assumptions, &Budget::unlimited());
        assert_eq!(answer, Answer::Sat, "{} of {operands:?}", self.name);
        let value = self.solver.value(&self.arena, self.result.variable).unwrap();
        let bits = value.as_bitvec().unwrap().clone();
        match &self.result_sort {
            Sort::Float(e, s) => Value::float(*e, *s, bits),
            Sort::Bool => Value::Bool(bits.bit(0)),
            _ => Value::BitVec(bits),
        }
    }

    /// The exact result.
    fn exact(&self, mode: Option<RoundingMode>, operands: &[BitVec]) -> Value {
        let mut arena = Arena::new();
        let mut children: Vec<Term> =
            mode.map(|mode| arena.constant(Value::RoundingMode(mode))).into_iter().collect();
        for ((_, format), bits) in self.operands.iter().zip(operands) {
            children.push(arena.constant(match format {
                Some(format) => Value::float(format.exponent, format.significand, bits.clone()),
                None => Value::BitVec(bits.clone()),
            }));
        }
        let term = arena.mk(self.op, &children);
        Evaluator::new(Model::new()).eval(&arena, term).unwrap()
    }

    /// Runs the operands, and returns lines of a table: operation, mode, operands, disagreements.
    fn run(&mut self, count: u64, machine: Option<Machine>) -> Vec<(String, String, u64, u64)> {
        let mut modes: Vec<(Option<RoundingMode>, Option<Term>)> =
            self.modes.iter().map(|&(mode, term)| (Some(mode), Some(term))).collect();
        if modes.is_empty() {
            modes.push((None, None));
        }
        let mut lines = Vec::new();
        let mut random = Rng::new(754 + u64::from(width(&self.result_sort)));
        for (mode, fixed) in modes {
            let mut disagreements = 0;
            for _ in 0..count {
                let operands: Vec<BitVec> = self
                    .operands
                    .iter()
                    .map(|(word, format)| operand(&mut random, *format, word.bits.len()))
                    .collect();
                let exact = self.exact(mode, &operands);
                let found = self.solve(fixed, &operands);
                let nearest = matches!(mode, None | Some(RoundingMode::NearestEven));
                let machine = machine.filter(|_| nearest).map(|machine| machine(&operands));
                if found != exact || machine.as_ref().is_some_and(|value| *value != exact) {
                    disagreements += 1;
                    println!(
                        "{} {mode:?} of {operands:?}: {found:?} found, {exact:?} exact, {machine:?} by the machine",
                        self.name
                    );
                }
            }
            let mode = mode.map_or("-".to_owned(), |mode| format!("{mode:?}"));
            lines.push((self.name.clone(), mode, count, disagreements));
        }
        lines
    }
}

type Machine = fn(&[BitVec]) -> Value;

/// Bits of any kind of float, with special ones and neighbours of powers of two more often than by chance.
fn operand(random: &mut Rng, format: Option<Format>, length: usize) -> BitVec {
    let length = u32::try_from(length).unwrap();
    let mut any = |width: u32| {
        let bits = BitVec::new(32, random.next()).concat(&BitVec::new(32, random.next()));
        bits.extract(width - 1, 0)
    };
    let (bits, choice) = (any(length), any(6).to_u64().unwrap());
    let Some(format) = format else {
        return if choice < 8 { bits.ashr_by(length / 2) } else { bits };
    };
    let fraction = match choice & 7 {
        0 => BitVec::zero(format.fraction()),
        1 => BitVec::ones(format.fraction()),
        2 => BitVec::one(format.fraction()),
        _ => bits.extract(format.fraction() - 1, 0),
    };
    let field = match choice >> 3 {
        0 => BitVec::new(format.exponent, any(1).to_u64().unwrap()),
        1 => BitVec::ones(format.exponent).sub(&BitVec::new(format.exponent, any(1).to_u64().unwrap())),
        2 | 3 => BitVec::new(format.exponent, format.bias().unsigned_abs())
            .add(&any(3).zero_extend(format.exponent - 3)),
        _ => bits.extract(format.width() - 2, format.fraction()),
    };
    any(1).concat(&field).concat(&fraction)
}

fn single(value: f32) -> Value {
    Value::float(8, 24, BitVec::new(32, u64::from(value.to_bits())))
}

fn double(value: f64) -> Value {
    Value::float(11, 53, BitVec::new(64, value.to_bits()))
}

fn f32_of(bits: &BitVec) -> f32 {
    f32::from_bits(u32::try_from(bits.to_u64().unwrap()).unwrap())
}

fn f64_of(bits: &BitVec) -> f64 {
    f64::from_bits(bits.to_u64().unwrap())
}

fn count() -> u64 {
    match std::env::var("NILAS_FLOAT_OPERANDS") {
        Ok(text) => text.parse().unwrap(),
        Err(_) => DEFAULT_OPERANDS,
    }
}

fn print_and_judge(lines: &[(String, String, u64, u64)]) {
    // One print, so that tests that run beside each other do not mix their lines.
    let mut table = format!("{:<28} {:<12} {:>9} {:>13}\n", "operation", "mode", "operands", "disagreements");
    for (name, mode, operands, disagreements) in lines {
        table += &format!("{name:<28} {mode:<12} {operands:>9} {disagreements:>13}\n");
    }
    println!("{table}");
    assert!(lines.iter().all(|line| line.3 == 0), "see above");
}

fn float(format: Format) -> Sort {
    Sort::Float(format.exponent, format.significand)
}

/// The arithmetic operations: name, operator, whether there is a mode, number of operands.
const ARITHMETIC: [(&str, Op, bool, usize); 7] = [
    ("add", Op::FpAdd, true, 2),
    ("mul", Op::FpMul, true, 2),
    ("div", Op::FpDiv, true, 2),
    ("sqrt", Op::FpSqrt, true, 1),
    ("fma", Op::FpFma, true, 3),
    ("rem", Op::FpRem, false, 2),
    ("roundToIntegral", Op::FpRoundToIntegral, true, 1),
];

fn half_operation(index: usize) {
    let (name, op, has_mode, arity) = ARITHMETIC[index];
    let sorts = vec![float(Format::HALF); arity];
    print_and_judge(&Circuit::new(&format!("half {name}"), op, has_mode, &sorts).run(count(), None));
}

#[test]
fn half_add() {
    half_operation(0);
}

#[test]
fn half_mul() {
    half_operation(1);
}

#[test]
fn half_div() {
    half_operation(2);
}

#[test]
fn half_sqrt() {
    half_operation(3);
}

#[test]
fn half_fma() {
    half_operation(4);
}

#[test]
fn half_rem() {
    half_operation(5);
}

#[test]
fn half_round_to_integral() {
    half_operation(6);
}

fn half_conversion(name: &str, op: Op, sort: Sort) {
    print_and_judge(&Circuit::new(name, op, true, &[sort]).run(count(), None));
}

#[test]
fn half_to_single() {
    half_conversion("half to single", Op::FpToFp(8, 24), float(Format::HALF));
}

#[test]
fn half_to_less() {
    half_conversion("half to (4, 6)", Op::FpToFp(4, 6), float(Format::HALF));
}

#[test]
fn half_from_single() {
    half_conversion("single to half", Op::FpToFp(5, 11), float(Format::SINGLE));
}

#[test]
fn half_to_signed() {
    half_conversion("half to signed 12", Op::FpToSigned(12), float(Format::HALF));
}

#[test]
fn half_to_unsigned() {
    half_conversion("half to unsigned 12", Op::FpToUnsigned(12), float(Format::HALF));
}

#[test]
fn half_from_signed() {
    half_conversion("signed 20 to half", Op::FpFromSigned(5, 11), Sort::BitVec(20));
}

#[test]
fn half_from_unsigned() {
    half_conversion("unsigned 20 to half", Op::FpFromUnsigned(5, 11), Sort::BitVec(20));
}

#[test]
fn single_against_the_machine() {
    let sort = float(Format::SINGLE);
    let machine: [Option<Machine>; 7] = [
        Some(|x| single(f32_of(&x[0]) + f32_of(&x[1]))),
        Some(|x| single(f32_of(&x[0]) * f32_of(&x[1]))),
        Some(|x| single(f32_of(&x[0]) / f32_of(&x[1]))),
        Some(|x| single(f32_of(&x[0]).sqrt())),
        Some(|x| single(f32_of(&x[0]).mul_add(f32_of(&x[1]), f32_of(&x[2])))),
        // The machine has no IEEE remainder.
        None,
        Some(|x| single(f32_of(&x[0]).round_ties_even())),
    ];
    let mut lines = Vec::new();
    for ((name, op, has_mode, arity), machine) in ARITHMETIC.into_iter().zip(machine) {
        let mut circuit = Circuit::new(&format!("single {name}"), op, has_mode, &vec![sort.clone(); arity]);
        lines.extend(circuit.run(count() / 5, machine));
    }
    let conversions: [(&str, Op, Sort, Machine); 4] = [
        ("single to double", Op::FpToFp(11, 53), sort.clone(), |x| double(f64::from(f32_of(&x[0])))),
        ("double to single", Op::FpToFp(8, 24), float(Format::DOUBLE), |x| single(f64_of(&x[0]) as f32)),
        ("signed 32 to single", Op::FpFromSigned(8, 24), Sort::BitVec(32), |x| {
            single(x[0].to_i64().unwrap() as f32)
        }),
        ("unsigned 32 to single", Op::FpFromUnsigned(8, 24), Sort::BitVec(32), |x| {
            single(x[0].to_u64().unwrap() as f32)
        }),
    ];
    for (name, op, sort, machine) in conversions {
        lines.extend(Circuit::new(name, op, true, &[sort]).run(count() / 5, Some(machine)));
    }
    for (name, op) in
        [("single to signed 32", Op::FpToSigned(32)), ("single to unsigned 32", Op::FpToUnsigned(32))]
    {
        lines.extend(Circuit::new(name, op, true, std::slice::from_ref(&sort)).run(count() / 5, None));
    }
    for (name, op, machine) in [
        ("single lt", Op::FpLt, (|x| Value::Bool(f32_of(&x[0]) < f32_of(&x[1]))) as Machine),
        ("single le", Op::FpLe, |x| Value::Bool(f32_of(&x[0]) <= f32_of(&x[1]))),
        ("single eq", Op::FpEq, |x| Value::Bool(f32_of(&x[0]) == f32_of(&x[1]))),
    ] {
        let mut circuit = Circuit::new(name, op, false, &[sort.clone(), sort.clone()]);
        lines.extend(circuit.run(count() / 5, Some(machine)));
    }
    print_and_judge(&lines);
}

#[test]
fn double_against_the_machine() {
    let sort = float(Format::DOUBLE);
    let machine: [Option<Machine>; 7] = [
        Some(|x| double(f64_of(&x[0]) + f64_of(&x[1]))),
        Some(|x| double(f64_of(&x[0]) * f64_of(&x[1]))),
        Some(|x| double(f64_of(&x[0]) / f64_of(&x[1]))),
        Some(|x| double(f64_of(&x[0]).sqrt())),
        Some(|x| double(f64_of(&x[0]).mul_add(f64_of(&x[1]), f64_of(&x[2])))),
        // The machine has no IEEE remainder, and the circuit takes long.
        None,
        Some(|x| double(f64_of(&x[0]).round_ties_even())),
    ];
    let mut lines = Vec::new();
    for ((name, op, has_mode, arity), machine) in ARITHMETIC.into_iter().zip(machine) {
        let count = if op == Op::FpRem { count() / 1000 } else { count() / 20 };
        let mut circuit = Circuit::new(&format!("double {name}"), op, has_mode, &vec![sort.clone(); arity]);
        lines.extend(circuit.run(count, machine));
    }
    print_and_judge(&lines);
}

/// What is compared can differ.
#[test]
fn a_wrong_result_is_seen() {
    let half = float(Format::HALF);
    let mut circuit = Circuit::new("half add", Op::FpAdd, true, &[half.clone(), half]);
    circuit.op = Op::FpMul;
    let lines = circuit.run(20, None);
    assert!(lines.iter().all(|line| line.3 > 0), "{lines:?}");
    let value = FloatValue::zero(Format::HALF, true);
    assert_ne!(Value::Float(value), Value::Float(FloatValue::zero(Format::HALF, false)));
}
