//! An answer as one page for a browser, which needs nothing else and asks nobody: the answer per property, the
//! source with executions to step through, what holds at loops, the automaton with the frames of the engine,
//! and statistics.
//!
//! Everything that can be read is in the page without its script; the script steps through executions, moves
//! between frames and follows clicks. What comes from the program gets into the page by `escape` alone, and
//! the page forbids itself to load anything. Sizes are bounded, and where something is left out the page says
//! how much.
//!
//! `page` puts the parts together: `answers`, `walk` (executions as steps) and `trace`, `source` with
//! `highlight`, `proof`, `graph` with `layout` and `draw`, `frames`, `statistics`.

mod answers;
mod draw;
mod escape;
mod frames;
mod graph;
mod highlight;
mod layout;
mod page;
mod proof;
mod source;
mod statistics;
#[cfg(test)]
mod tests;
mod texts;
mod trace;
mod walk;

pub use page::render;

use crate::report::Report;
use crate::source::Source;
use crate::summary::Summary;
use nilas_evidence::{Evidence, Trace};
use nilas_program::{LocationId, Program};

/// An answer with all that a page shows of it.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The answer.
    pub report: Report<'a>,
    /// Answers of questions that have no place in a C program: error locations, goals.
    pub parts: Vec<Part>,
    /// The automata that were asked about, with what was found. Empty if there is no program.
    pub questions: Vec<Question<'a>>,
}

/// The answer to one of several questions.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is about.
    pub name: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// Why it is neither safe nor unsafe.
    pub reason: Option<String>,
}

/// An automaton with what was found about it.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Its name, if it is one of several.
    pub name: Option<&'a str>,
    /// The automaton.
    pub program: &'a Program,
    /// Its text.
    pub source: &'a Source,
    /// The error locations.
    pub errors: &'a [LocationId],
    /// How it was found; the execution where there is one.
    pub summary: &'a Summary,
    /// What was shown.
    pub proofs: Vec<Proof<'a>>,
    /// Executions to single error locations, with what they are about.
    pub traces: Vec<(String, Trace)>,
}

/// Evidence that something cannot happen.
#[derive(Clone, Debug)]
pub struct Proof<'a> {
    /// What cannot happen; empty if it is the only question.
    pub about: Vec<String>,
    /// The evidence.
    pub evidence: &'a Evidence,
}

impl<'a> Page<'a> {
    /// A page about what has no program: the input was refused.
    #[must_use]
    pub fn of(report: Report<'a>) -> Page<'a> {
        Page { report, parts: Vec::new(), questions: Vec::new() }
    }
}
