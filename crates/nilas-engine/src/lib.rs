//! The engines of Nilas, and what they share.
//!
//! An engine takes an automaton, a budget and an observer, and returns an [`Outcome`]. It knows nothing of C, prints nothing,
//! and its word is not trusted: [`verify`] maps its evidence back to the automaton as lowered and has it checked.

mod atoms;
mod bmc;
mod execution;
mod ic3cfa;
mod lift;
mod observer;
mod outcome;
mod path;
mod predabs;
mod project;
mod recorder;
mod transition;
mod verify;

pub use bmc::{Settings as BmcSettings, bmc};
pub use ic3cfa::{Settings as Ic3CfaSettings, Technique, Techniques, ic3cfa};
pub use observer::{Counters, Observer, Progress, Silent, Work};
pub use outcome::{Outcome, Proof, Unknown};
pub use predabs::{Abstraction, Settings as PredAbsSettings, pred_abs};
pub use recorder::{Journal, Tally};
pub use verify::{Engine, Options, Report, Verdict, verify};
