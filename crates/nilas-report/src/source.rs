//! The text that the user wrote, whatever its language: spans of the automaton become files, lines and
//! columns.

use crate::scalar::Scalars;
use nilas_program::HavocSite;
use nilas_program::source::{SourceFile, SourceMap, Span};
use std::collections::BTreeMap;
use std::fmt;

/// A place that a person can find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as line markers name it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The text of the line, without blanks around it.
    pub text: String,
}

impl Place {
    /// Whether it lies in a text of the library that Nilas brings along: users have never seen it.
    #[must_use]
    pub fn is_of_library(&self) -> bool {
        nilas_c::is_text(&self.file)
    }

    /// ` at …` for a sentence.
    #[must_use]
    pub fn at(&self) -> String {
        match self.is_of_library() {
            true => " in a function of the C library".to_owned(),
            false => format!(" at {self}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

/// The text of a program.
#[derive(Clone, Debug)]
pub enum Source {
    /// An automaton in its own text format.
    Automaton(SourceFile),
    /// A C program; the texts are preprocessed.
    C {
        /// What messages call it.
        name: String,
        /// The texts, and how the user wrote them.
        sources: SourceMap,
        /// What the user calls the values of `havoc`s, by site, where there is a word for it.
        inputs: Vec<Option<String>>,
        /// The bodies of functions with their names, by where they begin.
        functions: Vec<(Span, String)>,
        /// How its values are written.
        scalars: Scalars,
    },
}

impl Source {
    /// What messages call the program.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Source::Automaton(text) => text.name(),
            Source::C { name, .. } => name,
        }
    }

    /// Whether variables and formulas are shown the way C writes them.
    #[must_use]
    pub fn is_c(&self) -> bool {
        matches!(self, Source::C { .. })
    }

    /// What the user calls the value of a `havoc`.
    #[must_use]
    pub fn input_name(&self, site: HavocSite) -> Option<&str> {
        match self {
            Source::Automaton(_) => None,
            Source::C { inputs, .. } => inputs.get(site.index())?.as_deref(),
        }
    }

    /// The function that a span of the automaton lies in.
    #[must_use]
    pub fn function(&self, span: Span) -> Option<&str> {
        let Source::C { functions, .. } = self else { return None };
        let around = |body: &Span| body.file == span.file && body.start <= span.start && span.end <= body.end;
        let inside = functions.iter().filter(|(body, _)| span != Span::default() && around(body));
        // The innermost: GNU C has functions within functions.
        inside.min_by_key(|(body, _)| body.end - body.start).map(|(_, name)| &**name)
    }

    /// The files that the user named.
    pub(crate) fn files(&self) -> Vec<String> {
        match self {
            Source::Automaton(text) => vec![text.name().to_owned()],
            Source::C { sources, .. } => sources.written_files().map(str::to_owned).collect(),
        }
    }

    /// The lines of a file with their numbers. Of one that was included, those that the preprocessor left.
    pub(crate) fn lines(&self, file: &str) -> Option<Vec<(usize, String)>> {
        let numbered = |lines: &mut dyn Iterator<Item = String>| -> Vec<(usize, String)> {
            lines.enumerate().map(|(number, line)| (number + 1, line)).collect()
        };
        match self {
            Source::Automaton(text) => (text.name() == file).then(|| numbered(&mut text.lines())),
            Source::C { sources, .. } => {
                if let Some(lines) = sources.written(file) {
                    return Some(numbered(&mut lines.iter().cloned()));
                }
                let found: BTreeMap<usize, String> =
                    sources.files().flat_map(|it| marked(it, file)).collect();
                (!found.is_empty()).then(|| found.into_iter().collect())
            }
        }
    }

    /// The first and last lines of the bodies of functions in a file.
    pub(crate) fn function_lines(&self, file: &str) -> Vec<(usize, usize)> {
        let Source::C { functions, .. } = self else { return Vec::new() };
        let lines = |(body, _): &(Span, String)| {
            let (first, last) = (self.place(*body)?, self.place(Span { start: body.end, ..*body })?);
            (first.file == file && last.file == file && first.line <= last.line)
                .then_some((first.line, last.line))
        };
        functions.iter().filter_map(lines).collect()
    }

    /// Where a span of the automaton lies; `None` for what no line of the text stands for.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<Place> {
        if span == Span::default() {
            return None;
        }
        match self {
            Source::Automaton(text) => {
                let at = text.locate(span.start);
                let (line, column) = (at.line as usize, at.column as usize);
                let text = text.line_text(span.start).trim().to_owned();
                Some(Place { file: at.file, line, column, text })
            }
            Source::C { sources, .. } => {
                let at = sources.locate(span);
                let (line, column) = (at.line as usize, at.column as usize);
                let written = sources.written(&at.file).and_then(|lines| lines.get(line.wrapping_sub(1)));
                let text = match written {
                    Some(text) => text.trim().to_owned(),
                    None => sources.file(span.file).line_text(span.start).trim().to_owned(),
                };
                Some(Place { file: at.file, line, column, text })
            }
        }
    }
}

/// The lines of a preprocessed text that belong to a file by its markers.
fn marked(text: &SourceFile, file: &str) -> Vec<(usize, String)> {
    let bytes = text.text();
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let starts = std::iter::once(0).chain(ends).filter(|start| *start < bytes.len() && bytes[*start] != b'#');
    let line = |start: usize| {
        let start = u32::try_from(start).ok()?;
        let at = text.locate(start);
        (at.file == file).then(|| (at.line as usize, text.line_text(start)))
    };
    starts.filter_map(line).collect()
}
