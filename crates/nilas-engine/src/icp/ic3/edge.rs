//! One edge with its solvers: one knows guard and frames, one knows nothing and generalises what leads on.

use crate::pdr::FrameSolver;
use crate::transition::Transition;
use nilas_icp::{Icp, Options};
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Budget, Interrupt, Solver};
use nilas_term::Arena;

/// An edge and its long-lived solvers.
pub(super) struct EdgeSolver {
    pub(super) is_loop: bool,
    pub(super) transition: Transition,
    pub(super) frame: FrameSolver<Icp>,
    /// Taken while it is at work.
    pub(super) lifter: Option<Icp>,
}

impl EdgeSolver {
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let transition = Transition::new(arena, automaton, id, budget)?;
        let mut solver = Box::<Icp>::default();
        solver.assert(arena, transition.encoding.guard);
        let edge = automaton.edge(id);
        Ok(EdgeSolver {
            is_loop: edge.source == edge.target,
            transition,
            frame: FrameSolver::new(solver),
            lifter: Some(lifter()),
        })
    }
}

/// A solver for what leads on. All inputs have values there: bounds decide it, or nothing should.
pub(super) fn lifter() -> Icp {
    Icp::new(Options { hand_over: false, ..Options::default() })
}
