//! The `.cfa` text format: parser, printer, errors with their places.
//!
//! ```text
//! // expect: safe
//! cfa example
//!
//! var x, y : bv32
//!
//! entry init
//! error err
//!
//! init -> l1 { assume y <s x }
//! l1 -> l1   { assume y >s -2147483648; y := y - 1 }
//! l1 -> err  { { assume x == 1 } [] { assume x == 2 }; assume y >=s x }
//! ```
//!
//! * *Declarations*: `cfa NAME`, `var x, y : SORT`, `entry L`, `error L` (or several: `error L, M`),
//!   `unmodelled L`, `location L, M` (only for locations without edges, or to fix their order), `sort S`,
//!   `fun f(SORT, …) : SORT`.
//! * *Edges*: `a -> b { … }`; without braces nothing happens on the way.
//! * *Statements*, separated by `;`: `assume e`, `x := e`, `havoc x`, `skip`, a choice `{ … } [] { … } [] …`,
//!   and `block { 0 -> 1: assume e; … }`, a flow graph by its node numbers from 0 to the last. `havoc x @3`
//!   gives the site's number.
//! * *Procedures*: `proc f(x : SORT, …) returns (r : SORT, …) { var …  entry L  exit M  … }` with edges and
//!   locations of its own; edges to the sinks may stand anywhere. `a -> b { y, z := call f(e, …) }` calls it;
//!   a call is the only statement of its edge. Names of variables and locations are unique in a file, so
//!   those of a procedure are best written `f.x`. See [`crate::procedures`].
//! * *Sorts*: `bool`, `bvN`, `fp(E, S)`, `rm`, `array(S, T)`, `int`, `real`, declared ones.
//! * *Expressions*, weakest first: `c ? a : b`; `=>`; `||`; `&&`; `==` `!=` `<u` `<=u` `>u` `>=u` `<s` `<=s`
//!   `>s` `>=s` (`<` … on `int` and `real`); `|`; `^`; `&`; `<<` `>>u` `>>s`; `++` (concatenation); `+` `-`;
//!   `*` `/u` `/s` `%u` `%s` (`/` `%` on numbers); prefix `-` `~` `!`; `x[7:0]` bits, `a[i]` element,
//!   `a[i := e]` array with one element changed. `zext(x, 64)` and `sext(x, 64)` widen *to* a width. Numbers
//!   take their sort from their context, or say it: `5:bv8`. `#xff`, `#b01`, `true`, `false`; declared
//!   functions `f(x)`. Anything else stands in backticks as SMT-LIB.
//! * *Names* are letters, digits, `_`, `$` and `.`; any other name, or a word of the format, is written
//!   in double quotes with `\"`, `\\`, `\n`, `\u{…}`. Comments are `// …` and `/* … */`.
//!
//! Parsing recovers from errors and reports several, in the order of the text.

mod ast;
mod elaborate;
mod expression;
mod lexer;
mod message;
mod operators;
mod parser;
mod print;
mod print_module;
mod print_term;
mod statement;
mod structure;
#[cfg(test)]
mod tests;
mod typing;
mod words;

use crate::automaton::Program;
use crate::procedures::{self, Module};
use crate::source::{Diagnostic, Span};
use crate::targets::Targets;

pub(crate) use message::shorten;
pub use print::{print_annotated, print_basic, print_command, print_program, print_targets};
pub use print_module::{print_call, print_module, print_signature};
pub use print_term::print_expression;
pub use words::sort_text;

/// The program of a `.cfa` text; it is well-formed.
///
/// # Errors
/// What is wrong, at most twenty of it, in the order of the text.
pub fn parse_program(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let Targets { program, targets } = parse_targets(text)?;
    match targets[..] {
        [_] => Ok(program),
        _ => Err(vec![Diagnostic::error(
            Span::default(),
            "there are several error locations, where one is asked about",
        )]),
    }
}

/// The program of a `.cfa` text with all its error locations; it is well-formed.
///
/// # Errors
/// As [`parse_program`]; also when it has procedures.
pub fn parse_targets(text: &str) -> Result<Targets, Vec<Diagnostic>> {
    plain(parse_module(text)?)
}

/// A module without procedures as what it is.
fn plain(module: Module) -> Result<Targets, Vec<Diagnostic>> {
    match module.procedures.first() {
        None => Ok(Targets { program: module.program, targets: module.targets }),
        Some(procedure) => {
            let message = "there are procedures, where an automaton without them is asked for";
            Err(vec![Diagnostic::error(procedure.span, message)])
        }
    }
}

/// The program of a `.cfa` text with its procedures; it is well-formed.
///
/// # Errors
/// As [`parse_program`].
pub fn parse_module(text: &str) -> Result<Module, Vec<Diagnostic>> {
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Diagnostic::error(Span::default(), "the text is longer than 4 GB")]);
    }
    let (file, mut errors, lost) = parser::parse_file(text);
    let nothing =
        file.edges.is_empty() && file.variables.is_empty() && file.entry.is_none() && file.errors.is_empty();
    if errors.is_empty() && nothing {
        let error = Diagnostic::error(Span::default(), "there is no automaton in this text");
        return Err(vec![error.with_hint("it starts with `cfa NAME`")]);
    }
    match elaborate::elaborate(&file, text, lost) {
        Ok(module) if errors.is_empty() => match procedures::check(&module) {
            Ok(()) => return Ok(module),
            Err(found) => errors.extend(found),
        },
        Ok(_) => {}
        Err(found) => errors.extend(found),
    }
    errors.sort_by_key(|error| error.span);
    errors.dedup();
    errors.truncate(parser::MOST_ERRORS);
    if errors.is_empty() {
        // Declarations were lost without an error, which does not happen; but there is no program.
        errors.push(Diagnostic::error(Span::default(), "this is not an automaton"));
    }
    Err(errors)
}

/// The program of a `.cfa` file as bytes, with all its error locations.
///
/// # Errors
/// As [`parse_targets`]; also when the bytes are not UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Targets, Vec<Diagnostic>> {
    plain(parse_module_bytes(bytes)?)
}

/// The program of a `.cfa` file as bytes, with its procedures.
///
/// # Errors
/// As [`parse_program`]; also when the bytes are not UTF-8.
pub fn parse_module_bytes(bytes: &[u8]) -> Result<Module, Vec<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse_module(text),
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or_default();
            let message = format!("this is no text: byte {at} (0x{byte:02x}) is not UTF-8");
            Err(vec![Diagnostic::error(Span::of_text(at, at), message)])
        }
    }
}

/// What the first lines of an example say about its verdict: the word after `// expect[ENGINE]:` if there is
/// such a line for the engine, else that after `// expect:`.
#[must_use]
pub fn expectation<'t>(text: &'t str, engine: Option<&str>) -> Option<&'t str> {
    let lines = || text.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
    let word = |prefix: &str| {
        lines().find_map(|line| line.strip_prefix(prefix)).and_then(|rest| rest.split_whitespace().next())
    };
    engine.and_then(|engine| word(&format!("expect[{engine}]:"))).or_else(|| word("expect:"))
}
