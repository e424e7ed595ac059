//! Sets of values.

use super::bits::Bits;
use super::floats::Floats;
use nilas_term::{Format, RoundingMode, Sort, Value};

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
    /// One rounding mode, or any.
    Mode(Option<RoundingMode>),
    /// Nothing is known of it: a sort without intervals.
    Anything,
}

pub(super) const OPEN: Known = Known::Truth { yes: true, no: true };

impl Known {
    pub(super) fn truth(value: bool) -> Known {
        Known::Truth { yes: value, no: !value }
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
            Known::Mode(_) | Known::Anything => false,
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
            Sort::RoundingMode => Known::Mode(None),
            _ => Known::Anything,
        }
    }

    /// One value.
    pub(super) fn one(value: &Value) -> Known {
        match value {
            Value::Bool(value) => Known::truth(*value),
            Value::Float(value) => Floats::one(value).map_or(Known::Anything, Known::Float),
            Value::BitVec(value) => Bits::one(value).map_or(Known::Anything, Known::Bits),
            Value::RoundingMode(mode) => Known::Mode(Some(*mode)),
            _ => Known::Anything,
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
            (Known::Mode(None) | Known::Anything, other) => other,
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
            (Known::Mode(one), Known::Mode(two)) => Known::Mode(one.filter(|_| one == two)),
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
            (Known::Mode(Some(one)), Known::Mode(Some(two))) => Some(one == two),
            (Known::Float(_), Known::Float(_)) | (Known::Bits(_), Known::Bits(_)) if apart(self, other) => {
                Some(false)
            }
            _ => None,
        }
    }
}
