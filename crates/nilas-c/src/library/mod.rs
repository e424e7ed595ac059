//! The library: functions that programs use and do not define.
//!
//! [`catalogue`] has a row per function, [`text`] the functions whose meaning is written in C. [`texts_for`] puts those
//! that a program names behind it, and [`link`] makes the program use them.

pub mod catalogue;
pub(crate) mod link;
mod text;

use crate::lex::Symbols;
use catalogue::row;

/// What functions in C are called.
const PREFIX: &str = "__nilas_";

/// The text to put behind a program that uses these names; `None` if there is nothing to add.
pub(crate) fn texts_for(symbols: &Symbols) -> Option<String> {
    let mut wanted: Vec<String> = Vec::new();
    for name in symbols.names() {
        if let Some(row) = row(name).filter(|row| row.name == name) {
            wanted.push(row.text_name());
            wanted.extend(row.helpers.iter().map(|&helper| helper.to_owned()));
        } else if let Some(object) = link::object_of(name) {
            wanted.push(object.to_owned());
        }
    }
    let text = text::select(wanted.iter().map(String::as_str));
    (!text.is_empty()).then_some(text)
}

/// Whether the C standard (or glibc) fixes the result of the function by its arguments.
#[must_use]
pub fn is_determined(name: &str) -> bool {
    row(name).is_some_and(|row| row.determined)
}

/// Whether a function without model writes less than Nilas assumes (any bytes into all of the object that it is given a
/// pointer into), so that an execution that relies on what it wrote is not a real one.
#[must_use]
pub fn writes_less(name: &str) -> bool {
    row(name).is_some_and(|row| row.partial)
}
