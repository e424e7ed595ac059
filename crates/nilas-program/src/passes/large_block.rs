//! Large-block encoding: loop-free pieces become single edges.
//!
//! Cut locations are the entry, loop heads and the sinks. For every two cuts there is one edge whose
//! command is the flow graph of all paths between them over no other cut: old edges side by side as they
//! stand, nothing repeated, so commands grow linearly. Locations that cannot be got to, or from which no sink
//! can be got to, play no part in any proof or execution and disappear with their edges.

use crate::automaton::{Automaton, Edge, Program};
use crate::command::{Arc, Basic, Command, Origin};
use crate::graph::{Graph, LocationSet};
use crate::ids::{EdgeId, LocationId, NodeId};
use crate::passes::{BackMap, EdgeMap};
use nilas_fault::{Fault, planted};
use nilas_term::{Budget, Interrupt};
use rustc_hash::FxHashSet;

/// The program with its loop-free pieces folded into edges.
#[must_use]
pub fn large_blocks(program: &Program) -> (Program, BackMap) {
    match large_blocks_within(program, &Budget::unlimited()) {
        Ok(folded) => folded,
        Err(_) => unreachable!("a budget without limit does not end"),
    }
}

/// The same within a budget.
///
/// # Errors
/// When the budget has ended.
pub fn large_blocks_within(program: &Program, budget: &Budget) -> Result<(Program, BackMap), Interrupt> {
    let old = &program.automaton;
    let graph = Graph::new(old);
    let relevant = graph.relevant(old);
    let heads = graph.loop_heads(old.entry, |location| relevant.contains(location));
    let (automaton, kept) = fold_blocks(old, &heads, budget)?;
    let maps = automaton.edges.iter().map(|edge| EdgeMap {
        arcs: edge.command.arcs().iter().map(|arc| arc.origin.into_iter().collect()).collect(),
    });
    let back = BackMap::new(kept, maps.collect());
    Ok((Program { arena: program.arena.clone(), automaton }, back))
}

/// The automaton with edges between the given locations, the entry and the sinks only, and the old locations
/// of its locations. The given ones must cut every cycle between entry and sinks.
pub(crate) fn fold_blocks(
    old: &Automaton,
    cuts: &[LocationId],
    budget: &Budget,
) -> Result<(Automaton, Vec<LocationId>), Interrupt> {
    let blocks = Blocks::new(old, cuts);
    // Cuts keep their order; error, unmodelled and entry stay even if nothing leads there.
    let kept: Vec<LocationId> = old.location_ids().filter(|&location| blocks.is_cut(location)).collect();
    let place = |location: LocationId| kept.binary_search(&location).map(LocationId::new);
    let mut edges = Vec::new();
    for &source in &kept {
        for (target, command, span) in blocks.from(source, budget)? {
            if let (Ok(source), Ok(target)) = (place(source), place(target)) {
                edges.push(Edge { source, target, command, span });
            }
        }
    }
    let new_id = |location| place(location).unwrap_or_else(|_| unreachable!("entry and sinks are cuts"));
    let automaton = Automaton {
        name: old.name.clone(),
        variables: old.variables.clone(),
        locations: kept.iter().map(|&location| old.location(location).clone()).collect(),
        havocs: old.havocs.clone(),
        entry: new_id(old.entry),
        error: new_id(old.error),
        unmodelled: old.unmodelled.map(new_id),
        edges,
    };
    Ok((automaton, kept))
}

/// Where it leads, what it does, and where it begins.
type Block = (LocationId, Command, crate::Span);

struct Blocks<'a> {
    automaton: &'a Automaton,
    graph: Graph,
    /// On a way from the entry to a sink.
    relevant: LocationSet,
    cuts: FxHashSet<LocationId>,
}

impl<'a> Blocks<'a> {
    fn new(automaton: &'a Automaton, heads: &[LocationId]) -> Self {
        let graph = Graph::new(automaton);
        let relevant = graph.relevant(automaton);
        let mut cuts: FxHashSet<LocationId> = automaton.sinks().collect();
        cuts.insert(automaton.entry);
        cuts.extend(heads);
        Blocks { automaton, graph, relevant, cuts }
    }

    fn is_cut(&self, location: LocationId) -> bool {
        self.cuts.contains(&location)
    }

    /// The blocks that start at a cut, by target.
    fn from(&self, source: LocationId, budget: &Budget) -> Result<Vec<Block>, Interrupt> {
        if !self.relevant.contains(source) {
            return Ok(Vec::new());
        }
        let inner = |location: LocationId| self.relevant.contains(location) && !self.is_cut(location);
        let first: Vec<LocationId> = self.graph.successors(source).collect();
        // Without the cuts no cycle is left that can be got to.
        let Some(order) = self.graph.topological_order(&first, inner) else {
            unreachable!("every cycle has a cut");
        };
        let mut targets: Vec<LocationId> = std::iter::once(source)
            .chain(order.iter().copied())
            .flat_map(|location| self.graph.successors(location))
            .filter(|&target| self.is_cut(target) && self.relevant.contains(target))
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let mut blocks = Vec::with_capacity(targets.len());
        for target in targets {
            budget.exhausted().map_or(Ok(()), Err)?;
            blocks.push(self.block(source, &order, target));
        }
        Ok(blocks)
    }

    /// All paths from `source` to `target` over the locations `order`, which are sorted topologically.
    fn block(&self, source: LocationId, order: &[LocationId], target: LocationId) -> Block {
        // The inner locations from which the target can be got to, last first.
        let mut leads: FxHashSet<LocationId> = FxHashSet::default();
        for &location in order.iter().rev() {
            if self.graph.successors(location).any(|next| next == target || leads.contains(&next)) {
                leads.insert(location);
            }
        }
        // A location, then the nodes inside the commands that leave it, then the next location: topological.
        // The target comes last; it may be the source once more.
        let chain: Vec<LocationId> = std::iter::once(source)
            .chain(order.iter().copied().filter(|location| leads.contains(location)))
            .collect();
        let leaving = |location: LocationId| {
            let edges = self.graph.outgoing(location).iter().copied();
            edges.filter(|&edge| {
                let next = self.automaton.edge(edge).target;
                next == target || leads.contains(&next)
            })
        };
        let mut nodes = 0;
        let mut place: rustc_hash::FxHashMap<LocationId, usize> = rustc_hash::FxHashMap::default();
        let mut inner_start: Vec<(EdgeId, usize)> = Vec::new();
        for (index, &location) in chain.iter().enumerate() {
            // The source may come again as the target, so it is not looked up by name.
            if index > 0 {
                place.insert(location, nodes);
            }
            nodes += 1;
            let mut seen: FxHashSet<LocationId> = FxHashSet::default();
            for edge in leaving(location) {
                if planted(Fault::BlockOneEdge) && !seen.insert(self.automaton.edge(edge).target) {
                    continue;
                }
                inner_start.push((edge, nodes));
                nodes += self.automaton.edge(edge).command.nodes().saturating_sub(2);
            }
        }
        let end = nodes;
        let mut arcs = Vec::new();
        for (id, first_inner) in inner_start {
            let edge = self.automaton.edge(id);
            let from = place.get(&edge.source).copied().unwrap_or(0);
            let to = if edge.target == target { end } else { place[&edge.target] };
            push_command(&mut arcs, id, edge, from, first_inner, to);
        }
        let span = arcs.first().map_or_else(crate::Span::default, |arc: &Arc| arc.span);
        let Some(command) = Command::from_arcs(end + 1, arcs) else {
            unreachable!("nodes are numbered topologically and lie on paths to the target");
        };
        (target, command, span)
    }
}

/// Puts the arcs of an edge between two nodes, its inner nodes from `first_inner` on.
fn push_command(arcs: &mut Vec<Arc>, id: EdgeId, edge: &Edge, from: usize, first_inner: usize, to: usize) {
    let command = &edge.command;
    if command.arcs().is_empty() {
        let (source, target) = (NodeId::new(from), NodeId::new(to));
        let origin = Some(Origin { edge: id, arc: None });
        arcs.push(Arc { source, target, basic: Basic::Skip, span: edge.span, origin });
        return;
    }
    let place = |node: NodeId| {
        if node == command.start() {
            NodeId::new(from)
        } else if node == command.end() {
            NodeId::new(to)
        } else {
            NodeId::new(first_inner + node.index() - 1)
        }
    };
    for (arc_id, arc) in command.arc_ids() {
        let (source, target) = (place(arc.source), place(arc.target));
        let origin = Some(Origin { edge: id, arc: Some(arc_id) });
        arcs.push(Arc { source, target, origin, ..arc.clone() });
    }
}
