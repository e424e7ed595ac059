//! Sets of values.

use super::bits::Bits;
use super::floats::Floats;
use nilas_term::{FloatValue, Format, RoundingMode, Sort, Value};

/// Which values a term can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Whether it can be true, and whether it can be false.
    Truth {
        yes: bool,
        no: bool,
    },
    Float(Floats),
    Bits(Bits),
    /// Some rounding modes: a bit for each, in the order of [`RoundingMode::ALL`].
    Mode(u8),
    /// Nothing is known of it: a sort without intervals.
    Anything,
}

pub(super) const OPEN: Known = Known::Truth { yes: true, no: true };

/// The bit of a rounding mode.
fn bit(mode: RoundingMode) -> u8 {
    RoundingMode::ALL.iter().position(|&other| other == mode).map_or(0, |place| 1 << place)
}

impl Known {
    pub(super) fn truth(value: bool) -> Known {
        Known::Truth { yes: value, no: !value }
    }

    /// The rounding modes of a set of them.
    pub(super) fn modes(set: u8) -> impl Iterator<Item = RoundingMode> {
        RoundingMode::ALL.into_iter().filter(move |&mode| set & bit(mode) != 0)
    }

    /// The one truth value that is left.
    pub(super) fn decided(self) -> Option<bool> {
        match self {
            Known::Truth { yes, no } if yes != no => Some(yes),
            _ => None,
        }
    }

    pub(super) fn can_be(self, value: bool) -> bool {
        match self {
            Known::Truth { yes, no } => {
                if value {
                    yes
                } else {
                    no
                }
            }
            _ => true,
        }
    }

    pub(super) fn is_empty(self) -> bool {
        match self {
            Known::Truth { yes, no } => !yes && !no,
            Known::Float(floats) => floats.is_empty(),
            Known::Bits(bits) => bits.is_empty(),
            Known::Mode(modes) => modes == 0,
            Known::Anything => false,
        }
    }

    /// All values of a sort.
    pub(super) fn all(sort: &Sort) -> Known {
        match sort {
            Sort::Bool => OPEN,
            Sort::Float(exponent, significand) => {
                Floats::all(Format::new(*exponent, *significand)).map_or(Known::Anything, Known::Float)
            }
            Sort::BitVec(width) => Bits::all(*width).map_or(Known::Anything, Known::Bits),
            Sort::RoundingMode => Known::Mode(0b1_1111),
            _ => Known::Anything,
        }
    }

    /// One value.
    pub(super) fn one(value: &Value) -> Known {
        match value {
            Value::Bool(value) => Known::truth(*value),
            Value::Float(value) => Floats::one(value).map_or(Known::Anything, Known::Float),
            Value::BitVec(value) => Bits::one(value).map_or(Known::Anything, Known::Bits),
            Value::RoundingMode(mode) => Known::Mode(bit(*mode)),
            _ => Known::Anything,
        }
    }

    /// The only value.
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Known::Truth { .. } => self.decided().map(Value::Bool),
            Known::Float(floats) if floats.is_one() && floats.nan => {
                Some(Value::Float(FloatValue::nan(floats.format)))
            }
            Known::Float(floats) if floats.is_one() => {
                Some(Value::Float(super::floats::value(floats.format, floats.lo)))
            }
            Known::Bits(bits) if bits.is_one() => {
                Some(Value::BitVec(super::floats::bit_vector(bits.width, bits.unsigned.lo)))
            }
            Known::Mode(modes) if modes.is_power_of_two() => {
                Known::modes(modes).next().map(Value::RoundingMode)
            }
            _ => None,
        }
    }

    /// What is in both.
    pub(super) fn meet(self, other: Known) -> Known {
        match (self, other) {
            (Known::Truth { yes, no }, Known::Truth { yes: also_yes, no: also_no }) => {
                Known::Truth { yes: yes && also_yes, no: no && also_no }
            }
            (Known::Float(one), Known::Float(two)) => Known::Float(one.meet(two)),
            (Known::Bits(one), Known::Bits(two)) => Known::Bits(one.meet(two)),
            (Known::Mode(one), Known::Mode(two)) => Known::Mode(one & two),
            (Known::Anything, other) => other,
            (one, _) => one,
        }
    }

    /// What is in either, and perhaps more.
    pub(super) fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Truth { yes, no }, Known::Truth { yes: also_yes, no: also_no }) => {
                Known::Truth { yes: yes || also_yes, no: no || also_no }
            }
            (Known::Float(one), Known::Float(two)) => Known::Float(one.join(two)),
            (Known::Bits(one), Known::Bits(two)) => Known::Bits(one.join(two)),
            (Known::Mode(one), Known::Mode(two)) => Known::Mode(one | two),
            _ => Known::Anything,
        }
    }

    /// Whether both have one and the same value (`Some(true)`), or no value in common (`Some(false)`).
    pub(super) fn equal(self, other: Known) -> Option<bool> {
        let apart = |one: Known, two: Known| one.meet(two).is_empty();
        match (self, other) {
            (Known::Truth { .. }, Known::Truth { .. }) => match (self.decided(), other.decided()) {
                (Some(one), Some(two)) => Some(one == two),
                _ => None,
            },
            (Known::Float(one), Known::Float(two)) if one.is_one() && one == two => Some(true),
            (Known::Bits(one), Known::Bits(two)) if one.is_one() && one == two => Some(true),
            (Known::Mode(one), Known::Mode(two)) if one == two && one.is_power_of_two() => Some(true),
            (Known::Mode(one), Known::Mode(two)) if one & two == 0 => Some(false),
            (Known::Float(_), Known::Float(_)) | (Known::Bits(_), Known::Bits(_)) if apart(self, other) => {
                Some(false)
            }
            _ => None,
        }
    }
}
