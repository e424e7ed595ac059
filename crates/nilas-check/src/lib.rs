//! Nilas as a library: [`check`] takes a [`Task`] and [`Options`] and returns an [`Answer`].
//!
//! Everything between the input and what is told to a person is here: reading, engines side by side, bounds
//! that are raised, executions that are not real, proofs that say nothing, the second reading of C. Nothing
//! is printed; the command line parses and prints, and so may others.
//!
//! ```
//! use nilas_check::{Conclusion, Language, Options, Silent, Task, check};
//!
//! let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
//!             int main(void) {
//!                 int x = __VERIFIER_nondet_int();
//!                 if (x > 10 && x * 2 == 26) reach_error();
//!                 return 0;
//!             }";
//! let task = Task::of_c_text("thirteen.c", text, Language::default());
//! let answer = check(&task, &Options::default(), &mut Silent)?;
//! assert_eq!(answer.verdict(), "unsafe");
//! match &answer.summary.conclusion {
//!     Conclusion::Safe(_) => println!("the error cannot be reached"),
//!     Conclusion::Unsafe(_) => println!("in {} steps", answer.trace().map_or(0, |it| it.course.steps)),
//!     Conclusion::Reached(reached) => println!("{}: {}", reached.place, reached.what),
//!     Conclusion::Unknown(why) => println!("nobody knows: {why}"),
//! }
//! # Ok::<(), nilas_check::Refusal>(())
//! ```
//!
//! What it promises:
//!
//! - A verdict has evidence that was accepted by the checker, says something about the real program, and is
//!   not contradicted by the second reading of C ([`verify`] holds saved evidence to the same).
//! - [`check`] returns soon after a limit of [`LimitOptions`] was reached, and leaves no thread behind. All
//!   that works looks at a budget.
//! - A file is read once. It never panics on any input.

mod answer;
mod board;
mod challenge;
mod check;
mod confirm;
mod course;
mod definition;
mod explain;
mod finding;
mod frames;
mod gate;
mod input;
mod leads;
mod limits;
mod models;
mod nonlinear;
mod observer;
mod options;
mod page;
mod path;
mod places;
mod portfolio;
pub mod process;
mod project;
mod real;
mod refusal;
mod replay;
mod saved;
mod search;
mod session;
mod system;
mod targets;
mod task;
mod turns;
mod validate;
mod verify;
mod violation;
mod watch;
mod witness;

pub use answer::{Answer, Goal, Parts, Shown, Standing, Target};
pub use definition::{Asked, Definition, Specification, specification};
pub use input::{Input, read_bytes, read_text};
pub use limits::{Clock, Stopper};
pub use nilas_report::{Assumption, Cause, Conclusion, Confirmation, Finding, Reached, Summary, Why};
pub use observer::{Observer, Silent, Status, Warning};
pub use options::{LimitOptions, Options, Recording, Unreplayed};
pub use places::Place as CheckedPlace;
pub use refusal::{Refusal, RefusalKind};
pub use session::Session;
pub use task::{CProgram, Language, Task, Text};
pub use validate::Validated;
pub use verify::Verified;
pub use witness::WitnessFormat;

/// The kinds of behaviour of the reference interpreter that violate one of some properties.
#[must_use]
pub fn kinds_of(properties: Option<nilas_c::Properties>) -> nilas_run::Kinds {
    violation::kinds(properties.unwrap_or_default())
}

/// Checks a program; see the text of the crate.
///
/// # Errors
/// When the program cannot be read, or a bug in Nilas shows.
pub fn check(task: &Task, options: &Options, observer: &mut dyn Observer) -> Result<Answer, Refusal> {
    Session::start(&options.limits).check(task, options, observer)
}

/// Checks evidence that [`Answer::evidence_file`] gave, against a program.
///
/// # Errors
/// When the program or the evidence cannot be read, or a bug in Nilas shows.
pub fn verify(task: &Task, evidence: &Text, options: &Options) -> Result<Verified, Refusal> {
    Session::start(&options.limits).verify(task, evidence, options)
}
