//! The solver contract: what an engine may rely on, whatever solver stands behind it.
//!
//! An IC3 engine asks hundreds of thousands of tiny questions, so the contract is shaped for that:
//! assert for ever or under an activation, check under assumptions, read the failed assumptions, read
//! single values lazily, retire activations. Terms belong to the one arena that the solver is used with
//! from its first call on.

use crate::budget::{Budget, Interrupt};
use crate::euf::Partition;
use nilas_term::{Arena, Term, Value};
use std::fmt;

/// A handle under which terms are asserted: they hold in checks that name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Activation(pub(crate) u32);

/// The answer to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model: see [`Solver::value`].
    Sat,
    /// There is none: see [`Solver::failed`].
    Unsat,
    /// The solver does not know.
    Unknown(Reason),
}

/// Why a solver does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The budget ended first.
    Interrupted(Interrupt),
    /// Something in the formulas in force is outside of what the solver decides.
    Unsupported(String),
    /// The solver failed: a crash, a broken pipe, nonsense in its output.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Interrupted(why) => write!(f, "{why}"),
            Reason::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Reason::Failed(what) => write!(f, "the solver failed: {what}"),
        }
    }
}

/// Counters of a solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStats {
    /// Checks asked.
    pub checks: u64,
    /// Checks answered sat.
    pub sat: u64,
    /// Checks answered unsat.
    pub unsat: u64,
    /// How often the SAT instance was rebuilt to drop retired activations.
    pub rebuilds: u64,
    /// How often a model violated what is known of arrays and functions, and lemmas were added.
    pub refinements: u64,
    /// SAT variables made.
    pub variables: u64,
    /// SAT clauses made.
    pub clauses: u64,
    /// Counters of the SAT solver underneath.
    pub sat_solver: crate::sat::SatStats,
}

/// A solver, see the module's text.
pub trait Solver {
    /// Asserts a Boolean term for ever.
    fn assert(&mut self, arena: &Arena, term: Term);

    /// Asserts for ever that one of these holds. Solvers for which that matters do not simplify it.
    fn assert_clause(&mut self, arena: &mut Arena, clause: &[Term]) {
        let clause = arena.or(clause);
        self.assert(arena, clause);
    }

    /// A new activation.
    fn activation(&mut self) -> Activation;

    /// Asserts a Boolean term in checks that name `activation`.
    fn assert_under(&mut self, arena: &Arena, activation: Activation, term: Term);

    /// Drops an activation and everything under it, for ever.
    fn retire(&mut self, activation: Activation);

    /// Is there a model of what is asserted for ever, what is under `activations`, and `assumptions`?
    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer;

    /// After `Unsat`: assumptions that suffice for it, in the order they were given.
    fn failed(&self) -> &[Term];

    /// After `Unsat`: activations that suffice for it, together with [`Solver::failed`].
    fn failed_activations(&self) -> &[Activation];

    /// After `Sat`: the value of a term in the model. Variables that the formulas do not mention have the
    /// default value of their sort.
    ///
    /// # Errors
    /// When the term has no value that can be computed.
    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason>;

    /// After `Sat`: the model, if it is a partition of terms.
    fn partition(&self) -> Option<Partition<'_>> {
        None
    }

    /// Counters so far.
    fn stats(&self) -> SolverStats;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn assert(&mut self, arena: &Arena, term: Term) {
        (**self).assert(arena, term);
    }

    fn assert_clause(&mut self, arena: &mut Arena, clause: &[Term]) {
        (**self).assert_clause(arena, clause);
    }

    fn activation(&mut self) -> Activation {
        (**self).activation()
    }

    fn assert_under(&mut self, arena: &Arena, activation: Activation, term: Term) {
        (**self).assert_under(arena, activation, term);
    }

    fn retire(&mut self, activation: Activation) {
        (**self).retire(activation);
    }

    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        (**self).check(arena, activations, assumptions, budget)
    }

    fn failed(&self) -> &[Term] {
        (**self).failed()
    }

    fn failed_activations(&self) -> &[Activation] {
        (**self).failed_activations()
    }

    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        (**self).value(arena, term)
    }

    fn partition(&self) -> Option<Partition<'_>> {
        (**self).partition()
    }

    fn stats(&self) -> SolverStats {
        (**self).stats()
    }
}
