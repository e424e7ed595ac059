//! EXPANDPREIMAGE (Alg. 2 of the thesis): from the model of a step to a cube of states before it.
//!
//! The step is the guard of the edge and the literals of the cube behind it, said before it by substitution.
//! What [`project`](super::project) makes of it are the constraints `S`. Literals with inputs are said
//! without them where the model has an equal term for what contains them (the thesis filters them), and
//! dropped otherwise; so are literals outside of the [`vocabulary`](super::vocabulary), since substitution
//! makes new terms where next-state variables make none. The predicates of the location are decided by the
//! model and added.
//!
//! The thesis adds the whole ModelAssertion: all that the partition says about the terms `Q`. Here that is
//! its equalities, and only where a literal was dropped and refinement has found nothing else that helps:
//! where none was, `S` alone implies the step, and smaller cubes block more.
//!
//! Every literal holds in the model when it is read again. So when the cube is blocked, the model is
//! excluded, and no question is ever answered by the same model twice.

use super::EufIc3;
use super::edge::{EdgeSolver, Inputs};
use super::instance::{Obligation, Trail};
use super::project::Projection;
use crate::outcome::Unknown;
use crate::pdr::{Kind, Level, ObligationId};
use crate::phase::Phase;
use nilas_program::EdgeId;
use nilas_term::{Arena, Cube, Sort, Substitution, Term};
use std::time::Instant;

impl EufIc3<'_, '_> {
    /// The obligation before an edge at this level, from the model that the edge's solver has.
    pub(super) fn expand_preimage(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation, Unknown> {
        let start = Instant::now();
        let automaton = self.instance.map.automaton;
        let location = automaton.edge(edge).source;
        let arena = &mut self.arena;
        let instance = &mut self.instance;
        let Some(solver) = &mut instance.map.solvers[edge.index()] else {
            return Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter")));
        };
        let EdgeSolver { transition, frame, inputs, .. } = solver;
        let after = transition.preconditions(arena, cube);
        let Some(mut partition) = frame.solver.partition() else {
            return Err(Unknown::Internal("a preimage is asked for, but there is no model".into()));
        };
        let mut projection = Projection::new(&mut partition);
        projection.formula(arena, transition.encoding.guard);
        // What the program computes belongs to the vocabulary, also with its branches chosen.
        for variable in arena.free_variables_of(cube.literals()) {
            if let Some(value) = transition.next.get(variable) {
                projection.term(arena, value);
            }
        }
        for &term in &projection.terms {
            instance.vocabulary.add(arena, term);
        }
        for &literal in &projection.literals {
            instance.vocabulary.add(arena, literal);
        }
        for &formula in &after {
            projection.formula(arena, formula);
        }
        let step = projection.literals.clone();
        if !inputs.is_empty() {
            projection.add_terms(automaton.variables.iter().map(|variable| variable.term));
            projection.add_terms(words(arena, cube));
        }
        let classes = projection.classes(arena);
        let by_state = replacements(arena, inputs, &classes);
        let (mut literals, mut dropped) = (Vec::new(), false);
        for &literal in &step {
            let said = said_without_inputs(arena, inputs, &by_state, literal);
            match said.filter(|&said| projection.holds(arena, said)) {
                Some(said) if instance.vocabulary.covers(arena, said) => literals.push(said),
                _ => dropped = true,
            }
        }
        if dropped {
            instance.incomplete += 1;
        }
        if dropped && instance.whole[location.index()] {
            for class in &classes {
                let mut class = class.clone();
                class
                    .retain(|&term| instance.vocabulary.covers(arena, term) && !inputs.occur_in(arena, term));
                for pair in class.windows(2) {
                    let equal = arena.eq(pair[0], pair[1]);
                    if projection.holds(arena, equal) {
                        literals.push(equal);
                    }
                }
            }
        }
        for &predicate in &instance.predicates[location.index()] {
            match projection.truth(arena, predicate) {
                Some(true) => literals.push(predicate),
                Some(false) => literals.push(arena.not(predicate)),
                None => {}
            }
        }
        literals.retain(|&literal| arena.as_bool(literal).is_none());
        let state = if location == automaton.entry { Cube::empty() } else { Cube::new(literals) };
        self.statistics.times.spent(Phase::Lift, start);
        let trail = Trail { edge, step };
        Ok(Obligation::new(level, location, state, trail, next).of_kind(Kind::Abstract))
    }
}

/// For each term with inputs, one without that the model takes to be equal, if there is one; constants come
/// last.
fn replacements(arena: &Arena, inputs: &mut Inputs, classes: &[Vec<Term>]) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    if inputs.is_empty() {
        return found;
    }
    for class in classes {
        let (with, without): (Vec<Term>, Vec<Term>) =
            class.iter().partition(|&&term| inputs.occur_in(arena, term));
        let state = without.iter().find(|&&term| arena.as_value(term).is_none()).or(without.first());
        if let Some(&state) = state {
            found.extend(with.into_iter().map(|term| (term, state)));
        }
    }
    found
}

fn said_without_inputs(
    arena: &mut Arena,
    inputs: &mut Inputs,
    by_state: &[(Term, Term)],
    literal: Term,
) -> Option<Term> {
    if !inputs.occur_in(arena, literal) {
        return Some(literal);
    }
    let said = by_state.iter().copied().collect::<Substitution>().apply(arena, literal);
    (!inputs.occur_in(arena, said)).then_some(said)
}

/// The terms in a cube that are no Booleans.
fn words(arena: &Arena, cube: &Cube) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), cube.literals().to_vec());
    while let Some(term) = stack.pop() {
        if !found.contains(&term) {
            found.push(term);
            stack.extend_from_slice(arena.children(term));
        }
    }
    found.retain(|&term| *arena.sort(term) != Sort::Bool);
    found
}
