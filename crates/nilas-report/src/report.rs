//! An answer as reports for machines have it: what was asked about each place, and what came of it.

use crate::headline::Finding;
use crate::source::Source;
use crate::summary::Reached;
use nilas_run::trace::Course;

/// What was asked about one place, and the answer.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The property, and where.
    pub finding: Finding,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// Why it is neither safe nor unsafe.
    pub reason: Option<String>,
    /// The execution that violates it.
    pub reached: Option<Reached>,
    /// What that does.
    pub course: Option<Course>,
    /// What came of running a test of it, where that was asked for.
    pub confirmation: Option<Confirmation>,
}

/// What came of compiling and running a test of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The test failed as it should.
    pub confirmed: bool,
    /// What the run said, or why it shows nothing.
    pub text: String,
}

impl Confirmation {
    /// The line about it.
    #[must_use]
    pub fn line(&self) -> String {
        let word = if self.confirmed { "confirmed by running it" } else { "could not be reproduced" };
        format!("{word}: {}", self.text)
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What messages call the program.
    pub name: String,
    /// The version of Nilas.
    pub version: &'static str,
    /// The text of the program, if it was read.
    pub source: Option<&'a Source>,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// The first line of the answer.
    pub headline: String,
    /// What was checked, place by place. Empty where the question has no places.
    pub checked: Vec<Checked>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// Why there is no answer at all: the input was refused, or something broke.
    pub error: Option<String>,
}

/// A step of an execution in a report: a line, and what happened there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    /// How many calls are active.
    pub(crate) depth: usize,
}
