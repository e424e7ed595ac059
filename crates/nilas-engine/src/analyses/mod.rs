//! What can be seen of an automaton, or of a formula, without a search.

pub(crate) mod atoms;
pub(crate) mod differences;
pub(crate) mod houdini;
pub(crate) mod intervals;
pub(crate) mod landmarks;
pub(crate) mod relevant;
