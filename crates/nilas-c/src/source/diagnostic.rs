//! Messages as values, and their one rendering: `file:line:col: error: …`, the source line, a caret.

use super::{SourceMap, Span};
use std::fmt::Write as _;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// Suspicious, but taken.
    Warning,
}

/// A second place that helps to understand a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What is to be seen there.
    pub message: String,
    /// Where; `None` for a remark without a place.
    pub span: Option<Span>,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
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

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            notes: Vec::new(),
            hint: None,
        }
    }

    /// An error about the input as a whole.
    pub fn general(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            notes: Vec::new(),
            hint: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The message as text for a person. Ends with a newline.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        render_one(&mut out, sources, self.span, word, &self.message);
        for note in &self.notes {
            render_one(&mut out, sources, note.span, "note", &note.message);
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "hint: {hint}");
        }
        out
    }
}

/// Longest part of a source line that is shown: machine-made sources have lines of megabytes.
const SHOWN: usize = 160;

fn render_one(out: &mut String, sources: &SourceMap, span: Option<Span>, word: &str, message: &str) {
    let Some(span) = span else {
        let _ = writeln!(out, "{word}: {message}");
        return;
    };
    let at = sources.locate(span);
    let _ = writeln!(out, "{}:{}:{}: {word}: {message}", at.file, at.line, at.column);
    let line: Vec<char> = sources.file(span.file).line_text(span.start).chars().collect();
    let caret = (at.column as usize - 1).min(line.len());
    let first = if caret < SHOWN { 0 } else { caret - SHOWN / 2 };
    let last = (first + SHOWN).min(line.len());
    let shown = &line[first..last];
    if shown.iter().all(|c| c.is_whitespace()) {
        return;
    }
    let _ =
        writeln!(out, "    {}", shown.iter().map(|&c| if c == '\t' { ' ' } else { c }).collect::<String>());
    let width = (sources.text(span).lines().next().map_or(1, |l| l.chars().count())).max(1);
    let room = (last - caret).max(1);
    let _ = writeln!(out, "    {}^{}", " ".repeat(caret - first), "~".repeat(width.min(room) - 1));
}

#[cfg(test)]
mod tests {
    use super::super::{SourceMap, Span};
    use super::Diagnostic;

    #[test]
    fn caret_points() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", b"int x;\n\tint yy = z;\n".to_vec());
        let error = Diagnostic::error(Span::new(file, 12, 14), "bad name").with_hint("rename it");
        assert_eq!(
            error.render(&sources),
            "a.c:2:6: error: bad name\n     int yy = z;\n         ^~\nhint: rename it\n"
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let mut sources = SourceMap::new();
        let mut text = "x+".repeat(5000);
        text.push('@');
        let file = sources.add("a.c", text.into_bytes());
        let shown = Diagnostic::error(Span::new(file, 10_000, 10_001), "stray").render(&sources);
        assert!(shown.lines().all(|l| l.len() < 200), "{shown}");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1].find('@'), lines[2].find('^'), "{shown}");
    }
}
