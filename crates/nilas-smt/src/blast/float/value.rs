//! Values of the two sorts of this theory as bits, and back.

use super::mode::{MODE_BITS, mode_bits, mode_of};
use nilas_term::{BitVec, FloatValue, Sort, Value};

/// Bits of a float or a rounding mode; `None` for other sorts.
pub(crate) fn bits_of_sort(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::Float(exponent, significand) => Some(exponent + significand),
        Sort::RoundingMode => Some(MODE_BITS),
        _ => None,
    }
}

/// The value of a float sort or of rounding modes that bits stand for, lowest first: any bits, as free
/// variables have them. `None` for other sorts.
pub(crate) fn from_bits(sort: &Sort, bits: &[bool]) -> Option<Value> {
    match (sort, bits) {
        (Sort::Float(exponent, significand), _) => {
            Some(Value::float(*exponent, *significand, BitVec::from_bits(bits)))
        }
        (Sort::RoundingMode, &[low, middle, high]) => Some(Value::RoundingMode(mode_of([low, middle, high]))),
        _ => None,
    }
}

/// The bits of a float or a rounding mode, lowest first; `None` for other values.
pub(crate) fn to_bits(value: &Value) -> Option<Vec<bool>> {
    match value {
        Value::Float(value) => {
            let value = FloatValue::from_bits(value.format(), value.bits.clone());
            Some((0..value.bits.width()).map(|index| value.bits.bit(index)).collect())
        }
        Value::RoundingMode(mode) => Some(mode_bits(*mode).to_vec()),
        _ => None,
    }
}
