//! Whoever searches, and the way of the steps into the database.
//!
//! Not trusted: the search is that of the engines' SAT core, which stays inside the cone of a question and
//! keeps what it has learnt; hard questions go to CaDiCaL ([`super::tracer`]). Our core names clauses by their literals, so clauses are found again by a hash of
//! these. If a hash, a name or the search itself goes wrong, a step is refused, and the proof is lost.
//!
//! Trusted, and so kept to a few lines: that clauses of the encoder, and these alone, are given
//! ([`Prover::add_gate`], [`Prover::add_clause`]), and that *unsatisfiable* is said only where a clause of the
//! database excludes the assumptions ([`Prover::ask`]), or where BatSat, which nobody watches, says so of the
//! same clauses because no proof came.

use super::clauses::{ClauseId, Clauses};
use super::tracer::Tracer;
use nilas_smt::sat::{Antecedents, Batsat, Cadical, Cdcl, Lit, ProofSink, SatAnswer, SatSolver, Var};
use nilas_smt::{Budget, Interrupt, Reason};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// Answered *unsatisfiable* by a proof.
    pub proved: u64,
    /// Handed to CaDiCaL, because they were hard.
    pub handed_over: u64,
    /// Answered by the checker's own search, for lack of a proof.
    pub alone: u64,
    /// Steps of proofs that were checked.
    pub steps: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.questions += other.questions;
        self.proved += other.proved;
        self.handed_over += other.handed_over;
        self.alone += other.alone;
        self.steps += other.steps;
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
        let started = Instant::now();
        let answer = self.answer(assumptions, budget);
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

    /// A hard question is one for CaDiCaL, on the clauses of its cone.
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
        Counts { steps: self.checked.lock().steps, ..self.counts }
    }
}

/// The database, to which the solver's proof streams while the prover owns the solver.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Checked>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Checked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The database, and the names of clauses.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) clauses: Clauses,
    /// Per variable, the first and the last clause of its gate. The output is the youngest variable of each.
    gates: Vec<Option<(ClauseId, ClauseId)>>,
    /// The other clauses by name.
    names: HashMap<Name, Named, BuildNameHasher>,
    /// The clause that the solver told of last.
    pub(super) last: Option<ClauseId>,
    /// Derived clauses to be deleted when the next one comes: the last one is still looked at.
    waiting: Vec<ClauseId>,
    hints: Vec<ClauseId>,
    pub(super) steps: u64,
}

/// A hash of a clause that does not depend on the order of its literals.
type Name = u64;

/// A clause with a name. A clause that is there twice is kept once and counted.
struct Named {
    id: ClauseId,
    count: u32,
    given: bool,
}

fn name(clause: &[Lit]) -> Name {
    // The finaliser of splitmix64 (Steele, Lea and Flood 2014) spreads each literal; sums commute.
    let spread = |lit: &Lit| {
        let mut word = (u64::from(lit.code()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    clause.iter().map(spread).fold(clause.len() as u64, u64::wrapping_add)
}

impl Checked {
    /// Takes a clause of the encoder that is of no gate.
    fn root(&mut self, clause: &[Lit]) -> Option<ClauseId> {
        let id = self.clauses.give(clause).ok()?;
        self.names.entry(name(clause)).or_insert(Named { id, count: 0, given: true }).count += 1;
        Some(id)
    }

    /// Takes the clauses of a gate.
    fn gate(&mut self, output: Var, clauses: &[&[Lit]]) {
        for clause in clauses {
            if let (Ok(id), Some(gate)) = (self.clauses.give(clause), self.gates.get_mut(output.0 as usize)) {
                *gate = Some((gate.map_or(id, |(first, _)| first), id));
            }
        }
    }

    fn of_gate(&self, output: Var) -> impl Iterator<Item = ClauseId> + use<> {
        let gate = self.gates.get(output.0 as usize).copied().flatten();
        gate.into_iter().flat_map(|(first, last)| first.up_to(last))
    }

    /// A clause with these literals.
    fn find(&self, clause: &[Lit]) -> Option<ClauseId> {
        if let Some(named) = self.names.get(&name(clause)) {
            return Some(named.id);
        }
        let youngest = clause.iter().map(|lit| lit.var()).max()?;
        let same = |&id: &ClauseId| {
            let literals = self.clauses.literals(id);
            literals.len() == clause.len() && literals.iter().all(|lit| clause.contains(lit))
        };
        self.of_gate(youngest).find(same)
    }

    /// Whether the assumptions are shown to contradict the clauses: by the clause told last, if it says so.
    fn refutes(&self, assumptions: &[Lit]) -> bool {
        self.last.is_some_and(|last| self.clauses.excludes(last, assumptions))
    }
}

impl ProofSink for Shared {
    fn original(&mut self, _: &[Lit]) {
        // The database has it from the encoder.
    }

    fn derived(&mut self, clause: &[Lit], antecedents: &Antecedents) {
        let mut checked = self.lock();
        let checked = &mut *checked;
        for id in checked.waiting.drain(..) {
            checked.clauses.delete(id);
        }
        if let Some(known) = checked.names.get_mut(&name(clause)) {
            known.count += 1;
            checked.last = Some(known.id);
            return;
        }
        checked.steps += 1;
        let mut hints = std::mem::take(&mut checked.hints);
        hints.clear();
        hints.extend(antecedents.iter().filter_map(|antecedent| checked.find(antecedent)));
        // A step that is refused is left out: what rests on it is refused, too.
        checked.last = checked.clauses.derive(clause, &hints).ok();
        checked.hints = hints;
        if let Some(id) = checked.last {
            checked.names.insert(name(clause), Named { id, count: 1, given: false });
        }
    }

    fn deleted(&mut self, clause: &[Lit]) {
        let mut checked = self.lock();
        let Checked { names, waiting, .. } = &mut *checked;
        let name = name(clause);
        let Some(known) = names.get_mut(&name) else { return };
        known.count = known.count.saturating_sub(1);
        if known.count == 0 && !known.given {
            waiting.push(known.id);
            names.remove(&name);
        }
    }

    fn wants_antecedents(&self) -> bool {
        true
    }
}

/// Names are hashes already.
#[derive(Clone, Copy, Default)]
struct BuildNameHasher;

struct NameHasher(u64);

impl std::hash::BuildHasher for BuildNameHasher {
    type Hasher = NameHasher;
    fn build_hasher(&self) -> NameHasher {
        NameHasher(0)
    }
}

impl std::hash::Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
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
