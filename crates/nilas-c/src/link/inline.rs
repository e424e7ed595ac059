//! Inline definitions of one function in several units.
//!
//! Which definition a call uses, the inline one of its unit or the external one, is unspecified (C11
//! 6.7.4p7). So they are taken to be one only if they are written alike, as those of a header are.

use crate::source::{Span, is_line_marker};
use crate::tree::{FunctionId, Program};

/// Whether the definitions of two functions are the same from their names on, but for white space.
pub(super) fn written_alike(program: &Program, a: FunctionId, b: FunctionId) -> bool {
    words(program, a) == words(program, b)
}

/// The words of a definition, without line markers.
fn words(program: &Program, id: FunctionId) -> Option<String> {
    let function = &program.functions[id];
    let whole = program.stmts[function.body?].span;
    let text = program.sources.text(Span { start: function.span.start, ..whole });
    let lines = text.lines().filter(|line| !is_line_marker(line.as_bytes()));
    Some(lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "))
}
