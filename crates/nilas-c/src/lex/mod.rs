//! The lexer: bytes to tokens.
//!
//! Takes preprocessed text: lines that start with `#` are line markers and pragmas and vanish (the source map
//! reads markers by itself, [`PackTimeline`] keeps `#pragma pack`, [`SymbolPragmas`] what is said about
//! symbols). Comments and line continuations are understood, so that text without directives needs no
//! preprocessor at all. Errors are reported and lexing goes on behind them.

mod cursor;
mod number;
mod pragma;
mod text;
mod token;

pub(crate) use number::{FloatLiteral, FloatSuffix, IntLiteral};
pub(crate) use pragma::{PackTimeline, SymbolPragmas};
pub(crate) use text::{Encoding, Piece, TextLiteral, encode};
pub(crate) use token::{Keyword, Punct, Symbol, Symbols, Token, TokenKind};

use crate::source::{Diagnostic, FileId, Span};
use cursor::Cursor;

/// The tokens of a text and the tables that they index.
#[derive(Clone, Debug)]
pub(crate) struct Lexed {
    /// The tokens; the last one is [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// Integer constants.
    pub ints: Vec<IntLiteral>,
    /// Floating constants.
    pub floats: Vec<FloatLiteral>,
    /// Character constants and string literals.
    pub texts: Vec<TextLiteral>,
    /// `#pragma pack` over the text.
    pub pack: PackTimeline,
    /// What pragmas say about symbols.
    pub symbol_pragmas: SymbolPragmas,
}

/// Splits a text into tokens. Errors go to `diagnostics`.
pub(crate) fn lex(
    file: FileId,
    text: &[u8],
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Lexed {
    let lexed = Lexed {
        tokens: Vec::with_capacity(text.len() / 4),
        ints: Vec::new(),
        floats: Vec::new(),
        texts: Vec::new(),
        pack: PackTimeline::default(),
        symbol_pragmas: SymbolPragmas::default(),
    };
    let mut lexer =
        Lexer { cursor: Cursor::new(text), file, symbols, diagnostics, lexed, start: 0, line_start: true };
    while lexer.step() {
        crate::work::poll();
    }
    lexer.lexed
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    file: FileId,
    symbols: &'a mut Symbols,
    diagnostics: &'a mut Vec<Diagnostic>,
    lexed: Lexed,
    /// Where the current token starts.
    start: usize,
    /// Nothing but white space before on this line.
    line_start: bool,
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Lexer<'_> {
    fn span(&self) -> Span {
        Span::new(self.file, small(self.start), small(self.cursor.pos()))
    }

    fn error(&mut self, message: impl Into<String>) {
        let span = self.span();
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn push(&mut self, kind: TokenKind) {
        let span = self.span();
        self.lexed.tokens.push(Token { kind, span });
    }

    /// Reads one token, comment, space or directive; false at the end.
    fn step(&mut self) -> bool {
        self.start = self.cursor.pos();
        if self.cursor.at_end() {
            self.push(TokenKind::Eof);
            return false;
        }
        let byte = self.cursor.peek();
        let line_start = self.line_start;
        match byte {
            b'\n' => {
                self.cursor.bump();
                self.line_start = true;
                return true;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                self.cursor.bump();
                return true;
            }
            b'/' if self.cursor.peek_at(1) == b'*' => {
                self.block_comment();
                return true;
            }
            b'/' if self.cursor.peek_at(1) == b'/' => {
                self.skip_line();
                return true;
            }
            b'#' if line_start => {
                self.directive();
                return true;
            }
            _ => self.line_start = false,
        }
        match byte {
            b'0'..=b'9' => self.number(),
            b'.' if self.cursor.peek_at(1).is_ascii_digit() => self.number(),
            b'"' => self.text_literal(0, Encoding::Narrow),
            b'\'' => self.text_literal(0, Encoding::Narrow),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.word(),
            _ => self.punctuator(),
        }
        true
    }

    fn skip_line(&mut self) {
        while !self.cursor.at_end() && self.cursor.peek() != b'\n' {
            self.cursor.bump();
        }
    }

    fn block_comment(&mut self) {
        self.cursor.bump();
        self.cursor.bump();
        loop {
            if self.cursor.at_end() {
                return self.error("the comment is not closed");
            }
            if self.cursor.bump() == b'*' && self.cursor.peek() == b'/' {
                self.cursor.bump();
                return;
            }
        }
    }

    /// A `#` line: a marker, a pragma, or something that should have been preprocessed.
    fn directive(&mut self) {
        self.skip_line();
        let line = self.cursor.slice(self.start);
        if let Some(pragma) = crate::preprocess::pragma_text(&line) {
            self.lexed.pack.pragma(&pragma, small(self.cursor.pos()));
            self.lexed.symbol_pragmas.pragma(&pragma);
        } else if crate::preprocess::is_directive(&line) {
            self.error("a preprocessor directive in preprocessed text");
        }
    }

    fn number(&mut self) {
        // A preprocessing number: letters, digits, dots, and signs right after an exponent letter.
        let hexadecimal = self.cursor.peek() == b'0' && matches!(self.cursor.peek_at(1), b'x' | b'X');
        let mut last = 0;
        loop {
            let byte = self.cursor.peek();
            let sign = matches!(byte, b'+' | b'-')
                && (matches!(last, b'p' | b'P') || (!hexadecimal && matches!(last, b'e' | b'E')));
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign) {
                break;
            }
            last = self.cursor.bump();
        }
        let text = String::from_utf8_lossy(&self.cursor.slice(self.start)).into_owned();
        match number::parse(&text) {
            Ok(number::Number::Int(literal)) => {
                self.lexed.ints.push(literal);
                self.push(TokenKind::Int(small(self.lexed.ints.len() - 1)));
            }
            Ok(number::Number::Float(literal)) => {
                self.lexed.floats.push(literal);
                self.push(TokenKind::Float(small(self.lexed.floats.len() - 1)));
            }
            Err(message) => {
                self.error(message);
                // A stand-in, so that the parser does not stumble over the hole.
                let zero = IntLiteral { value: 0, decimal: true, unsigned: false, long: 0, imaginary: false };
                self.lexed.ints.push(zero);
                self.push(TokenKind::Int(small(self.lexed.ints.len() - 1)));
            }
        }
    }

    /// An identifier, a keyword, or the prefix of a literal.
    fn word(&mut self) {
        for (prefix, encoding) in [
            (&b"u8"[..], Encoding::Utf8),
            (b"u", Encoding::Utf16),
            (b"U", Encoding::Utf32),
            (b"L", Encoding::Wide),
        ] {
            let quote = self.cursor.peek_at(prefix.len());
            let starts = (0..prefix.len()).all(|i| self.cursor.peek_at(i) == prefix[i]);
            if starts && (quote == b'"' || quote == b'\'') {
                return self.text_literal(prefix.len(), encoding);
            }
        }
        let mut plain = true;
        loop {
            let byte = self.cursor.peek();
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80) {
                break;
            }
            plain &= byte < 0x80;
            self.cursor.bump();
        }
        let bytes = self.cursor.slice(self.start);
        let text = String::from_utf8_lossy(&bytes);
        if !plain && text.chars().any(|c| !c.is_alphanumeric() && c != '_' && c != '$') {
            return self.error("stray bytes in the program");
        }
        let symbol = self.symbols.intern(&text);
        match Symbols::keyword(symbol) {
            Some(keyword) => self.push(TokenKind::Keyword(keyword)),
            None => self.push(TokenKind::Ident(symbol)),
        }
    }

    fn text_literal(&mut self, prefix: usize, encoding: Encoding) {
        for _ in 0..prefix {
            self.cursor.bump();
        }
        let quote = self.cursor.bump();
        let literal = match text::read(&mut self.cursor, quote, encoding) {
            Ok(literal) => literal,
            Err(message) => {
                self.error(message);
                TextLiteral { encoding, pieces: vec![Piece::Unit(0)] }
            }
        };
        if quote == b'\'' && literal.pieces.is_empty() {
            self.error("the character constant is empty");
        }
        self.lexed.texts.push(literal);
        let index = small(self.lexed.texts.len() - 1);
        self.push(if quote == b'"' { TokenKind::String(index) } else { TokenKind::Char(index) });
    }

    fn punctuator(&mut self) {
        use Punct as P;
        /// Longest first, so that the first match is the right one.
        const TABLE: &[(&[u8], Punct)] = &[
            (b"...", P::Ellipsis),
            (b"<<=", P::ShiftLeftAssign),
            (b">>=", P::ShiftRightAssign),
            (b"->", P::Arrow),
            (b"++", P::Increment),
            (b"--", P::Decrement),
            (b"<<", P::ShiftLeft),
            (b">>", P::ShiftRight),
            (b"<=", P::LessEqual),
            (b">=", P::GreaterEqual),
            (b"==", P::EqualEqual),
            (b"!=", P::NotEqual),
            (b"&&", P::AndAnd),
            (b"||", P::OrOr),
            (b"*=", P::StarAssign),
            (b"/=", P::SlashAssign),
            (b"%=", P::PercentAssign),
            (b"+=", P::PlusAssign),
            (b"-=", P::MinusAssign),
            (b"&=", P::AndAssign),
            (b"^=", P::CaretAssign),
            (b"|=", P::OrAssign),
            (b"<:", P::LeftBracket),
            (b":>", P::RightBracket),
            (b"<%", P::LeftBrace),
            (b"%>", P::RightBrace),
            (b"(", P::LeftParen),
            (b")", P::RightParen),
            (b"[", P::LeftBracket),
            (b"]", P::RightBracket),
            (b"{", P::LeftBrace),
            (b"}", P::RightBrace),
            (b".", P::Dot),
            (b"&", P::And),
            (b"*", P::Star),
            (b"+", P::Plus),
            (b"-", P::Minus),
            (b"~", P::Tilde),
            (b"!", P::Not),
            (b"/", P::Slash),
            (b"%", P::Percent),
            (b"<", P::Less),
            (b">", P::Greater),
            (b"^", P::Caret),
            (b"|", P::Or),
            (b"?", P::Question),
            (b":", P::Colon),
            (b";", P::Semicolon),
            (b"=", P::Assign),
            (b",", P::Comma),
        ];
        for &(text, punct) in TABLE {
            if self.cursor.eat(text) {
                return self.push(TokenKind::Punct(punct));
            }
        }
        let byte = self.cursor.bump();
        let shown =
            if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("\\x{byte:02x}") };
        self.error(format!("stray `{shown}` in the program"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> (String, Vec<String>) {
        let mut symbols = Symbols::new();
        let mut diagnostics = Vec::new();
        let lexed = lex(FileId::default(), text.as_bytes(), &mut symbols, &mut diagnostics);
        let words: Vec<String> = lexed
            .tokens
            .iter()
            .map(|token| match token.kind {
                TokenKind::Ident(s) => symbols.text(s).to_owned(),
                TokenKind::Keyword(k) => format!("'{}'", k.text()),
                TokenKind::Int(i) => lexed.ints[i as usize].value.to_string(),
                TokenKind::Float(i) => lexed.floats[i as usize].text.clone(),
                TokenKind::Char(i) | TokenKind::String(i) => {
                    let text = &lexed.texts[i as usize];
                    format!("{:?}", encode(&text.pieces, text.encoding))
                }
                TokenKind::Punct(p) => p.text().to_owned(),
                TokenKind::Eof => "$".to_owned(),
            })
            .collect();
        (words.join(" "), diagnostics.into_iter().map(|d| d.message).collect())
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(run(text), (expected.to_owned(), Vec::new()), "{text}");
    }

    #[test]
    fn tokens() {
        check("a+++b->c<<=1 ...^|=", "a ++ + b -> c <<= 1 ... ^ |= $");
    }

    #[test]
    fn words_and_comments() {
        check("__const__ x$y /* a\n*/ u8 // c\nL u", "'const' x$y u8 L u $");
        check("# 1 \"x.c\"\n  #pragma once\nint", "'int' $");
    }

    #[test]
    fn literals() {
        check(
            r#""a\n\x41\101" L"ä" u8"ä" u"😀" 'ab' '\''"#,
            "[97, 10, 65, 65] [228] [195, 164] [55357, 56832] [97, 98] [39] $",
        );
        check("1.5e+3f 0x1p-2 .5 0xe+1", "1.5e+3f 0x1p-2 .5 14 + 1 $");
    }

    #[test]
    fn continuation_and_digraphs() {
        check("in\\\nt a\\\nb <: :> <% %> \"x\\\ny\"", "'int' ab [ ] { } [120, 121] $");
    }

    #[test]
    fn errors_are_reported() {
        for text in ["'", "\"abc", "/* x", "@", "''", "09", "\"\\xg\"", "\\"] {
            assert_eq!(run(text).1.len(), 1, "{text}: {:?}", run(text));
        }
    }
}
