//! Facts that engines at work on one program tell each other.
//!
//! An engine publishes through its [`Port`] what it has found out, and looks there now and then for what
//! others have. Facts are about the program as given: a port carries them there from the program that its
//! engine works on (through the passes, variables by name), and back.
//!
//! **Nobody believes a fact.** A receiver keeps of it what it can show itself:
//! - formulas at locations by [`Shown`]: the part of them that is inductive together, with what was shown
//!   before. So they can be used in any way, and be part of evidence;
//! - that no sink is near ([`Fact::Depth`]), by asking later what it has put off;
//! - states ([`Fact::Reached`]) only ever keep formulas from being tried.
//!
//! So a fact that is false costs time, and never a verdict. Without an exchange a port is closed: nothing
//! comes, and what is published goes nowhere.

mod board;
mod frames;
mod port;
mod shown;

pub use board::Exchange;
pub(crate) use frames::publish_frames;
pub use port::Port;
pub(crate) use shown::{Own, Shown};

use nilas_program::LocationId;
use nilas_term::{Term, Value};

/// Something that an engine has found out. Locations and terms are those of the engine's program.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A formula that holds whenever executions are at a location.
    Invariant(LocationId, Term),
    /// One that holds there as far as was looked, or that was of use.
    Lemma(LocationId, Term),
    /// A condition through which an abstraction looks at a location.
    Predicate(LocationId, Term),
    /// No sink can be reached in so many steps.
    Depth(u64),
    /// Values of some variables in a state that executions reach at a location.
    Reached(LocationId, Vec<(Term, Value)>),
}

/// What counts as a step: programs after different passes have different edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Steps {
    /// An edge of the program as given.
    #[default]
    Given,
    /// An edge after all passes.
    Small,
    /// An edge between loops.
    Blocks,
}
