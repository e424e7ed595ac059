//! Passes: from an automaton to a smaller one, with the map that carries evidence back.
//!
//! Every pass keeps the variables and the `havoc` sites with their ids, and its terms extend the old arena: a term of the
//! old program means the same in the new one. The result is well-formed, and each arc names its [`Origin`].

mod back_map;
mod large_block;

#[allow(unused_imports)] // for the module's text
use crate::command::Origin;

pub use back_map::{BackMap, EdgeMap};
pub use large_block::large_blocks;
