//! Hard single queries go to CaDiCaL, or to BatSat where that was left out ([`Hard`]).
//!
//! After a number of conflicts a query is not one of those that this solver is made for, and inprocessing
//! pays. Then the clauses of the query's cone, and nothing else, go to a fresh CaDiCaL instance, which has
//! the rest of the budget.
//!
//! Both answers are right for the reasons given in [`super`]: what is handed over are the clauses all of
//! whose variables are in the cone, with what is implied for ever; a model of these is an assignment of the
//! whole cone that violates no clause looked at, and is made the assignment here; a refutation of these is a
//! refutation of more, and its failed assumptions are a core. Clauses learnt here are implied, so short ones
//! are handed over too; nothing comes back but the answer.
//!
//! Not done while a proof is written: CaDiCaL's steps would not be in it.

use super::super::{Hard, Lit, SatAnswer, SatSolver, Var};
use super::Cdcl;
use super::assign::{FALSE, Reason, TRUE};
use crate::budget::Budget;

/// Conflicts in one call after which it is handed over.
pub(super) const AFTER: u64 = 10_000;

/// Learnt clauses of at most that distance are handed over.
const MAX_LBD: u32 = 3;

const OUTSIDE: u32 = u32::MAX;

/// A solver over the cone, which numbers variables in its own way.
struct Copy {
    solver: Hard,
    /// Per variable its number, `OUTSIDE` for those that are not in the cone.
    numbers: Vec<u32>,
    clause: Vec<Lit>,
}

impl Copy {
    fn lit(&self, lit: Lit) -> Option<Lit> {
        let number = self.numbers[lit.var().0 as usize];
        (number != OUTSIDE).then(|| Lit::new(Var(number), lit.is_positive()))
    }

    /// Adds a clause if all its variables are in the cone.
    fn add(&mut self, lits: impl Iterator<Item = Lit>) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        let mut inside = true;
        for lit in lits {
            match self.lit(lit) {
                Some(lit) => clause.push(lit),
                None => inside = false,
            }
        }
        if inside {
            self.solver.add_clause(&clause);
        }
        self.clause = clause;
    }
}

impl Cdcl {
    /// Whether a query may be handed over at all.
    pub(super) fn hands_over(&self) -> bool {
        self.proof.is_none() && self.hand_over_after != u64::MAX
    }

    /// Answers the query of the present call by another solver.
    pub(super) fn hand_over(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.counters.handed_over += 1;
        self.backtrack(0);
        let mut copy = self.copy_of_cone();
        // Assumptions are in the cone.
        let assumed: Vec<Lit> = assumptions.iter().filter_map(|&lit| copy.lit(lit)).collect();
        let answer = copy.solver.solve(&assumed, budget);
        match answer {
            SatAnswer::Sat => self.take_model(&copy),
            SatAnswer::Unsat => {
                let failed =
                    |lit: &&Lit| copy.lit(**lit).is_some_and(|lit| copy.solver.core().contains(&lit));
                self.core = assumptions.iter().filter(failed).copied().collect();
                self.core.sort_unstable();
                self.core.dedup();
            }
            SatAnswer::Unknown(_) => {}
        }
        answer
    }

    fn copy_of_cone(&self) -> Copy {
        let Cdcl { cone, assign, watches, arena, .. } = self;
        let numbers = vec![OUTSIDE; assign.vars() as usize];
        let mut copy = Copy { solver: Hard::new(), numbers, clause: Vec::new() };
        for &var in cone.members() {
            copy.numbers[var.0 as usize] = copy.solver.new_var().0;
        }
        for &var in cone.members() {
            for lit in [var.lit(), !var.lit()] {
                if assign.value(lit) == TRUE {
                    copy.add([lit].into_iter());
                }
                // Each clause once: under its least literal.
                for &other in watches.binary(lit).iter().filter(|&&other| lit < other) {
                    copy.add([lit, other].into_iter());
                }
                for &[a, b] in watches.ternary(lit).iter().filter(|[a, b]| lit < *a && lit < *b) {
                    copy.add([lit, a, b].into_iter());
                }
            }
        }
        for clause in arena.live() {
            if !arena.is_learnt(clause) || arena.lbd(clause) <= MAX_LBD {
                copy.add(arena.lits(clause));
            }
        }
        copy
    }

    /// Makes the model of that solver the present assignment, all of it at level 1.
    fn take_model(&mut self, copy: &Copy) {
        self.assign.open_level();
        for &var in self.cone.members() {
            if !matches!(self.assign.value(var.lit()), TRUE | FALSE) {
                let number = Var(copy.numbers[var.0 as usize]);
                // What occurs in no clause may have any value.
                let value = copy.solver.value(number).unwrap_or(false);
                self.assign.assign(Lit::new(var, value), Reason::NOTHING);
            }
        }
        self.assign.head = self.assign.trail.len();
    }
}
