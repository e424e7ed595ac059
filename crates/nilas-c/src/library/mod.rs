//! The library: functions that programs use and do not define.
//!
//! [`catalogue`] has a row per function, [`text`] the functions whose meaning is written in C. Those that a
//! program names ([`Wanted`]) are one more translation unit of it, and [`link`] makes the program use them.

pub mod catalogue;
pub(crate) mod link;
mod text;

use crate::lex::{Lexed, Punct, Symbol, Symbols, TokenKind};
use catalogue::row;
use std::collections::BTreeSet;

/// What functions in C are called.
const PREFIX: &str = "__nilas_";

/// The definitions of texts that a program needs.
#[derive(Debug, Default)]
pub(crate) struct Wanted(BTreeSet<String>);

impl Wanted {
    /// Adds what a translation unit uses.
    pub(crate) fn by(&mut self, lexed: &Lexed, symbols: &Symbols) {
        for name in used(lexed).into_iter().map(|symbol| symbols.text(symbol)) {
            if let Some(row) = row(name).filter(|row| row.name == name) {
                self.0.insert(row.text_name());
                self.0.extend(row.helpers.iter().map(|&helper| helper.to_owned()));
            } else if let Some(object) = link::object_of(name) {
                self.0.insert(object.to_owned());
            }
        }
    }

    /// The text of a unit that has them all.
    pub(crate) fn text(&self) -> String {
        text::select(self.0.iter().map(String::as_str))
    }
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

/// Whether a file is a text of the library.
#[must_use]
pub fn is_text(file: &str) -> bool {
    file.starts_with("<nilas>/") && file != crate::interrupts::FILE
}
