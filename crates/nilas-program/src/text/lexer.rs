//! Tokens of the `.cfa` format, one at a time: a file is never held as tokens.

use crate::source::Diagnostic;
use crate::source::Span;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A plain name or keyword.
    Name,
    /// A name in double quotes; the text includes them.
    Quoted,
    /// Decimal digits, or `0x` and hexadecimal ones; with `.` and digits for a real.
    Number,
    /// `#x…` or `#b…`.
    Bits,
    /// SMT-LIB text; the text includes the backticks.
    Smt,
    /// An operator or bracket.
    Punct,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) span: Span,
    /// Whether it is the first on its line.
    pub(super) first: bool,
    /// Whether it follows the token before it without any space.
    pub(super) glued: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Punct | Kind::Name) && self.text == text
    }
}

fn is_punctuation(text: &str) -> bool {
    #[rustfmt::skip]
    let found = matches!(
        text,
        ">>u" | ">>s" | "<=u" | "<=s" | ">=u" | ">=s"
        | "->" | ":=" | "[]" | "==" | "!=" | "<=" | ">=" | "<u" | "<s" | ">u" | ">s" | "/u" | "/s" | "%u" | "%s"
        | "<<" | ">>" | "&&" | "||" | "=>" | "++"
        | "{" | "}" | "(" | ")" | "[" | "]" | ";" | ":" | "," | "+" | "-" | "*" | "/" | "%" | "<" | ">" | "&" | "|"
        | "^" | "~" | "!" | "?" | "@" | "="
    );
    found
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

pub(super) fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.'
}

/// Reads tokens from a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    first: bool,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        // A byte-order mark is no part of the text.
        let position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, position, first: true }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// The next token, or what is wrong in front of it; after an error it goes on behind it.
    pub(super) fn next(&mut self) -> Result<Token<'t>, Diagnostic> {
        let before = self.position;
        self.blank()?;
        let start = self.position;
        let first = std::mem::replace(&mut self.first, false);
        let (kind, length) = self.token()?;
        self.position = start + length;
        let span = Span::of_text(start, self.position);
        let text = &self.text[start..self.position];
        Ok(Token { kind, text, span, first, glued: before == start && start > 0 })
    }

    /// Skips white space and comments.
    fn blank(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let skipped = rest.len() - trimmed.len();
            self.first |= rest[..skipped].contains('\n');
            self.position += skipped;
            if trimmed.starts_with("//") {
                self.position += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    let span = Span::of_text(self.position, self.position + 2);
                    self.position = self.text.len();
                    return Err(Diagnostic::error(span, "this comment has no end").with_hint("add `*/`"));
                };
                self.first |= comment[..end].contains('\n');
                self.position += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<(Kind, usize), Diagnostic> {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok((Kind::End, 0)) };
        if is_name_start(c) {
            return Ok((Kind::Name, rest.find(|c| !is_name_part(c)).unwrap_or(rest.len())));
        }
        if c.is_ascii_digit() {
            // Letters too, so that `12ab` is one bad number and not a number and a name.
            let part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
            return Ok((Kind::Number, rest.find(|c| !part(c)).unwrap_or(rest.len())));
        }
        match c {
            '"' => self.quoted(rest),
            '`' => self.smt(rest),
            '#' => {
                let length =
                    1 + rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1);
                Ok((Kind::Bits, length))
            }
            _ => self.punct(rest, c),
        }
    }

    fn punct(&mut self, rest: &str, c: char) -> Result<(Kind, usize), Diagnostic> {
        // The longest one. `a <s b` compares, `a <sum` does too, but with `sum`.
        let found = (1..=3).rev().find(|&length| {
            let punct = rest.get(..length).unwrap_or_default();
            let letter = length > 1 && punct.ends_with(|c: char| c.is_ascii_alphabetic());
            is_punctuation(punct) && !(letter && rest[length..].starts_with(is_name_part))
        });
        if let Some(length) = found {
            return Ok((Kind::Punct, length));
        }
        let span = Span::of_text(self.position, self.position + c.len_utf8());
        // Junk in a row is one error.
        let junk = rest.find(|c: char| c.is_ascii() && !c.is_ascii_control()).filter(|&length| length > 0);
        self.position += junk.unwrap_or(if c.is_ascii() && !c.is_ascii_control() { 1 } else { rest.len() });
        Err(Diagnostic::error(span, format!("unexpected character {c:?}")))
    }

    fn quoted(&mut self, rest: &str) -> Result<(Kind, usize), Diagnostic> {
        let mut escaped = false;
        for (index, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                '"' if !escaped => return Ok((Kind::Quoted, index + 1)),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        let span = Span::of_text(self.position, self.position + 1);
        self.position += rest.find('\n').unwrap_or(rest.len());
        Err(Diagnostic::error(span, "this quoted name has no end on its line").with_hint("add `\"`"))
    }

    /// SMT-LIB text ends at a backtick that is not inside a quoted symbol of its own.
    fn smt(&mut self, rest: &str) -> Result<(Kind, usize), Diagnostic> {
        let mut inside_bars = false;
        for (index, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                b'|' => inside_bars = !inside_bars,
                b'`' if !inside_bars => return Ok((Kind::Smt, index + 1)),
                _ => {}
            }
        }
        let span = Span::of_text(self.position, self.position + 1);
        self.position = self.text.len();
        Err(Diagnostic::error(span, "this SMT-LIB text has no end").with_hint("add a backtick"))
    }
}

/// The name that a token stands for, or what is wrong with its escapes.
pub(super) fn unquote(token: &Token<'_>) -> Result<String, Diagnostic> {
    if token.kind != Kind::Quoted {
        return Ok(token.text.to_owned());
    }
    let inner = &token.text[1..token.text.len() - 1];
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            name.push(c);
            continue;
        }
        let decoded = match chars.next() {
            Some(c @ ('"' | '\\')) => Some(c),
            Some('n') => Some('\n'),
            Some('u') => {
                let rest = chars.as_str();
                let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                digits.and_then(|(digits, after)| {
                    chars = after.chars();
                    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
                })
            }
            _ => None,
        };
        match decoded {
            Some(c) => name.push(c),
            None => {
                let hint = r#"\", \\, \n and \u{…} with a hexadecimal number are known"#;
                return Err(Diagnostic::error(token.span, "unknown escape in a quoted name").with_hint(hint));
            }
        }
    }
    if name.is_empty() {
        return Err(Diagnostic::error(token.span, "a name cannot be empty"));
    }
    Ok(name)
}

/// A name as [`unquote`] understands it.
pub(super) fn quote(name: &str) -> String {
    let plain = name.starts_with(is_name_start) && name.chars().all(is_name_part) && !is_reserved(name);
    if plain {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Words of the format that are no names unless quoted.
pub(super) fn is_reserved(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "array",
        "assume",
        "block",
        "bool",
        "cfa",
        "entry",
        "error",
        "false",
        "fp",
        "fun",
        "havoc",
        "int",
        "location",
        "real",
        "rm",
        "sext",
        "skip",
        "sort",
        "true",
        "unmodelled",
        "var",
        "zext",
    ];
    let width = name
        .strip_prefix("bv")
        .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()));
    width || WORDS.contains(&name)
}
