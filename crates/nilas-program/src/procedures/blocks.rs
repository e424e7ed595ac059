//! Large blocks of procedures: loop-free pieces between calls become single edges.
//!
//! Cut locations are the entries and exits of procedures, both ends of calls, loop heads and sinks. The graph
//! in which heads and what matters are looked for has the calls in it: from the caller into its callee, from
//! there back, and past it. What no execution can pass on its way to a sink disappears.

use super::{Call, Module, Owners, Procedure};
use crate::automaton::{Edge, Location, Program};
use crate::command::Command;
use crate::graph::Graph;
use crate::ids::{EdgeId, LocationId};
use crate::passes::fold_blocks;
use crate::source::Span;
use nilas_term::{Budget, Interrupt};
use std::collections::BTreeSet;

/// A module of large blocks, and the way back.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The module. Variables, `havoc`s, procedures and calls have their old numbers; arcs know where they
    /// come from ([`crate::Arc::origin`]).
    pub module: Module,
    /// Per location: which one it was.
    pub locations: Vec<LocationId>,
    /// Per location: whether an execution can come to it, as far as the graph tells, and whether it can on
    /// its way to a sink. Edges between those that it cannot are gone.
    pub reachable: Vec<bool>,
    /// See [`Blocks::reachable`].
    pub relevant: Vec<bool>,
    /// Per call: whether an execution can come to it on its way to a sink.
    pub matters: Vec<bool>,
}

impl Blocks {
    /// The edges, with the arcs inside, that a way over arcs of a block is made of.
    #[must_use]
    pub fn path(&self, edge: EdgeId, arcs: &[crate::ArcId]) -> Vec<(EdgeId, Vec<crate::ArcId>)> {
        let command = &self.module.program.automaton.edge(edge).command;
        let mut path: Vec<(EdgeId, Vec<crate::ArcId>)> = Vec::new();
        for &arc in arcs {
            let Some(origin) = command.arc(arc).origin else { continue };
            // An edge begins where its command does: the same edge twice is never without one between.
            match path.last_mut() {
                Some((last, taken)) if *last == origin.edge => taken.extend(origin.arc),
                _ => path.push((origin.edge, origin.arc.into_iter().collect())),
            }
        }
        path
    }
}

/// Folds the loop-free pieces of a module.
///
/// # Errors
/// When the budget has ended.
pub fn blocks(module: &Module, budget: &Budget) -> Result<Blocks, Interrupt> {
    let old = &module.program.automaton;
    let mut with_calls = old.clone();
    let skip = |source, target| Edge { source, target, command: Command::skip(), span: Span::default() };
    let mut cuts: BTreeSet<LocationId> =
        module.procedures.iter().flat_map(|procedure| [procedure.entry, procedure.exit]).collect();
    cuts.extend(module.targets.iter().copied());
    // A location for each call, so that it is never folded together with an edge beside it.
    let mut between = Vec::new();
    for call in &module.calls {
        let Procedure { entry, exit, .. } = *module.procedure(call.callee);
        let here = LocationId::new(with_calls.locations.len());
        with_calls.locations.push(Location { name: String::new(), span: Span::default() });
        with_calls.edges.extend([
            skip(call.source, here),
            skip(here, call.target),
            skip(here, entry),
            skip(exit, here),
        ]);
        cuts.extend([call.source, call.target, here]);
        between.push(here);
    }
    let graph = Graph::new(&with_calls);
    let relevant = graph.relevant(&with_calls);
    cuts.extend(graph.loop_heads(old.entry, |location| relevant.contains(location)));
    let cuts: Vec<LocationId> = cuts.into_iter().collect();
    let (mut automaton, mut kept) = fold_blocks(&with_calls, &cuts, budget)?;
    // The locations of calls are the last ones.
    let count = kept.iter().filter(|location| location.index() < old.locations.len()).count();
    kept.truncate(count);
    automaton.locations.truncate(count);
    automaton.edges.retain(|edge| edge.source.index() < count && edge.target.index() < count);
    let place = |location: LocationId| match kept.binary_search(&location) {
        Ok(index) => LocationId::new(index),
        Err(_) => unreachable!("ends of calls and procedures are cuts"),
    };
    let matters: Vec<bool> = between.iter().map(|&here| relevant.contains(here)).collect();
    let calls = module.calls.iter().map(|call| Call {
        source: place(call.source),
        target: place(call.target),
        ..call.clone()
    });
    let procedures = module.procedures.iter().map(|procedure| Procedure {
        entry: place(procedure.entry),
        exit: place(procedure.exit),
        ..procedure.clone()
    });
    let owners = Owners {
        variables: module.owners.variables.clone(),
        locations: kept.iter().map(|&location| module.owner(location)).collect(),
    };
    let folded = Module {
        targets: module.targets.iter().map(|&target| place(target)).collect(),
        procedures: procedures.collect(),
        calls: calls.collect(),
        owners,
        program: Program { arena: module.program.arena.clone(), automaton },
    };
    let reached = graph.reachable([old.entry]);
    let reachable = kept.iter().map(|&location| reached.contains(location)).collect();
    let relevant = kept.iter().map(|&location| relevant.contains(location)).collect();
    Ok(Blocks { module: folded, locations: kept, reachable, relevant, matters })
}
