//! A CDCL solver made for the query streams of IC3 over bit-blasted circuits.
//!
//! IC3 asks hundreds of thousands of small questions of one solver that holds the circuits of all terms
//! ever built. A general solver assigns all of their variables in every call; this one decides and
//! propagates only inside the [`cone`] of the query. Otherwise it is a plain solver in the line of
//! MiniSat and Glucose: flat clauses, two watched literals, first-UIP learning, activities, phase saving,
//! restarts, clause-database reduction, and no pre- or inprocessing. Failed cores are learnt as clauses, too.
//! Hard single queries are handed over once a conflict budget is spent, see [`hand_over`].
//!
//! # Why the rest may be left alone
//!
//! Let the cone be the transitive fan-in of the variables of root clauses, of the assumptions, and of the
//! clauses under activation variables that are assumed. Clauses with a variable outside the cone, unless
//! it has a value for ever, are not looked at.
//!
//! *Satisfiable* is right: say that all variables of the cone are assigned and no clause looked at is
//! false. (Easy calls stop before that; [`justify`] tells when and why.) Root clauses, clauses under assumed
//! activation variables, and clauses of gates whose output is in the cone have all their variables in the
//! cone, so they are satisfied. Assign the activation variables outside the cone to false: the clauses under
//! them are satisfied, and they occur nowhere else. Assign the other variables outside from the oldest to the
//! youngest: one that no gate defines arbitrarily, an output by its gate, whose inputs are older. As a gate
//! is total this is always possible, and satisfies the clauses of gates outside the cone. Learnt clauses,
//! skipped or not, are implied by all these and so are satisfied too. A variable outside the cone that has a
//! value for ever has it by implication, so the assignment just built agrees.
//!
//! *Unsatisfiable* is right since clauses are only ever left out, and what is learnt from the others is
//! implied by them. In particular a learnt clause stays valid in later calls whatever their cones, because
//! clauses under an activation variable `a` contain `¬a`, which nothing resolves away.
//!
//! This rests on the promises of [`SatSolver::add_gate`]: an output is a total function of older
//! variables. What is not total, such as a lemma about a term, must be added as a clause, not as a gate.
//!
//! # What is never done here
//!
//! No variable is eliminated or renamed, no clause is kept outside its activation variable's life, and
//! nothing is allocated in the search loop once the buffers have grown to size, proofs and reductions aside.

mod activation;
mod analyse;
mod arena;
mod assign;
mod clauses;
mod cone;
mod decide;
mod hand_over;
mod invariant;
mod justify;
mod pool;
mod proof;
mod reduce;
mod search;
#[cfg(test)]
mod tests;
mod theory;
mod watch;

pub use self::proof::{Antecedents, DratWriter, ProofLog, ProofSink, ProofStep};

use super::{Lit, SatAnswer, SatSolver, SatStats, Var};
use crate::budget::Budget;
use crate::euf::Closure;
use activation::Activations;
use analyse::Analysis;
use arena::{Arena, ClauseRef};
use assign::{Assignment, FALSE, TRUE};
use cone::Cone;
use decide::DecisionQueue;
use justify::Justification;
use watch::Watches;

/// What the solver has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Calls of [`SatSolver::solve`].
    pub calls: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions made, assumptions not counted.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Sum of the sizes of the cones of all calls.
    pub cone_variables: u64,
    /// Clauses learnt.
    pub learnt: u64,
    /// Learnt clauses that are still there, binary ones not counted.
    pub learnt_live: u64,
    /// Restarts.
    pub restarts: u64,
    /// Times that the worse half of the learnt clauses was forgotten.
    pub reductions: u64,
    /// Times that the words of deleted clauses were reclaimed.
    pub collections: u64,
    /// Calls that were handed over.
    pub handed_over: u64,
}

/// The solver; the module documentation tells its idea.
pub struct Cdcl {
    assign: Assignment,
    arena: Arena,
    watches: Watches,
    cone: Cone,
    /// Whether all variables are in the cone always.
    everything: bool,
    /// Whether every variable of the cone must have a value in a model.
    whole_models: bool,
    queue: DecisionQueue,
    justification: Justification,
    acts: Activations,
    analysis: Analysis,
    restarts: search::Restarts,
    schedule: reduce::Schedule,
    learnts: Vec<ClauseRef>,
    core: Vec<Lit>,
    scratch: Vec<Lit>,
    /// Whether the clauses contradict each other without any assumption.
    contradictory: bool,
    has_model: bool,
    /// How many literals of the trail at level 0 were propagated through all clauses.
    root_done: usize,
    /// Whether a root literal may need a justification that it did not need before.
    root_changed: bool,
    /// How many literals of the trail at level 0 the proof knows.
    root_logged: usize,
    /// Conflicts in one call after which it is handed over.
    hand_over_after: u64,
    counters: Counters,
    proof: Option<Box<dyn ProofSink>>,
    explanation: proof::Explanation,
    theory: Option<Box<Closure>>,
    /// How many literals of the trail the theory has.
    theory_head: usize,
    /// Scratch: a clause of the theory.
    theory_clause: Vec<Lit>,
}

impl Default for Cdcl {
    fn default() -> Self {
        Self::handing_over_after(hand_over::AFTER)
    }
}

impl Cdcl {
    /// An empty solver.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty solver in whose calls every variable takes part: to measure what the cone gains.
    #[must_use]
    pub fn without_cone() -> Self {
        Cdcl { everything: true, ..Self::default() }
    }

    /// An empty solver that never hands a call over: to measure what that gains.
    #[must_use]
    pub fn alone() -> Self {
        Self::handing_over_after(u64::MAX)
    }

    /// An empty solver that hands a call to CaDiCaL after so many conflicts; all calls at once if that is 0.
    #[must_use]
    pub fn handing_over_after(conflicts: u64) -> Self {
        Cdcl {
            assign: Assignment::default(),
            arena: Arena::default(),
            watches: Watches::default(),
            cone: Cone::default(),
            everything: false,
            whole_models: false,
            queue: DecisionQueue::default(),
            justification: Justification::default(),
            acts: Activations::default(),
            analysis: Analysis::default(),
            restarts: search::Restarts::default(),
            schedule: reduce::Schedule::default(),
            learnts: Vec::new(),
            core: Vec::new(),
            scratch: Vec::new(),
            contradictory: false,
            has_model: false,
            root_done: 0,
            root_changed: false,
            root_logged: 0,
            hand_over_after: conflicts,
            counters: Counters::default(),
            proof: None,
            explanation: proof::Explanation::default(),
            theory: None,
            theory_head: 0,
            theory_clause: Vec::new(),
        }
    }

    /// What the solver has done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How many words clauses, watch lists and activation lists take at present.
    #[must_use]
    pub fn memory_words(&self) -> usize {
        self.arena.words() + self.watches.words() + self.acts.len() + self.learnts.len()
    }

    fn grow(&mut self) -> Var {
        let var = Var(self.assign.vars());
        self.assign.new_var();
        self.watches.new_var();
        self.cone.new_var();
        self.queue.new_var();
        self.justification.new_var();
        self.acts.new_var();
        self.analysis.new_var();
        var
    }

    fn grow_to(&mut self, var: Var) {
        while self.assign.vars() <= var.0 {
            self.new_var();
        }
    }
}

impl SatSolver for Cdcl {
    fn new_var(&mut self) -> Var {
        let var = self.grow();
        if self.everything {
            self.cone.add_root(var);
        }
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.add_root_clause(clause);
    }

    fn add_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        self.declare_gate(output, inputs, clauses);
    }

    fn new_activation(&mut self) -> Var {
        self.take_activation()
    }

    fn add_clause_under(&mut self, activation: Var, clause: &[Lit]) {
        self.add_guarded_clause(!activation.lit(), clause);
    }

    fn retire(&mut self, activation: Var) {
        self.grow_to(activation);
        self.reset();
        self.release(activation);
    }

    fn reclaims_activations(&self) -> bool {
        true
    }

    fn want_whole_models(&mut self) {
        self.whole_models = true;
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.search_under(assumptions, budget)
    }

    fn value(&self, var: Var) -> Option<bool> {
        if !self.has_model || var.0 >= self.assign.vars() {
            return None;
        }
        match self.assign.value(var.lit()) {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn stats(&self) -> SatStats {
        let Counters { calls, conflicts, decisions, propagations, handed_over, .. } = self.counters;
        SatStats { calls, conflicts, decisions, propagations, handed_over }
    }
}
