//! Functions with one body for many calls.
//!
//! Inlining makes a body per call: exponentially many in the depth of calls, or of a recursion that calls
//! itself twice. Here all calls at the same depth share one body: a variable holds the number of the call
//! that is active, and the way out of the body forks over it. The locals of a function exist once per depth
//! anyway.
//!
//! A body is lowered at its first call, and what is inside depends on what was active then: a function that
//! it calls at depth two has other locals than at depth one. So a body knows at which depths it was lowered
//! with everything inside ([`Body::depths`]), and serves only calls for which they are the same.

use crate::lower::lowering::Lowering;
use crate::lower::memory::object::ObjectId;
use crate::tree::FunctionId;
use nilas_fault::{Fault, planted};
use nilas_program::{LocationId, VarId};
use nilas_term::Sort;
use rustc_hash::FxHashMap;

/// A body that calls share.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Body {
    entry: LocationId,
    /// Where it ends; `None` if it never does.
    exit: Option<LocationId>,
    /// Holds the number of the call that is active.
    caller: VarId,
    calls: u64,
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

/// Bits of the number of a call.
const CALL_BITS: u32 = 32;
/// Functions with fewer nodes are inlined, as long as so many edges are.
const SMALL: usize = 40;

impl Lowering<'_> {
    /// Whether the calls of a function share its body.
    pub(in crate::lower) fn is_shared(&self, function: FunctionId) -> bool {
        let small = SMALL.min(self.options.inlined) as u64;
        let large =
            self.sharing && self.graph.inlined_size(function) > small && self.graph.sites(function) > 1;
        // The results of library functions have names that depend on who calls.
        (large && self.calls.library.is_empty()) || self.options.share && self.facts.is_recursive(function)
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
        let known =
            self.calls.shared.get(&function).and_then(|bodies| bodies.iter().position(|body| serves(&body)));
        let (number, body) = match known {
            Some(index) => {
                let Some(body) =
                    self.calls.shared.get_mut(&function).and_then(|bodies| bodies.get_mut(index))
                else {
                    return;
                };
                body.calls += 1;
                let body = body.clone();
                let number = self.build.arena.bv(CALL_BITS, body.calls);
                self.calls.entered.extend(body.depths.iter().map(|&(inside, _)| inside));
                self.build.assign(body.caller, number);
                self.build.goto(body.entry);
                (number, body)
            }
            None => self.first_call(function, depth, result, around),
        };
        let Some(exit) = body.exit else {
            self.build.here = None;
            return;
        };
        let caller = self.build.variable_term(body.caller);
        let back = match planted(Fault::SharedReturnAnywhere) {
            true => self.build.arena.mk_true(),
            false => self.build.arena.eq(caller, number),
        };
        let behind = self.build.new_location();
        self.build.continue_at(exit);
        self.build.branch(back, behind);
        self.build.continue_at(behind);
    }

    /// Lowers a body.
    fn first_call(
        &mut self,
        function: FunctionId,
        depth: usize,
        result: Option<ObjectId>,
        around: Around,
    ) -> (nilas_term::Term, Body) {
        let name = format!("{}::%caller", self.prefix(function, depth));
        let (caller, _) = self.build.new_variable(&name, &Sort::BitVec(CALL_BITS));
        let number = self.build.arena.bv(CALL_BITS, 0);
        let entry = self.build.new_location();
        self.build.assign(caller, number);
        self.build.goto(entry);
        let span = self.build.span;
        let before = self.calls.entered.len();
        self.build.continue_at(entry);
        self.body(function, depth, FxHashMap::default(), result, true);
        // The way back needs a location of its own, with nothing pending.
        let exit = self.build.new_location();
        let returns = self.build.reachable();
        self.build.goto(exit);
        self.build.span = span;
        // The call itself was entered just before.
        let mut inside: Vec<FunctionId> = self.calls.entered[before.saturating_sub(1)..].to_vec();
        inside.sort_unstable();
        inside.dedup();
        let depths = inside.into_iter().map(|inside| (inside, self.depth_of(inside))).collect();
        let exit = returns.then_some(exit);
        let body = Body { entry, exit, caller, calls: 0, depths, around };
        self.calls.shared.entry(function).or_default().push(body.clone());
        (number, body)
    }
}
