//! Arrays and functions: the checker's own record of cells, reads and equalities, and the instances of axioms
//! it makes of them.
//!
//! * *Congruence.* Cells of one table (an array variable, a function) with equal indices have equal contents.
//!   For two cells: d₁ ∨ … ∨ dₙ ∨ (l = r) for each bit of the contents, where dᵢ is a new variable defined as
//!   the difference of bit i of the indices. The contents of a cell are new when it is announced: what they
//!   are is for nobody else to say.
//! * *Equality.* Equal arrays have equal elements: t ⇒ (here = there) for each bit of their reads at some
//!   index.
//! * *Extensionality.* Arrays that are not equal differ at an index, which is new for each equality: t ∨ e₁ ∨
//!   … ∨ eₙ, where eᵢ is a new variable defined as the difference of bit i of the reads at that index.
//!
//! A lemma of the solver is accepted if it follows from these by unit propagation. It mentions a gate for
//! "the words are equal", of which the checker knows only the clauses; that the gate excludes each difference
//! is derived first.

use super::Proved;
use crate::sat::{Lemma, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

/// A cell of a table: its index, and its content as announced.
#[derive(Clone)]
struct Cell {
    index: Vec<Lit>,
    free: Vec<Lit>,
}

/// An equality of arrays: which, and the index at which they differ if they do, as announced.
struct Equality {
    arrays: (u64, u64),
    index: Vec<Lit>,
}

/// What has been announced.
#[derive(Default)]
pub(super) struct Axioms {
    /// Cells by table and content.
    cells: FxHashMap<(u64, Vec<Lit>), Cell>,
    /// Equalities by their truth values.
    equalities: FxHashMap<Lit, Equality>,
    /// Elements of arrays by array and index.
    reads: FxHashMap<(u64, Vec<Lit>), Vec<Lit>>,
    /// Pairs of cells whose axiom is there.
    congruent: FxHashSet<(u64, Vec<Lit>, Vec<Lit>)>,
}

/// Whether the bits can be a canonical form of new ones: the same, or gates that came later. (That the gates
/// are such a form is not checked.)
fn stands_for(canonical: &[Lit], free: &[Lit]) -> bool {
    let oldest = free.iter().map(|lit| lit.var()).min();
    canonical.len() == free.len() && canonical.iter().all(|lit| Some(lit.var()) >= oldest)
}

impl Axioms {
    pub(super) fn cell(&mut self, table: u64, index: Vec<Lit>, free: Vec<Lit>) {
        self.cells.insert((table, free.clone()), Cell { index, free });
    }

    /// A cell is read through gates that map its content to values of its sort.
    pub(super) fn canonical(&mut self, table: u64, free: Vec<Lit>, content: Vec<Lit>) -> Result<(), String> {
        match self.cells.remove(&(table, free)) {
            Some(cell) if stands_for(&content, &cell.free) => {
                self.cells.insert((table, content), cell);
                Ok(())
            }
            _ => Err(format!("table {table} has no cell for these contents")),
        }
    }

    pub(super) fn read(&mut self, array: u64, index: Vec<Lit>, content: &[Lit]) -> Result<(), String> {
        match self.reads.insert((array, index), content.to_vec()) {
            Some(before) if before != content => Err(format!("array {array} has two elements at one index")),
            _ => Ok(()),
        }
    }

    pub(super) fn equality(&mut self, arrays: (u64, u64), truth: Lit, index: Vec<Lit>) {
        self.equalities.insert(truth, Equality { arrays, index });
    }

    /// The two words that an equality is about at an index.
    fn elements(&self, truth: Lit, index: &[Lit]) -> Result<(Vec<Lit>, Vec<Lit>), String> {
        let equality = self.equalities.get(&truth).ok_or("a lemma about an equality that is unknown")?;
        let read = |array: u64| {
            let found = self.reads.get(&(array, index.to_vec())).cloned();
            found.ok_or_else(|| format!("array {array} was not read at {index:?}"))
        };
        let (left, right) = (read(equality.arrays.0)?, read(equality.arrays.1)?);
        if left.len() != right.len() {
            return Err("an equality of arrays of different elements".to_owned());
        }
        Ok((left, right))
    }
}

impl Proved {
    /// Takes a lemma that follows from an instance of its axiom.
    pub(super) fn instantiate(&mut self, lemma: Lemma<'_>, clause: &[Lit]) -> Result<(), String> {
        match lemma {
            Lemma::Congruence { table, left, right, same } => {
                let (left, right) = (self.translate(left), self.translate(right));
                let same = self.translate(&[same])[0];
                self.congruence(table, &left, &right, same)?;
            }
            Lemma::Instance { truth, index } => {
                let (truth, index) = (self.translate(&[truth])[0], self.translate(index));
                let (left, right) = self.axioms.elements(truth, &index)?;
                for (&left, &right) in left.iter().zip(&right) {
                    self.given(&[!truth, !left, right]);
                    self.given(&[!truth, left, !right]);
                }
            }
            Lemma::Witness { truth, index, same } => {
                let (truth, index) = (self.translate(&[truth])[0], self.translate(index));
                let same = self.translate(&[same])[0];
                let (left, right) = self.axioms.elements(truth, &index)?;
                if !self.axioms.equalities.get(&truth).is_some_and(|known| stands_for(&index, &known.index)) {
                    return Err("arrays are said to differ at an index that is not their own".to_owned());
                }
                let differences = self.differences(&left, &right);
                self.given(&[&differences[..], &[truth]].concat());
                self.exclude(same, &left, &differences);
            }
        }
        if self.derived(clause) {
            Ok(())
        } else {
            Err(format!("the lemma {clause:?} does not follow from an axiom of arrays and functions"))
        }
    }

    fn congruence(&mut self, table: u64, left: &[Lit], right: &[Lit], same: Lit) -> Result<(), String> {
        let cell = |content: &[Lit]| self.axioms.cells.get(&(table, content.to_vec())).cloned();
        let (Some(first), Some(second)) = (cell(left), cell(right)) else {
            return Err(format!("a lemma about cells that table {table} does not have"));
        };
        if first.index.len() != second.index.len() || left.len() != right.len() {
            return Err(format!("the cells of table {table} differ in size"));
        }
        if !self.axioms.congruent.insert((table, left.to_vec(), right.to_vec())) {
            return Ok(());
        }
        let differences = self.differences(&first.index, &second.index);
        for (&left, &right) in left.iter().zip(right) {
            self.given(&[&differences[..], &[!left, right]].concat());
            self.given(&[&differences[..], &[left, !right]].concat());
        }
        self.exclude(same, &first.index, &differences);
        Ok(())
    }

    /// New variables that are defined as the differences of two words, bit by bit.
    fn differences(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        let mut differences = Vec::with_capacity(left.len());
        for (&a, &b) in left.iter().zip(right) {
            let d = self.fresh().lit();
            self.given(&[!d, a, b]);
            self.given(&[!d, !a, !b]);
            self.given(&[d, !a, b]);
            self.given(&[d, a, !b]);
            differences.push(d);
        }
        differences
    }

    /// Derives that the gate `same` excludes each difference, by cases of the bit of the first word. What
    /// does not follow is left out; then the lemma will not follow.
    fn exclude(&mut self, same: Lit, left: &[Lit], differences: &[Lit]) {
        for (&a, &d) in left.iter().zip(differences) {
            if self.derived(&[!same, !d, a]) {
                self.derived(&[!same, !d]);
            }
        }
    }
}
