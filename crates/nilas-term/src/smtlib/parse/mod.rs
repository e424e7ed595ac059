//! Reading of terms.
//!
//! Names are looked up in this order: local bindings (`let` and those the caller gives), definitions,
//! symbols of the theories, symbols declared in the arena. A name between bars is looked up in the arena
//! before the theories, so that a variable called `and` can be told from the operator.

use super::numbers;
use super::sexpr::{Children, ParseError, Reader, Sexpr};
use super::sorts::SortDefinition;
use super::theory;
use crate::arena::Arena;
use crate::op::Op;
use crate::sort::Sort;
use crate::subst::Substitution;
use crate::term::Term;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The term that a text denotes, over the symbols declared in the arena.
///
/// # Errors
/// When the text is not exactly one well-sorted term.
pub fn parse_term(arena: &mut Arena, text: &str) -> Result<Term, ParseError> {
    let mut reader = Reader::new(text);
    let tree = reader.read()?.ok_or_else(|| ParseError::new(0, "term expected, nothing found"))?;
    if let Some(rest) = reader.read()? {
        return Err(rest.root().error("end expected after the term"));
    }
    TermParser::for_arena(arena).parse_term(arena, tree.root(), &[])
}

/// A name for a term, with parameters: what `define-fun` makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Variables that stand for the arguments in the body; nothing else should use them.
    pub parameters: Vec<Term>,
    /// The meaning.
    pub body: Term,
}

/// Makes sorts and terms of s-expressions; knows definitions, of which it expands the uses.
#[derive(Clone, Debug, Default)]
pub struct TermParser {
    definitions: BTreeMap<String, Definition>,
    pub(super) sorts: BTreeMap<String, SortDefinition>,
    named: Vec<(String, Term)>,
}

impl TermParser {
    /// A parser without definitions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser that knows the uninterpreted sorts of the symbols of an arena.
    #[must_use]
    pub fn for_arena(arena: &Arena) -> Self {
        let mut parser = Self::default();
        for signature in arena.symbols() {
            for sort in signature.arguments.iter().chain([&signature.result]) {
                parser.declare_sorts_of(sort);
            }
        }
        parser
    }

    fn declare_sorts_of(&mut self, sort: &Sort) {
        match sort {
            Sort::Uninterpreted(name) => self.declare_sort(name),
            Sort::Array(array) => {
                self.declare_sorts_of(&array.index);
                self.declare_sorts_of(&array.element);
            }
            _ => {}
        }
    }

    /// Defines a name; returns what it meant before.
    pub fn define(&mut self, name: &str, definition: Definition) -> Option<Definition> {
        self.definitions.insert(name.to_owned(), definition)
    }

    /// Forgets a definition.
    pub fn undefine(&mut self, name: &str) -> Option<Definition> {
        self.definitions.remove(name)
    }

    /// What a name is defined to be.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions.get(name)
    }

    /// The terms that `(! t :named n)` named since the last call, in order. The names are not defined yet.
    pub fn take_named(&mut self) -> Vec<(String, Term)> {
        std::mem::take(&mut self.named)
    }

    /// The term that an expression denotes, with names for some terms; later ones hide earlier ones.
    ///
    /// # Errors
    /// When it is not a well-sorted term.
    pub fn parse_term(
        &mut self,
        arena: &mut Arena,
        text: Sexpr<'_, '_>,
        locals: &[(String, Term)],
    ) -> Result<Term, ParseError> {
        let mut scope = Scope::default();
        for (name, term) in locals {
            scope.bind(name, *term);
        }
        self.parse_term_in(arena, text, &mut scope)
    }

    /// The same with names that the caller keeps between terms. An error may leave names of `let` behind.
    ///
    /// # Errors
    /// When it is not a well-sorted term.
    pub fn parse_term_in<'n, 't: 'n>(
        &mut self,
        arena: &mut Arena,
        text: Sexpr<'_, 't>,
        scope: &mut Scope<'n>,
    ) -> Result<Term, ParseError> {
        let mut machine = Machine { parser: self, arena, scope, values: Vec::new(), frames: Vec::new() };
        machine.run(text)
    }
}

/// Local names, innermost last.
#[derive(Clone, Debug, Default)]
pub struct Scope<'n> {
    terms: FxHashMap<&'n str, Vec<Term>>,
    order: Vec<&'n str>,
}

impl<'n> Scope<'n> {
    /// Gives a term a name, which hides what had it before.
    pub fn bind(&mut self, name: &'n str, term: Term) {
        self.terms.entry(name).or_default().push(term);
        self.order.push(name);
    }

    /// How many names there are.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.order.len()
    }

    /// Forgets all but the oldest names.
    pub fn leave(&mut self, length: usize) {
        for name in self.order.drain(length..) {
            if let Some(terms) = self.terms.get_mut(name) {
                terms.pop();
            }
        }
    }

    fn get(&self, name: &str) -> Option<Term> {
        self.terms.get(name).and_then(|terms| terms.last()).copied()
    }
}

/// What waits for a value.
enum Frame<'a, 't> {
    /// An application whose arguments are read one by one.
    Apply { head: Sexpr<'a, 't>, rest: Children<'a, 't>, start: usize },
    /// The bindings of a `let`, which all see the scope outside.
    Bindings { names: Vec<&'t str>, rest: Children<'a, 't>, body: Sexpr<'a, 't>, start: usize },
    /// The body of a `let`; the scope shrinks back afterwards.
    Body { scope: usize },
    /// An annotated term.
    Annotated { attributes: Children<'a, 't> },
}

struct Machine<'p, 'n, 'a, 't> {
    parser: &'p mut TermParser,
    arena: &'p mut Arena,
    scope: &'p mut Scope<'n>,
    values: Vec<Term>,
    frames: Vec<Frame<'a, 't>>,
}

impl<'n, 'a, 't: 'n> Machine<'_, 'n, 'a, 't> {
    fn run(&mut self, root: Sexpr<'a, 't>) -> Result<Term, ParseError> {
        let mut next = Some(root);
        loop {
            next = match next {
                Some(text) => self.enter(text)?,
                None => self.resume()?,
            };
            if next.is_none() && self.frames.is_empty() {
                return self.values.pop().ok_or_else(|| root.error("term expected"));
            }
        }
    }

    /// Starts on an expression. Returns what to read next; `None` when the frame on top has to go on.
    fn enter(&mut self, text: Sexpr<'a, 't>) -> Result<Option<Sexpr<'a, 't>>, ParseError> {
        if !text.is_list() {
            let term = self.atom(text)?;
            self.values.push(term);
            return Ok(None);
        }
        let mut members = text.children();
        let head = members.next().ok_or_else(|| text.error("term expected, `()` found"))?;
        match head.word() {
            Some("let") => {
                let (Some(bindings), Some(body), None) = (members.next(), members.next(), members.next())
                else {
                    return Err(text.error("`let` takes a list of bindings and a term"));
                };
                if !bindings.is_list() || bindings.children().next().is_none() {
                    return Err(bindings.error("list of bindings expected"));
                }
                let start = self.values.len();
                self.frames.push(Frame::Bindings {
                    names: Vec::new(),
                    rest: bindings.children(),
                    body,
                    start,
                });
                Ok(None)
            }
            Some("!") => {
                let term = members.next().ok_or_else(|| text.error("`!` takes a term and attributes"))?;
                self.frames.push(Frame::Annotated { attributes: members });
                Ok(Some(term))
            }
            Some("_" | "as") => {
                let term = self.identifier(text, &[])?;
                self.values.push(term);
                Ok(None)
            }
            Some(binder @ ("forall" | "exists" | "match" | "lambda")) => {
                Err(head.error(format!("`{binder}` is not supported: terms are without quantifiers")))
            }
            _ => {
                let start = self.values.len();
                self.frames.push(Frame::Apply { head, rest: members, start });
                Ok(None)
            }
        }
    }

    /// Lets the frame on top go on after its last part has been read.
    fn resume(&mut self) -> Result<Option<Sexpr<'a, 't>>, ParseError> {
        match self.frames.pop() {
            None => Ok(None),
            Some(Frame::Apply { head, mut rest, start }) => {
                if let Some(argument) = rest.next() {
                    self.frames.push(Frame::Apply { head, rest, start });
                    return Ok(Some(argument));
                }
                let arguments = self.values.split_off(start);
                if arguments.is_empty() {
                    return Err(head.error("a function needs arguments").with_hint("drop the parentheses"));
                }
                let term = self.identifier(head, &arguments)?;
                self.values.push(term);
                Ok(None)
            }
            Some(Frame::Bindings { mut names, mut rest, body, start }) => {
                if let Some(binding) = rest.next() {
                    let mut members = binding.children();
                    let (Some(name), Some(value), None) = (members.next(), members.next(), members.next())
                    else {
                        return Err(binding.error("binding of the form `(name term)` expected"));
                    };
                    let Some(symbol) = name.symbol() else { return Err(name.error("name expected")) };
                    names.push(symbol);
                    self.frames.push(Frame::Bindings { names, rest, body, start });
                    return Ok(Some(value));
                }
                let scope = self.scope.depth();
                for (name, term) in names.into_iter().zip(self.values.drain(start..)) {
                    self.scope.bind(name, term);
                }
                self.frames.push(Frame::Body { scope });
                Ok(Some(body))
            }
            Some(Frame::Body { scope }) => {
                self.scope.leave(scope);
                Ok(None)
            }
            Some(Frame::Annotated { mut attributes }) => {
                while let Some(attribute) = attributes.next() {
                    if attribute.keyword() == Some(":named") {
                        let name = attributes.next().and_then(|name| name.symbol());
                        let name = name.ok_or_else(|| attribute.error("`:named` takes a name"))?;
                        if let Some(&term) = self.values.last() {
                            self.parser.named.push((name.to_owned(), term));
                        }
                    }
                }
                Ok(None)
            }
        }
    }

    fn atom(&mut self, text: Sexpr<'a, 't>) -> Result<Term, ParseError> {
        let Some((kind, characters)) = text.atom() else { return Err(text.error("term expected")) };
        match numbers::literal(kind, characters) {
            Some(Ok(value)) => Ok(self.arena.constant(value)),
            Some(Err(message)) => Err(text.error(message)),
            None if text.symbol().is_some() => self.identifier(text, &[]),
            None => Err(text.error(format!("term expected, {} found", text.source()))),
        }
    }

    /// What an identifier means, applied to arguments: a symbol, `(_ symbol index…)` or `(as symbol sort)`.
    fn identifier(&mut self, head: Sexpr<'a, 't>, arguments: &[Term]) -> Result<Term, ParseError> {
        if let Some(name) = head.symbol() {
            return self.symbol(head, name, &[], arguments);
        }
        let members: Vec<Sexpr<'a, 't>> = head.children().collect();
        match members.as_slice() {
            [underscore, name, indices @ ..] if underscore.word() == Some("_") => {
                let indices: Option<Vec<u32>> = indices.iter().map(Sexpr::numeral).collect();
                match (name.symbol(), indices) {
                    (Some(name), Some(indices)) if !indices.is_empty() => {
                        self.symbol(head, name, &indices, arguments)
                    }
                    _ => Err(head.error("`(_ name index…)` expected")),
                }
            }
            [word, name, sort] if word.word() == Some("as") => {
                let sort = self.parser.parse_sort(*sort)?;
                self.qualified(head, *name, &sort, arguments)
            }
            _ => Err(head.error("function expected")),
        }
    }

    fn qualified(
        &mut self,
        head: Sexpr<'a, 't>,
        name: Sexpr<'a, 't>,
        sort: &Sort,
        arguments: &[Term],
    ) -> Result<Term, ParseError> {
        match (name.word(), sort, arguments) {
            (Some("const"), Sort::Array(_), [_]) => {
                let sort = self.arena.sort_id(sort);
                let made = self.arena.try_mk(Op::ConstArray(sort), arguments);
                return made.map_err(|error| head.error(error.message));
            }
            (Some(symbol), Sort::Uninterpreted(sort), []) if symbol.starts_with('@') => {
                let number = symbol[1..].parse().map_err(|_| name.error("`@` and a number expected"))?;
                return Ok(self.arena.constant(Value::Uninterpreted(sort.clone(), number)));
            }
            _ => {}
        }
        let term = self.identifier(name, arguments)?;
        if self.arena.sort(term) == sort {
            return Ok(term);
        }
        Err(head.error(format!("sort {sort} expected, {} found", self.arena.sort(term))))
    }

    fn symbol(
        &mut self,
        head: Sexpr<'a, 't>,
        name: &'t str,
        indices: &[u32],
        arguments: &[Term],
    ) -> Result<Term, ParseError> {
        if indices.is_empty() {
            if let Some(term) = self.scope.get(name) {
                if !arguments.is_empty() {
                    return Err(head.error(format!("`{name}` is a local name, not a function")));
                }
                return Ok(term);
            }
            if let Some(definition) = self.parser.definitions.get(name) {
                return expand(self.arena, definition, arguments)
                    .map_err(|message| head.error(format!("`{name}`: {message}")));
            }
        }
        let quoted = head.word().is_none();
        if indices.is_empty() && quoted && self.arena.lookup(name).is_some() {
            return self.declared(head, name, arguments);
        }
        match theory::apply(self.arena, name, indices, arguments) {
            Some(Ok(term)) => Ok(term),
            Some(Err(message)) => Err(head.error(format!("`{name}`: {message}"))),
            None if indices.is_empty() => self.declared(head, name, arguments),
            None => Err(head.error(format!("unknown identifier {}", head.source()))),
        }
    }

    /// A symbol of the arena.
    fn declared(&mut self, head: Sexpr<'a, 't>, name: &str, arguments: &[Term]) -> Result<Term, ParseError> {
        let Some(symbol) = self.arena.lookup(name) else {
            let error = head.error(format!("unknown symbol `{name}`"));
            return Err(match theory::refused(name) {
                Some(reason) => error.with_hint(reason),
                None => error,
            });
        };
        let signature = self.arena.signature(symbol);
        let op = if signature.arguments.is_empty() { Op::Var(symbol) } else { Op::Apply(symbol) };
        self.arena.try_mk(op, arguments).map_err(|error| head.error(format!("`{name}`: {}", error.message)))
    }
}

fn expand(arena: &mut Arena, definition: &Definition, arguments: &[Term]) -> Result<Term, String> {
    let Definition { parameters, body } = definition;
    if parameters.len() != arguments.len() {
        return Err(format!("{} arguments expected, {} found", parameters.len(), arguments.len()));
    }
    for (&parameter, &argument) in parameters.iter().zip(arguments) {
        if arena.sort(parameter) != arena.sort(argument) {
            return Err(format!(
                "argument of sort {} expected, {} found",
                arena.sort(parameter),
                arena.sort(argument)
            ));
        }
    }
    if parameters.is_empty() {
        return Ok(*body);
    }
    let mut substitution: Substitution = parameters.iter().copied().zip(arguments.iter().copied()).collect();
    Ok(substitution.apply(arena, *body))
}

#[cfg(test)]
mod tests;
