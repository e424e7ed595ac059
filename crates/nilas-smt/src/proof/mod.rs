//! Unsatisfiable answers with proofs that somebody else has checked.
//!
//! [`Proved`] is our SAT core with a checker at its side. The checker gets the clauses from the caller, not
//! from the solver; it accepts a clause that the solver learnt only if it follows by unit propagation
//! ([`rup`]), and an unsatisfiable answer leaves only if the negation of its core follows so. Gates must be
//! total functions of their inputs ([`gates`]), and lemmas about arrays and functions must follow from
//! instances of the axioms that the checker makes itself ([`theory`]). What is rejected is told by
//! [`SatSolver::rejected`], and the embedded solver does not answer then.
//!
//! What a proof does not show: that terms are simplified rightly, that the circuit of an operator (reads
//! through stores among them) computes the operator, and that assertions became the right clauses. These are
//! checked by other tests.
//!
//! Every life of an activation variable is another variable for the checker, so that nothing it knows ever
//! becomes wrong; deletions only save time.

mod gates;
mod rup;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod theory;
mod transcript;

pub use transcript::Transcript;

use crate::budget::{Budget, Interrupt};
use crate::embedded::Embedded;
use crate::sat::{Announcement, Cdcl, Lemma, Lit, ProofLog, ProofStep, SatAnswer, SatSolver, SatStats, Var};
use rup::Checker;
use theory::Axioms;
use transcript::Line;

/// Steps of a proof between two looks at the budget.
const POLL_INTERVAL: usize = 256;

/// An embedded solver whose unsatisfiable answers are proved. The transcript gets the clauses and the proof.
#[must_use]
pub fn proved_solver(transcript: Transcript) -> Embedded<Proved> {
    Embedded::on(move || Proved::new(transcript.clone()))
}

/// Our SAT core with a checker at its side, see the module's text.
pub struct Proved {
    solver: Cdcl,
    log: ProofLog,
    checker: Checker,
    axioms: Axioms,
    /// The checker's variable for each of the solver's.
    names: Vec<Var>,
    /// Per variable of the checker, whether a clause has mentioned it or a gate defines it.
    used: Vec<bool>,
    /// Steps that were not checked when the budget ended.
    waiting: Vec<ProofStep>,
    rejected: Option<String>,
    transcript: Transcript,
}

impl Default for Proved {
    fn default() -> Self {
        Self::new(Transcript::default())
    }
}

impl Proved {
    /// A solver without clauses.
    #[must_use]
    pub fn new(transcript: Transcript) -> Self {
        let (mut solver, log) = (Cdcl::new(), ProofLog::new());
        solver.set_proof(Box::new(log.clone()));
        transcript.start();
        Proved {
            solver,
            log,
            checker: Checker::default(),
            axioms: Axioms::default(),
            names: Vec::new(),
            used: Vec::new(),
            waiting: Vec::new(),
            rejected: None,
            transcript,
        }
    }

    /// A new variable of the checker.
    fn fresh(&mut self) -> Var {
        let var = Var(u32::try_from(self.used.len()).unwrap_or(u32::MAX));
        self.used.push(false);
        var
    }

    fn name(&mut self, var: Var) {
        let name = self.fresh();
        let index = var.0 as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, name);
        }
        self.names[index] = name;
    }

    fn translate(&self, clause: &[Lit]) -> Vec<Lit> {
        clause.iter().map(|lit| Lit::new(self.names[lit.var().0 as usize], lit.is_positive())).collect()
    }

    /// Takes a clause as given.
    fn given(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.used[lit.var().0 as usize] = true;
        }
        self.transcript.clause(Line::Input, clause);
        self.checker.add(clause);
    }

    /// Takes a clause if it follows.
    fn derived(&mut self, clause: &[Lit]) -> bool {
        let follows = self.checker.follows(clause);
        if follows {
            self.transcript.clause(Line::Lemma, clause);
            self.checker.add(clause);
        }
        follows
    }

    /// Takes variables that nothing has mentioned before.
    fn claim(&mut self, lits: &[Lit]) -> Result<(), String> {
        for lit in lits {
            if std::mem::replace(&mut self.used[lit.var().0 as usize], true) {
                return Err(format!("the variable of {lit:?} is not new"));
            }
        }
        Ok(())
    }

    fn reject(&mut self, why: String) {
        self.rejected.get_or_insert(why);
    }

    /// Checks what the solver has told since the last time.
    fn catch_up(&mut self, budget: &Budget) -> Result<(), Interrupt> {
        self.waiting.extend(self.log.take());
        let steps = std::mem::take(&mut self.waiting);
        for (number, step) in steps.iter().enumerate() {
            if number % POLL_INTERVAL == POLL_INTERVAL - 1
                && let Some(why) = budget.exhausted()
            {
                self.waiting = steps[number..].to_vec();
                return Err(why);
            }
            match step {
                // The checker has them from the caller.
                ProofStep::Original(_) => {}
                ProofStep::Derived(clause) => {
                    let clause = self.translate(clause);
                    if !self.derived(&clause) {
                        self.reject(format!("the clause {clause:?} does not follow by unit propagation"));
                    }
                }
                ProofStep::Deleted(clause) => {
                    let clause = self.translate(clause);
                    self.transcript.clause(Line::Deleted, &clause);
                    self.checker.delete(&clause);
                }
            }
        }
        Ok(())
    }

    fn solve_checked(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        let query = self.translate(assumptions);
        self.transcript.clause(Line::Query, &query);
        let answer = self.solver.solve(assumptions, budget);
        if let Err(why) = self.catch_up(budget) {
            return SatAnswer::Unknown(why);
        }
        if answer == SatAnswer::Unsat {
            let core = self.translate(self.solver.core());
            let negated: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            if core.iter().any(|lit| !query.contains(lit)) {
                self.reject("the core names what was not assumed".to_owned());
            } else if !self.checker.follows(&negated) {
                self.reject(format!("the core {core:?} does not contradict by unit propagation"));
            }
            self.transcript.clause(Line::Unsatisfiable, &core);
        }
        answer
    }
}

impl SatSolver for Proved {
    fn new_var(&mut self) -> Var {
        let var = self.solver.new_var();
        self.name(var);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.given(&self.translate(clause));
        self.solver.add_clause(clause);
    }

    fn add_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        let name = self.names[output.0 as usize];
        let named: Vec<Vec<Lit>> = clauses.iter().map(|clause| self.translate(clause)).collect();
        if self.used[name.0 as usize] {
            self.reject(format!("the gate {name:?} is defined after it was used"));
        } else if !clauses.is_empty() && !gates::is_total(name, &self.translate(inputs), &named) {
            self.reject(format!("the clauses {named:?} do not define the gate {name:?}"));
        }
        for clause in &named {
            self.given(clause);
        }
        self.solver.add_gate(output, inputs, clauses);
    }

    fn announce(&mut self, what: Announcement<'_>) {
        let outcome = match what {
            Announcement::Cell { table, index, content } => {
                let (index, content) = (self.translate(index), self.translate(content));
                let fresh = self.claim(&content);
                self.axioms.cell(table, index, content);
                fresh
            }
            Announcement::Canonical { table, free, content } => {
                let (free, content) = (self.translate(free), self.translate(content));
                self.axioms.canonical(table, free, content)
            }
            Announcement::Read { array, index, content } => {
                let (index, content) = (self.translate(index), self.translate(content));
                self.axioms.read(array, index, &content)
            }
            Announcement::Equality { left, right, truth, index } => {
                let (truth, index) = (self.translate(&[truth])[0], self.translate(index));
                let fresh = self.claim(&[&index[..], &[truth]].concat());
                self.axioms.equality((left, right), truth, index);
                fresh
            }
        };
        if let Err(why) = outcome {
            self.reject(why);
        }
    }

    fn add_lemma(&mut self, lemma: Lemma<'_>, clause: &[Lit]) {
        let named = self.translate(clause);
        if let Err(why) = self.instantiate(lemma, &named) {
            self.reject(why);
        }
        self.solver.add_clause(clause);
    }

    fn new_activation(&mut self) -> Var {
        let var = self.solver.new_activation();
        self.name(var);
        var
    }

    fn add_clause_under(&mut self, activation: Var, clause: &[Lit]) {
        let mut guarded = self.translate(clause);
        guarded.push(!self.names[activation.0 as usize].lit());
        self.given(&guarded);
        self.solver.add_clause_under(activation, clause);
    }

    fn retire(&mut self, activation: Var) {
        self.solver.retire(activation);
        // What is told up to here is about this life of the variable.
        if self.catch_up(&Budget::unlimited()).is_err() {
            self.reject("a budget without limits is exhausted".to_owned());
        }
        self.name(activation);
    }

    fn reclaims_activations(&self) -> bool {
        self.solver.reclaims_activations()
    }

    fn want_whole_models(&mut self) {
        self.solver.want_whole_models();
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.solve_checked(assumptions, budget)
    }

    fn value(&self, var: Var) -> Option<bool> {
        self.solver.value(var)
    }

    fn core(&self) -> &[Lit] {
        self.solver.core()
    }

    fn rejected(&self) -> Option<&str> {
        self.rejected.as_deref()
    }

    fn stats(&self) -> SatStats {
        self.solver.stats()
    }
}
