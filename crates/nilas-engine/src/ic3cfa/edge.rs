//! One edge with its solver: everything an IC3CFA engine asks is asked here.
//!
//! The solver of edge `e = (l, cmd, l')` holds the guard of `cmd` for ever and the lemmas of `l`
//! ([`FrameSolver`]). A literal of a cube at `l'` is asked in the form of its weakest precondition
//! (`relIndAlt`, thesis 5.3).

use super::context::Contexts;
use crate::lift::Lifter;
use crate::pdr::{FrameSolver, Level, Reachability};
use crate::transition::{Step, Transition, state};
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term, Value};

/// An edge and its long-lived solver.
pub(crate) struct EdgeSolver {
    pub(super) is_loop: bool,
    pub(super) transition: Transition,
    /// What is known without asking.
    pub(super) contexts: Contexts,
    pub(super) frame: FrameSolver,
    pub(super) lifter: Lifter,
}

impl EdgeSolver {
    /// An edge with two solvers that have nothing asserted yet: for questions about frames, and for lifting.
    pub(crate) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        id: EdgeId,
        [mut solver, lifter]: [Box<dyn Solver>; 2],
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let transition = Transition::new(arena, automaton, id, budget)?;
        solver.assert(arena, transition.encoding.guard);
        let edge = automaton.edge(id);
        Ok(EdgeSolver {
            is_loop: edge.source == edge.target,
            transition,
            contexts: Contexts::default(),
            frame: FrameSolver::new(solver),
            lifter: Lifter::new(lifter),
        })
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
        let outside = self.is_loop.then_some(outside);
        self.frame.reachable(arena, level, outside, asked, preconditions, budget)
    }

    /// After a model was found: the values of all variables before the edge.
    pub(crate) fn state(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        state(arena, automaton, &mut *self.frame.solver)
    }

    /// After a model was found: the values of all variables behind the edge.
    pub(crate) fn state_after(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        self.transition.state_after(arena, automaton, &mut *self.frame.solver)
    }

    /// After a model was found: see [`Transition::predecessor`].
    pub(crate) fn predecessor(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
        projecting: bool,
    ) -> Result<(Step, Cube, u64), Reason> {
        self.transition.predecessor(arena, automaton, &mut *self.frame.solver, cube, projecting)
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
        [self.frame.stats(), self.lifter.stats()].into_iter()
    }
}
