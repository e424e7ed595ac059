//! The automaton reduced to what may matter for reaching a sink ([`nilas_program::procedures::slice`]).
//!
//! What is told of edges is told of those that are left. Where a condition is forgotten, a variable that holds
//! anything says which way executions go: then their inputs determine them, and repeating one needs no search.

use super::Builder;
use crate::lower::HavocOrigin;
use nilas_program::procedures::{Module, Owners, Reach, Slice, slice};
use nilas_program::{Basic, Command, Edge, EdgeId, Havoc, HavocSite, LocationId, Program, VarId};
use nilas_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

impl Builder {
    /// Leaves out what does not matter. Nothing may be under construction.
    pub(in crate::lower) fn slice(&mut self, reach: Reach) {
        let variables = vec![None; self.automaton.variables.len()];
        let targets = vec![self.automaton.error];
        let module = Module {
            program: Program { arena: self.arena.clone(), automaton: self.automaton.clone() },
            targets,
            procedures: self.procedures.clone(),
            calls: std::mem::take(&mut self.calls),
            owners: Owners { variables, locations: self.owners.clone() },
        };
        let before = std::mem::take(&mut self.automaton.edges);
        let Slice { module, edges } = slice(&module, reach);
        self.automaton = module.program.automaton;
        self.calls = module.calls;
        let place = |(number, edge): (usize, &Option<EdgeId>)| Some(((*edge)?, EdgeId::new(number)));
        let left: FxHashMap<EdgeId, EdgeId> = edges.iter().enumerate().filter_map(place).collect();
        self.places.retain_mut(|it| moved(&left, &mut it.edge));
        self.undefined.retain_mut(|it| moved(&left, &mut it.edge));
        for check in &mut self.checks {
            check.edges.retain_mut(|edge| moved(&left, edge));
        }
        for (place, _) in &mut self.presumed {
            *place = place.and_then(|(edge, step)| Some((*left.get(&edge)?, step)));
        }
        self.choose_ways(&before, &edges);
    }

    /// Where conditions of edges that leave a location are forgotten, a choice takes their place.
    fn choose_ways(&mut self, before: &[Edge], origins: &[Option<EdgeId>]) {
        let mut leaving: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        for (number, edge) in self.automaton.edges.iter().enumerate() {
            leaving.entry(edge.source).or_default().push(number);
        }
        for call in &self.calls {
            leaving.remove(&call.source);
        }
        let forgets = |&number: &usize| {
            let now = conditions(&self.automaton.edges[number].command);
            origins[number].is_none_or(|edge| conditions(&before[edge.index()].command) > now)
        };
        leaving.retain(|_, ways| ways.len() > 1 && ways.iter().any(forgets));
        let mut choices: BTreeMap<u32, (VarId, Term)> = BTreeMap::new();
        let mut longer: FxHashSet<EdgeId> = FxHashSet::default();
        let inside = self.inside;
        for (source, ways) in leaving {
            let width = usize::BITS - (ways.len() - 1).leading_zeros();
            let known = choices.get(&width).copied();
            let (variable, term) = known.unwrap_or_else(|| self.new_variable("%way", &Sort::BitVec(width)));
            choices.insert(width, (variable, term));
            self.inside = self.owners[source.index()];
            let chosen = self.new_location();
            self.entered[chosen.index()] = true;
            for (way, &number) in ways.iter().enumerate() {
                let this = self.arena.bv(width, way as u64);
                let is_this = match way + 1 == ways.len() {
                    true => self.arena.bv_ule(this, term),
                    false => self.arena.eq(term, this),
                };
                let edge = &mut self.automaton.edges[number];
                let choice = Command::basic(Basic::Assume(is_this), edge.span);
                edge.source = chosen;
                edge.command = Command::sequence(&[choice, edge.command.clone()]);
                longer.insert(EdgeId::new(number));
            }
            let span = self.automaton.location(source).span;
            let site = HavocSite::new(self.automaton.havocs.len());
            self.automaton.havocs.push(Havoc { variable, span });
            self.origins.push(HavocOrigin::AddressRelation);
            let command = Command::basic(Basic::Havoc(variable, site), span);
            self.automaton.edges.push(Edge { source, target: chosen, command, span });
        }
        self.inside = inside;
        // The choice is the first step.
        let undefined = self.undefined.iter_mut().filter(|it| longer.contains(&it.edge));
        undefined.for_each(|it| it.step += 1);
        let presumed = self.presumed.iter_mut().filter_map(|(place, _)| place.as_mut());
        presumed.filter(|(edge, _)| longer.contains(edge)).for_each(|(_, step)| *step += 1);
    }
}

/// How many conditions a command has.
fn conditions(command: &Command) -> usize {
    command.arcs().iter().filter(|arc| matches!(arc.basic, Basic::Assume(_))).count()
}

/// Says which edge it is now; whether there is one.
fn moved(left: &FxHashMap<EdgeId, EdgeId>, edge: &mut EdgeId) -> bool {
    left.get(edge).map(|&now| *edge = now).is_some()
}
