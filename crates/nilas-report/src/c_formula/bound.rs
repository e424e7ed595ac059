//! Bounds of floats: what comparisons with constants say about one value.
//!
//! Floats have no intervals here, since a comparison that does not hold says nothing about what is no number.
//! But in a conjunction the tightest bound on each side says all, and also that the value is a number.

use super::expression::{AND, ORDER, Text, Writer};
use nilas_term::{Op, Term, Value};
use std::cmp::Ordering;

/// A comparison of a value with a constant.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) term: Term,
    pub(super) upper: bool,
    /// The value as C writes it, and the constant.
    value: Text,
    constant: Text,
    number: f64,
    strict: bool,
}

impl Bound {
    /// What a term says, if it is such a comparison.
    pub(super) fn of(writer: &Writer<'_>, term: Term) -> Option<Bound> {
        let arena = writer.arena;
        let strict = match arena.op(term) {
            Op::FpLt => true,
            Op::FpLe => false,
            _ => return None,
        };
        let &[one, other] = arena.children(term) else { return None };
        let (term, constant, upper) = match (number(arena.as_value(one)), number(arena.as_value(other))) {
            (None, Some(_)) => (one, other, true),
            (Some(_), None) => (other, one, false),
            _ => return None,
        };
        let number = number(arena.as_value(constant))?;
        let (value, constant) = (writer.texts[&term].clone(), writer.texts[&constant].clone());
        Some(Bound { term, upper, value, constant, number, strict })
    }

    /// Whether this one says what another says, and perhaps more.
    pub(super) fn implies(&self, other: &Bound) -> bool {
        let tighter = match self.number.partial_cmp(&other.number) {
            Some(Ordering::Less) => self.upper,
            Some(Ordering::Greater) => !self.upper,
            Some(Ordering::Equal) => self.strict || !other.strict,
            None => false,
        };
        self.term == other.term && self.upper == other.upper && tighter
    }

    /// What it says besides: that the value is a number.
    pub(super) fn is_number(&self) -> String {
        format!("!isnan({})", self.value.text)
    }

    /// A range with an upper bound of the same value.
    pub(super) fn range(&self, upper: &Bound) -> Text {
        let value = self.value.within(ORDER);
        let word = |strict: bool| if strict { "<" } else { "<=" };
        let (low, high) = (self.constant.within(ORDER), upper.constant.within(ORDER));
        let (below, above) = (word(self.strict), word(upper.strict));
        Text::other(format!("{low} {below} {value} && {value} {above} {high}"), AND)
    }
}

/// A constant of a format that fits into a `double`.
fn number(value: Option<&Value>) -> Option<f64> {
    let Some(Value::Float(float)) = value else { return None };
    let bits = float.bits.to_u64()?;
    let number = match (float.exponent, float.significand) {
        (8, 24) => f64::from(f32::from_bits(u32::try_from(bits).ok()?)),
        (11, 53) => f64::from_bits(bits),
        _ => return None,
    };
    (!number.is_nan()).then_some(number)
}
