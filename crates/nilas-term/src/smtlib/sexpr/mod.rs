//! S-expressions with byte offsets.
//!
//! A [`Reader`] yields one top-level expression at a time as a flat [`Tree`], so that neither reading nor
//! dropping one recurses: nesting is bounded by memory only. Text is borrowed, never copied.

use std::fmt;
use std::ops::Range;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte offset into the text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What might help.
    pub hint: Option<String>,
}

impl ParseError {
    /// An error without hint.
    pub fn new(offset: usize, message: impl Into<String>) -> Self {
        ParseError { offset, message: message.into(), hint: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// The kinds of atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomKind {
    /// A simple symbol or reserved word.
    Symbol,
    /// A symbol between bars; the text is what is between them.
    Quoted,
    /// A keyword; the text includes its colon.
    Keyword,
    /// Digits.
    Numeral,
    /// Digits with a point.
    Decimal,
    /// The digits after `#x`.
    Hexadecimal,
    /// The digits after `#b`.
    Binary,
    /// What is between the quotes of a string, with `""` for each quote in it.
    String,
}

#[derive(Clone, Debug)]
struct Node {
    /// `None` for lists.
    atom: Option<AtomKind>,
    /// The whole expression, with its parentheses, bars or quotes.
    span: Range<usize>,
    /// The position after the last descendant: nodes are in preorder.
    next: usize,
}

/// One top-level expression.
#[derive(Clone, Debug)]
pub struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    /// The whole expression.
    #[must_use]
    pub fn root(&self) -> Sexpr<'_, 't> {
        Sexpr { tree: self, node: 0 }
    }
}

/// An expression within a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Sexpr<'a, 't> {
    tree: &'a Tree<'t>,
    node: usize,
}

impl<'a, 't> Sexpr<'a, 't> {
    fn data(&self) -> &'a Node {
        &self.tree.nodes[self.node]
    }

    /// Where it is in the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.data().span.clone()
    }

    /// Where it starts.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.data().span.start
    }

    /// Its source text.
    #[must_use]
    pub fn source(&self) -> &'t str {
        &self.tree.text[self.span()]
    }

    /// An error at its start.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.offset(), message)
    }

    /// Whether it is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.data().atom.is_none()
    }

    /// Kind and text of an atom.
    #[must_use]
    pub fn atom(&self) -> Option<(AtomKind, &'t str)> {
        let node = self.data();
        let kind = node.atom?;
        let Range { start, end } = node.span;
        let (before, after) = match kind {
            AtomKind::Quoted | AtomKind::String => (1, 1),
            AtomKind::Hexadecimal | AtomKind::Binary => (2, 0),
            _ => (0, 0),
        };
        Some((kind, &self.tree.text[start + before..end - after]))
    }

    /// The name of a symbol, quoted or not.
    #[must_use]
    pub fn symbol(&self) -> Option<&'t str> {
        match self.atom() {
            Some((AtomKind::Symbol | AtomKind::Quoted, name)) => Some(name),
            _ => None,
        }
    }

    /// The name of a symbol that is not quoted: what reserved words are.
    #[must_use]
    pub fn word(&self) -> Option<&'t str> {
        match self.atom() {
            Some((AtomKind::Symbol, name)) => Some(name),
            _ => None,
        }
    }

    /// A keyword, with its colon.
    #[must_use]
    pub fn keyword(&self) -> Option<&'t str> {
        match self.atom() {
            Some((AtomKind::Keyword, name)) => Some(name),
            _ => None,
        }
    }

    /// A numeral that fits.
    #[must_use]
    pub fn numeral(&self) -> Option<u32> {
        match self.atom() {
            Some((AtomKind::Numeral, digits)) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The content of a string.
    #[must_use]
    pub fn string(&self) -> Option<String> {
        match self.atom() {
            Some((AtomKind::String, text)) => Some(text.replace("\"\"", "\"")),
            _ => None,
        }
    }

    /// The members of a list; none for atoms.
    #[must_use]
    pub fn children(&self) -> Children<'a, 't> {
        Children { tree: self.tree, next: self.node + 1, end: self.data().next }
    }
}

/// The members of a list.
#[derive(Clone, Debug)]
pub struct Children<'a, 't> {
    tree: &'a Tree<'t>,
    next: usize,
    end: usize,
}

impl<'a, 't> Iterator for Children<'a, 't> {
    type Item = Sexpr<'a, 't>;

    fn next(&mut self) -> Option<Sexpr<'a, 't>> {
        if self.next >= self.end {
            return None;
        }
        let child = Sexpr { tree: self.tree, node: self.next };
        self.next = child.data().next;
        Some(child)
    }
}

/// Whether a simple symbol may contain the byte.
pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Reads top-level expressions from a text.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Reader<'t> {
    /// A reader at the start of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Reader { text, position: 0 }
    }

    /// Byte offset of what is read next.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// The next top-level expression; `None` at the end of the text.
    ///
    /// # Errors
    /// When the text is not an s-expression. The reader does not move past an error.
    pub fn read(&mut self) -> Result<Option<Tree<'t>>, ParseError> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.position;
            match self.text.as_bytes().get(start) {
                None => match open.last() {
                    None => return Ok(None),
                    Some(&list) => {
                        return Err(ParseError::new(
                            nodes[list].span.start,
                            "this parenthesis is never closed",
                        ));
                    }
                },
                Some(b'(') => {
                    self.position += 1;
                    open.push(nodes.len());
                    nodes.push(Node { atom: None, span: start..start + 1, next: 0 });
                    continue;
                }
                Some(b')') => {
                    let Some(list) = open.pop() else {
                        return Err(ParseError::new(start, "closing parenthesis without an opening one"));
                    };
                    self.position += 1;
                    let next = nodes.len();
                    nodes[list].next = next;
                    nodes[list].span.end = self.position;
                }
                Some(&first) => {
                    let (kind, end) = self.scan_atom(first, start)?;
                    self.position = end;
                    let next = nodes.len() + 1;
                    nodes.push(Node { atom: Some(kind), span: start..end, next });
                }
            }
            if open.is_empty() {
                return Ok(Some(Tree { text: self.text, nodes }));
            }
        }
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.position += 1,
                b';' => {
                    let rest = &bytes[self.position..];
                    self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// The end of the run of bytes that satisfy `belongs`, from `start` on.
    fn run(&self, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[start..];
        start + rest.iter().position(|&byte| !belongs(byte)).unwrap_or(rest.len())
    }

    fn scan_atom(&self, first: u8, start: usize) -> Result<(AtomKind, usize), ParseError> {
        let bytes = self.text.as_bytes();
        let atom = match first {
            b'|' => {
                let end = self.run(start + 1, |byte| byte != b'|' && byte != b'\\');
                match bytes.get(end) {
                    Some(b'|') => (AtomKind::Quoted, end + 1),
                    Some(_) => return Err(ParseError::new(end, "backslash in a quoted symbol")),
                    None => return Err(ParseError::new(start, "this quoted symbol never ends")),
                }
            }
            b'"' => {
                let mut end = start + 1;
                loop {
                    end = self.run(end, |byte| byte != b'"');
                    match (bytes.get(end), bytes.get(end + 1)) {
                        (None, _) => return Err(ParseError::new(start, "this string never ends")),
                        (_, Some(b'"')) => end += 2,
                        _ => return Ok((AtomKind::String, end + 1)),
                    }
                }
            }
            b':' => (AtomKind::Keyword, self.run(start + 1, is_symbol_byte)),
            b'#' => {
                let (kind, radix) = match bytes.get(start + 1) {
                    Some(b'x') => (AtomKind::Hexadecimal, 16),
                    Some(b'b') => (AtomKind::Binary, 2),
                    _ => {
                        return Err(ParseError::new(start, "`#` starts a constant like #b01 or #x2a"));
                    }
                };
                let end = self.run(start + 2, is_symbol_byte);
                let digits = &self.text[start + 2..end];
                if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
                    return Err(ParseError::new(
                        start,
                        format!("`#{}` expects digits of base {radix}", if radix == 16 { 'x' } else { 'b' }),
                    ));
                }
                (kind, end)
            }
            b'0'..=b'9' => {
                let whole = self.run(start, |byte| byte.is_ascii_digit());
                let (kind, end) = if bytes.get(whole) == Some(&b'.') {
                    (AtomKind::Decimal, self.run(whole + 1, |byte| byte.is_ascii_digit()))
                } else {
                    (AtomKind::Numeral, whole)
                };
                if kind == AtomKind::Decimal && end == whole + 1 {
                    return Err(ParseError::new(start, "digits expected after the point"));
                }
                if bytes.get(end).is_some_and(|&byte| is_symbol_byte(byte)) {
                    return Err(ParseError::new(start, "symbols do not start with a digit"));
                }
                (kind, end)
            }
            _ if is_symbol_byte(first) => (AtomKind::Symbol, self.run(start, is_symbol_byte)),
            _ => {
                let found = self.text[start..].chars().next().unwrap_or('\u{fffd}');
                return Err(ParseError::new(start, format!("unexpected character {found:?}")));
            }
        };
        if atom.0 == AtomKind::Keyword && atom.1 == start + 1 {
            return Err(ParseError::new(start, "a colon starts a keyword"));
        }
        Ok(atom)
    }
}

#[cfg(test)]
mod tests;
