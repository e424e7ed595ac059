//! Uninterpreted functions and arrays, replaced by variables and instances of their axioms.
//!
//! Every application of a function, every read of an array variable and every equality of arrays becomes a
//! variable; reads of stores and of if-then-elses are pushed down to array variables first. Instances of the
//! axioms are added to the parts: congruence of applications and reads, and reads of equal arrays at the
//! indices around.
//!
//! An instance goes to a part that mentions all its symbols, so that what is shared afterwards stands for
//! terms over shared symbols. An instance that would need symbols of several parts is left out, as is
//! extensionality: what is refuted afterwards was unsatisfiable, but not always the other way round.

use super::symbols::symbols;
use crate::budget::Budget;
use crate::solver::Reason;
use nilas_term::{Arena, Op, Sort, Substitution, SymbolId, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Applications and reads beyond which instances are not written out.
const LEAVES: usize = 1000;

/// Formulas in parts without functions and arrays.
pub(super) struct Pure {
    /// The parts, in order.
    pub(super) parts: Vec<Vec<Term>>,
    /// New variables and the terms they stand for.
    names: Vec<(Term, Term)>,
}

impl Pure {
    /// A term over the new variables as one over the given symbols.
    pub(super) fn restore(&self, arena: &mut Arena, term: Term) -> Term {
        let mut substitution: Substitution = self.names.iter().copied().collect();
        substitution.apply(arena, term)
    }
}

/// Replaces functions and arrays.
pub(super) fn purify(arena: &mut Arena, parts: &[Vec<Term>], budget: &Budget) -> Result<Pure, Reason> {
    if !mentions_theory(arena, &parts.concat()) {
        return Ok(Pure { parts: parts.to_vec(), names: Vec::new() });
    }
    let mut purifier = Purifier::default();
    let mut pure: Vec<Vec<Term>> = Vec::new();
    for formulas in parts {
        let mut rewritten = Vec::new();
        for &formula in formulas {
            rewritten.push(purifier.rewrite(arena, formula)?);
        }
        pure.push(rewritten);
    }
    let known: Vec<BTreeSet<SymbolId>> = parts.iter().map(|formulas| symbols(arena, formulas)).collect();
    purifier.read_equal_arrays(arena, &known, &mut pure)?;
    purifier.congruence(arena, &known, &mut pure, budget)?;
    Ok(Pure {
        parts: pure,
        names: purifier.leaves.iter().map(|leaf| (leaf.variable, leaf.original)).collect(),
    })
}

fn is_array(arena: &Arena, term: Term) -> bool {
    matches!(arena.sort(term), Sort::Array(_))
}

fn mentions_theory(arena: &Arena, terms: &[Term]) -> bool {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = terms.to_vec();
    while let Some(term) = stack.pop() {
        if matches!(arena.op(term), Op::Apply(_)) || is_array(arena, term) {
            return true;
        }
        stack.extend(arena.children(term).iter().filter(|&&child| seen.insert(child)));
    }
    false
}

/// A term that a variable stands for.
struct Leaf {
    variable: Term,
    /// In the given symbols.
    original: Term,
    head: Head,
    /// Purified arguments: of the application, the index of the read, or the two arrays.
    arguments: Vec<Term>,
}

/// What is applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Head {
    Function(SymbolId),
    Array(Term),
    Equality,
}

#[derive(Default)]
struct Purifier {
    leaves: Vec<Leaf>,
    by_term: BTreeMap<(Head, Vec<Term>), usize>,
    names: Substitution,
    rewritten: FxHashMap<Term, Term>,
    reads: FxHashMap<(Term, Term), Term>,
    /// Indices that are read or written, purified, in order of their finding.
    indices: Vec<Term>,
}

impl Purifier {
    fn leaf(&mut self, arena: &mut Arena, head: Head, arguments: &[Term]) -> Result<Term, Reason> {
        let key = (head, arguments.to_vec());
        if let Some(&known) = self.by_term.get(&key) {
            return Ok(self.leaves[known].variable);
        }
        if self.leaves.len() >= LEAVES {
            return Err(Reason::Unsupported("interpolation with so many applications and reads".to_owned()));
        }
        let originals: Vec<Term> =
            arguments.iter().map(|&argument| self.names.apply(arena, argument)).collect();
        let original = match head {
            Head::Function(symbol) => arena.mk(Op::Apply(symbol), &originals),
            Head::Array(array) => arena.select(array, originals[0]),
            Head::Equality => arena.eq(originals[0], originals[1]),
        };
        let sort = arena.sort(original).clone();
        if matches!(sort, Sort::Array(_)) {
            return Err(Reason::Unsupported(
                "interpolation with applications or reads that give arrays".to_owned(),
            ));
        }
        let variable = arena.fresh_variable("itp", &sort);
        self.names.insert(variable, original);
        self.by_term.insert(key, self.leaves.len());
        self.leaves.push(Leaf { variable, original, head, arguments: arguments.to_vec() });
        Ok(variable)
    }

    /// A term without applications, reads and array equalities. Array terms keep their structure.
    fn rewrite(&mut self, arena: &mut Arena, root: Term) -> Result<Term, Reason> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.rewritten.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.rewritten.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let children: Vec<Term> =
                arena.children(term).iter().map(|child| self.rewritten[child]).collect();
            let result = match (arena.op(term), &children[..]) {
                (Op::Apply(symbol), _) => self.leaf(arena, Head::Function(symbol), &children)?,
                (Op::Select, &[array, index]) => {
                    self.note_index(index);
                    self.read(arena, array, index)?
                }
                (Op::Eq, &[left, right]) if is_array(arena, left) => {
                    self.leaf(arena, Head::Equality, &[left, right])?
                }
                (Op::Store, &[_, index, _]) => {
                    self.note_index(index);
                    arena.mk(Op::Store, &children)
                }
                (_, []) => term,
                (op, _) => arena.mk(op, &children),
            };
            self.rewritten.insert(term, result);
        }
        Ok(self.rewritten[&root])
    }

    fn note_index(&mut self, index: Term) {
        if !self.indices.contains(&index) {
            self.indices.push(index);
        }
    }

    /// The element of a purified array term at a purified index.
    fn read(&mut self, arena: &mut Arena, array: Term, index: Term) -> Result<Term, Reason> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.reads.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            let children = arena.children(top).to_vec();
            let result = match (arena.op(top), &children[..]) {
                (Op::Store, &[below, at, element]) => match self.reads.get(&(below, index)) {
                    Some(&below) => {
                        let here = arena.eq(at, index);
                        arena.ite(here, element, below)
                    }
                    None => {
                        stack.push(below);
                        continue;
                    }
                },
                (Op::Ite, &[condition, then, otherwise]) => {
                    match (self.reads.get(&(then, index)), self.reads.get(&(otherwise, index))) {
                        (Some(&then), Some(&otherwise)) => arena.ite(condition, then, otherwise),
                        _ => {
                            stack.extend([then, otherwise]);
                            continue;
                        }
                    }
                }
                (Op::ConstArray(_), &[element]) => element,
                (Op::Const(id), _) => {
                    let Value::Array(value) = arena.value(id).clone() else {
                        return Err(Reason::Failed("an array constant that is no array".to_owned()));
                    };
                    let mut result = arena.constant(value.default.clone());
                    for (at, element) in &value.entries {
                        let (at, element) = (arena.constant(at.clone()), arena.constant(element.clone()));
                        let here = arena.eq(at, index);
                        result = arena.ite(here, element, result);
                    }
                    result
                }
                (Op::Var(_), _) => self.leaf(arena, Head::Array(top), &[index])?,
                (op, _) => return Err(Reason::Unsupported(format!("interpolation with arrays by {op:?}"))),
            };
            self.reads.insert((top, index), result);
            stack.pop();
        }
        Ok(self.reads[&(array, index)])
    }

    fn symbols_of(&mut self, arena: &mut Arena, term: Term) -> BTreeSet<SymbolId> {
        let original = self.names.apply(arena, term);
        symbols(arena, &[original])
    }

    /// Where two arrays are equal, their elements are: at all indices whose symbols the part knows.
    fn read_equal_arrays(
        &mut self,
        arena: &mut Arena,
        known: &[BTreeSet<SymbolId>],
        parts: &mut [Vec<Term>],
    ) -> Result<(), Reason> {
        let equalities: Vec<usize> =
            (0..self.leaves.len()).filter(|&leaf| self.leaves[leaf].head == Head::Equality).collect();
        for leaf in equalities {
            let (variable, original) = (self.leaves[leaf].variable, self.leaves[leaf].original);
            let (left, right) = (self.leaves[leaf].arguments[0], self.leaves[leaf].arguments[1]);
            let Sort::Array(sort) = arena.sort(left).clone() else { continue };
            let own = symbols(arena, &[original]);
            for index in self.indices.clone() {
                if *arena.sort(index) != sort.index {
                    continue;
                }
                let needed = self.symbols_of(arena, index);
                for (part, known) in parts.iter_mut().zip(known) {
                    if own.is_subset(known) && needed.is_subset(known) {
                        let (left, right) = (self.read(arena, left, index)?, self.read(arena, right, index)?);
                        let same = arena.eq(left, right);
                        part.push(arena.implies(variable, same));
                    }
                }
            }
        }
        Ok(())
    }

    /// Equal arguments give equal values.
    fn congruence(
        &mut self,
        arena: &mut Arena,
        known: &[BTreeSet<SymbolId>],
        parts: &mut [Vec<Term>],
        budget: &Budget,
    ) -> Result<(), Reason> {
        let needed: Vec<BTreeSet<SymbolId>> =
            self.leaves.iter().map(|leaf| symbols(arena, &[leaf.original])).collect();
        for (first, left) in self.leaves.iter().enumerate() {
            if let Some(why) = budget.exhausted() {
                return Err(Reason::Interrupted(why));
            }
            for (second, right) in self.leaves.iter().enumerate().skip(first + 1) {
                if left.head != right.head || left.head == Head::Equality {
                    continue;
                }
                let place = known
                    .iter()
                    .position(|known| needed[first].is_subset(known) && needed[second].is_subset(known));
                let Some(place) = place else { continue };
                let mut clause = vec![arena.eq(left.variable, right.variable)];
                for (&left, &right) in left.arguments.iter().zip(&right.arguments) {
                    clause.push(arena.ne(left, right));
                }
                parts[place].push(arena.or(&clause));
            }
        }
        Ok(())
    }
}
