//! Lemmas that come from other engines, and go to them.
//!
//! Of what others published, IC3CFA keeps what it can show to be inductive together with its own guesses, and
//! treats it as it treats these ([`candidates`](super::candidates)): what excludes an obligation becomes a
//! lemma at [`crate::pdr::Level::INFINITE`]. Published are its guesses that are inductive, the lemmas that hold at all
//! levels, those of the frontier, and how far the frontier is.

use super::technique::Technique;
use super::{Cfa, Ic3Cfa};
use crate::exchange::{Fact, Port, Shown, publish_frames};
use crate::outcome::Unknown;
use crate::pdr::Map;
use crate::relevant::Relevant;
use nilas_program::{LocationId, Program};
use nilas_smt::{Budget, Interrupt};
use nilas_term::Term;
use rustc_hash::FxHashSet;

/// What is exchanged.
pub(super) struct Exchanged<'a> {
    port: &'a mut Port,
    shown: Shown,
    /// What others have published and could be shown.
    received: FxHashSet<(LocationId, Term)>,
}

impl<'a> Exchanged<'a> {
    pub(super) fn new(
        program: &Program,
        relevant: &Relevant,
        port: &'a mut Port,
        budget: &Budget,
    ) -> Result<Self, Interrupt> {
        let shown = Shown::new(program, relevant, budget)?;
        Ok(Exchanged { port, shown, received: FxHashSet::default() })
    }
}

impl Ic3Cfa<'_, '_> {
    /// Formulas were guessed, and are inductive together.
    pub(super) fn guessed(&mut self, formulas: Vec<(LocationId, Term)>) {
        let Cfa { exchange, candidates, map, .. } = &mut self.instance;
        candidates.add(map.automaton.locations.len(), &formulas);
        for &(location, formula) in &formulas {
            exchange.port.publish(&mut self.arena, &Fact::Invariant(location, formula));
        }
        exchange.shown.add(formulas.into_iter());
    }

    /// Publishes the lemmas that others may want.
    pub(super) fn publish(&mut self) {
        let Cfa { exchange: Exchanged { port, .. }, map: Map { automaton, sinks, .. }, .. } =
            &mut self.instance;
        let clear = sinks.all_are_left();
        publish_frames(port, &mut self.arena, automaton, &self.frames, self.level, clear);
    }

    /// Takes what others published, and keeps what can be shown.
    pub(super) fn take_facts(&mut self) -> Result<(), Unknown> {
        if !self.instance.exchange.port.is_open() {
            return Ok(());
        }
        let work = self.effort_so_far();
        let Cfa { exchange, candidates, map: Map { automaton, solvers, .. }, .. } = &mut self.instance;
        let Exchanged { port, shown, received } = exchange;
        let asked = shown.checks;
        let new = shown.take(&mut self.arena, automaton, solvers, port, self.budget, work)?;
        self.statistics.relative_checks += shown.checks - asked;
        candidates.add(automaton.locations.len(), &new);
        received.extend(new);
        Ok(())
    }

    /// A formula has become a lemma.
    pub(super) fn count_used(&mut self, location: LocationId, formula: Term) {
        let Exchanged { port, received, .. } = &mut self.instance.exchange;
        if received.contains(&(location, formula)) {
            port.used(1);
        } else {
            self.instance.applied.count(Technique::Candidates, 1);
        }
    }
}
