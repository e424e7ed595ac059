//! Sorts: the types of terms, as SMT-LIB has them.
//!
//! A sort is a plain structural value that belongs to no arena, so that terms can move between arenas.

use std::fmt;
use std::sync::Arc;

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of the given width, which is at least 1.
    BitVec(u32),
    /// IEEE floats: bits of the exponent, and of the significand with its hidden bit.
    Float(u32, u32),
    /// The five IEEE rounding modes.
    RoundingMode,
    /// Total maps from an index sort to an element sort.
    Array(Arc<ArraySort>),
    /// A sort without interpretation, by name.
    Uninterpreted(Arc<str>),
    /// Mathematical integers.
    Int,
    /// Real numbers.
    Real,
}

/// Index and element sort of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArraySort {
    /// What the array is indexed with.
    pub index: Sort,
    /// What it holds.
    pub element: Sort,
}

impl Sort {
    /// Arrays from `index` to `element`.
    #[must_use]
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(ArraySort { index, element }))
    }

    /// Single precision.
    pub const FLOAT32: Sort = Sort::Float(8, 24);
    /// Double precision.
    pub const FLOAT64: Sort = Sort::Float(11, 53);

    /// The width, if it is a bit-vector sort.
    #[must_use]
    pub fn width(&self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(exponent, significand) => write!(f, "(_ FloatingPoint {exponent} {significand})"),
            Sort::RoundingMode => f.write_str("RoundingMode"),
            Sort::Array(array) => write!(f, "(Array {} {})", array.index, array.element),
            Sort::Uninterpreted(name) => f.write_str(&crate::smtlib::quote_symbol(name)),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
        }
    }
}
