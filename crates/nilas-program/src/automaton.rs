//! The control-flow automaton (§2.3 of the generalisation thesis).
//!
//! Invariants, checked by [`crate::wellformed`]: the entry has no incoming edge; error and unmodelled
//! have no outgoing edge; all three differ; commands are well-sorted and mention declared variables only.

use crate::command::Command;
use crate::ids::{EdgeId, HavocSite, LocationId, VarId};
use crate::source::Span;
use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashMap;

/// A program variable. It holds any value at the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source text.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The variable as a term.
    pub term: Term,
    /// Where it is declared.
    pub span: Span,
}

/// A program location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its name, unique.
    pub name: String,
    /// Where it stands in the source text.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it leads.
    pub target: LocationId,
    /// What happens on the way.
    pub command: Command,
    /// Where it stands in the source text.
    pub span: Span,
}

/// A `havoc` of the program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havoc {
    /// The variable.
    pub variable: VarId,
    /// Where it stands in the source text.
    pub span: Span,
}

/// A control-flow automaton, see the module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// A name for people.
    pub name: String,
    /// Variables.
    pub variables: Vec<Variable>,
    /// Locations.
    pub locations: Vec<Location>,
    /// Edges. Several may join the same two locations.
    pub edges: Vec<Edge>,
    /// All `havoc`s.
    pub havocs: Vec<Havoc>,
    /// Where executions start.
    pub entry: LocationId,
    /// What must not be reached.
    pub error: LocationId,
    /// Where executions end that leave what is modelled, if there are any.
    pub unmodelled: Option<LocationId>,
}

/// An automaton with the arena of its terms.
#[derive(Clone, Debug)]
pub struct Program {
    /// Owner of the automaton's terms.
    pub arena: Arena,
    /// The automaton.
    pub automaton: Automaton,
}

impl Automaton {
    /// A location.
    #[must_use]
    pub fn location(&self, location: LocationId) -> &Location {
        &self.locations[location.index()]
    }

    /// An edge.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// A variable.
    #[must_use]
    pub fn variable(&self, variable: VarId) -> &Variable {
        &self.variables[variable.index()]
    }

    /// A havoc.
    #[must_use]
    pub fn havoc(&self, site: HavocSite) -> &Havoc {
        &self.havocs[site.index()]
    }

    /// All locations.
    pub fn location_ids(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.locations.len()).map(LocationId::new)
    }

    /// All edges.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::new)
    }

    /// All variables.
    pub fn variable_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len()).map(VarId::new)
    }

    /// The variables by their terms.
    #[must_use]
    pub fn variable_index(&self) -> FxHashMap<Term, VarId> {
        self.variable_ids().map(|variable| (self.variable(variable).term, variable)).collect()
    }

    /// Error and unmodelled: where executions must not get to.
    pub fn sinks(&self) -> impl Iterator<Item = LocationId> + use<> {
        std::iter::once(self.error).chain(self.unmodelled)
    }

    /// Whether it is one of the [`Automaton::sinks`].
    #[must_use]
    pub fn is_sink(&self, location: LocationId) -> bool {
        location == self.error || Some(location) == self.unmodelled
    }
}
