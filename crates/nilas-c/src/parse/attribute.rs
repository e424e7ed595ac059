//! `__attribute__((…))`: the few attributes with a meaning are kept, all others skipped.

use super::{Parse, Parser};
use crate::ast::{Attribute, AttributeKind};
use crate::lex::{Keyword, Punct, TokenKind};

/// Sections of functions, or of pointers to them, that the loader runs before `main` or after it.
const RUN_SECTIONS: [&str; 7] =
    [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

/// Whether the loader runs what lies in a section; the linker sorts `.init_array.5` into `.init_array`.
fn runs_by_itself(section: &str) -> bool {
    let priority = |rest: &str| rest.strip_prefix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    RUN_SECTIONS
        .iter()
        .filter_map(|name| section.strip_prefix(name))
        .any(|rest| rest.is_empty() || priority(rest))
}

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
                let open = self.advance().span;
                let inner = self.expect(Punct::LeftBracket)?;
                while !self.at(Punct::RightBracket) && !self.at_end() {
                    if !self.eat(Punct::Comma) {
                        self.scoped_attribute(into)?;
                    }
                }
                self.expect_close(Punct::RightBracket, inner)?;
                self.expect_close(Punct::RightBracket, open)?;
            } else {
                return Ok(());
            }
        }
    }

    /// `gnu::packed`, `noreturn`: the attributes of other vendors mean nothing.
    fn scoped_attribute(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        if self.peek(1).kind != TokenKind::Punct(Punct::Colon) {
            return self.attribute(into);
        }
        let vendor = self.advance();
        let gnu = match vendor.kind {
            TokenKind::Ident(symbol) => matches!(self.symbols.text(symbol), "gnu" | "__gnu__"),
            _ => false,
        };
        self.expect(Punct::Colon)?;
        self.expect(Punct::Colon)?;
        if gnu { self.attribute(into) } else { self.attribute(&mut Vec::new()) }
    }

    /// The argument in parentheses, if there is one.
    fn optional_argument(&mut self) -> Parse<Option<crate::ast::ExprId>> {
        if !self.at(Punct::LeftParen) {
            return Ok(None);
        }
        let open = self.advance().span;
        let value = self.nested(Self::conditional)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(Some(value))
    }

    /// The string in parentheses.
    fn string_argument(&mut self) -> Parse<String> {
        let open = self.expect(Punct::LeftParen)?;
        let text = self.plain_string()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(text)
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
            "pure" | "const" => Some(AttributeKind::Pure),
            "returns_nonnull" => Some(AttributeKind::ReturnsNonnull),
            "gnu_inline" => Some(AttributeKind::GnuInline),
            "transparent_union" => Some(AttributeKind::TransparentUnion),
            "constructor" => Some(AttributeKind::Constructor(self.optional_argument()?)),
            "destructor" => Some(AttributeKind::Destructor(self.optional_argument()?)),
            "alias" => Some(AttributeKind::Alias(self.string_argument()?)),
            "ifunc" => Some(AttributeKind::Ifunc),
            "weak" => Some(AttributeKind::Weak),
            "weakref" => {
                let target = if self.at(Punct::LeftParen) { Some(self.string_argument()?) } else { None };
                Some(AttributeKind::WeakReference(target))
            }
            "section" if self.at(Punct::LeftParen) => {
                let name = self.string_argument()?;
                runs_by_itself(&name).then_some(AttributeKind::StartSection)
            }
            "ms_struct" | "scalar_storage_order" => Some(AttributeKind::ForeignLayout),
            "vector_size" => {
                let open = self.expect(Punct::LeftParen)?;
                let size = self.nested(Self::conditional)?;
                self.expect_close(Punct::RightParen, open)?;
                Some(AttributeKind::VectorSize(size))
            }
            "aligned" => Some(AttributeKind::Aligned(self.optional_argument()?)),
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
