//! Arrays, uninterpreted functions and sorts, on top of bits.
//!
//! A read is pushed through stores, choices and constant arrays, by comparing its index, down to array
//! variables; what is left there is a *cell*: some bits that are an unknown function of the index. An application of an
//! uninterpreted function is a cell of that function, at its arguments. That equal indices of one table have equal
//! contents is not said until a model violates it: [`Theory::refine`] finds such pairs and adds the clauses (lemmas on
//! demand, Brummayer and Biere 2009).
//!
//! An equality of arrays is a fresh truth value. If it is false, the arrays differ at an index of its own; if
//! it is true, refinement makes reads at all indices agree.
//!
//! Elements of an uninterpreted sort are numbers of [`ELEMENT_BITS`] bits: more than there can be terms.

use super::{Blaster, Gates};
use crate::budget::Interrupt;
use crate::sat::{Lit, SatSolver, Var};
use nilas_term::{Arena, ArraySort, Op, Sort, SymbolId, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Bits of an element of an uninterpreted sort.
pub(crate) const ELEMENT_BITS: u32 = 20;

/// What has cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Table {
    /// An array variable.
    Array(Term),
    /// An uninterpreted function.
    Function(SymbolId),
}

/// Contents of a table at an index (or of a function at its arguments, one after the other).
#[derive(Clone, Debug)]
struct Cell {
    index: Box<[Lit]>,
    content: Box<[Lit]>,
}

/// An equality of arrays.
#[derive(Clone, Debug)]
struct Equality {
    left: Term,
    right: Term,
    truth: Lit,
    /// How many of the indices of its sort it has been instantiated at.
    instantiated: usize,
}

/// Cells and equalities of one SAT instance.
#[derive(Default)]
pub(crate) struct Theory {
    tables: BTreeMap<Table, Vec<Cell>>,
    reads: FxHashMap<(Term, Box<[Lit]>), Box<[Lit]>>,
    equalities: Vec<Equality>,
    /// Indices that occur, by sort; each once.
    indices: FxHashMap<Sort, (Vec<Box<[Lit]>>, FxHashSet<Box<[Lit]>>)>,
    /// Pairs of cells that have been told to agree.
    congruent: FxHashSet<(Table, usize, usize)>,
}

/// Bits of a value of a sort; `None` if the sort has no bits.
pub(crate) fn bits_of_sort(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width),
        Sort::Uninterpreted(_) => Some(ELEMENT_BITS),
        _ => None,
    }
}

/// Whether arrays of this sort can be handled.
pub(crate) fn supported(sort: &ArraySort) -> bool {
    bits_of_sort(&sort.index).is_some() && bits_of_sort(&sort.element).is_some()
}

impl Theory {
    /// Whether there is anything that a model could violate.
    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.equalities.is_empty()
    }

    fn note_index(&mut self, sort: &Sort, index: &[Lit]) {
        let (list, known) = self.indices.entry(sort.clone()).or_default();
        if known.insert(index.into()) {
            list.push(index.into());
        }
    }
}

impl<S: SatSolver> Blaster<S> {
    /// The bits of `select(array, index)`.
    pub(super) fn select(&mut self, arena: &Arena, array: Term, index: Term) -> Result<Vec<Lit>, Interrupt> {
        let lits = self.bits(arena, index);
        self.theory.note_index(arena.sort(index), &lits);
        self.read(arena, array, &lits)
    }

    /// The bits of an application of an uninterpreted function.
    pub(super) fn apply(&mut self, arena: &Arena, symbol: SymbolId, term: Term) -> Result<Vec<Lit>, Interrupt> {
        let arguments: Vec<Lit> =
            arena.children(term).iter().flat_map(|&argument| self.bits(arena, argument)).collect();
        let width = bits_of_sort(arena.sort(term)).unwrap_or(1);
        self.cell(Table::Function(symbol), &arguments, width)
    }

    /// The literal of an equality of arrays.
    pub(super) fn array_equality(&mut self, arena: &Arena, left: Term, right: Term) -> Result<Lit, Interrupt> {
        let Sort::Array(sort) = arena.sort(left) else { return Ok(self.gates.truth()) };
        let truth = self.gates.input()?;
        let width = bits_of_sort(&sort.index).unwrap_or(1);
        let index: Vec<Lit> = (0..width).map(|_| self.gates.input()).collect::<Result<_, _>>()?;
        self.theory.note_index(&sort.index, &index);
        let (here, there) = (self.read(arena, left, &index)?, self.read(arena, right, &index)?);
        let same = self.gates.equal(&here, &there)?;
        self.gates.constrain(None, &mut vec![truth, !same]);
        for array in [left, right] {
            self.note_stores(arena, array);
        }
        self.theory.equalities.push(Equality { left, right, truth, instantiated: 0 });
        Ok(truth)
    }

    /// Notes the indices that an array was written at.
    fn note_stores(&mut self, arena: &Arena, array: Term) {
        let mut stack = vec![array];
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(array) = stack.pop() {
            if !seen.insert(array) {
                continue;
            }
            let children = arena.children(array);
            match arena.op(array) {
                Op::Store => {
                    let index = self.bits(arena, children[1]);
                    self.theory.note_index(arena.sort(children[1]), &index);
                    stack.push(children[0]);
                }
                Op::Ite => stack.extend(&children[1..]),
                _ => {}
            }
        }
    }

    /// The bits of an array's element at an index. Everything below the array has been blasted.
    fn read(&mut self, arena: &Arena, array: Term, index: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let mut stack = vec![array];
        while let Some(&array) = stack.last() {
            let key = (array, Box::from(index));
            if self.theory.reads.contains_key(&key) {
                stack.pop();
                continue;
            }
            let children = arena.children(array);
            let below: &[Term] = match arena.op(array) {
                Op::Store => &children[..1],
                Op::Ite => &children[1..],
                _ => &[],
            };
            let waiting = stack.len();
            stack.extend(
                below.iter().filter(|child| !self.theory.reads.contains_key(&(**child, Box::from(index)))),
            );
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let below: Vec<Vec<Lit>> =
                below.iter().map(|child| self.theory.reads[&(*child, Box::from(index))].to_vec()).collect();
            let content = match arena.op(array) {
                Op::Store => {
                    let (at, written) = (self.bits(arena, children[1]), self.bits(arena, children[2]));
                    let hit = self.gates.equal(index, &at)?;
                    self.gates.choose(hit, &written, &below[0])?
                }
                Op::Ite => self.gates.choose(self.bit(children[0]), &below[0], &below[1])?,
                Op::ConstArray(_) => self.bits(arena, children[0]),
                Op::Const(value) => self.read_value(arena.value(value), index)?,
                _ => {
                    let width = match arena.sort(array) {
                        Sort::Array(sort) => bits_of_sort(&sort.element).unwrap_or(1),
                        _ => 1,
                    };
                    self.cell(Table::Array(array), index, width)?
                }
            };
            self.theory.reads.insert(key, content.into());
        }
        Ok(self.theory.reads[&(array, Box::from(index))].to_vec())
    }

    /// The bits of a constant array's element at an index.
    fn read_value(&mut self, value: &Value, index: &[Lit]) -> Result<Vec<Lit>, Interrupt> {
        let Value::Array(array) = value else { return Ok(Vec::new()) };
        let mut content = constant_bits(&self.gates, &array.default);
        for (at, entry) in &array.entries {
            let (at, entry) = (constant_bits(&self.gates, at), constant_bits(&self.gates, entry));
            let hit = self.gates.equal(index, &at)?;
            content = self.gates.choose(hit, &entry, &content)?;
        }
        Ok(content)
    }

    fn cell(&mut self, table: Table, index: &[Lit], width: u32) -> Result<Vec<Lit>, Interrupt> {
        let known = self.theory.tables.get(&table).and_then(|cells| {
            cells.iter().find(|cell| *cell.index == *index).map(|cell| cell.content.to_vec())
        });
        if let Some(content) = known {
            return Ok(content);
        }
        let content: Vec<Lit> =
            (0..width).map(|_| self.gates.unknown_function(index)).collect::<Result<_, _>>()?;
        let cell = Cell { index: index.into(), content: content.as_slice().into() };
        self.theory.tables.entry(table).or_default().push(cell);
        Ok(content)
    }

    /// Looks for what the SAT solver's model violates, and adds clauses against it. Returns whether there was anything.
    pub(crate) fn refine(&mut self, arena: &Arena) -> Result<bool, Interrupt> {
        if self.theory.is_empty() {
            return Ok(false);
        }
        let mut memo = FxHashMap::default();
        let mut refined = self.refine_equalities(arena, &mut memo)?;
        let mut lemmas: Vec<(Table, usize, usize)> = Vec::new();
        for (&table, cells) in &self.theory.tables {
            // Cells of the same index, as the first one's number.
            let mut seen: FxHashMap<Vec<bool>, Vec<usize>> = FxHashMap::default();
            for (number, cell) in cells.iter().enumerate() {
                if !self.is_used(cell) {
                    continue;
                }
                let index: Vec<bool> =
                    cell.index.iter().map(|&lit| self.gates.simulate(lit, &mut memo)).collect();
                let same = seen.entry(index).or_default();
                if let Some(&other) = same.iter().find(|&&other| self.differ(&cells[other], cell)) {
                    lemmas.push((table, other, number));
                } else {
                    same.push(number);
                }
            }
        }
        for (table, left, right) in lemmas {
            refined |= self.congruence(table, left, right)?;
        }
        Ok(refined)
    }

    /// A cell of whose content the model says nothing does not matter.
    fn is_used(&self, cell: &Cell) -> bool {
        cell.content.iter().any(|lit| self.gates.sat.value(lit.var()).is_some())
    }

    /// Whether a bit that the model cares about in both is not the same.
    fn differ(&self, left: &Cell, right: &Cell) -> bool {
        let value = |lit: &Lit| self.gates.sat.value(lit.var()).map(|value| value == lit.is_positive());
        left.content.iter().zip(&*right.content).any(|(left, right)| match (value(left), value(right)) {
            (Some(left), Some(right)) => left != right,
            _ => false,
        })
    }

    /// Equal indices have equal contents.
    fn congruence(&mut self, table: Table, left: usize, right: usize) -> Result<bool, Interrupt> {
        if !self.theory.congruent.insert((table, left, right)) {
            return Ok(false);
        }
        let cells = &self.theory.tables[&table];
        let (left, right) = (cells[left].clone(), cells[right].clone());
        let same = self.gates.equal(&left.index, &right.index)?;
        for (&left, &right) in left.content.iter().zip(&*right.content) {
            self.gates.constrain(None, &mut vec![!same, !left, right]);
            self.gates.constrain(None, &mut vec![!same, left, !right]);
        }
        Ok(true)
    }

    /// Equal arrays have equal elements at all indices that occur.
    fn refine_equalities(&mut self, arena: &Arena, memo: &mut FxHashMap<Var, bool>) -> Result<bool, Interrupt> {
        let mut refined = false;
        for number in 0..self.theory.equalities.len() {
            let Equality { left, right, truth, instantiated } = self.theory.equalities[number].clone();
            let Sort::Array(sort) = arena.sort(left) else { continue };
            if !self.gates.simulate(truth, memo) {
                continue;
            }
            let indices = self.theory.indices.get(&sort.index).map_or(&[][..], |(list, _)| &list[instantiated..]);
            for index in indices.to_vec() {
                let (here, there) = (self.read(arena, left, &index)?, self.read(arena, right, &index)?);
                let same = self.gates.equal(&here, &there)?;
                self.gates.constrain(None, &mut vec![!truth, same]);
                self.theory.equalities[number].instantiated += 1;
                refined = true;
            }
        }
        Ok(refined)
    }

    /// The contents of a table in the model: index and content bits of the cells that matter.
    pub(crate) fn contents(&self, table: Table, memo: &mut FxHashMap<Var, bool>) -> Vec<(Vec<bool>, Vec<bool>)> {
        let cells = self.theory.tables.get(&table).map_or(&[][..], |cells| &cells[..]);
        let mut merged: BTreeMap<Vec<bool>, Vec<Option<bool>>> = BTreeMap::new();
        for cell in cells.iter().filter(|cell| self.is_used(cell)) {
            let index: Vec<bool> = cell.index.iter().map(|&lit| self.gates.simulate(lit, memo)).collect();
            let known = merged.entry(index).or_insert_with(|| vec![None; cell.content.len()]);
            for (known, lit) in known.iter_mut().zip(&*cell.content) {
                *known = known.or(self.gates.sat.value(lit.var()).map(|value| value == lit.is_positive()));
            }
        }
        let complete = |bits: Vec<Option<bool>>| bits.into_iter().map(|bit| bit.unwrap_or(false)).collect();
        merged.into_iter().map(|(index, content)| (index, complete(content))).collect()
    }

    /// The equalities of arrays that hold in the model.
    pub(crate) fn equal_arrays(&self, memo: &mut FxHashMap<Var, bool>) -> Vec<(Term, Term)> {
        let holds = |equality: &&Equality| {
            self.gates.sat.value(equality.truth.var()).is_some() && self.gates.simulate(equality.truth, memo)
        };
        self.theory.equalities.iter().filter(holds).map(|equality| (equality.left, equality.right)).collect()
    }
}

fn constant_bits<S: SatSolver>(gates: &Gates<S>, value: &Value) -> Vec<Lit> {
    match value {
        Value::Bool(value) => vec![gates.constant(*value)],
        Value::BitVec(value) => (0..value.width()).map(|index| gates.constant(value.bit(index))).collect(),
        Value::Uninterpreted(_, number) => {
            (0..ELEMENT_BITS).map(|index| gates.constant(number >> index & 1 == 1)).collect()
        }
        _ => Vec::new(),
    }
}
