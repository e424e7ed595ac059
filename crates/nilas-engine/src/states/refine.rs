//! From a path of states to a sink to an execution, or to classes that exclude it.

use super::{Entry, Search, UNKNOWN, give_up};
use crate::outcome::Unknown;
use crate::path::{PathFormula, sequence_interpolants};
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::EdgeId;
use nilas_smt::interpolate::InterpolateOptions;
use nilas_term::Term;
use rustc_hash::FxHashMap;

/// How often classes are cut anew.
const MOST_REFINEMENTS: u64 = 8;
/// Interpolants are looked for along paths that are not longer.
const LONGEST: usize = 3_000;

impl Search<'_> {
    /// The execution along the states to an entry behind a node; none if there is none, and all has to begin
    /// anew with more classes, or with exact ones.
    pub(super) fn execution(
        &mut self,
        node: usize,
        entries: &[Entry],
        number: usize,
    ) -> Result<Option<Execution>, Unknown> {
        // Each edge with the vector before it, the last one first.
        let mut path: Vec<(EdgeId, Vec<u16>)> = Vec::new();
        backwards(entries, number, &mut path);
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            let entries = self.region(parent)?;
            let is_it = |entry: &Entry| {
                entry.location == self.nodes[at].location && entry.vector == self.nodes[at].vector
            };
            let Some(number) = entries.iter().skip(1).position(is_it) else {
                return Err(Unknown::Internal("a state does not come after the one before it".to_owned()));
            };
            backwards(&entries, number + 1, &mut path);
            at = parent;
        }
        path.reverse();
        let mut transitions: FxHashMap<EdgeId, Transition> = FxHashMap::default();
        for &(edge, _) in &path {
            if !transitions.contains_key(&edge) {
                let made = Transition::new(&mut self.arena, self.automaton, edge, self.budget);
                transitions.insert(edge, made.map_err(Unknown::Interrupted)?);
            }
        }
        let edges: Vec<&Transition> = path.iter().map(|(edge, _)| &transitions[edge]).collect();
        let mut formula = PathFormula::new(&mut self.arena, self.automaton, &edges);
        for (index, (_, vector)) in path.iter().enumerate() {
            let state = self.literals(vector);
            let state = self.arena.and(&state);
            let state = formula.at(&mut self.arena, self.automaton, index, state);
            formula.steps[index].push(state);
        }
        if let Some(execution) = formula.execution(&self.arena, self.automaton, &edges, self.budget)? {
            return Ok(Some(execution));
        }
        if !self.exact {
            self.exact = true;
            return Ok(None);
        }
        self.refinements += 1;
        if self.refinements > MOST_REFINEMENTS || path.len() > LONGEST {
            return give_up("classes of values do not settle");
        }
        let options = InterpolateOptions::default();
        let Some(found) = sequence_interpolants(&mut self.arena, &formula.steps, &options, self.budget)?
        else {
            return give_up("a path of states that nothing excludes");
        };
        let back = |index| formula.back(&mut self.arena, self.automaton, index, found[index]);
        let found: Vec<Term> = (0..path.len()).map(back).collect();
        if !self.cuts.of_terms(&self.arena, found) {
            return give_up("a path of states that no class excludes");
        }
        Ok(None)
    }

    /// What a vector says.
    fn literals(&mut self, vector: &[u16]) -> Vec<Term> {
        let mut literals = Vec::new();
        for (&variable, &class) in self.tracked.variables.iter().zip(vector) {
            if class != UNKNOWN {
                let class = u32::from(class);
                literals.extend(self.cuts.literals(
                    &mut self.arena,
                    self.automaton,
                    variable,
                    (class, class),
                ));
            }
        }
        literals
    }
}

/// The edges to an entry from the first one, each with the vector before it, the last one first.
fn backwards(entries: &[Entry], mut number: usize, path: &mut Vec<(EdgeId, Vec<u16>)>) {
    while let Some((before, edge)) = entries[number].parent {
        path.push((edge, entries[before].vector.clone()));
        number = before;
    }
}
