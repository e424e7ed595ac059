//! Declarators, turned inside out: a flat list of layers from the name outwards.

use super::specifiers::is_float_name;
use super::{Parse, Parser};
use crate::ast::{ArrayLength, Declarator, Derived, Name, Parameter, Qualifiers};
use crate::lex::{Keyword, Punct, Symbols, TokenKind};

impl Parser<'_> {
    /// A declarator with or without a name.
    pub(super) fn declarator(&mut self) -> Parse<Declarator> {
        self.nested(Self::declarator_inner)
    }

    fn declarator_inner(&mut self) -> Parse<Declarator> {
        let start = self.span();
        let mut attributes = Vec::new();
        let mut pointers = Vec::new();
        loop {
            self.attributes(&mut attributes)?;
            self.eat_keyword(Keyword::Extension);
            if !self.at(Punct::Star) && !self.at(Punct::Caret) {
                break;
            }
            if self.at(Punct::Caret) {
                return Err(self.expected("a declarator"));
            }
            self.advance();
            let mut qualifiers = Qualifiers::default();
            while self.qualifier(&mut qualifiers) || self.at_keyword(Keyword::Attribute) {
                self.attributes(&mut attributes)?;
            }
            pointers.push(Derived::Pointer(qualifiers));
            self.check_chain(pointers.len(), self.limits.depth)?;
        }
        let mut name = None;
        let mut derived = Vec::new();
        match self.token().kind {
            TokenKind::Ident(symbol) => {
                name = Some(Name { symbol, span: self.advance().span });
            }
            TokenKind::Keyword(keyword) if is_float_name(keyword) => {
                name = Some(Name { symbol: Symbols::of_keyword(keyword), span: self.advance().span });
            }
            TokenKind::Punct(Punct::LeftParen) if self.is_grouping() => {
                let open = self.advance().span;
                let inner = self.declarator()?;
                self.expect_close(Punct::RightParen, open)?;
                name = inner.name;
                derived = inner.derived;
                attributes.extend(inner.attributes);
            }
            _ => {}
        }
        loop {
            match self.token().kind {
                TokenKind::Punct(Punct::LeftBracket) => derived.push(self.nested(Self::array)?),
                TokenKind::Punct(Punct::LeftParen) => derived.push(self.nested(Self::function)?),
                _ => break,
            }
            self.check_chain(derived.len(), self.limits.depth)?;
        }
        derived.extend(pointers.into_iter().rev());
        self.check_chain(derived.len(), self.limits.depth)?;
        Ok(Declarator { name, derived, attributes, span: self.span_from(start) })
    }

    /// Refuses a chain that a later phase could not recurse over.
    pub(super) fn check_chain(&mut self, length: usize, limit: usize) -> Parse<()> {
        if length <= limit {
            return Ok(());
        }
        let span = self.span();
        self.report(crate::source::Diagnostic::error(span, format!("a chain of more than {limit} links")));
        self.stop();
        Err(super::Failed)
    }

    /// Whether a `(` here groups a declarator, rather than starting a parameter list of an abstract one.
    fn is_grouping(&self) -> bool {
        let next = self.peek(1);
        match next.kind {
            TokenKind::Punct(Punct::Star | Punct::LeftParen | Punct::LeftBracket | Punct::Caret) => true,
            TokenKind::Keyword(Keyword::Attribute) => true,
            TokenKind::Ident(symbol) => !self.scopes.is_typedef(symbol),
            _ => false,
        }
    }

    fn array(&mut self) -> Parse<Derived> {
        let open = self.expect(Punct::LeftBracket)?;
        let mut qualifiers = Qualifiers::default();
        while self.qualifier(&mut qualifiers) || self.eat_keyword(Keyword::Static) {}
        let length = if self.at(Punct::RightBracket) {
            ArrayLength::Missing
        } else if self.at(Punct::Star) && self.peek(1).kind == TokenKind::Punct(Punct::RightBracket) {
            self.advance();
            ArrayLength::Star
        } else {
            ArrayLength::Expr(self.nested(Self::assignment)?)
        };
        let close = self.expect_close(Punct::RightBracket, open)?;
        Ok(Derived::Array { length, qualifiers, span: open.to(close) })
    }

    fn function(&mut self) -> Parse<Derived> {
        let open = self.expect(Punct::LeftParen)?;
        self.scopes.push();
        let result = self.parameters(open);
        self.scopes.pop();
        result
    }

    fn parameters(&mut self, open: crate::source::Span) -> Parse<Derived> {
        if self.at(Punct::RightParen) {
            let span = open.to(self.advance().span);
            return Ok(Derived::OldFunction { names: Vec::new(), span });
        }
        if let TokenKind::Ident(symbol) = self.token().kind
            && !self.scopes.is_typedef(symbol)
            && matches!(self.peek(1).kind, TokenKind::Punct(Punct::Comma | Punct::RightParen))
        {
            let mut names = vec![self.identifier()?];
            while self.eat(Punct::Comma) {
                names.push(self.identifier()?);
            }
            let span = open.to(self.expect_close(Punct::RightParen, open)?);
            return Ok(Derived::OldFunction { names, span });
        }
        let mut parameters = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Punct::Ellipsis) {
                variadic = true;
                break;
            }
            if let TokenKind::Ident(symbol) = self.token().kind
                && !self.scopes.is_typedef(symbol)
            {
                let message = format!("unknown type name `{}`", self.symbols.text(symbol));
                let span = self.span();
                return self.fail(span, message);
            }
            if !self.starts_specifiers(self.token()) && !self.at_keyword(Keyword::Extension) {
                return Err(self.expected("a parameter"));
            }
            let specifiers = self.specifiers()?;
            let declarator = self.declarator()?;
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            if let Some(name) = declarator.name {
                self.scopes.declare(name.symbol, false);
            }
            parameters.push(Parameter { specifiers, declarator, attributes });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let close = self.expect_close(Punct::RightParen, open)?;
        Ok(Derived::Function { parameters, variadic, span: open.to(close) })
    }
}
