//! Source text, places in it, and messages about it.
//!
//! A [`Span`] is a byte range of the text that was *parsed*: for a file that went through `cc -E` that is the
//! preprocessed text. [`SourceMap::locate`] follows GNU line markers back to the file and line that the user
//! wrote, and, where that file is known ([`SourceMap::wrote`]), macros back to the column.

mod diagnostic;
mod line_map;
mod written;

pub use diagnostic::{Diagnostic, Note, Severity};
pub use line_map::{SourceFile, is_line_marker};
use std::collections::BTreeMap;
use std::ops::Range;

/// A file of a [`SourceMap`]. The default is the first one: where a text is the only one, it is that.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The position in the map, dense from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A byte range of one file. Empty spans are allowed: they point between two characters.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of the only file.
    #[must_use]
    pub fn of_text(start: usize, end: usize) -> Span {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file: FileId::default(), start: clip(start), end: clip(end) }
    }

    /// The range `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span that covers both; `self` if they lie in different files.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span right after this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span { file: self.file, start: self.end, end: self.end }
    }
}

/// A place as the user knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file name, as the last line marker gave it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// All source texts of one program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// Files as the user wrote them, by the names that markers give them.
    written: BTreeMap<String, File>,
}

/// A file as the user wrote it.
#[derive(Clone, Debug)]
struct File {
    lines: Vec<String>,
    /// What is parsed is what the preprocessor made of it.
    preprocessed: bool,
}

/// A place in a line that the user wrote.
struct Written<'s> {
    line: &'s str,
    /// The bytes of the line that are meant.
    bytes: Range<usize>,
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text. `name` is what messages call it where no line marker says otherwise.
    pub fn add(&mut self, name: &str, text: Vec<u8>) -> FileId {
        self.push(SourceFile::new(name, text))
    }

    /// Adds a file.
    pub fn push(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(file);
        id
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// A file of this map.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// Says how the user wrote a file, and whether another text was made of it by preprocessing.
    pub fn wrote(&mut self, name: &str, bytes: &[u8], preprocessed: bool) {
        let lines = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        self.written.insert(name.to_owned(), File { lines, preprocessed });
    }

    /// The lines of a file as the user wrote them, where they are known.
    #[must_use]
    pub fn written(&self, name: &str) -> Option<&[String]> {
        self.written.get(name).map(|file| &file.lines[..])
    }

    /// The files whose lines are known as the user wrote them.
    pub fn written_files(&self) -> impl Iterator<Item = &str> {
        self.written.keys().map(String::as_str)
    }

    /// Where a span starts, as the user knows it.
    #[must_use]
    pub fn locate(&self, span: Span) -> Location {
        let at = self.file(span.file).locate(span.start);
        match self.as_written(span, &at) {
            Some(Written { line, bytes }) => {
                let column = line[..bytes.start].chars().count() + 1;
                Location { column: u32::try_from(column).unwrap_or(u32::MAX), ..at }
            }
            None => at,
        }
    }

    /// The place of a span in a line that preprocessing has changed; the line markers lead to `at`.
    fn as_written(&self, span: Span, at: &Location) -> Option<Written<'_>> {
        let file = self.written.get(&at.file).filter(|file| file.preprocessed)?;
        let line = file.lines.get((at.line as usize).checked_sub(1)?)?;
        let (expanded, from) = self.file(span.file).line_at(span.start);
        if expanded == line.as_bytes() {
            return None;
        }
        let expanded = std::str::from_utf8(expanded).ok()?;
        let length = span.end.saturating_sub(span.start) as usize;
        let bytes = written::place(line, expanded, from..(from + length).min(expanded.len()))?;
        Some(Written { line, bytes })
    }

    /// The text of a span, with bytes that are not UTF-8 replaced.
    #[must_use]
    pub fn text(&self, span: Span) -> String {
        let text = self.file(span.file).text();
        let end = (span.end as usize).min(text.len());
        let start = (span.start as usize).min(end);
        unmarked(&text[start..end])
    }

    /// The text of an expression. Its span begins and ends with its operands, without the parentheses around
    /// them: those that have their counterpart inside are added.
    #[must_use]
    pub fn expression(&self, span: Span) -> String {
        let text = self.file(span.file).text();
        let end = (span.end as usize).min(text.len());
        let start = (span.start as usize).min(end);
        let (mut open, mut missing) = (0_u32, 0_u32);
        for byte in &text[start..end] {
            match byte {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' => missing += 1,
                _ => {}
            }
        }
        let end = end + beside(text[end..].iter(), b')', open);
        let start = start - beside(text[..start].iter().rev(), b'(', missing);
        unmarked(&text[start..end])
    }
}

/// A text without line markers, which the preprocessor puts between the lines of what it expands.
fn unmarked(text: &[u8]) -> String {
    if !text.contains(&b'\n') {
        return String::from_utf8_lossy(text).into_owned();
    }
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !is_line_marker(line));
    String::from_utf8_lossy(&lines.collect::<Vec<_>>().join(&b'\n')).into_owned()
}

/// How many bytes it takes to meet so many parentheses, with only white space between them; 0 if it does not
/// go on like that.
fn beside<'a>(text: impl Iterator<Item = &'a u8>, parenthesis: u8, mut wanted: u32) -> usize {
    for (taken, &byte) in text.enumerate() {
        if wanted == 0 {
            return taken;
        }
        if byte == parenthesis {
            wanted -= 1;
        } else if !byte.is_ascii_whitespace() {
            return 0;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the preprocessor says about lines is no part of an expression.
    #[test]
    fn expressions_have_no_line_markers() {
        let text = "a +\n# 7 \"x.c\"\n  b";
        let mut sources = SourceMap::new();
        let file = sources.add("x.c", text.as_bytes().to_vec());
        let span = Span { file, start: 0, end: text.len() as u32 };
        assert_eq!(sources.expression(span), "a +\n  b");
        assert_eq!(sources.text(span), "a +\n  b");
    }

    /// Operands in parentheses at the ends of an expression are told with them.
    #[test]
    fn expressions_have_their_parentheses() {
        let text = "return ((a + b) * (c - d ) ) + f(1) ;";
        let mut sources = SourceMap::new();
        let file = sources.add("x.c", text.as_bytes().to_vec());
        let told = |from: &str, to: &str| {
            let end = text.find(to).map_or(0, |at| at + to.len());
            let (start, end) = (text.find(from).unwrap_or(0), end);
            sources.expression(Span { file, ..Span::of_text(start, end) })
        };
        assert_eq!(told("a +", "c - d"), "(a + b) * (c - d )");
        assert_eq!(told("a +", "f(1)"), "((a + b) * (c - d ) ) + f(1)");
        assert_eq!(told("c -", "d"), "c - d");
        assert_eq!(told("f(", "f("), "f(");
    }
}
