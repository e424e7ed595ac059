//! From parsed expressions to terms.
//!
//! Three loops over an expression, whose children stand before their parents: upwards, what sorts are known;
//! downwards, what numbers take from their context; upwards again, terms and errors. A node with an error
//! has no term, and what contains it says nothing more about it.

use super::ast::{Expression, Node, NodeKind};
use super::message::{nearest, shorten};
use super::words::sort_text;
use crate::source::Diagnostic;
use crate::source::Span;
use nilas_term::smtlib::TermParser;
use nilas_term::smtlib::sexpr::Reader;
use nilas_term::{Arena, BitVec, Op, Sort, SymbolId, Term, Value};
use std::collections::BTreeMap;

/// What names mean.
#[derive(Default)]
pub(super) struct Names {
    pub(super) variables: BTreeMap<String, Term>,
    pub(super) functions: BTreeMap<String, SymbolId>,
    pub(super) smt: TermParser,
    /// Unknown names are not reported: their declarations may have been lost.
    pub(super) silent: bool,
}

/// The term of an expression of a known sort; `None` when there are errors.
pub(super) fn term_of(
    arena: &mut Arena,
    names: &mut Names,
    expression: &Expression<'_>,
    expected: &Sort,
    errors: &mut Vec<Diagnostic>,
) -> Option<Term> {
    let mut typing =
        Typing { arena, names, expression, sorts: Vec::new(), early: Vec::new(), blurred: false, errors };
    typing.infer();
    let wanted = typing.push_down(expected);
    let term = typing.build(&wanted)?;
    let found = typing.arena.sort(term).clone();
    if found != *expected {
        let message = format!("this has sort {}, {} is expected", sort_text(&found), sort_text(expected));
        let mut error = Diagnostic::error(expression.span(), message);
        if *expected == Sort::Bool {
            error.hint = Some("compare it with something, as in `x != 0`".to_owned());
        }
        typing.errors.push(error);
        return None;
    }
    Some(term)
}

pub(super) struct Typing<'a, 't> {
    pub(super) arena: &'a mut Arena,
    names: &'a mut Names,
    expression: &'a Expression<'t>,
    /// What is known of each node's sort from below.
    sorts: Vec<Option<Sort>>,
    /// Terms of leaves, made while inferring.
    early: Vec<Option<Term>>,
    /// Whether a leaf has no sort because of an error: numbers beside it are not to blame then.
    pub(super) blurred: bool,
    pub(super) errors: &'a mut Vec<Diagnostic>,
}

fn is_comparison(operator: &str) -> bool {
    operator.starts_with(['<', '>', '=', '!']) && !matches!(operator, "<<" | ">>" | ">>u" | ">>s" | "=>")
}

fn is_logical(operator: &str) -> bool {
    matches!(operator, "&&" | "||" | "=>")
}

impl Typing<'_, '_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn infer(&mut self) {
        for node in &self.expression.nodes {
            let term = self.leaf(node);
            let expected = matches!(node.kind, NodeKind::Variable(_) | NodeKind::Bits(_) | NodeKind::Smt(_));
            self.blurred |= expected && term.is_none();
            let sort = match term {
                Some(term) => Some(self.arena.sort(term).clone()),
                None => self.known(node),
            };
            self.sorts.push(sort);
            self.early.push(term);
        }
    }

    /// The terms of leaves other than numbers.
    fn leaf(&mut self, node: &Node<'_>) -> Option<Term> {
        match &node.kind {
            NodeKind::Bool(value) => Some(self.arena.mk_bool(*value)),
            NodeKind::Variable(name) => {
                let known = self.names.variables.get(name).copied();
                if known.is_none() && !self.names.silent {
                    let near = nearest(name, self.names.variables.keys().map(String::as_str));
                    let mut error =
                        Diagnostic::error(node.span, format!("unknown variable `{}`", shorten(name)));
                    error.hint = near.map(|near| format!("did you mean `{}`?", shorten(near)));
                    self.errors.push(error);
                }
                known
            }
            NodeKind::Bits(text) => {
                let radix = if text.starts_with("#x") { 16 } else { 2 };
                let digits = text.get(2..).unwrap_or_default();
                let width = digits.len() * if radix == 16 { 4 } else { 1 };
                let width =
                    u32::try_from(width).ok().filter(|width| (1..=nilas_term::MAX_WIDTH).contains(width));
                let number = num_bigint::BigUint::parse_bytes(digits.as_bytes(), radix);
                let good = (text.starts_with("#x") || text.starts_with("#b"))
                    && digits.chars().all(|c| c.is_digit(radix));
                match (width, number) {
                    (Some(width), Some(number)) if good => {
                        Some(self.arena.constant(Value::BitVec(BitVec::from_big(width, number))))
                    }
                    _ => {
                        self.error("not a bit-vector: `#x` or `#b` and digits are expected", node.span);
                        None
                    }
                }
            }
            NodeKind::Smt(text) => self.smt(text, node.span),
            _ => None,
        }
    }

    fn smt(&mut self, text: &str, span: Span) -> Option<Term> {
        let inner = &text[1..text.len() - 1];
        let mut reader = Reader::new(inner);
        let parsed = reader.read().and_then(|tree| match tree {
            None => Err(nilas_term::smtlib::ParseError::new(0, "a term is expected")),
            Some(tree) => match reader.read()? {
                Some(rest) => Err(rest.root().error("one term is expected")),
                None => self.names.smt.parse_term(self.arena, tree.root(), &[]),
            },
        });
        match parsed {
            Ok(term) => Some(term),
            Err(error) => {
                let at = span.start as usize + 1 + error.offset.min(inner.len());
                let mut diagnostic = Diagnostic::error(Span::of_text(at, at), error.message);
                diagnostic.hint = error.hint;
                self.errors.push(diagnostic);
                None
            }
        }
    }

    /// What is known of a node's sort from its children.
    fn known(&self, node: &Node<'_>) -> Option<Sort> {
        let child = |index: usize| self.sorts[node.children[index]].clone();
        match &node.kind {
            NodeKind::Literal(_, sort) => sort.clone(),
            NodeKind::Unary("!") => Some(Sort::Bool),
            NodeKind::Unary(_) | NodeKind::Store => child(0),
            NodeKind::Binary(operator) if is_comparison(operator) || is_logical(operator) => Some(Sort::Bool),
            NodeKind::Binary("++") => match (child(0)?, child(1)?) {
                (Sort::BitVec(high), Sort::BitVec(low)) => high.checked_add(low).map(Sort::BitVec),
                _ => None,
            },
            NodeKind::Binary(_) => child(0).or_else(|| child(1)),
            NodeKind::Ite => child(1).or_else(|| child(2)),
            NodeKind::Extract(high, low) => {
                high.checked_sub(*low).map(|width| Sort::BitVec(width.saturating_add(1)))
            }
            NodeKind::Extend(_, width) => Some(Sort::BitVec(*width)),
            NodeKind::Select => match child(0)? {
                Sort::Array(array) => Some(array.element.clone()),
                _ => None,
            },
            NodeKind::Apply(name) => {
                let symbol = self.names.functions.get(name)?;
                Some(self.arena.signature(*symbol).result.clone())
            }
            _ => None,
        }
    }

    /// What each node's context expects of it; numbers take it as theirs.
    fn push_down(&self, expected: &Sort) -> Vec<Option<Sort>> {
        let nodes = &self.expression.nodes;
        let mut wanted: Vec<Option<Sort>> = vec![None; nodes.len()];
        if let Some(root) = wanted.last_mut() {
            *root = Some(expected.clone());
        }
        for (index, node) in nodes.iter().enumerate().rev() {
            let known = |child: usize| self.sorts[node.children[child]].clone();
            let own = || self.sorts[index].clone().or_else(|| wanted[index].clone());
            let children: Vec<Option<Sort>> = match &node.kind {
                NodeKind::Unary("!") => vec![Some(Sort::Bool)],
                NodeKind::Unary(_) => vec![own()],
                NodeKind::Binary(operator) if is_logical(operator) => {
                    vec![Some(Sort::Bool); node.children.len()]
                }
                NodeKind::Binary(operator) if is_comparison(operator) => {
                    vec![known(0).or_else(|| known(1)); 2]
                }
                NodeKind::Binary("++") => vec![None; 2],
                NodeKind::Binary(_) => vec![own(); 2],
                NodeKind::Ite => vec![Some(Sort::Bool), own(), own()],
                NodeKind::Select | NodeKind::Store => {
                    let (index, element) = match known(0).or_else(|| wanted[index].clone()) {
                        Some(Sort::Array(array)) => (Some(array.index.clone()), Some(array.element.clone())),
                        _ => (None, None),
                    };
                    vec![None, index, element]
                }
                NodeKind::Apply(name) => match self.names.functions.get(name) {
                    Some(symbol) => {
                        self.arena.signature(*symbol).arguments.iter().cloned().map(Some).collect()
                    }
                    None => Vec::new(),
                },
                _ => Vec::new(),
            };
            for (&child, sort) in node.children.iter().zip(children) {
                wanted[child] = sort;
            }
        }
        wanted
    }

    fn build(&mut self, wanted: &[Option<Sort>]) -> Option<Term> {
        let mut terms: Vec<Option<Term>> = Vec::with_capacity(wanted.len());
        for (index, node) in self.expression.nodes.iter().enumerate() {
            let early = self.early[index];
            let children: Option<Vec<Term>> = node.children.iter().map(|&child| terms[child]).collect();
            let term = match (&node.kind, children) {
                _ if early.is_some() => early,
                (NodeKind::Literal(value, sort), _) => {
                    let sort = sort.as_ref().or(wanted[index].as_ref());
                    self.literal(value, sort, node.span)
                }
                (NodeKind::Decimal(text), _) => self.decimal(text, wanted[index].as_ref(), node.span),
                (_, Some(children)) => self.operator(node, &children),
                (_, None) => None,
            };
            terms.push(term);
        }
        terms.last().copied().flatten()
    }

    fn operator(&mut self, node: &Node<'_>, children: &[Term]) -> Option<Term> {
        match (&node.kind, children) {
            (NodeKind::Unary(operator), &[child]) => self.unary(operator, node, child),
            (NodeKind::Binary(operator), _) if is_logical(operator) => {
                for (&index, &child) in node.children.iter().zip(children) {
                    let span = self.expression.nodes[index].span;
                    self.check(child, &Sort::Bool, span)?;
                }
                Some(match *operator {
                    "&&" => self.arena.and(children),
                    "||" => self.arena.or(children),
                    _ => self.arena.implies(children[0], children[1]),
                })
            }
            (NodeKind::Binary(operator), &[left, right]) => self.binary(operator, node, left, right),
            (NodeKind::Ite, &[condition, then, otherwise]) => {
                self.check(condition, &Sort::Bool, self.span_of(node, 0))?;
                let sort = self.arena.sort(then).clone();
                self.check(otherwise, &sort, self.span_of(node, 2))?;
                Some(self.arena.ite(condition, then, otherwise))
            }
            (NodeKind::Extend(signed, width), &[child]) => {
                let Sort::BitVec(from) = *self.arena.sort(child) else {
                    return self.not_bits(child, self.span_of(node, 0));
                };
                let Some(by) = width.checked_sub(from) else {
                    self.error(
                        format!("this has {from} bits already, {width} are asked for"),
                        self.span_of(node, 0),
                    );
                    return None;
                };
                let op = if *signed { Op::SignExtend(by) } else { Op::ZeroExtend(by) };
                if by == 0 { Some(child) } else { self.make(op, children, node.span) }
            }
            (NodeKind::Extract(hi, lo), _) => {
                self.make(Op::Extract { hi: *hi, lo: *lo }, children, node.span)
            }
            (NodeKind::Select, _) => self.make(Op::Select, children, node.span),
            (NodeKind::Store, _) => self.make(Op::Store, children, node.span),
            (NodeKind::Apply(name), _) => match self.names.functions.get(name) {
                Some(&symbol) => self.make(Op::Apply(symbol), children, node.span),
                None => {
                    if !self.names.silent {
                        let error =
                            Diagnostic::error(node.span, format!("unknown function `{}`", shorten(name)));
                        self.errors.push(error.with_hint("declare it, as in `fun f(bv8, bv8) : bool`"));
                    }
                    None
                }
            },
            _ => None,
        }
    }

    pub(super) fn span_of(&self, node: &Node<'_>, child: usize) -> Span {
        self.expression.nodes[node.children[child]].span
    }

    pub(super) fn make(&mut self, op: Op, children: &[Term], span: Span) -> Option<Term> {
        match self.arena.try_mk(op, children) {
            Ok(term) => Some(term),
            Err(error) => {
                self.error(error.message, span);
                None
            }
        }
    }

    fn check(&mut self, term: Term, sort: &Sort, span: Span) -> Option<()> {
        let found = self.arena.sort(term);
        if found == sort {
            return Some(());
        }
        let message = format!("this has sort {}, {} is expected", sort_text(found), sort_text(sort));
        self.error(message, span);
        None
    }

    pub(super) fn not_bits<T>(&mut self, term: Term, span: Span) -> Option<T> {
        let found = sort_text(self.arena.sort(term));
        self.error(format!("this has sort {found}, a bit-vector is expected"), span);
        None
    }
}
