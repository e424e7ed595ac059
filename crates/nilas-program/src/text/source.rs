//! What is wrong with a text, and where: errors as data, rendered for a reader on demand.

use crate::span::Span;
use std::fmt;
use std::fmt::Write as _;

/// An error in a source text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Diagnostic {
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What could help.
    pub hint: Option<String>,
}

/// How much of a long line is shown: columns before and after the place of the error.
const BEFORE: usize = 60;
const AFTER: usize = 40;

impl Diagnostic {
    /// An error without a hint.
    #[must_use]
    pub fn new(message: impl Into<String>, span: Span) -> Self {
        Diagnostic { message: message.into(), span, hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// `file:line:column: error: message`, the source line with a caret below the place, and the hint.
    /// Columns count characters. Of a long line only a window is shown; tabs become spaces and control
    /// characters `\u{fffd}`, so that the caret stands where it should.
    #[must_use]
    pub fn render(&self, file_name: &str, text: &str) -> String {
        let start = floor_boundary(text, self.span.start as usize);
        let end = floor_boundary(text, self.span.end as usize).max(start);
        let Place { line: line_number, column, text: line } = Place::of(text, self.span);
        let mut out = format!("{file_name}:{line_number}:{column}: error: {}\n", self.message);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = line_start + line.len();
        let at = (start - line_start).min(line.len());
        let window_start = line[..at].char_indices().rev().take(BEFORE).last().map_or(at, |(index, _)| index);
        let window_end =
            at + line[at..].char_indices().nth(AFTER).map_or(line.len() - at, |(index, _)| index);
        let (cut_left, cut_right) = (window_start > 0, window_end < line.len());
        let before = if cut_left { "…" } else { "" }.to_owned() + &printable(&line[window_start..at]);
        let after = printable(&line[at..window_end]) + if cut_right { "…" } else { "" };
        let marked_end = (end.min(line_end) - line_start).clamp(at, window_end.max(at));
        let carets = printable(&line[at..marked_end]).chars().count().max(1);

        let gutter = line_number.to_string();
        let blank = " ".repeat(gutter.len());
        let _ = writeln!(out, " {gutter} | {before}{after}");
        let _ = writeln!(out, " {blank} | {}{}", " ".repeat(before.chars().count()), "^".repeat(carets));
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, " {blank} = hint: {hint}");
        }
        out
    }
}

/// Where a span starts, as people count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'t> {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The text of the line, without its end.
    pub text: &'t str,
}

impl<'t> Place<'t> {
    /// The place of a span in its text. Spans that lie outside are taken to the nearest end.
    #[must_use]
    pub fn of(text: &'t str, span: Span) -> Self {
        let start = floor_boundary(text, span.start as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line = 1 + text[..line_start].bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + text[line_start..start].chars().count();
        Place { line, column, text: text[line_start..line_end].trim_end_matches('\r') }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A piece of the text for a message: at most one line of it, and not too long.
#[must_use]
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}

/// The candidate that is nearest to a name, if one is near: for "did you mean".
#[must_use]
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Bounds on the work: a file may declare very many or very long names.
    const LONGEST: usize = 64;
    const MOST: usize = 2000;
    if name.len() > LONGEST {
        return None;
    }
    let allowed = if name.chars().count() <= 2 { 1 } else { 2 };
    let scored = candidates
        .filter(|candidate| candidate.len() <= LONGEST)
        .take(MOST)
        .map(|candidate| (edit_distance(name, candidate), candidate));
    let best = scored.min_by_key(|(distance, _)| *distance)?;
    // A name of one letter is one edit away from every other.
    (best.0 <= allowed && best.0 < name.chars().count()).then_some(best.1)
}

fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, start: usize, end: usize, expected: &str) {
        let rendered = Diagnostic::new("bad", Span::new(start, end)).render("f.cfa", text);
        assert_eq!(rendered, expected, "\n{rendered}");
    }

    #[test]
    fn caret_under_the_place() {
        check("one\ntwo three\n", 8, 13, "f.cfa:2:5: error: bad\n 2 | two three\n   |     ^^^^^\n");
        check("", 0, 0, "f.cfa:1:1: error: bad\n 1 | \n   | ^\n");
        check("abc", 3, 3, "f.cfa:1:4: error: bad\n 1 | abc\n   |    ^\n");
        check("abc", 90, 99, "f.cfa:1:4: error: bad\n 1 | abc\n   |    ^\n");
    }

    #[test]
    fn tabs_returns_and_other_alphabets() {
        check("\tx\r\n", 1, 2, "f.cfa:1:2: error: bad\n 1 |     x\n   |     ^\n");
        check("äö x", 5, 6, "f.cfa:1:4: error: bad\n 1 | äö x\n   |    ^\n");
        // A span that starts inside a character moves to its start; one that runs over lines ends with the
        // first.
        check("ä", 1, 2, "f.cfa:1:1: error: bad\n 1 | ä\n   | ^\n");
        check("ab\ncd", 1, 5, "f.cfa:1:2: error: bad\n 1 | ab\n   |  ^\n");
        check("a\u{1}b", 2, 3, "f.cfa:1:3: error: bad\n 1 | a\u{fffd}b\n   |   ^\n");
    }

    #[test]
    fn a_window_of_a_long_line() {
        let line = "x".repeat(10_000_000);
        let rendered = Diagnostic::new("bad", Span::new(5_000_000, 9_000_000)).render("f", &line);
        let window = format!(" 1 | …{}…\n", "x".repeat(BEFORE + AFTER));
        let carets = format!("   |  {}{}\n", " ".repeat(BEFORE), "^".repeat(AFTER));
        assert_eq!(rendered, format!("f:1:5000001: error: bad\n{window}{carets}"));
    }

    #[test]
    fn hints() {
        let diagnostic = Diagnostic::new("bad", Span::new(0, 1)).with_hint("try `b`");
        assert_eq!(diagnostic.render("f", "a"), "f:1:1: error: bad\n 1 | a\n   | ^\n   = hint: try `b`\n");
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("conut", ["x", "count", "total"].into_iter()), Some("count"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("abcdef", ["uvwxyz"].into_iter()), None);
    }
}
