//! Functions with one body for many calls.
//!
//! A function is lowered at its first call, into a procedure of the automaton
//! ([`nilas_program::procedures`]), and calls of it are call edges. When all is lowered, `emit` makes a flat
//! automaton of it. There are two sorts of bodies.
//!
//! - A body that *stands for copies*: a copy of it replaces each call, as if the function were lowered there.
//!   So it serves only calls at which it would be lowered to the same edges: with the same constants as
//!   arguments, and the same answers to all that it asked about the calls around it ([`super::asked`]).
//! - A body that calls *share* in the automaton, too, by the wait encoding: copies are exponentially many in
//!   the depth of calls, or of a recursion that calls itself twice. It asks nothing.
//!
//! The variables of both are global: the locals of a function exist once per depth anyway, and parameters are
//! set before the call. What is inside depends on what was active at the first call: a function that the body
//! calls at depth two has other locals than at depth one. So a body knows at which depths it was lowered with
//! everything inside ([`Body::depths`]), and serves only calls for which they are the same. A body that is
//! being lowered serves no call, so that no procedure calls itself.

use super::asked::Asked;
use crate::lower::HavocOrigin;
use crate::lower::build::{Blamed, Builder};
use crate::lower::lowering::Lowering;
use crate::lower::memory::object::ObjectId;
use crate::tree::{FunctionId, VarId};
use nilas_program::ProcedureId;
use nilas_term::Term;
use rustc_hash::FxHashMap;

/// A body that serves several calls.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Body {
    procedure: ProcedureId,
    /// It may end.
    returns: bool,
    /// How often the functions inside were active around it.
    depths: Vec<(FunctionId, usize)>,
    around: Around,
    /// Parameters that hold a constant.
    bound: Vec<(VarId, Term)>,
    asked: Asked,
}

/// What else the inside of a body depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Around {
    /// The program ends.
    ending: bool,
    /// Unknown code calls.
    called_back: bool,
    /// Other calls share a body around it.
    in_shared: bool,
    /// Calls share the body in the automaton, too.
    shared: bool,
    /// Who answers for what is inside, and where its values come from.
    blamed: Option<Blamed>,
    origin: HavocOrigin,
}

/// Functions with fewer nodes have no body that calls share, as long as so many edges are inlined.
pub(in crate::lower) const SMALL: usize = 40;

impl Lowering<'_> {
    /// Whether the calls of a function share its body.
    pub(in crate::lower) fn is_shared(&self, function: FunctionId) -> bool {
        let small = SMALL.min(self.options.inlined) as u64;
        let large =
            self.sharing && self.graph.inlined_size(function) > small && self.graph.sites(function) > 1;
        if self.facts.readers.contains(&function) {
            return false;
        }
        // The results of library functions have names that depend on who calls.
        (large && self.calls.library.is_empty())
            || self.options.share && !self.keeping && self.facts.is_recursive(function)
    }

    /// Whether a function is lowered once for all calls that are alike; copies replace them.
    pub(in crate::lower) fn is_lowered_once(&self, function: FunctionId) -> bool {
        !self.keeping
            && self.graph.sites(function) > 1
            && self.calls.library.is_empty()
            && !self.facts.readers.contains(&function)
    }

    /// Whether the present place is in a body that calls share.
    pub(in crate::lower) fn in_shared(&self) -> bool {
        self.calls.frames.iter().any(|frame| frame.shared)
    }

    fn around(&self, shared: bool) -> Around {
        Around {
            ending: self.calls.ending,
            called_back: self.calls.called_back,
            in_shared: self.in_shared(),
            shared,
            blamed: self.build.blamed,
            origin: self.build.origin.clone(),
        }
    }

    /// How often a function is active.
    fn depth_of(&self, function: FunctionId) -> usize {
        self.calls.depths.get(&function).copied().unwrap_or(0)
    }

    /// Goes through a body of a function, whose parameters are set.
    pub(in crate::lower) fn call_body(
        &mut self,
        function: FunctionId,
        depth: usize,
        bound: FxHashMap<VarId, Term>,
        result: Option<ObjectId>,
        shared: bool,
    ) {
        let around = self.around(shared);
        let mut constants: Vec<(VarId, Term)> = bound.iter().map(|(&it, &term)| (it, term)).collect();
        constants.sort_unstable();
        let serves = |body: &&Body| {
            body.around == around
                && body.bound == constants
                && body.depths.iter().all(|&(inside, depth)| self.depth_of(inside) == depth)
                && self.answers(&body.asked)
        };
        let known = self.calls.bodies.get(&function).and_then(|bodies| bodies.iter().find(serves)).cloned();
        let body = match known {
            Some(body) => {
                self.calls.entered.extend(body.depths.iter().map(|&(inside, _)| inside));
                self.ask_again(&body.asked);
                body
            }
            None => {
                let first = self.calls.entered.len().saturating_sub(1);
                self.begin_asking();
                let (procedure, returns) = self.lower_body(function, depth, bound, result, shared);
                let asked = self.end_asking();
                // The call itself was entered just before.
                let mut inside: Vec<FunctionId> = self.calls.entered[first..].to_vec();
                inside.sort_unstable();
                inside.dedup();
                let depths = inside.into_iter().map(|inside| (inside, self.depth_of(inside))).collect();
                let body = Body { procedure, returns, depths, around, bound: constants, asked };
                if body.asked.is_common() {
                    self.calls.bodies.entry(function).or_default().push(body.clone());
                }
                body
            }
        };
        self.build.call(body.procedure, body.returns);
    }

    /// Lowers a body as a procedure; whether it may end.
    fn lower_body(
        &mut self,
        function: FunctionId,
        depth: usize,
        bound: FxHashMap<VarId, Term>,
        result: Option<ObjectId>,
        shared: bool,
    ) -> (ProcedureId, bool) {
        let name = self.prefix(function, depth);
        let lowered = Builder::procedure(
            self,
            |this| &mut this.build,
            &name,
            |this| this.body(function, depth, bound, result, shared),
        );
        if shared {
            self.calls.shared.insert(lowered.0);
        }
        lowered
    }
}
