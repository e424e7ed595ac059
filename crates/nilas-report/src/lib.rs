//! Reports of verdicts and evidence, as text and JSON. Everything here returns strings; nothing prints.

pub mod c_formula;
mod c_trace;
mod course;
pub mod explain;
mod facts;
mod headline;
mod invariant;
pub mod json;
mod said;
mod scalar;
mod source;
mod summary;
pub mod text;
mod why;

pub use course::Trace;
pub use headline::{Finding, headline};
pub use said::Said;
pub use scalar::{Scalar, Scalars};
pub use source::{Place, Source};
pub use summary::{Assumption, Conclusion, Made, Question, Reached, Summary, Violation};
pub use why::{Cause, Why};
