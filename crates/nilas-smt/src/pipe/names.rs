//! Names of what a solver is told.
//!
//! Every solver has words of its own beyond SMT-LIB (`exp`, `pi`, `implies`, `Set`), and symbols of C
//! programs may be any of them. So nothing goes through the pipe under its own name: symbols are `x0`, `x1`,
//! … in the order they are declared, sorts `S0`, …, activations `a0`, …, assumptions `p` and the number of
//! their term.

use crate::solver::Activation;
use nilas_term::smtlib::Naming;
use nilas_term::{Arena, Sort, SymbolId, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What has a name.
#[derive(Clone, Default)]
pub(super) struct Names {
    symbols: FxHashMap<SymbolId, u32>,
    sorts: BTreeMap<Arc<str>, usize>,
}

impl Names {
    /// Whether a symbol has a name.
    pub(super) fn knows(&self, symbol: SymbolId) -> bool {
        self.symbols.contains_key(&symbol)
    }

    /// Gives a sort a name; returns its declaration if it has none yet.
    pub(super) fn declare_sort(&mut self, name: &Arc<str>) -> Option<String> {
        if self.sorts.contains_key(name) {
            return None;
        }
        let number = self.sorts.len();
        self.sorts.insert(Arc::clone(name), number);
        Some(format!("(declare-sort S{number} 0)\n"))
    }

    /// Gives a symbol a name; returns its declaration if it has none yet. Its sorts have been declared.
    pub(super) fn declare(&mut self, arena: &Arena, symbol: SymbolId) -> Option<String> {
        if !self.name(symbol) {
            return None;
        }
        let signature = arena.signature(symbol);
        let arguments: Vec<String> = signature.arguments.iter().map(|sort| self.sort(sort)).collect();
        let (name, arguments) = (self.symbol(arena, symbol), arguments.join(" "));
        Some(format!("(declare-fun {name} ({arguments}) {})\n", self.sort(&signature.result)))
    }

    /// Gives a symbol a name without declaring it; whether it had none.
    pub(super) fn name(&mut self, symbol: SymbolId) -> bool {
        let number = u32::try_from(self.symbols.len()).expect("an arena has fewer than 2^32 symbols");
        let is_new = !self.symbols.contains_key(&symbol);
        self.symbols.entry(symbol).or_insert(number);
        is_new
    }
}

impl Naming for Names {
    fn symbol(&self, arena: &Arena, symbol: SymbolId) -> String {
        match self.symbols.get(&symbol) {
            Some(number) => format!("x{number}"),
            // Nobody prints what has not been declared; if so, the solver will say that it is unknown.
            None => format!("|undeclared {}|", arena.signature(symbol).name),
        }
    }

    fn sort(&self, sort: &Sort) -> String {
        match sort {
            Sort::Uninterpreted(name) => match self.sorts.get(name) {
                Some(number) => format!("S{number}"),
                None => sort.to_string(),
            },
            // Sorts nest as deep as somebody wrote them: a handful.
            Sort::Array(array) => {
                format!("(Array {} {})", self.sort(&array.index), self.sort(&array.element))
            }
            _ => sort.to_string(),
        }
    }
}

/// The Boolean constant of an activation.
pub(super) fn activation(activation: Activation) -> String {
    format!("a{}", activation.0)
}

/// The Boolean constant of an assumption.
pub(super) fn assumption(term: Term) -> String {
    format!("p{}", term.index())
}
