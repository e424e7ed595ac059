//! Messages as values, and their one rendering: `file:line:column: error: …`, the source line, a caret.

use super::{SourceFile, SourceMap, Span, Written};
use nilas_term::smtlib::ParseError;
use std::fmt;
use std::fmt::Write as _;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// Suspicious, but taken.
    Warning,
}

/// A second place that helps to understand a message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Note {
    /// What is to be seen there.
    pub message: String,
    /// Where; `None` for a remark without a place.
    pub span: Option<Span>,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// Where; `None` if the message is about the file as a whole.
    pub span: Option<Span>,
    /// Further places.
    pub notes: Vec<Note>,
    /// What the user could do.
    pub hint: Option<String>,
}

/// How much of a long line is shown: columns before and after the place of the error.
const BEFORE: usize = 60;
const AFTER: usize = 40;

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span: Some(span), ..Diagnostic::general(message) }
    }

    /// An error about the input as a whole.
    #[must_use]
    pub fn general(message: impl Into<String>) -> Self {
        let (severity, notes) = (Severity::Error, Vec::new());
        Diagnostic { severity, message: message.into(), span: None, notes, hint: None }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with a second place.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The message as text for a person, about a text that is the only one.
    #[must_use]
    pub fn render(&self, name: &str, text: &str) -> String {
        let mut sources = SourceMap::new();
        sources.push(SourceFile::plain(name, text.as_bytes().to_vec()));
        self.render_in(&sources)
    }

    /// `file:line:column: error: message`, the source line with a caret below the place, the hint, and the
    /// same for each note. Columns count characters. Of a long line only a window is shown; tabs become
    /// spaces and control characters `\u{fffd}`, so that the caret stands where it should.
    #[must_use]
    pub fn render_in(&self, sources: &SourceMap) -> String {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = String::new();
        let gutter = excerpt(&mut out, sources, self.span, word, &self.message);
        if let Some(hint) = &self.hint {
            let _ = match gutter {
                Some(blank) => writeln!(out, " {blank} = hint: {hint}"),
                None => writeln!(out, "hint: {hint}"),
            };
        }
        for note in &self.notes {
            excerpt(&mut out, sources, note.span, "note", &note.message);
        }
        out
    }
}

/// A message with the line that it is about. Returns what is as wide as the number of that line.
fn excerpt(
    out: &mut String,
    sources: &SourceMap,
    span: Option<Span>,
    word: &str,
    message: &str,
) -> Option<String> {
    let Some(span) = span else {
        let _ = writeln!(out, "{word}: {message}");
        return None;
    };
    let at = sources.locate(span);
    let _ = writeln!(out, "{}:{}:{}: {word}: {message}", at.file, at.line, at.column);
    let (line, from, marked) = match sources.as_written(span, &at) {
        Some(Written { line, bytes }) => (line.as_bytes(), bytes.start, bytes.end),
        None => {
            let (line, from) = sources.file(span.file).line_at(span.start);
            // What is marked ends with the line.
            (line, from, (from + span.end.saturating_sub(span.start) as usize).min(line.len()))
        }
    };
    let (left, right) = (String::from_utf8_lossy(&line[..from]), String::from_utf8_lossy(&line[from..]));
    let first = left.char_indices().rev().take(BEFORE).last().map_or(left.len(), |(index, _)| index);
    let last = right.char_indices().nth(AFTER).map_or(right.len(), |(index, _)| index);
    let before = if first > 0 { "…" } else { "" }.to_owned() + &printable(&left[first..]);
    let after = printable(&right[..last]) + if last < right.len() { "…" } else { "" };
    let marked = String::from_utf8_lossy(&line[from..marked]);
    let carets = printable(&marked.chars().take(AFTER).collect::<String>()).chars().count().max(1);

    let gutter = at.line.to_string();
    let blank = " ".repeat(gutter.len());
    let _ = writeln!(out, " {gutter} | {before}{after}");
    let _ = writeln!(out, " {blank} | {}{}", " ".repeat(before.chars().count()), "^".repeat(carets));
    Some(blank)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// What is wrong with a text that is the only one.
impl From<ParseError> for Diagnostic {
    fn from(error: ParseError) -> Self {
        let span = Span::of_text(error.offset, error.offset + 1);
        Diagnostic { hint: error.hint, ..Diagnostic::error(span, error.message) }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, start: usize, end: usize, expected: &str) {
        let rendered = Diagnostic::error(Span::of_text(start, end), "bad").render("f.cfa", text);
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
        let rendered = Diagnostic::error(Span::of_text(5_000_000, 9_000_000), "bad").render("f", &line);
        let window = format!(" 1 | …{}…\n", "x".repeat(BEFORE + AFTER));
        let carets = format!("   |  {}{}\n", " ".repeat(BEFORE), "^".repeat(AFTER));
        assert_eq!(rendered, format!("f:1:5000001: error: bad\n{window}{carets}"));
    }

    #[test]
    fn hints() {
        let diagnostic = Diagnostic::error(Span::of_text(0, 1), "bad").with_hint("try `b`");
        assert_eq!(diagnostic.render("f", "a"), "f:1:1: error: bad\n 1 | a\n   | ^\n   = hint: try `b`\n");
    }

    /// What macros became is shown as the user wrote it.
    #[test]
    fn macros() {
        let mut sources = SourceMap::new();
        let text = "# 1 \"a.c\"\n\nreturn ((&x)->a + missing);\n";
        let file = sources.add("a.c", text.as_bytes().to_vec());
        sources.wrote("a.c", b"#define GET(p, f) ((p)->f + missing)\nreturn GET(&x, a);\n", true);
        let start = u32::try_from(text.find("missing").unwrap_or(0)).unwrap_or(0);
        let error = Diagnostic::error(Span::new(file, start, start + 7), "unknown");
        let expected = "a.c:2:8: error: unknown\n 2 | return GET(&x, a);\n   |        ^^^^^^^^^^\n";
        assert_eq!(error.render_in(&sources), expected);
    }

    /// Line markers lead to the file that the user wrote; notes have places of their own.
    #[test]
    fn markers_and_notes() {
        let mut sources = SourceMap::new();
        let text = "# 7 \"a.c\"\nint f(\n";
        let file = sources.add("a.i", text.as_bytes().to_vec());
        let error = Diagnostic::error(Span::new(file, 15, 16), "no end");
        let error = error.with_note(Span::new(file, 10, 13), "begins here");
        assert_eq!(
            error.render_in(&sources),
            "a.c:7:6: error: no end\n 7 | int f(\n   |      ^\n\
             a.c:7:1: note: begins here\n 7 | int f(\n   | ^^^\n"
        );
        assert_eq!(Diagnostic::general("no").with_hint("yes").render_in(&sources), "error: no\nhint: yes\n");
    }
}
