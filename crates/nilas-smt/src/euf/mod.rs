//! A solver for equality and uninterpreted functions: congruence closure inside of our SAT core.
//!
//! Questions are asked as of any solver, about terms of any theory, but only Booleans, equality and
//! if-then-else are understood; [`read`] tells how other operators are read. So *unsat* holds in every
//! theory, while *sat* means no more than that there is a [`Partition`] of the terms. Nothing is blasted.
//!
//! Two ways to more precision are open to callers: clauses that hold in the theory of the terms can be
//! asserted, and operators can be computed where all their arguments have values ([`Euf::computing`]).
//!
//! Assertions are recorded, and read by the first check that needs them, under its budget. Nothing but a
//! check touches the SAT solver, so a model can be read until the next check.

mod closure;
mod explain;
mod partition;
mod read;

pub(crate) use closure::Closure;
pub use partition::{Class, Partition};

use crate::blast::Obstacle;
use crate::budget::Budget;
use crate::embedded::clausify::{Clausifier, Literals};
use crate::sat::{Lit, SatAnswer, SatSolver, Var};
use crate::solver::{Activation, Answer, Reason, Solver, SolverStats};
use nilas_term::{Arena, Sort, Term, Value};
use read::Reader;
use rustc_hash::FxHashMap;

/// What is asserted together.
#[derive(Default)]
struct Group {
    /// Clauses; a term alone may be any formula.
    clauses: Vec<Vec<Term>>,
    /// How many of them were read.
    done: usize,
    var: Option<Var>,
}

/// The solver, see the module's text.
pub struct Euf {
    reader: Reader,
    clausifier: Clausifier,
    forever: Group,
    groups: FxHashMap<Activation, Group>,
    next_activation: u32,
    /// Activation variables whose retirement the SAT solver has not been told.
    retired: Vec<Var>,
    failed: Vec<Term>,
    failed_activations: Vec<Activation>,
    has_model: bool,
    lits: Vec<Lit>,
    stats: SolverStats,
}

impl Default for Euf {
    fn default() -> Self {
        Self::new()
    }
}

impl Euf {
    /// A solver with nothing asserted.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Closure::new(false))
    }

    /// The same, and operators are computed on values.
    #[must_use]
    pub fn computing() -> Self {
        Self::with(Closure::new(true))
    }

    fn with(closure: Closure) -> Self {
        Euf {
            reader: Reader::new(closure),
            clausifier: Clausifier::default(),
            forever: Group::default(),
            groups: FxHashMap::default(),
            next_activation: 0,
            retired: Vec::new(),
            failed: Vec::new(),
            failed_activations: Vec::new(),
            has_model: false,
            lits: Vec::new(),
            stats: SolverStats::default(),
        }
    }

    /// How many terms were read.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.reader.len()
    }

    /// Reads what was not read yet of a group.
    fn flush(&mut self, arena: &Arena, activation: Option<Activation>) -> Result<Option<Var>, Obstacle> {
        let Euf { reader, clausifier, forever, groups, .. } = self;
        let group = match activation {
            None => forever,
            Some(activation) => match groups.get_mut(&activation) {
                Some(group) => group,
                None => return Ok(None),
            },
        };
        if activation.is_some() && group.var.is_none() {
            group.var = Some(reader.gates.activation());
        }
        while let Some(clause) = group.clauses.get(group.done) {
            match **clause {
                [term] => clausifier.assert(reader, arena, group.var, term)?,
                ref terms => {
                    let mut lits = Vec::with_capacity(terms.len());
                    for &term in terms {
                        lits.push(reader.literal(arena, term)?);
                    }
                    reader.constrain(group.var, &mut lits);
                }
            }
            group.done += 1;
        }
        Ok(group.var)
    }

    fn prepare(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
    ) -> Result<(), Obstacle> {
        self.flush(arena, None)?;
        self.lits.clear();
        for &activation in activations {
            if let Some(var) = self.flush(arena, Some(activation))? {
                self.lits.push(var.lit());
            }
        }
        for &assumption in assumptions {
            let lit = self.reader.literal(arena, assumption)?;
            self.lits.push(lit);
        }
        Ok(())
    }

    fn read_core(&mut self, activations: &[Activation], assumptions: &[Term]) {
        let mut core: Vec<Lit> = self.reader.gates.sat.core().to_vec();
        core.sort_unstable();
        core.dedup();
        let (first, rest) = self.lits.split_at(activations.len());
        let mut take = |lit: &Lit| core.binary_search(lit).map(|found| core.remove(found)).is_ok();
        let named = activations.iter().zip(first).filter(|&(_, lit)| take(lit)).map(|(&it, _)| it);
        self.failed_activations.extend(named);
        let named = assumptions.iter().zip(rest).filter(|&(_, lit)| take(lit)).map(|(&it, _)| it);
        self.failed.extend(named);
    }
}

impl Solver for Euf {
    fn assert(&mut self, _arena: &Arena, term: Term) {
        self.forever.clauses.push(vec![term]);
    }

    /// Unlike the disjunction, it is not simplified.
    fn assert_clause(&mut self, _arena: &mut Arena, clause: &[Term]) {
        self.forever.clauses.push(clause.to_vec());
    }

    fn activation(&mut self) -> Activation {
        let activation = Activation(self.next_activation);
        self.next_activation += 1;
        self.groups.insert(activation, Group::default());
        activation
    }

    fn assert_under(&mut self, _arena: &Arena, activation: Activation, term: Term) {
        if let Some(group) = self.groups.get_mut(&activation) {
            group.clauses.push(vec![term]);
        }
    }

    fn retire(&mut self, activation: Activation) {
        if let Some(Group { var: Some(var), .. }) = self.groups.remove(&activation) {
            self.retired.push(var);
        }
    }

    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        self.stats.checks += 1;
        self.failed.clear();
        self.failed_activations.clear();
        self.has_model = false;
        for var in self.retired.drain(..) {
            self.reader.gates.sat.retire(var);
        }
        if let Some(why) = budget.exhausted() {
            return Answer::Unknown(Reason::Interrupted(why));
        }
        if activations.iter().any(|activation| !self.groups.contains_key(activation)) {
            return Answer::Unknown(Reason::Failed("a retired activation is named".to_owned()));
        }
        self.reader.gates.set_budget(budget);
        match self.prepare(arena, activations, assumptions) {
            Ok(()) => {}
            Err(Obstacle::Interrupted(why)) => return Answer::Unknown(Reason::Interrupted(why)),
            Err(Obstacle::Unsupported(what)) => {
                return Answer::Unknown(Reason::Unsupported(what.to_string()));
            }
        }
        match self.reader.gates.sat.solve(&self.lits, budget) {
            SatAnswer::Sat => {
                self.stats.sat += 1;
                self.has_model = true;
                Answer::Sat
            }
            SatAnswer::Unsat => {
                self.stats.unsat += 1;
                self.read_core(activations, assumptions);
                Answer::Unsat
            }
            SatAnswer::Unknown(why) => Answer::Unknown(Reason::Interrupted(why)),
        }
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn failed_activations(&self) -> &[Activation] {
        &self.failed_activations
    }

    /// Booleans have values, and so have terms that are equal to a constant. Others have none.
    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        let Some(mut partition) = self.partition() else {
            return Err(Reason::Failed("there is no model".to_owned()));
        };
        let class = partition.class(arena, term);
        match class.and_then(|class| partition.value(&class)) {
            Some(value) => Ok(value),
            None if *arena.sort(term) == Sort::Bool => Ok(Value::Bool(false)),
            None => Err(Reason::Unsupported("the value of a term in a partition".to_owned())),
        }
    }

    fn partition(&self) -> Option<Partition<'_>> {
        self.has_model.then(|| Partition::new(self))
    }

    fn stats(&self) -> SolverStats {
        let gates = &self.reader.gates;
        SolverStats {
            variables: gates.variables(),
            clauses: gates.clauses(),
            sat_solver: gates.sat.stats(),
            ..self.stats
        }
    }
}
