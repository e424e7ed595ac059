//! Memory that is not freed when the program ends, where somebody asks about it.
//!
//! Every call that allocates counts the objects that it made and that were not freed. When the program ends by
//! `exit` or by leaving `main`, all counts are zero. What ends it otherwise (`abort`, `_exit`) is no such end.

use crate::lower::lowering::Lowering;
use crate::property::{Claim, Property};
use crate::tree::ExprId;
use nilas_program::VarId;
use nilas_term::{Sort, Term};

const LEAK: Claim = Claim::new(Property::Leak, "the program ends, and memory is not freed");
/// Bits of a count.
const BITS: u32 = 32;

impl Lowering<'_> {
    /// The count of a call that allocates.
    fn living_of(&mut self, call: ExprId) -> VarId {
        if let Some(&count) = self.memory.living.get(&call) {
            return count;
        }
        let line = self.tree.sources.locate(self.tree.exprs[call].span).line;
        let (count, _) = self.build.new_variable(&format!("heap@{line}.%living"), &Sort::BitVec(BITS));
        self.memory.living.insert(call, count);
        count
    }

    /// A call makes an object.
    pub(in crate::lower) fn count_allocation(&mut self, call: ExprId) {
        if !self.asks_leaks() || self.is_call_on_stack(call) {
            return;
        }
        let count = self.living_of(call);
        let one = self.build.arena.bv(BITS, 1);
        let more = self.build.arena.bv_add(self.build.variable_term(count), one);
        self.build.assign(count, more);
    }

    /// An object of a call is freed where the pointer hits it.
    pub(in crate::lower) fn count_free(&mut self, call: ExprId, hit: Term, updates: &mut Vec<(VarId, Term)>) {
        if !self.asks_leaks() {
            return;
        }
        let count = self.living_of(call);
        let before = updates.iter().find(|(variable, _)| *variable == count).map(|(_, value)| *value);
        let before = before.unwrap_or_else(|| self.build.variable_term(count));
        let one = self.build.arena.bv(BITS, 1);
        let fewer = self.build.arena.bv_sub(before, one);
        let value = self.build.arena.ite(hit, fewer, before);
        updates.retain(|(variable, _)| *variable != count);
        updates.push((count, value));
    }

    /// Whether leaks are asked about, also in functions of the library.
    pub(in crate::lower) fn asks_leaks(&self) -> bool {
        self.options.properties.contains(Property::Leak)
    }

    /// The program ends: looked at when all objects are known.
    pub(in crate::lower) fn ends(&mut self) {
        if self.asks_leaks() && self.build.reachable() {
            // No edge leads out of a procedure.
            let inside = self.build.inside();
            let end = match self.memory.ends.get(&inside) {
                Some(&end) => end,
                None => self.build.new_location(),
            };
            self.memory.ends.insert(inside, end);
            self.build.goto(end);
        }
    }

    /// All ends of the program: nothing is left.
    pub(in crate::lower) fn check_leaks(&mut self) {
        let counts: Vec<(ExprId, VarId)> = self.memory.living.iter().map(|(&call, &it)| (call, it)).collect();
        let zero = self.build.arena.bv(BITS, 0);
        self.build.blamed = None;
        for (inside, end) in std::mem::take(&mut self.memory.ends) {
            self.build.go_on_inside(inside);
            self.build.continue_at(end);
            for &(call, count) in &counts {
                self.build.span = self.tree.exprs[call].span;
                let none = self.build.arena.eq(self.build.variable_term(count), zero);
                self.build.defined(none, LEAK);
            }
            self.build.stop();
        }
        self.build.go_on_inside(None);
    }

    /// Nothing is allocated at first.
    pub(in crate::lower) fn initialise_living(&mut self) {
        let counts: Vec<VarId> = self.memory.living.values().copied().collect();
        for count in counts {
            let zero = self.build.arena.bv(BITS, 0);
            self.build.assign(count, zero);
        }
    }
}
