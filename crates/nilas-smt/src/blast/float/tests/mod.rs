//! Circuits of floats against exact values: exhaustively in tiny formats, on random operands in others, by
//! running the gates; and through the solver, with operands fixed by assumptions.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod netlist;
mod through_solver;

use netlist::{Circuit, bits_of, value_of};
use nilas_term::{Arena, BitVec, Evaluator, FloatValue, Format, Model, Op, RoundingMode, Sort, Term, Value};

const SEED: u64 = 1_985_754;

/// xorshift64*: small, deterministic, good enough.
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    fn bits(&mut self, width: u32) -> BitVec {
        let bits: Vec<bool> = (0..width).map(|_| self.next() >> 40 & 1 == 1).collect();
        BitVec::from_bits(&bits)
    }

    /// A float: any bits, special values, runs of bits, or near another one.
    fn float(&mut self, format: Format, other: Option<&FloatValue>) -> FloatValue {
        let width = format.width();
        let negative = self.below(2) == 1;
        let bits = match (self.below(8), other) {
            (0, _) => {
                return match self.below(4) {
                    0 => FloatValue::zero(format, negative),
                    1 => FloatValue::infinity(format, negative),
                    2 => FloatValue::largest(format, negative),
                    _ => FloatValue::nan(format),
                };
            }
            (1, _) => {
                let (high, low) = (self.below(u64::from(width)) as u32, self.below(u64::from(width)) as u32);
                BitVec::ones(width).lshr_by(high).xor(&BitVec::ones(width).shl_by(low))
            }
            (2 | 3, Some(other)) => {
                let step = BitVec::new(width, self.below(6)).shl_by(format.fraction());
                let noise = self
                    .bits(width)
                    .lshr_by(format.exponent + self.below(u64::from(format.fraction())) as u32);
                other.bits.add(&step).xor(&noise).xor(&BitVec::new(width, self.below(2)).shl_by(width - 1))
            }
            (4, _) => self.bits(format.fraction() + 1).zero_extend(width - format.fraction() - 1),
            _ => self.bits(width),
        };
        FloatValue::from_bits(format, bits)
    }

    fn value(&mut self, sort: &Sort, before: &[Value]) -> Value {
        match sort {
            Sort::Float(exponent, significand) => {
                let format = Format::new(*exponent, *significand);
                let near = before.iter().find_map(|value| match value {
                    Value::Float(value) if value.format() == format => Some(value),
                    _ => None,
                });
                Value::Float(self.float(format, near))
            }
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::ALL[self.below(5) as usize]),
            Sort::BitVec(width) => {
                let by = self.below(u64::from(*width)) as u32;
                let bits = self.bits(*width);
                Value::BitVec(if self.below(2) == 0 { bits.lshr_by(by) } else { bits.ashr_by(by) })
            }
            _ => Value::Bool(self.below(2) == 1),
        }
    }
}

fn sort(format: Format) -> Sort {
    Sort::Float(format.exponent, format.significand)
}

/// An operator over variables of the given sorts.
struct Subject {
    arena: Arena,
    sorts: Vec<Sort>,
    inputs: Vec<Term>,
    output: Term,
}

impl Subject {
    fn new(op: Op, sorts: &[Sort]) -> Self {
        let mut arena = Arena::new();
        let inputs: Vec<Term> = sorts
            .iter()
            .enumerate()
            .map(|(index, sort)| arena.variable(&format!("x{index}"), sort).unwrap())
            .collect();
        let output = arena.try_mk(op, &inputs).unwrap();
        assert!(!arena.op(output).is_leaf(), "{op:?} has been simplified away");
        Subject { arena, sorts: sorts.to_vec(), inputs, output }
    }

    fn expected(&self, row: &[Value]) -> Value {
        let model: Model = self.inputs.iter().copied().zip(row.iter().cloned()).collect();
        Evaluator::new(model).eval(&self.arena, self.output).unwrap()
    }

    /// Runs the circuit on rows of values and compares with exact values.
    fn check(&self, rows: impl Iterator<Item = Vec<Value>>) -> u64 {
        let mut circuit = Circuit::new(&self.arena, &self.inputs, self.output);
        let mut rows = rows.peekable();
        let mut count = 0;
        while rows.peek().is_some() {
            let batch: Vec<Vec<Value>> = rows.by_ref().take(64).collect();
            let bits: Vec<Vec<Vec<bool>>> =
                batch.iter().map(|row| row.iter().map(bits_of).collect()).collect();
            for (row, found) in batch.iter().zip(circuit.run(&self.arena, &bits)) {
                let found = value_of(self.arena.sort(self.output), &found);
                let expected = self.expected(row);
                assert_eq!(found, expected, "{:?} at {row:?}", self.arena.op(self.output));
                count += 1;
            }
        }
        count
    }

    fn random(&self, seed: u64, count: u64) -> u64 {
        let mut rng = Rng::new(seed);
        self.check((0..count).map(|_| {
            let mut row = Vec::new();
            for sort in &self.sorts {
                let value = rng.value(sort, &row);
                row.push(value);
            }
            row
        }))
    }

    /// All rows, mode fixed or not.
    fn exhaustive(&self) -> u64 {
        let all: Vec<Vec<Value>> = self.sorts.iter().map(all).collect();
        let total: usize = all.iter().map(Vec::len).product();
        self.check((0..total).map(|mut code| {
            all.iter()
                .map(|values| {
                    let value = values[code % values.len()].clone();
                    code /= values.len();
                    value
                })
                .collect()
        }))
    }
}

/// All values of a sort, each once.
fn all(sort: &Sort) -> Vec<Value> {
    let mut values: Vec<Value> = match sort {
        Sort::RoundingMode => RoundingMode::ALL.into_iter().map(Value::RoundingMode).collect(),
        Sort::BitVec(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(*width, bits))).collect(),
        Sort::Float(exponent, significand) => {
            let width = exponent + significand;
            (0..1 << width)
                .map(|bits| Value::float(*exponent, *significand, BitVec::new(width, bits)))
                .collect()
        }
        _ => vec![Value::Bool(false), Value::Bool(true)],
    };
    values.sort();
    values.dedup();
    values
}

/// The operators whose operands are all of one format, with the sorts of those.
fn operators(format: Format) -> Vec<(Op, Vec<Sort>)> {
    let (mode, float) = (Sort::RoundingMode, sort(format));
    let mut list = Vec::new();
    for op in [Op::FpAdd, Op::FpMul, Op::FpDiv] {
        list.push((op, vec![mode.clone(), float.clone(), float.clone()]));
    }
    for op in [Op::FpSqrt, Op::FpRoundToIntegral] {
        list.push((op, vec![mode.clone(), float.clone()]));
    }
    for op in [Op::FpRem, Op::FpMin, Op::FpMax, Op::FpLe, Op::FpLt, Op::FpEq, Op::Eq] {
        list.push((op, vec![float.clone(), float.clone()]));
    }
    for op in [
        Op::FpAbs,
        Op::FpNeg,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsZero,
        Op::FpIsInfinite,
        Op::FpIsNan,
        Op::FpIsNegative,
        Op::FpIsPositive,
    ] {
        list.push((op, vec![float.clone()]));
    }
    list.push((Op::Ite, vec![Sort::Bool, float.clone(), float]));
    list
}

/// Conversions from and to a format.
fn conversions(format: Format, others: &[Format], widths: &[u32]) -> Vec<(Op, Vec<Sort>)> {
    let (mode, Format { exponent, significand }) = (Sort::RoundingMode, format);
    let mut list = Vec::new();
    for other in others.iter().filter(|&&other| other != format) {
        list.push((Op::FpToFp(other.exponent, other.significand), vec![mode.clone(), sort(format)]));
    }
    for &width in widths {
        list.push((Op::FpToUnsigned(width), vec![mode.clone(), sort(format)]));
        list.push((Op::FpToSigned(width), vec![mode.clone(), sort(format)]));
        list.push((Op::FpFromUnsigned(exponent, significand), vec![mode.clone(), Sort::BitVec(width)]));
        list.push((Op::FpFromSigned(exponent, significand), vec![mode.clone(), Sort::BitVec(width)]));
    }
    list.push((Op::FpFromIeeeBits(exponent, significand), vec![Sort::BitVec(exponent + significand)]));
    list.push((Op::FpToIeeeBits, vec![sort(format)]));
    list
}

const TINY: [Format; 5] =
    [Format::new(2, 2), Format::new(2, 3), Format::new(3, 2), Format::new(2, 5), Format::new(3, 4)];

#[test]
fn tiny_formats_exhaustively() {
    let mut count = 0;
    for format in TINY {
        let list = operators(format).into_iter().chain(conversions(format, &TINY, &[1, 2, 3, 5, 8]));
        for (op, sorts) in list {
            count += Subject::new(op, &sorts).exhaustive();
        }
    }
    println!("{count} values compared");
}

#[test]
fn fused_multiply_and_add_exhaustively() {
    for format in &TINY[..3] {
        let float = sort(*format);
        let sorts = [Sort::RoundingMode, float.clone(), float.clone(), float];
        println!("{format:?}: {} values compared", Subject::new(Op::FpFma, &sorts).exhaustive());
    }
}

/// All operators of a format on random operands; those with a mode five times as many.
fn random_operands(format: Format, others: &[Format], count: u64) {
    println!("{format:?}: seed {SEED}, {count} operands per operation and mode");
    let float = sort(format);
    let fma = (Op::FpFma, vec![Sort::RoundingMode, float.clone(), float.clone(), float]);
    let list = operators(format).into_iter().chain([fma]);
    for (op, sorts) in list.chain(conversions(format, others, &[1, 8, 33, 64])) {
        if op == Op::FpRem && super::remainder::steps(format) > 5000 {
            continue;
        }
        let modes = if sorts[0] == Sort::RoundingMode { 5 } else { 1 };
        Subject::new(op, &sorts).random(SEED, count * modes);
    }
}

#[test]
fn half_precision() {
    random_operands(Format::HALF, &[Format::SINGLE, Format::new(8, 8), Format::new(4, 20)], 300);
}

#[test]
fn other_formats() {
    random_operands(Format::new(3, 4), &[Format::HALF, Format::new(2, 9)], 2_000);
    random_operands(Format::SINGLE, &[Format::HALF, Format::DOUBLE], 64);
    random_operands(Format::new(8, 8), &[Format::HALF, Format::SINGLE], 64);
    random_operands(Format::new(15, 64), &[Format::DOUBLE, Format::QUAD], 13);
    random_operands(Format::new(6, 30), &[Format::DOUBLE, Format::new(12, 3)], 64);
    random_operands(Format::new(12, 3), &[Format::DOUBLE, Format::new(6, 30)], 64);
}

/// The number that the project promises: 100,000 operands per operation and rounding mode.
#[test]
#[ignore = "takes minutes; run with --release --ignored"]
fn half_precision_at_length() {
    random_operands(Format::HALF, &[Format::SINGLE, Format::DOUBLE, Format::new(8, 8)], 100_000);
}

#[test]
#[ignore = "takes minutes; run with --release --ignored"]
fn other_formats_at_length() {
    random_operands(Format::SINGLE, &[Format::HALF, Format::DOUBLE], 10_000);
    random_operands(Format::DOUBLE, &[Format::SINGLE, Format::QUAD], 2_000);
    random_operands(Format::QUAD, &[Format::SINGLE, Format::DOUBLE], 500);
}

/// Runs circuits of one precision on the operands of the machine.
macro_rules! against_machine {
    ($test:ident, $float:ty, $format:expr, $count:expr) => {
        #[test]
        fn $test() {
            let format = $format;
            println!("seed {SEED}");
            let machine = |value: &Value| match value {
                Value::Float(x) => <$float>::from_bits(x.bits.to_u64().unwrap() as _),
                other => panic!("{other:?} is no float"),
            };
            let exact = |x: $float| {
                Value::float(
                    format.exponent,
                    format.significand,
                    BitVec::new(format.width(), u64::from(x.to_bits())),
                )
            };
            type Operation = fn(&[$float]) -> $float;
            let list: [(Op, usize, Operation); 5] = [
                (Op::FpAdd, 2, |x| x[0] + x[1]),
                (Op::FpMul, 2, |x| x[0] * x[1]),
                (Op::FpDiv, 2, |x| x[0] / x[1]),
                (Op::FpSqrt, 1, |x| x[0].sqrt()),
                (Op::FpFma, 3, |x| x[0].mul_add(x[1], x[2])),
            ];
            for (op, arity, operation) in list {
                let mut sorts = vec![Sort::RoundingMode];
                sorts.resize(arity + 1, sort(format));
                let subject = Subject::new(op, &sorts);
                let mut circuit = Circuit::new(&subject.arena, &subject.inputs, subject.output);
                let mut rng = Rng::new(SEED);
                for _ in 0..$count {
                    let rows: Vec<Vec<Value>> = (0..64)
                        .map(|_| {
                            let mut row = vec![Value::RoundingMode(RoundingMode::NearestEven)];
                            for _ in 0..arity {
                                let value = rng.value(&sort(format), &row);
                                row.push(value);
                            }
                            row
                        })
                        .collect();
                    let bits: Vec<Vec<Vec<bool>>> =
                        rows.iter().map(|row| row.iter().map(bits_of).collect()).collect();
                    for (row, found) in rows.iter().zip(circuit.run(&subject.arena, &bits)) {
                        let operands: Vec<$float> = row[1..].iter().map(machine).collect();
                        let found = value_of(&sort(format), &found);
                        assert_eq!(found, exact(operation(&operands)), "{op:?} {operands:?}");
                    }
                }
            }
        }
    };
}

against_machine!(single_precision_of_the_machine, f32, Format::SINGLE, 30);
against_machine!(double_precision_of_the_machine, f64, Format::DOUBLE, 10);

#[test]
fn free_bits_of_variables_stand_for_values() {
    let mut arena = Arena::new();
    for format in TINY {
        let x = arena.variable(&format!("x{format:?}"), &sort(format)).unwrap();
        let mut circuit = Circuit::new(&arena, &[x], x);
        for code in 0..1u64 << format.width() {
            let bits = BitVec::new(format.width(), code);
            let free = bits_of(&Value::BitVec(bits.clone()));
            let found = circuit.run(&arena, &[vec![free]]).remove(0);
            assert_eq!(value_of(&sort(format), &found), Value::Float(FloatValue::from_bits(format, bits)));
        }
    }
    let mode = arena.variable("rm", &Sort::RoundingMode).unwrap();
    let mut circuit = Circuit::new(&arena, &[mode], mode);
    for code in 0..8 {
        let free: Vec<bool> = (0..3).map(|index| code >> index & 1 == 1).collect();
        let found = circuit.run(&arena, &[vec![free.clone()]]).remove(0);
        let expected = super::mode::mode_of([free[0], free[1], free[2]]);
        assert_eq!(value_of(&Sort::RoundingMode, &found), Value::RoundingMode(expected));
    }
}

#[test]
fn circuits_of_absurd_size_are_refused() {
    let refused = |op: Op, sorts: &[Sort]| {
        let subject = Subject::new(op, sorts);
        let mut blaster = crate::blast::Blaster::new(netlist::Netlist::default());
        blaster.blast(&subject.arena, subject.output)
    };
    let quad = sort(Format::QUAD);
    let answer = refused(Op::FpRem, &[quad.clone(), quad.clone()]);
    assert!(matches!(answer, Err(crate::blast::Obstacle::Unsupported(why)) if why.contains("fp.rem")));
    let answer = refused(Op::FpToReal, std::slice::from_ref(&quad));
    assert!(matches!(answer, Err(crate::blast::Obstacle::Unsupported(_))));
    let answer = refused(Op::FpFromReal(8, 24), &[Sort::RoundingMode, Sort::Real]);
    assert!(matches!(answer, Err(crate::blast::Obstacle::Unsupported(_))));
    assert_eq!(refused(Op::FpMul, &[Sort::RoundingMode, quad.clone(), quad]), Ok(()));
}

/// Prints the sizes of circuits over variables, with a variable mode and with a constant one.
#[test]
#[ignore = "a table, not a test"]
fn sizes() {
    println!("format, operator, gates and clauses with any mode, gates and clauses to nearest even");
    for format in [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::QUAD] {
        let float = sort(format);
        let fma = (Op::FpFma, vec![Sort::RoundingMode, float.clone(), float.clone(), float]);
        for (op, sorts) in operators(format).into_iter().chain([fma]).chain(conversions(
            format,
            &[Format::SINGLE, Format::DOUBLE],
            &[32, 64],
        )) {
            if op == Op::FpRem && format == Format::QUAD {
                continue;
            }
            let mut subject = Subject::new(op, &sorts);
            let (gates, clauses) = Circuit::new(&subject.arena, &subject.inputs, subject.output).size();
            let mut nearest = String::new();
            if sorts[0] == Sort::RoundingMode {
                let mode = subject.arena.constant(Value::RoundingMode(RoundingMode::NearestEven));
                let children = [&[mode], &subject.inputs[1..]].concat();
                let output = subject.arena.mk(op, &children);
                let (gates, clauses) = Circuit::new(&subject.arena, &subject.inputs, output).size();
                nearest = format!("{gates:>8} {clauses:>8}");
            }
            let name = format!("{op:?}");
            println!(
                "{:>2} {:>3}  {name:<26} {gates:>8} {clauses:>8} {nearest}",
                format.exponent, format.significand
            );
        }
    }
}
