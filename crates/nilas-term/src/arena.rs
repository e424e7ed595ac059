//! The arena: owner of all terms of one thread.
//!
//! Terms are hash-consed: the same operator over the same children is the same id. An arena is an
//! explicit value; there is no global one. [`Arena::mk`] is the one way in: it simplifies and then
//! interns, so every term of an arena is in normal form.

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::sorting::SortError;
use crate::term::Term;
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A declared symbol: a variable or an uninterpreted function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

/// A value known to an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);

/// A sort known to an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(u32);

/// Name, argument sorts and result sort of a symbol. A variable has no arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The name, without SMT-LIB quotes.
    pub name: Arc<str>,
    /// Sorts of the arguments.
    pub arguments: Vec<Sort>,
    /// Sort of the result.
    pub result: Sort,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: SortId,
    first_child: u32,
    children: u32,
}

/// Owner of terms, see the module's text.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    nodes: Vec<Node>,
    children: Vec<Term>,
    table: HashTable<Term>,
    sorts: Vec<Sort>,
    sort_ids: FxHashMap<Sort, SortId>,
    values: Vec<Value>,
    value_ids: FxHashMap<Value, ValueId>,
    symbols: Vec<Signature>,
    symbol_ids: FxHashMap<Arc<str>, SymbolId>,
    fresh: u64,
    /// How many rewrites are under way, each caused by the one before.
    pub(crate) depth: u32,
    /// How often each rule has fired.
    #[cfg(test)]
    pub(crate) fired: std::collections::BTreeMap<crate::simplify::rules::Rule, u64>,
}

fn hash_node(op: Op, children: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    children.hash(&mut hasher);
    hasher.finish()
}

impl Arena {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator of a term.
    #[must_use]
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// The children of a term.
    #[must_use]
    pub fn children(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.children[node.first_child as usize..][..node.children as usize]
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, term: Term) -> &Sort {
        &self.sorts[self.nodes[term.index()].sort.0 as usize]
    }

    /// The width of a bit-vector term; 0 for any other sort.
    #[must_use]
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().unwrap_or(0)
    }

    /// The value of a constant term.
    #[must_use]
    pub fn as_value(&self, term: Term) -> Option<&Value> {
        match self.op(term) {
            Op::Const(value) => Some(self.value(value)),
            _ => None,
        }
    }

    /// The truth value of a constant Boolean term.
    #[must_use]
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        self.as_value(term).and_then(Value::as_bool)
    }

    /// The value of a constant bit-vector term.
    #[must_use]
    pub fn as_bitvec(&self, term: Term) -> Option<&BitVec> {
        self.as_value(term).and_then(Value::as_bitvec)
    }

    /// A value by its id.
    #[must_use]
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    /// A sort by its id.
    #[must_use]
    pub fn sort_by_id(&self, id: SortId) -> &Sort {
        &self.sorts[id.0 as usize]
    }

    /// The declaration of a symbol.
    #[must_use]
    pub fn signature(&self, symbol: SymbolId) -> &Signature {
        &self.symbols[symbol.0 as usize]
    }

    /// The symbol of a variable.
    #[must_use]
    pub fn as_variable(&self, term: Term) -> Option<SymbolId> {
        match self.op(term) {
            Op::Var(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The name of a variable; `None` for other terms.
    #[must_use]
    pub fn name(&self, term: Term) -> Option<&str> {
        self.as_variable(term).map(|symbol| &*self.signature(symbol).name)
    }

    /// The id of a sort.
    pub fn sort_id(&mut self, sort: &Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(sort) {
            return id;
        }
        let id = SortId(u32::try_from(self.sorts.len()).expect("fewer than 2^32 sorts"));
        self.sorts.push(sort.clone());
        self.sort_ids.insert(sort.clone(), id);
        id
    }

    /// The symbol of that name, if it is declared.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<SymbolId> {
        self.symbol_ids.get(name).copied()
    }

    /// All declared symbols, in order of declaration.
    pub fn symbols(&self) -> impl Iterator<Item = &Signature> {
        self.symbols.iter()
    }

    /// Declares a symbol, or finds it.
    ///
    /// # Errors
    /// When the name is declared with another signature.
    pub fn declare(&mut self, name: &str, arguments: Vec<Sort>, result: Sort) -> Result<SymbolId, SortError> {
        if let Some(&symbol) = self.symbol_ids.get(name) {
            let known = self.signature(symbol);
            if known.arguments == arguments && known.result == result {
                return Ok(symbol);
            }
            return Err(SortError { message: format!("`{name}` is declared already with another sort") });
        }
        let symbol = SymbolId(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
        let name: Arc<str> = name.into();
        self.symbols.push(Signature { name: Arc::clone(&name), arguments, result });
        self.symbol_ids.insert(name, symbol);
        Ok(symbol)
    }

    /// The variable of that name and sort.
    ///
    /// # Errors
    /// When the name is declared with another sort.
    pub fn variable(&mut self, name: &str, sort: &Sort) -> Result<Term, SortError> {
        let symbol = self.declare(name, Vec::new(), sort.clone())?;
        Ok(self.intern(Op::Var(symbol), &[], sort))
    }

    /// A variable that no term of this arena uses yet. Its name starts with `prefix` and has a `!` in it.
    pub fn fresh_variable(&mut self, prefix: &str, sort: &Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if self.lookup(&name).is_none()
                && let Ok(variable) = self.variable(&name, sort)
            {
                return variable;
            }
        }
    }

    /// The term of a value.
    pub fn constant(&mut self, value: Value) -> Term {
        let sort = value.sort();
        let id = match self.value_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = ValueId(u32::try_from(self.values.len()).expect("fewer than 2^32 values"));
                self.values.push(value.clone());
                self.value_ids.insert(value, id);
                id
            }
        };
        self.intern(Op::Const(id), &[], &sort)
    }

    /// The term `op(children)`, simplified, or what is wrong with its sorts. For input from users.
    ///
    /// # Errors
    /// When it is not well-sorted.
    pub fn try_mk(&mut self, op: Op, children: &[Term]) -> Result<Term, SortError> {
        self.sort_of(op, children)?;
        Ok(self.mk(op, children))
    }

    /// The term as it stands, without simplification. Well-sortedness is the caller's duty.
    pub(crate) fn mk_raw(&mut self, op: Op, children: &[Term]) -> Term {
        if let Some(term) = self.find(op, children) {
            return term;
        }
        match self.sort_of(op, children) {
            Ok(sort) => self.insert(op, children, &sort),
            Err(error) => unreachable!("ill-sorted term {op:?} {children:?}: {error}"),
        }
    }

    fn find(&self, op: Op, children: &[Term]) -> Option<Term> {
        let hash = hash_node(op, children);
        self.table.find(hash, |&term| self.op(term) == op && self.children(term) == children).copied()
    }

    fn intern(&mut self, op: Op, children: &[Term], sort: &Sort) -> Term {
        self.find(op, children).unwrap_or_else(|| self.insert(op, children, sort))
    }

    /// Adds a node that is not there yet.
    fn insert(&mut self, op: Op, children: &[Term], sort: &Sort) -> Term {
        let hash = hash_node(op, children);
        let sort = self.sort_id(sort);
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        let first_child = u32::try_from(self.children.len()).expect("fewer than 2^32 children");
        let count = u32::try_from(children.len()).expect("fewer than 2^32 children");
        self.children.extend_from_slice(children);
        self.nodes.push(Node { op, sort, first_child, children: count });
        let (nodes, pool) = (&self.nodes, &self.children);
        self.table.insert_unique(hash, term, |&term| {
            let node = &nodes[term.index()];
            hash_node(node.op, &pool[node.first_child as usize..][..node.children as usize])
        });
        term
    }
}
