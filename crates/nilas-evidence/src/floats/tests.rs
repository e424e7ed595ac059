//! The reduction against the evaluator: the term without floats must have the bits of the value that the term
//! with floats has. All operands of tiny formats, random ones of larger formats; then through the encoder,
//! too.

use super::{Floats, Mode};
use crate::encoder::Encoder;
use nilas_smt::{Budget, Reason};
use nilas_term::smtlib::print_term;
use nilas_term::{Arena, BitVec, Evaluator, FloatValue, Format, Model, Op, RoundingMode, Sort, Term, Value};

/// A term over variables, its replacement, and the fresh variables that stand for its variables.
struct Case {
    arena: Arena,
    term: Term,
    reduced: Term,
    variables: Vec<Term>,
    stand_ins: Vec<Term>,
}

impl Case {
    /// The operator applied to variables of these sorts.
    fn new(op: Op, sorts: &[Sort]) -> Case {
        let mut arena = Arena::new();
        let variables: Vec<Term> = sorts
            .iter()
            .enumerate()
            .map(|(index, sort)| arena.variable(&format!("x{index}"), sort).unwrap())
            .collect();
        let term = arena.mk(op, &variables);
        Case::of(arena, term, variables)
    }

    fn of(mut arena: Arena, term: Term, variables: Vec<Term>) -> Case {
        let (mut floats, budget) = (Floats::default(), Budget::unlimited());
        let reduced = floats.reduce(&mut arena, term, &budget).unwrap();
        let mut stand_in = |variable| {
            let bits = floats.reduce(&mut arena, variable, &budget).unwrap();
            arena.free_variables(bits)[0]
        };
        let stand_ins = variables.iter().map(|&variable| stand_in(variable)).collect();
        Case { arena, term, reduced, variables, stand_ins }
    }

    /// What differs at these operands, given by their bits; nothing, if all is well.
    fn difference(&self, operands: &[BitVec]) -> Option<String> {
        let (mut model, mut bit_model) = (Model::new(), Model::new());
        for ((&variable, &stand_in), bits) in self.variables.iter().zip(&self.stand_ins).zip(operands) {
            model.set(variable, value(self.arena.sort(variable), bits));
            bit_model.set(stand_in, Value::BitVec(bits.clone()));
        }
        let expected = Evaluator::new(model.clone()).eval(&self.arena, self.term).unwrap();
        let found = Evaluator::new(bit_model).eval(&self.arena, self.reduced).unwrap();
        let same = match (&expected, &found) {
            (Value::Float(FloatValue { bits, .. }), Value::BitVec(found)) => bits == found,
            (expected, found) => expected == found,
        };
        (!same).then(|| {
            format!("{} under {model:?}: {expected:?}, reduced {found:?}", print_term(&self.arena, self.term))
        })
    }

    fn check(&self, operands: &[BitVec]) {
        if let Some(difference) = self.difference(operands) {
            panic!("{difference}");
        }
    }
}

fn value(sort: &Sort, bits: &BitVec) -> Value {
    match sort {
        Sort::Float(e, s) => Value::float(*e, *s, bits.clone()),
        Sort::RoundingMode => {
            let code = bits.to_u64().unwrap();
            let mode = RoundingMode::ALL.into_iter().find(|&mode| Mode::code(mode) == code);
            Value::RoundingMode(mode.unwrap_or(RoundingMode::NearestEven))
        }
        _ => Value::BitVec(bits.clone()),
    }
}

fn width(sort: &Sort) -> u32 {
    match sort {
        Sort::Float(e, s) => e + s,
        Sort::RoundingMode => Mode::WIDTH,
        sort => sort.width().unwrap(),
    }
}

/// Operators with the sorts of their operands, for a format, another format and a width of bit-vectors.
fn operators(format: Format, other: Format, bits: u32) -> Vec<(Op, Vec<Sort>)> {
    let float = Sort::Float(format.exponent, format.significand);
    let (e, s) = (other.exponent, other.significand);
    let (mode, vector) = (Sort::RoundingMode, Sort::BitVec(bits));
    let mut operators = Vec::new();
    for op in [Op::FpAdd, Op::FpMul, Op::FpDiv] {
        operators.push((op, vec![mode.clone(), float.clone(), float.clone()]));
    }
    for op in [Op::FpRem, Op::FpMin, Op::FpMax, Op::FpLe, Op::FpLt, Op::FpEq, Op::Eq] {
        operators.push((op, vec![float.clone(), float.clone()]));
    }
    for op in
        [Op::FpSqrt, Op::FpRoundToIntegral, Op::FpToFp(e, s), Op::FpToSigned(bits), Op::FpToUnsigned(bits)]
    {
        operators.push((op, vec![mode.clone(), float.clone()]));
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
        Op::FpToIeeeBits,
    ] {
        operators.push((op, vec![float.clone()]));
    }
    let (e, s) = (format.exponent, format.significand);
    for op in [Op::FpFromSigned(e, s), Op::FpFromUnsigned(e, s)] {
        operators.push((op, vec![mode.clone(), vector.clone()]));
    }
    operators.push((Op::FpFromIeeeBits(e, s), vec![Sort::BitVec(e + s)]));
    operators
}

/// All operands of all operators; three operands are too many for all.
#[test]
fn tiny_formats_exhaustively() {
    let long = std::env::var_os("NILAS_FLOATS_LONG").is_some();
    let mut formats = vec![(Format::new(2, 2), Format::new(3, 2)), (Format::new(2, 3), Format::new(2, 2))];
    if long {
        formats.push((Format::new(3, 4), Format::new(2, 5)));
        formats.push((Format::new(4, 3), Format::new(3, 4)));
    }
    for (format, other) in formats {
        for (op, sorts) in operators(format, other, 3) {
            let case = Case::new(op, &sorts);
            let widths: Vec<u32> = sorts.iter().map(width).collect();
            for mut code in 0..1u64 << widths.iter().sum::<u32>() {
                let operands: Vec<BitVec> = widths
                    .iter()
                    .map(|&width| {
                        let operand = BitVec::new(width, code);
                        code >>= width;
                        operand
                    })
                    .collect();
                case.check(&operands);
            }
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn bits(&mut self, width: u32) -> BitVec {
        let mut bits = BitVec::new(64, self.next());
        while bits.width() < width {
            bits = bits.concat(&BitVec::new(64, self.next()));
        }
        bits.extract(width - 1, 0)
    }

    /// Floats with exponents near each other, or special ones, more often than chance would have it.
    fn float(&mut self, format: Format) -> BitVec {
        let sign = self.bits(1);
        let dense = self.bits(format.fraction());
        let fraction = match self.next() >> 61 {
            0 => BitVec::zero(format.fraction()),
            1 => BitVec::ones(format.fraction()),
            2 => BitVec::one(format.fraction()),
            3 => dense.and(&self.bits(format.fraction())).and(&self.bits(format.fraction())),
            _ => dense,
        };
        let near = BitVec::new(format.exponent, format.bias().unsigned_abs() + (self.next() >> 59));
        let field = match self.next() >> 61 {
            0 => BitVec::new(format.exponent, self.next() >> 62),
            1 => BitVec::ones(format.exponent).sub(&BitVec::new(format.exponent, self.next() >> 62)),
            2 | 3 => self.bits(format.exponent),
            _ => near,
        };
        sign.concat(&field).concat(&fraction)
    }

    fn operand(&mut self, sort: &Sort) -> BitVec {
        match sort {
            Sort::Float(e, s) => self.float(Format::new(*e, *s)),
            sort => self.bits(width(sort)),
        }
    }
}

fn random_operands(format: Format, other: Format, bits: u32, count: u32) {
    let float = Sort::Float(format.exponent, format.significand);
    let mut operators = operators(format, other, bits);
    operators.push((Op::FpFma, vec![Sort::RoundingMode, float.clone(), float.clone(), float]));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (op, sorts) in operators {
        let case = Case::new(op, &sorts);
        // The long division of large formats has many steps.
        let count = if op == Op::FpRem && format.exponent > 8 { 1 + count / 50 } else { count };
        for _ in 0..count {
            let operands: Vec<BitVec> = sorts.iter().map(|sort| random.operand(sort)).collect();
            case.check(&operands);
        }
    }
}

fn count() -> u32 {
    std::env::var("NILAS_FLOATS").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

#[test]
fn random_half() {
    random_operands(Format::HALF, Format::new(8, 8), 16, count());
}

#[test]
fn random_single() {
    random_operands(Format::SINGLE, Format::HALF, 32, count());
}

#[test]
fn random_double() {
    random_operands(Format::DOUBLE, Format::SINGLE, 64, count());
}

#[test]
fn random_odd_formats() {
    random_operands(Format::new(3, 9), Format::new(7, 2), 20, count());
    random_operands(Format::new(7, 2), Format::new(3, 9), 1, count());
}

/// The harness can fail: the reduction of a product, taken for that of a sum, is found out.
#[test]
fn a_wrong_reduction_is_seen() {
    let float = Sort::Float(3, 4);
    let mut case = Case::new(Op::FpAdd, &[Sort::RoundingMode, float.clone(), float]);
    let product = case.arena.mk(Op::FpMul, &case.variables.clone());
    let Case { arena, reduced, stand_ins, .. } = Case::of(case.arena, product, case.variables.clone());
    let case = Case { arena, reduced, stand_ins, term: case.term, variables: case.variables };
    let operands = |code: u64| [BitVec::new(3, 0), BitVec::new(7, code), BitVec::new(7, code >> 7)];
    assert!((0..1 << 14).any(|code| case.difference(&operands(code)).is_some()));
}

/// Through the encoder: with operands fixed, the result can be what the evaluator says, and nothing else.
#[test]
fn the_encoder_agrees() {
    let budget = Budget::unlimited();
    let format = Format::new(3, 4);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut operators = operators(format, Format::new(4, 3), 5);
    let float = Sort::Float(3, 4);
    operators.push((Op::FpFma, vec![Sort::RoundingMode, float.clone(), float.clone(), float]));
    for (op, sorts) in operators {
        let Case { mut arena, term, variables, .. } = Case::new(op, &sorts);
        let mut encoder = Encoder::of_bits_alone(&budget);
        for _ in 0..8 {
            let mut model = Model::new();
            let mut fixed = Vec::new();
            for (&variable, sort) in variables.iter().zip(&sorts) {
                let value = value(sort, &random.operand(sort));
                model.set(variable, value.clone());
                let constant = arena.constant(value);
                fixed.push(arena.eq(variable, constant));
            }
            let value = Evaluator::new(model.clone()).eval(&arena, term).unwrap();
            let constant = arena.constant(value.clone());
            let same = arena.eq(term, constant);
            let different = arena.not(same);
            let shown = print_term(&arena, term);
            let mut question = |formula| encoder.satisfiable(&mut arena, &[&fixed[..], &[formula]].concat());
            assert!(!question(different).unwrap(), "{shown} is only {value:?} at {model:?}");
            assert!(question(same).unwrap(), "{shown} can be {value:?} at {model:?}");
            for &variable in &variables {
                assert_eq!(Some(&encoder.value(&arena, variable)), model.get(variable), "{shown}");
            }
        }
    }
}

#[test]
fn floats_in_arrays_and_functions() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let half = Sort::Float(5, 11);
    let array = arena.variable("a", &Sort::array(Sort::BitVec(4), half.clone())).unwrap();
    let f = arena.declare("f", vec![half.clone()], half.clone()).unwrap();
    let index = arena.variable("i", &Sort::BitVec(4)).unwrap();
    let x = arena.variable("x", &half).unwrap();
    let stored = arena.store(array, index, x);
    let read = arena.select(stored, index);
    let (fx, fread) = (arena.mk(Op::Apply(f), &[x]), arena.mk(Op::Apply(f), &[read]));
    let differ = arena.ne(fx, fread);
    assert!(!encoder.satisfiable(&mut arena, &[differ]).unwrap());
    // NaN is not equal to itself for IEEE, but one value.
    let at = arena.select(array, index);
    let same = arena.mk(Op::FpEq, &[at, at]);
    let not_same = arena.not(same);
    assert!(encoder.satisfiable(&mut arena, &[not_same]).unwrap());
}

#[test]
fn what_is_not_supported_is_said() {
    let budget = Budget::unlimited();
    let (mut arena, mut encoder) = (Arena::new(), Encoder::of_bits_alone(&budget));
    let x = arena.variable("x", &Sort::Float(15, 113)).unwrap();
    let y = arena.variable("y", &Sort::Float(15, 113)).unwrap();
    let remainder = arena.mk(Op::FpRem, &[x, y]);
    let nan = arena.mk(Op::FpIsNan, &[remainder]);
    let refused = encoder.satisfiable(&mut arena, &[nan]);
    assert!(matches!(&refused, Err(Reason::Unsupported(why)) if why.contains("fp.rem")), "{refused:?}");
    let real = arena.mk(Op::FpToReal, &[x]);
    let zero = arena.constant(Value::default_of(&Sort::Real));
    let equal = arena.eq(real, zero);
    let refused = encoder.satisfiable(&mut arena, &[equal]);
    assert!(matches!(&refused, Err(Reason::Unsupported(why)) if why.contains("reals")), "{refused:?}");
}
