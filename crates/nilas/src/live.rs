//! The live line: what the engines are doing, on a terminal only.

use nilas_engine::{Observer, Progress};
use nilas_smt::Solver;
use nilas_smt::record::Tape;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The last progress of each engine.
type Board = Arc<Mutex<Vec<Progress>>>;

/// Shows the progress of all engines in one line of standard error.
pub(crate) struct Live {
    board: Board,
    started: Instant,
    enabled: bool,
    shown: bool,
}

impl Live {
    pub(crate) fn new(quiet: bool) -> Self {
        let enabled = !quiet && std::io::stderr().is_terminal();
        Live { board: Board::default(), started: Instant::now(), enabled, shown: false }
    }

    /// An observer for an engine's thread, which records the queries of its solvers if there is a tape.
    pub(crate) fn observer(&self, verbose: bool, tape: Option<Tape>) -> LiveObserver {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.push(Progress::default());
        let slot = board.len() - 1;
        LiveObserver { board: Arc::clone(&self.board), slot, verbose, tape, last: None, calls: 0 }
    }

    /// Draws the line anew.
    pub(crate) fn draw(&mut self) {
        let seconds = self.started.elapsed().as_secs_f64();
        if !self.enabled || seconds < 0.2 {
            return;
        }
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = format!("{seconds:6.1} s");
        for progress in board.iter().filter(|progress| !progress.engine.is_empty()) {
            let Progress { engine, frame, lemmas, nodes, obligations, .. } = progress;
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
    slot: usize,
    verbose: bool,
    tape: Option<Tape>,
    last: Option<Instant>,
    calls: u32,
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
        self.board.lock().unwrap_or_else(PoisonError::into_inner)[self.slot] = *progress;
    }

    fn event(&mut self, event: &dyn Fn() -> String) {
        if self.verbose {
            let _ = writeln!(std::io::stderr(), "{}", event());
        }
    }

    fn solver(&mut self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        match &self.tape {
            Some(tape) => Box::new(tape.record(solver)),
            None => solver,
        }
    }
}
