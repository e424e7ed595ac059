//! SMT-LIB text of sorts, values and terms.
//!
//! Printing shares subterms by `let` and is linear in the size of the term as a graph; reading what was
//! printed gives back the same term id. Neither is bounded in depth by the stack.
//!
//! * [`sexpr`] reads s-expressions, whatever they mean;
//! * [`TermParser`] makes sorts and terms of them, with `let`, local names and defined functions;
//! * [`print_term`], [`print_value`] and the `Display` of [`crate::Sort`] write.

mod numbers;
mod parse;
mod print;
pub mod sexpr;
mod sorts;
mod theory;

pub use parse::{Definition, Scope, TermParser, parse_term};
pub use print::{Naming, print_term, print_term_with, print_value};
pub use sexpr::ParseError;
pub use theory::is_theory_symbol;

const RESERVED: [&str; 14] = [
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "as",
    "exists",
    "forall",
    "lambda",
    "let",
    "match",
    "par",
];

/// A symbol as SMT-LIB writes it: with bars where it is not a simple symbol, is a reserved word, or is the
/// name of something in a theory. (Names with a bar or a backslash have no SMT-LIB form; nobody makes them.)
#[must_use]
pub fn quote_symbol(name: &str) -> String {
    let simple = !name.is_empty()
        && name.bytes().all(sexpr::is_symbol_byte)
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if simple && !RESERVED.contains(&name) && !is_theory_symbol(name) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}
