//! The live line: what the engines are doing, on a terminal only.

use crate::models::{self, Model, Models};
use nilas_engine::{Engine, Observer, Progress};
use nilas_evidence::Evidence;
use nilas_smt::Solver;
use nilas_smt::record::Tape;
use std::io::{IsTerminal, Write};
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

/// A slot per engine.
type Board = Arc<Mutex<Vec<Slot>>>;

/// Shows the progress of all engines in one line of standard error.
pub(crate) struct Live {
    board: Board,
    started: Instant,
    enabled: bool,
    shown: bool,
    models: Models,
}

impl Live {
    /// A line unless `quiet`; the models of the engines go to `models`.
    pub(crate) fn new(quiet: bool, models: Models) -> Self {
        let enabled = !quiet && std::io::stderr().is_terminal();
        Live { board: Board::default(), started: Instant::now(), enabled, shown: false, models }
    }

    /// An observer for an engine's thread, which records the queries of its solvers if there is a tape.
    pub(crate) fn observer(&self, engine: Engine, verbose: bool, tape: Option<Tape>) -> LiveObserver {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.push(Slot::default());
        let slot = board.len() - 1;
        let (board, started, models) = (Arc::clone(&self.board), self.started, self.models.clone());
        LiveObserver { board, started, engine, slot, verbose, tape, last: None, calls: 0, models, met: 0 }
    }

    /// The evidence of the engine that was started as number `slot`, if it is being checked.
    pub(crate) fn found(&self, slot: usize) -> Option<Found> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner).get(slot)?.found.clone()
    }

    /// Which engines' evidence is being checked, by the order in which they were started.
    pub(crate) fn checking(&self) -> Vec<bool> {
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.iter().map(|slot| slot.found.is_some()).collect()
    }

    /// The engine has ended, and so has the checker.
    pub(crate) fn ended(&self, slot: usize) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = board.get_mut(slot) {
            slot.found = None;
        }
    }

    /// Draws the line anew.
    pub(crate) fn draw(&mut self) {
        let seconds = self.started.elapsed().as_secs_f64();
        if !self.enabled || seconds < 0.2 {
            return;
        }
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = format!("{seconds:6.1} s");
        for Slot { progress, found } in board.iter().filter(|slot| !slot.progress.engine.is_empty()) {
            let Progress { engine, frame, lemmas, nodes, obligations, .. } = progress;
            if let Some(found) = found {
                let since = seconds - found.after.as_secs_f64();
                line.push_str(&format!(" | checking evidence of {engine}, {since:.1} s"));
                continue;
            }
            line.push_str(&match nodes {
                0 => format!(" | {engine}: frame {frame}"),
                nodes => format!(" | {engine}: {nodes} nodes"),
            });
            if *lemmas > 0 || *obligations > 0 {
                line.push_str(&format!(", {lemmas} lemmas, {obligations} obligations"));
            }
        }
        line.truncate(150);
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        let _ = std::io::stderr().flush();
        self.shown = true;
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
}

/// Tells the board what one engine does.
pub(crate) struct LiveObserver {
    board: Board,
    started: Instant,
    engine: Engine,
    slot: usize,
    verbose: bool,
    tape: Option<Tape>,
    last: Option<Instant>,
    calls: u32,
    models: Models,
    /// How many models the engine had.
    met: u64,
}

impl Observer for LiveObserver {
    fn progress(&mut self, progress: &Progress) {
        // The clock is read rarely: this is called in inner loops.
        self.calls = self.calls.wrapping_add(1);
        if self.last.is_some() && !self.calls.is_multiple_of(16) {
            return;
        }
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last < Duration::from_millis(50)) {
            return;
        }
        self.last = Some(now);
        self.board.lock().unwrap_or_else(PoisonError::into_inner)[self.slot].progress = *progress;
    }

    fn event(&mut self, event: &dyn Fn() -> String) {
        if self.verbose {
            let _ = writeln!(std::io::stderr(), "{}", event());
        }
    }

    fn found(&mut self, evidence: &Evidence) {
        if self.verbose {
            let _ = writeln!(std::io::stderr(), "checking evidence of {}", self.engine);
        }
        let found = Found { evidence: evidence.clone(), after: self.started.elapsed() };
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut board[self.slot];
        // An engine may be done before it has told of any progress.
        slot.progress.engine = self.engine.name();
        slot.found = Some(found);
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
mod tests {
    use super::*;

    #[test]
    fn evidence_is_on_the_board_while_it_is_checked() {
        let live = Live::new(true, Models::default());
        let mut observers = [Engine::Bmc, Engine::Ic3Cfa].map(|engine| live.observer(engine, false, None));
        assert_eq!(live.checking(), [false, false]);
        observers[1].found(&Evidence::Run);
        assert_eq!(live.checking(), [false, true]);
        assert!(live.found(0).is_none() && live.found(1).is_some() && live.found(2).is_none());
        live.ended(1);
        assert_eq!(live.checking(), [false, false]);
    }
}
