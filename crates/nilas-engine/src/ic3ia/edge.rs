//! One edge with its solver: the guard of its command holds for ever, and the lemmas of its source as
//! [`FrameSolver`] has them. A literal behind the edge is asked in the form of its weakest precondition.

use crate::pdr::FrameSolver;
use crate::transition::Transition;
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Budget, Interrupt, Solver};
use nilas_term::Arena;

/// An edge and its long-lived solver.
pub(super) struct EdgeSolver {
    pub(super) is_loop: bool,
    pub(super) transition: Transition,
    pub(super) frame: FrameSolver,
}

impl EdgeSolver {
    /// An edge with a solver that has nothing asserted yet.
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        mut solver: Box<dyn Solver>,
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let transition = Transition::new(arena, automaton, id, budget)?;
        solver.assert(arena, transition.encoding.guard);
        let edge = automaton.edge(id);
        Ok(EdgeSolver { is_loop: edge.source == edge.target, transition, frame: FrameSolver::new(solver) })
    }
}
