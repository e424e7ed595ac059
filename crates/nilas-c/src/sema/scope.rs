//! Scopes of ordinary identifiers and of tags.

use crate::lex::Symbol;
use crate::source::Span;
use crate::tree::{FunctionId, VarId};
use crate::types::{EnumId, RecordId, TypeId};
use std::collections::HashMap;

/// What an ordinary identifier means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Entity {
    Variable(VarId),
    Function(FunctionId),
    Typedef(TypeId),
    Constant(i128, TypeId),
    /// A parameter of a prototype that is no definition: it has a type, and no object.
    Prototype(TypeId),
}

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tag {
    Record(RecordId, TypeId),
    Enum(EnumId, TypeId),
}

/// A meaning with the scope it was given in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<T> {
    pub(super) what: T,
    pub(super) level: usize,
    pub(super) span: Span,
}

#[derive(Debug)]
struct Space<T> {
    current: HashMap<Symbol, Bound<T>>,
    log: Vec<(Symbol, Option<Bound<T>>)>,
}

impl<T: Copy> Space<T> {
    fn new() -> Self {
        Space { current: HashMap::new(), log: Vec::new() }
    }

    fn bind(&mut self, symbol: Symbol, bound: Bound<T>) {
        let before = self.current.insert(symbol, bound);
        self.log.push((symbol, before));
    }

    fn unwind(&mut self, to: usize) {
        for (symbol, before) in self.log.drain(to..).rev() {
            match before {
                Some(bound) => self.current.insert(symbol, bound),
                None => self.current.remove(&symbol),
            };
        }
    }
}

/// Nested scopes; level 0 is the file.
#[derive(Debug)]
pub(super) struct Scopes {
    names: Space<Entity>,
    tags: Space<Tag>,
    starts: Vec<(usize, usize)>,
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        Scopes { names: Space::new(), tags: Space::new(), starts: Vec::new() }
    }

    pub(super) fn level(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn push(&mut self) {
        self.starts.push((self.names.log.len(), self.tags.log.len()));
    }

    pub(super) fn pop(&mut self) {
        if let Some((names, tags)) = self.starts.pop() {
            self.names.unwind(names);
            self.tags.unwind(tags);
        }
    }

    pub(super) fn bind(&mut self, symbol: Symbol, what: Entity, span: Span) {
        let level = self.level();
        self.names.bind(symbol, Bound { what, level, span });
    }

    pub(super) fn bind_tag(&mut self, symbol: Symbol, what: Tag, span: Span) {
        let level = self.level();
        self.tags.bind(symbol, Bound { what, level, span });
    }

    pub(super) fn lookup(&self, symbol: Symbol) -> Option<Bound<Entity>> {
        self.names.current.get(&symbol).copied()
    }

    /// The meaning given in the innermost scope, if any.
    pub(super) fn lookup_here(&self, symbol: Symbol) -> Option<Bound<Entity>> {
        self.lookup(symbol).filter(|bound| bound.level == self.level())
    }

    pub(super) fn lookup_tag(&self, symbol: Symbol) -> Option<Bound<Tag>> {
        self.tags.current.get(&symbol).copied()
    }

    pub(super) fn lookup_tag_here(&self, symbol: Symbol) -> Option<Bound<Tag>> {
        self.lookup_tag(symbol).filter(|bound| bound.level == self.level())
    }
}
