//! Cut locations and the acyclic regions between them.

use nilas_program::{Automaton, EdgeId, LocationId};
use std::collections::BTreeSet;

/// The part of an automaton that matters (locations on some way from the entry to a sink), its cut locations,
/// and an order of all its locations in which every edge to a location that is not cut goes upwards.
///
/// A location from which no sink can be reached in the graph is left out: an execution that enters it has
/// nothing to fear any more.
pub(crate) struct Cutset {
    cut: Vec<bool>,
    outgoing: Vec<Vec<EdgeId>>,
    order: Vec<LocationId>,
    positions: Vec<usize>,
}

/// A cycle without cut location, by one of its locations.
pub(crate) struct UncutCycle(pub(crate) LocationId);

impl Cutset {
    /// The regions between `cuts` and the entry; an error if some relevant cycle has no cut location.
    pub(crate) fn new(automaton: &Automaton, cuts: &BTreeSet<LocationId>) -> Result<Self, UncutCycle> {
        let relevant = relevant(automaton);
        let mut outgoing = vec![Vec::new(); automaton.locations.len()];
        for id in automaton.edge_ids() {
            let edge = automaton.edge(id);
            if relevant[edge.source.index()] && relevant[edge.target.index()] {
                outgoing[edge.source.index()].push(id);
            }
        }
        let mut cut = vec![false; automaton.locations.len()];
        for location in cuts.iter().chain([&automaton.entry]) {
            cut[location.index()] = true;
        }
        // Kahn's algorithm over the edges whose target is not cut.
        let mut pending = vec![0usize; automaton.locations.len()];
        for &edge in outgoing.iter().flatten() {
            let target = automaton.edge(edge).target;
            if !cut[target.index()] {
                pending[target.index()] += 1;
            }
        }
        let members: Vec<LocationId> =
            automaton.location_ids().filter(|location| relevant[location.index()]).collect();
        let mut order: Vec<LocationId> =
            members.iter().copied().filter(|location| pending[location.index()] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            for &edge in &outgoing[order[next].index()] {
                let target = automaton.edge(edge).target;
                if cut[target.index()] {
                    continue;
                }
                pending[target.index()] -= 1;
                if pending[target.index()] == 0 {
                    order.push(target);
                }
            }
            next += 1;
        }
        if let Some(&location) = members.iter().find(|location| pending[location.index()] > 0) {
            return Err(UncutCycle(location));
        }
        let mut positions = vec![0; automaton.locations.len()];
        for (position, location) in order.iter().enumerate() {
            positions[location.index()] = position;
        }
        Ok(Cutset { cut, outgoing, order, positions })
    }

    pub(crate) fn is_cut(&self, location: LocationId) -> bool {
        self.cut[location.index()]
    }

    /// The cut locations that matter.
    pub(crate) fn cuts(&self) -> Vec<LocationId> {
        self.order.iter().copied().filter(|location| self.is_cut(*location)).collect()
    }

    /// The edges from a location to locations that matter.
    pub(crate) fn outgoing(&self, location: LocationId) -> &[EdgeId] {
        &self.outgoing[location.index()]
    }

    pub(crate) fn position(&self, location: LocationId) -> usize {
        self.positions[location.index()]
    }

    pub(crate) fn at(&self, position: usize) -> LocationId {
        self.order[position]
    }
}

/// The locations on some way in the graph from the entry to a sink.
fn relevant(automaton: &Automaton) -> Vec<bool> {
    let spread = |starts: Vec<LocationId>, forward: bool| {
        let mut neighbours = vec![Vec::new(); automaton.locations.len()];
        for edge in &automaton.edges {
            let (from, to) = if forward { (edge.source, edge.target) } else { (edge.target, edge.source) };
            neighbours[from.index()].push(to);
        }
        let mut reached = vec![false; automaton.locations.len()];
        let mut stack = starts;
        while let Some(location) = stack.pop() {
            if !std::mem::replace(&mut reached[location.index()], true) {
                stack.extend(&neighbours[location.index()]);
            }
        }
        reached
    };
    let from_entry = spread(vec![automaton.entry], true);
    let to_sink = spread(automaton.sinks().collect(), false);
    from_entry.iter().zip(&to_sink).map(|(&from, &to)| from && to).collect()
}
