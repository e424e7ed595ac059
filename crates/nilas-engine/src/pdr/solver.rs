//! A solver that knows the frames of one place.
//!
//! It has the lemmas of each level under that level's activation, and whatever else an instance asserts: the
//! guard of an edge, a relation. That a cube holds behind a step is asked as conditions before it; how these
//! are made is the instance's affair.

use super::level::Level;
use nilas_smt::{Activation, Answer, Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term};

/// Is a cube reachable?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// Not from the frame asked about.
    Blocked {
        /// Literals of the cube that suffice to see it.
        core: Cube,
        /// Whether the states of the cube had to be left out for that.
        outside: bool,
    },
    /// From some state: the solver has a model.
    Reachable,
}

/// A long-lived solver with activations by level.
pub(crate) struct FrameSolver<S: Solver + ?Sized = dyn Solver> {
    pub(crate) solver: Box<S>,
    /// What is in force, besides the frame, where it is asked about a step.
    pub(crate) relation: Vec<Activation>,
    levels: Vec<Activation>,
    /// The temporary clause of the last question. It goes before the next one, not sooner: the model may
    /// still be read.
    temporary: Option<Activation>,
}

impl<S: Solver + ?Sized> FrameSolver<S> {
    /// With a solver that knows no lemma.
    pub(crate) fn new(solver: Box<S>) -> Self {
        FrameSolver { solver, relation: Vec::new(), levels: Vec::new(), temporary: None }
    }

    /// The activation of what holds at a level and below.
    pub(crate) fn activation(&mut self, level: Level) -> Activation {
        while self.levels.len() <= level.index() {
            self.levels.push(self.solver.activation());
        }
        self.levels[level.index()]
    }

    /// Adds a lemma at a level.
    pub(crate) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        if level == Level::INFINITE {
            // In force whatever is asked, also after the solver has forgotten its activations.
            self.solver.assert(arena, clause);
            return;
        }
        let activation = self.activation(level);
        self.solver.assert_under(arena, activation, clause);
    }

    /// The activations of all lemmas in the frame `level`. The last question is over.
    fn frame(&mut self, level: Level) -> Vec<Activation> {
        if let Some(activation) = self.temporary.take() {
            self.solver.retire(activation);
        }
        self.activation(level);
        self.levels[level.index()..].to_vec()
    }

    /// Does a state of the frame satisfy the formulas? The solver then has a model.
    pub(crate) fn meets(
        &mut self,
        arena: &Arena,
        level: Level,
        formulas: &[Term],
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let frame = self.frame(level);
        match self.solver.check(arena, &frame, formulas, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The activations of what is known of a step from a state of the frame, outside of a cube if one is
    /// given.
    pub(crate) fn step_from(
        &mut self,
        arena: &mut Arena,
        level: Level,
        outside: Option<&Cube>,
    ) -> Vec<Activation> {
        let mut activations = self.frame(level);
        if let Some(outside) = outside {
            let clause = outside.negation(arena);
            let activation = self.solver.activation();
            self.solver.assert_under(arena, activation, clause);
            activations.push(activation);
            self.temporary = Some(activation);
        }
        activations.extend_from_slice(&self.relation);
        activations
    }

    /// Can the literals `asked`, which are `preconditions` before the step, hold together after a step from a
    /// state of the frame, outside of a cube if one is given?
    pub(crate) fn reachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        outside: Option<&Cube>,
        asked: &Cube,
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        let activations = self.step_from(arena, level, outside);
        match self.solver.check(arena, &activations, preconditions, budget) {
            Answer::Sat => Ok(Reachability::Reachable),
            Answer::Unsat => {
                let failed = self.solver.failed();
                let core = asked.iter().zip(preconditions).filter(|(_, before)| failed.contains(before));
                let core = Cube::new(core.map(|(literal, _)| literal));
                let outside =
                    self.temporary.is_some_and(|outside| self.solver.failed_activations().contains(&outside));
                Ok(Reachability::Blocked { core, outside })
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Of formulas before a step, those that suffice to show that no step leads from where they hold (and the
    /// lemmas that hold for ever) to where `preconditions` do. `None` if they do not, or if that is too hard.
    pub(crate) fn needed(
        &mut self,
        arena: &Arena,
        premises: &[Term],
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Reason> {
        let assumptions = [premises, preconditions].concat();
        match self.solver.check(arena, &self.relation, &assumptions, budget) {
            Answer::Unsat => {
                let failed = self.solver.failed();
                Ok(Some(premises.iter().copied().filter(|premise| failed.contains(premise)).collect()))
            }
            Answer::Unknown(why) if why != Reason::Interrupted(Interrupt::Conflicts) => Err(why),
            Answer::Sat | Answer::Unknown(_) => Ok(None),
        }
    }

    pub(crate) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}
