//! Sorts, exact values, hash-consed terms, simplifier, evaluator, SMT-LIB text; literals and cubes.

mod arena;
mod bitvec;
mod build;
mod op;
mod simplify;
pub mod smtlib;
mod sort;
mod sorting;
mod term;
mod value;

pub use arena::{Arena, Signature, SortId, SymbolId, ValueId};
pub use bitvec::BitVec;
pub use op::Op;
pub use sort::{ArraySort, Sort};
pub use sorting::{MAX_WIDTH, SortError};
pub use term::Term;
pub use value::{ArrayValue, FloatValue, RoundingMode, Value};
