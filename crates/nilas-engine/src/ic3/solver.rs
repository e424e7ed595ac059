//! The one solver that knows the frames.
//!
//! It has the initial formula under the activation of level 0, the lemmas of each level under that level's
//! activation, and the constraint of the relation under one of its own: whether a state is bad is asked
//! without it, since a bad state need not have a successor. Next-state variables of updated variables do not
//! exist: a literal is asked about the next state as its weakest precondition.

use crate::level::Level;
use nilas_program::TransitionSystem;
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term, Value};

/// Asks about frames and steps from them.
pub(super) struct FrameSolver {
    solver: Box<dyn Solver>,
    step: Activation,
    levels: Vec<Activation>,
    /// The temporary clause of the last question. It goes before the next one, not sooner: the model may
    /// still be read.
    temporary: Option<Activation>,
}

impl FrameSolver {
    /// With a solver that has nothing asserted.
    pub(super) fn new(arena: &Arena, system: &TransitionSystem, mut solver: Box<dyn Solver>) -> Self {
        let (step, initial) = (solver.activation(), solver.activation());
        solver.assert_under(arena, step, system.constraint);
        solver.assert_under(arena, initial, system.initial);
        FrameSolver { solver, step, levels: vec![initial], temporary: None }
    }

    fn activation(&mut self, level: Level) -> Activation {
        while self.levels.len() <= level.index() {
            self.levels.push(self.solver.activation());
        }
        self.levels[level.index()]
    }

    /// Adds a lemma at a level.
    pub(super) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        let activation = self.activation(level);
        self.solver.assert_under(arena, activation, clause);
    }

    /// The activations of all lemmas in the frame `level`.
    fn frame(&mut self, level: Level) -> Vec<Activation> {
        if let Some(activation) = self.temporary.take() {
            self.solver.retire(activation);
        }
        self.activation(level);
        self.levels[level.index()..].to_vec()
    }

    /// Does a state of the frame satisfy the formula? The solver then has a model.
    pub(super) fn meets(
        &mut self,
        arena: &Arena,
        level: Level,
        formula: Term,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let frame = self.frame(level);
        match self.solver.check(arena, &frame, &[formula], budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Can the literals `asked`, which are `preconditions` before the step, hold together after a step from a
    /// state of the frame that is not in `outside`? If not, literals of `asked` that suffice to see it; if
    /// so, the solver has a model.
    pub(super) fn unreachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        outside: &Cube,
        asked: &Cube,
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        let mut activations = self.frame(level);
        let clause = outside.negation(arena);
        let temporary = self.solver.activation();
        self.solver.assert_under(arena, temporary, clause);
        self.temporary = Some(temporary);
        activations.extend([temporary, self.step]);
        match self.solver.check(arena, &activations, preconditions, budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let failed = self.solver.failed();
                let core = asked.iter().zip(preconditions).filter(|(_, before)| failed.contains(before));
                Ok(Some(core.map(|(literal, _)| literal).collect()))
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// After a model was found: the values of these variables.
    pub(super) fn values(&mut self, arena: &Arena, variables: &[Term]) -> Result<Vec<(Term, Value)>, Reason> {
        variables.iter().map(|&variable| Ok((variable, self.solver.value(arena, variable)?))).collect()
    }

    /// The solver with its model.
    pub(super) fn model(&mut self) -> &mut dyn Solver {
        &mut *self.solver
    }

    pub(super) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}
