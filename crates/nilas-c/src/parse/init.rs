//! Initialisers with designators, in standard and old GNU forms.

use super::{Parse, Parser};
use crate::ast::{Designator, InitItem, Initialiser};
use crate::lex::{Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn initialiser(&mut self) -> Parse<Initialiser> {
        if self.at(Punct::LeftBrace) {
            self.nested(Self::initialiser_list)
        } else {
            Ok(Initialiser::Expr(self.assignment()?))
        }
    }

    pub(super) fn initialiser_list(&mut self) -> Parse<Initialiser> {
        let open = self.expect(Punct::LeftBrace)?;
        let mut items = Vec::new();
        while !self.at(Punct::RightBrace) {
            let start = self.span();
            let designators = self.designators()?;
            let value = self.initialiser()?;
            items.push(InitItem { designators, value, span: self.span_from(start) });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let close = self.expect_close(Punct::RightBrace, open)?;
        Ok(Initialiser::List(items, open.to(close)))
    }

    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        // `name: value`
        if let TokenKind::Ident(_) = self.token().kind
            && self.peek(1).kind == TokenKind::Punct(Punct::Colon)
        {
            designators.push(Designator::Member(self.identifier()?));
            self.advance();
            return Ok(designators);
        }
        loop {
            if self.eat(Punct::Dot) {
                designators.push(Designator::Member(self.identifier()?));
            } else if self.at(Punct::LeftBracket) {
                let open = self.advance().span;
                let low = self.nested(Self::conditional)?;
                designators.push(if self.eat(Punct::Ellipsis) {
                    Designator::Range { low, high: self.nested(Self::conditional)? }
                } else {
                    Designator::Index(low)
                });
                self.expect_close(Punct::RightBracket, open)?;
            } else {
                break;
            }
            self.check_chain(designators.len(), self.limits.depth)?;
        }
        // `[i] value` without `=` is an old GNU form.
        let old_form = matches!(designators.as_slice(), [Designator::Index(_) | Designator::Range { .. }]);
        if !designators.is_empty() && !self.eat(Punct::Assign) && !old_form {
            return Err(self.expected("`=`"));
        }
        Ok(designators)
    }
}
