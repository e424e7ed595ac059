//! Floats away, for the checker alone.
//!
//! The encoder knows bit-vectors only. Here every term over floats and rounding modes is replaced by a term
//! over bit-vectors of the same meaning: a float is its IEEE bits, a rounding mode is a number below five.
//! Each operation takes its operands apart into sign, integer significand and exponent, computes the exact
//! result as an integer times a power of two (or something that rounds alike, where the argument is written
//! beside it), and rounds once. This shares no code with the circuits of the engines.
//!
//! Invariants of the replacements:
//! * there is one NaN (sign clear, fraction 10…0), so that equal floats are equal bits; and modes are below
//!   five;
//! * a variable becomes the canonical form of a fresh bit-vector variable, which can have every value of the
//!   float: a formula and its replacement have models alike.
//!
//! What SMT-LIB leaves open is as `nilas_term` fixes it, since invariants and executions are about those
//! terms. Conversions from and to reals, and remainders in formats of more than double precision, are refused
//! with a reason.

mod arithmetic;
mod convert;
mod digits;
mod order;
mod parts;
mod round;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod words;

use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, BitVec, Format, Op, RoundingMode, Sort, Term, Value};
use round::Mode;
use rustc_hash::FxHashMap;

/// What has been replaced so far.
#[derive(Default)]
pub(crate) struct Floats {
    reduced: FxHashMap<Term, Term>,
    /// What stands for variables of floats and modes, since it was asked for.
    variables: Vec<Term>,
}

impl Floats {
    /// A term without floats of the same meaning.
    pub(crate) fn reduce(&mut self, arena: &mut Arena, root: Term, budget: &Budget) -> Result<Term, Reason> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.reduced.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.reduced.contains_key(child)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            poll(budget)?;
            let result = self.replace(arena, term, budget)?;
            self.reduced.insert(term, result);
            if result != term && arena.as_variable(term).is_some() {
                self.variables.push(result);
            }
        }
        Ok(self.reduced[&root])
    }

    /// The bits that stand for a variable that has been replaced.
    pub(crate) fn of(&self, variable: Term) -> Option<Term> {
        self.reduced.get(&variable).copied()
    }

    /// What stands for the variables of floats and modes that are new: to be encoded, so that they have
    /// values.
    pub(crate) fn new_variables(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.variables)
    }

    /// One operator, its children being replaced.
    fn replace(&self, arena: &mut Arena, term: Term, budget: &Budget) -> Result<Term, Reason> {
        let (op, sort) = (arena.op(term), arena.sort(term).clone());
        let original = arena.children(term).to_vec();
        let child: Vec<Term> = original.iter().map(|child| self.reduced[child]).collect();
        // The format of the operands, which are floats from some position on.
        let format = original.iter().find_map(|&child| format_of(arena.sort(child)));
        let result = format_of(&sort);
        Ok(match (op, format, result) {
            (Op::Var(_), ..) => variable(arena, term, &sort),
            (Op::Const(value), ..) => match arena.value(value).clone() {
                Value::Float(float) => arena.bv_constant(float.bits),
                Value::RoundingMode(mode) => Mode::constant(arena, mode),
                _ => term,
            },
            (Op::FpFromBits, _, Some(format)) => {
                let high = arena.concat(child[0], child[1]);
                let bits = arena.concat(high, child[2]);
                parts::canonical(arena, format, bits)
            }
            (Op::FpFromIeeeBits(..), _, Some(format)) => parts::canonical(arena, format, child[0]),
            // A float is its canonical bits here.
            (Op::FpToIeeeBits, ..) => child[0],
            (Op::FpAbs, Some(format), _) => parts::without_sign(arena, format, child[0]),
            (Op::FpNeg, Some(format), _) => parts::negated(arena, format, child[0]),
            (Op::FpAdd, Some(format), _) => {
                arithmetic::add(arena, format, Mode(child[0]), child[1], child[2])
            }
            (Op::FpMul, Some(format), _) => {
                arithmetic::multiply(arena, format, Mode(child[0]), child[1], child[2])
            }
            (Op::FpDiv, Some(format), _) => {
                arithmetic::divide(arena, format, Mode(child[0]), child[1], child[2])
            }
            (Op::FpFma, Some(format), _) => {
                arithmetic::fused(arena, format, Mode(child[0]), [child[1], child[2], child[3]])
            }
            (Op::FpSqrt, Some(format), _) => {
                digits::square_root(arena, format, Mode(child[0]), child[1], budget)?
            }
            (Op::FpRem, Some(format), _) => digits::remainder(arena, format, child[0], child[1], budget)?,
            (Op::FpRoundToIntegral, Some(format), _) => {
                convert::to_integral(arena, format, Mode(child[0]), child[1])
            }
            (Op::FpMin | Op::FpMax, Some(format), _) => {
                order::extremum(arena, format, op, child[0], child[1])
            }
            (Op::FpLe | Op::FpLt | Op::FpEq, Some(format), _) => {
                order::compare(arena, format, op, child[0], child[1])
            }
            (
                Op::FpIsNormal
                | Op::FpIsSubnormal
                | Op::FpIsZero
                | Op::FpIsInfinite
                | Op::FpIsNan
                | Op::FpIsNegative
                | Op::FpIsPositive,
                Some(format),
                _,
            ) => parts::class(arena, format, op, child[0]),
            (Op::FpToFp(..), Some(from), Some(to)) => {
                convert::to_format(arena, from, to, Mode(child[0]), child[1])
            }
            (Op::FpFromSigned(..), _, Some(to)) => {
                convert::from_integer(arena, to, Mode(child[0]), child[1], true)
            }
            (Op::FpFromUnsigned(..), _, Some(to)) => {
                convert::from_integer(arena, to, Mode(child[0]), child[1], false)
            }
            (Op::FpToSigned(width), Some(format), _) => {
                convert::to_integer(arena, format, Mode(child[0]), child[1], width, true)
            }
            (Op::FpToUnsigned(width), Some(format), _) => {
                convert::to_integer(arena, format, Mode(child[0]), child[1], width, false)
            }
            (Op::FpToReal | Op::FpFromReal(..), ..) => {
                return Err(Reason::Unsupported(
                    "conversions of floats from and to reals in the evidence checker".into(),
                ));
            }
            // Operators of other sorts, and equality and choice of any, mean of the bits what they mean of
            // the floats.
            _ if child == original => term,
            _ => arena.mk(op, &child),
        })
    }
}

fn poll(budget: &Budget) -> Result<(), Reason> {
    budget.exhausted().map_or(Ok(()), |why| Err(Reason::Interrupted(why)))
}

fn format_of(sort: &Sort) -> Option<Format> {
    match sort {
        Sort::Float(exponent, significand) => Some(Format::new(*exponent, *significand)),
        _ => None,
    }
}

/// Any bits, made canonical; variables of other sorts stay.
fn variable(arena: &mut Arena, term: Term, sort: &Sort) -> Term {
    match sort {
        Sort::Float(exponent, significand) => {
            let format = Format::new(*exponent, *significand);
            let bits = arena.fresh_variable("check.float", &Sort::BitVec(format.width()));
            parts::canonical(arena, format, bits)
        }
        Sort::RoundingMode => {
            let code = arena.fresh_variable("check.mode", &Sort::BitVec(Mode::WIDTH));
            Mode::canonical(arena, code)
        }
        _ => term,
    }
}

/// The value of a sort that has these bits, lowest first.
pub(crate) fn value_of(sort: &Sort, bits: &[bool]) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::Float(exponent, significand) => Value::float(*exponent, *significand, BitVec::from_bits(bits)),
        Sort::RoundingMode => {
            let code = BitVec::from_bits(bits).to_u64().unwrap_or_default();
            let mode = RoundingMode::ALL.into_iter().find(|&mode| Mode::code(mode) == code);
            Value::RoundingMode(mode.unwrap_or(RoundingMode::NearestEven))
        }
        _ => Value::BitVec(BitVec::from_bits(bits)),
    }
}
