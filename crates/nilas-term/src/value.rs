//! Exact values of every sort.

use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::sort::Sort;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::sync::Arc;

/// IEEE rounding modes, named as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingMode {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// Towards zero.
    TowardZero,
}

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// A float by its format and IEEE bits. There is one NaN: sign clear, significand 10…0.
    Float(FloatValue),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// An array.
    Array(Arc<ArrayValue>),
    /// An element of an uninterpreted sort, by number.
    Uninterpreted(Arc<str>, u64),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
}

/// A float by its format and IEEE bits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatValue {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand with its hidden bit.
    pub significand: u32,
    /// The IEEE representation, `exponent + significand` bits.
    pub bits: BitVec,
}

impl Value {
    /// The sort of the value.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(value) => Sort::BitVec(value.width()),
            Value::Float(value) => Sort::Float(value.exponent, value.significand),
            Value::RoundingMode(_) => Sort::RoundingMode,
            Value::Array(value) => Sort::Array(Arc::new(value.sort.clone())),
            Value::Uninterpreted(sort, _) => Sort::Uninterpreted(Arc::clone(sort)),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
        }
    }

    /// Some value of a sort: false, zero, an array of those. What variables get that nobody constrains.
    #[must_use]
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(*width)),
            Sort::Float(exponent, significand) => Value::Float(FloatValue {
                exponent: *exponent,
                significand: *significand,
                bits: BitVec::zero(exponent + significand),
            }),
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::NearestEven),
            Sort::Array(array) => Value::Array(Arc::new(ArrayValue {
                sort: (**array).clone(),
                default: Value::default_of(&array.element),
                entries: BTreeMap::new(),
            })),
            Sort::Uninterpreted(name) => Value::Uninterpreted(Arc::clone(name), 0),
            Sort::Int => Value::Int(BigInt::default()),
            Sort::Real => Value::Real(BigRational::default()),
        }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A float from its IEEE bits, of which there are `exponent + significand`; every NaN becomes the one
    /// NaN.
    #[must_use]
    pub fn float(exponent: u32, significand: u32, bits: BitVec) -> Value {
        let fraction = bits.extract(significand - 2, 0);
        let is_nan =
            bits.extract(exponent + significand - 2, significand - 1).is_ones() && !fraction.is_zero();
        let bits = if is_nan {
            BitVec::zero(1).concat(&BitVec::ones(exponent)).concat(&BitVec::min_signed(significand - 1))
        } else {
            bits
        };
        Value::Float(FloatValue { exponent, significand, bits })
    }

    /// The bit-vector, if it is one.
    #[must_use]
    pub fn as_bitvec(&self) -> Option<&BitVec> {
        match self {
            Value::BitVec(value) => Some(value),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Self {
        Value::BitVec(value)
    }
}
