//! What an engine tells while it works.

use nilas_smt::Solver;
use std::collections::BTreeMap;

/// A moment in the work of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The engine's name.
    pub engine: &'static str,
    /// The frontier: frame of IC3, depth of BMC.
    pub frame: u64,
    /// Lemmas in force.
    pub lemmas: u64,
    /// Obligations waiting.
    pub obligations: u64,
    /// Questions asked to solvers so far.
    pub checks: u64,
}

/// Listens to an engine. All methods do nothing unless overridden.
pub trait Observer {
    /// Called often; must be quick.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Called once for each thing that a person following the algorithm wants to read (`-v`).
    fn event(&mut self, event: &dyn Fn() -> String) {
        let _ = event;
    }

    /// Called with each solver that the engine makes, before anything is asserted. What is returned is used in its place: the
    /// same solver, or one that listens to what it is asked and passes it on.
    fn solver(&mut self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        solver
    }
}

/// An observer that does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Counters by name, in a fixed order.
pub type Counters = BTreeMap<&'static str, u64>;
