//! Evidence for verdicts, its checker and its replayer: the trusted core of Nilas.
//!
//! A verdict is believed because of what is in this crate, so it is small and plain. It states its questions
//! with a region encoder and a bit-blaster of its own. Anybody may search for the answers, but
//! *unsatisfiable* counts only with a proof that was checked here, step by step; executions are for the
//! interpreter alone. What it trusts besides itself: the terms (whose rewrite rules are proved exhaustively
//! in their tests), the interpreter and the machine.

mod answers;
mod arrays;
mod check;
mod congruence;
mod contracts;
mod cutset;
mod encoder;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod encoder_tests;
mod evidence;
mod excerpt;
mod fingerprint;
mod floats;
mod gates;
pub mod header;
mod induction;
mod intervals;
mod premises;
mod proof;
mod record;
mod region;
mod rejection;
mod replay;
mod run;
mod sharing;
mod straight;
mod system;
pub mod text;
mod unwinding;

pub use answers::{Answer, Answers, Checked, check_answers};
pub use check::{Account, Verdict, check, check_with};
pub use contracts::{check_contracts, check_translation, check_with_calls, entry_name};
pub use evidence::{Contract, Contracts, Evidence, Execution, Induction, Invariant, Step, Unwinding};
pub use excerpt::excerpt;
pub use fingerprint::Fingerprint;
pub use header::{Form, Header};
pub use induction::conjuncts;
pub use premises::Premises;
pub use proof::{Counts, Listener, Question};
pub use record::{Course, Seen};
pub use rejection::Rejection;
pub use replay::{Trace, TraceStep, follow, replay, watch};
pub use run::{Ended, run};
pub use straight::{Choice, replay_with};
pub use system::{Moment, SystemEvidence, SystemInvariant, SystemTrace, check_system};
