//! Several error locations in one automaton, each a question of its own.
//!
//! The question about a target is that about the automaton in which it is the error, and the other targets
//! are ordinary locations: executions end there, as they have no outgoing edges. So whoever knows one error
//! can answer for several, one after the other.

use crate::automaton::{Automaton, Program};
use crate::ids::LocationId;

/// A program with several targets.
///
/// Invariants, checked by [`crate::wellformed::check_targets`]: there is at least one, none occurs twice, the
/// first one is the automaton's error, none is the entry or unmodelled, and none has an outgoing edge.
#[derive(Clone, Debug)]
pub struct Targets {
    /// The program, with the first target as its error.
    pub program: Program,
    /// The targets, in the order of the text.
    pub targets: Vec<LocationId>,
}

impl Targets {
    /// The program with its error as the only target.
    #[must_use]
    pub fn one(program: Program) -> Self {
        let targets = vec![program.automaton.error];
        Targets { program, targets }
    }

    /// The question about one target.
    #[must_use]
    pub fn about(&self, target: LocationId) -> Program {
        let Program { arena, automaton } = &self.program;
        let automaton = Automaton { error: target, ..automaton.clone() };
        Program { arena: arena.clone(), automaton }
    }

    /// The question about several targets at once: all of them are the error, which is the first one.
    #[must_use]
    pub fn about_all(&self, group: &[LocationId]) -> Program {
        let Some(&first) = group.first() else { return self.program.clone() };
        let mut program = self.about(first);
        for edge in &mut program.automaton.edges {
            if group.contains(&edge.target) {
                edge.target = first;
            }
        }
        program
    }

    /// The name of a target.
    #[must_use]
    pub fn name(&self, target: LocationId) -> &str {
        &self.program.automaton.location(target).name
    }
}
