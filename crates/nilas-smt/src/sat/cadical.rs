//! CaDiCaL behind the SAT trait.
//!
//! CaDiCaL is strong on hard single queries. Retired activation variables are not reclaimed.
//! Somebody may listen to its proof ([`Cadical::traced`]): every clause has a number, and derived clauses
//! name those from which they follow by unit propagation, in that order (LRAT).

use super::{Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::budget::{Budget, Interrupt};
use cadical_sys::{CaDiCal, ProofTracer, State, Status, Terminator};
use std::cell::RefCell;
use std::rc::Rc;

/// Lets CaDiCaL poll the budget.
struct Watchdog {
    budget: Budget,
    stopped: Option<Interrupt>,
}

impl Terminator for Watchdog {
    fn terminated(&mut self) -> bool {
        self.stopped = self.budget.exhausted();
        self.stopped.is_some()
    }
}

/// Listens to the proof of a CaDiCaL instance.
pub trait Tracer {
    /// The clause that was added last has this number.
    fn original(&mut self, number: i64);
    /// A clause follows from those with the numbers given.
    fn derived(&mut self, number: i64, clause: &[Lit], antecedents: &[i64]);
    /// A clause is not used any more.
    fn deleted(&mut self, number: i64);
}

/// Passes on what a [`Tracer`] wants to know.
struct Adapter(Rc<RefCell<dyn Tracer>>);

impl Adapter {
    fn derive(&self, id: i64, clause: &[i32], antecedents: &[i64]) {
        let clause: Vec<Lit> = clause.iter().map(|&lit| internal(lit)).collect();
        self.0.borrow_mut().derived(id, &clause, antecedents);
    }
}

impl ProofTracer for Adapter {
    fn add_original_clause(&mut self, id: i64, _: bool, _: &[i32], restored: bool) {
        if !restored {
            self.0.borrow_mut().original(id);
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        // A clause with a witness is not implied; what makes them is switched off.
        if witness == 0 {
            self.derive(id, clause, antecedents);
        }
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        self.0.borrow_mut().deleted(id);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.derive(id, clause, antecedents);
    }

    // A clause that is weakened may come back: it is not deleted.
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

fn external(lit: Lit) -> i32 {
    let var = lit.var().0.cast_signed() + 1;
    if lit.is_positive() { var } else { -var }
}

fn internal(lit: i32) -> Lit {
    Lit::new(Var(lit.unsigned_abs() - 1), lit > 0)
}

/// The CaDiCaL solver.
pub struct Cadical {
    /// Reading a value changes nothing that can be seen, but asks for a mutable reference.
    solver: RefCell<CaDiCal>,
    vars: u32,
    core: Vec<Lit>,
    calls: u64,
}

impl Cadical {
    /// An empty solver.
    #[must_use]
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        // Variables are declared by using them, and bounded variable addition would make its own.
        let _ = solver.set("factor", 0);
        let _ = solver.set("factorcheck", 0);
        Cadical { solver: RefCell::new(solver), vars: 0, core: Vec::new(), calls: 0 }
    }

    /// An empty solver whose proof is told to a tracer.
    #[must_use]
    pub fn traced(tracer: Rc<RefCell<dyn Tracer>>) -> Self {
        let cadical = Self::new();
        cadical.solver.borrow_mut().connect_proof_tracer1(Adapter(tracer), true, false);
        cadical
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
        let clause: Vec<i32> = clause.iter().map(|&lit| external(lit)).collect();
        self.solver.get_mut().clause6(&clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.calls += 1;
        self.core.clear();
        if let Some(why) = budget.exhausted() {
            return SatAnswer::Unknown(why);
        }
        let solver = self.solver.get_mut();
        if let Some(limit) = budget.conflicts {
            let limit = i32::try_from(limit).unwrap_or(i32::MAX);
            // The name is one of CaDiCaL's own, so this cannot fail.
            let _ = solver.limit("conflicts", limit);
        }
        let watchdog = Rc::new(RefCell::new(Watchdog { budget: budget.clone(), stopped: None }));
        solver.connect_terminator(Rc::clone(&watchdog));
        for &lit in assumptions {
            solver.assume(external(lit));
        }
        let answer = match solver.solve() {
            Status::SATISFIABLE => SatAnswer::Sat,
            Status::UNSATISFIABLE => {
                self.core =
                    assumptions.iter().filter(|&&lit| solver.failed(external(lit))).copied().collect();
                SatAnswer::Unsat
            }
            Status::UNKNOWN => SatAnswer::Unknown(watchdog.borrow().stopped.unwrap_or(Interrupt::Conflicts)),
        };
        solver.disconnect_terminator();
        answer
    }

    fn value(&self, var: Var) -> Option<bool> {
        let mut solver = self.solver.borrow_mut();
        if solver.state() != State::SATISFIED || var.0 >= solver.vars().cast_unsigned() {
            return None;
        }
        Some(solver.val(var.0.cast_signed() + 1) > 0)
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn stats(&self) -> SatStats {
        SatStats { calls: self.calls, ..SatStats::default() }
    }
}
