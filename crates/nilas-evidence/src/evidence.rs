//! Evidence as plain data.
//!
//! Evidence names locations, edges and variables of one automaton, the one *as lowered*. Formulas come
//! with an arena of their own, in which variables are known by name, so that evidence can be kept on disk and
//! checked by another process.

use crate::premises::Premises;
use nilas_program::{ArcId, EdgeId, HavocSite, LocationId, VarId};
use nilas_term::{Arena, Term, Value};
use std::collections::BTreeMap;
use std::num::NonZero;

/// Why a verdict should be believed.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Safe: formulas that hold whenever control is at their location.
    Invariant(Invariant),
    /// Safe: everything ends within these bounds, and no error is met on the way.
    Unwinding(Unwinding),
    /// Safe: all executions go the same way, whatever the inputs, and it ends.
    Run,
    /// Safe: what each procedure needs and does, and formulas inside of them.
    Contracts(Contracts),
    /// Unsafe: an execution that reaches the error.
    Execution(Execution),
}

/// Contracts of the procedures of a module, and formulas at its locations. They are about the module, not
/// about the automaton that is made of it, and so name procedures and locations.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// Owner of the formulas.
    pub arena: Arena,
    /// The contract of each procedure.
    pub procedures: BTreeMap<String, Contract>,
    /// Formulas at a cutset of each procedure, over its variables, global ones, and the values of parameters
    /// and global variables at its entry ([`crate::entry_name`]).
    pub formulas: BTreeMap<String, Term>,
}

/// What a procedure needs and does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What must hold at a call, over parameters and global variables.
    pub requires: Term,
    /// What then holds when it comes back: over parameters and global variables at its entry, results, and
    /// global variables.
    pub ensures: Term,
}

/// A formula at each location of a cutset: the entry and at least one location of every cycle that can
/// reach a sink. The entry may be left out; it stands for *true*.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// Owner of the formulas.
    pub arena: Arena,
    /// The formulas, over the automaton's variables.
    pub formulas: BTreeMap<LocationId, Term>,
    /// How they imply each other.
    pub induction: Induction,
    /// What they follow from, where that is known. Only a hint.
    pub premises: Premises,
}

/// How formulas imply each other: each follows where the `k` states before it satisfy theirs. States are
/// counted at the locations of the cutset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Induction {
    /// How many states; one is plain induction.
    pub k: NonZero<u64>,
    /// Whether only states that all differ are looked at: the shortest way to a violation has no others.
    pub simple: bool,
}

impl Default for Induction {
    fn default() -> Self {
        Induction { k: NonZero::<u64>::MIN, simple: false }
    }
}

/// How often an execution can be at each location of a cutset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwinding {
    /// Visits, counted over the whole execution. The entry need not be named.
    pub visits: BTreeMap<LocationId, u64>,
}

/// What an execution chooses; the interpreter does the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Values at the entry. Variables that are not named have the default value of their sort.
    pub initial: BTreeMap<VarId, Value>,
    /// Values of `havoc`s, by site and occurrence (from 0). Others have the default value of their sort.
    pub havocs: BTreeMap<(HavocSite, u64), Value>,
    /// The way taken, where it is known. Only a hint: the interpreter checks every step.
    pub path: Vec<Step>,
    /// How many edges it takes at most, where that is known and the path does not tell. It is checked: an
    /// execution that takes more is rejected.
    pub steps: Option<u64>,
}

/// An edge of an execution, and the arcs taken inside its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edge.
    pub edge: EdgeId,
    /// The arcs, from the start of the command to its end.
    pub arcs: Vec<ArcId>,
}

/// How much longer than it says an execution may become when its choices are changed.
const SPARE_STEPS: u64 = 1 << 16;

impl Execution {
    /// The same choices with room for more steps, for those who want to change some of them.
    #[must_use]
    pub fn relaxed(&self) -> Execution {
        Execution { steps: self.steps.map(|steps| steps.saturating_add(SPARE_STEPS)), ..self.clone() }
    }
}
