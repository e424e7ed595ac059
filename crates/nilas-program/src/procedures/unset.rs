//! Which variables of a procedure are looked at before they are set.
//!
//! Variables are *live* at a location if their value there may be read before it is written, in the same
//! activation. Reads count whatever they are for; at the exit the results are read. A callee does not touch
//! its caller's variables, so each procedure is looked at alone. What callees do to global variables counts
//! if their effects are given: then what is live at the entry of a callee is live before its call, and what
//! is live behind a call and may be written by the callee is live at its exit.

use super::Module;
use super::effects::{Effects, Reads};
use crate::command::{Basic, Command};
use crate::ids::{LocationId, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The live variables at each location, global ones included, see the module's text. Without effects, calls
/// count by what their edges mention, not by what callees do.
#[must_use]
pub fn live(module: &Module, effects: Option<&[Effects]>) -> Vec<BTreeSet<VarId>> {
    let automaton = &module.program.automaton;
    let reads = Reads::new(module);
    let variables = |term| {
        let mut found = BTreeSet::new();
        reads.add(term, &mut FxHashSet::default(), &mut found);
        found
    };
    let mut live: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); automaton.locations.len()];
    for procedure in &module.procedures {
        live[procedure.exit.index()].extend(&procedure.results);
    }
    // Before an edge: a function of what is live behind it.
    let before = |command: &Command, behind: &BTreeSet<VarId>| {
        let mut at: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); command.nodes()];
        at[command.end().index()].clone_from(behind);
        for arc in command.arcs().iter().rev() {
            let mut here = at[arc.target.index()].clone();
            match arc.basic {
                Basic::Skip => {}
                Basic::Assume(term) => here.extend(variables(term)),
                Basic::Assign(variable, term) => {
                    here.remove(&variable);
                    here.extend(variables(term));
                }
                Basic::Havoc(variable, _) => {
                    here.remove(&variable);
                }
            }
            at[arc.source.index()].extend(here);
        }
        at.swap_remove(0)
    };
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); automaton.locations.len()];
    let edges = automaton.edges.len();
    for (index, edge) in automaton.edges.iter().enumerate() {
        incoming[edge.target.index()].push(index);
    }
    for (index, call) in module.calls.iter().enumerate() {
        incoming[call.target.index()].push(edges + index);
    }
    let mut work: Vec<LocationId> = automaton.location_ids().collect();
    let mut waiting = vec![true; work.len()];
    while let Some(location) = work.pop() {
        waiting[location.index()] = false;
        if effects.is_some() {
            // Callers see what is live at an entry.
            let calls = module.calls.iter().filter(|it| module.procedure(it.callee).entry == location);
            for target in calls.map(|call| call.target) {
                if !std::mem::replace(&mut waiting[target.index()], true) {
                    work.push(target);
                }
            }
        }
        for &index in &incoming[location.index()] {
            let (source, here) = match index.checked_sub(edges) {
                None => {
                    let edge = &automaton.edges[index];
                    (edge.source, before(&edge.command, &live[location.index()]))
                }
                Some(index) => {
                    let call = &module.calls[index];
                    let mut here = live[location.index()].clone();
                    here.retain(|variable| !call.results.contains(variable));
                    here.extend(call.arguments.iter().flat_map(|&argument| variables(argument)));
                    if let Some(effects) = effects {
                        let callee = module.procedure(call.callee);
                        let at_entry = live[callee.entry.index()].iter().copied();
                        here.extend(at_entry.filter(|&it| module.owner_of(it).is_none()));
                        let written = &effects[call.callee.index()].writes;
                        let behind = live[location.index()].intersection(written).copied();
                        let behind: Vec<VarId> = behind.filter(|it| !call.results.contains(it)).collect();
                        let at_exit = &mut live[callee.exit.index()];
                        let size = at_exit.len();
                        at_exit.extend(behind);
                        if at_exit.len() > size && !std::mem::replace(&mut waiting[callee.exit.index()], true)
                        {
                            work.push(callee.exit);
                        }
                    }
                    (call.source, here)
                }
            };
            let known = &mut live[source.index()];
            let size = known.len();
            known.extend(here);
            if known.len() > size && !std::mem::replace(&mut waiting[source.index()], true) {
                work.push(source);
            }
        }
    }
    live
}

/// Per procedure, its variables that are not parameters and that it looks at before it sets them.
pub(super) fn unset(module: &Module) -> Vec<Vec<VarId>> {
    let live =
        if module.owners.variables.iter().any(Option::is_some) { live(module, None) } else { Vec::new() };
    let of = |index: usize| {
        let procedure = &module.procedures[index];
        let at_entry = live.get(procedure.entry.index());
        let own = at_entry.into_iter().flatten().copied();
        own.filter(|&variable| {
            module.owner_of(variable).is_some_and(|owner| owner.index() == index)
                && !procedure.parameters.contains(&variable)
        })
        .collect()
    };
    (0..module.procedures.len()).map(of).collect()
}
