//! An execution of the C program as the reference interpreter recorded it ([`nilas_run::trace`]), for people:
//! a line for each step that matters.
//!
//! [`build`] makes a tree of the events: statements in order, calls and loops with what happens inside.
//! [`fold`] leaves out what is far from the failure until the rest can be read, [`open`] brings those calls
//! back that decide the failure, and [`text`] writes lines.

mod build;
mod fold;
mod json;
mod open;
mod steps;
mod text;

pub(crate) use json::json;
pub(crate) use steps::steps;
pub use text::{Trace, as_written};
pub(crate) use text::{function, place, shortened, statement, text};

use nilas_program::source::Span;

/// What is told of a step behind its text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Note {
    Branch(bool),
    Word(String),
    Change { name: String, value: String, owner: usize },
    Input { name: String, value: String },
    Uninitialised { name: String, value: String },
}

/// A piece of an execution.
#[derive(Clone, Debug)]
enum Node {
    /// A statement.
    Step { at: Span, text: String, core: String, notes: Vec<Note> },
    /// A call, as a part of the statement before.
    Call(Call),
    /// A loop.
    Loop(Loop),
    /// Events that were not kept.
    Gap(u64),
    /// The end.
    Failure { at: Span, what: Option<String>, parts: Vec<(String, String)> },
}

#[derive(Clone, Debug, Default)]
struct Call {
    /// Calls are numbered as they begin.
    number: usize,
    function: String,
    arguments: Vec<(String, String)>,
    /// How many calls are active inside.
    depth: usize,
    body: Vec<Node>,
    /// It has returned, perhaps with a value.
    returned: Option<Option<String>>,
    /// What happened behind it in the same statement.
    after: Vec<Note>,
}

#[derive(Clone, Debug, Default)]
struct Loop {
    head: Option<(Span, String, String)>,
    depth: usize,
    iterations: Vec<Iteration>,
    /// What happened when its condition did not hold.
    after: Vec<Note>,
    ended: bool,
}

#[derive(Clone, Debug, Default)]
struct Iteration {
    number: u64,
    notes: Vec<Note>,
    nodes: Vec<Node>,
}
