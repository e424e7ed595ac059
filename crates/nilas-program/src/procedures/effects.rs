//! Which global variables a procedure reads and writes, with everything that it calls.
//!
//! The least solution of: what its own commands, arguments and results mention, and what its callees do.
//! Recursion is no special case.

use super::Module;
use crate::command::Basic;
use crate::ids::{ProcedureId, VarId};
use nilas_term::{Arena, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What a procedure does to global variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Those whose values it may look at.
    pub reads: BTreeSet<VarId>,
    /// Those that it may change.
    pub writes: BTreeSet<VarId>,
}

/// The effects of every procedure; the last ones are those of the main procedure.
#[must_use]
pub fn effects(module: &Module) -> Vec<Effects> {
    let mut all = own_accesses(module);
    for effects in &mut all {
        effects.reads.retain(|&variable| module.owner_of(variable).is_none());
        effects.writes.retain(|&variable| module.owner_of(variable).is_none());
    }
    let callees = module.call_graph();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); module.procedures.len()];
    for (caller, list) in callees.iter().enumerate() {
        for callee in list {
            callers[callee.index()].push(caller);
        }
    }
    let mut work: Vec<ProcedureId> = module.procedure_ids().collect();
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee.index()] {
            if caller == callee.index() {
                continue;
            }
            let below = all[callee.index()].clone();
            let here = &mut all[caller];
            let before = here.reads.len() + here.writes.len();
            here.reads.extend(below.reads);
            here.writes.extend(below.writes);
            if here.reads.len() + here.writes.len() > before && caller < module.procedures.len() {
                work.push(ProcedureId::new(caller));
            }
        }
    }
    all
}

/// The variables, global or not, that the commands and call edges of each procedure mention themselves.
pub(super) fn own_accesses(module: &Module) -> Vec<Effects> {
    let mut all = vec![Effects::default(); module.procedures.len() + 1];
    let main = module.procedures.len();
    let reads = Reads::new(module);
    let mut seen: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); all.len()];
    for edge in &module.program.automaton.edges {
        let owner = module.owner(edge.source).map_or(main, ProcedureId::index);
        for arc in edge.command.arcs() {
            match arc.basic {
                Basic::Skip => {}
                Basic::Assume(term) => reads.add(term, &mut seen[owner], &mut all[owner].reads),
                Basic::Assign(variable, term) => {
                    reads.add(term, &mut seen[owner], &mut all[owner].reads);
                    all[owner].writes.insert(variable);
                }
                Basic::Havoc(variable, _) => {
                    all[owner].writes.insert(variable);
                }
            }
        }
    }
    for call in &module.calls {
        let owner = module.owner(call.source).map_or(main, ProcedureId::index);
        for &argument in &call.arguments {
            reads.add(argument, &mut seen[owner], &mut all[owner].reads);
        }
        all[owner].writes.extend(&call.results);
    }
    all
}

/// The variables of terms.
pub(super) struct Reads<'a> {
    arena: &'a Arena,
    variables: FxHashMap<Term, VarId>,
}

impl<'a> Reads<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        Reads { arena: &module.program.arena, variables: module.program.automaton.variable_index() }
    }

    /// Adds the variables of a term, but for parts that were seen before.
    pub(super) fn add(&self, term: Term, seen: &mut FxHashSet<Term>, into: &mut BTreeSet<VarId>) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                into.extend(self.variables.get(&term));
                stack.extend_from_slice(self.arena.children(term));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_module;

    #[test]
    fn effects_go_up_through_recursion() {
        let text = "var a, b, c : bv8  var r : bool  entry m error e
            proc even(even.n : bv8) returns (even.r : bool) { entry even.in exit even.out
                even.in -> even.out { assume even.n == a; even.r := true }
                even.in -> even.out { even.r := call odd(even.n - 1) } }
            proc odd(odd.n : bv8) returns (odd.r : bool) { entry odd.in exit odd.out
                odd.in -> odd.l { havoc b }  odd.l -> odd.out { odd.r := call even(odd.n) } }
            proc other() { entry o.in exit o.out o.in -> o.out { c := c + 1 } }
            m -> n { r := call even(3) } n -> e";
        let module = parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text)));
        let names = |set: &BTreeSet<VarId>| -> Vec<&str> {
            set.iter().map(|&it| &module.program.automaton.variable(it).name[..]).collect()
        };
        let all = effects(&module);
        let shown: Vec<_> = all.iter().map(|it| (names(&it.reads), names(&it.writes))).collect();
        assert_eq!(shown[0], (vec!["a"], vec!["b"]));
        assert_eq!(shown[1], (vec!["a"], vec!["b"]));
        assert_eq!(shown[2], (vec!["c"], vec!["c"]));
        assert_eq!(shown[3], (vec!["a"], vec!["b", "r"]));
    }
}
