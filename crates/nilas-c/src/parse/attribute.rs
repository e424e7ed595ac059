//! `__attribute__((…))`: the few attributes with a meaning are kept, all others skipped.

use super::{Parse, Parser};
use crate::ast::{Attribute, AttributeKind};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// Any number of attribute specifiers, GNU or C23 style.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            if self.at_keyword(Keyword::Attribute) {
                self.advance();
                let open = self.expect(Punct::LeftParen)?;
                let inner = self.expect(Punct::LeftParen)?;
                while !self.at(Punct::RightParen) && !self.at_end() {
                    if !self.eat(Punct::Comma) {
                        self.attribute(into)?;
                    }
                }
                self.expect_close(Punct::RightParen, inner)?;
                self.expect_close(Punct::RightParen, open)?;
            } else if self.at(Punct::LeftBracket) && self.peek(1).kind == TokenKind::Punct(Punct::LeftBracket)
            {
                self.skip_group();
            } else {
                return Ok(());
            }
        }
    }

    fn attribute(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        let token = self.advance();
        let name = match token.kind {
            TokenKind::Ident(symbol) => self.symbols.text(symbol),
            TokenKind::Keyword(keyword) => keyword.text(),
            _ => return self.fail(token.span, "expected the name of an attribute"),
        };
        let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
        let kind = match plain {
            "packed" => Some(AttributeKind::Packed),
            "noreturn" | "_Noreturn" => Some(AttributeKind::Noreturn),
            "transparent_union" => Some(AttributeKind::TransparentUnion),
            "constructor" => Some(AttributeKind::Constructor),
            "destructor" => Some(AttributeKind::Destructor),
            "alias" | "ifunc" => Some(AttributeKind::Alias),
            "weak" => Some(AttributeKind::Weak),
            "ms_struct" | "scalar_storage_order" => Some(AttributeKind::ForeignLayout),
            "vector_size" => {
                let open = self.expect(Punct::LeftParen)?;
                let size = self.nested(Self::conditional)?;
                self.expect_close(Punct::RightParen, open)?;
                Some(AttributeKind::VectorSize(size))
            }
            "aligned" => {
                let mut value = None;
                if self.at(Punct::LeftParen) {
                    let open = self.advance().span;
                    value = Some(self.nested(Self::conditional)?);
                    self.expect_close(Punct::RightParen, open)?;
                }
                Some(AttributeKind::Aligned(value))
            }
            "mode" => {
                let open = self.expect(Punct::LeftParen)?;
                let mode = self.identifier()?;
                self.expect_close(Punct::RightParen, open)?;
                Some(AttributeKind::Mode(mode.symbol))
            }
            "cleanup" => {
                let open = self.expect(Punct::LeftParen)?;
                let function = self.identifier()?;
                self.expect_close(Punct::RightParen, open)?;
                Some(AttributeKind::Cleanup(function))
            }
            _ => None,
        };
        if self.at(Punct::LeftParen) {
            self.skip_group();
        }
        if let Some(kind) = kind {
            into.push(Attribute { kind, span: token.span });
        }
        Ok(())
    }
}
