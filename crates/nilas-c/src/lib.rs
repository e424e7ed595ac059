//! The C front end of Nilas: C text to a typed tree, and to a control-flow automaton.
//!
//! The way of the data inside this crate:
//!
//! ```text
//! files ─preprocess─▶ bytes ─lex─▶ tokens ─parse─▶ asts ─sema, link─▶ tree::Program ─lower─▶ nilas_program::Program
//! ```
//!
//! [`parse_program`] walks the way to the typed tree, [`lower()`] the rest. What it promises:
//!
//! - Whatever the input, it returns: either a [`tree::Program`] or a list of [`source::Diagnostic`]s. It
//!   never panics, prints or exits, nesting is bounded with a message, and the compiler that preprocesses has
//!   a time limit. Everything looks at the budget of its caller, and ends soon after that has.
//! - The same input and options give the same result.
//! - Nothing is dropped: constructs that Nilas cannot model (assembly, `longjmp`, threads) stay in the tree,
//!   so that whoever lowers the tree can refuse them where they are reached, and only there.
//!
//! Parsing and checking recurse over the nesting of the source, which the parser bounds
//! ([`Options::max_depth`]); chains that real programs make long (`a + b + c …`, `else if …`,
//! `case 1: case 2: …`) are handled by loops. The whole work runs on a thread with a large stack, so the
//! bound can be generous.

mod ast;
mod caller;
mod driver;

pub mod index;
mod interrupts;
mod lex;
mod library;
mod link;
mod lower;
mod parse;
pub mod preprocess;
mod property;
mod registers;
mod sema;

pub mod tree;

pub mod types;
pub mod waypoints;
mod work;

pub use lower::{
    Assumption, AssumptionKind, Bound, CallMode, Cell, Check, Emitted, FunctionResult, HavocOrigin, Head,
    LowerOptions, Lowered, Presumed, Slice, Typed, Undefined, UnknownFunctions, Unmodelled, Unset, lower,
    lower_within,
};

pub use library::{catalogue, is_determined, is_text, writes_less};

pub use caller::{Caller, Pointers};

pub use interrupts::Interrupts;

pub use property::{Properties, Property};

pub use sema::Dialect;

pub use nilas_program::source;

pub use driver::{Failure, File, Input, Options, parse_files, parse_program, reason};
