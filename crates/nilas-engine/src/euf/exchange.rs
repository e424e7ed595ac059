//! Facts that come from other engines, and go to them.
//!
//! Bounds and equalities that others have found are what EUF knows nothing of. Of these the engine keeps what
//! it can show to be inductive ([`Shown`]); solvers of the edges behind a location are told, and the proof
//! contains them, since frames are inductive with them only. Published are the lemmas of the frontier, whose
//! concretisations are themselves, and how far the frontier is.

use super::{EufIc3, Uninterpreted};
use crate::exchange::{self, Fact, Port, Shown};
use crate::outcome::{Unknown, invariant};
use crate::pdr::Level;
use crate::relevant::Relevant;
use nilas_evidence::Invariant;
use nilas_program::{LocationId, Program};
use nilas_smt::{Budget, Interrupt, Solver};
use nilas_term::{Importer, Term};

/// Lemmas of the frontier that are published of a location at a time, the newest ones.
const LEMMAS: usize = 16;

/// What is exchanged.
pub(super) struct Exchanged<'a> {
    port: &'a mut Port,
    shown: Shown,
    transitions: exchange::Own<'a>,
}

impl<'a> Exchanged<'a> {
    pub(super) fn new(
        program: &'a Program,
        relevant: &Relevant,
        port: &'a mut Port,
        budget: &'a Budget,
    ) -> Result<Self, Interrupt> {
        let shown = Shown::new(program, relevant, budget)?;
        let transitions = exchange::Own::new(&program.automaton, relevant, budget);
        Ok(Exchanged { port, shown, transitions })
    }
}

impl EufIc3<'_, '_> {
    /// Publishes the lemmas that others may want.
    pub(super) fn publish(&mut self) {
        let Uninterpreted { exchange: Exchanged { port, .. }, automaton, sinks, .. } = &mut self.instance;
        if !port.is_open() {
            return;
        }
        for location in automaton.location_ids() {
            let newest = self.frames.lemmas(location).iter().rev();
            let frontier = newest.filter(|lemma| lemma.level.next() >= self.level).take(LEMMAS);
            for lemma in frontier {
                let fact = match lemma.level {
                    Level::INFINITE => Fact::Invariant(location, lemma.clause),
                    _ => Fact::Lemma(location, lemma.clause),
                };
                port.publish(&mut self.arena, &fact);
            }
        }
        if sinks.all_are_left() {
            // Before the last level was added, no state of the frontier led to a sink.
            let depth = u64::from(self.level.0).saturating_sub(1);
            port.publish(&mut self.arena, &Fact::Depth(depth));
        }
    }

    /// Takes what others published, and tells the solvers of what can be shown.
    pub(super) fn take_facts(&mut self) -> Result<(), Unknown> {
        let Uninterpreted { exchange, automaton, solvers, outgoing, .. } = &mut self.instance;
        let Exchanged { port, shown, transitions } = exchange;
        if !port.is_open() {
            return Ok(());
        }
        let work: u64 =
            solvers.iter().flatten().map(|solver| solver.frame.stats().sat_solver.propagations).sum();
        let new = shown.take(&mut self.arena, automaton, transitions, port, self.budget, work)?;
        port.used(new.len());
        for (location, formula) in new {
            for edge in &outgoing[location.index()] {
                if let Some(solver) = &mut solvers[edge.index()] {
                    solver.frame.solver.assert(&self.arena, formula);
                }
            }
        }
        Ok(())
    }

    /// An invariant together with what was shown of others' facts.
    pub(super) fn with_shown(&mut self, found: Invariant) -> Result<Invariant, Unknown> {
        let automaton = self.instance.automaton;
        let shown = &self.instance.exchange.shown;
        if automaton.location_ids().all(|location| shown.at(location).is_empty()) {
            return Ok(found);
        }
        let mut importer = Importer::new();
        let mut formulas: Vec<(LocationId, Term)> = Vec::with_capacity(found.formulas.len());
        for (&location, &formula) in &found.formulas {
            let formula = importer.import(&mut self.arena, &found.arena, formula);
            let formula = formula.map_err(|error| Unknown::Internal(error.to_string()))?;
            let all: Vec<Term> = shown.at(location).iter().copied().chain([formula]).collect();
            formulas.push((location, self.arena.and(&all)));
        }
        invariant(&self.arena, formulas)
    }
}
