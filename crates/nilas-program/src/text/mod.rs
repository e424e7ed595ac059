//! The `.cfa` text format.

mod source;

pub use source::Diagnostic;
pub(crate) use source::nearest;
