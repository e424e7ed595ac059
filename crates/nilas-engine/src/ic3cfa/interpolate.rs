//! Semantic generalisation by interpolation (thesis 5.10).
//!
//! A blocked cube `c` and an edge contradict each other: `F ∧ T ∧ c'` has no model, over a self-loop
//! `F ∧ ¬c ∧ T ∧ c'`. An interpolant `I` of `c'` against the rest is implied by the cube and still blocked
//! over that edge, and it need not be made of the cube's literals: for `y' = 0` against `y' = 1`, that `y` is
//! even. The conjunction of the interpolants of all edges is asked about over all edges, since over a
//! self-loop the negation is another one now; if it is not blocked, the cube stays as it is.

use super::Ic3Cfa;
use super::instance::Spot;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::Purpose;
use crate::phase::Phase;
use nilas_program::EdgeId;
use nilas_smt::interpolate::{InterpolateOptions, Method, interpolate};
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::{Cube, Op, Substitution, Term};
use std::time::Instant;

/// Solver checks that one interpolant may take, and conflicts that one check may.
const CHECKS: u32 = 100;
const CONFLICTS: u64 = 1_000;

impl Ic3Cfa<'_, '_> {
    /// A cube of interpolants that the given one implies, if it is blocked, else the given one.
    pub(super) fn interpolated(&mut self, spot: Spot, cube: Cube) -> Result<Cube, Unknown> {
        let start = Instant::now();
        let mut literals = Vec::new();
        for edge in self.instance.map.incoming[spot.place.index()].clone() {
            match self.interpolant(edge, spot, &cube)? {
                Some(found) if self.arena.op(found) == Op::And => {
                    literals.extend_from_slice(self.arena.children(found));
                }
                Some(found) => literals.push(found),
                None => literals.extend_from_slice(cube.literals()),
            }
        }
        literals.retain(|&literal| self.arena.as_bool(literal) != Some(true));
        let candidate = Cube::new(literals);
        let mut result = cube;
        if candidate != result
            && let Ok(core) = self.reachable(spot.level, spot.place, &candidate, Purpose::Truth)?
        {
            self.instance
                .applied
                .count(Technique::Interpolation, result.len().saturating_sub(core.len()) as u64);
            result = core;
        }
        self.statistics.times.spent(Phase::Interpolate, start);
        Ok(result)
    }

    /// An interpolant of the cube against one edge into its location; *true* if nothing comes over the edge.
    fn interpolant(&mut self, edge: EdgeId, spot: Spot, cube: &Cube) -> Result<Option<Term>, Unknown> {
        let Some(below) = spot.level.previous() else { return Ok(None) };
        let source = self.instance.map.automaton.edge(edge).source;
        if self.frames.is_empty_at(below, source) {
            return Ok(Some(self.arena.mk_true()));
        }
        let mut rest: Vec<Term> = self.frames.frame(below, source).map(|lemma| lemma.clause).collect();
        let variables = self.instance.map.automaton.variable_index();
        let (solver, arena) = self.solver(edge)?;
        rest.push(solver.transition.encoding.guard);
        if solver.is_loop {
            rest.push(cube.negation(arena));
        }
        // Variables of the cube are those behind the edge, so the ones before it take the primed names.
        let shared = arena.free_variables_of(cube.literals());
        let values: Vec<(Term, Term)> = shared
            .iter()
            .filter_map(|term| {
                variables.get(term).map(|&id| (*term, solver.transition.encoding.next.get(id)))
            })
            .collect();
        let mut before = Substitution::new();
        let mentioned: Vec<Term> = rest.iter().copied().chain(values.iter().map(|&(_, next)| next)).collect();
        for variable in arena.free_variables_of(&mentioned) {
            if variables.contains_key(&variable) {
                let primed = arena.prime(variable);
                before.insert(variable, primed);
            }
        }
        for term in &mut rest {
            *term = before.apply(arena, *term);
        }
        for (variable, next) in values {
            let next = before.apply(arena, next);
            rest.push(arena.eq(variable, next));
        }
        let options = InterpolateOptions {
            method: Method::Word,
            checks: CHECKS,
            check_conflicts: CONFLICTS,
            ..InterpolateOptions::default()
        };
        let limited = Budget { conflicts: Some(CONFLICTS), ..self.budget.clone() };
        match interpolate(&mut self.arena, cube.literals(), &rest, &options, &limited) {
            Ok(found) => Ok(found),
            Err(Reason::Interrupted(why)) if why != Interrupt::Conflicts => Err(Unknown::Interrupted(why)),
            Err(_) => Ok(None),
        }
    }
}
