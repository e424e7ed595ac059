//! One edge with its solver: everything an IC3CFA engine asks is asked here.
//!
//! The solver of edge `e = (l, cmd, l')` holds the guard of `cmd` for ever and the lemmas of `l` under one
//! activation per level. A literal of a cube at `l'` is asked in the form of its weakest precondition
//! (`relIndAlt`, thesis 5.3).

use super::context::Contexts;
use super::level::Level;
use crate::lift::Lifter;
use crate::transition::{Step, Transition, state};
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term, Value};

/// Is a cube reachable over the edge?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// Not from the frame asked about.
    Blocked {
        /// Literals of the cube that suffice to see it.
        core: Cube,
        /// Over a self-loop: whether the cube's states had to be left out for that.
        outside: bool,
    },
    /// From some state: the solver has a model.
    Reachable,
}

/// An edge and its long-lived solver.
pub(crate) struct EdgeSolver {
    pub(super) is_loop: bool,
    pub(super) transition: Transition,
    /// What is known without asking.
    pub(super) contexts: Contexts,
    pub(super) solver: Box<dyn Solver>,
    pub(super) lifter: Lifter,
    levels: Vec<Activation>,
    /// The temporary clause of the last question. It goes before the next one, not sooner: the model may
    /// still be read.
    temporary: Option<Activation>,
}

impl EdgeSolver {
    /// An edge with two solvers that have nothing asserted yet: for questions about frames, and for lifting.
    pub(crate) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        [mut solver, lifter]: [Box<dyn Solver>; 2],
    ) -> Self {
        let transition = Transition::new(arena, automaton, id);
        solver.assert(arena, transition.encoding.guard);
        let edge = automaton.edge(id);
        EdgeSolver {
            is_loop: edge.source == edge.target,
            transition,
            contexts: Contexts::default(),
            solver,
            lifter: Lifter::new(lifter),
            levels: Vec::new(),
            temporary: None,
        }
    }

    /// Adds a lemma of the source location at a level.
    pub(crate) fn add_lemma(&mut self, arena: &Arena, level: Level, clause: Term) {
        if level == Level::INFINITE {
            // In force whatever is asked, also after the solver has forgotten its activations.
            self.solver.assert(arena, clause);
            return;
        }
        let activation = self.activation(level);
        self.solver.assert_under(arena, activation, clause);
    }

    fn activation(&mut self, level: Level) -> Activation {
        while self.levels.len() <= level.index() {
            self.levels.push(self.solver.activation());
        }
        self.levels[level.index()]
    }

    /// The activations of all lemmas in the frame `level`.
    fn frame(&mut self, level: Level) -> Vec<Activation> {
        self.activation(level);
        self.levels[level.index()..].to_vec()
    }

    fn drop_temporary(&mut self) {
        if let Some(activation) = self.temporary.take() {
            self.solver.retire(activation);
        }
    }

    /// Can the edge be taken at all from the frame `level` of its source?
    pub(crate) fn feasible(&mut self, arena: &Arena, level: Level, budget: &Budget) -> Result<bool, Reason> {
        self.drop_temporary();
        let frame = self.frame(level);
        match self.solver.check(arena, &frame, &[], budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The literals of a cube at the target as conditions before the edge.
    pub(super) fn preconditions(&mut self, arena: &mut Arena, cube: &Cube) -> Vec<Term> {
        self.transition.preconditions(arena, cube)
    }

    /// Edge-relative inductiveness (Def. 4.2.1): are the literals `asked` at the target, which are
    /// `preconditions` before the edge, reachable together from the frame `level` of the source? For a
    /// self-loop the question is asked of states outside of the cube `outside`.
    pub(crate) fn reachable(
        &mut self,
        arena: &mut Arena,
        level: Level,
        outside: &Cube,
        asked: &Cube,
        preconditions: &[Term],
        budget: &Budget,
    ) -> Result<Reachability, Reason> {
        self.drop_temporary();
        let mut activations = self.frame(level);
        if self.is_loop {
            let clause = outside.negation(arena);
            let activation = self.solver.activation();
            self.solver.assert_under(arena, activation, clause);
            activations.push(activation);
            self.temporary = Some(activation);
        }
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

    /// After a model was found: the values of all variables before the edge.
    pub(crate) fn state(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        state(arena, automaton, &mut *self.solver)
    }

    /// After a model was found: the values of all variables behind the edge.
    pub(crate) fn state_after(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        self.transition.state_after(arena, automaton, &mut *self.solver)
    }

    /// After a model was found: see [`Transition::predecessor`].
    pub(crate) fn predecessor(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
        projecting: bool,
    ) -> Result<(Step, Cube, u64), Reason> {
        self.transition.predecessor(arena, automaton, &mut *self.solver, cube, projecting)
    }

    /// See [`Lifter::lift`].
    pub(crate) fn lift(
        &mut self,
        arena: &mut Arena,
        step: &Step,
        predecessor: &Cube,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        self.lifter.lift(arena, &mut self.transition, step, predecessor, cube, budget)
    }

    /// Counters of its solvers.
    pub(crate) fn stats(&self) -> impl Iterator<Item = SolverStats> + use<> {
        [self.solver.stats(), self.lifter.stats()].into_iter()
    }
}
