//! What there is to tell about a run.

use crate::explain::Explanation;
use crate::headline::Finding;
use crate::why::Why;
use nilas_c::Property;
use nilas_evidence::{Evidence, Trace};
use nilas_program::{LocationId, Span};
use nilas_run::trace::Course;
use nilas_term::{Arena, Term};
use std::collections::BTreeMap;

/// The answer to the user's question.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// The error cannot be reached, because of this evidence.
    Safe(Evidence),
    /// The error can be reached, as this evidence shows.
    Unsafe(Evidence),
    /// The error was reached when the program was run.
    Reached(Reached),
    /// Nothing is known, for this reason.
    Unknown(Why),
}

impl Conclusion {
    /// The verdict in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Conclusion::Safe(_) => "safe",
            Conclusion::Unsafe(_) | Conclusion::Reached(_) => "unsafe",
            Conclusion::Unknown(_) => "unknown",
        }
    }
}

/// An execution of the C program that reaches the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What is wrong.
    pub what: String,
    /// Where.
    pub place: String,
    /// The property that it violates, and the place in the user's text that answers for it.
    pub violates: Option<Violation>,
    /// The calls that lead there, the innermost first: function and place.
    pub stack: Vec<(String, String)>,
    /// The choices that the execution makes, in their order.
    pub choices: Vec<Made>,
    /// The same as a file of choices.
    pub text: String,
}

/// A property that is violated, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The file, as line markers name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The same as a part of the text, if it is known.
    pub span: Option<nilas_program::source::Span>,
}

/// A choice of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What it decides: `input`, `uninitialised`, …
    pub kind: &'static str,
    /// The function or variable.
    pub name: String,
    /// Where.
    pub place: String,
    /// The value.
    pub value: String,
}

/// Something that the answer rests on besides the text of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The word for its kind.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub text: String,
    /// Where the program gives rise to it.
    pub span: Span,
}

/// How far an engine came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The engine.
    pub engine: &'static str,
    /// Steps from the entry within which it met no error: frames of IC3, layers of BMC.
    pub steps: u64,
    /// Lemmas in force.
    pub lemmas: u64,
    /// Nodes of an abstract reachability tree.
    pub nodes: u64,
}

/// What an engine held about the locations of the automaton when it ended.
#[derive(Clone, Debug)]
pub struct Frames {
    /// The engine.
    pub engine: &'static str,
    /// The last frame; `None` if the engine has no frames.
    pub frontier: Option<u64>,
    /// Owner of the lemmas.
    pub arena: Arena,
    /// By location.
    pub places: BTreeMap<LocationId, FramesAt>,
}

/// The same at one location.
#[derive(Clone, Debug, Default)]
pub struct FramesAt {
    /// The first frame in which executions may be there; the ones before are *false*.
    pub first: u64,
    /// Lemmas, each with the last frame that it belongs to; `None` if it belongs to all.
    pub lemmas: Vec<(Term, Option<u64>)>,
    /// How many more there are.
    pub more: usize,
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Question {
    /// Whether the error can be reached: a failing assertion, or the error location of an automaton.
    #[default]
    Error,
    /// The same of a C program that has no assertion.
    NoAssertion,
    /// The same of one whose assertions all stand in code that is never executed.
    NoneExecuted,
}

/// An answer, and how it was found.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The answer.
    pub conclusion: Conclusion,
    /// What was asked.
    pub question: Question,
    /// What the execution of an *unsafe* answer violates, where the program is one in C.
    pub finding: Option<Finding>,
    /// What the execution of an *unsafe* answer does, step by step: replayed once, for all who look at it.
    pub trace: Option<Trace>,
    /// What it rests on.
    pub assumptions: Vec<Assumption>,
    /// The engine that found it.
    pub engine: Option<&'static str>,
    /// Named counters and times, in groups.
    pub statistics: Vec<(String, Vec<(String, f64)>)>,
    /// What came of repeating an execution in C: it reached the error there, or why it could not be repeated.
    pub replayed: Option<Result<Reached, String>>,
    /// What an execution of the C program to the error does: the one that was found or repeated, with simpler
    /// inputs where these lead to the same place.
    pub course: Option<Course>,
    /// How far the engines came, where nothing is known.
    pub reach: Vec<Reach>,
    /// What an engine held, where it is asked for: the one that decided, else one that has lemmas.
    pub frames: Option<Frames>,
    /// What the engine did, where it is asked for.
    pub explanation: Option<Explanation>,
}

impl Summary {
    /// A summary without statistics.
    #[must_use]
    pub fn of(conclusion: Conclusion, engine: Option<&'static str>) -> Self {
        Summary {
            conclusion,
            question: Question::default(),
            finding: None,
            trace: None,
            assumptions: Vec::new(),
            engine,
            statistics: Vec::new(),
            replayed: None,
            course: None,
            reach: Vec::new(),
            frames: None,
            explanation: None,
        }
    }
}
