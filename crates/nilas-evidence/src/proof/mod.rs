//! Answers with proofs.
//!
//! The checker states its questions as clauses, in a database of its own ([`clauses`]). Who answers them is
//! not trusted: an unsatisfiable answer counts only with a proof that was checked step by step while it came
//! ([`prover`], [`stream`], [`tracer`]). What a reader who doubts has to read is [`clauses`] and the
//! [`rules`]; the prover can lose proofs, and then the checker decides by itself
//! ([`prover::Prover::decide_alone`]).

mod clauses;
mod prover;
mod rules;
mod stream;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tampering;
#[cfg(feature = "cadical")]
mod tracer;

pub(crate) use prover::Prover;
pub use prover::{Counts, Listener, Question};
