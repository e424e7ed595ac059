//! Programs with procedures and calls.
//!
//! A [`Module`] is an automaton with call edges. All its locations, edges, variables and `havoc`s stand in
//! one [`Program`], so that whatever knows commands, terms and locations works on it; [`Module::owners`] says
//! what belongs to which procedure. What belongs to none is the main procedure, where executions start, and
//! what all share: global variables, the error and *unmodelled*.
//!
//! A call edge leads from a location of the caller to another one. It takes the values of its arguments to
//! the parameters, all at once, goes through the callee from its entry to its exit, and takes the values of
//! the results to variables of the caller or global ones. The other variables of a procedure, results
//! included, hold any value when it is entered: each has a `havoc` site of its own for that
//! ([`Module::local_site`]). Variables of a procedure exist once per activation; the caller's are as before
//! when a call comes back. Calls through pointers are several call edges with assumptions before them.
//!
//! - [`flatten()`] makes the plain automaton that engines know: bodies in place of calls, or one body for all
//!   calls of a procedure, with a way back for evidence. Recursion is unrolled to a bound.
//! - [`validate()`] looks whether an automaton means what a module means, without a line of [`flatten()`].
//! - [`blocks()`] folds loop-free pieces of procedures into edges; calls stay.
//! - [`effects()`] says which global variables a procedure reads and writes, with what it calls.
//! - [`slice()`] leaves out what cannot matter for reaching a sink.
//! - [`localise()`] makes global variables local that only one procedure needs.
//! - [`CallInterpreter`] executes a module with a call stack.
//!
//! Invariants, checked by [`check`]: those of an automaton; edges and calls stay inside of a procedure, but
//! for edges to sinks; a command mentions globals and variables of its procedure only; nothing leads to an
//! entry, nothing leaves an exit; arguments and results have the sorts of what they go to, and the variables
//! that take results are distinct.

mod blocks;
mod dot;
mod effects;
mod flatten;
mod interpret;
mod localise;
mod random;
mod slice;
mod unset;
mod validate;
mod wellformed;

pub use blocks::{Blocks, blocks};
pub use dot::module_to_dot;
pub use effects::{Effects, effects};
pub use flatten::{Came, Cut, CutReason, Flat, FlattenOptions, Names, WithCalls, flatten};
pub use interpret::{CallInterpreter, Move};
pub use localise::localise;
pub use random::{ModuleShape, module as random_module};
pub use slice::{Reach, Slice, slice};
pub use unset::live;
pub use validate::validate;
pub use wellformed::check;

use crate::automaton::Program;
use crate::ids::{CallId, HavocSite, LocationId, ProcedureId, VarId};
use crate::source::Span;
use crate::targets::Targets;
use nilas_term::Term;

/// A procedure other than the main one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// Its name, unique.
    pub name: String,
    /// Variables of it that take the arguments.
    pub parameters: Vec<VarId>,
    /// Variables of it whose values at the exit go back to the caller.
    pub results: Vec<VarId>,
    /// Where calls enter it. Nothing else leads there.
    pub entry: LocationId,
    /// Where calls leave it. Nothing else leads on from there.
    pub exit: LocationId,
    /// Where it stands in the source text.
    pub span: Span,
}

/// A call edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where the caller is before the call.
    pub source: LocationId,
    /// Where the caller goes on.
    pub target: LocationId,
    /// What is called.
    pub callee: ProcedureId,
    /// A term over variables of the caller for each parameter.
    pub arguments: Vec<Term>,
    /// A variable of the caller, or a global one, for each result.
    pub results: Vec<VarId>,
    /// Where it stands in the source text.
    pub span: Span,
}

/// What belongs to which procedure; `None`: to the main one, or to all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// By variable.
    pub variables: Vec<Option<ProcedureId>>,
    /// By location.
    pub locations: Vec<Option<ProcedureId>>,
}

/// A program with procedures, see the module's text.
#[derive(Clone, Debug)]
pub struct Module {
    /// All variables, locations and edges but the calls. Its entry is that of the main procedure.
    pub program: Program,
    /// The error locations, the program's error first.
    pub targets: Vec<LocationId>,
    /// The procedures but the main one.
    pub procedures: Vec<Procedure>,
    /// The call edges.
    pub calls: Vec<Call>,
    /// What belongs to which procedure.
    pub owners: Owners,
}

impl Module {
    /// A program without procedures.
    #[must_use]
    pub fn plain(Targets { program, targets }: Targets) -> Self {
        let owners = Owners {
            variables: vec![None; program.automaton.variables.len()],
            locations: vec![None; program.automaton.locations.len()],
        };
        Module { program, targets, procedures: Vec::new(), calls: Vec::new(), owners }
    }

    /// A procedure.
    #[must_use]
    pub fn procedure(&self, procedure: ProcedureId) -> &Procedure {
        &self.procedures[procedure.index()]
    }

    /// A call.
    #[must_use]
    pub fn call(&self, call: CallId) -> &Call {
        &self.calls[call.index()]
    }

    /// The procedures but the main one.
    pub fn procedure_ids(&self) -> impl Iterator<Item = ProcedureId> + use<> {
        (0..self.procedures.len()).map(ProcedureId::new)
    }

    /// All calls.
    pub fn call_ids(&self) -> impl Iterator<Item = CallId> + use<> {
        (0..self.calls.len()).map(CallId::new)
    }

    /// The procedure that a location belongs to; `None` for the main one, and for sinks.
    #[must_use]
    pub fn owner(&self, location: LocationId) -> Option<ProcedureId> {
        self.owners.locations[location.index()]
    }

    /// The procedure that a variable belongs to; `None` for a global one.
    #[must_use]
    pub fn owner_of(&self, variable: VarId) -> Option<ProcedureId> {
        self.owners.variables[variable.index()]
    }

    /// The variables of a procedure, parameters and results included.
    pub fn variables_of(&self, procedure: ProcedureId) -> impl Iterator<Item = VarId> + '_ {
        let variables = self.program.automaton.variable_ids();
        variables.filter(move |&variable| self.owner_of(variable) == Some(procedure))
    }

    /// Whether executions end there: an error location or *unmodelled*.
    #[must_use]
    pub fn is_sink(&self, location: LocationId) -> bool {
        self.program.automaton.unmodelled == Some(location) || self.targets.contains(&location)
    }

    /// The site of the value that a variable of a procedure has when it is entered: sites of variables come
    /// after those of the commands, in the order of the variables.
    #[must_use]
    pub fn local_site(&self, variable: VarId) -> HavocSite {
        HavocSite::new(self.program.automaton.havocs.len() + variable.index())
    }

    /// Which procedures call which directly, each list sorted; the last list is that of the main procedure.
    #[must_use]
    pub fn call_graph(&self) -> Vec<Vec<ProcedureId>> {
        let mut callees = vec![Vec::new(); self.procedures.len() + 1];
        for call in &self.calls {
            let caller = self.owner(call.source).map_or(self.procedures.len(), ProcedureId::index);
            callees[caller].push(call.callee);
        }
        for list in &mut callees {
            list.sort_unstable();
            list.dedup();
        }
        callees
    }

    /// Per procedure, what it may call directly or through others, sorted; the last list is that of the main
    /// procedure.
    #[must_use]
    pub fn reached(&self) -> Vec<Vec<ProcedureId>> {
        let callees = self.call_graph();
        let from = |start: usize| {
            let mut seen = vec![false; self.procedures.len()];
            let mut work: Vec<ProcedureId> = callees[start].clone();
            while let Some(procedure) = work.pop() {
                if !std::mem::replace(&mut seen[procedure.index()], true) {
                    work.extend(&callees[procedure.index()]);
                }
            }
            self.procedure_ids().filter(|procedure| seen[procedure.index()]).collect()
        };
        (0..callees.len()).map(from).collect()
    }

    /// The calls that leave a location.
    pub fn calls_from(&self, location: LocationId) -> impl Iterator<Item = CallId> + '_ {
        self.call_ids().filter(move |&call| self.call(call).source == location)
    }
}
