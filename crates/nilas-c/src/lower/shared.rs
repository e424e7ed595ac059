//! Recursive functions with one body per depth.
//!
//! Inlining a function that calls itself twice makes a body per call, exponentially many in the depth. Here all calls at
//! the same depth share one body: a variable holds the number of the call that is active, and the way out of the body
//! forks over it. The locals of a function exist once per depth anyway.

use super::emit::Lowering;
use super::object::ObjectId;
use crate::index::Id;
use crate::tree::FunctionId;
use nilas_program::{LocationId, VarId};
use nilas_term::Sort;
use rustc_hash::FxHashMap;

/// A function, and how often it and the other recursive functions are active: calls inside depend on that.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Instance {
    function: FunctionId,
    depths: Vec<(FunctionId, usize)>,
}

/// A body that calls share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    entry: LocationId,
    /// Where it ends; `None` if it never does.
    exit: Option<LocationId>,
    /// Holds the number of the call that is active.
    caller: VarId,
    calls: u64,
}

/// Bits of the number of a call.
const CALL_BITS: u32 = 32;

impl Lowering<'_> {
    /// Whether the present place is in a body that calls share.
    pub(super) fn in_shared(&self) -> bool {
        self.options.share && self.frames.iter().any(|frame| self.facts.is_recursive(frame.function))
    }

    /// Goes through the shared body of a function, whose parameters are set.
    pub(super) fn call_shared(&mut self, function: FunctionId, depth: usize, result: Option<ObjectId>) {
        let mut depths: Vec<(FunctionId, usize)> = self
            .depths
            .iter()
            .filter(|&(&other, &depth)| depth > 0 && self.facts.is_recursive(other))
            .map(|(&other, &depth)| (other, depth))
            .collect();
        depths.sort_unstable_by_key(|(other, _)| other.index());
        let instance = Instance { function, depths };
        let known = self.shared.get(&instance).copied();
        let mut body = known.unwrap_or_else(|| {
            let name = format!("{}::%caller", self.prefix(function, depth));
            let (caller, _) = self.new_variable(&name, &Sort::BitVec(CALL_BITS));
            Body { entry: self.new_location(), exit: None, caller, calls: 0 }
        });
        let number = self.arena.bv(CALL_BITS, body.calls);
        body.calls += 1;
        self.assign(body.caller, number);
        self.goto(body.entry);
        if known.is_none() {
            let span = self.span;
            self.continue_at(body.entry);
            self.body(function, depth, FxHashMap::default(), result);
            // The way back needs a location of its own, with nothing pending.
            let exit = self.new_location();
            body.exit = self.reachable().then_some(exit);
            self.goto(exit);
            self.span = span;
        }
        self.shared.insert(instance, body);
        let Some(exit) = body.exit else {
            self.here = None;
            return;
        };
        let caller = self.variable_term(body.caller);
        let back = self.arena.eq(caller, number);
        let behind = self.new_location();
        self.continue_at(exit);
        self.branch(back, behind);
        self.continue_at(behind);
    }
}
