//! Lifting: which literals of a predecessor does the step need?
//!
//! The precondition along a path has a literal for every assume on the path, also for those that only decide
//! which of several ways is taken that all lead into the cube. With the inputs fixed a command is a function,
//! so the question is: do the literals imply that the edge can be taken and ends in the cube? It is asked the
//! other way round, and the literals that the refutation does not use are dropped. What is left is still
//! real: every one of its states leads into the cube, with these inputs, on whatever path.

use crate::transition::{Step, Transition};
use nilas_smt::{Answer, Budget, Interrupt, Reason, Solver, SolverStats};
use nilas_term::{Arena, Cube, Op, Substitution, Term};

/// Conflicts that one question may take. Most are answered by propagation; where multipliers make it hard,
/// the precondition as it is will do.
const CONFLICTS: u64 = 200;
/// At least every so many times (a power of two) it is asked, however often that has failed.
const LEAST_OFTEN: u64 = 6;

/// Literals with more different subterms than this are replaced by literals on variables.
const LARGEST_LITERAL: usize = 200;

/// Lifts the predecessors over one edge.
pub(crate) struct Lifter {
    /// Knows neither guard nor frames: is asked what implies that a step can be taken.
    solver: Box<dyn Solver>,
    /// How often lifting has failed in a row, and has not been tried since.
    failures: u64,
    skipped: u64,
}

impl Lifter {
    /// With a solver that has nothing asserted.
    pub(crate) fn new(solver: Box<dyn Solver>) -> Self {
        Lifter { solver, failures: 0, skipped: 0 }
    }

    pub(crate) fn stats(&self) -> SolverStats {
        self.solver.stats()
    }

    /// A part of `predecessor` from which the step still leads into `cube`; `None` if `predecessor` does not
    /// suffice (or that could not be shown).
    pub(crate) fn lift(
        &mut self,
        arena: &mut Arena,
        transition: &mut Transition,
        step: &Step,
        predecessor: &Cube,
        cube: &Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        let mut goal = transition.preconditions(arena, cube);
        goal.push(transition.encoding.guard);
        let goal = arena.and(&goal);
        self.lift_to(arena, goal, &step.inputs, predecessor, budget)
    }

    /// A part of `predecessor` that implies `goal` when the inputs are set to these terms; `None` if
    /// `predecessor` does not suffice (or that could not be shown).
    pub(crate) fn lift_to(
        &mut self,
        arena: &mut Arena,
        goal: Term,
        inputs: &[(Term, Term)],
        predecessor: &Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Reason> {
        if arena.as_bool(goal) == Some(true) {
            return Ok(Some(Cube::empty()));
        }
        if let Some(part) = syntactic(arena, inputs, predecessor, goal) {
            return Ok(Some(part));
        }
        // Where it was too hard several times in a row, it is tried less often.
        self.skipped += 1;
        if self.skipped < 1_u64 << self.failures.min(LEAST_OFTEN) {
            return Ok(None);
        }
        self.skipped = 0;
        let missed = arena.not(goal);
        let mut assumptions: Vec<Term> = predecessor.literals().to_vec();
        for (input, value) in inputs {
            assumptions.push(arena.eq(*input, *value));
        }
        let lifter = &mut self.solver;
        let activation = lifter.activation();
        // A disjunction as clauses, so that nothing new is left behind in the solver.
        lifter.assert_under(arena, activation, missed);
        let limited = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
        let answer = lifter.check(arena, &[activation], &assumptions, &limited);
        let result = match answer {
            Answer::Unsat => {
                let failed = lifter.failed();
                let kept = predecessor.iter().filter(|literal| failed.contains(literal));
                Ok(Some(Cube::new(kept)))
            }
            Answer::Sat => Ok(None),
            Answer::Unknown(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                Err(Reason::Interrupted(why))
            }
            Answer::Unknown(_) => Ok(None),
        };
        if result == Ok(None) {
            self.failures += 1;
        } else {
            self.failures = 0;
        }
        lifter.retire(activation);
        result
    }
}

/// After the solver has found a model: equalities of variables with their values in the model instead of
/// literals that have grown too large. `None` if no literal has, or if a variable of one has no plain value.
pub(crate) fn word_literals(
    solver: &mut dyn Solver,
    arena: &mut Arena,
    predecessor: &Cube,
) -> Result<Option<Cube>, Reason> {
    let is_large = |&literal: &Term| is_larger(arena, literal, LARGEST_LITERAL);
    let large: Vec<Term> = predecessor.iter().filter(is_large).collect();
    values_for(solver, arena, predecessor, &large)
}

/// The same for given literals of the predecessor. `None` if there is none.
pub(crate) fn values_for(
    solver: &mut dyn Solver,
    arena: &mut Arena,
    predecessor: &Cube,
    replaced: &[Term],
) -> Result<Option<Cube>, Reason> {
    if replaced.is_empty() {
        return Ok(None);
    }
    let mut small: Vec<Term> = predecessor.iter().filter(|literal| !replaced.contains(literal)).collect();
    for variable in arena.free_variables_of(replaced) {
        if matches!(arena.sort(variable), nilas_term::Sort::Array(_)) {
            return Ok(None);
        }
        let value = solver.value(arena, variable)?;
        let value = arena.constant(value);
        small.push(arena.eq(variable, value));
    }
    Ok(Some(Cube::new(small)))
}

/// Lifting by looking alone: with the inputs put in, the goal is a conjunction of literals of the
/// predecessor.
fn syntactic(arena: &mut Arena, inputs: &[(Term, Term)], predecessor: &Cube, goal: Term) -> Option<Cube> {
    let goal = inputs.iter().copied().collect::<Substitution>().apply(arena, goal);
    let needed = match arena.op(goal) {
        Op::And => Cube::new(arena.children(goal).iter().copied()),
        _ if arena.as_bool(goal) == Some(true) => Cube::empty(),
        _ => Cube::new([goal]),
    };
    needed.is_subset_of(predecessor).then_some(needed)
}

/// Whether a term has more than `limit` different subterms.
fn is_larger(arena: &Arena, term: Term, limit: usize) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !matches!(arena.op(term), Op::Const(_)) && seen.insert(term) {
            if seen.len() > limit {
                return true;
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    false
}
