//! What VMT files and Horn scripts have in common: SMT-LIB declarations and definitions.
//!
//! Every declared name is an alias of a symbol that nothing else in the arena is called, so that variables
//! made on the way never meet a name of the user.

use nilas_program::Span;
use nilas_term::smtlib::sexpr::{Reader, Sexpr, Tree};
use nilas_term::smtlib::{Definition, ParseError, Scope, TermParser};
use nilas_term::{Arena, Op, Sort, SymbolId, Term};
use std::collections::BTreeSet;

pub(crate) type Result<T> = std::result::Result<T, ParseError>;

/// Where an expression stands.
pub(crate) fn span(text: &Sexpr<'_, '_>) -> Span {
    let range = text.span();
    Span::of_text(range.start, range.end)
}

/// The top-level expressions of a text.
pub(crate) fn commands(text: &str) -> impl Iterator<Item = Result<Tree<'_>>> {
    let mut reader = Reader::new(text);
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let read = reader.read().transpose();
        failed = matches!(read, Some(Err(_)));
        read
    })
}

/// A symbol that was declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) symbol: SymbolId,
    pub(crate) arguments: Vec<Sort>,
    /// The variable, where there are no arguments.
    pub(crate) variable: Option<Term>,
}

/// Declarations and definitions so far.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) arena: Arena,
    pub(crate) parser: TermParser,
    names: BTreeSet<String>,
}

impl Script {
    pub(crate) fn claim(&mut self, name: Sexpr<'_, '_>) -> Result<String> {
        let symbol = symbol(name)?;
        if !self.names.insert(symbol.to_owned()) {
            return Err(name.error(format!("`{}` is declared already", shorten(symbol))));
        }
        Ok(symbol.to_owned())
    }

    /// Declares a variable or function.
    pub(crate) fn declare(
        &mut self,
        name: Sexpr<'_, '_>,
        arguments: Vec<Sort>,
        result: Sort,
    ) -> Result<(String, Declared)> {
        let text = self.claim(name)?;
        let own = self.free_name(&text);
        let made = self.arena.declare(&own, arguments.clone(), result);
        let symbol = made.map_err(|error| name.error(error.message))?;
        let mut parameters = Vec::new();
        for sort in &arguments {
            parameters.push(self.arena.fresh_variable("parameter", sort));
        }
        let op = if arguments.is_empty() { Op::Var(symbol) } else { Op::Apply(symbol) };
        let body = self.arena.try_mk(op, &parameters).map_err(|error| name.error(error.message))?;
        let variable = arguments.is_empty().then_some(body);
        self.parser.define(&text, Definition { parameters, body });
        Ok((text, Declared { symbol, arguments, variable }))
    }

    /// A name that no symbol of the arena has, the given one if that is so.
    pub(crate) fn free_name(&self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 0_u64;
        while self.arena.lookup(&free).is_some() {
            free = format!("{name}!{number}");
            number += 1;
        }
        free
    }

    /// A term with local names that the caller keeps.
    pub(crate) fn term_in<'n, 't: 'n>(&mut self, text: Sexpr<'_, 't>, scope: &mut Scope<'n>) -> Result<Term> {
        let term = self.parser.parse_term_in(&mut self.arena, text, scope);
        for (name, body) in self.parser.take_named() {
            if self.names.insert(name.clone()) {
                self.parser.define(&name, Definition { parameters: Vec::new(), body });
            }
        }
        term
    }

    pub(crate) fn formula<'n, 't: 'n>(&mut self, text: Sexpr<'_, 't>, scope: &mut Scope<'n>) -> Result<Term> {
        let term = self.term_in(text, scope)?;
        match self.arena.sort(term) {
            Sort::Bool => Ok(term),
            sort => Err(text.error(format!("a formula has sort Bool, this has sort {sort}"))),
        }
    }

    /// Sorted variables, as binders and definitions have them, with fresh variables for them.
    pub(crate) fn sorted_variables<'t>(&mut self, text: Sexpr<'_, 't>) -> Result<Vec<(&'t str, Term)>> {
        let mut variables = Vec::new();
        for variable in list(text)? {
            let members: Vec<_> = variable.children().collect();
            let [name, sort] = exactly(variable, &members)?;
            let (name, sort) = (symbol(name)?, self.parser.parse_sort(sort)?);
            variables.push((name, self.arena.fresh_variable("v", &sort)));
        }
        Ok(variables)
    }

    fn define(
        &mut self,
        name: Sexpr<'_, '_>,
        locals: &[(&str, Term)],
        result: Sexpr<'_, '_>,
        body: Sexpr<'_, '_>,
    ) -> Result<Term> {
        let wanted = self.parser.parse_sort(result)?;
        let mut scope = Scope::default();
        for &(name, term) in locals {
            scope.bind(name, term);
        }
        let term = self.term_in(body, &mut scope)?;
        let found = self.arena.sort(term);
        if *found != wanted {
            return Err(body.error(format!("the body has sort {found}, but {wanted} is declared")));
        }
        // Only now, so that a definition cannot mention itself.
        let name = self.claim(name)?;
        let parameters = locals.iter().map(|&(_, term)| term).collect();
        self.parser.define(&name, Definition { parameters, body: term });
        Ok(term)
    }

    /// `define-fun` and `define-const`; returns the body and what it means.
    pub(crate) fn definition<'a, 't>(
        &mut self,
        command: Sexpr<'a, 't>,
        parts: &[Sexpr<'a, 't>],
        constant: bool,
    ) -> Result<(Sexpr<'a, 't>, Term)> {
        if constant {
            let [name, result, body] = exactly(command, parts)?;
            return Ok((body, self.define(name, &[], result, body)?));
        }
        let [name, parameters, result, body] = exactly(command, parts)?;
        let locals = self.sorted_variables(parameters)?;
        Ok((body, self.define(name, &locals, result, body)?))
    }

    /// Commands that mean the same in all scripts; `false` if it is none of them.
    pub(crate) fn common(
        &mut self,
        command: Sexpr<'_, '_>,
        name: &str,
        parts: &[Sexpr<'_, '_>],
    ) -> Result<bool> {
        match name {
            "set-info" | "set-option" | "get-info" | "get-model" | "get-proof" | "echo" => {}
            "declare-sort" => {
                let Some(&sort) = parts.first() else { return Err(command.error("name expected")) };
                if parts.get(1).is_some_and(|arity| arity.numeral() != Some(0)) {
                    return Err(parts[1].error("only sorts without parameters can be declared"));
                }
                let name = symbol(sort)?;
                self.parser.define_sort(name, Vec::new(), Sort::Uninterpreted(name.into()));
            }
            "define-sort" => {
                let [name, parameters, body] = exactly(command, parts)?;
                if list(parameters)?.next().is_some() {
                    return Err(parameters.error("sorts with parameters are not supported"));
                }
                let sort = self.parser.parse_sort(body)?;
                self.parser.define_sort(symbol(name)?, Vec::new(), sort);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The signature that `declare-fun` and `declare-const` give.
    pub(crate) fn signature<'a, 't>(
        &self,
        command: Sexpr<'a, 't>,
        parts: &[Sexpr<'a, 't>],
        constant: bool,
    ) -> Result<(Sexpr<'a, 't>, Vec<Sort>, Sort)> {
        if constant {
            let [name, sort] = exactly(command, parts)?;
            return Ok((name, Vec::new(), self.parser.parse_sort(sort)?));
        }
        let [name, arguments, result] = exactly(command, parts)?;
        let arguments = list(arguments)?.map(|sort| self.parser.parse_sort(sort)).collect::<Result<_>>()?;
        Ok((name, arguments, self.parser.parse_sort(result)?))
    }
}

/// The name and the parts of a command.
pub(crate) fn split<'a, 't>(command: Sexpr<'a, 't>) -> Result<(&'t str, Vec<Sexpr<'a, 't>>)> {
    let mut parts = command.children();
    match parts.next().as_ref().and_then(Sexpr::word) {
        Some(name) => Ok((name, parts.collect())),
        None => Err(command.error("command expected")),
    }
}

pub(crate) fn symbol<'t>(text: Sexpr<'_, 't>) -> Result<&'t str> {
    text.symbol().ok_or_else(|| text.error("name expected"))
}

pub(crate) fn list<'a, 't>(text: Sexpr<'a, 't>) -> Result<nilas_term::smtlib::sexpr::Children<'a, 't>> {
    if text.is_list() { Ok(text.children()) } else { Err(text.error("list expected")) }
}

pub(crate) fn exactly<'a, 't, const N: usize>(
    command: Sexpr<'a, 't>,
    parts: &[Sexpr<'a, 't>],
) -> Result<[Sexpr<'a, 't>; N]> {
    parts.try_into().map_err(|_| command.error(format!("{N} parts expected here, {} found", parts.len())))
}

/// A name for a message: not too long.
pub(crate) fn shorten(name: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = name.chars().take(LONGEST).collect();
    if name.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}

/// What a sort is not decided for, by name.
pub(crate) fn undecided(sort: &Sort) -> Option<&'static str> {
    match sort {
        Sort::Int => Some("Int"),
        Sort::Real => Some("Real"),
        Sort::Array(array) => undecided(&array.index).or_else(|| undecided(&array.element)),
        _ => None,
    }
}
