//! What engines at work tell, from their threads.

use crate::models::{self, Model, Models};
use crate::observer::Status;
use nilas_engine::{EngineRef, Observer, Progress, Report};
use nilas_evidence::Evidence;
use nilas_smt::Solver;
use nilas_smt::record::Tape;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is known of an engine at work.
#[derive(Default)]
struct Slot {
    progress: Progress,
    found: Option<Found>,
}

/// Evidence that is being checked.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) evidence: Evidence,
    /// How long it took to find.
    pub(crate) after: Duration,
}

/// What comes from the threads of engines.
pub(crate) enum Message {
    /// Something that a person following the algorithm wants to read.
    Event(String),
    /// An engine has ended, by the order in which they were started.
    Ended(usize, Box<Report>),
}

/// A slot per engine, by the order in which they were started.
pub(crate) struct Board {
    slots: Arc<Mutex<Vec<Slot>>>,
    started: Instant,
    models: Models,
}

impl Board {
    /// The models of the engines go to `models`.
    pub(crate) fn new(models: Models) -> Self {
        Board { slots: Arc::default(), started: Instant::now(), models }
    }

    /// An observer for an engine's thread, which records the queries of its solvers if there is a tape, and
    /// sends events where somebody wants them. `frames` says whether somebody wants the engine's frames.
    pub(crate) fn observer(
        &self,
        engine: EngineRef,
        tape: Option<Tape>,
        events: Option<SyncSender<Message>>,
        frames: bool,
    ) -> Watcher {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.push(Slot::default());
        let slot = slots.len() - 1;
        let (slots, started, models) = (Arc::clone(&self.slots), self.started, self.models.clone());
        Watcher { slots, started, engine, slot, events, tape, calls: 0, models, met: 0, frames }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What all engines do.
    pub(crate) fn status(&self) -> Vec<Status> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let status = |slot: &Slot| {
            let found = slot.found.as_ref().map(|found| found.after);
            Status { progress: slot.progress, found }
        };
        slots.iter().map(status).collect()
    }

    /// The evidence of an engine, if it is being checked.
    pub(crate) fn found(&self, slot: usize) -> Option<Found> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).get(slot)?.found.clone()
    }

    /// Which engines' evidence is being checked.
    pub(crate) fn checking(&self) -> Vec<bool> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.iter().map(|slot| slot.found.is_some()).collect()
    }

    /// The engine has ended, and so has the checker.
    pub(crate) fn ended(&self, slot: usize) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get_mut(slot) {
            slot.found = None;
        }
    }
}

/// Tells the board what one engine does.
pub(crate) struct Watcher {
    slots: Arc<Mutex<Vec<Slot>>>,
    started: Instant,
    engine: EngineRef,
    slot: usize,
    events: Option<SyncSender<Message>>,
    tape: Option<Tape>,
    calls: u32,
    models: Models,
    /// How many models the engine had.
    met: u64,
    frames: bool,
}

impl Observer for Watcher {
    fn progress(&mut self, progress: &Progress) {
        // This is called in inner loops. (By calls and not by the clock, so that the same is told every
        // time.)
        let told = self.calls.is_multiple_of(16);
        self.calls = self.calls.wrapping_add(1);
        if !told {
            return;
        }
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)[self.slot].progress = *progress;
    }

    fn event(&mut self, event: &dyn Fn() -> String) {
        if let Some(events) = &self.events {
            // Nobody listens any more when another engine has decided.
            let _ = events.send(Message::Event(event()));
        }
    }

    fn found(&mut self, evidence: &Evidence) {
        let engine = self.engine;
        self.event(&|| format!("checking evidence of {engine}"));
        let found = Found { evidence: evidence.clone(), after: self.started.elapsed() };
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut slots[self.slot];
        // An engine may be done before it has told of any progress.
        slot.progress.engine = self.engine.name();
        slot.found = Some(found);
    }

    fn wants_frames(&self) -> bool {
        self.frames
    }

    fn wants_inputs(&mut self) -> bool {
        self.met += 1;
        models::is_wanted(self.met - 1)
    }

    fn inputs(&mut self, inputs: Model) {
        self.models.add(inputs);
    }

    fn solver(&mut self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        match &self.tape {
            Some(tape) => Box::new(tape.record(solver)),
            None => solver,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_on_the_board_while_it_is_checked() {
        let board = Board::new(Models::default());
        let mut observers =
            ["bmc", "ic3cfa"].map(|name| board.observer(name.parse().unwrap(), None, None, false));
        assert_eq!(board.checking(), [false, false]);
        observers[1].found(&Evidence::Run);
        assert_eq!(board.checking(), [false, true]);
        assert!(board.found(0).is_none() && board.found(1).is_some() && board.found(2).is_none());
        board.ended(1);
        assert_eq!(board.checking(), [false, false]);
    }
}
