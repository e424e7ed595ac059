//! The one solver that knows the frames.
//!
//! It has the initial formula under the activation of level 0, the lemmas of each level under that level's
//! activation, and the constraint of the relation under one of its own: whether a state is bad is asked
//! without it, since a bad state need not have a successor. Next-state variables of updated variables do not
//! exist: a literal is asked about the next state as its weakest precondition.

use crate::pdr::{FrameSolver, Level, Reachability};
use nilas_program::TransitionSystem;
use nilas_smt::{Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term, Value};

/// Asks about frames and steps from them.
pub(super) struct RelationSolver {
    frame: FrameSolver,
}

impl RelationSolver {
    /// With a solver that has nothing asserted.
    pub(super) fn new(arena: &Arena, system: &TransitionSystem, mut solver: Box<dyn Solver>) -> Self {
        let step = solver.activation();
        let mut frame = FrameSolver::new(solver);
        let initial = frame.activation(Level(0));
        frame.solver.assert_under(arena, step, system.constraint);
        frame.solver.assert_under(arena, initial, system.initial);
        frame.relation.push(step);
        RelationSolver { frame }
    }

    /// Adds a lemma at a level.
    pub(super) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        self.frame.add_lemma(arena, level, clause);
    }

    /// Does a state of the frame satisfy the formula? The solver then has a model.
    pub(super) fn meets(
        &mut self,
        arena: &Arena,
        level: Level,
        formula: Term,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        self.frame.meets(arena, level, &[formula], budget)
    }

    /// Can the literals of a cube, which are `preconditions` before the step, hold together after a step from
    /// a state of the frame that is not in the cube?
    pub(super) fn reachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        cube: &Cube,
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        self.frame.reachable(arena, level, Some(cube), cube, preconditions, budget)
    }

    /// After a model was found: the values of these variables.
    pub(super) fn values(&mut self, arena: &Arena, variables: &[Term]) -> Result<Vec<(Term, Value)>, Reason> {
        variables.iter().map(|&variable| Ok((variable, self.frame.solver.value(arena, variable)?))).collect()
    }

    /// The solver with its model.
    pub(super) fn model(&mut self) -> &mut dyn Solver {
        &mut *self.frame.solver
    }

    pub(super) fn stats(&self) -> SolverStats {
        self.frame.stats()
    }
}
