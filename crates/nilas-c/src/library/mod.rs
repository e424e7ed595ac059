//! The library: functions that programs use and do not define.
//!
//! [`catalogue`] has a row per function, [`text`] the functions whose meaning is written in C. [`texts_for`]
//! puts those that a program names behind it, and [`link`] makes the program use them.

pub mod catalogue;
pub(crate) mod link;
mod text;

use crate::lex::{Lexed, Punct, Symbol, Symbols, TokenKind};
use catalogue::row;
use std::collections::BTreeSet;

/// What functions in C are called.
const PREFIX: &str = "__nilas_";

/// The text to put behind a program that uses functions which have one; `None` if there is nothing to add.
pub(crate) fn texts_for(lexed: &Lexed, symbols: &Symbols) -> Option<String> {
    let mut wanted: Vec<String> = Vec::new();
    for name in used(lexed).into_iter().map(|symbol| symbols.text(symbol)) {
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

/// Names that may be used: those in braces and in initialisers. Headers declare many more.
fn used(lexed: &Lexed) -> BTreeSet<Symbol> {
    let (mut names, mut depth, mut initialiser) = (BTreeSet::new(), 0_usize, false);
    for token in &lexed.tokens {
        match token.kind {
            TokenKind::Punct(Punct::LeftBrace) => depth += 1,
            TokenKind::Punct(Punct::RightBrace) => depth = depth.saturating_sub(1),
            TokenKind::Punct(Punct::Assign) => initialiser |= depth == 0,
            TokenKind::Punct(Punct::Semicolon) => initialiser &= depth > 0,
            TokenKind::Ident(symbol) if depth > 0 || initialiser => {
                names.insert(symbol);
            }
            _ => {}
        }
    }
    names
}

/// Whether the C standard (or glibc) fixes the result of the function by its arguments.
#[must_use]
pub fn is_determined(name: &str) -> bool {
    row(name).is_some_and(|row| row.determined)
}

/// Whether a function without model writes less than Nilas assumes (any bytes into all of the object that it
/// is given a pointer into), so that an execution that relies on what it wrote is not a real one.
#[must_use]
pub fn writes_less(name: &str) -> bool {
    row(name).is_some_and(|row| row.partial)
}
