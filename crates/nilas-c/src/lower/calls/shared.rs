//! Functions with one body for many calls.
//!
//! Inlining makes a body per call: exponentially many in the depth of calls, or of a recursion that calls
//! itself twice. Here all calls at the same depth enter one body, which is a procedure of the automaton
//! ([`nilas_program::procedures`]). Its variables are global: the locals of a function exist once per depth
//! anyway, and parameters are set before the call. When all is lowered, the wait encoding makes a flat
//! automaton of it (`emit`).
//!
//! A body is lowered at its first call, and what is inside depends on what was active then: a function that
//! it calls at depth two has other locals than at depth one. So a body knows at which depths it was lowered
//! with everything inside ([`Body::depths`]), and serves only calls for which they are the same. A body that
//! is being lowered serves no call, so that no procedure calls itself.

use crate::lower::build::Builder;
use crate::lower::lowering::Lowering;
use crate::lower::memory::object::ObjectId;
use crate::tree::FunctionId;
use nilas_program::ProcedureId;
use rustc_hash::FxHashMap;

/// A body that calls share.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Body {
    procedure: ProcedureId,
    /// It may end.
    returns: bool,
    /// How often the functions inside were active around it.
    depths: Vec<(FunctionId, usize)>,
    around: Around,
}

/// What else the inside of a body depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Around {
    /// The program ends.
    ending: bool,
    /// Unknown code calls.
    called_back: bool,
}

/// Functions with fewer nodes are inlined, as long as so many edges are.
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

    /// Whether the present place is in a body that calls share.
    pub(in crate::lower) fn in_shared(&self) -> bool {
        self.calls.frames.iter().any(|frame| frame.shared)
    }

    fn around(&self) -> Around {
        Around { ending: self.calls.ending, called_back: self.calls.called_back }
    }

    /// How often a function is active.
    fn depth_of(&self, function: FunctionId) -> usize {
        self.calls.depths.get(&function).copied().unwrap_or(0)
    }

    /// Goes through the shared body of a function, whose parameters are set.
    pub(in crate::lower) fn call_shared(
        &mut self,
        function: FunctionId,
        depth: usize,
        result: Option<ObjectId>,
    ) {
        let around = self.around();
        let serves = |body: &&Body| {
            body.around == around && body.depths.iter().all(|&(inside, depth)| self.depth_of(inside) == depth)
        };
        let known = self.calls.shared.get(&function).and_then(|bodies| bodies.iter().find(serves)).cloned();
        let body = match known {
            Some(body) => {
                self.calls.entered.extend(body.depths.iter().map(|&(inside, _)| inside));
                body
            }
            None => self.first_call(function, depth, result, around),
        };
        self.build.call(body.procedure, body.returns);
    }

    /// Lowers a body.
    fn first_call(
        &mut self,
        function: FunctionId,
        depth: usize,
        result: Option<ObjectId>,
        around: Around,
    ) -> Body {
        let before = self.calls.entered.len();
        let name = self.prefix(function, depth);
        let (procedure, returns) = Builder::procedure(
            self,
            |this| &mut this.build,
            &name,
            |this| this.body(function, depth, FxHashMap::default(), result, true),
        );
        // The call itself was entered just before.
        let mut inside: Vec<FunctionId> = self.calls.entered[before.saturating_sub(1)..].to_vec();
        inside.sort_unstable();
        inside.dedup();
        let depths = inside.into_iter().map(|inside| (inside, self.depth_of(inside))).collect();
        let body = Body { procedure, returns, depths, around };
        self.calls.shared.entry(function).or_default().push(body.clone());
        body
    }
}
