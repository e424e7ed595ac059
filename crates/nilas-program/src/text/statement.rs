//! Parsing of statements.

use super::ast::{ArcText, CallText, Name, Site, Statement, StatementKind};
use super::expression::join;
use super::lexer::Kind;
use super::parser::{Parser, Result};
use crate::source::Span;

fn is_name(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Quoted)
}

impl<'t> Parser<'t> {
    /// `{ a; b; … }`
    pub(super) fn braces(&mut self) -> Result<Vec<Statement<'t>>> {
        self.enter()?;
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.peek()?.is("}") {
            statements.push(self.statement()?);
            let closed = matches!(
                statements.last().map(|statement| &statement.kind),
                Some(StatementKind::Choice(_) | StatementKind::Block(_))
            );
            if !self.eat(";")? && !closed && !self.peek()?.is("}") {
                return Err(self.unexpected("`;` or `}`"));
            }
        }
        self.advance()?;
        self.leave();
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement<'t>> {
        let start = self.peek()?;
        if start.is("{") {
            let mut parts = vec![self.braces()?];
            while self.eat("[]")? {
                if !self.peek()?.is("{") {
                    return Err(self.unexpected("`{`"));
                }
                parts.push(self.braces()?);
            }
            return Ok(Statement { kind: StatementKind::Choice(parts), span: start.span });
        }
        if start.is("block") && self.peek_second()?.is("{") {
            return self.block();
        }
        self.basic()
    }

    fn basic(&mut self) -> Result<Statement<'t>> {
        let start = self.peek()?;
        let (kind, end) = if start.is("skip") {
            self.advance()?;
            (StatementKind::Skip, start.span)
        } else if start.is("assume") {
            self.advance()?;
            let condition = self.expression()?;
            let end = condition.span();
            (StatementKind::Assume(condition), end)
        } else if start.is("havoc") {
            self.advance()?;
            let name = self.name("a variable")?;
            let site = self.site()?;
            let end = site.map_or(name.span, |site| site.span);
            (StatementKind::Havoc(name, site), end)
        } else if start.is("call") && is_name(self.peek_second()?.kind) {
            self.call(Vec::new())?
        } else if is_name(start.kind) {
            let name = self.name("a statement")?;
            if self.peek()?.is(",") {
                let mut names = vec![name];
                while self.eat(",")? {
                    names.push(self.name("a variable")?);
                }
                self.expect(":=")?;
                let (kind, end) = self.call(names)?;
                return Ok(Statement { kind, span: join(start.span, end) });
            }
            if !self.peek()?.is(":=") {
                let error = self.unexpected("`:=`");
                return Err(
                    error.with_hint("statements are `assume e`, `x := e`, `havoc x`, `skip` and `call f()`")
                );
            }
            self.advance()?;
            if self.peek()?.is("call") && is_name(self.peek_second()?.kind) {
                self.call(vec![name])?
            } else {
                let value = self.expression()?;
                let end = value.span();
                (StatementKind::Assign(name, value), end)
            }
        } else {
            return Err(self.unexpected("a statement"));
        };
        Ok(Statement { kind, span: join(start.span, end) })
    }

    /// `call f(a, b)`; `call` is a word of the format only where a name follows.
    fn call(&mut self, results: Vec<Name>) -> Result<(StatementKind<'t>, Span)> {
        self.expect("call")?;
        let callee = self.any_name("a procedure")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.peek()?.is(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        let end = self.advance()?.span;
        Ok((StatementKind::Call(CallText { callee, arguments, results }), end))
    }

    /// `@` and the number of a `havoc`'s site.
    pub(super) fn site(&mut self) -> Result<Option<Site>> {
        if !self.eat("@")? {
            return Ok(None);
        }
        let (number, span) = self.count("the number of a site")?;
        Ok(Some(Site { number: number as usize, span }))
    }

    /// `block { 0 -> 1: assume e; … }`
    fn block(&mut self) -> Result<Statement<'t>> {
        let start = self.advance()?;
        self.expect("{")?;
        let mut arcs = Vec::new();
        while !self.peek()?.is("}") {
            let (source, source_span) = self.count("the number of a node")?;
            self.expect("->")?;
            let (target, target_span) = self.count("the number of a node")?;
            self.expect(":")?;
            let basic = self.basic()?;
            let (source, target) = ((source as usize, source_span), (target as usize, target_span));
            arcs.push(ArcText { source, target, basic });
            if !self.eat(";")? && !self.peek()?.is("}") {
                return Err(self.unexpected("`;` or `}`"));
            }
        }
        self.advance()?;
        Ok(Statement { kind: StatementKind::Block(arcs), span: start.span })
    }
}
