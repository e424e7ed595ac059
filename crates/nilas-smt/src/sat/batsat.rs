//! BatSat (MiniSat in Rust) behind the SAT trait.
//!
//! No line of it is shared with CaDiCaL or with a core of our own, which makes it the SAT core of the
//! evidence checker.

use super::{Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::budget::{Budget, Interrupt};
use batsat::{Callbacks, SolverInterface, lbool};
use std::cell::Cell;

/// Lets BatSat poll the budget. It asks at every conflict and decision, so most polls are skipped.
#[derive(Default)]
struct Terminator {
    budget: Budget,
    stopped: Cell<Option<Interrupt>>,
    polls: Cell<u32>,
    conflicts: Cell<u64>,
}

impl Callbacks for Terminator {
    fn on_new_clause(&mut self, _clause: &[batsat::Lit], _kind: batsat::clause::Kind) {
        self.conflicts.set(self.conflicts.get() + 1);
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        if self.budget.conflicts.is_some_and(|limit| self.conflicts.get() >= limit) {
            self.stopped.set(Some(Interrupt::Conflicts));
            return true;
        }
        self.polls.set(self.polls.get().wrapping_add(1));
        if self.polls.get().is_multiple_of(64) {
            self.stopped.set(self.budget.exhausted());
        }
        self.stopped.get().is_some()
    }
}

/// The BatSat solver.
pub struct Batsat {
    solver: batsat::Solver<Terminator>,
    core: Vec<Lit>,
    calls: u64,
}

impl Batsat {
    /// An empty solver.
    #[must_use]
    pub fn new() -> Self {
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), Terminator::default());
        Batsat { solver, core: Vec::new(), calls: 0 }
    }

    fn external(&mut self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.solver.var_of_int(lit.var().0), lit.is_positive())
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver for Batsat {
    fn new_var(&mut self) -> Var {
        Var(self.solver.new_var_default().idx())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<_> = clause.iter().map(|&lit| self.external(lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.calls += 1;
        self.core.clear();
        if let Some(why) = budget.exhausted() {
            return SatAnswer::Unknown(why);
        }
        *self.solver.cb_mut() = Terminator { budget: budget.clone(), ..Terminator::default() };
        let external: Vec<_> = assumptions.iter().map(|&lit| self.external(lit)).collect();
        let answer = self.solver.solve_limited(&external);
        if answer == lbool::TRUE {
            SatAnswer::Sat
        } else if answer == lbool::FALSE {
            // BatSat names the core as a clause over negated assumptions.
            let failed = self.solver.unsat_core();
            self.core = (assumptions.iter().zip(&external))
                .filter(|(_, lit)| failed.contains(&!**lit))
                .map(|(&lit, _)| lit)
                .collect();
            SatAnswer::Unsat
        } else {
            SatAnswer::Unknown(self.solver.cb().stopped.get().unwrap_or(Interrupt::Conflicts))
        }
    }

    fn value(&self, var: Var) -> Option<bool> {
        let model = self.solver.get_model();
        match model.get(var.0 as usize) {
            Some(&value) if value == lbool::TRUE => Some(true),
            Some(&value) if value == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn stats(&self) -> SatStats {
        SatStats {
            calls: self.calls,
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
            ..SatStats::default()
        }
    }
}
