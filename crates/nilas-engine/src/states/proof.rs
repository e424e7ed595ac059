//! The invariant: which states are reached at loop heads, and at locations between them.
//!
//! From one loop head to the next there may be thousands of branches. To check that in one step, all of them
//! are looked at together. With formulas in between, each is a step by itself, from states of which most
//! are decided; the formulas are known, since the states go through these locations.

use super::Search;
use super::diagram::Diagram;
use crate::outcome::{Unknown, invariant};
use crate::relevant::Relevant;
use nilas_evidence::Invariant;
use nilas_program::{Automaton, LocationId};
use nilas_term::Term;
use rustc_hash::FxHashSet;

/// So many commands lie between two locations with formulas, about.
const SPACING: usize = 40;
/// The most vectors that are kept for formulas between heads.
const MOST_VECTORS: usize = 2_000_000;

impl Search<'_> {
    /// The invariant, once all states are there.
    pub(super) fn invariant(&mut self) -> Result<Invariant, Unknown> {
        let is_cut = between(self.automaton, &self.relevant, &self.is_head, &self.position);
        let mut sets: Vec<FxHashSet<Vec<u16>>> = vec![FxHashSet::default(); self.automaton.locations.len()];
        let (mut count, mut with_between) = (0, true);
        for node in 0..self.nodes.len() {
            let location = self.nodes[node].location;
            sets[location.index()].insert(self.nodes[node].vector.clone());
            if !with_between {
                continue;
            }
            for entry in self.region(node)? {
                if is_cut[entry.location.index()] && sets[entry.location.index()].insert(entry.vector) {
                    count += 1;
                }
            }
            with_between = count <= MOST_VECTORS;
        }
        let mut formulas: Vec<(LocationId, Term)> = Vec::new();
        let Search { arena, automaton, cuts, tracked, .. } = self;
        let mut diagram = Diagram { arena, automaton, cuts, tracked };
        for location in automaton.location_ids() {
            let is_formula = self.is_head[location.index()] || (with_between && is_cut[location.index()]);
            if !is_formula || automaton.is_sink(location) {
                continue;
            }
            // Only looked up, never gone through in the set's own order.
            let mut vectors: Vec<Vec<u16>> =
                std::mem::take(&mut sets[location.index()]).into_iter().collect();
            vectors.sort_unstable();
            let any = location == automaton.entry;
            formulas.push((location, if any { diagram.arena.mk_true() } else { diagram.formula(&vectors) }));
        }
        for (location, formula) in &formulas {
            if self.is_head[location.index()] {
                self.observer.lemmas(*location, &self.arena, &[*formula]);
            }
        }
        invariant(&self.arena, formulas)
    }
}

/// Locations between heads that have formulas, too. Edges to locations that are no heads lead to larger
/// positions.
pub(super) fn between(
    automaton: &Automaton,
    relevant: &Relevant,
    is_head: &[bool],
    position: &[usize],
) -> Vec<bool> {
    let mut is_cut = vec![false; automaton.locations.len()];
    let mut distance = vec![0_usize; automaton.locations.len()];
    let mut order: Vec<LocationId> = automaton
        .location_ids()
        .filter(|&location| relevant.contains(location) && !automaton.is_sink(location))
        .collect();
    order.sort_by_key(|location| position[location.index()]);
    for location in order {
        if is_head[location.index()] {
            continue;
        }
        let before = relevant.incoming[location.index()].iter().map(|&edge| {
            let edge = automaton.edge(edge);
            distance[edge.source.index()] + edge.command.arcs().len().max(1)
        });
        let longest = before.max().unwrap_or(0);
        is_cut[location.index()] = longest >= SPACING;
        distance[location.index()] = if longest >= SPACING { 0 } else { longest };
    }
    is_cut
}
