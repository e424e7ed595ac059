//! The form that passes work on: one graph of basic commands for the whole automaton.
//!
//! Nodes are the old automaton's locations, under their ids, and after them the inner nodes of its commands.
//! Each arc knows the way through the old automaton that it stands for. Passes remove and redirect arcs;
//! nodes keep their ids and get a [`Fate`] when they disappear. The *anchors* are the entry, the sinks and
//! one location of every cycle, chosen at the start: passes neither merge nor absorb them, so there is always
//! a location at which a formula of an invariant can stand.

use crate::automaton::{Automaton, Program};
use crate::command::{Basic, Origin};
use crate::graph::{Graph, LocationSet};
use crate::ids::{EdgeId, LocationId, NodeId, VarId};
use crate::source::Span;
use nilas_term::{Arena, Budget, Interrupt, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A basic command between two nodes.
#[derive(Clone, Debug)]
pub(crate) struct FlowArc {
    pub(crate) source: LocationId,
    pub(crate) target: LocationId,
    pub(crate) basic: Basic,
    pub(crate) span: Span,
    /// The arcs of the old automaton that it stands for, in the order in which they are taken. Where several
    /// ways have become one, none.
    pub(crate) origins: Vec<Origin>,
}

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is on a way from the entry to a sink.
    Live,
    /// No execution gets there.
    Dead,
    /// Executions that get there get to no sink any more.
    Harmless,
    /// Its arcs are part of longer ones.
    Absorbed,
}

/// The program under work.
pub(crate) struct Flow<'a> {
    /// The automaton before all passes.
    pub(crate) old: &'a Automaton,
    pub(crate) arena: Arena,
    pub(crate) arcs: Vec<FlowArc>,
    pub(crate) fates: Vec<Fate>,
    /// What holds at anchors whenever executions of the old automaton get there.
    pub(crate) facts: BTreeMap<LocationId, Vec<Term>>,
    anchors: Vec<bool>,
    variables: FxHashMap<Term, VarId>,
    uses: FxHashMap<Term, Rc<[VarId]>>,
    budget: Budget,
}

impl<'a> Flow<'a> {
    /// The graph of a program, for tests.
    #[cfg(test)]
    pub(crate) fn new(program: &'a Program) -> Self {
        Flow::within(program, &Budget::unlimited())
    }

    /// The graph of a program, reduced to what lies between entry and sinks. Work on it ends with the budget.
    pub(crate) fn within(program: &'a Program, budget: &Budget) -> Self {
        let old = &program.automaton;
        let mut nodes = old.locations.len();
        let mut arcs = Vec::new();
        for id in old.edge_ids() {
            let edge = old.edge(id);
            let command = &edge.command;
            if command.arcs().is_empty() {
                let origins = vec![Origin { edge: id, arc: None }];
                let (source, target) = (edge.source, edge.target);
                arcs.push(FlowArc { source, target, basic: Basic::Skip, span: edge.span, origins });
                continue;
            }
            let inner = nodes;
            nodes += command.nodes() - 2;
            let place = |node: NodeId| match node {
                node if node == command.start() => edge.source,
                node if node == command.end() => edge.target,
                node => LocationId::new(inner + node.index() - 1),
            };
            for (arc_id, arc) in command.arc_ids() {
                let origins = vec![Origin { edge: id, arc: Some(arc_id) }];
                let (source, target) = (place(arc.source), place(arc.target));
                arcs.push(FlowArc { source, target, basic: arc.basic, span: arc.span, origins });
            }
        }
        let mut flow = Flow {
            old,
            arena: program.arena.clone(),
            arcs,
            fates: vec![Fate::Live; nodes],
            facts: BTreeMap::new(),
            anchors: vec![false; nodes],
            variables: old.variable_index(),
            uses: FxHashMap::default(),
            budget: budget.clone(),
        };
        let graph = flow.graph();
        // Inner nodes of commands are entered through the command's start only, so back edges lead to
        // locations.
        let heads = graph.loop_heads(old.entry, |_| true);
        for anchor in heads.into_iter().chain(old.sinks()).chain([old.entry]) {
            flow.anchors[anchor.index()] = true;
        }
        flow.prune(Fate::Dead);
        flow
    }

    /// Whether work may go on. What a pass has begun when it may not is thrown away with the graph.
    pub(crate) fn poll(&self) -> Result<(), Interrupt> {
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    pub(crate) fn graph(&self) -> Graph {
        Graph::of_edges(self.fates.len(), self.arcs.iter().map(|arc| (arc.source, arc.target)))
    }

    /// The arc that has an edge's number in [`Flow::graph`].
    pub(crate) fn arc(&self, edge: EdgeId) -> &FlowArc {
        &self.arcs[edge.index()]
    }

    pub(crate) fn is_anchor(&self, node: LocationId) -> bool {
        self.anchors[node.index()]
    }

    pub(crate) fn is_live(&self, node: LocationId) -> bool {
        self.fates[node.index()] == Fate::Live
    }

    pub(crate) fn anchors(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.old.location_ids().filter(|&location| self.is_anchor(location))
    }

    /// Removes what does not lie on a way from the entry to a sink. Nodes that cannot be got to any more meet
    /// the given fate.
    pub(crate) fn prune(&mut self, lost: Fate) {
        let graph = self.graph();
        let reachable = graph.reachable([self.old.entry]);
        let useful = graph.co_reachable(self.old.sinks());
        for (index, fate) in self.fates.iter_mut().enumerate().filter(|(_, fate)| **fate == Fate::Live) {
            let node = LocationId::new(index);
            if !reachable.contains(node) {
                *fate = lost;
            } else if !useful.contains(node) {
                *fate = Fate::Harmless;
            }
        }
        let keeps = |set: &LocationSet, arc: &FlowArc| set.contains(arc.source) && set.contains(arc.target);
        self.arcs.retain(|arc| keeps(&reachable, arc) && keeps(&useful, arc));
    }

    /// The variables of a term.
    pub(crate) fn uses(&mut self, term: Term) -> Rc<[VarId]> {
        if let Some(found) = self.uses.get(&term) {
            return Rc::clone(found);
        }
        let free = self.arena.free_variables(term);
        let found: Rc<[VarId]> =
            free.iter().filter_map(|variable| self.variables.get(variable).copied()).collect();
        self.uses.insert(term, Rc::clone(&found));
        found
    }

    /// The variable that a term is, if it is one.
    pub(crate) fn variable(&self, term: Term) -> Option<VarId> {
        self.variables.get(&term).copied()
    }

    /// How many nodes, arcs and variables there are.
    pub(crate) fn size(&mut self) -> (usize, usize, usize) {
        let mut variables: FxHashSet<VarId> = FxHashSet::default();
        for index in 0..self.arcs.len() {
            match self.arcs[index].basic {
                Basic::Skip => {}
                Basic::Assume(term) => variables.extend(self.uses(term).iter()),
                Basic::Assign(variable, term) => {
                    variables.insert(variable);
                    variables.extend(self.uses(term).iter());
                }
                Basic::Havoc(variable, _) => {
                    variables.insert(variable);
                }
            }
        }
        let live = self.fates.iter().filter(|fate| **fate == Fate::Live).count();
        (live, self.arcs.len(), variables.len())
    }
}
