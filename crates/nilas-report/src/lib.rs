//! Reports of verdicts and evidence, as text and JSON. Everything here returns strings; nothing prints.

pub mod c_formula;
mod c_trace;
pub mod explain;
mod facts;
pub mod json;
mod source;
mod summary;
pub mod text;

pub use source::{Place, Source};
pub use summary::{Answer, Assumption, Made, Reached, Summary};
