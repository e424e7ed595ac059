//! Expressions from the comma operator down to unary operators.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, Initialiser, TypeName, UnaryOp};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;

/// The binary operator of a token and how tightly it binds.
fn binary_operator(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::Star => (BinaryOp::Mul, 10),
        Punct::Slash => (BinaryOp::Div, 10),
        Punct::Percent => (BinaryOp::Rem, 10),
        Punct::Plus => (BinaryOp::Add, 9),
        Punct::Minus => (BinaryOp::Sub, 9),
        Punct::ShiftLeft => (BinaryOp::ShiftLeft, 8),
        Punct::ShiftRight => (BinaryOp::ShiftRight, 8),
        Punct::Less => (BinaryOp::Less, 7),
        Punct::Greater => (BinaryOp::Greater, 7),
        Punct::LessEqual => (BinaryOp::LessEqual, 7),
        Punct::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        Punct::EqualEqual => (BinaryOp::Equal, 6),
        Punct::NotEqual => (BinaryOp::NotEqual, 6),
        Punct::And => (BinaryOp::BitAnd, 5),
        Punct::Caret => (BinaryOp::BitXor, 4),
        Punct::Or => (BinaryOp::BitOr, 3),
        Punct::AndAnd => (BinaryOp::LogicalAnd, 2),
        Punct::OrOr => (BinaryOp::LogicalOr, 1),
        _ => return None,
    })
}

/// `Some(None)` for `=`, `Some(Some(op))` for `op=`.
fn assignment_operator(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Assign => None,
        Punct::StarAssign => Some(BinaryOp::Mul),
        Punct::SlashAssign => Some(BinaryOp::Div),
        Punct::PercentAssign => Some(BinaryOp::Rem),
        Punct::PlusAssign => Some(BinaryOp::Add),
        Punct::MinusAssign => Some(BinaryOp::Sub),
        Punct::ShiftLeftAssign => Some(BinaryOp::ShiftLeft),
        Punct::ShiftRightAssign => Some(BinaryOp::ShiftRight),
        Punct::AndAssign => Some(BinaryOp::BitAnd),
        Punct::CaretAssign => Some(BinaryOp::BitXor),
        Punct::OrAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// The span of an expression made of these two.
    fn covering(&self, first: ExprId, last: ExprId) -> Span {
        self.expr_span(first).to(self.expr_span(last))
    }

    /// A full expression with commas.
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let mut lhs = self.assignment()?;
        while self.eat(Punct::Comma) {
            let rhs = self.assignment()?;
            let span = self.covering(lhs, rhs);
            lhs = self.expr_node(ExprKind::Comma { lhs, rhs }, span);
        }
        Ok(lhs)
    }

    pub(super) fn assignment(&mut self) -> Parse<ExprId> {
        let target = self.conditional()?;
        let TokenKind::Punct(punct) = self.token().kind else { return Ok(target) };
        let Some(op) = assignment_operator(punct) else { return Ok(target) };
        self.advance();
        let value = self.nested(Self::assignment)?;
        let span = self.covering(target, value);
        Ok(self.expr_node(ExprKind::Assign { op, target, value }, span))
    }

    /// A conditional expression. The chain `a ? b : c ? d : …` is read by a loop and built from its end.
    pub(super) fn conditional(&mut self) -> Parse<ExprId> {
        let mut last = self.binary(1)?;
        let mut chain = Vec::new();
        while self.eat(Punct::Question) {
            let then = if self.at(Punct::Colon) { None } else { Some(self.nested(Self::expression)?) };
            self.expect(Punct::Colon)?;
            chain.push((last, then));
            self.check_chain(chain.len(), self.limits.chain)?;
            last = self.binary(1)?;
        }
        for (condition, then) in chain.into_iter().rev() {
            let span = self.covering(condition, last);
            last = self.expr_node(ExprKind::Conditional { condition, then, otherwise: last }, span);
        }
        Ok(last)
    }

    /// Precedence climbing: operators that bind at least as tightly as `minimum`.
    fn binary(&mut self, minimum: u8) -> Parse<ExprId> {
        let mut lhs = self.cast()?;
        loop {
            let TokenKind::Punct(punct) = self.token().kind else { return Ok(lhs) };
            let Some((op, strength)) = binary_operator(punct) else { return Ok(lhs) };
            if strength < minimum {
                return Ok(lhs);
            }
            self.advance();
            let rhs = self.binary(strength + 1)?;
            let span = self.covering(lhs, rhs);
            lhs = self.expr_node(ExprKind::Binary { op, lhs, rhs }, span);
        }
    }

    /// Whether a parenthesised type starts here.
    fn at_parenthesised_type(&self) -> bool {
        self.at(Punct::LeftParen) && self.starts_type(self.peek(1))
    }

    fn parenthesised_type(&mut self) -> Parse<TypeName> {
        let open = self.expect(Punct::LeftParen)?;
        let name = self.nested(Self::type_name)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(name)
    }

    fn cast(&mut self) -> Parse<ExprId> {
        if !self.at_parenthesised_type() {
            return self.unary();
        }
        let start = self.span();
        let ty = Box::new(self.parenthesised_type()?);
        if self.at(Punct::LeftBrace) {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix(literal);
        }
        let operand = self.nested(Self::cast)?;
        let span = start.to(self.expr_span(operand));
        Ok(self.expr_node(ExprKind::Cast { ty, operand }, span))
    }

    fn compound_literal(&mut self, ty: Box<TypeName>, start: Span) -> Parse<ExprId> {
        let init: Initialiser = self.nested(Self::initialiser_list)?;
        let span = self.span_from(start);
        Ok(self.expr_node(ExprKind::CompoundLiteral { ty, init: Box::new(init) }, span))
    }

    fn prefix(&mut self, op: UnaryOp) -> Parse<ExprId> {
        let start = self.advance().span;
        let operand = self.nested(Self::cast)?;
        let span = start.to(self.expr_span(operand));
        Ok(self.expr_node(ExprKind::Unary { op, operand }, span))
    }

    fn unary(&mut self) -> Parse<ExprId> {
        match self.token().kind {
            TokenKind::Punct(punct) => match punct {
                Punct::Plus => self.prefix(UnaryOp::Plus),
                Punct::Minus => self.prefix(UnaryOp::Minus),
                Punct::Tilde => self.prefix(UnaryOp::BitNot),
                Punct::Not => self.prefix(UnaryOp::Not),
                Punct::Star => self.prefix(UnaryOp::Deref),
                Punct::And => self.prefix(UnaryOp::AddressOf),
                Punct::Increment => self.prefix(UnaryOp::PreIncrement),
                Punct::Decrement => self.prefix(UnaryOp::PreDecrement),
                Punct::AndAnd => {
                    let start = self.advance().span;
                    let label = self.identifier()?;
                    Ok(self.expr_node(ExprKind::LabelAddress(label), start.to(label.span)))
                }
                _ => self.primary_and_postfix(),
            },
            TokenKind::Keyword(Keyword::Real) => self.prefix(UnaryOp::Real),
            TokenKind::Keyword(Keyword::Imag) => self.prefix(UnaryOp::Imag),
            TokenKind::Keyword(Keyword::Extension) => {
                self.advance();
                self.nested(Self::cast)
            }
            TokenKind::Keyword(
                keyword @ (Keyword::Sizeof | Keyword::Alignof | Keyword::PreferredAlignof),
            ) => self.size_or_alignment(keyword),
            _ => self.primary_and_postfix(),
        }
    }

    fn size_or_alignment(&mut self, keyword: Keyword) -> Parse<ExprId> {
        let size = keyword == Keyword::Sizeof;
        let start = self.advance().span;
        let kind = if self.at_parenthesised_type() {
            let open = self.span();
            let ty = Box::new(self.parenthesised_type()?);
            if self.at(Punct::LeftBrace) {
                let literal = self.compound_literal(ty, open)?;
                let operand = self.postfix(literal)?;
                if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
            } else if size {
                ExprKind::SizeofType(ty)
            } else {
                ExprKind::AlignofType { ty, preferred: keyword == Keyword::PreferredAlignof }
            }
        } else {
            let operand = self.nested(Self::unary)?;
            if size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
        };
        let span = self.span_from(start);
        Ok(self.expr_node(kind, span))
    }
}
