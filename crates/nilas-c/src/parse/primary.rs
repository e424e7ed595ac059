//! Primary expressions, postfix operators, and the builtins that take types.

use super::{Parse, Parser};
use crate::ast::{ExprId, ExprKind, GenericArm, OffsetofStep, UnaryOp};
use crate::lex::{Encoding, Keyword, Piece, Punct, TokenKind, encode};

impl Parser<'_> {
    pub(super) fn primary_and_postfix(&mut self) -> Parse<ExprId> {
        crate::work::poll();
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn primary(&mut self) -> Parse<ExprId> {
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Ident(symbol) => ExprKind::Ident(symbol),
            TokenKind::Int(index) => ExprKind::Int(index),
            TokenKind::Float(index) => ExprKind::Float(index),
            TokenKind::Char(index) => {
                let text = &self.lexed.texts[index as usize];
                ExprKind::Char { encoding: text.encoding, pieces: text.pieces.clone().into() }
            }
            TokenKind::String(_) => return self.string(),
            TokenKind::Punct(Punct::LeftParen) => {
                self.advance();
                let inner = if self.at(Punct::LeftBrace) {
                    let block = self.nested(Self::block)?;
                    let span = self.span_from(token.span);
                    self.expr_node(ExprKind::Statement(block), span)
                } else {
                    self.nested(Self::expression)?
                };
                self.expect_close(Punct::RightParen, token.span)?;
                return Ok(inner);
            }
            TokenKind::Keyword(Keyword::Generic) => return self.generic(),
            TokenKind::Keyword(
                keyword @ (Keyword::VaArg
                | Keyword::Offsetof
                | Keyword::TypesCompatible
                | Keyword::ChooseExpr),
            ) => return self.type_builtin(keyword),
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(self.expr_node(kind, token.span))
    }

    /// Adjacent string literals, joined. A prefix on one of them holds for all.
    fn string(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let mut encoding = Encoding::Narrow;
        let mut pieces: Vec<Piece> = Vec::new();
        while let TokenKind::String(index) = self.token().kind {
            let text = &self.lexed.texts[index as usize];
            if text.encoding != Encoding::Narrow {
                encoding = text.encoding;
            }
            pieces.extend_from_slice(&text.pieces);
            self.advance();
        }
        let span = self.span_from(start);
        Ok(self.expr_node(ExprKind::String { encoding, pieces: pieces.into() }, span))
    }

    /// String literals where only their text matters (`asm`, `_Static_assert`).
    pub(super) fn plain_string(&mut self) -> Parse<String> {
        if !matches!(self.token().kind, TokenKind::String(_)) {
            return Err(self.expected("a string literal"));
        }
        let mut bytes = Vec::new();
        while let TokenKind::String(index) = self.token().kind {
            let units = encode(&self.lexed.texts[index as usize].pieces, Encoding::Narrow);
            bytes.extend(units.into_iter().map(|unit| u8::try_from(unit).unwrap_or(b'?')));
            self.advance();
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn postfix(&mut self, mut base: ExprId) -> Parse<ExprId> {
        for links in 0.. {
            self.check_chain(links, self.limits.chain)?;
            let start = self.expr_span(base);
            let TokenKind::Punct(punct) = self.token().kind else { break };
            let kind = match punct {
                Punct::LeftBracket => {
                    let open = self.advance().span;
                    let index = self.nested(Self::expression)?;
                    self.expect_close(Punct::RightBracket, open)?;
                    ExprKind::Index { base, index }
                }
                Punct::LeftParen => {
                    let open = self.advance().span;
                    let mut arguments = Vec::new();
                    if !self.at(Punct::RightParen) {
                        arguments.push(self.nested(Self::assignment)?);
                        while self.eat(Punct::Comma) {
                            arguments.push(self.nested(Self::assignment)?);
                        }
                    }
                    self.expect_close(Punct::RightParen, open)?;
                    ExprKind::Call { callee: base, arguments: arguments.into() }
                }
                Punct::Dot | Punct::Arrow => {
                    self.advance();
                    let member = self.identifier()?;
                    ExprKind::Member { base, member, arrow: punct == Punct::Arrow }
                }
                Punct::Increment | Punct::Decrement => {
                    self.advance();
                    let op = if punct == Punct::Increment {
                        UnaryOp::PostIncrement
                    } else {
                        UnaryOp::PostDecrement
                    };
                    ExprKind::Unary { op, operand: base }
                }
                _ => break,
            };
            let span = self.span_from(start);
            base = self.expr_node(kind, span);
        }
        Ok(base)
    }

    fn generic(&mut self) -> Parse<ExprId> {
        let start = self.advance().span;
        let open = self.expect(Punct::LeftParen)?;
        let control = self.nested(Self::assignment)?;
        let mut arms = Vec::new();
        while self.eat(Punct::Comma) {
            let ty =
                if self.eat_keyword(Keyword::Default) { None } else { Some(self.nested(Self::type_name)?) };
            self.expect(Punct::Colon)?;
            arms.push(GenericArm { ty, value: self.nested(Self::assignment)? });
        }
        self.expect_close(Punct::RightParen, open)?;
        let span = self.span_from(start);
        Ok(self.expr_node(ExprKind::Generic { control, arms: arms.into() }, span))
    }

    fn type_builtin(&mut self, keyword: Keyword) -> Parse<ExprId> {
        let start = self.advance().span;
        let open = self.expect(Punct::LeftParen)?;
        let kind = match keyword {
            Keyword::VaArg => {
                let list = self.nested(Self::assignment)?;
                self.expect(Punct::Comma)?;
                ExprKind::VaArg { list, ty: Box::new(self.nested(Self::type_name)?) }
            }
            Keyword::Offsetof => {
                let ty = Box::new(self.nested(Self::type_name)?);
                self.expect(Punct::Comma)?;
                let mut path = vec![OffsetofStep::Member(self.identifier()?)];
                loop {
                    if self.eat(Punct::Dot) {
                        path.push(OffsetofStep::Member(self.identifier()?));
                    } else if self.at(Punct::LeftBracket) {
                        let open = self.advance().span;
                        path.push(OffsetofStep::Index(self.nested(Self::expression)?));
                        self.expect_close(Punct::RightBracket, open)?;
                    } else {
                        break;
                    }
                }
                ExprKind::Offsetof { ty, path: path.into() }
            }
            Keyword::TypesCompatible => {
                let first = self.nested(Self::type_name)?;
                self.expect(Punct::Comma)?;
                ExprKind::TypesCompatible(Box::new((first, self.nested(Self::type_name)?)))
            }
            _ => {
                let condition = self.nested(Self::assignment)?;
                self.expect(Punct::Comma)?;
                let then = self.nested(Self::assignment)?;
                self.expect(Punct::Comma)?;
                ExprKind::Choose { condition, then, otherwise: self.nested(Self::assignment)? }
            }
        };
        self.expect_close(Punct::RightParen, open)?;
        let span = self.span_from(start);
        Ok(self.expr_node(kind, span))
    }
}
