//! The small SAT trait on which the embedded solver stands.
//!
//! Clauses come in three kinds, because a solver made for IC3 can make much of the difference:
//! *gate* clauses define one variable as a total function of earlier ones, *root* clauses constrain,
//! and clauses *under an activation variable* constrain while that variable is assumed. A solver that
//! does not care treats them all alike: the defaults do that.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod cdcl;
pub mod drat;

pub use self::batsat::Batsat;
#[cfg(feature = "cadical")]
pub use self::cadical::{Cadical, Tracer};
pub use self::cdcl::{Antecedents, Cdcl, Counters, DratWriter, ProofLog, ProofSink, ProofStep};

use crate::budget::{Budget, Interrupt};
use std::fmt;
use std::ops::Not;

/// The solver for few, large and hard questions: CaDiCaL.
#[cfg(feature = "cadical")]
pub type Hard = Cadical;
/// The solver for few, large and hard questions: BatSat, since CaDiCaL was left out.
#[cfg(not(feature = "cadical"))]
pub type Hard = Batsat;

/// A Boolean variable of a SAT solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of `var` that is true when the variable is `value`.
    #[must_use]
    pub fn new(var: Var, value: bool) -> Self {
        Lit(var.0 << 1 | u32::from(!value))
    }

    /// The variable.
    #[must_use]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is the variable itself rather than its negation.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A dense number: twice the variable, plus one for the negation.
    #[must_use]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The literal of a dense number, see [`Lit::code`].
    #[must_use]
    pub fn from_code(code: u32) -> Self {
        Lit(code)
    }
}

impl Var {
    /// The positive literal.
    #[must_use]
    pub fn lit(self) -> Lit {
        Lit::new(self, true)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.0 >> 1)
    }
}

/// The answer of a SAT solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatAnswer {
    /// A model was found; see [`SatSolver::value`].
    Sat,
    /// There is no model; see [`SatSolver::core`].
    Unsat,
    /// The budget ended first.
    Unknown(Interrupt),
}

/// Counters of a SAT solver, where it keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatStats {
    /// Calls of [`SatSolver::solve`].
    pub calls: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions made.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Calls that were handed to another solver because they were hard.
    pub handed_over: u64,
}

/// What stands above the clauses, for a solver that checks lemmas. Tables and arrays go by numbers.
#[derive(Clone, Copy, Debug)]
pub enum Announcement<'a> {
    /// A table (an array variable, a function) has one more cell; its content is new and unconstrained.
    Cell {
        /// The table.
        table: u64,
        /// Index, or arguments one after the other.
        index: &'a [Lit],
        /// Content.
        content: &'a [Lit],
    },
    /// A cell of the table is read through gates that map its content to values of its sort.
    Canonical {
        /// The table.
        table: u64,
        /// The content as announced.
        free: &'a [Lit],
        /// Those gates.
        content: &'a [Lit],
    },
    /// An array has this element at an index.
    Read {
        /// The array.
        array: u64,
        /// The index.
        index: &'a [Lit],
        /// The element.
        content: &'a [Lit],
    },
    /// Whether two arrays are equal; truth value and index are new and unconstrained.
    Equality {
        /// One array.
        left: u64,
        /// The other one.
        right: u64,
        /// Whether they are equal.
        truth: Lit,
        /// Where they differ if they do.
        index: &'a [Lit],
    },
}

/// Why a clause about arrays or functions holds.
#[derive(Clone, Copy, Debug)]
pub enum Lemma<'a> {
    /// Cells with equal indices have equal contents.
    Congruence {
        /// The table of both.
        table: u64,
        /// Content of one cell.
        left: &'a [Lit],
        /// Content of the other one.
        right: &'a [Lit],
        /// The gate that says that the indices are equal.
        same: Lit,
    },
    /// Equal arrays have equal elements at an index.
    Instance {
        /// Truth value of the equality.
        truth: Lit,
        /// The index.
        index: &'a [Lit],
    },
    /// Arrays that are not equal differ at the index of the equality.
    Witness {
        /// Truth value of the equality.
        truth: Lit,
        /// That index, through gates that map it to values of its sort.
        index: &'a [Lit],
        /// The gate that says that the elements are equal.
        same: Lit,
    },
}

/// An incremental SAT solver.
///
/// After `solve` returned `Sat`, `value` reads the model; after `Unsat`, `core` names the assumptions
/// that suffice. Both stay valid until the next call that changes the solver.
pub trait SatSolver {
    /// A fresh variable. Numbers are dense from 0 (recycled activation variables excepted).
    fn new_var(&mut self) -> Var;

    /// Adds a clause that constrains for ever.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Declares that `output` is a total function of the variables of `inputs`, and adds the clauses that say
    /// so. Inputs are older than the output; each output is declared once.
    fn add_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        let _ = (output, inputs);
        for clause in clauses {
            self.add_clause(clause);
        }
    }

    /// Tells of what lemmas will be about. Only a solver that checks them listens.
    fn announce(&mut self, what: Announcement<'_>) {
        let _ = what;
    }

    /// Adds a clause that constrains for ever, and that holds by an axiom of arrays or functions.
    fn add_lemma(&mut self, lemma: Lemma<'_>, clause: &[Lit]) {
        let _ = lemma;
        self.add_clause(clause);
    }

    /// A variable to put clauses under: they are in force in calls that assume its positive literal.
    fn new_activation(&mut self) -> Var {
        self.new_var()
    }

    /// Adds a clause that holds while `activation` is assumed.
    fn add_clause_under(&mut self, activation: Var, clause: &[Lit]) {
        let mut guarded = clause.to_vec();
        guarded.push(!activation.lit());
        self.add_clause(&guarded);
    }

    /// Drops the clauses under `activation` for ever. The variable must not be used again by the caller;
    /// the solver may hand it out anew.
    fn retire(&mut self, activation: Var) {
        self.add_clause(&[!activation.lit()]);
    }

    /// Whether a retired variable is reclaimed; if not, the caller rebuilds the solver from time to time.
    fn reclaims_activations(&self) -> bool {
        false
    }

    /// From now on, a model must give a value to every variable that the query depends on, also where any
    /// value would do: what is checked above the solver (arrays, functions) looks at all of them.
    fn want_whole_models(&mut self) {}

    /// Is there a model of the clauses in force and the assumptions?
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer;

    /// The value of a variable in the last model; `None` where the model does not care.
    fn value(&self, var: Var) -> Option<bool>;

    /// The assumptions that the last `Unsat` rests on.
    fn core(&self) -> &[Lit];

    /// Why answers must not be believed: a step of a proof was not accepted. Only a solver that checks proofs
    /// says so.
    fn rejected(&self) -> Option<&str> {
        None
    }

    /// Counters so far.
    fn stats(&self) -> SatStats;
}
