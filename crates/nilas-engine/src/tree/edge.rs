//! One edge with its solver: the questions `φ ∧ T ⊨ ¬c'` of Fig. 2, and approximate preimages.
//!
//! The solver holds the guard of the edge for ever, and the label of each node at the edge's source under an
//! activation of its own. A node's label only ever grows, so that before a question the clauses that are new
//! are told, and no others.

use super::art::{Node, NodeId};
use crate::lift::{Lifter, word_literals};
use crate::outcome::Unknown;
use crate::transition::{Step, Transition, state};
use nilas_program::{Automaton, EdgeId, HavocSite};
use nilas_smt::{Activation, Answer, Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The labels of nodes in a solver.
#[derive(Default)]
pub(super) struct Labels {
    told: FxHashMap<NodeId, (Activation, usize)>,
}

impl Labels {
    /// The activation of a node's label, all of which the solver has now.
    pub(super) fn activation(
        &mut self,
        solver: &mut dyn Solver,
        arena: &Arena,
        id: NodeId,
        node: &Node,
    ) -> Activation {
        let (activation, told) = self.told.entry(id).or_insert_with(|| (solver.activation(), 0));
        for clause in &node.clauses[*told..] {
            solver.assert_under(arena, *activation, clause.term);
        }
        *told = node.clauses.len();
        *activation
    }

    /// A node went.
    pub(super) fn forget(&mut self, solver: &mut dyn Solver, id: NodeId) {
        if let Some((activation, _)) = self.told.remove(&id) {
            solver.retire(activation);
        }
    }
}

/// An edge and its long-lived solver.
pub(super) struct EdgeSolver {
    pub(super) transition: Transition,
    solver: Box<dyn Solver>,
    lifter: Lifter,
    labels: Labels,
    size: usize,
}

impl EdgeSolver {
    /// With two solvers that have nothing asserted: for questions, and for lifting.
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &Automaton,
        edge: EdgeId,
        [mut solver, lifter]: [Box<dyn Solver>; 2],
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let transition = Transition::new(arena, automaton, edge, budget)?;
        solver.assert(arena, transition.encoding.guard);
        let next = automaton.variable_ids().map(|id| transition.encoding.next.get(id));
        let size = different_terms(arena, next.chain([transition.encoding.guard]).collect());
        let (lifter, labels) = (Lifter::new(lifter), Labels::default());
        Ok(EdgeSolver { transition, solver, lifter, labels, size })
    }

    /// How many different terms the relation of the edge has.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Whether the edge leads from the label of a node, with more clauses, into the cube. If not, a part of
    /// the cube that suffices to see it; if it does, the solver has a model.
    pub(super) fn unreachable(
        &mut self,
        arena: &mut Arena,
        (id, node): (NodeId, &Node),
        more: &[Term],
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        let preconditions = self.transition.preconditions(arena, cube);
        if let Some(literal) = self.contradicted(arena, cube, &preconditions) {
            return Ok(Some(Cube::new([literal])));
        }
        let activation = self.labels.activation(&mut *self.solver, arena, id, node);
        let assumptions = [&preconditions, more].concat();
        match self.solver.check(arena, &[activation], &assumptions, budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let failed = self.solver.failed();
                let core = cube.iter().zip(&preconditions).filter(|(_, before)| failed.contains(before));
                Ok(Some(core.map(|(literal, _)| literal).collect()))
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// A literal that the edge's guard contradicts by syntax.
    fn contradicted(&self, arena: &mut Arena, cube: &Cube, preconditions: &[Term]) -> Option<Term> {
        let mut literals = cube.iter().zip(preconditions);
        let found = literals.find(|&(_, &before)| {
            let negated = arena.not(before);
            arena.as_bool(before) == Some(false) || self.transition.assumed.contains(negated)
        });
        found.map(|(literal, _)| literal)
    }

    /// APPROX-PREIMAGE of Fig. 2, after a model was found: one cube of states that the edge leads from into
    /// `cube`, all of it real.
    pub(super) fn predecessor(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<(Step, Cube), Unknown> {
        let (step, mut before, _) =
            self.transition.predecessor(arena, automaton, &mut *self.solver, cube, true)?;
        if let Some(words) = word_literals(&mut *self.solver, arena, &before)? {
            before = words;
        }
        if let Some(part) = self.lifter.lift(arena, &mut self.transition, &step, &before, cube, budget)? {
            before = part;
        }
        Ok((step, before))
    }

    /// After a model was found: see [`Transition::inputs`].
    pub(super) fn inputs(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(HavocSite, Value)>, Reason> {
        self.transition.inputs(arena, automaton, &mut *self.solver)
    }

    /// After a model was found: the values of all variables before the edge.
    pub(super) fn state(
        &mut self,
        arena: &Arena,
        automaton: &Automaton,
    ) -> Result<Vec<(Term, Value)>, Reason> {
        state(arena, automaton, &mut *self.solver)
    }

    /// A node at the source went.
    pub(super) fn forget(&mut self, id: NodeId) {
        self.labels.forget(&mut *self.solver, id);
    }

    pub(super) fn stats(&self) -> [SolverStats; 2] {
        [self.solver.stats(), self.lifter.stats()]
    }
}

/// How many different subterms there are, constants and variables not counted.
fn different_terms(arena: &Arena, mut stack: Vec<Term>) -> usize {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !arena.op(term).is_leaf() && seen.insert(term) {
            stack.extend_from_slice(arena.children(term));
        }
    }
    seen.len()
}
