//! Statements and blocks.

use super::{Failed, Parse, Parser};
use crate::ast::{BlockItem, ExprId, Label, StmtId, StmtKind};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::{Diagnostic, Span};

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parse<StmtId> {
        let open = self.expect(Punct::LeftBrace)?;
        self.scopes.push();
        let mut items = Vec::new();
        while !self.at(Punct::RightBrace) && !self.at_end() {
            let start = self.pos;
            match self.block_item() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => {}
                Err(Failed) => self.recover(start, false),
            }
        }
        self.scopes.pop();
        let close = self.expect_close(Punct::RightBrace, open)?;
        Ok(self.stmt_node(StmtKind::Block(items), open.to(close)))
    }

    fn block_item(&mut self) -> Parse<Option<BlockItem>> {
        if self.at_keyword(Keyword::Label) {
            self.advance();
            let mut names = vec![self.identifier()?];
            while self.eat(Punct::Comma) {
                names.push(self.identifier()?);
            }
            self.expect(Punct::Semicolon)?;
            return Ok(Some(BlockItem::LocalLabels(names)));
        }
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(Some(BlockItem::StaticAssert(self.static_assert()?)));
        }
        if self.at_keyword(Keyword::Attribute) && self.is_attribute_statement() {
            self.attributes(&mut Vec::new())?;
            self.expect(Punct::Semicolon)?;
            return Ok(None);
        }
        if self.at_declaration() {
            return self.block_declaration().map(Some);
        }
        Ok(Some(BlockItem::Statement(self.nested(Self::statement)?)))
    }

    /// Whether attributes here are followed by `;` only (`__attribute__((fallthrough));`).
    fn is_attribute_statement(&self) -> bool {
        let mut ahead = 1;
        let mut open = 0usize;
        loop {
            match self.peek(ahead).kind {
                TokenKind::Punct(Punct::LeftParen) => open += 1,
                TokenKind::Punct(Punct::RightParen) => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return self.peek(ahead + 1).kind == TokenKind::Punct(Punct::Semicolon);
                    }
                }
                TokenKind::Eof => return false,
                _ => {}
            }
            ahead += 1;
        }
    }

    fn at_declaration(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).kind == TokenKind::Keyword(Keyword::Extension) {
            ahead += 1;
        }
        let token = self.peek(ahead);
        if matches!(token.kind, TokenKind::Ident(_))
            && self.peek(ahead + 1).kind == TokenKind::Punct(Punct::Colon)
        {
            return false;
        }
        self.starts_specifiers(token)
    }

    pub(super) fn statement(&mut self) -> Parse<StmtId> {
        crate::work::poll();
        let start = self.span();
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        if labels.is_empty() {
            return self.unlabelled();
        }
        // GNU C and C23: a label may stand before a declaration or at the end of a block.
        let body = if self.at(Punct::RightBrace) || self.at_declaration() {
            let span = self.previous_span().after();
            self.stmt_node(StmtKind::Empty, span)
        } else {
            self.unlabelled()?
        };
        let span = self.span_from(start);
        Ok(self.stmt_node(StmtKind::Labelled { labels, body }, span))
    }

    fn label(&mut self) -> Parse<Option<Label>> {
        let start = self.span();
        match self.token().kind {
            TokenKind::Ident(_) if self.peek(1).kind == TokenKind::Punct(Punct::Colon) => {
                let name = self.identifier()?;
                self.advance();
                self.attributes(&mut Vec::new())?;
                Ok(Some(Label::Named(name)))
            }
            TokenKind::Keyword(Keyword::Case) => {
                self.advance();
                let low = self.nested(Self::conditional)?;
                let high =
                    if self.eat(Punct::Ellipsis) { Some(self.nested(Self::conditional)?) } else { None };
                let span = self.span_from(start);
                self.expect(Punct::Colon)?;
                Ok(Some(Label::Case { low, high, span }))
            }
            TokenKind::Keyword(Keyword::Default) => {
                self.advance();
                self.expect(Punct::Colon)?;
                Ok(Some(Label::Default(start)))
            }
            _ => Ok(None),
        }
    }

    fn unlabelled(&mut self) -> Parse<StmtId> {
        let start = self.span();
        let TokenKind::Keyword(keyword) = self.token().kind else { return self.plain_statement(start) };
        let kind = match keyword {
            Keyword::If => return self.if_chain(),
            Keyword::Switch => {
                self.advance();
                let value = self.parenthesised()?;
                StmtKind::Switch { value, body: self.nested(Self::statement)? }
            }
            Keyword::While => {
                self.advance();
                let condition = self.parenthesised()?;
                StmtKind::While { condition, body: self.nested(Self::statement)? }
            }
            Keyword::Do => {
                self.advance();
                let body = self.nested(Self::statement)?;
                if !self.eat_keyword(Keyword::While) {
                    return Err(self.expected("`while`"));
                }
                let condition = self.parenthesised()?;
                self.expect(Punct::Semicolon)?;
                StmtKind::DoWhile { body, condition }
            }
            Keyword::For => {
                self.scopes.push();
                let result = self.for_loop();
                self.scopes.pop();
                result?
            }
            Keyword::Goto => {
                self.advance();
                let kind = if self.eat(Punct::Star) {
                    StmtKind::ComputedGoto(self.nested(Self::expression)?)
                } else {
                    StmtKind::Goto(self.identifier()?)
                };
                self.expect(Punct::Semicolon)?;
                kind
            }
            Keyword::Continue | Keyword::Break => {
                self.advance();
                self.expect(Punct::Semicolon)?;
                if keyword == Keyword::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Keyword::Return => {
                self.advance();
                let value =
                    if self.at(Punct::Semicolon) { None } else { Some(self.nested(Self::expression)?) };
                self.expect(Punct::Semicolon)?;
                StmtKind::Return(value)
            }
            Keyword::Asm => {
                let asm = self.asm()?;
                self.expect(Punct::Semicolon)?;
                StmtKind::Asm(Box::new(asm))
            }
            Keyword::Attribute if self.is_attribute_statement() => {
                self.attributes(&mut Vec::new())?;
                self.expect(Punct::Semicolon)?;
                StmtKind::Empty
            }
            _ => return self.plain_statement(start),
        };
        let span = self.span_from(start);
        Ok(self.stmt_node(kind, span))
    }

    /// A block, an empty statement or an expression statement.
    fn plain_statement(&mut self, start: Span) -> Parse<StmtId> {
        if self.at(Punct::LeftBrace) {
            return self.nested(Self::block);
        }
        if self.eat(Punct::Semicolon) {
            return Ok(self.stmt_node(StmtKind::Empty, start));
        }
        if let (TokenKind::Ident(symbol), TokenKind::Ident(_)) = (self.token().kind, self.peek(1).kind) {
            let message = format!("unknown type name `{}`", self.symbols.text(symbol));
            self.report(Diagnostic::error(start, message));
            return Err(Failed);
        }
        if self.at_declaration() {
            return self.fail(start, "a declaration where only a statement can stand");
        }
        let value = self.nested(Self::expression)?;
        self.expect(Punct::Semicolon)?;
        let span = self.span_from(start);
        Ok(self.stmt_node(StmtKind::Expr(value), span))
    }

    fn parenthesised(&mut self) -> Parse<ExprId> {
        let open = self.expect(Punct::LeftParen)?;
        let value = self.nested(Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(value)
    }

    /// `if`, with the chain of `else if` read by a loop and built from its end.
    fn if_chain(&mut self) -> Parse<StmtId> {
        let mut chain = Vec::new();
        let mut last = None;
        loop {
            let start = self.span();
            self.advance();
            let condition = self.parenthesised()?;
            let then = self.nested(Self::statement)?;
            chain.push((start, condition, then));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) {
                last = Some(self.nested(Self::statement)?);
                break;
            }
        }
        let end = self.previous_span();
        for (start, condition, then) in chain.into_iter().rev() {
            let kind = StmtKind::If { condition, then, otherwise: last };
            last = Some(self.stmt_node(kind, start.to(end)));
        }
        last.ok_or(Failed)
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.advance();
        let open = self.expect(Punct::LeftParen)?;
        let mut init = Vec::new();
        if self.at_declaration() {
            init.push(self.block_declaration()?);
        } else if !self.eat(Punct::Semicolon) {
            let start = self.span();
            let value = self.nested(Self::expression)?;
            self.expect(Punct::Semicolon)?;
            let span = self.span_from(start);
            init.push(BlockItem::Statement(self.stmt_node(StmtKind::Expr(value), span)));
        }
        let condition = if self.at(Punct::Semicolon) { None } else { Some(self.nested(Self::expression)?) };
        self.expect(Punct::Semicolon)?;
        let step = if self.at(Punct::RightParen) { None } else { Some(self.nested(Self::expression)?) };
        self.expect_close(Punct::RightParen, open)?;
        let body = self.nested(Self::statement)?;
        Ok(StmtKind::For { init, condition, step, body })
    }
}
