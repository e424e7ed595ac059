//! Edges of automata as formulas: what engines that follow them have in common.

pub(crate) mod execution;
pub(crate) mod lift;
pub(crate) mod path;
pub(crate) mod project;
pub(crate) mod transition;
