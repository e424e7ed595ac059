//! Evidence for verdicts, its checker and its replayer: the trusted core of Nilas.
//!
//! A verdict is believed because of what is in this crate, so it is small and plain. It shares no search code
//! with the engines: its own region encoder and bit-blaster, another SAT core, and for executions the
//! interpreter alone. What it trusts besides itself: the terms (whose rewrite rules are proved exhaustively
//! in their tests), the interpreter and the machine.

mod arrays;
mod check;
mod cutset;
mod encoder;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod encoder_tests;
mod evidence;
mod floats;
mod region;
mod replay;
mod run;
mod straight;
pub mod text;

pub use check::{Rejection, Verdict, check};
pub use evidence::{Evidence, Execution, Invariant, Step, Unwinding};
pub use replay::{Trace, TraceStep, replay};
pub use run::{Ended, run};
pub use straight::{Choice, replay_with};
