//! The rules by which the clauses of a proof grow, a file for each.
//!
//! | rule | takes |
//! |---|---|
//! | [`definition`] | the clauses of a gate, if they only say what a new variable is |
//! | [`unit`] | a clause that follows by unit propagation from clauses that the step names |
//!
//! A rule adds a clause or refuses, and its promise is a sentence about why the clause may be added. Rules of
//! theories belong here when an engine brings proofs that need them. Arrays and functions need none: their
//! axioms are given as terms ([`crate::arrays`]), because the checker itself knows which instances it needs.

mod definition;
mod unit;
