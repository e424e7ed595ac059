//! CaDiCaL behind the SAT trait.
//!
//! CaDiCaL is strong on hard single queries. Retired activation variables are not reclaimed.

use super::{Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::budget::{Budget, Interrupt};
use cadical::{Callbacks, Solver};

/// Lets CaDiCaL poll the budget.
struct Terminator {
    budget: Budget,
    stopped: Option<Interrupt>,
    polls: u32,
}

impl Callbacks for Terminator {
    fn terminate(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        self.stopped = self.budget.exhausted();
        self.stopped.is_some()
    }
}

/// The CaDiCaL solver.
pub struct Cadical {
    solver: Solver<Terminator>,
    vars: u32,
    core: Vec<Lit>,
    calls: u64,
}

impl Cadical {
    /// An empty solver.
    #[must_use]
    pub fn new() -> Self {
        Cadical { solver: Solver::new(), vars: 0, core: Vec::new(), calls: 0 }
    }

    fn external(lit: Lit) -> i32 {
        let var = lit.var().0.cast_signed() + 1;
        if lit.is_positive() { var } else { -var }
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause.iter().map(|&lit| Self::external(lit)));
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.calls += 1;
        self.core.clear();
        if let Some(why) = budget.exhausted() {
            return SatAnswer::Unknown(why);
        }
        if let Some(limit) = budget.conflicts {
            let limit = i32::try_from(limit).unwrap_or(i32::MAX);
            // The name is one of CaDiCaL's own, so this cannot fail.
            let _ = self.solver.set_limit("conflicts", limit);
        }
        self.solver.set_callbacks(Some(Terminator { budget: budget.clone(), stopped: None, polls: 0 }));
        match self.solver.solve_with(assumptions.iter().map(|&lit| Self::external(lit))) {
            Some(true) => SatAnswer::Sat,
            Some(false) => {
                let failed = assumptions.iter().filter(|&&lit| self.solver.failed(Self::external(lit)));
                self.core = failed.copied().collect();
                SatAnswer::Unsat
            }
            None => {
                let stopped = self.solver.get_callbacks().and_then(|callbacks| callbacks.stopped);
                SatAnswer::Unknown(stopped.unwrap_or(Interrupt::Conflicts))
            }
        }
    }

    fn value(&self, var: Var) -> Option<bool> {
        if var.0 >= self.solver.max_variable().cast_unsigned() {
            return None;
        }
        self.solver.value(var.0.cast_signed() + 1)
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn stats(&self) -> SatStats {
        SatStats { calls: self.calls, ..SatStats::default() }
    }
}
