//! Runner for SMT-LIB 2 scripts.
//!
//! [`run_script`] reads a script command by command and writes the answers to a writer; nothing is printed
//! elsewhere. A command that fails is answered by `(error "line L column C: …")` and changes nothing; the
//! script goes on. Never wrong: after an assertion was refused, or with something in force that the
//! solver does not decide, `check-sat` is answered `unknown`, and every `sat` is evaluated on all
//! assertions before it leaves; a model that fails is an error, not an answer.
//!
//! Assertion levels are activations of the solver. Text is borrowed from the script, so that running one
//! takes time linear in its length, apart from the solving.

mod check;
mod commands;
mod info;
mod lines;
mod model;
mod state;

use crate::budget::Budget;
use crate::embedded::Embedded;
use crate::proof::{Transcript, proved_solver};
use crate::solver::Solver;
use lines::Lines;
use nilas_term::smtlib::ParseError;
use nilas_term::smtlib::sexpr::Reader;
use state::State;
use std::io::{self, Write};

/// How to run a script.
#[derive(Clone)]
pub struct Options {
    /// Limits of the whole script; checks beyond them are `unknown`.
    pub budget: Budget,
    /// Makes the solver to run on.
    pub solver: fn() -> Box<dyn Solver>,
    /// Instead of that, a solver whose `unsat` is proved, the proof checked, and written there.
    pub proof: Option<Transcript>,
}

impl Default for Options {
    fn default() -> Self {
        Options { budget: Budget::unlimited(), solver: || Box::new(Embedded::hard()), proof: None }
    }
}

impl Options {
    fn make_solver(&self) -> Box<dyn Solver> {
        match &self.proof {
            Some(transcript) => Box::new(proved_solver(transcript.clone())),
            None => (self.solver)(),
        }
    }
}

/// The word that answers a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`
    Unknown,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Word::Sat => "sat",
            Word::Unsat => "unsat",
            Word::Unknown => "unknown",
        }
    }
}

/// What came of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Answers to checks, in order.
    pub answers: Vec<Word>,
    /// Commands answered by an error, for whatever reason.
    pub errors: u64,
    /// Answers that contradict a `(set-info :status …)`.
    pub contradictions: u64,
    /// Models that did not satisfy the assertions: bugs of the solver.
    pub wrong_models: u64,
    /// Proofs that were not accepted: bugs of the solver.
    pub rejected_proofs: u64,
}

/// Operators to which SMT-LIB gives no value on some arguments (zeros of different sign, numbers out of
/// range), so that any value will do. The solver fixes one: its `sat` is right, but an `unsat` may rest on
/// that choice. They are looked for in the text, because a term may have been folded away.
const UNSPECIFIED: [&str; 5] = ["fp.min", "fp.max", "fp.to_sbv", "fp.to_ubv", "fp.to_real"];

/// Runs a script and writes its answers.
///
/// # Errors
/// When writing fails. Whatever is wrong with the script is part of the answers.
pub fn run_script(text: &str, options: &Options, output: &mut dyn Write) -> io::Result<Outcome> {
    let lines = Lines::new(text);
    let mut state = State::new(options.clone());
    state.unspecified = UNSPECIFIED.into_iter().find(|operator| text.contains(operator));
    let mut base = 0;
    let mut reader = Reader::new(text);
    loop {
        match reader.read() {
            Ok(None) => break,
            Ok(Some(tree)) => match state.execute(tree.root()) {
                Ok(commands::Response::Exit) => {
                    if state.print_success {
                        writeln!(output, "success")?;
                    }
                    break;
                }
                Ok(commands::Response::Text(text)) => writeln!(output, "{text}")?,
                Ok(commands::Response::Done) if state.print_success => writeln!(output, "success")?,
                Ok(commands::Response::Done) => {}
                Err(error) => report(&mut state, &lines, base, &error, output)?,
            },
            Err(error) => {
                report(&mut state, &lines, base, &error, output)?;
                // What was meant by the broken text is unknown; it may have been an assertion.
                state.refuse("the script has a syntax error");
                let Some(next) = resume(text, base + reader.position().max(error.offset)) else { break };
                base = next;
                reader = Reader::new(&text[base..]);
            }
        }
        for error in std::mem::take(&mut state.complaints) {
            report(&mut state, &lines, base, &error, output)?;
        }
    }
    Ok(state.outcome)
}

fn report(
    state: &mut State<'_>,
    lines: &Lines<'_>,
    base: usize,
    error: &ParseError,
    output: &mut dyn Write,
) -> io::Result<()> {
    state.outcome.errors += 1;
    let (line, column) = lines.position(base + error.offset);
    let hint = error.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let message = format!("line {line} column {column}: {}{hint}", error.message);
    writeln!(output, "(error \"{}\")", message.replace('"', "\"\""))
}

/// Where to go on after a syntax error: the next line that starts with a parenthesis.
fn resume(text: &str, from: usize) -> Option<usize> {
    text.get(from..).and_then(|rest| rest.find("\n(")).map(|found| from + found + 1)
}
