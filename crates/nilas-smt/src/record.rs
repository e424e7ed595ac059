//! Recording what a solver is asked.
//!
//! A [`Recorder`] stands before any [`Solver`] and writes its query stream as one incremental SMT-LIB script,
//! which any solver runs and [`Stream`] reads back: symbols are declared as they turn up, activations are
//! Boolean constants `on!N` under which terms are asserted as implications and which are asserted false when
//! retired, assumptions have constants `is!N` that imply them, and the answer that was given stands as
//! `:status` before each check.
//!
//! Symbols are written as their name and a number: a variable of a C program may be called `exp` or `div`,
//! which is a word of its own to some solver.
//!
//! Commands are written in whole, and nothing is written before the first check: what follows the last check
//! stands for nothing. Recording is bounded: after a number of queries or bytes the script ends, and the
//! recorder only passes on. It never changes an answer; a writer that fails ends the script, see
//! [`Recorder::finish`].

mod names;
mod stream;
mod tape;

pub use stream::{Step, Stream};
pub use tape::{Tape, TapeWriter};

use crate::budget::Budget;
use crate::euf::Partition;
use crate::pipe::Survey;
use crate::solver::{Activation, Answer, Reason, Solver, SolverStats};
use names::Names;
use nilas_term::smtlib::print_term_with;
use nilas_term::{Arena, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::io::{self, Write};

/// How names of activations and assumptions start in a script.
const ACTIVATION: &str = "on!";
const ASSUMPTION: &str = "is!";

/// Where a script ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Checks at most.
    pub queries: u64,
    /// Bytes at most, but for the command that crosses the line.
    pub bytes: u64,
}

impl Default for Limits {
    /// A million checks, a gigabyte.
    fn default() -> Self {
        Limits { queries: 1_000_000, bytes: 1 << 30 }
    }
}

/// A solver whose queries are written down, see the module's text.
pub struct Recorder<S, W: Write> {
    solver: S,
    writer: W,
    limits: Limits,
    names: Names,
    /// Terms whose symbols have been declared.
    seen: FxHashSet<Term>,
    assumptions: FxHashMap<Term, usize>,
    queries: u64,
    /// Bytes written.
    bytes: u64,
    /// Whether the script has ended.
    ended: bool,
    error: Option<io::Error>,
    text: String,
}

impl<S: Solver, W: Write> Recorder<S, W> {
    /// Records what `solver` is asked from now on; nothing has been asserted yet.
    pub fn new(solver: S, writer: W, limits: Limits) -> Self {
        Recorder {
            solver,
            writer,
            limits,
            names: Names::default(),
            seen: FxHashSet::default(),
            assumptions: FxHashMap::default(),
            queries: 0,
            bytes: 0,
            ended: false,
            error: None,
            text: "(set-info :smt-lib-version 2.6)\n(set-logic ALL)\n".to_owned(),
        }
    }

    /// Checks written so far.
    pub fn queries(&self) -> u64 {
        self.queries
    }

    /// Ends the script and gives the solver back.
    ///
    /// # Errors
    /// The first error of the writer, if there was one.
    pub fn finish(mut self) -> (S, io::Result<()>) {
        self.end();
        let result = self.error.take().map_or(Ok(()), Err);
        (self.solver, result)
    }

    fn end(&mut self) {
        if !self.ended {
            self.text.push_str("(exit)\n");
            self.write();
            self.ended = true;
            let result = self.writer.flush();
            self.error = self.error.take().or(result.err());
        }
    }

    /// Writes the text that has been put together.
    fn write(&mut self) {
        if let Err(error) = self.writer.write_all(self.text.as_bytes()) {
            (self.ended, self.error) = (true, Some(error));
        }
        self.bytes += self.text.len() as u64;
        self.text.clear();
    }

    /// Commands have been added to the text. They are written with the next check, so that a writer is called
    /// once per query.
    fn added(&mut self, is_check: bool) {
        let bytes = self.bytes + self.text.len() as u64;
        if self.queries >= self.limits.queries || bytes >= self.limits.bytes {
            self.end();
        } else if is_check {
            self.write();
        }
    }

    /// Puts the declarations that a term needs to the text.
    fn declarations(&mut self, arena: &Arena, term: Term) {
        let mut survey = Survey::default();
        survey.add(arena, term, &mut self.seen);
        for sort in &survey.sorts {
            self.text.extend(self.names.declare_sort(sort));
        }
        for &symbol in &survey.symbols {
            self.text.extend(self.names.declare(arena, symbol));
        }
    }

    /// Puts a clause to the text, as it is.
    fn clause(&mut self, arena: &Arena, clause: &[Term]) {
        clause.iter().for_each(|&literal| self.declarations(arena, literal));
        let literals: Vec<String> =
            clause.iter().map(|&literal| print_term_with(arena, literal, &self.names)).collect();
        let _ = writeln!(self.text, "(assert (or {} false))", literals.join(" "));
    }

    /// Puts an assertion, with the declarations it needs, to the text.
    fn assertion(&mut self, arena: &Arena, guard: Option<&str>, term: Term) {
        self.declarations(arena, term);
        let term = print_term_with(arena, term, &self.names);
        let _ = match guard {
            None => writeln!(self.text, "(assert {term})"),
            Some(guard) => writeln!(self.text, "(assert (=> {guard} {term}))"),
        };
    }

    fn query(&mut self, arena: &Arena, activations: &[Activation], assumptions: &[Term], answer: &Answer) {
        let mut constants: Vec<String> =
            activations.iter().map(|activation| format!("{ACTIVATION}{}", activation.0)).collect();
        for &assumption in assumptions {
            let next = self.assumptions.len();
            let number = *self.assumptions.entry(assumption).or_insert(next);
            let name = format!("{ASSUMPTION}{number}");
            if number == next {
                let _ = writeln!(self.text, "(declare-fun {name} () Bool)");
                self.assertion(arena, Some(&name), assumption);
            }
            constants.push(name);
        }
        let status = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let _ = writeln!(self.text, "(set-info :status {status})");
        let _ = if constants.is_empty() {
            writeln!(self.text, "(check-sat)")
        } else {
            writeln!(self.text, "(check-sat-assuming ({}))", constants.join(" "))
        };
        self.queries += 1;
    }
}

impl<S: Solver, W: Write> Solver for Recorder<S, W> {
    fn assert(&mut self, arena: &Arena, term: Term) {
        if !self.ended {
            self.assertion(arena, None, term);
            self.added(false);
        }
        self.solver.assert(arena, term);
    }

    fn assert_clause(&mut self, arena: &mut Arena, clause: &[Term]) {
        if !self.ended {
            self.clause(arena, clause);
            self.added(false);
        }
        self.solver.assert_clause(arena, clause);
    }

    fn activation(&mut self) -> Activation {
        let activation = self.solver.activation();
        if !self.ended {
            let _ = writeln!(self.text, "(declare-fun {ACTIVATION}{} () Bool)", activation.0);
            self.added(false);
        }
        activation
    }

    fn assert_under(&mut self, arena: &Arena, activation: Activation, term: Term) {
        if !self.ended {
            self.assertion(arena, Some(&format!("{ACTIVATION}{}", activation.0)), term);
            self.added(false);
        }
        self.solver.assert_under(arena, activation, term);
    }

    fn retire(&mut self, activation: Activation) {
        if !self.ended {
            let _ = writeln!(self.text, "(assert (not {ACTIVATION}{}))", activation.0);
            self.added(false);
        }
        self.solver.retire(activation);
    }

    fn check(
        &mut self,
        arena: &Arena,
        activations: &[Activation],
        assumptions: &[Term],
        budget: &Budget,
    ) -> Answer {
        let answer = self.solver.check(arena, activations, assumptions, budget);
        if !self.ended {
            self.query(arena, activations, assumptions, &answer);
            self.added(true);
        }
        answer
    }

    fn failed(&self) -> &[Term] {
        self.solver.failed()
    }

    fn failed_activations(&self) -> &[Activation] {
        self.solver.failed_activations()
    }

    fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        self.solver.value(arena, term)
    }

    fn partition(&self) -> Option<Partition<'_>> {
        self.solver.partition()
    }

    fn stats(&self) -> SolverStats {
        self.solver.stats()
    }
}

#[cfg(test)]
mod tests;
