//! Simplified terms mean what was asked for: operators over small operand terms, for all values of the
//! variables, in formats small enough to try them all.

use super::super::Format;
use super::all;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::eval::{Evaluator, Model};
use crate::fold;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{FloatValue, RoundingMode, Value};

/// A term as it was asked for: what was made of it, and its meaning from those of its operands.
#[derive(Clone)]
struct Asked {
    made: Term,
    meanings: Vec<Value>,
}

/// Variables with all assignments to them, the same for all terms of a test.
struct Stage {
    arena: Arena,
    assignments: Vec<Evaluator>,
    checked: usize,
}

impl Stage {
    fn new(variables: &[(&str, Sort, Vec<Value>)]) -> (Self, Vec<Asked>) {
        let mut arena = Arena::new();
        let mut models = vec![Model::new()];
        let mut terms = Vec::new();
        for (name, sort, values) in variables {
            let term = arena.variable(name, sort).unwrap();
            terms.push(term);
            let mut next = Vec::new();
            for model in &models {
                for value in values {
                    let mut model = model.clone();
                    model.set(term, value.clone());
                    next.push(model);
                }
            }
            models = next;
        }
        let variables = terms
            .iter()
            .map(|&made| Asked {
                made,
                meanings: models.iter().map(|model| model.get(made).unwrap().clone()).collect(),
            })
            .collect();
        let assignments = models.into_iter().map(Evaluator::new).collect();
        (Stage { arena, assignments, checked: 0 }, variables)
    }

    fn constant(&mut self, value: Value) -> Asked {
        let meanings = vec![value.clone(); self.assignments.len()];
        Asked { made: self.arena.constant(value), meanings }
    }

    /// Asks for `op(operands)` and checks what comes.
    fn mk(&mut self, op: Op, operands: &[&Asked]) -> Asked {
        let children: Vec<Term> = operands.iter().map(|operand| operand.made).collect();
        let made = self.arena.try_mk(op, &children).unwrap();
        let mut meanings = Vec::new();
        for (index, evaluator) in self.assignments.iter_mut().enumerate() {
            let arguments: Vec<&Value> = operands.iter().map(|operand| &operand.meanings[index]).collect();
            let expected = fold::apply(&self.arena, op, &arguments).unwrap();
            let found = evaluator.eval(&self.arena, made).unwrap();
            assert_eq!(
                found,
                expected,
                "{op:?} {arguments:?} became {}",
                crate::smtlib::print_term(&self.arena, made)
            );
            meanings.push(expected);
            self.checked += 1;
        }
        Asked { made, meanings }
    }
}

fn floats(format: Format) -> Vec<Value> {
    all(format).into_iter().map(Value::Float).collect()
}

fn modes() -> Vec<Value> {
    RoundingMode::ALL.into_iter().map(Value::RoundingMode).collect()
}

const TESTS: [Op; 7] = [
    Op::FpIsNan,
    Op::FpIsInfinite,
    Op::FpIsZero,
    Op::FpIsNormal,
    Op::FpIsSubnormal,
    Op::FpIsNegative,
    Op::FpIsPositive,
];
const BINARY: [Op; 6] = [Op::FpEq, Op::FpLt, Op::FpLe, Op::FpMin, Op::FpMax, Op::FpRem];

#[test]
fn operators_on_terms_and_constants() {
    for format in [Format::new(2, 3), Format::new(3, 3)] {
        let sort = Sort::Float(format.exponent, format.significand);
        let (mut stage, variables) =
            Stage::new(&[("rm", Sort::RoundingMode, modes()), ("x", sort, floats(format))]);
        let (rm, x) = (&variables[0], &variables[1]);
        let mut operands = vec![x.clone()];
        for op in [Op::FpNeg, Op::FpAbs] {
            operands.push(stage.mk(op, &[x]));
            let last = operands.last().unwrap().clone();
            operands.push(stage.mk(Op::FpNeg, &[&last]));
            operands.push(stage.mk(Op::FpAbs, &[&last]));
        }
        let up = stage.constant(Value::RoundingMode(RoundingMode::Up));
        operands.push(stage.mk(Op::FpRoundToIntegral, &[rm, x]));
        let integral = operands.last().unwrap().clone();
        stage.mk(Op::FpRoundToIntegral, &[&up, &integral]);
        for operand in &operands {
            for op in TESTS {
                stage.mk(op, &[operand]);
            }
        }
        let constants: Vec<Asked> = floats(format).into_iter().map(|value| stage.constant(value)).collect();
        for op in BINARY {
            for operand in &operands {
                stage.mk(op, &[x, operand]);
                stage.mk(op, &[operand, x]);
            }
            for constant in &constants {
                stage.mk(op, &[x, constant]);
                stage.mk(op, &[constant, x]);
            }
        }
        let smallest = stage.mk(Op::FpMin, &[x, &operands[1]]);
        stage.mk(Op::FpIsNan, &[&smallest]);
        let mut chosen = vec![rm.clone()];
        chosen.extend(modes().into_iter().map(|mode| stage.constant(mode)));
        for mode in &chosen {
            for op in [Op::FpAdd, Op::FpMul, Op::FpDiv] {
                for other in constants.iter().chain(&operands) {
                    stage.mk(op, &[mode, x, other]);
                    stage.mk(op, &[mode, other, x]);
                }
            }
        }
        for constant in &constants {
            stage.mk(Op::FpFma, &[rm, x, constant, x]);
            stage.mk(Op::FpFma, &[rm, constant, x, x]);
            stage.mk(Op::FpFma, &[rm, x, x, constant]);
        }
        println!("{format:?}: {} values compared", stage.checked);
    }
}

#[test]
fn conversions() {
    let formats = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 5)].map(|(e, s)| Format::new(e, s));
    for format in formats {
        let sort = Sort::Float(format.exponent, format.significand);
        let (mut stage, variables) = Stage::new(&[
            ("m", Sort::RoundingMode, modes()),
            ("n", Sort::RoundingMode, modes()),
            ("x", sort, floats(format)),
        ]);
        let [m, n, x] = &variables[..] else { unreachable!("three variables were asked for") };
        for first in formats {
            let once = stage.mk(Op::FpToFp(first.exponent, first.significand), &[m, x]);
            stage.mk(Op::FpIsNan, &[&once]);
            let bits = stage.mk(Op::FpToIeeeBits, &[&once]);
            stage.mk(Op::FpFromIeeeBits(first.exponent, first.significand), &[&bits]);
            for second in formats {
                stage.mk(Op::FpToFp(second.exponent, second.significand), &[n, &once]);
            }
        }
    }
    for width in 1..=5 {
        let values = (0..1 << width).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect();
        let (mut stage, variables) =
            Stage::new(&[("m", Sort::RoundingMode, modes()), ("x", Sort::BitVec(width), values)]);
        let (m, x) = (&variables[0], &variables[1]);
        for Format { exponent, significand } in formats {
            for op in [Op::FpFromSigned(exponent, significand), Op::FpFromUnsigned(exponent, significand)] {
                let made = stage.mk(op, &[m, x]);
                stage.mk(Op::FpIsNan, &[&made]);
            }
            if exponent + significand == width {
                let made = stage.mk(Op::FpFromIeeeBits(exponent, significand), &[x]);
                stage.mk(Op::FpToIeeeBits, &[&made]);
            }
        }
    }
}

#[test]
fn floats_from_parts_and_from_reals() {
    let bits = |width: u32| (0..1 << width).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect();
    let (mut stage, parts) = Stage::new(&[
        ("s", Sort::BitVec(1), bits(1)),
        ("e", Sort::BitVec(3), bits(3)),
        ("f", Sort::BitVec(2), bits(2)),
    ]);
    stage.mk(Op::FpFromBits, &[&parts[0], &parts[1], &parts[2]]);
    let (mut stage, variables) = Stage::new(&[("m", Sort::RoundingMode, modes())]);
    for numerator in -9..=9 {
        let real = stage.constant(Value::Real(num_rational::BigRational::new(numerator.into(), 4.into())));
        for (e, s) in [(2, 2), (2, 3), (3, 3)] {
            let made = stage.mk(Op::FpFromReal(e, s), &[&variables[0], &real]);
            assert!(stage.arena.op(made.made) != Op::FpFromReal(e, s));
        }
    }
}

#[test]
fn rules_that_are_promised() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::FLOAT32).unwrap();
    let nan = arena.mk(Op::FpIsNan, &[x]);
    let number = arena.not(nan);
    let negated = arena.mk(Op::FpNeg, &[x]);
    assert_eq!(arena.mk(Op::FpNeg, &[negated]), x);
    let absolute = arena.mk(Op::FpAbs, &[x]);
    assert_eq!(arena.mk(Op::FpAbs, &[negated]), absolute);
    assert_eq!(arena.mk(Op::FpAbs, &[absolute]), absolute);
    assert_eq!(arena.mk(Op::FpEq, &[x, x]), number);
    assert_eq!(arena.mk(Op::FpLe, &[x, x]), number);
    let no = arena.mk_false();
    assert_eq!(arena.mk(Op::FpLt, &[x, x]), no);
    assert_eq!(arena.mk(Op::FpMin, &[x, x]), x);
    let rm = arena.variable("rm", &Sort::RoundingMode).unwrap();
    assert_eq!(arena.mk(Op::FpToFp(8, 24), &[rm, x]), x);
    let wide = arena.mk(Op::FpToFp(11, 53), &[rm, x]);
    assert_eq!(arena.mk(Op::FpToFp(8, 24), &[rm, wide]), x);
    let one = FloatValue::from_integer(Format::SINGLE, &1.into(), RoundingMode::Up);
    let one = arena.constant(Value::Float(one));
    assert_eq!(arena.mk(Op::FpMul, &[rm, x, one]), x);
    assert_eq!(arena.mk(Op::FpDiv, &[rm, x, one]), x);
}
