//! Simple bounds of terms: the literals of IC3 over bounds (§2.3 and §2.4 of *ICP and IC3 with Stronger
//! Generalization*).
//!
//! A simple bound says of one reading of a term that it is at least or at most a rank: the unsigned or signed
//! number of a bit-vector, the place of a float among the numbers of its format, whether it is NaN, a truth
//! value. Every simple bound is a formula ([`SimpleBound::literal`]). A bound of a float's number says that
//! it is a number, too: NaN lies in no interval.

use crate::boxes::float::{bit_vector, infinity, number, numbers, rank, value};
use crate::boxes::interval::{Interval, Rank};
use crate::decompose::{Decomposition, Unsupported, View};
pub use crate::search::Side;
use crate::search::{Bound, Search};
use nilas_term::{Arena, BitVec, Format, Op, Sort, Term, Value};

/// What of a term is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// A truth value, 0 or 1.
    Truth,
    /// The number of a bit-vector without a sign.
    Unsigned,
    /// The number of a bit-vector in two's complement.
    Signed,
    /// Whether a float is NaN, 0 or 1.
    Nan,
    /// The rank of a float that is a number.
    Number,
}

/// A reading of a term is at least, or at most, a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimpleBound {
    /// The term.
    pub of: Term,
    /// What of it.
    pub reading: Reading,
    /// Whether it is a lower or an upper bound.
    pub side: Side,
    /// The bound itself.
    pub value: Rank,
}

impl SimpleBound {
    /// The bounds that a value, and no other, satisfies: what it is first (NaN or a number), then its lower
    /// and its upper bound. `signed` is how bit-vectors are read. `None` for values without bounds.
    #[must_use]
    pub fn around(of: Term, value: &Value, signed: bool) -> Option<Vec<SimpleBound>> {
        let at = |reading, side, value| SimpleBound { of, reading, side, value };
        let both = |reading, value| vec![at(reading, Side::Lower, value), at(reading, Side::Upper, value)];
        Some(match value {
            Value::Bool(true) => vec![at(Reading::Truth, Side::Lower, 1)],
            Value::Bool(false) => vec![at(Reading::Truth, Side::Upper, 0)],
            Value::BitVec(bits) if bits.width() > crate::boxes::bits::MAX_WIDTH => return None,
            Value::BitVec(bits) if signed => both(Reading::Signed, signed_number(bits)),
            Value::BitVec(bits) => both(Reading::Unsigned, number(bits).cast_signed()),
            Value::Float(float) if float.exponent + float.significand > crate::boxes::float::MAX_BITS => {
                return None;
            }
            Value::Float(float) => match rank(float) {
                None => vec![at(Reading::Nan, Side::Lower, 1)],
                Some(rank) => {
                    let mut all = vec![at(Reading::Nan, Side::Upper, 0)];
                    all.extend(both(Reading::Number, rank));
                    all
                }
            },
            _ => return None,
        })
    }

    /// That its term is a number, where the bound is one of numbers.
    #[must_use]
    pub fn is_number(self) -> Option<SimpleBound> {
        let number = SimpleBound { reading: Reading::Nan, side: Side::Upper, value: 0, ..self };
        (self.reading == Reading::Number).then_some(number)
    }

    /// Whether it is one of several ranks of an order, so that there may be weaker ones.
    #[must_use]
    pub fn is_ordered(self) -> bool {
        matches!(self.reading, Reading::Unsigned | Reading::Signed | Reading::Number)
    }

    /// Whether both bound the same reading of the same term from the same side.
    #[must_use]
    pub fn same_end(self, other: SimpleBound) -> bool {
        (self.of, self.reading, self.side) == (other.of, other.reading, other.side)
    }

    /// Whether this one implies another of the same end.
    #[must_use]
    pub fn implies(self, other: SimpleBound) -> bool {
        self.same_end(other)
            && match self.side {
                Side::Lower => self.value >= other.value,
                Side::Upper => self.value <= other.value,
            }
    }

    /// Whether every value of the sort satisfies it; of numbers, every number.
    #[must_use]
    pub fn is_trivial(self, arena: &Arena) -> bool {
        let all = match (self.reading, arena.sort(self.of)) {
            (Reading::Truth | Reading::Nan, _) => Interval::BOOLEAN,
            (Reading::Unsigned, Sort::BitVec(width)) => Interval { lo: 0, hi: (1 << width) - 1 },
            (Reading::Signed, Sort::BitVec(width)) => {
                Interval { lo: -(1 << (width - 1)), hi: (1 << (width - 1)) - 1 }
            }
            (Reading::Number, Sort::Float(exponent, significand)) => {
                numbers(Format::new(*exponent, *significand))
            }
            _ => return false,
        };
        match self.side {
            Side::Lower => self.value <= all.lo,
            Side::Upper => self.value >= all.hi,
        }
    }

    /// The formula.
    #[must_use]
    pub fn literal(self, arena: &mut Arena) -> Term {
        let SimpleBound { of, reading, side, value: bound } = self;
        let positive = match (side, reading) {
            (_, Reading::Truth) => of,
            (_, Reading::Nan) => arena.mk(Op::FpIsNan, &[of]),
            (_, Reading::Unsigned | Reading::Signed) => {
                let Sort::BitVec(width) = *arena.sort(of) else { return arena.mk_false() };
                let op = if reading == Reading::Signed { Op::BvSle } else { Op::BvUle };
                let modulus = if width < 128 { 1_i128 << width } else { 0 };
                let unsigned = if bound < 0 { bound + modulus } else { bound };
                let constant = arena.constant(Value::BitVec(bit_vector(width, unsigned.cast_unsigned())));
                return ordered(arena, op, side, of, constant);
            }
            (_, Reading::Number) => {
                let Sort::Float(exponent, significand) = *arena.sort(of) else { return arena.mk_false() };
                let format = Format::new(exponent, significand);
                // -0 is below +0 in the order of ranks, and equal to it in that of IEEE.
                match (side, bound) {
                    (Side::Lower, 0) => return arena.mk(Op::FpIsPositive, &[of]),
                    (Side::Upper, -1) => return arena.mk(Op::FpIsNegative, &[of]),
                    _ => {}
                }
                if bound.abs() > infinity(format) + 1 {
                    return arena.mk_false();
                }
                let constant = arena.constant(Value::Float(value(format, bound)));
                return ordered(arena, Op::FpLe, side, of, constant);
            }
        };
        match side {
            Side::Lower => positive,
            Side::Upper => arena.not(positive),
        }
    }

    /// The bound of a column that it is in a search.
    pub(crate) fn bound(
        self,
        decomposition: &mut Decomposition,
        search: &mut Search,
        arena: &Arena,
    ) -> Result<Bound, Unsupported> {
        let column = match (self.reading, decomposition.view(search, arena, self.of)?) {
            (Reading::Truth, View::Bool(bound)) => {
                return Ok(if self.side == Side::Lower { bound } else { bound.negated() });
            }
            (Reading::Unsigned, View::Bits { unsigned, .. }) => unsigned,
            (Reading::Signed, View::Bits { signed, .. }) => signed,
            (Reading::Nan, View::Float { nan, .. }) => nan,
            (Reading::Number, View::Float { rank, .. }) => rank,
            (reading, _) => return Err(Unsupported(format!("{reading:?} of a term of another sort"))),
        };
        Ok(Bound { column, side: self.side, value: self.value })
    }
}

fn ordered(arena: &mut Arena, op: Op, side: Side, of: Term, constant: Term) -> Term {
    match side {
        Side::Lower => arena.mk(op, &[constant, of]),
        Side::Upper => arena.mk(op, &[of, constant]),
    }
}

fn signed_number(bits: &BitVec) -> Rank {
    let number = number(bits).cast_signed();
    if bits.sign_bit() { number - (1 << bits.width()) } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::{Evaluator, FloatValue, Model};

    /// Every bound of a small format, as a formula, holds of the values whose ranks satisfy it, and of no
    /// NaN.
    #[test]
    fn formulas_say_what_bounds_say() {
        let mut arena = Arena::new();
        let format = Format::new(3, 3);
        let x = arena.variable("x", &Sort::Float(3, 3)).expect("a new name");
        let all = numbers(format);
        for side in [Side::Lower, Side::Upper] {
            for bound in all.lo..=all.hi {
                let simple = SimpleBound { of: x, reading: Reading::Number, side, value: bound };
                let literal = simple.literal(&mut arena);
                let holds = |arena: &Arena, float: FloatValue| {
                    let mut model = Model::new();
                    model.set(x, Value::Float(float));
                    Evaluator::new(model).holds(arena, literal) == Ok(true)
                };
                for rank in all.lo..=all.hi {
                    let expected = if side == Side::Lower { rank >= bound } else { rank <= bound };
                    assert_eq!(holds(&arena, value(format, rank)), expected, "{simple:?} of {rank}");
                }
                assert!(!holds(&arena, FloatValue::nan(format)), "{simple:?} of NaN");
            }
        }
        let y = arena.variable("y", &Sort::BitVec(4)).expect("a new name");
        for (reading, range) in [(Reading::Unsigned, 0..=15), (Reading::Signed, -8..=7)] {
            for bound in range.clone() {
                let simple = SimpleBound { of: y, reading, side: Side::Upper, value: bound };
                let literal = simple.literal(&mut arena);
                for number in range.clone() {
                    let bits = bit_vector(4, (number & 15).cast_unsigned());
                    let mut model = Model::new();
                    model.set(y, Value::BitVec(bits));
                    let holds = Evaluator::new(model).holds(&arena, literal) == Ok(true);
                    assert_eq!(holds, number <= bound, "{simple:?} of {number}");
                }
            }
        }
    }

    /// The bounds around a value are satisfied by it alone.
    #[test]
    fn bounds_around_a_value() {
        let mut arena = Arena::new();
        let format = Format::new(3, 3);
        let x = arena.variable("x", &Sort::Float(3, 3)).expect("a new name");
        let mut values: Vec<FloatValue> =
            (numbers(format).lo..=numbers(format).hi).map(|r| value(format, r)).collect();
        values.push(FloatValue::nan(format));
        for value in &values {
            let bounds =
                SimpleBound::around(x, &Value::Float(value.clone()), true).expect("floats have bounds");
            let literals: Vec<Term> = bounds.into_iter().map(|bound| bound.literal(&mut arena)).collect();
            for other in &values {
                let mut model = Model::new();
                model.set(x, Value::Float(other.clone()));
                let mut evaluator = Evaluator::new(model);
                let all = literals.iter().all(|&literal| evaluator.holds(&arena, literal) == Ok(true));
                assert_eq!(all, value == other, "{value:?} {other:?}");
            }
        }
    }
}
