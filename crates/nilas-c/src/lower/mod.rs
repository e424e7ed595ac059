//! From the typed tree to the control-flow automaton.
//!
//! [`lower`] starts at `main` and inlines every call. What it promises:
//!
//! - The automaton means what "C, as Nilas understands it" in the design says. What is not modelled is an edge to the
//!   sink *unmodelled*, and [`Lowered::places`] names construct and place. Nothing is dropped silently: assumptions
//!   about functions without body are in [`Lowered::notes`].
//! - Threads, `setjmp`, assembly with effects and variable arguments that are read are refused where they can be reached.
//! - Undefined behaviour (division by zero, shifts by the width or more, accesses out of bounds or through null) is an
//!   `assume` that it does not happen: executions stop there.
//! - Only what can be reached is lowered. Conditions that fold to a constant have one branch, and a call in a dead
//!   branch makes no instance. Scalars that the whole program never writes are constants.
//! - Objects are cells: one automaton variable per scalar leaf; arrays with few elements are cells, large
//!   ones SMT arrays. A pointer is an address, a bit-vector of the pointer's width; each object whose address is
//!   taken lies in an aligned region of its own, so that the object of an address is its upper bits and the offset its
//!   lower ones. Accesses through a pointer are case splits over the living objects it can mean; elsewhere they are undefined, or
//!   (across the parts of an object) *unmodelled*. The objects of an allocation in a loop are a pool, one array per member.
//! - A pointer of unknown origin is null or points into the upper half of all addresses, which holds anything at first; two
//!   such pointers may be equal.
//! - The locals of a function exist once per depth of its recursion, not once per call: instances that never live at the
//!   same time share their variables (`f::x`, and `f#2::x` one recursion deeper).
//!
//! The program is lowered in rounds: addresses that are taken late (in a loop, in the initialiser of an object that is met
//! late) are known to accesses that come early in the next round.
//! Lowering recurses over nesting and call depth, and runs on a thread with a large stack.

mod build;
mod calls;
mod lowering;
mod memory;
#[cfg(test)]
mod tests;
mod translate;

use crate::source::{Diagnostic, Span};
use crate::tree;
use crate::types::TypeId;

/// How to lower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// How often a function may be active at the same time; a deeper call is unmodelled.
    pub recursion: usize,
    /// A recursive function has one body per depth, which all its calls there share, instead of one per call: linear
    /// where a function calls itself twice, at the price of cycles.
    pub share: bool,
    /// Objects of variable size per allocation in a loop; one more allocation there is unmodelled.
    pub heap: usize,
    /// Ways to put an access together from parts of an object that do not match its type; more are unmodelled.
    pub parts: usize,
    /// The largest array that becomes one variable per element.
    pub cells: u64,
    /// Edges beyond which calls are no longer inlined but unmodelled.
    pub edges: usize,
    /// Undefined behaviour (division by zero, accesses out of bounds, …) is an error, not the end of the execution.
    pub check_undefined: bool,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            recursion: 4,
            share: false,
            heap: 3,
            parts: 16,
            cells: 16,
            edges: 1_000_000,
            check_undefined: false,
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

/// Where the value of a `havoc` comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HavocOrigin {
    /// The result of a call of a `__VERIFIER_nondet_…` function: an input of the program.
    Input(FunctionResult),
    /// The result of another function without body.
    Unknown(FunctionResult),
    /// What a function without body may have written through a pointer.
    Written(String),
    /// What a function of the library read and stored: an input of the program.
    Read(String),
    /// The arguments of `main`.
    MainArgument,
    /// Memory that holds anything: uninitialised, allocated, `extern` without definition, or the result of a function
    /// that ends without `return`.
    Garbage,
    /// Where objects happen to lie: C leaves open how addresses relate.
    AddressRelation,
    /// Whether another file defines a weak symbol that the program does not define.
    Exists(String),
    /// A read of a volatile object outside of the program.
    Volatile,
    /// Which of two evaluations comes first where C leaves it open.
    EvaluationOrder,
    /// The bits of a float, which are fixed by its value unless it is a NaN.
    FloatBits,
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

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The automaton.
    pub program: nilas_program::Program,
    /// Assumptions, each reported once.
    pub notes: Vec<Diagnostic>,
    /// What each edge to *unmodelled* stands for.
    pub places: Vec<Unmodelled>,
    /// Where executions stop at undefined behaviour. Behaviour that is always undefined has no edge.
    pub undefined: Vec<Undefined>,
    /// How many calls were inlined.
    pub instances: usize,
    /// Where the values of `havoc`s come from, by site.
    pub havocs: Vec<HavocOrigin>,
    /// Functions without body whose meaning is not known, and that are called.
    pub unknown: Vec<crate::tree::FunctionId>,
    /// Constructs that make [`lower`] refuse the program.
    refused: Vec<Diagnostic>,
}

impl Lowered {
    /// Where the value of a `havoc` comes from.
    #[must_use]
    pub fn origin(&self, site: nilas_program::HavocSite) -> &HavocOrigin {
        self.havocs.get(site.index()).unwrap_or(&HavocOrigin::Garbage)
    }
}

/// The stack of the thread that lowers; only touched pages cost memory.
const STACK: usize = 1 << 30;

/// Lowers a program, see the module's text.
///
/// # Errors
/// When there is no `main` with a body, or the program has assembly outside functions; and where the code that is lowered
/// has threads, `setjmp`, assembly with effects, or reads variable arguments.
pub fn lower(program: &tree::Program, options: &LowerOptions) -> Result<Lowered, Vec<Diagnostic>> {
    let main = program.function("main").filter(|&main| program.functions[main].body.is_some());
    let Some(main) = main else {
        return Err(vec![Diagnostic::general("the program does not define `main`")]);
    };
    if let Some(asm) = program.file_asm.iter().find(|asm| !asm.template.trim().is_empty()) {
        return Err(vec![Diagnostic::error(asm.span, "assembly outside functions is not supported")]);
    }
    let mut stack = STACK;
    loop {
        let work = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack).name("lower".to_owned());
            let handle = builder.spawn_scoped(scope, || lowering::run(program, options, main)).ok()?;
            Some(handle.join())
        });
        match work {
            Some(Ok(lowered)) if lowered.refused.is_empty() => return Ok(lowered),
            Some(Ok(lowered)) => return Err(lowered.refused),
            Some(Err(_)) => {
                let message = "the lowering failed on this program: this is a bug in Nilas";
                return Err(vec![Diagnostic::general(message)]);
            }
            None if stack > 1 << 26 => stack /= 4,
            None => return Err(vec![Diagnostic::general("no thread could be started to lower the program")]),
        }
    }
}
