//! `struct`, `union` and `enum` specifiers.

use super::{Parse, Parser};
use crate::ast::{
    Declarator, EnumSpec, Enumerator, MemberDeclarator, MemberGroup, Name, RecordSpec, StaticAssert,
};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parse<RecordSpec> {
        let start = self.span();
        let is_union = self.advance().kind == TokenKind::Keyword(Keyword::Union);
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut members = None;
        let mut pack = None;
        if self.at(Punct::LeftBrace) {
            members = Some(self.member_groups()?);
            pack = self.lexed.pack.at(self.previous_span().start);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        Ok(RecordSpec { is_union, tag, members, attributes, pack, span: self.span_from(start) })
    }

    /// A tag may be spelled like a typedef name.
    fn tag(&mut self) -> Option<Name> {
        match self.token().kind {
            TokenKind::Ident(symbol) => {
                let span = self.advance().span;
                Some(Name { symbol, span })
            }
            _ => None,
        }
    }

    fn member_groups(&mut self) -> Parse<Vec<MemberGroup>> {
        let open = self.expect(Punct::LeftBrace)?;
        let mut groups = Vec::new();
        while !self.at(Punct::RightBrace) && !self.at_end() {
            if self.eat(Punct::Semicolon) || self.eat_keyword(Keyword::Extension) {
                continue;
            }
            if self.at_keyword(Keyword::StaticAssert) {
                groups.push(MemberGroup::StaticAssert(self.static_assert()?));
                continue;
            }
            groups.push(self.member_group()?);
        }
        self.expect_close(Punct::RightBrace, open)?;
        Ok(groups)
    }

    fn member_group(&mut self) -> Parse<MemberGroup> {
        if !self.starts_specifiers(self.token()) {
            return Err(match self.token().kind {
                TokenKind::Ident(symbol) => {
                    let message = format!("unknown type name `{}`", self.symbols.text(symbol));
                    let span = self.span();
                    self.report(crate::source::Diagnostic::error(span, message));
                    super::Failed
                }
                _ => self.expected("a member declaration"),
            });
        }
        let specifiers = self.specifiers()?;
        let mut members = Vec::new();
        if !self.at(Punct::Semicolon) && !self.at(Punct::RightBrace) {
            loop {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                let declarator = if self.at(Punct::Colon) {
                    let span = self.span();
                    Declarator { name: None, derived: Vec::new(), attributes: Vec::new(), span }
                } else {
                    self.declarator()?
                };
                let width = if self.eat(Punct::Colon) { Some(self.nested(Self::conditional)?) } else { None };
                self.attributes(&mut attributes)?;
                members.push(MemberDeclarator { declarator, width, attributes });
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        // GCC takes a last member without its semicolon.
        if !self.at(Punct::RightBrace) {
            self.expect(Punct::Semicolon)?;
        }
        Ok(MemberGroup::Members(specifiers, members))
    }

    pub(super) fn enumeration(&mut self) -> Parse<EnumSpec> {
        let start = self.span();
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut enumerators = None;
        if self.at(Punct::LeftBrace) {
            let open = self.advance().span;
            let mut list = Vec::new();
            while !self.at(Punct::RightBrace) {
                let name = self.identifier()?;
                self.attributes(&mut Vec::new())?;
                let value =
                    if self.eat(Punct::Assign) { Some(self.nested(Self::conditional)?) } else { None };
                self.scopes.declare(name.symbol, false);
                list.push(Enumerator { name, value });
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect_close(Punct::RightBrace, open)?;
            self.attributes(&mut attributes)?;
            enumerators = Some(list);
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        Ok(EnumSpec { tag, enumerators, attributes, span: self.span_from(start) })
    }

    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        self.advance();
        let open = self.expect(Punct::LeftParen)?;
        let condition = self.nested(Self::conditional)?;
        let message = if self.eat(Punct::Comma) { Some(self.plain_string()?) } else { None };
        self.expect_close(Punct::RightParen, open)?;
        self.expect(Punct::Semicolon)?;
        Ok(StaticAssert { condition, message })
    }
}
