//! Values of every blasted sort as bits, lowest first, and back.

use super::float;
use nilas_term::{BitVec, Sort, Value};
use std::sync::Arc;

/// Bits of an element of an uninterpreted sort: more elements than there can be terms.
pub(crate) const ELEMENT_BITS: u32 = 20;

/// Bits of a value of a sort; `None` if its values have none (arrays) or it is not blasted.
pub(crate) fn bits_of_sort(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width),
        Sort::Uninterpreted(_) => Some(ELEMENT_BITS),
        _ => float::bits_of_sort(sort),
    }
}

/// The value that bits stand for.
pub(crate) fn from_bits(sort: &Sort, bits: &[bool]) -> Value {
    match sort {
        Sort::BitVec(_) => Value::BitVec(BitVec::from_bits(bits)),
        Sort::Uninterpreted(name) => {
            let number = bits.iter().rev().fold(0, |number, &bit| number << 1 | u64::from(bit));
            Value::Uninterpreted(Arc::clone(name), number)
        }
        _ => {
            float::from_bits(sort, bits).unwrap_or_else(|| Value::Bool(bits.first().is_some_and(|&bit| bit)))
        }
    }
}

/// The bits of a value; none for an array or a number.
pub(crate) fn to_bits(value: &Value) -> Vec<bool> {
    match value {
        Value::Bool(value) => vec![*value],
        Value::BitVec(value) => (0..value.width()).map(|index| value.bit(index)).collect(),
        Value::Uninterpreted(_, number) => (0..ELEMENT_BITS).map(|index| number >> index & 1 == 1).collect(),
        _ => float::to_bits(value).unwrap_or_default(),
    }
}
