//! The initial states: what no lemma may exclude.

use nilas_smt::{Answer, Budget, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Op, Term, Value};

/// Tells which cubes have initial states.
pub(super) struct Initial {
    /// Has the initial formula for ever.
    solver: Box<dyn Solver>,
    /// The conjuncts of the initial formula.
    conjuncts: Cube,
}

impl Initial {
    /// With a solver that has nothing asserted.
    pub(super) fn new(arena: &Arena, initial: Term, mut solver: Box<dyn Solver>) -> Self {
        solver.assert(arena, initial);
        let conjuncts = match arena.op(initial) {
            Op::And => Cube::new(arena.children(initial).iter().copied()),
            _ => Cube::new([initial]),
        };
        Initial { solver, conjuncts }
    }

    /// A part of the cube that has no initial state; `None` if the cube has one, and the solver then has a
    /// model.
    pub(super) fn excludes(
        &mut self,
        arena: &mut Arena,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        for literal in cube.iter() {
            let negated = arena.not(literal);
            if self.conjuncts.contains(negated) {
                return Ok(Some(Cube::new([literal])));
            }
        }
        match self.solver.check(arena, &[], cube.literals(), budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let failed = self.solver.failed();
                Ok(Some(cube.iter().filter(|literal| failed.contains(literal)).collect()))
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The values of these variables in an initial state of the cube, after [`Initial::excludes`] has found
    /// one.
    pub(super) fn state(&mut self, arena: &Arena, variables: &[Term]) -> Result<Vec<(Term, Value)>, Reason> {
        variables.iter().map(|&variable| Ok((variable, self.solver.value(arena, variable)?))).collect()
    }

    pub(super) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}
