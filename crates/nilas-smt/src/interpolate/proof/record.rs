//! Formulas in parts, as clauses that know their part.
//!
//! Each part is blasted on its own, into a recorder instead of a SAT solver, so that gates over shared
//! variables exist once per part. Only the bits of variables that several parts mention are the same SAT
//! variable in all of them: a clause of one part and a clause of another have nothing in common but such
//! bits.

use crate::blast::{Blaster, Obstacle};
use crate::budget::{Budget, Interrupt};
use crate::sat::{Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::solver::Reason;
use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashMap;

/// A SAT solver that only writes down what it is told.
#[derive(Default)]
struct Recorder {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl SatSolver for Recorder {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }

    fn solve(&mut self, _assumptions: &[Lit], _budget: &Budget) -> SatAnswer {
        // It is never asked: recorders do not leave this file.
        SatAnswer::Unknown(Interrupt::Cancelled)
    }

    fn value(&self, _var: Var) -> Option<bool> {
        None
    }

    fn core(&self) -> &[Lit] {
        &[]
    }

    fn stats(&self) -> SatStats {
        SatStats::default()
    }
}

/// A bit of a bit-vector variable, or a Boolean variable as its bit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit {
    pub(super) variable: Term,
    pub(super) index: u32,
}

/// The first and the last part that a SAT variable occurs in; the first is greater than the last where it
/// occurs in none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// Clauses in parts, see the module's text.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) clauses: Vec<Vec<Lit>>,
    /// By clause: its part.
    pub(super) part: Vec<u32>,
    /// By SAT variable: where it occurs.
    pub(super) spans: Vec<Span>,
    /// By SAT variable: the bit it stands for, if it stands for one.
    pub(super) bits: Vec<Option<Bit>>,
}

impl Parts {
    /// The clauses of formulas in parts.
    pub(super) fn new(arena: &Arena, formulas: &[Vec<Term>], budget: &Budget) -> Result<Parts, Reason> {
        let mut parts = Parts::default();
        let mut global: FxHashMap<Bit, Var> = FxHashMap::default();
        for (part, formulas) in (0..).zip(formulas) {
            let mut blaster = Blaster::new(Recorder::default());
            blaster.gates.set_budget(budget);
            for &formula in formulas {
                let lit = blaster.literal(arena, formula).map_err(|obstacle| match obstacle {
                    Obstacle::Interrupted(why) => Reason::Interrupted(why),
                    Obstacle::Unsupported(what) => Reason::Unsupported(what.to_string()),
                })?;
                blaster.gates.sat.add_clause(&[lit]);
            }
            let mut map: Vec<Option<Var>> = vec![None; blaster.gates.sat.variables as usize];
            for variable in arena.free_variables_of(formulas) {
                if !matches!(arena.sort(variable), Sort::Bool | Sort::BitVec(_)) {
                    let what = format!("interpolation over a variable of sort {}", arena.sort(variable));
                    return Err(Reason::Unsupported(what));
                }
                for (index, lit) in (0..).zip(blaster.known(arena, variable).unwrap_or(&[])) {
                    let bit = Bit { variable, index };
                    // Bits of variables are inputs, which are positive literals of their own.
                    let var = *global.entry(bit).or_insert_with(|| parts.new_var(Some(bit)));
                    map[lit.var().0 as usize] = Some(var);
                }
            }
            for clause in blaster.gates.sat.clauses {
                parts.add(part, &clause, &mut map);
            }
        }
        Ok(parts)
    }

    fn new_var(&mut self, bit: Option<Bit>) -> Var {
        // The blaster refuses formulas long before there are 2^32 variables.
        let var = Var(u32::try_from(self.bits.len()).unwrap_or(u32::MAX));
        self.bits.push(bit);
        self.spans.push(Span { first: u32::MAX, last: 0 });
        var
    }

    fn add(&mut self, part: u32, clause: &[Lit], map: &mut [Option<Var>]) {
        let mut lits = Vec::with_capacity(clause.len());
        for &lit in clause {
            let own = lit.var().0 as usize;
            let var = match map[own] {
                Some(var) => var,
                None => *map[own].insert(self.new_var(None)),
            };
            lits.push(Lit::new(var, lit.is_positive()));
        }
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        for lit in &lits {
            let span = &mut self.spans[lit.var().0 as usize];
            span.first = span.first.min(part);
            span.last = span.last.max(part);
        }
        self.clauses.push(lits);
        self.part.push(part);
    }
}
