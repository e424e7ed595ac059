//! How to check.

use nilas_engine::{EngineRef, Registry, Settings};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// How to look for an answer.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Use this engine alone; without it, several run side by side and the first accepted evidence decides.
    pub engine: Option<EngineRef>,
    /// These run side by side, instead of those that the registry says.
    pub portfolio: Vec<EngineRef>,
    /// Engines side by side tell each other nothing.
    pub no_exchange: bool,
    /// Engines side by side take turns by counted work, so that the same input gives the same answer; limits
    /// of time excepted.
    pub deterministic: bool,
    /// The engines that there are, and which of them run side by side.
    pub registry: Registry,
    /// Settings of the engines.
    pub settings: Settings,
    /// How long the checker may take for a piece of evidence.
    pub checker_time: Option<Duration>,
    /// How many cores it may use; if that is not said, all there are.
    pub checker_threads: Option<NonZero<usize>>,
    /// What to say of an execution that could not be repeated by the reference interpreter.
    pub unreplayed: Unreplayed,
    /// Find out what the engine did, for people.
    pub explain: bool,
    /// Record what an execution of a C program to the error does, for people.
    pub trace: bool,
    /// Keep what the engine held at the end, frame by frame, for people.
    pub frames: bool,
    /// Find an interpretation of every predicate (Horn clauses) or the invariant of the states (VMT, BTOR2).
    pub model: bool,
    /// Look at Horn clauses as one transition relation instead of an automaton with a location per predicate.
    pub one_relation: bool,
    /// Make locations of the control that the state of a system has, where some is found.
    pub unfold: bool,
    /// The evidence is going to be saved: a question is refused whose evidence has no file format.
    pub save: bool,
    /// Record what engines ask their solvers.
    pub record: Option<Recording>,
    /// What it may cost.
    pub limits: LimitOptions,
}

impl Options {
    /// How many cores the evidence checker may use.
    #[must_use]
    pub fn cores(&self) -> NonZero<usize> {
        let all = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.checker_threads.unwrap_or_else(all)
    }
}

/// See [`Options::unreplayed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unreplayed {
    /// Unsafe: its evidence was accepted.
    #[default]
    Unsafe,
    /// Unknown.
    Unknown,
}

/// Where queries are recorded: as incremental SMT-LIB scripts, see [`nilas_smt::record`].
#[derive(Clone, Debug)]
pub struct Recording {
    /// The name of the first script, from which those of the others come.
    pub path: PathBuf,
    /// How much is recorded, all scripts together.
    pub megabytes: u64,
}

/// What a session may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimitOptions {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Processor time of this process from the start of the session on, where the system tells.
    pub processor_time: Option<Duration>,
    /// Megabytes that this process may hold; if that is not said, most of what there is.
    pub megabytes: Option<u64>,
}
