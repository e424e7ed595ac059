//! Inline definitions of one function in several units.
//!
//! Which definition a call uses, the inline one of its unit or the external one, is unspecified (C11
//! 6.7.4p7). So they are taken to be one only if they are written alike, as those of a header are.

use crate::source::SourceMap;
use crate::tree::{FunctionId, Program};

/// Whether the definitions of two functions are the same but for white space.
pub(super) fn written_alike(program: &Program, a: FunctionId, b: FunctionId) -> bool {
    let text = |id: FunctionId| {
        let body = program.functions[id].body?;
        let StmtText(text) = StmtText::of(&program.sources, program.stmts[body].span);
        Some(body_of(&text).to_owned())
    };
    text(a) == text(b)
}

/// The text of a definition without line markers, its words separated by single blanks.
struct StmtText(String);

impl StmtText {
    fn of(sources: &SourceMap, span: crate::source::Span) -> StmtText {
        let text = sources.text(span);
        let lines = text.lines().filter(|line| !crate::source::is_line_marker(line.as_bytes()));
        StmtText(lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "))
    }
}

/// The declarator may say `extern` in one of them: what counts is behind the first parenthesis.
fn body_of(definition: &str) -> &str {
    definition.find('(').map_or(definition, |at| &definition[at..])
}
