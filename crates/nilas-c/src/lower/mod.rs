//! From the typed tree to the control-flow automaton.
//!
//! [`lower`] starts at `main`, and puts the body of a function in the place of every call of it. What it
//! promises:
//!
//! - The automaton means what "C, as Nilas understands it" in the design says. What is not modelled is an
//!   edge to the sink *unmodelled*, and [`Lowered::places`] names construct and place. Nothing is dropped
//!   silently: what a verdict rests on besides the text is in [`Lowered::assumptions`].
//! - Threads and assembly that jumps are refused where they can be reached; `longjmp` and variable arguments
//!   that are read are unmodelled. Other assembly gives its outputs any value.
//! - Undefined behaviour (division by zero, shifts by the width or more, accesses out of bounds or through
//!   null) is an `assume` that it does not happen: executions stop there.
//! - Only what can be reached is lowered. Conditions that fold to a constant have one branch, and a call in a
//!   dead branch makes no instance. Scalars that the whole program never writes are constants.
//! - Objects are cells: one automaton variable per scalar leaf; arrays with few elements are cells, large
//!   ones SMT arrays. A pointer is an address, a bit-vector of the pointer's width; each object whose address
//!   is taken lies in an aligned region of its own, so that the object of an address is its upper bits and
//!   the offset its lower ones. Accesses through a pointer are case splits over the living objects it can
//!   mean; elsewhere they are undefined, or (across the parts of an object) *unmodelled*. The objects of an
//!   allocation in a loop are a pool, one array per member.
//! - A pointer of unknown origin is null or points into the upper half of all addresses, which holds anything
//!   at first; two such pointers may be equal.
//! - The locals of a function exist once per depth of its recursion, not once per call: instances that never
//!   live at the same time share their variables (`f::x`, and `f#2::x` one recursion deeper).
//!
//! The program is lowered in rounds: addresses that are taken late (in a loop, in the initialiser of an
//! object that is met late) are known to accesses that come early in the next round.
//! Lowering recurses over nesting and call depth, and runs on a thread with a large stack.

mod assumption;
mod build;
mod calls;
mod emit;
mod lowering;
mod memory;
#[cfg(test)]
mod tests;
mod translate;
mod watch;

use crate::library;
use crate::property::{Properties, Property};
use crate::source::{Diagnostic, Span};
use crate::tree;
use crate::types::TypeId;
use crate::work::{self, Lost};
pub use assumption::{Assumption, AssumptionKind, UnknownFunctions};
pub use emit::Emitted;
use nilas_term::{Budget, Interrupt};
pub use watch::{Cell, Head, Typed};

/// What becomes of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallMode {
    /// Bodies stand in the place of calls; recursion is unrolled to a bound.
    Inline,
    /// Functions that are called from several places stay procedures, and recursive ones.
    Keep,
    /// Recursive functions stay procedures.
    #[default]
    Auto,
}

impl CallMode {
    /// The words for them.
    pub const NAMES: [(&'static str, CallMode); 3] =
        [("inline", CallMode::Inline), ("keep", CallMode::Keep), ("auto", CallMode::Auto)];

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        CallMode::NAMES.iter().find(|(_, mode)| *mode == self).map_or("auto", |(name, _)| name)
    }
}

impl std::str::FromStr for CallMode {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = CallMode::NAMES.iter().find(|(name, _)| *name == word);
        found.map(|(_, mode)| *mode).ok_or_else(|| format!("`{word}` is none of inline, keep, auto"))
    }
}

/// How to lower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// Which functions stay procedures.
    pub calls: CallMode,
    /// How often a function may be active at the same time; a deeper call is unmodelled.
    pub recursion: usize,
    /// A recursive function has one body per depth, which all its calls there share, instead of one per call:
    /// linear where a function calls itself twice, at the price of cycles.
    pub share: bool,
    /// Programs that have more edges with all calls inlined have one body for all calls of a function, where
    /// that is not small.
    pub inlined: usize,
    /// Objects of variable size per allocation in a loop; one more allocation there is unmodelled.
    pub heap: usize,
    /// Ways to put an access together from parts of an object that do not match its type; more are
    /// unmodelled.
    pub parts: usize,
    /// The largest array that becomes one variable per element.
    pub cells: u64,
    /// Edges beyond which calls are no longer inlined but unmodelled.
    pub edges: usize,
    /// Programs with at least so many expressions are lowered without a model of memory at first, if unknown
    /// functions do nothing: whatever pointers can reach holds any value.
    pub abstracted: usize,
    /// Which part of a program without a model of memory is looked at first.
    pub slice: Slice,
    /// What is asked about the program. Where another property is violated, executions stop or go on as C and
    /// machines have it.
    pub properties: Properties,
    /// Allocations may give null.
    pub malloc_may_fail: bool,
    /// What is assumed of functions of which nothing is known.
    pub unknown_functions: UnknownFunctions,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            calls: CallMode::default(),
            recursion: 4,
            share: false,
            inlined: 50_000,
            heap: 3,
            parts: 16,
            cells: 16,
            edges: 1_000_000,
            abstracted: 500,
            slice: Slice::Data,
            properties: Properties::ASSERT,
            malloc_may_fail: false,
            unknown_functions: UnknownFunctions::default(),
        }
    }
}

impl LowerOptions {
    /// The next larger bound of the kind that an execution ran into.
    #[must_use]
    pub fn raised(&self, bound: Bound) -> Self {
        match bound {
            Bound::Recursion => {
                let recursion = self.recursion.saturating_mul(2);
                LowerOptions { recursion, share: recursion > 8, ..self.clone() }
            }
            Bound::Heap => LowerOptions { heap: self.heap.saturating_mul(3), ..self.clone() },
            Bound::Parts => LowerOptions { parts: self.parts.saturating_mul(16), ..self.clone() },
            Bound::Memory => LowerOptions { abstracted: usize::MAX, ..self.clone() },
            Bound::Slice => LowerOptions { slice: self.slice.next(), ..self.clone() },
        }
    }
}

/// A bound of [`LowerOptions`] that cuts executions off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// [`LowerOptions::recursion`].
    Recursion,
    /// [`LowerOptions::heap`].
    Heap,
    /// [`LowerOptions::parts`].
    Parts,
    /// [`LowerOptions::abstracted`].
    Memory,
    /// [`LowerOptions::slice`].
    Slice,
}

/// The part of a program without a model of memory that is looked at: each is more than the one before
/// ([`nilas_program::procedures::Reach`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// What flows into the conditions right before the error.
    Data,
    /// And what decides about that.
    Control,
    /// All of it.
    Whole,
}

impl Slice {
    /// The words for them.
    pub const NAMES: [(&'static str, Slice); 3] =
        [("data", Slice::Data), ("control", Slice::Control), ("whole", Slice::Whole)];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Slice::Data => "data",
            Slice::Control => "control",
            Slice::Whole => "whole",
        }
    }

    /// The next larger one.
    fn next(self) -> Slice {
        match self {
            Slice::Data => Slice::Control,
            Slice::Control | Slice::Whole => Slice::Whole,
        }
    }

    /// Which variables are kept; none: all.
    fn reach(self) -> Option<nilas_program::procedures::Reach> {
        match self {
            Slice::Data => Some(nilas_program::procedures::Reach::Data),
            Slice::Control => Some(nilas_program::procedures::Reach::Control),
            Slice::Whole => None,
        }
    }
}

impl std::str::FromStr for Slice {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Slice::NAMES.iter().find(|(name, _)| *name == word);
        found.map(|(_, slice)| *slice).ok_or_else(|| format!("`{word}` is none of data, control, whole"))
    }
}

/// An edge to *unmodelled*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmodelled {
    /// The edge.
    pub edge: nilas_program::EdgeId,
    /// What is not modelled.
    pub construct: String,
    /// Where it stands.
    pub span: Span,
    /// The bound that a larger value of would move it further away.
    pub bound: Option<Bound>,
}

/// Where the value of a `havoc` comes from. It decides whether an execution that depends on the value is real
/// ([`HavocOrigin::doubt`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HavocOrigin {
    /// The result of a call of a `__VERIFIER_nondet_…` function: an input of the program. Real.
    Input(FunctionResult),
    /// The result of another function without body. Real, unless the function's arguments determine it
    /// (`sin`).
    Unknown(FunctionResult),
    /// The result of a function without body that is declared `pure` or `const`. Not known to be real: calls
    /// with the same arguments give the same result.
    Determined(String),
    /// What a function without body may have written. Not known to be real: it may write something else, or
    /// nothing.
    Written(String),
    /// That a function without body calls a function, and with which arguments. Not known to be real.
    Callback(String),
    /// That a pointer from a function without body points into an object that the function was given earlier.
    /// Not known to be real.
    Kept(String),
    /// What a function of the library read and stored: an input of the program. Real.
    Read(String),
    /// The arguments of `main`. Real.
    MainArgument,
    /// Memory that holds anything: uninitialised, allocated, `extern` without definition, or the result of a
    /// function that ends without `return`. Real. Which memory that is, where a declaration or an allocation
    /// names it.
    Garbage(Option<Box<Unset>>),
    /// Whether an allocation fails, by its call. Real.
    AllocationFailure(Span),
    /// Whether another file defines a weak symbol that the program does not define. Real.
    Exists(String),
    /// A read of a volatile object outside of the program, by this lvalue. Real.
    Volatile(Span),
    /// What C leaves open about floats: the sign and payload of a NaN that an operation gives, which of two
    /// zeros `fmin` gives, what `lrint` gives out of range. Real, where every choice will do.
    FloatBits,
    /// What an lvalue reads from memory that is not modelled. Not known to be real.
    Open(Span),
    /// A relation between addresses that C leaves open. The machine decides it, but nobody knows how: not
    /// known to be real.
    AddressRelation,
    /// An order of evaluation that C leaves open. Compilers do both: real.
    EvaluationOrder,
    /// What inline assembly computes. Not known to be real.
    Assembly,
    /// Whether a value was stored to what is read, where the model does not tell. Not known to be real.
    Stored,
}

impl HavocOrigin {
    /// Why an execution that depends on the value is not known to be real; `None` if it is real.
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        match self {
            HavocOrigin::Unknown(result) if library::is_determined(&result.function) => {
                Some(format!("the result of `{}`, which its arguments determine", result.function))
            }
            HavocOrigin::Determined(function) => {
                Some(format!("the result of `{function}`, which its arguments determine"))
            }
            HavocOrigin::Written(function) => Some(format!("what `{function}` writes")),
            HavocOrigin::Callback(function) => Some(format!("which functions `{function}` calls back")),
            HavocOrigin::Kept(function) => {
                Some(format!("`{function}` giving back a pointer that it got earlier"))
            }
            HavocOrigin::Open(_) => Some("what memory holds".to_owned()),
            HavocOrigin::AddressRelation => Some("where objects happen to lie in memory".to_owned()),
            HavocOrigin::Assembly => Some("what inline assembly computes".to_owned()),
            HavocOrigin::Stored => Some("whether a value was stored to all of what is read".to_owned()),
            HavocOrigin::Unknown(_)
            | HavocOrigin::Input(_)
            | HavocOrigin::Read(_)
            | HavocOrigin::MainArgument
            | HavocOrigin::Garbage(_)
            | HavocOrigin::FloatBits
            | HavocOrigin::AllocationFailure(_)
            | HavocOrigin::Exists(_)
            | HavocOrigin::Volatile(_)
            | HavocOrigin::EvaluationOrder => None,
        }
    }

    /// Whether an unknown function may also have left the variable as it was. A function of the library may
    /// not: what it writes goes with what it returns.
    #[must_use]
    pub fn may_be_idle(&self) -> bool {
        match self {
            HavocOrigin::Written(function) => library::catalogue::row(function).is_none(),
            HavocOrigin::Callback(_) | HavocOrigin::Kept(_) => true,
            _ => false,
        }
    }
}

/// Uninitialised memory: a scalar or the elements of an array in a new object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unset {
    /// The declaration or allocation of the object.
    pub span: Span,
    /// Bits from the start of the object to the first element.
    pub offset: u64,
    /// Bits of an element.
    pub width: u32,
    /// Elements lie so many bytes apart, so many times; the innermost dimension last. Empty for a scalar.
    pub dims: Vec<(u64, u64)>,
}

impl Unset {
    /// Bits from the start of the object to an element.
    #[must_use]
    pub fn position(&self, number: u64) -> u64 {
        let (mut rest, mut position) = (number, self.offset);
        for &(stride, count) in self.dims.iter().rev() {
            position += (rest % count.max(1)) * stride * 8;
            rest /= count.max(1);
        }
        position
    }

    /// How many elements there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.dims.iter().fold(1, |product, &(_, count)| product.saturating_mul(count))
    }
}

/// A call whose result is any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionResult {
    /// The function.
    pub function: String,
    /// The type of the result.
    pub ty: TypeId,
    /// The call.
    pub span: Span,
}

/// An `assume` that the behaviour is defined: executions that violate it stop there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The edge.
    pub edge: nilas_program::EdgeId,
    /// Which basic command of the edge it is.
    pub step: usize,
    /// What would be undefined.
    pub what: &'static str,
    /// Where it stands.
    pub span: Span,
}

/// A place where a property that is asked about could be violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The property.
    pub property: Property,
    /// What is claimed never to happen.
    pub what: String,
    /// Where: in the user's text, also where the violation would be in a function of the library.
    pub span: Span,
    /// The expression, as far as there is one.
    pub expression: Option<String>,
    /// The edges to the error that are taken if it is violated; none if it cannot be.
    pub edges: Vec<nilas_program::EdgeId>,
    /// It only leads to a violation elsewhere: a pointer leaves its object before something is accessed.
    pub auxiliary: bool,
}

/// A place where C may leave the behaviour undefined, and executions go on all the same: those that reach the
/// error are not known to be real.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presumed {
    /// The edge.
    pub edge: nilas_program::EdgeId,
    /// Which basic command of the edge it is.
    pub step: usize,
    /// What an execution relies on.
    pub what: String,
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The automaton.
    pub program: nilas_program::Program,
    /// What a verdict rests on, each once, by where it was met first.
    pub assumptions: Vec<Assumption>,
    /// What each edge to *unmodelled* stands for.
    pub places: Vec<Unmodelled>,
    /// Where executions stop at undefined behaviour.
    pub undefined: Vec<Undefined>,
    /// Where executions go on that C may leave undefined.
    pub presumed: Vec<Presumed>,
    /// Where properties that are asked about could be violated, by where they were met first.
    pub checks: Vec<Check>,
    /// How many bodies were lowered.
    pub instances: usize,
    /// What was emitted before copies replaced calls, or calls became edges; none if there are no call edges.
    pub emitted: Option<Emitted>,
    /// The program with the calls that were kept, and how the automaton goes back to it.
    pub calls: Option<nilas_program::procedures::WithCalls>,
    /// Why functions that might stay procedures do not.
    pub unkept: Vec<String>,
    /// A function that cannot stay one after all; none: nothing can. Then the program is lowered again.
    pub(in crate::lower) unkeepable: Option<(Option<crate::tree::FunctionId>, String)>,
    /// Where the values of `havoc`s come from, by site.
    pub havocs: Vec<HavocOrigin>,
    /// Functions without body whose meaning is not known, and that are called.
    pub unknown: Vec<crate::tree::FunctionId>,
    /// Heads of loops.
    pub heads: Vec<Head>,
    /// Integers in memory that have variables for themselves.
    pub cells: Vec<Cell>,
    /// Types of what variables of the automaton hold.
    pub typed: Vec<Typed>,
    /// What begins at addresses of the automaton.
    pub addresses: Vec<(u64, String)>,
    /// Constructs that make [`lower`] refuse the program.
    refused: Vec<Diagnostic>,
}

impl Lowered {
    /// Where the value of a `havoc` comes from.
    #[must_use]
    pub fn origin(&self, site: nilas_program::HavocSite) -> &HavocOrigin {
        self.havocs.get(site.index()).unwrap_or(&HavocOrigin::Garbage(None))
    }
}

/// Lowers a program, see the module's text.
///
/// # Errors
/// When there is no `main` with a body, or the program has assembly outside functions; and where the code
/// that is lowered has threads or assembly that jumps.
pub fn lower(program: &tree::Program, options: &LowerOptions) -> Result<Lowered, Vec<Diagnostic>> {
    lower_within(program, options, &Budget::unlimited())
        .unwrap_or_else(|why| Err(vec![Diagnostic::general(why.to_string())]))
}

/// The same within a budget.
///
/// # Errors
/// When the budget has ended; inside, when the program is refused.
pub fn lower_within(
    program: &tree::Program,
    options: &LowerOptions,
    budget: &Budget,
) -> Result<Result<Lowered, Vec<Diagnostic>>, Interrupt> {
    let Some(main) = program.start() else {
        return Ok(Err(vec![Diagnostic::general("the program does not define `main`")]));
    };
    if let Some(asm) = program.file_asm.iter().find(|asm| !asm.template.trim().is_empty()) {
        return Ok(Err(vec![Diagnostic::error(asm.span, "assembly outside functions is not supported")]));
    }
    Ok(match work::on_thread("lower", budget, || lowering::run(program, options, main)) {
        Ok(lowered) if lowered.refused.is_empty() => Ok(lowered),
        Ok(lowered) => Err(lowered.refused),
        Err(Lost::Interrupted(why)) => return Err(why),
        Err(Lost::Died) => {
            let message = "the lowering failed on this program: this is a bug in Nilas";
            Err(vec![Diagnostic::general(message)])
        }
        Err(Lost::NoThread) => {
            Err(vec![Diagnostic::general("no thread could be started to lower the program")])
        }
    })
}
