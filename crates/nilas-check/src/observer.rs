//! What is told while a check is on its way.

use crate::answer::Goal;
use nilas_engine::{EngineRef, Progress};
use nilas_report::Reach;
use std::fmt;
use std::time::Duration;

/// Listens to a check. All methods do nothing unless overridden, and all are called from one thread.
pub trait Observer: Send {
    /// Called about ten times in a second while engines run, with what each of them does.
    fn progress(&mut self, elapsed: Duration, engines: &[Status]) {
        let _ = (elapsed, engines);
    }

    /// Called when engines do not run any more.
    fn searched(&mut self) {}

    /// Whether [`Observer::event`] is of use. Asked once for a check.
    fn wants_events(&self) -> bool {
        false
    }

    /// Called for each thing that a person following the algorithms wants to read.
    fn event(&mut self, event: &str) {
        let _ = event;
    }

    /// Called for each thing that the user should know besides the answer. The answer has them all, too.
    fn warning(&mut self, warning: &Warning) {
        let _ = warning;
    }

    /// Called when one of several goals has its answer.
    fn goal(&mut self, goal: &Goal) {
        let _ = goal;
    }
}

/// An observer that does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// What is known of an engine at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// How far it is.
    pub progress: Progress,
    /// How long after the start its evidence was found that is being checked.
    pub found: Option<Duration>,
}

/// Something that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Files of a program differ in what they declare: messages of the front end.
    Differences(String),
    /// Queries are not all recorded.
    Unrecorded(String),
    /// Evidence of an engine was rejected, but that of another one was accepted: a bug in Nilas.
    Rejected {
        /// The engine.
        engine: EngineRef,
        /// What the checker said.
        why: String,
    },
    /// An execution does not satisfy an invariant: the two readings of C differ. No verdict rests on it.
    Lead(String),
    /// A function does not stay a procedure, and why.
    Inlined(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Differences(messages) => f.write_str(messages.trim_end()),
            Warning::Unrecorded(error) => write!(f, "nilas: warning: queries are not all recorded: {error}"),
            Warning::Rejected { engine, why } => write!(
                f,
                "nilas: warning: evidence of {engine} was rejected ({why}); the verdict below has accepted evidence"
            ),
            Warning::Lead(lead) => write!(f, "nilas: lead: {lead}"),
            Warning::Inlined(why) => write!(f, "nilas: calls are inlined of {why}"),
        }
    }
}

/// Passes warnings on, and keeps them for the answer.
pub(crate) struct Listener<'o> {
    pub(crate) observer: &'o mut dyn Observer,
    pub(crate) warnings: Vec<Warning>,
    /// How far engines were when they were looked at last.
    pub(crate) reach: Vec<Reach>,
}

impl<'o> Listener<'o> {
    pub(crate) fn new(observer: &'o mut dyn Observer) -> Self {
        Listener { observer, warnings: Vec::new(), reach: Vec::new() }
    }

    /// Notes how far engines are.
    pub(crate) fn reached(&mut self, engines: &[Status]) {
        let reach = |status: &Status| {
            let Progress { engine, frame, lemmas, nodes, .. } = status.progress;
            // The last frame is still being looked at.
            Reach { engine, steps: frame.saturating_sub(1), lemmas, nodes }
        };
        self.reach = engines.iter().map(reach).collect();
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.observer.warning(&warning);
        self.warnings.push(warning);
    }
}
