//! Which identifiers are typedef names: the one question that C's grammar has about declarations.

use crate::lex::{Symbol, Symbols};
use std::collections::HashMap;

/// Names that are typedefs without being declared.
pub(crate) const BUILTIN_TYPEDEFS: [&str; 2] = ["__builtin_va_list", "__uint128_t"];

/// Nested scopes of ordinary identifiers, each either a typedef name or not.
#[derive(Debug, Default)]
pub(super) struct TypedefScopes {
    current: HashMap<Symbol, bool>,
    /// What to restore when a scope ends.
    log: Vec<(Symbol, Option<bool>)>,
    starts: Vec<usize>,
}

impl TypedefScopes {
    pub(super) fn new(symbols: &mut Symbols) -> TypedefScopes {
        let mut scopes = TypedefScopes::default();
        for name in BUILTIN_TYPEDEFS {
            scopes.current.insert(symbols.intern(name), true);
        }
        scopes
    }

    pub(super) fn push(&mut self) {
        self.starts.push(self.log.len());
    }

    pub(super) fn pop(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        for (symbol, before) in self.log.drain(start..).rev() {
            match before {
                Some(is_typedef) => self.current.insert(symbol, is_typedef),
                None => self.current.remove(&symbol),
            };
        }
    }

    pub(super) fn declare(&mut self, symbol: Symbol, is_typedef: bool) {
        let before = self.current.insert(symbol, is_typedef);
        self.log.push((symbol, before));
    }

    pub(super) fn is_typedef(&self, symbol: Symbol) -> bool {
        self.current.get(&symbol).copied().unwrap_or(false)
    }
}
