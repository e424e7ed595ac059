//! The reference interpreter of C: executes the typed tree of a program, and names every undefined behaviour.
//!
//! It is a second reading of C beside the lowering to automata, and shares nothing with that but the parser,
//! the types with their layout, and the rows of the catalogue of library functions. It is plain on purpose:
//! what an expression means is said in one place, in the words of the standard.
//!
//! # The contract
//!
//! It follows the contract of Nilas:
//!
//! - Signed arithmetic wraps around, left shifts of signed numbers are bitwise ([`Options::check_overflow`]
//!   names them as undefined instead). What C leaves to the implementation is as in gcc on x86.
//! - Memory that nothing was stored to holds any value: a *choice* ([`choice`]), made when it is read first,
//!   and kept.
//! - Objects may be read and written as other types: unions, casts and copies of bytes mean what the bytes
//!   say.
//! - Division by zero, shifts too far, accesses out of bounds or to dead objects and the like end the
//!   execution ([`UndefinedKind`]). What C leaves undefined, but programs rely on (*lenient* kinds), is
//!   remembered ([`Execution::lenient`]), and ends it only if asked to ([`Options::check_undefined`]).
//! - A call of `reach_error` or `__VERIFIER_error` is the error, whatever its body; any other function of the
//!   program is what its body says; then come functions of the library, by their exact name; others are
//!   unknown: their result is a choice, and they write nothing.
//! - What the interpreter does not know ends as [`End::Unsupported`], and never as something else.
//!
//! # Use
//!
//! An [`Interpreter`] is made once for a program and runs it any number of times. A run takes [`Options`], a
//! [`Chooser`] and an [`Output`], and returns an [`Execution`].

mod call;
pub mod choice;
mod end;
mod endless;
mod expr;
pub mod float;
mod init;
mod interpreter;
mod library;
mod machine;
mod memory;
mod observe;
mod prepare;
mod startup;
mod stmt;
pub mod trace;
mod undefined;
mod value;

pub use choice::{Choice, ChoiceKind, ChoiceType, Chooser, Made};
pub use end::{End, ErrorKind, Frame, Place};
pub use interpreter::{Discard, Execution, Interpreter, Options, Output, Stream};
pub use observe::{Observer, State};
pub use undefined::{Kinds, ObjectInfo, Undefined, UndefinedKind};
