//! Every back end through the conformance kit.

use nilas_smt::proof::Proved;
use nilas_smt::sat::{Batsat, Cadical, Cdcl, Lit, SatAnswer, SatSolver, SatStats, Var};
use nilas_smt::{Budget, Embedded, Solver, conformance};

fn conforms<S: SatSolver + Default + 'static>() {
    let mut make = || Box::new(Embedded::<S>::new()) as Box<dyn Solver>;
    if let Err(what) = conformance::run(&mut make) {
        panic!("{what}");
    }
}

#[test]
fn cadical() {
    conforms::<Cadical>();
}

#[test]
fn batsat() {
    conforms::<Batsat>();
}

#[test]
fn cdcl() {
    conforms::<Cdcl>();
}

/// Our own core, handing calls to CaDiCaL after so many conflicts; all of them at once if that is 0.
struct HandingOver<const AFTER: u64>(Cdcl);

impl<const AFTER: u64> Default for HandingOver<AFTER> {
    fn default() -> Self {
        HandingOver(Cdcl::handing_over_after(AFTER))
    }
}

impl<const AFTER: u64> SatSolver for HandingOver<AFTER> {
    fn new_var(&mut self) -> Var {
        self.0.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.0.add_clause(clause);
    }

    fn add_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        self.0.add_gate(output, inputs, clauses);
    }

    fn new_activation(&mut self) -> Var {
        self.0.new_activation()
    }

    fn add_clause_under(&mut self, activation: Var, clause: &[Lit]) {
        self.0.add_clause_under(activation, clause);
    }

    fn retire(&mut self, activation: Var) {
        self.0.retire(activation);
    }

    fn reclaims_activations(&self) -> bool {
        self.0.reclaims_activations()
    }

    fn want_whole_models(&mut self) {
        self.0.want_whole_models();
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.0.solve(assumptions, budget)
    }

    fn value(&self, var: Var) -> Option<bool> {
        self.0.value(var)
    }

    fn core(&self) -> &[Lit] {
        self.0.core()
    }

    fn stats(&self) -> SatStats {
        self.0.stats()
    }
}

#[test]
fn cdcl_that_hands_over() {
    conforms::<HandingOver<0>>();
    conforms::<HandingOver<1>>();
    conforms::<HandingOver<5>>();
}

/// A step of a proof that is rejected ends as an answer that the kit does not expect.
#[test]
fn proved() {
    conforms::<Proved>();
}
