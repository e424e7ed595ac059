//! Passes: from an automaton to a smaller one, with the map that carries evidence back.
//!
//! Every pass keeps the variables and the `havoc` sites with their ids (one, [`few_values`], changes sorts of
//! variables), and its terms extend the old arena: a term of the old program means the same in the new one.
//! The result is well-formed. [`simplify`] runs all passes, each of which is a file here; [`large_blocks`]
//! only folds loop-free pieces.

mod back_map;
mod branches;
mod constants;
mod copies;
mod cuts;
mod few_values;
mod flow;
mod large_block;
mod liveness;
mod merge;
mod simplify;
#[cfg(test)]
mod testing;

pub use back_map::{BackMap, EdgeMap, Recoded, Vanished};
pub use few_values::few_values;
pub(crate) use large_block::fold_blocks;
pub use large_block::{large_blocks, large_blocks_within};
pub use liveness::LiveVariables;
pub use simplify::{PassSize, Simplified, simplify};
