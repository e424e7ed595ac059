//! Implicit predicate abstraction on location-local frames (IC3IA: Cimatti, Griggio, Mover, Tonetta, TACAS
//! 2014; CTIGAR: Birgmeier, Bradley, Weissenbacher, CAV 2014).
//!
//! Every location has its own predicates. An obligation is replaced by what the predicates of its location
//! say about the state that was found, so there are only finitely many at a level. Relative inductiveness is
//! asked with the exact transition relation and the abstract cube, as in CTIGAR: lemmas are as sound as any.
//! But only some states of an abstract cube lead into the next one. So when a chain with one reaches the
//! entry, its edges are tried as a path: either that can be executed, or its sequence interpolants give new
//! predicates for the locations along it, as in IC3IA. Where that yields none, obligations are not abstracted
//! any more in this run, so that there is always progress.

use super::Ic3Cfa;
use super::instance::Queue;
use super::technique::Technique;
use crate::atoms::atoms;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::PathFormula;
use crate::pdr::{ObligationId, Reached};
use crate::phase::Phase;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Arena, Cube, Term};
use std::time::Instant;

/// The predicates of all locations.
#[derive(Debug, Default)]
pub(super) struct Predicates {
    of: Vec<Vec<Term>>,
    /// Set when refinement has failed: obligations stay as they are from then on.
    given_up: bool,
}

impl Predicates {
    pub(super) fn new(locations: usize) -> Self {
        Predicates { of: vec![Vec::new(); locations], given_up: false }
    }

    /// Adds the atoms of a formula; whether one is new.
    fn add(&mut self, arena: &Arena, location: LocationId, formula: Term) -> bool {
        let known = &mut self.of[location.index()];
        let mut new = false;
        for atom in atoms(arena, formula) {
            if !known.contains(&atom) {
                known.push(atom);
                new = true;
            }
        }
        new
    }
}

impl Ic3Cfa<'_, '_> {
    /// What the predicates of a location say about the state in the edge's solver, and whether that is less
    /// than the cube says.
    pub(super) fn abstracted(&mut self, edge: EdgeId, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        let location = self.instance.automaton.edge(edge).source;
        if !self.instance.techniques.contains(Technique::Predicates)
            || self.instance.predicates.given_up
            || location == self.instance.automaton.entry
        {
            return Ok(None);
        }
        if self.instance.automaton.is_sink(self.instance.automaton.edge(edge).target) {
            // What decides about the property is a predicate from the start.
            for literal in cube.iter() {
                self.instance.predicates.add(&self.arena, location, literal);
            }
        }
        let predicates = self.instance.predicates.of[location.index()].clone();
        let (solver, arena) = self.solver(edge)?;
        let mut literals = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            let holds = crate::transition::holds(&mut *solver.frame.solver, arena, predicate)?;
            literals.push(if holds { predicate } else { arena.not(predicate) });
        }
        let result = Cube::new(literals);
        Ok((!cube.is_subset_of(&result)).then_some(result))
    }

    /// Tries the edges of a chain that begins at the entry as a path, and learns from it if it is none.
    pub(super) fn try_path(
        &mut self,
        queue: &Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let start = Instant::now();
        let edges: Vec<EdgeId> = queue
            .chain(first)
            .iter()
            .filter_map(|link| link.trail.step.as_ref().map(|step| step.edge))
            .collect();
        let path = self.try_edges(&edges);
        self.statistics.times.spent(Phase::Refine, start);
        path
    }

    fn try_edges(&mut self, edges: &[EdgeId]) -> Result<Reached<Execution>, Unknown> {
        let transitions: Vec<&Transition> = edges
            .iter()
            .filter_map(|edge| self.instance.solvers[edge.index()].as_ref().map(|solver| &solver.transition))
            .collect();
        let path = PathFormula::new(&mut self.arena, self.instance.automaton, &transitions);
        self.statistics.relative_checks += 1;
        let execution = path.execution(&self.arena, self.instance.automaton, &transitions, self.budget)?;
        match execution {
            Some(execution) => Ok(Reached::Counterexample(execution)),
            None => {
                self.refine(edges, &path)?;
                // The relation is exact: it stays as it is.
                Ok(Reached::Refined { relation: false })
            }
        }
    }

    /// Adds the atoms of the interpolants of an infeasible path to the predicates of its locations.
    fn refine(&mut self, edges: &[EdgeId], path: &PathFormula) -> Result<(), Unknown> {
        let found = path.interpolants(&mut self.arena, self.instance.automaton, self.budget)?;
        let mut new = false;
        for (edge, predicate) in edges.iter().zip(found.into_iter().flatten()).skip(1) {
            let location = self.instance.automaton.edge(*edge).source;
            self.observer.work(location, Work::Refinement);
            new |= self.instance.predicates.add(&self.arena, location, predicate);
        }
        self.instance.applied.count(Technique::Predicates, 0);
        self.instance.predicates.given_up |= !new;
        Ok(())
    }
}
