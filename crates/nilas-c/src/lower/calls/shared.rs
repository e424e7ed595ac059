//! Recursive functions with one body per depth.
//!
//! Inlining a function that calls itself twice makes a body per call, exponentially many in the depth. Here
//! all calls at the same depth share one body: a variable holds the number of the call that is active, and
//! the way out of the body forks over it. The locals of a function exist once per depth anyway.

use crate::index::Id;
use crate::lower::lowering::Lowering;
use crate::lower::memory::object::ObjectId;
use crate::tree::FunctionId;
use nilas_fault::{Fault, planted};
use nilas_program::{LocationId, VarId};
use nilas_term::Sort;
use rustc_hash::FxHashMap;

/// A function, and how often it and the other recursive functions are active: calls inside depend on that.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct Instance {
    function: FunctionId,
    depths: Vec<(FunctionId, usize)>,
}

/// A body that calls share.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Body {
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
    pub(in crate::lower) fn in_shared(&self) -> bool {
        self.options.share && self.calls.frames.iter().any(|frame| self.facts.is_recursive(frame.function))
    }

    /// Goes through the shared body of a function, whose parameters are set.
    pub(in crate::lower) fn call_shared(
        &mut self,
        function: FunctionId,
        depth: usize,
        result: Option<ObjectId>,
    ) {
        let mut depths: Vec<(FunctionId, usize)> = self
            .calls
            .depths
            .iter()
            .filter(|&(&other, &depth)| depth > 0 && self.facts.is_recursive(other))
            .map(|(&other, &depth)| (other, depth))
            .collect();
        depths.sort_unstable_by_key(|(other, _)| other.index());
        let instance = Instance { function, depths };
        let known = self.calls.shared.get(&instance).copied();
        let mut body = known.unwrap_or_else(|| {
            let name = format!("{}::%caller", self.prefix(function, depth));
            let (caller, _) = self.build.new_variable(&name, &Sort::BitVec(CALL_BITS));
            Body { entry: self.build.new_location(), exit: None, caller, calls: 0 }
        });
        let number = self.build.arena.bv(CALL_BITS, body.calls);
        body.calls += 1;
        self.build.assign(body.caller, number);
        self.build.goto(body.entry);
        if known.is_none() {
            let span = self.build.span;
            self.build.continue_at(body.entry);
            self.body(function, depth, FxHashMap::default(), result);
            // The way back needs a location of its own, with nothing pending.
            let exit = self.build.new_location();
            body.exit = self.build.reachable().then_some(exit);
            self.build.goto(exit);
            self.build.span = span;
        }
        self.calls.shared.insert(instance, body);
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
}
