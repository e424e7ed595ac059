//! From a program with procedures to a plain automaton.
//!
//! A *copy* of a procedure has locations of its own. Procedures are either *inlined*, a copy for each call,
//! or *shared*: one copy serves many calls, a variable holds the number of the one that is active, and the
//! ways out ask for it. That is the wait encoding of §5.2–5.4 of the EUForia thesis, with the number in the
//! place of a wait bit per call site.
//!
//! The variables of a procedure exist once per *depth*, the number of its activations. At depth one they are
//! those of the module, so a procedure that is not recursive keeps its variables and terms in all its copies.
//! Two copies at the same depth are never active together, as the depth counts the activations. A shared
//! copy serves only calls at which all recursive procedures that it may call have the same depth; so two
//! activations of one copy never overlap either, and one number is enough.
//!
//! A call that would make a procedure active more often than [`FlattenOptions::recursion`] says, or more
//! edges than [`FlattenOptions::edges`], leads to *unmodelled* instead ([`Flat::cuts`]): nothing is dropped.
//! Otherwise executions of module and automaton correspond step by step, and [`Flat`] tells how.

mod copies;
mod depth;

use super::Module;
use super::unset::unset;
use crate::ids::{CallId, EdgeId, HavocSite, LocationId, ProcedureId, VarId};
use crate::targets::Targets;
use copies::Flattener;
use nilas_term::{Budget, Interrupt};

/// How to flatten.
pub struct FlattenOptions<'a> {
    /// How often a procedure may be active at the same time.
    pub recursion: usize,
    /// Edges beyond which calls are no longer followed.
    pub edges: usize,
    /// Which procedures are shared; the others are inlined.
    pub share: &'a dyn Fn(ProcedureId) -> bool,
    /// How copies of locations are called.
    pub names: Names,
}

impl Default for FlattenOptions<'_> {
    fn default() -> Self {
        FlattenOptions { recursion: 4, edges: 1_000_000, share: &|_| false, names: Names::Paths }
    }
}

/// How copies of locations are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// By the locations of the calls around them: `l1/f.in` is `f.in` in the call that leaves `l1`.
    Paths,
    /// All but entry and sinks by their numbers.
    Numbers,
}

/// What an edge of the automaton was in the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// An edge.
    Edge(EdgeId),
    /// The way of a call into its callee.
    Enter(CallId),
    /// The way of a call out of its callee.
    Leave(CallId),
    /// A call that is not followed.
    Cut(CallId),
}

/// Why a call is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutReason {
    /// Its procedure is active as often as it may be.
    Recursion,
    /// There are as many edges as there may be.
    Edges,
}

/// A call that leads to *unmodelled*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The edge.
    pub edge: EdgeId,
    /// The call.
    pub call: CallId,
    /// Why.
    pub reason: CutReason,
}

/// A flat program and the way back to its module.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The automaton.
    pub targets: Targets,
    /// Per location: the copy that it belongs to, and which location of the module it is. None for
    /// *unmodelled* if the module has none.
    pub locations: Vec<Option<(usize, LocationId)>>,
    /// Per edge: what it was.
    pub edges: Vec<Came>,
    /// Per `havoc` site: which one of the module it is.
    pub sites: Vec<HavocSite>,
    /// Per variable: which one of the module it is, and at which depth; none for the number of a call.
    pub variables: Vec<Option<(VarId, usize)>>,
    /// Calls that lead to *unmodelled*.
    pub cuts: Vec<Cut>,
    /// Per copy but the first, which is that of the main procedure: the copy of the caller, and the call. For
    /// a shared copy it is the call that made it.
    copies: Vec<(usize, CallId)>,
}

/// A module, and how the automaton that was made of it goes back to it.
#[derive(Clone, Debug)]
pub struct WithCalls {
    /// The module.
    pub module: Module,
    /// Per edge of the automaton: what it was.
    pub came: Vec<Came>,
    /// Per variable of the automaton: which one of the module it is, and at which depth, if it is one.
    pub variables: Vec<Option<(VarId, usize)>>,
}

impl WithCalls {
    /// A module and what [`flatten`] made of it.
    #[must_use]
    pub fn new(module: Module, flat: &Flat) -> Self {
        WithCalls { module, came: flat.edges.clone(), variables: flat.variables.clone() }
    }

    /// The variable of the module that one of the automaton is.
    #[must_use]
    pub fn variable(&self, variable: VarId) -> Option<VarId> {
        self.variables.get(variable.index()).copied().flatten().map(|(is, _)| is)
    }
}

impl Flat {
    /// The calls around a location, the oldest first. In a shared copy they are those for which it was made.
    #[must_use]
    pub fn call_string(&self, location: LocationId) -> Vec<CallId> {
        let mut copy = self.locations[location.index()].map_or(0, |(copy, _)| copy);
        let mut string = Vec::new();
        while let Some(&(caller, call)) = copy.checked_sub(1).and_then(|index| self.copies.get(index)) {
            string.push(call);
            copy = caller;
        }
        string.reverse();
        string
    }

    /// How many copies of procedures there are, the main one included.
    #[must_use]
    pub fn copy_count(&self) -> usize {
        self.copies.len() + 1
    }
}

/// The automaton of a module, see the module's text.
///
/// # Errors
/// When the budget has ended.
pub fn flatten(module: Module, options: &FlattenOptions<'_>, budget: &Budget) -> Result<Flat, Interrupt> {
    let unset = unset(&module);
    let mut module = module;
    let arena = std::mem::take(&mut module.program.arena);
    let mut flattener = Flattener::new(&module, options, arena, unset);
    flattener.run(budget)?;
    Ok(flattener.finish())
}
