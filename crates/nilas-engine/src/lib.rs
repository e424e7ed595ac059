//! The engines of Nilas, and what they share.
//!
//! An engine takes an automaton, a budget and an observer, and returns an [`Outcome`]. It knows nothing of C, prints nothing,
//! and its word is not trusted: [`verify`] maps its evidence back to the automaton as lowered and has it checked.

mod atoms;
mod bmc;
mod execution;
mod ic3;
mod ic3cfa;
mod level;
mod lift;
mod observer;
mod outcome;
mod path;
mod project;
mod transition;
mod verify;

pub use bmc::{Settings as BmcSettings, bmc};
pub use ic3::{Settings as Ic3Settings, SystemOutcome, Trace, TraceStep, ic3, ic3_system};
pub use ic3cfa::{Settings as Ic3CfaSettings, Technique, Techniques, ic3cfa};
pub use observer::{Counters, Observer, Progress, Silent, Work};
pub use outcome::{Outcome, Proof, Unknown};
pub use verify::{Engine, Options, Report, Verdict, verify};
