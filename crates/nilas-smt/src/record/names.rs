//! Names in a recorded script: the symbol's own name and a number.

use nilas_term::smtlib::{Naming, quote_symbol};
use nilas_term::{Arena, Sort, SymbolId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What has been declared.
#[derive(Default)]
pub(super) struct Names {
    symbols: FxHashMap<SymbolId, usize>,
    sorts: BTreeMap<Arc<str>, usize>,
}

/// Bars and backslashes have no place in a symbol.
fn written(name: &str, number: usize) -> String {
    quote_symbol(&format!("{}!{number}", name.replace(['|', '\\'], "_")))
}

impl Names {
    /// The declaration of a sort, if it has none yet.
    pub(super) fn declare_sort(&mut self, name: &Arc<str>) -> Option<String> {
        if self.sorts.contains_key(name) {
            return None;
        }
        let number = self.sorts.len();
        self.sorts.insert(Arc::clone(name), number);
        Some(format!("(declare-sort {} 0)\n", written(name, number)))
    }

    /// The declaration of a symbol, if it has none yet.
    pub(super) fn declare(&mut self, arena: &Arena, symbol: SymbolId) -> Option<String> {
        if self.symbols.contains_key(&symbol) {
            return None;
        }
        self.symbols.insert(symbol, self.symbols.len());
        let signature = arena.signature(symbol);
        let arguments: Vec<String> = signature.arguments.iter().map(|sort| self.sort(sort)).collect();
        let (name, arguments) = (self.symbol(arena, symbol), arguments.join(" "));
        Some(format!("(declare-fun {name} ({arguments}) {})\n", self.sort(&signature.result)))
    }
}

impl Naming for Names {
    fn symbol(&self, arena: &Arena, symbol: SymbolId) -> String {
        let name = &arena.signature(symbol).name;
        // Everything that is printed has been declared.
        self.symbols.get(&symbol).map_or_else(|| quote_symbol(name), |&number| written(name, number))
    }

    fn sort(&self, sort: &Sort) -> String {
        match sort {
            Sort::Uninterpreted(name) => {
                self.sorts.get(name).map_or_else(|| sort.to_string(), |&number| written(name, number))
            }
            Sort::Array(array) => {
                format!("(Array {} {})", self.sort(&array.index), self.sort(&array.element))
            }
            _ => sort.to_string(),
        }
    }
}
