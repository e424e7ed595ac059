//! An automaton as instances walk it that are local to locations: places are locations, ways are edges,
//! targets
//! the edges into sinks.
//!
//! Each edge that matters has a solver of the instance's own kind `S`. Edges outside of what matters have
//! none,
//! are no ways, and are never asked about.

use crate::outcome::Unknown;
use crate::relevant::Relevant;
use crate::sinks::Sinks;
use nilas_program::{Automaton, EdgeId, LocationId};

/// What every such instance knows.
pub(crate) struct Map<'a, S> {
    pub(crate) automaton: &'a Automaton,
    /// For each location, the edges into it that matter.
    pub(crate) incoming: Vec<Vec<EdgeId>>,
    /// For each location, the edges out of it that matter.
    pub(crate) outgoing: Vec<Vec<EdgeId>>,
    /// Solvers of the edges that matter.
    pub(crate) solvers: Vec<Option<S>>,
    /// The sinks that are to be shown unreachable.
    pub(crate) sinks: Sinks,
}

impl<'a, S> Map<'a, S> {
    pub(crate) fn new(
        automaton: &'a Automaton,
        relevant: Relevant,
        solvers: Vec<Option<S>>,
        sinks: Sinks,
    ) -> Self {
        let Relevant { incoming, outgoing, .. } = relevant;
        Map { automaton, incoming, outgoing, solvers, sinks }
    }

    pub(crate) fn places(&self) -> Vec<LocationId> {
        self.automaton.location_ids().collect()
    }

    pub(crate) fn ways(&self, place: LocationId) -> &[EdgeId] {
        &self.incoming[place.index()]
    }

    pub(crate) fn source(&self, way: EdgeId) -> LocationId {
        self.automaton.edge(way).source
    }

    /// The edges into the sinks that are left.
    pub(crate) fn targets(&self) -> Vec<EdgeId> {
        self.sinks.left().iter().flat_map(|sink| self.incoming[sink.index()].iter().copied()).collect()
    }

    /// How a location is called where a lemma is told of.
    pub(crate) fn at(&self, place: LocationId) -> String {
        format!(" at {}", self.automaton.location(place).name)
    }

    /// The solver of an edge that matters.
    pub(crate) fn solver(&mut self, edge: EdgeId) -> Result<&mut S, Unknown> {
        self.solvers[edge.index()]
            .as_mut()
            .ok_or_else(|| Unknown::Internal(format!("{edge:?} was asked about, but cannot matter")))
    }
}
