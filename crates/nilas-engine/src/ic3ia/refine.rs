//! Refinement (§4.2 of the paper): an abstract counterexample is tried as a path of edges. If that cannot be
//! executed, predicates are added that exclude it.
//!
//! They are the atoms of the sequence interpolants `I_0, …, I_n` of the path. An abstract state is complete
//! over the predicates of its location, so with these it decides `I_i`; the first one implies `I_0`, a step from
//! a state with `I_i` leads to one with `I_(i+1)`, and no last step can be taken: the same edges make no abstract
//! counterexample again.
//!
//! Where interpolation finds nothing within its limits, or nothing new, the predicates are the atoms of the
//! preconditions along the chain ([`Trail::concrete`](super::instance::Trail)). One of them is new: if each
//! abstract state decided the literals of its precondition, it would imply it, since both hold of the model's
//! state; so all of its states would lead into the next abstract state, and the path could be executed.

use super::Ic3Ia;
use super::instance::Queue;
use crate::observer::Work;
use crate::outcome::Unknown;
use crate::path::PathFormula;
use crate::pdr::{ObligationId, Reached};
use crate::predabs::Refinement;
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::EdgeId;
use nilas_term::{Cube, Term};

impl Ic3Ia<'_, '_> {
    /// Tries the edges of a chain that begins at the entry, and learns from them if they are no execution.
    pub(super) fn try_path(
        &mut self,
        queue: &Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let chain = queue.chain(first);
        let edges: Vec<EdgeId> = chain.iter().map(|link| link.trail.edge).collect();
        let automaton = self.instance.map.automaton;
        let solvers = edges.iter().filter_map(|edge| self.instance.map.solvers[edge.index()].as_ref());
        let transitions: Vec<&Transition> = solvers.map(|solver| &solver.transition).collect();
        let mut path = PathFormula::new(&mut self.arena, automaton, &transitions);
        self.statistics.relative_checks += 1;
        if let Some(execution) = path.execution(&self.arena, automaton, &transitions, self.budget)? {
            return Ok(Reached::Counterexample(execution));
        }
        let mut is_new = false;
        if self.instance.refinement == Refinement::Interpolants {
            path.keep_live(automaton, &edges, &self.instance.live);
            let found = path.interpolants(&mut self.arena, automaton, self.budget)?;
            let found: Vec<Vec<Term>> = found.into_iter().flatten().map(|formula| vec![formula]).collect();
            is_new = self.add_predicates(&edges, &found);
        }
        if !is_new {
            self.instance.without_interpolants += 1;
            let literals = |cube: &Cube| cube.literals().to_vec();
            let found: Vec<Vec<Term>> = chain.iter().map(|link| literals(&link.trail.concrete)).collect();
            if !self.add_predicates(&edges, &found) {
                let why = format!("no predicate excludes a path of {} edges", edges.len());
                return Err(Unknown::Internal(why));
            }
        }
        // The relation is asked about as it is: states that keep lemmas from being pushed still do.
        Ok(Reached::Refined { relation: false })
    }

    /// Adds predicates to the locations before these edges, but for the entry; whether one is new.
    fn add_predicates(&mut self, edges: &[EdgeId], formulas: &[Vec<Term>]) -> bool {
        let mut is_new = false;
        for (&edge, formulas) in edges.iter().zip(formulas).skip(1) {
            let location = self.instance.map.automaton.edge(edge).source;
            let before = self.instance.predicates.len();
            for &formula in formulas {
                is_new |= self.instance.predicates.add(&self.arena, location, formula);
            }
            if self.instance.predicates.len() > before {
                self.observer.work(location, Work::Refinement);
            }
        }
        is_new
    }
}
