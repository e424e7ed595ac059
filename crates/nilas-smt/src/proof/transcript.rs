//! A proof as text, for other checkers and for readers.
//!
//! The lines are those of IDRUP (Fazekas, Pollitt, Fleury and Biere 2024): `i` for a clause given, `l` for
//! one that follows by unit propagation from those before, `d` for one forgotten, `q` for the assumptions of
//! a query, `u` for a core among them that contradicts. Each ends with 0, and variables count from 1. Axioms
//! of arrays and functions, and definitions of gates, are given clauses. A comment line starts each SAT
//! instance: the numbers begin anew there.

use crate::sat::Lit;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What a line says of its literals.
#[derive(Clone, Copy)]
pub(super) enum Line {
    Input,
    Lemma,
    Deleted,
    Query,
    Unsatisfiable,
}

struct Output {
    to: Box<dyn Write + Send>,
    failed: Option<io::Error>,
}

/// Where a proof is written, if anywhere; clones share it.
#[derive(Clone, Default)]
pub struct Transcript(Option<Arc<Mutex<Output>>>);

impl Transcript {
    /// Writes to this place.
    #[must_use]
    pub fn to(to: Box<dyn Write + Send>) -> Self {
        Transcript(Some(Arc::new(Mutex::new(Output { to, failed: None }))))
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error that occurred.
    pub fn finish(&self) -> io::Result<()> {
        let Some(output) = &self.0 else { return Ok(()) };
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        match output.failed.take() {
            Some(error) => Err(error),
            None => output.to.flush(),
        }
    }

    fn write(&self, text: impl FnOnce() -> String) {
        let Some(output) = &self.0 else { return };
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        if output.failed.is_none()
            && let Err(error) = output.to.write_all(text().as_bytes())
        {
            output.failed = Some(error);
        }
    }

    pub(super) fn start(&self) {
        self.write(|| "c a new instance\n".to_owned());
    }

    pub(super) fn clause(&self, line: Line, clause: &[Lit]) {
        self.write(|| {
            let letter = match line {
                Line::Input => 'i',
                Line::Lemma => 'l',
                Line::Deleted => 'd',
                Line::Query => 'q',
                Line::Unsatisfiable => 'u',
            };
            let mut text = String::from(letter);
            for lit in clause {
                let sign = if lit.is_positive() { "" } else { "-" };
                // Writing to a string does not fail.
                let _ = write!(text, " {sign}{}", lit.var().0 + 1);
            }
            text.push_str(" 0\n");
            text
        });
    }
}
