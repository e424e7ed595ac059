//! Helper variables of the automaton: values that outlive the term they were computed as.
//!
//! A temporary belongs to an expression of a function's instance and to a purpose, so that all calls of the
//! function that do not overlap share it. Scratch variables belong to an instance alone: whoever uses one is
//! done with it before the next use.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::tree::{ExprId, FunctionId};
use nilas_program::VarId;
use nilas_term::{Sort, Term};
use rustc_hash::FxHashMap;

/// What a temporary of an expression is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) enum Purpose {
    /// The value that the branches of an expression meet with.
    Joined,
    /// The value, kept while something else is evaluated.
    Saved,
    /// Whether the expression is evaluated before another one, where C leaves it open.
    Order,
    /// The value of an expression whose place in the order is chosen.
    Ordered,
    /// What a read of a volatile object gives.
    Volatile,
    /// The value after an update.
    After,
    /// A term in the address of a place.
    Place(usize),
    /// Whether an overflow happened.
    Overflow,
    /// What a function returns that may return anything.
    AnyResult,
    /// A number that is not zero.
    NonZero,
    /// A choice that the standard or the machine makes.
    Either,
    /// A number that the library leaves open.
    Open,
    /// The fraction of a float.
    Fraction,
    /// The address of a new object.
    NewAddress,
    /// Whether an allocation fails.
    Fails,
    /// What an allocation gives that may fail.
    Allocated,
    /// The byte that memory is filled with.
    Fill,
    /// What was at a place before it is overwritten.
    Before,
    /// What was read from outside.
    Read,
    /// How two addresses relate.
    Relation,
    /// How far two addresses are from each other.
    Distance,
    /// An address as a number.
    Number,
    /// The number of an error.
    Errno,
    /// An argument that unknown code calls a function with.
    CallbackArgument(FunctionId, usize),
}

/// What a scratch variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) enum Scratch {
    /// Values, conditions and indices of one write.
    Write(usize),
    /// Terms in the address of the target of a copy.
    CopyTarget(usize),
    /// Terms in the address of the source of a copy.
    CopySource(usize),
    /// Values that are read before any is written.
    Moved(usize),
    /// Whether a value was stored, where nobody knows.
    Stored,
    /// What is known of a value that is copied.
    CopiedSet,
    /// The same of values that are read before any is written.
    MovedSet(usize),
    /// What unknown code writes.
    Written,
    /// Pointers that unknown code writes.
    WrittenPointer,
    /// Whether unknown code calls back, or gives back what it knows.
    Callback,
    /// The number of a rounding mode.
    RoundingMode,
}

/// A function and the depth of its call.
type Activation = (FunctionId, usize);

/// The temporaries of a lowering.
#[derive(Default)]
pub(in crate::lower) struct Temporaries {
    /// By the function and depth where the expression is lowered; initialisers of statics have none.
    of: FxHashMap<(Option<Activation>, ExprId, Purpose), VarId>,
    /// By the name of the instance, and where the depths of its procedure begin.
    scratch: FxHashMap<(String, usize, Scratch, Sort), VarId>,
}

impl Temporaries {
    /// All of them, in the order of their making.
    pub(in crate::lower) fn variables(&self) -> std::collections::BTreeSet<VarId> {
        self.of.values().chain(self.scratch.values()).copied().collect()
    }
}

impl Lowering<'_> {
    /// A helper variable for an expression.
    pub(in crate::lower) fn temporary(
        &mut self,
        expr: ExprId,
        purpose: Purpose,
        sort: &Sort,
    ) -> (VarId, Term) {
        let place = self.calls.frames.last().map(|frame| (frame.function, frame.depth));
        if let Some(&variable) = self.temporaries.of.get(&(place, expr, purpose))
            && self.build.automaton.variable(variable).sort == *sort
        {
            return (variable, self.build.variable_term(variable));
        }
        let name = format!("{}::%tmp", self.context());
        let (variable, term) = self.build.new_variable(&name, sort);
        self.build.track_temporary(variable);
        self.temporaries.of.insert((place, expr, purpose), variable);
        (variable, term)
    }

    /// A scratch variable.
    pub(in crate::lower) fn scratch(&mut self, purpose: Scratch, sort: &Sort) -> (VarId, Term) {
        let key = (self.context(), self.calls.base, purpose, sort.clone());
        if let Some(&variable) = self.temporaries.scratch.get(&key) {
            return (variable, self.build.variable_term(variable));
        }
        let (variable, term) = self.build.new_variable(&format!("{}::%old", key.0), sort);
        self.build.track_temporary(variable);
        self.temporaries.scratch.insert(key, variable);
        (variable, term)
    }

    /// A term that keeps its value whatever is assigned: a constant or a temporary.
    pub(in crate::lower) fn save(&mut self, expr: ExprId, purpose: Purpose, term: Term) -> Term {
        if self.build.arena.as_value(term).is_some() || !self.build.reachable() {
            return term;
        }
        let float = match *self.build.arena.sort(term) {
            Sort::Float(exponent, significand) => Some(Kind::Float(exponent, significand)),
            _ => None,
        };
        let term = self.held(term);
        let sort = self.build.arena.sort(term).clone();
        let (variable, saved) = self.temporary(expr, purpose, &sort);
        self.build.assign(variable, term);
        if let Some(pointee) = self.tree.types.pointee(self.tree.exprs[expr].ty) {
            self.inherit(saved, term, Some(pointee));
        } else {
            self.inherit(saved, term, None);
        }
        float.map_or(saved, |kind| self.unheld(saved, kind))
    }
}
