//! Refutations as data: the clauses that were learnt, as bounds of terms.
//!
//! Each clause follows from the formulas and the clauses before it by contraction and unit propagation, and in
//! the end a contradiction does. A checker needs nothing of this crate to see that: it assumes that the
//! literals of a clause are false, and narrows.
//!
//! Columns are told as readings of terms. Inside, a float that is NaN has a rank, too (a *shadow*); outside it
//! has none, so a literal about a rank becomes two: the term is NaN, or it is a number in the bound. Truth
//! values that stand for no term are told by what they are conjunctions of, or what they are a part of, which
//! may be weaker than the clause that was learnt. All clauses told follow from the formulas; that they suffice
//! is for the checker to find.

use crate::decompose::{Decomposition, View};
use crate::search::{Bound, Column, Side, Verdict};
use crate::simple::{Reading, SimpleBound};
use crate::solver::{Icp, Options};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Term};
use rustc_hash::FxHashMap;

/// Why formulas have no model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// What was learnt, in order. A clause says that one of its bounds holds.
    pub clauses: Vec<Vec<SimpleBound>>,
    /// Clauses that could not be told.
    pub untold: u64,
}

/// How deep truth values without terms are looked through.
const DEPTH: u32 = 4;

/// A proof that formulas have no model, found within some contractions; nothing if there is none, or it was
/// not found. Formulas that are not supported do not take part.
///
/// # Errors
/// If the budget ends.
pub fn prove(
    arena: &Arena,
    formulas: &[Term],
    contractions: u64,
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    let mut solver = Icp::new(Options { hand_over: false, patience: contractions });
    let mut stack = formulas.to_vec();
    while let Some(formula) = stack.pop() {
        if arena.op(formula) == Op::And {
            stack.extend_from_slice(arena.children(formula));
        } else {
            solver.assert_supported(arena, formula);
        }
    }
    Ok(match solver.refute_logged(arena, budget) {
        Verdict::Unsat(_) => Some(solver.proof()),
        Verdict::Unknown(why) => return Err(Reason::Interrupted(why)),
        Verdict::Sat | Verdict::Impatient => None,
    })
}

/// What columns are, told from outside.
pub(crate) struct Teller<'a> {
    decomposition: &'a Decomposition,
    readings: FxHashMap<Column, (Term, Reading)>,
    /// Truth values that are terms, or the negations of terms.
    truths: FxHashMap<Column, (Term, bool)>,
    names: FxHashMap<Column, Bound>,
    /// By name, and by part.
    conjunctions: FxHashMap<Column, usize>,
    parts: FxHashMap<Column, usize>,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(decomposition: &'a Decomposition) -> Self {
        let mut readings = FxHashMap::default();
        let mut truths = FxHashMap::default();
        for (term, view) in decomposition.views() {
            match view {
                View::Bits { unsigned, signed, .. } => {
                    readings.insert(unsigned, (term, Reading::Unsigned));
                    readings.insert(signed, (term, Reading::Signed));
                }
                View::Float { rank, nan, .. } => {
                    readings.insert(rank, (term, Reading::Number));
                    readings.insert(nan, (term, Reading::Nan));
                }
                View::Bool(bound) if bound == Bound::at_least(bound.column, 1) => {
                    truths.insert(bound.column, (term, true));
                }
                View::Bool(bound) if bound == Bound::at_most(bound.column, 0) => {
                    truths.entry(bound.column).or_insert((term, false));
                }
                View::Bool(_) | View::Mode(_) => {}
            }
        }
        let names = decomposition.names().map(|(&bound, &column)| (column, bound)).collect();
        let mut conjunctions = FxHashMap::default();
        let mut parts = FxHashMap::default();
        for (number, (name, literals)) in decomposition.conjunctions.iter().enumerate() {
            conjunctions.insert(name.column, number);
            for literal in literals {
                parts.insert(literal.column, number);
            }
        }
        Teller { decomposition, readings, truths, names, conjunctions, parts }
    }

    /// The clause from outside; nothing if some literal cannot be told.
    pub(crate) fn clause(&self, literals: &[Bound]) -> Option<Vec<SimpleBound>> {
        let mut told = Vec::with_capacity(literals.len());
        for &literal in literals {
            self.literal(literal, DEPTH, &mut told)?;
        }
        told.sort_unstable();
        told.dedup();
        Some(told)
    }

    /// Bounds of which one holds if the literal does.
    fn literal(&self, literal: Bound, depth: u32, told: &mut Vec<SimpleBound>) -> Option<()> {
        let Bound { column, side, value } = literal;
        let depth = depth.checked_sub(1)?;
        if let Some(&(of, reading)) = self.readings.get(&column) {
            if reading == Reading::Number {
                told.push(SimpleBound { of, reading: Reading::Nan, side: Side::Lower, value: 1 });
            }
            told.push(SimpleBound { of, reading, side, value });
            return Some(());
        }
        let holds = side == Side::Lower;
        if let Some(&bound) = self.names.get(&column) {
            return self.literal(if holds { bound } else { bound.negated() }, depth, told);
        }
        if let Some(&(of, positive)) = self.truths.get(&column) {
            told.push(match holds == positive {
                true => SimpleBound { of, reading: Reading::Truth, side: Side::Lower, value: 1 },
                false => SimpleBound { of, reading: Reading::Truth, side: Side::Upper, value: 0 },
            });
            return Some(());
        }
        if let Some(&number) = self.conjunctions.get(&column) {
            let (_, parts) = &self.decomposition.conjunctions[number];
            return match holds {
                true => self.literal(*parts.first()?, depth, told),
                false => parts.iter().try_for_each(|part| self.literal(part.negated(), depth, told)),
            };
        }
        // A part holds: the whole does, or another part does not. A part does not hold: neither does the whole.
        let (name, parts) = &self.decomposition.conjunctions[*self.parts.get(&column)?];
        if parts.contains(&literal) {
            let others = parts.iter().filter(|part| part.column != column);
            self.literal(*name, depth, told)?;
            others.map(|part| part.negated()).try_for_each(|part| self.literal(part, depth, told))
        } else if parts.contains(&literal.negated()) {
            self.literal(name.negated(), depth, told)
        } else {
            None
        }
    }
}
