//! Arrays, uninterpreted functions and sorts, on top of bits.
//!
//! A read is pushed through stores, choices and constant arrays, by comparing its index, down to array
//! variables; what is left there is a *cell*: some bits that are an unknown function of the index. An
//! application of an uninterpreted function is a cell of that function, at its arguments. That equal indices
//! of one table have equal contents is not said until a model violates it: [`Theory::refine`] finds such
//! pairs and adds the clauses (lemmas on demand, Brummayer and Biere 2009).
//!
//! An equality of arrays is a fresh truth value. If it is false, the arrays differ at an index of its own; if
//! it is true, refinement makes reads agree at all indices that occur with arrays which are connected with
//! these ([`Connected`]).
//!
//! Elements of an uninterpreted sort are numbers, of more bits than there can be terms.

use super::connected::{Connected, beneath};
use super::{Blaster, Gates, bits_of_sort, to_bits};
use crate::budget::Interrupt;
use crate::sat::{Announcement, Lemma, Lit, SatSolver, Var};
use nilas_term::{Arena, ArraySort, Op, Sort, SymbolId, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Literals of a value, lowest bit first.
pub(super) type Word = Box<[Lit]>;

/// What has cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Table {
    /// An array variable.
    Array(Term),
    /// An uninterpreted function.
    Function(SymbolId),
}

/// The number of an array term.
fn number(array: Term) -> u64 {
    array.index() as u64
}

/// Contents of a table at an index (or of a function at its arguments, one after the other).
#[derive(Clone, Debug)]
struct Cell {
    index: Box<[Lit]>,
    content: Box<[Lit]>,
}

/// An equality of arrays.
#[derive(Debug)]
struct Equality {
    left: Term,
    right: Term,
    truth: Lit,
    /// The indices that it has been instantiated at.
    instantiated: FxHashSet<u32>,
}

/// Cells and equalities of one SAT instance.
#[derive(Default)]
pub(crate) struct Theory {
    tables: BTreeMap<Table, Vec<Cell>>,
    reads: FxHashMap<(Term, Word), Word>,
    equalities: Vec<Equality>,
    connected: Connected,
    /// Pairs of cells that have been told to agree.
    congruent: FxHashSet<(Table, usize, usize)>,
    /// Arrays that functions are applied to, by sort, with the number that stands for each.
    pub(super) arguments: BTreeMap<Sort, Vec<(Term, Word)>>,
    /// Numbers of tables, for whoever checks lemmas.
    numbers: FxHashMap<Table, u64>,
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

    fn number(&mut self, table: Table) -> u64 {
        let next = self.numbers.len() as u64;
        *self.numbers.entry(table).or_insert(next)
    }
}

impl<S: SatSolver> Blaster<S> {
    /// The bits of `select(array, index)`.
    pub(super) fn select(&mut self, arena: &Arena, array: Term, index: Term) -> Result<Vec<Lit>, Interrupt> {
        let lits = self.bits(arena, index);
        self.theory.connected.note(arena, array, &lits);
        self.read(arena, array, &lits)
    }

    /// The bits of an application of an uninterpreted function.
    pub(super) fn apply(
        &mut self,
        arena: &Arena,
        symbol: SymbolId,
        term: Term,
    ) -> Result<Vec<Lit>, Interrupt> {
        let mut arguments: Vec<Lit> = Vec::new();
        for &argument in arena.children(term) {
            arguments.extend(self.argument(arena, argument)?);
        }
        self.cell(Table::Function(symbol), &arguments, arena.sort(term))
    }

    /// The literal of an equality of arrays.
    pub(super) fn array_equality(
        &mut self,
        arena: &Arena,
        left: Term,
        right: Term,
    ) -> Result<Lit, Interrupt> {
        let Sort::Array(sort) = arena.sort(left) else { return Ok(self.gates.truth()) };
        self.gates.sat.want_whole_models();
        let truth = self.gates.input()?;
        let width = bits_of_sort(&sort.index).unwrap_or(1);
        let index: Vec<Lit> = (0..width).map(|_| self.gates.input()).collect::<Result<_, _>>()?;
        let equality =
            Announcement::Equality { left: number(left), right: number(right), truth, index: &index };
        self.gates.sat.announce(equality);
        let index = self.gates.canonical(&sort.index, &index)?;
        self.theory.connected.unite(arena, left, right);
        self.theory.connected.note(arena, left, &index);
        let (here, there) = (self.read(arena, left, &index)?, self.read(arena, right, &index)?);
        let same = self.gates.equal(&here, &there)?;
        let lemma = Lemma::Witness { truth, index: &index, same };
        self.gates.constrain_by(lemma, &mut vec![truth, !same]);
        for array in [left, right] {
            self.note_stores(arena, array);
        }
        self.theory.equalities.push(Equality { left, right, truth, instantiated: FxHashSet::default() });
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
            if arena.op(array) == Op::Store {
                let index = self.bits(arena, arena.children(array)[1]);
                self.theory.connected.note(arena, array, &index);
            }
            stack.extend(beneath(arena, array));
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
            let below = beneath(arena, array);
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
                _ => match arena.sort(array) {
                    Sort::Array(sort) => self.cell(Table::Array(array), index, &sort.element)?,
                    _ => Vec::new(),
                },
            };
            let read = Announcement::Read { array: number(array), index, content: &content };
            self.gates.sat.announce(read);
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

    fn cell(&mut self, table: Table, index: &[Lit], sort: &Sort) -> Result<Vec<Lit>, Interrupt> {
        let known = self.theory.tables.get(&table).and_then(|cells| {
            cells.iter().find(|cell| *cell.index == *index).map(|cell| cell.content.to_vec())
        });
        if let Some(content) = known {
            return Ok(content);
        }
        self.gates.sat.want_whole_models();
        let width = bits_of_sort(sort).unwrap_or(1);
        let content: Vec<Lit> =
            (0..width).map(|_| self.gates.unknown_function(index)).collect::<Result<_, _>>()?;
        let number = self.theory.number(table);
        self.gates.sat.announce(Announcement::Cell { table: number, index, content: &content });
        let free = content;
        let content = self.gates.canonical(sort, &free)?;
        self.gates.sat.announce(Announcement::Canonical { table: number, free: &free, content: &content });
        let cell = Cell { index: index.into(), content: content.as_slice().into() };
        self.theory.tables.entry(table).or_default().push(cell);
        Ok(content)
    }

    /// Looks for what the SAT solver's model violates, and adds clauses against it. Returns whether there was
    /// anything.
    pub(crate) fn refine(&mut self, arena: &Arena) -> Result<bool, Interrupt> {
        if self.theory.is_empty() {
            return Ok(false);
        }
        // The model is gone as soon as anything is added, so everything is looked at before.
        let mut memo = FxHashMap::default();
        let congruences = self.violated_congruences(&mut memo);
        let instances = self.missing_instances(arena, &mut memo);
        let mut refined = false;
        for (table, left, right) in congruences {
            refined |= self.congruence(table, left, right)?;
        }
        for (equality, index) in instances {
            self.instantiate(arena, equality, index)?;
            refined = true;
        }
        Ok(refined)
    }

    /// Pairs of cells of one table that have the same index in the model and different contents.
    fn violated_congruences(&self, memo: &mut FxHashMap<Var, bool>) -> Vec<(Table, usize, usize)> {
        let mut violated = Vec::new();
        for (&table, cells) in &self.theory.tables {
            let mut seen: FxHashMap<Vec<bool>, Vec<usize>> = FxHashMap::default();
            for (number, cell) in cells.iter().enumerate() {
                if !self.is_used(cell) {
                    continue;
                }
                let index: Vec<bool> = cell.index.iter().map(|&lit| self.gates.simulate(lit, memo)).collect();
                let same = seen.entry(index).or_default();
                match same.iter().find(|&&other| self.differ(&cells[other], cell)) {
                    Some(&other) => violated.push((table, other, number)),
                    None => same.push(number),
                }
            }
        }
        violated
    }

    /// Indices at which equalities that hold in the model have not been instantiated yet.
    fn missing_instances(&mut self, arena: &Arena, memo: &mut FxHashMap<Var, bool>) -> Vec<(usize, u32)> {
        let mut missing = Vec::new();
        for number in 0..self.theory.equalities.len() {
            let Equality { left, right, truth, .. } = self.theory.equalities[number];
            if self.gates.simulate(truth, memo) {
                let Theory { connected, equalities, .. } = &mut self.theory;
                let done = &equalities[number].instantiated;
                let all = connected.indices(arena, left, right);
                missing.extend(all.into_iter().filter(|id| !done.contains(id)).map(|id| (number, id)));
            }
        }
        missing
    }

    /// Equal arrays have equal elements at this index.
    fn instantiate(&mut self, arena: &Arena, equality: usize, id: u32) -> Result<(), Interrupt> {
        let Equality { left, right, truth, .. } = self.theory.equalities[equality];
        let index = self.theory.connected.word(id);
        let (here, there) = (self.read(arena, left, &index)?, self.read(arena, right, &index)?);
        for (&here, &there) in here.iter().zip(&there) {
            let lemma = Lemma::Instance { truth, index: &index };
            self.gates.constrain_by(lemma, &mut vec![!truth, !here, there]);
            self.gates.constrain_by(lemma, &mut vec![!truth, here, !there]);
        }
        self.theory.equalities[equality].instantiated.insert(id);
        Ok(())
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
        let (first, second) = (cells[left].clone(), cells[right].clone());
        let same = self.gates.equal(&first.index, &second.index)?;
        let table = self.theory.number(table);
        let lemma = Lemma::Congruence { table, left: &first.content, right: &second.content, same };
        for (&first, &second) in first.content.iter().zip(&*second.content) {
            self.gates.constrain_by(lemma, &mut vec![!same, !first, second]);
            self.gates.constrain_by(lemma, &mut vec![!same, first, !second]);
        }
        Ok(true)
    }

    /// The contents of a table in the model: index and content bits of the cells that matter.
    pub(crate) fn contents(
        &self,
        table: Table,
        memo: &mut FxHashMap<Var, bool>,
    ) -> Vec<(Vec<bool>, Vec<bool>)> {
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

    /// Makes all equalities of arrays be instantiated at a value of their index sort, too. False if they are
    /// already.
    pub(crate) fn add_index(&mut self, sort: &Sort, index: &Value) -> bool {
        let bits = constant_bits(&self.gates, index);
        self.theory.connected.note_everywhere(sort, &bits)
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
    to_bits(value).into_iter().map(|bit| gates.constant(bit)).collect()
}
