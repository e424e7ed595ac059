//! Whoever searches, and the way of the steps into the database.
//!
//! Not trusted: the search is that of the engines' SAT core, which stays inside the cone of a question and
//! keeps what it has learnt ([`super::stream`]); hard questions go to CaDiCaL ([`super::tracer`]). If the
//! search goes wrong, a step is refused, and the proof is lost.
//!
//! Trusted, and so kept to a few lines: that clauses of the encoder, and these alone, are given
//! ([`Prover::add_gate`], [`Prover::add_clause`]), and that *unsatisfiable* is said only where a clause of
//! the database excludes the assumptions ([`Prover::ask`]), or where BatSat, which nobody watches, says so of
//! the same clauses because no proof came.

use super::clauses::ClauseId;
use super::stream::Shared;
#[cfg(feature = "cadical")]
use super::tracer::Tracer;
#[cfg(feature = "cadical")]
use nilas_smt::sat::Cadical;
use nilas_smt::sat::{Batsat, Cdcl, Lit, SatAnswer, SatSolver, Var};
use nilas_smt::{Budget, Interrupt, Reason};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Conflicts after which a question is a hard one.
const HARD: u64 = 10_000;

/// The clauses of all questions, and who answers.
pub(crate) struct Prover {
    checked: Shared,
    solver: Cdcl,
    /// Clauses that are of no gate.
    roots: Vec<ClauseId>,
    /// The model of the last answer, where it is not the solver's.
    model: Option<HashMap<Var, bool>>,
    counts: Counts,
    listener: Option<Listener>,
    /// Conflicts after which a question is a hard one.
    hard: u64,
}

/// A question that was asked, for whoever wants to ask somebody else.
#[derive(Clone, Debug)]
pub struct Question {
    /// The clauses of its cone and its assumptions, in the numbers of DIMACS.
    pub clauses: Vec<Vec<i64>>,
    /// Whether it has a model, if that was decided.
    pub satisfiable: Option<bool>,
    /// How long that took.
    pub time: Duration,
}

/// Hears of every question.
pub type Listener = Rc<RefCell<dyn FnMut(Question)>>;

/// How questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions asked.
    pub questions: u64,
    /// Of these, asked with the premises that were told.
    pub told: u64,
    /// Of those, answered so, and not asked again with all premises.
    pub sufficed: u64,
    /// Answered *unsatisfiable* by a proof.
    pub proved: u64,
    /// Handed to CaDiCaL, because they were hard; gone on with, where that was left out of the build.
    pub handed_over: u64,
    /// Answered by the checker's own search, for lack of a proof.
    pub alone: u64,
    /// Answered *unsatisfiable* by intervals, and not asked any further.
    pub intervals: u64,
    /// Answered *unsatisfiable* by connectives and congruence, and not asked any further.
    pub congruence: u64,
    /// Steps of proofs that were checked.
    pub steps: u64,
    /// Literals that were propagated in the search.
    pub propagations: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.questions += other.questions;
        self.told += other.told;
        self.sufficed += other.sufficed;
        self.proved += other.proved;
        self.handed_over += other.handed_over;
        self.alone += other.alone;
        self.intervals += other.intervals;
        self.congruence += other.congruence;
        self.steps += other.steps;
        self.propagations += other.propagations;
    }
}

impl Prover {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        let (checked, mut solver) = (Shared::default(), Cdcl::new());
        solver.set_proof(Box::new(checked.clone()));
        Prover {
            checked,
            solver,
            roots: Vec::new(),
            model: None,
            counts: Counts::default(),
            listener,
            hard: HARD,
        }
    }

    /// Counts a question that intervals have answered.
    pub(crate) fn by_intervals(&mut self) {
        self.counts.questions += 1;
        self.counts.intervals += 1;
    }

    /// Counts a question that congruence has answered, perhaps with the premises that were told.
    pub(crate) fn by_congruence(&mut self, told: bool) {
        self.counts.questions += 1;
        self.counts.congruence += 1;
        self.counts.told += u64::from(told);
        self.counts.sufficed += u64::from(told);
    }

    pub(crate) fn new_var(&mut self) -> Var {
        self.checked.lock().gates.push(None);
        self.solver.new_var()
    }

    /// Adds the clauses that define a variable as a total function of older ones.
    pub(crate) fn add_gate(&mut self, output: Lit, inputs: &[Lit], clauses: &[&[Lit]]) {
        self.checked.lock().gate(output.var(), clauses);
        self.solver.add_gate(output.var(), inputs, clauses);
    }

    /// Adds a clause that constrains.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        let id = self.checked.lock().root(clause);
        self.roots.extend(id);
        self.solver.add_clause(clause);
    }

    /// Whether there is a model of the clauses and the assumptions.
    pub(crate) fn ask(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<bool, Reason> {
        self.heard(assumptions, |prover| prover.answer(assumptions, budget))
    }

    /// Whether a proof shows that there is none, before the question becomes a hard one. *No* says nothing.
    pub(crate) fn refutes(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<bool, Reason> {
        let few = Budget { conflicts: Some(self.hard), ..budget.clone() };
        let satisfiable = self.heard(assumptions, |prover| {
            prover.counts.questions += 1;
            prover.counts.told += 1;
            prover.model = None;
            match prover.solver.solve(assumptions, &few) {
                SatAnswer::Unsat if prover.checked.lock().refutes(assumptions) => Ok(false),
                SatAnswer::Unknown(why) if why != Interrupt::Conflicts => Err(Reason::Interrupted(why)),
                _ => Ok(true),
            }
        })?;
        self.counts.proved += u64::from(!satisfiable);
        self.counts.sufficed += u64::from(!satisfiable);
        Ok(!satisfiable)
    }

    /// Whether there is a model of the clauses and the assumptions, where a few conflicts tell; that there is
    /// none only with a proof.
    pub(crate) fn within(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
        budget: &Budget,
    ) -> Result<Option<bool>, Reason> {
        self.model = None;
        match self.solver.solve(assumptions, &Budget { conflicts: Some(conflicts), ..budget.clone() }) {
            SatAnswer::Sat => Ok(Some(true)),
            SatAnswer::Unsat => Ok(self.checked.lock().refutes(assumptions).then_some(false)),
            SatAnswer::Unknown(Interrupt::Conflicts) => Ok(None),
            SatAnswer::Unknown(why) => Err(Reason::Interrupted(why)),
        }
    }

    /// Answers a question, and tells the listener.
    fn heard(
        &mut self,
        assumptions: &[Lit],
        answer: impl FnOnce(&mut Self) -> Result<bool, Reason>,
    ) -> Result<bool, Reason> {
        let started = Instant::now();
        let answer = answer(self);
        if let Some(listener) = self.listener.clone() {
            let (satisfiable, time) = (answer.as_ref().ok().copied(), started.elapsed());
            let clauses = self.dimacs(assumptions);
            (listener.borrow_mut())(Question { clauses, satisfiable, time });
        }
        answer
    }

    /// The clauses of a question's cone, and its assumptions as units.
    fn dimacs(&self, assumptions: &[Lit]) -> Vec<Vec<i64>> {
        let number = |lit: &Lit| {
            let number = i64::from(lit.var().0) + 1;
            if lit.is_positive() { number } else { -number }
        };
        let cone = self.cone(assumptions);
        let checked = self.checked.lock();
        let clauses = cone.iter().map(|&id| checked.clauses.literals(id).iter().map(number).collect());
        clauses.chain(assumptions.iter().map(|lit| vec![number(lit)])).collect()
    }

    fn answer(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<bool, Reason> {
        self.counts.questions += 1;
        self.model = None;
        let few = Budget { conflicts: Some(self.hard), ..budget.clone() };
        let mut answer = match self.hard {
            0 => SatAnswer::Unknown(Interrupt::Conflicts),
            _ => self.solver.solve(assumptions, &few),
        };
        if answer == SatAnswer::Unknown(Interrupt::Conflicts) {
            answer = self.hand_over(assumptions, budget);
        }
        match answer {
            SatAnswer::Sat => Ok(true),
            SatAnswer::Unsat if self.checked.lock().refutes(assumptions) => {
                self.counts.proved += 1;
                Ok(false)
            }
            SatAnswer::Unsat => self.decide_alone(assumptions, budget),
            SatAnswer::Unknown(why) => Err(Reason::Interrupted(why)),
        }
    }

    /// A hard question is gone on with: nobody else is here who gives proofs.
    #[cfg(not(feature = "cadical"))]
    fn hand_over(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.counts.handed_over += 1;
        self.solver.solve(assumptions, budget)
    }

    /// A hard question is one for CaDiCaL, on the clauses of its cone.
    #[cfg(feature = "cadical")]
    fn hand_over(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.counts.handed_over += 1;
        let cone = self.cone(assumptions);
        let mut tracer = Tracer::new(self.checked.clone());
        let clauses: Vec<(ClauseId, Vec<Lit>)> = {
            let checked = self.checked.lock();
            let numbered = |&id: &ClauseId| (id, tracer.number(checked.clauses.literals(id)));
            cone.iter().map(numbered).collect()
        };
        let assumed = tracer.number(assumptions);
        let vars = tracer.vars.clone();
        let tracer = Rc::new(RefCell::new(tracer));
        let mut sat = Cadical::traced(tracer.clone());
        for _ in &vars {
            sat.new_var();
        }
        for (id, clause) in clauses {
            tracer.borrow_mut().next = Some(id);
            sat.add_clause(&clause);
        }
        let answer = sat.solve(&assumed, budget);
        if answer == SatAnswer::Sat {
            let value = |(&var, own): (&Var, u32)| Some((var, sat.value(Var(own))?));
            self.model = Some(vars.iter().zip(0..).filter_map(value).collect());
        }
        answer
    }

    /// Answers a question without a proof: BatSat on the clauses of the question's cone.
    fn decide_alone(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<bool, Reason> {
        self.counts.alone += 1;
        let mut sat = Batsat::new();
        let mut numbers: HashMap<Var, Var> = HashMap::new();
        let mut number = |sat: &mut Batsat, lit: Lit| {
            let var = *numbers.entry(lit.var()).or_insert_with(|| sat.new_var());
            Lit::new(var, lit.is_positive())
        };
        for id in self.cone(assumptions) {
            let clause = self.checked.lock().clauses.literals(id).to_vec();
            let clause: Vec<Lit> = clause.into_iter().map(|lit| number(&mut sat, lit)).collect();
            sat.add_clause(&clause);
        }
        let assumed: Vec<Lit> = assumptions.iter().map(|&lit| number(&mut sat, lit)).collect();
        match sat.solve(&assumed, budget) {
            SatAnswer::Sat => {
                let value = |(&var, &own): (&Var, &Var)| Some((var, sat.value(own)?));
                self.model = Some(numbers.iter().filter_map(value).collect());
                Ok(true)
            }
            SatAnswer::Unsat => Ok(false),
            SatAnswer::Unknown(why) => Err(Reason::Interrupted(why)),
        }
    }

    /// The clauses that a question is about: those of no gate, and of the gates that these and the
    /// assumptions depend on. Leaving out others can only make more satisfiable.
    fn cone(&self, assumptions: &[Lit]) -> Vec<ClauseId> {
        let checked = self.checked.lock();
        let mut cone = self.roots.clone();
        let mut seen = vec![false; checked.gates.len()];
        let mut stack: Vec<Var> = assumptions.iter().map(|lit| lit.var()).collect();
        stack.extend(cone.iter().flat_map(|&id| checked.clauses.literals(id)).map(|lit| lit.var()));
        while let Some(var) = stack.pop() {
            if !std::mem::replace(&mut seen[var.0 as usize], true) {
                for id in checked.of_gate(var) {
                    cone.push(id);
                    stack.extend(checked.clauses.literals(id).iter().map(|lit| lit.var()));
                }
            }
        }
        cone
    }

    /// The value of a variable in the model of the last answer.
    pub(crate) fn value(&self, var: Var) -> Option<bool> {
        self.model.as_ref().map_or_else(|| self.solver.value(var), |model| model.get(&var).copied())
    }

    /// How questions were answered so far.
    pub(crate) fn counts(&self) -> Counts {
        let propagations = self.solver.stats().propagations;
        Counts { steps: self.checked.lock().steps, propagations, ..self.counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More pigeons than holes: no assignment, and no short proof. With one pigeon less there is one.
    #[test]
    fn hard_questions_have_proofs_too() {
        let mut prover = Prover::new(None);
        prover.hard = 0;
        let holes = 6;
        let sits: Vec<Vec<Lit>> =
            (0..=holes).map(|_| (0..holes).map(|_| prover.new_var().lit()).collect()).collect();
        let present: Vec<Lit> = (0..=holes).map(|_| prover.new_var().lit()).collect();
        for (pigeon, here) in sits.iter().zip(&present) {
            let clause: Vec<Lit> = pigeon.iter().copied().chain([!*here]).collect();
            prover.add_clause(&clause);
        }
        for (number, one) in sits.iter().enumerate() {
            for other in &sits[..number] {
                for (&one, &other) in one.iter().zip(other) {
                    prover.add_clause(&[!one, !other]);
                }
            }
        }
        let budget = Budget::unlimited();
        assert_eq!(prover.ask(&present[1..], &budget), Ok(true));
        assert!(
            sits[1..].iter().all(|pigeon| pigeon.iter().any(|lit| prover.value(lit.var()) == Some(true)))
        );
        assert_eq!(prover.ask(&present, &budget), Ok(false));
        let counts = prover.counts();
        assert_eq!((counts.handed_over, counts.proved, counts.alone), (2, 1, 0), "{counts:?}");
        assert!(counts.steps > 100, "{counts:?}");
        // What was derived for one question does not disturb the next one, whoever answers it.
        prover.hard = HARD;
        assert_eq!(prover.ask(&present, &budget), Ok(false));
        assert_eq!((prover.counts().proved, prover.counts().alone), (2, 0));
    }
}
