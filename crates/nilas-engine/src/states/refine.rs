//! From a path of states to a sink to an execution, or to classes that exclude it.
//!
//! Mostly a path is none because a value is known better than its class says: the values that a variable can
//! have are followed along the path as intervals ([`Search::narrowed`]). Where that leaves none, classes are
//! cut at the ends of these intervals, so that the states follow them, too. That needs no solver. Else the
//! path is a formula, as everywhere, and interpolants say where to cut.

use super::interval::{Bounds, bounds, number};
use super::{Entry, Search, UNKNOWN, give_up};
use crate::outcome::Unknown;
use crate::path::{PathFormula, sequence_interpolants};
use crate::transition::Transition;
use nilas_evidence::Execution;
use nilas_program::{Basic, EdgeId};
use nilas_smt::interpolate::InterpolateOptions;
use nilas_term::{BitVec, Sort, Term};
use rustc_hash::FxHashMap;

/// How often classes are cut anew because of interpolants, and because of intervals.
const MOST_REFINEMENTS: u64 = 8;
const MOST_NARROWED: u64 = 400;
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
        if self.narrowed < MOST_NARROWED && self.narrow(&path) {
            self.narrowed += 1;
            return Ok(None);
        }
        let mut transitions: FxHashMap<EdgeId, Transition> = FxHashMap::default();
        for &(edge, _) in &path {
            if let std::collections::hash_map::Entry::Vacant(place) = transitions.entry(edge) {
                let made = Transition::new(&mut self.arena, self.automaton, edge, self.budget);
                place.insert(made.map_err(Unknown::Interrupted)?);
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

    /// Follows intervals of values along a path, each edge with the vector before it. Where one is left
    /// empty, classes are cut at the ends of those that it came from. Whether there are new cuts.
    fn narrow(&mut self, path: &[(EdgeId, Vec<u16>)]) -> bool {
        let count = self.tracked.len();
        let mut values: Vec<Option<Bounds>> = vec![None; count];
        // The intervals that the value of a variable came through, by variable.
        let mut course: Vec<Vec<(usize, Bounds)>> = vec![Vec::new(); count];
        for (edge, vector) in path {
            for place in 0..count {
                let Some(class) = self.class_bounds(place, vector[place]) else { continue };
                let known = values[place].map_or(class, |(low, high)| (low.max(class.0), high.min(class.1)));
                if known.0 > known.1 {
                    let ends = std::mem::take(&mut course[place]);
                    return ends.into_iter().fold(false, |new, (place, end)| self.cut_at(place, end) | new);
                }
                if known == class {
                    course[place].clear();
                }
                values[place] = Some(known);
            }
            let command = &self.automaton.edge(*edge).command;
            let is_chain = command.nodes() == command.arcs().len() + 1;
            for arc in command.arcs() {
                let (variable, term) = match arc.basic {
                    Basic::Assign(variable, term) => (variable, Some(term)),
                    Basic::Havoc(variable, _) => (variable, None),
                    Basic::Skip | Basic::Assume(_) => continue,
                };
                let Some(place) = self.tracked.place(self.automaton.variable(variable).term) else {
                    continue;
                };
                let of = |term: Term| values[self.tracked.place(term)?];
                let value = term.filter(|_| is_chain).and_then(|term| bounds(&self.arena, term, &mut { of }));
                values[place] = value;
                let read = term.map_or_else(Vec::new, |term| self.tracked.places_in(&self.arena, term));
                let mut through: Vec<(usize, Bounds)> =
                    read.iter().flat_map(|&place| course[place].clone()).collect();
                through.extend(value.map(|value| (place, value)));
                through.sort_unstable();
                through.dedup();
                course[place] = if value.is_some() { through } else { Vec::new() };
            }
        }
        false
    }

    fn class_bounds(&self, place: usize, class: u16) -> Option<Bounds> {
        let (first, last) = self.tracked.bounds(&self.cuts, place, class)?;
        Some((number(&first)?, number(&last)?))
    }

    /// Cuts classes before the least and behind the largest number of an interval; whether that is new.
    fn cut_at(&mut self, place: usize, (low, high): Bounds) -> bool {
        let Some(variable) = self.tracked.variable(place) else { return false };
        let Sort::BitVec(width) = self.automaton.variable(variable).sort else { return false };
        let word = |number: i128| BitVec::from_signed(width, &number.into());
        let before = self.cuts.cut(variable, word(low));
        self.cuts.cut(variable, word(high + 1)) | before
    }

    /// What a vector says.
    fn literals(&mut self, vector: &[u16]) -> Vec<Term> {
        let mut literals = Vec::new();
        let Search { arena, automaton, cuts, tracked, .. } = self;
        for (place, &class) in vector.iter().enumerate().filter(|(_, class)| **class != UNKNOWN) {
            literals.extend(tracked.literals(arena, automaton, cuts, place, (class, class)));
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
