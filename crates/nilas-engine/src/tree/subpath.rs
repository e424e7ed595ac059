//! Formulas of the paths between two nodes, each with a solver that is kept: unwinding a loop comes over the
//! same edges again and again.

use crate::path::PathFormula;
use nilas_program::{Automaton, EdgeId};
use nilas_smt::{Activation, Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Term};

/// How many are kept: the least recently used go first.
const KEPT: usize = 48;

/// A path as a formula, in a solver.
pub(super) struct Subpath {
    formula: PathFormula,
    solver: Box<dyn Solver>,
    /// What is known of the states on the way, for the questions at hand.
    labels: Option<Activation>,
}

impl Subpath {
    /// With a solver that has nothing asserted.
    pub(super) fn new(arena: &Arena, formula: PathFormula, mut solver: Box<dyn Solver>) -> Self {
        for &conjunct in formula.steps.iter().flatten() {
            solver.assert(arena, conjunct);
        }
        Subpath { formula, solver, labels: None }
    }

    /// The labels of the states from the first on, in place of those before.
    pub(super) fn set_labels(&mut self, arena: &mut Arena, automaton: &Automaton, labels: &[Vec<Term>]) {
        if let Some(old) = self.labels.take() {
            self.solver.retire(old);
        }
        let activation = self.solver.activation();
        for (index, label) in labels.iter().enumerate() {
            for &clause in label {
                let there = self.formula.at(arena, automaton, index, clause);
                self.solver.assert_under(arena, activation, there);
            }
        }
        self.labels = Some(activation);
    }

    /// Whether no state of the cube can be reached at the end of the path.
    pub(super) fn excludes(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let last = self.formula.steps.len();
        let literals: Vec<Term> =
            cube.iter().map(|literal| self.formula.at(arena, automaton, last, literal)).collect();
        match self.solver.check(arena, self.labels.as_slice(), &literals, budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// The paths that are kept, by their edges.
#[derive(Default)]
pub(super) struct Subpaths {
    kept: Vec<(Vec<EdgeId>, Subpath)>,
    /// Questions of those that were dropped.
    before: u64,
}

impl Subpaths {
    /// Takes the path over these edges out, if it is kept.
    pub(super) fn take(&mut self, edges: &[EdgeId]) -> Option<Subpath> {
        let found = self.kept.iter().position(|(known, _)| known == edges)?;
        Some(self.kept.remove(found).1)
    }

    /// Puts a path back, or a new one in.
    pub(super) fn put(&mut self, edges: Vec<EdgeId>, subpath: Subpath) {
        if self.kept.len() == KEPT {
            let (_, dropped) = self.kept.remove(0);
            self.before += dropped.solver.stats().checks;
        }
        self.kept.push((edges, subpath));
    }

    /// Counters of the solvers that are kept, and the questions of those that are not.
    pub(super) fn stats(&self) -> (impl Iterator<Item = SolverStats> + '_, u64) {
        (self.kept.iter().map(|(_, subpath)| subpath.solver.stats()), self.before)
    }
}
