//! Reports of verdicts and evidence: text for people; JSON, SARIF and JUnit for machines. Everything here is
//! a function from an answer to a string; nothing prints.

mod assumed;
pub mod c_formula;
mod c_trace;
mod contracts;
mod course;
pub mod explain;
mod facts;
pub mod harness;
mod headline;
pub mod html;
mod invariant;
pub mod json;
pub mod junit;
mod report;
mod said;
pub mod sarif;
mod scalar;
mod source;
mod summary;
pub mod text;
mod unknown;
mod why;
pub mod witness;

pub use assumed::assumed;
pub use course::{Trace, as_written};
pub use headline::{Finding, headline};
pub use report::{Checked, Confirmation, Report};
pub use said::Said;
pub use scalar::{Scalar, Scalars};
pub use source::{Place, Source};
pub use summary::{
    Assumption, Conclusion, Frames, FramesAt, Made, Question, Reach, Reached, Summary, Violation,
};
pub use why::{Cause, Why};
