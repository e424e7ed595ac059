//! Parsing of expressions: operator precedence with explicit stacks; only brackets and `?:` recurse, to a
//! bounded depth.

use super::ast::{Expression, Node, NodeKind};
use super::lexer::{Kind, Token};
use super::message::shorten;
use super::parser::{Parser, Result};
use crate::source::Diagnostic;
use crate::source::Span;
use num_bigint::BigInt;

/// More digits than that are refused: reading decimal numbers takes quadratic time.
const MOST_DIGITS: usize = 20_000;

/// How tightly a binary operator binds. Unlike in C, `&`, `^` and `|` bind tighter than comparisons.
fn precedence(operator: &str) -> Option<u32> {
    Some(match operator {
        "=>" => 1,
        "||" => 2,
        "&&" => 3,
        "==" | "!=" | "<u" | "<=u" | ">u" | ">=u" | "<s" | "<=s" | ">s" | ">=s" | "<" | "<=" | ">" | ">=" => {
            COMPARISON
        }
        "|" => 5,
        "^" => 6,
        "&" => 7,
        "<<" | ">>u" | ">>s" | ">>" => 8,
        "++" => 9,
        "+" | "-" => 10,
        "*" | "/u" | "/s" | "%u" | "%s" | "/" | "%" => 11,
        _ => return None,
    })
}

const COMPARISON: u32 = 4;

/// The smallest span with both.
pub(super) fn join(left: Span, right: Span) -> Span {
    Span { end: right.end.max(left.end), ..left }
}

impl<'t> Parser<'t> {
    pub(super) fn expression(&mut self) -> Result<Expression<'t>> {
        let mut expression = Expression::default();
        self.ternary(&mut expression)?;
        Ok(expression)
    }

    /// `a`, or `a ? b : c`; the root's position.
    fn ternary(&mut self, out: &mut Expression<'t>) -> Result<usize> {
        self.enter()?;
        let condition = self.binary(out)?;
        let root = if self.eat("?")? {
            let then = self.ternary(out)?;
            self.expect(":")?;
            let otherwise = self.ternary(out)?;
            out.push(NodeKind::Ite, vec![condition, then, otherwise])
        } else {
            condition
        };
        self.leave();
        Ok(root)
    }

    fn binary(&mut self, out: &mut Expression<'t>) -> Result<usize> {
        let mut operands = vec![self.unary(out)?];
        let mut operators: Vec<(&'t str, u32)> = Vec::new();
        loop {
            let token = self.peek()?;
            let precedence = if token.kind == Kind::Punct { precedence(token.text) } else { None };
            while let Some(&(top, above)) = operators.last()
                && precedence.is_none_or(|precedence| {
                    // The same conjunction goes on, and implications group to the right.
                    above > precedence || above == precedence && !matches!(top, "&&" | "||" | "=>")
                })
            {
                if precedence == Some(COMPARISON) && above == COMPARISON {
                    let error = Diagnostic::error(token.span, "comparisons cannot be chained");
                    return Err(error.with_hint("use `&&`, or parentheses to compare truth values"));
                }
                reduce(out, &mut operands, &mut operators);
            }
            let Some(precedence) = precedence else { break };
            operators.push((token.text, precedence));
            self.advance()?;
            operands.push(self.unary(out)?);
        }
        Ok(operands.pop().unwrap_or(0))
    }

    fn unary(&mut self, out: &mut Expression<'t>) -> Result<usize> {
        let mut prefixes: Vec<Token<'t>> = Vec::new();
        loop {
            let token = self.peek()?;
            if !(token.is("-") || token.is("~") || token.is("!")) {
                break;
            }
            prefixes.push(token);
            self.advance()?;
        }
        let operand_is_number = self.peek()?.kind == Kind::Number;
        let mut root = self.postfix(out)?;
        // A minus before a number belongs to it: -128 is an 8-bit number although 128 is no signed one.
        if operand_is_number
            && let Some(minus) = prefixes.last().filter(|token| token.is("-")).copied()
            && let NodeKind::Literal(value, _) = &mut out.nodes[root].kind
        {
            *value = -std::mem::take(value);
            out.nodes[root].span = join(minus.span, out.nodes[root].span);
            prefixes.pop();
        }
        while let Some(prefix) = prefixes.pop() {
            root = out.push(NodeKind::Unary(prefix.text), vec![root]);
            out.nodes[root].span = join(prefix.span, out.nodes[root].span);
        }
        Ok(root)
    }

    /// A primary expression with any number of `[…]` behind it.
    fn postfix(&mut self, out: &mut Expression<'t>) -> Result<usize> {
        let mut root = self.primary(out)?;
        while self.peek()?.is("[") {
            self.advance()?;
            let first = self.peek()?;
            let index = self.ternary(out)?;
            root = if self.eat(":=")? {
                let element = self.ternary(out)?;
                out.push(NodeKind::Store, vec![root, index, element])
            } else if self.eat(":")? {
                let second = self.peek()?;
                let low = self.ternary(out)?;
                let (high, low) = (out.bit_number(index, first.span)?, out.bit_number(low, second.span)?);
                out.push(NodeKind::Extract(high, low), vec![root])
            } else {
                out.push(NodeKind::Select, vec![root, index])
            };
            let end = self.expect("]")?;
            out.nodes[root].span = join(out.nodes[root].span, end.span);
        }
        Ok(root)
    }

    fn primary(&mut self, out: &mut Expression<'t>) -> Result<usize> {
        let token = self.peek()?;
        let kind = match token.kind {
            Kind::Number if token.text.contains('.') => NodeKind::Decimal(token.text),
            Kind::Number => return self.number(out, token),
            Kind::Bits => NodeKind::Bits(token.text),
            Kind::Smt => NodeKind::Smt(token.text),
            Kind::Name if token.text == "true" || token.text == "false" => {
                NodeKind::Bool(token.text == "true")
            }
            Kind::Name if token.text == "zext" || token.text == "sext" => return self.extension(out, token),
            Kind::Name | Kind::Quoted => {
                let name = self.name("a variable")?.text;
                if self.peek()?.is("(") {
                    return self.application(out, token, name);
                }
                return Ok(out.leaf(NodeKind::Variable(name), token.span));
            }
            Kind::Punct if token.text == "(" => {
                self.advance()?;
                let root = self.ternary(out)?;
                self.expect(")")?;
                return Ok(root);
            }
            Kind::Punct | Kind::End => return Err(self.unexpected("an expression")),
        };
        self.advance()?;
        Ok(out.leaf(kind, token.span))
    }

    /// A number, and its sort if one is written right behind it.
    fn number(&mut self, out: &mut Expression<'t>, token: Token<'t>) -> Result<usize> {
        let value = parse_number(token.text).map_err(|message| Diagnostic::error(token.span, message))?;
        self.advance()?;
        let (colon, name) = (self.peek()?, self.peek_second()?);
        let is_sort = name.text == "int" || name.text == "real" || name.text.starts_with("bv");
        let mut span = token.span;
        let mut sort = None;
        if colon.is(":") && colon.glued && name.glued && name.kind == Kind::Name && is_sort {
            self.advance()?;
            span = join(span, name.span);
            sort = Some(self.sort()?);
        }
        Ok(out.leaf(NodeKind::Literal(value, sort), span))
    }

    /// `zext(e, w)` or `sext(e, w)`.
    fn extension(&mut self, out: &mut Expression<'t>, token: Token<'t>) -> Result<usize> {
        self.advance()?;
        self.expect("(")?;
        let child = self.ternary(out)?;
        self.expect(",")?;
        let width = self.peek()?;
        let number = self.ternary(out)?;
        let width = out.bit_number(number, width.span)?;
        let end = self.expect(")")?;
        let root = out.push(NodeKind::Extend(token.text == "sext", width), vec![child]);
        out.nodes[root].span = join(token.span, end.span);
        Ok(root)
    }

    fn application(&mut self, out: &mut Expression<'t>, token: Token<'t>, name: String) -> Result<usize> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.peek()?.is(")") {
            arguments.push(self.ternary(out)?);
            if !self.eat(",")? {
                break;
            }
        }
        let end = self.expect(")")?;
        let root = out.push(NodeKind::Apply(name), arguments);
        out.nodes[root].span = join(token.span, end.span);
        Ok(root)
    }
}

/// Makes a node of the operator on top; of a whole run of the same `&&` or `||`.
fn reduce<'t>(out: &mut Expression<'t>, operands: &mut Vec<usize>, operators: &mut Vec<(&'t str, u32)>) {
    let Some((operator, _)) = operators.pop() else { return };
    let mut count = 2;
    if matches!(operator, "&&" | "||") {
        while operators.last().is_some_and(|(top, _)| *top == operator) {
            operators.pop();
            count += 1;
        }
    }
    let children = operands.split_off(operands.len().saturating_sub(count));
    operands.push(out.push(NodeKind::Binary(operator), children));
}

pub(super) fn parse_number(text: &str) -> std::result::Result<BigInt, String> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    if radix == 10 && digits.len() > MOST_DIGITS {
        return Err(format!("a decimal number of {} digits; at most {MOST_DIGITS} are read", digits.len()));
    }
    let good = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let number = good.then(|| BigInt::parse_bytes(digits.as_bytes(), radix)).flatten();
    number.ok_or_else(|| format!("`{}` is not a number", shorten(text)))
}

impl<'t> Expression<'t> {
    fn leaf(&mut self, kind: NodeKind<'t>, span: Span) -> usize {
        self.nodes.push(Node { kind, children: Vec::new(), span });
        self.nodes.len() - 1
    }

    fn push(&mut self, kind: NodeKind<'t>, children: Vec<usize>) -> usize {
        let first = children.first().map_or_else(Span::default, |&child| self.nodes[child].span);
        let span = children.last().map_or(first, |&child| join(first, self.nodes[child].span));
        self.nodes.push(Node { kind, children, span });
        self.nodes.len() - 1
    }

    /// The value of a plain number that was just parsed as an expression, which goes away.
    fn bit_number(&mut self, root: usize, span: Span) -> Result<u32> {
        // Nothing refers to the node any more; a truth value needs no sort from its context.
        match std::mem::replace(&mut self.nodes[root].kind, NodeKind::Bool(true)) {
            NodeKind::Literal(value, None) => u32::try_from(value).ok(),
            _ => None,
        }
        .ok_or_else(|| Diagnostic::error(span, "a plain number is expected here"))
    }

    pub(super) fn span(&self) -> Span {
        self.nodes.last().map_or_else(Span::default, |node| node.span)
    }
}
