//! The parser: tokens to the tree of [`crate::ast`], by recursive descent.
//!
//! - The nesting of the source bounds the recursion, and the parser bounds the nesting: beyond
//!   [`Limits::depth`] it reports an error and stops. Long chains (`a + b + …`, `a ? b : c ? …`, `else if`,
//!   labels) are loops and have bounds of their own only where later phases recurse over them.
//! - On a syntax error the parser reports, skips to the end of the declaration or statement, and goes on.
//! - The one piece of meaning it needs is which identifiers are typedef names; see [`scope`].

mod asm;
mod attribute;
mod decl;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod scope;
mod specifiers;
mod stmt;

use crate::ast::{Ast, Expr, ExprId, ExprKind, Name, Stmt, StmtId, StmtKind};
use crate::lex::{Keyword, Lexed, Punct, Symbols, Token, TokenKind};
use crate::source::{Diagnostic, Span};
pub(crate) use scope::BUILTIN_TYPEDEFS;
use scope::TypedefScopes;

/// Bounds on what the parser accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Nesting of parentheses, blocks, declarators and the like.
    pub depth: usize,
    /// Length of chains over which the type checker recurses (`a ? b : c ? …`, `a.b.c…`).
    pub chain: usize,
    /// After this many errors parsing stops.
    pub errors: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 2000, chain: 20_000, errors: 20 }
    }
}

/// Parses a token list. The tree is complete only if no error was added to `diagnostics`.
pub(crate) fn parse(
    lexed: Lexed,
    symbols: &mut Symbols,
    limits: Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Ast {
    let scopes = TypedefScopes::new(symbols);
    let mut parser = Parser {
        lexed,
        symbols,
        limits,
        diagnostics,
        pos: 0,
        depth: 0,
        errors: 0,
        stopped: false,
        ast: Ast::default(),
        scopes,
    };
    parser.translation_unit();
    parser.ast.ints = parser.lexed.ints;
    parser.ast.floats = parser.lexed.floats;
    parser.ast.symbol_pragmas = parser.lexed.symbol_pragmas;
    parser.ast
}

/// An error was reported; the caller should give up or recover.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'a> {
    lexed: Lexed,
    symbols: &'a Symbols,
    limits: Limits,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The current token.
    pos: usize,
    depth: usize,
    errors: usize,
    /// Given up: nothing more is reported.
    stopped: bool,
    ast: Ast,
    scopes: TypedefScopes,
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.peek(0)
    }

    /// The token `n` further on; the end token if there is none.
    fn peek(&self, n: usize) -> Token {
        let last = self.lexed.tokens.len() - 1;
        self.lexed.tokens[(self.pos + n).min(last)]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token before this one.
    fn previous_span(&self) -> Span {
        self.lexed.tokens[self.pos.saturating_sub(1).min(self.lexed.tokens.len() - 1)].span
    }

    /// From `start` to the token before this one.
    fn span_from(&self, start: Span) -> Span {
        start.to(self.previous_span())
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        if self.pos + 1 < self.lexed.tokens.len() {
            self.pos += 1;
        }
        token
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::Eof
    }

    fn at(&self, punct: Punct) -> bool {
        self.token().kind == TokenKind::Punct(punct)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.token().kind == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let here = self.at(punct);
        if here {
            self.advance();
        }
        here
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let here = self.at_keyword(keyword);
        if here {
            self.advance();
        }
        here
    }

    fn expect(&mut self, punct: Punct) -> Parse<Span> {
        if self.at(punct) {
            return Ok(self.advance().span);
        }
        Err(self.expected(&format!("`{}`", punct.text())))
    }

    /// Like [`Parser::expect`], for a closing bracket: names the opening one.
    fn expect_close(&mut self, punct: Punct, open: Span) -> Parse<Span> {
        if self.at(punct) {
            return Ok(self.advance().span);
        }
        let error = self.unexpected(&format!("`{}`", punct.text())).with_note(open, "to close this");
        self.report(error);
        Err(Failed)
    }

    fn identifier(&mut self) -> Parse<Name> {
        match self.token().kind {
            TokenKind::Ident(symbol) => {
                let span = self.advance().span;
                Ok(Name { symbol, span })
            }
            _ => Err(self.expected("an identifier")),
        }
    }

    /// The message that something else was expected here.
    fn unexpected(&self, what: &str) -> Diagnostic {
        let token = self.token();
        let found = token.describe(self.symbols);
        // A missing semicolon is seen on the line after it, but belongs behind the last token.
        let span = if what == "`;`" { self.previous_span().after() } else { token.span };
        Diagnostic::error(span, format!("expected {what}, found {found}"))
    }

    fn expected(&mut self, what: &str) -> Failed {
        let error = self.unexpected(what);
        self.report(error);
        Failed
    }

    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Parse<T> {
        self.report(Diagnostic::error(span, message));
        Err(Failed)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.stopped {
            return;
        }
        self.diagnostics.push(diagnostic);
        self.errors += 1;
        if self.errors >= self.limits.errors {
            self.stop();
        }
    }

    /// Jumps to the end: every loop ends there.
    fn stop(&mut self) {
        self.pos = self.lexed.tokens.len() - 1;
        self.stopped = true;
    }

    /// Runs a parser one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= self.limits.depth {
            let span = self.span();
            let message = format!("the program is nested more than {} levels deep here", self.limits.depth);
            self.report(Diagnostic::error(span, message));
            self.stop();
            return Err(Failed);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn expr_node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }

    fn expr_span(&self, expr: ExprId) -> Span {
        self.ast.exprs[expr].span
    }

    /// Skips a bracketed group whose opening bracket is the current token.
    fn skip_group(&mut self) {
        let mut open = 0usize;
        loop {
            match self.token().kind {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => open += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace) => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }

    /// After an error: skips to behind the next `;`, or to a `}` that closes what is open around. `start` is
    /// where the failed item began; at least one token is skipped.
    fn recover(&mut self, start: usize, outermost: bool) {
        if self.pos == start && !self.at(Punct::RightBrace) {
            self.advance();
        }
        loop {
            match self.token().kind {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::Semicolon) => {
                    self.advance();
                    return;
                }
                TokenKind::Punct(Punct::LeftBrace) => {
                    self.skip_group();
                    if outermost && !self.at(Punct::Semicolon) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::RightBrace) => {
                    if outermost {
                        self.advance();
                    }
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
