//! Sorts, exact values, hash-consed terms, simplifier, evaluator, SMT-LIB text; literals and cubes; and the
//! budget of a piece of work, which everything above needs.

mod arena;
mod array_value;
mod bitvec;
pub mod budget;
mod build;
mod cube;
mod derived;
mod eval;
mod float;
mod fold;
mod import;
mod op;
mod simplify;
pub mod smtlib;
mod sort;
mod sorting;
mod subst;
mod term;
#[cfg(test)]
mod testing;
mod value;
mod vars;

pub use arena::{Arena, Signature, SortId, SymbolId, ValueId};
pub use array_value::ArrayValue;
pub use bitvec::BitVec;
pub use budget::{Budget, CancelFlag, Holdings, Interrupt, Turn, Turns};
pub use cube::Cube;
pub use eval::{EvalError, Evaluator, Model};
pub use float::Format;
pub use fold::apply;
pub use import::Importer;
pub use op::Op;
pub use sort::{ArraySort, Sort};
pub use sorting::{MAX_WIDTH, SortError};
pub use subst::Substitution;
pub use term::Term;
pub use value::{FloatValue, RoundingMode, Value};
