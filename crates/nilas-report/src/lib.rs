//! Reports of verdicts and evidence, as text and JSON. Everything here returns strings; nothing prints.

pub mod json;
mod summary;
pub mod text;

pub use summary::{Answer, Summary};
