//! Sorts as the `.cfa` format writes them.

use super::lexer::quote;
use nilas_term::Sort;

/// A sort in the words of the format.
#[must_use]
pub fn sort_text(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::BitVec(width) => format!("bv{width}"),
        Sort::Float(exponent, significand) => format!("fp({exponent}, {significand})"),
        Sort::RoundingMode => "rm".to_owned(),
        Sort::Array(array) => format!("array({}, {})", sort_text(&array.index), sort_text(&array.element)),
        Sort::Uninterpreted(name) => quote(name),
        Sort::Int => "int".to_owned(),
        Sort::Real => "real".to_owned(),
    }
}
