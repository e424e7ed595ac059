//! C text as tokens with the white space before them: enough structure to change programs and write them out
//! again.

use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Word,
    Number,
    Quoted,
    Mark,
    /// A line for the preprocessor.
    Directive,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    space: String,
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

/// A program as tokens.
#[derive(Clone)]
pub(crate) struct Tokens(pub(crate) Vec<Token>);

/// Marks of more than one character, longest first.
const MARKS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "&&", "||", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

impl Tokens {
    pub(crate) fn of(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = text;
        loop {
            let space = space(rest);
            rest = &rest[space.len()..];
            let Some(first) = rest.chars().next() else { return Tokens(tokens) };
            let (kind, length) = if first == '#' {
                (Kind::Directive, rest.find('\n').unwrap_or(rest.len()))
            } else if first.is_ascii_alphabetic() || first == '_' {
                (
                    Kind::Word,
                    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len()),
                )
            } else if first.is_ascii_digit() {
                (
                    Kind::Number,
                    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len()),
                )
            } else if first == '"' || first == '\'' {
                (Kind::Quoted, quoted(rest, first))
            } else {
                let long = MARKS.iter().find(|mark| rest.starts_with(**mark));
                (Kind::Mark, long.map_or(first.len_utf8(), |mark| mark.len()))
            };
            tokens.push(Token { space: space.to_owned(), text: rest[..length].to_owned(), kind });
            rest = &rest[length..];
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for token in &self.0 {
            write!(text, "{}{}", token.space, token.text).unwrap();
        }
        text + "\n"
    }

    pub(crate) fn is(&self, place: usize, text: &str) -> bool {
        self.0.get(place).is_some_and(|token| token.text == text)
    }

    pub(crate) fn word(&self, place: usize) -> bool {
        self.0.get(place).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Where the bracket that opens at `place` is closed.
    pub(crate) fn closing(&self, place: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.0.iter().enumerate().skip(place) {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The next semicolon outside brackets from `place` on.
    pub(crate) fn semicolon(&self, place: usize) -> Option<usize> {
        let mut at = place;
        loop {
            match self.0.get(at)?.text.as_str() {
                ";" => return Some(at),
                "(" | "[" | "{" => at = self.closing(at)? + 1,
                ")" | "]" | "}" => return None,
                _ => at += 1,
            }
        }
    }

    /// The text of some tokens.
    pub(crate) fn between(&self, from: usize, to: usize) -> String {
        let part: Vec<&str> = self.0[from..to].iter().map(|token| token.text.as_str()).collect();
        part.join(" ")
    }

    /// Puts text in the place of some tokens.
    pub(crate) fn replace(&mut self, from: usize, to: usize, text: &str) {
        let mut new = Tokens::of(text).0;
        if let Some(first) = new.first_mut() {
            " ".clone_into(&mut first.space);
        }
        self.0.splice(from..to, new);
    }

    /// The first token after the preprocessor's lines.
    pub(crate) fn after_directives(&self) -> usize {
        self.0.iter().rposition(|token| token.kind == Kind::Directive).map_or(0, |last| last + 1)
    }

    /// Inserts declarations after the preprocessor's lines.
    pub(crate) fn declare(&mut self, text: &str) {
        let place = self.after_directives();
        let mut new = Tokens::of(text).0;
        if let Some(first) = new.first_mut() {
            "\n".clone_into(&mut first.space);
        }
        if let Some(token) = self.0.get_mut(place) {
            token.space.insert(0, '\n');
        }
        self.0.splice(place..place, new);
    }

    /// The places of the function bodies' opening braces, with the functions' names.
    pub(crate) fn bodies(&self) -> Vec<(String, usize)> {
        let mut bodies = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            if self.is(at, "{") {
                let Some(end) = self.closing(at) else { return bodies };
                if at > 0 && self.is(at - 1, ")") {
                    let open = (0..at).rev().find(|&place| {
                        self.is(place, "(")
                            && self.closing(place) == Some(at - 1)
                            && self.word(place.wrapping_sub(1))
                    });
                    if let Some(open) = open {
                        bodies.push((self.0[open - 1].text.clone(), at));
                    }
                }
                at = end;
            }
            at += 1;
        }
        bodies
    }
}

/// White space and comments.
fn space(text: &str) -> &str {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let blank = rest.len() - rest.trim_start().len();
        length += blank;
        let rest = &text[length..];
        if rest.starts_with("//") {
            length += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            length += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else {
            return &text[..length];
        }
    }
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}
