//! The part of an automaton that matters: what lies between the entry and the sinks.
//!
//! An edge matters if both its ends do; engines look at no other.

use nilas_program::{Automaton, EdgeId, Graph, LocationId, LocationSet};

/// What matters of an automaton.
pub(crate) struct Relevant {
    locations: LocationSet,
    /// For each location, the edges into it that matter.
    pub(crate) incoming: Vec<Vec<EdgeId>>,
    /// For each location, the edges out of it that matter.
    pub(crate) outgoing: Vec<Vec<EdgeId>>,
}

impl Relevant {
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let locations = Graph::new(automaton).relevant(automaton);
        let mut incoming = vec![Vec::new(); automaton.locations.len()];
        let mut outgoing = incoming.clone();
        for id in automaton.edge_ids() {
            let edge = automaton.edge(id);
            if locations.contains(edge.source) && locations.contains(edge.target) {
                incoming[edge.target.index()].push(id);
                outgoing[edge.source.index()].push(id);
            }
        }
        Relevant { locations, incoming, outgoing }
    }

    pub(crate) fn contains(&self, location: LocationId) -> bool {
        self.locations.contains(location)
    }

    /// Something for every edge that matters, by the edge's number, unless one cannot be made.
    pub(crate) fn try_edges<T, E>(
        &self,
        automaton: &Automaton,
        mut make: impl FnMut(EdgeId) -> Result<T, E>,
    ) -> Result<Vec<Option<T>>, E> {
        let matters = |id: EdgeId| {
            let edge = automaton.edge(id);
            self.contains(edge.source) && self.contains(edge.target)
        };
        automaton.edge_ids().map(|id| matters(id).then(|| make(id)).transpose()).collect()
    }
}
