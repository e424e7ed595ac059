//! External declarations, declarations in blocks, function definitions.

use super::{Failed, Parse, Parser};
use crate::ast::{
    Attribute, BlockItem, Declaration, Declarator, Derived, External, FunctionDefinition, InitDeclarator,
    Specifiers, TypeSpec,
};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;

/// What a list of declarators turned out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDefinition>),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) {
        while !self.at_end() {
            let start = self.pos;
            match self.external() {
                Ok(Some(external)) => self.ast.externals.push(external),
                Ok(None) => {}
                Err(Failed) => self.recover(start, true),
            }
        }
    }

    fn external(&mut self) -> Parse<Option<External>> {
        while self.eat_keyword(Keyword::Extension) {}
        if self.eat(Punct::Semicolon) {
            return Ok(None);
        }
        let start = self.span();
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(Some(External::StaticAssert(self.static_assert()?)));
        }
        if self.at_keyword(Keyword::Asm) {
            let asm = self.asm()?;
            self.expect(Punct::Semicolon)?;
            return Ok(Some(External::Asm(Box::new(asm), self.span_from(start))));
        }
        let plausible = matches!(
            self.token().kind,
            TokenKind::Ident(_) | TokenKind::Punct(Punct::Star | Punct::LeftParen)
        );
        if !plausible && !self.starts_specifiers(self.token()) {
            return Err(self.expected("a declaration"));
        }
        Ok(Some(match self.declaration(true)? {
            Declared::Declaration(declaration) => External::Declaration(declaration),
            Declared::Function(function) => External::Function(function),
        }))
    }

    /// A declaration or a nested function inside a block.
    pub(super) fn block_declaration(&mut self) -> Parse<BlockItem> {
        Ok(match self.declaration(false)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::Function(function),
        })
    }

    fn declaration(&mut self, outermost: bool) -> Parse<Declared> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        if self.eat(Punct::Semicolon) {
            return Ok(Declared::Declaration(Declaration { specifiers, declarators }));
        }
        loop {
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let declarator = self.declarator()?;
            self.check_named(&declarator)?;
            let asm_name = self.asm_name()?;
            self.attributes(&mut attributes)?;
            if declarators.is_empty() && self.is_function_body(&declarator, outermost) {
                let function = self.function_definition(specifiers, declarator, attributes, start)?;
                return Ok(Declared::Function(Box::new(function)));
            }
            if matches!(specifiers.ty, TypeSpec::Missing) && !self.at_declarator_end() {
                return Err(self.unknown_type(&declarator));
            }
            if let Some(name) = declarator.name {
                self.scopes.declare(name.symbol, specifiers.storage.is_typedef);
            }
            let init = if self.eat(Punct::Assign) { Some(self.nested(Self::initialiser)?) } else { None };
            declarators.push(InitDeclarator { declarator, attributes, asm_name, init });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semicolon)?;
        Ok(Declared::Declaration(Declaration { specifiers, declarators }))
    }

    fn at_declarator_end(&self) -> bool {
        self.at(Punct::Semicolon) || self.at(Punct::Comma) || self.at(Punct::Assign)
    }

    fn check_named(&mut self, declarator: &Declarator) -> Parse<()> {
        if declarator.name.is_some() {
            return Ok(());
        }
        Err(self.expected("the name of what is declared"))
    }

    /// `foo_t x;` without a typedef `foo_t` parses up to `x` as a variable `foo_t` of implicit type.
    fn unknown_type(&mut self, declarator: &Declarator) -> Failed {
        match (declarator.name, self.token().kind) {
            (Some(name), TokenKind::Ident(_) | TokenKind::Punct(Punct::Star)) => {
                let message = format!("unknown type name `{}`", self.symbols.text(name.symbol));
                self.report(crate::source::Diagnostic::error(name.span, message));
                Failed
            }
            _ => self.expected("`;`"),
        }
    }

    /// Whether a function's body, or the parameter declarations of an old-style definition, follow.
    fn is_function_body(&self, declarator: &Declarator, outermost: bool) -> bool {
        match declarator.derived.first() {
            Some(Derived::Function { .. }) => self.at(Punct::LeftBrace),
            Some(Derived::OldFunction { names, .. }) => {
                self.at(Punct::LeftBrace)
                    || (outermost && !names.is_empty() && self.starts_specifiers(self.token()))
            }
            _ => false,
        }
    }

    fn function_definition(
        &mut self,
        specifiers: Specifiers,
        declarator: Declarator,
        attributes: Vec<Attribute>,
        start: Span,
    ) -> Parse<FunctionDefinition> {
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, false);
        }
        self.scopes.push();
        let mut old_parameters = Vec::new();
        let result = self.function_rest(&declarator, &mut old_parameters);
        self.scopes.pop();
        let body = result?;
        Ok(FunctionDefinition {
            specifiers,
            declarator,
            attributes,
            old_parameters,
            body,
            span: self.span_from(start),
        })
    }

    fn function_rest(
        &mut self,
        declarator: &Declarator,
        old_parameters: &mut Vec<Declaration>,
    ) -> Parse<crate::ast::StmtId> {
        match declarator.derived.first() {
            Some(Derived::Function { parameters, .. }) => {
                for name in parameters.iter().filter_map(|p| p.declarator.name) {
                    self.scopes.declare(name.symbol, false);
                }
            }
            Some(Derived::OldFunction { names, .. }) => {
                for name in names {
                    self.scopes.declare(name.symbol, false);
                }
            }
            _ => {}
        }
        while !self.at(Punct::LeftBrace) && !self.at_end() {
            match self.declaration(false)? {
                Declared::Declaration(declaration) => old_parameters.push(declaration),
                Declared::Function(function) => {
                    return self.fail(function.span, "expected the declaration of a parameter");
                }
            }
        }
        self.nested(Self::block)
    }

    /// `asm("name")` behind a declarator.
    fn asm_name(&mut self) -> Parse<Option<String>> {
        if !self.eat_keyword(Keyword::Asm) {
            return Ok(None);
        }
        let open = self.expect(Punct::LeftParen)?;
        let name = self.plain_string()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(Some(name))
    }
}
