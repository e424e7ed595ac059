//! Facts that come from other engines, and go to them.
//!
//! Bounds and equalities that others have found are what EUF knows nothing of. Of these the engine keeps
//! what it can show to be inductive ([`Shown`]), and makes lemmas of it that hold at all levels: so frames,
//! and the evidence made of them, have what they rest on. Published are the lemmas of frames, which say the
//! same of values as of partitions, and how far the frontier is.
//!
//! Refinement lemmas are not published: they hold of all values, so they tell engines nothing that look at
//! values.

use super::{EufIc3, Uninterpreted};
use crate::analyses::houdini::effort;
use crate::exchange::{self, Port, Shown, publish_frames};
use crate::outcome::Unknown;
use crate::pdr::{Level, Map};
use crate::relevant::Relevant;
use nilas_program::Program;
use nilas_smt::{Budget, Interrupt};
use nilas_term::Cube;

/// What is exchanged.
pub(super) struct Exchanged<'a> {
    pub(super) port: &'a mut Port,
    shown: Shown,
    /// Edges as relations over values: for showing facts.
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
        let Uninterpreted { exchange: Exchanged { port, .. }, map: Map { automaton, sinks, .. }, .. } =
            &mut self.instance;
        let clear = sinks.all_are_left();
        publish_frames(port, &mut self.arena, automaton, &self.frames, self.level, clear);
    }

    /// Takes what others published, and makes lemmas of what can be shown.
    pub(super) fn take_facts(&mut self) -> Result<(), Unknown> {
        let Uninterpreted { exchange, map: Map { automaton, solvers, .. }, .. } = &mut self.instance;
        let Exchanged { port, shown, transitions } = exchange;
        if !port.is_open() {
            return Ok(());
        }
        let work = solvers.iter().flatten().map(|solver| effort(&solver.frame.stats())).sum();
        let asked = shown.checks;
        let new = shown.take(&mut self.arena, automaton, transitions, port, self.budget, work)?;
        port.used(new.len());
        let asked = shown.checks - asked;
        self.instance.concrete += asked;
        for (location, formula) in new {
            let violated = self.arena.not(formula);
            self.add_lemma(Level::INFINITE, location, Cube::new([violated]));
        }
        Ok(())
    }
}
