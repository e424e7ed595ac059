//! One run of a solver's process, and what it has been told.
//!
//! A session only ever learns more: declarations, assertions under activations, definitions of
//! assumptions. Text is collected and sent together with the check that needs it, so a session between checks
//! is in the state that the last check left it in, and its model can be read.

use super::dialect::Kind;
use super::features::{Features, Survey};
use super::names::{self, Names};
use super::process::{Process, Trouble};
use crate::budget::Budget;
use crate::solver::Activation;
use nilas_term::smtlib::print_term_with;
use nilas_term::{Arena, Term};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::path::Path;

/// What of a group has been told.
#[derive(Clone, Copy, Default)]
struct Told {
    terms: usize,
    bytes: usize,
}

/// See the module's text.
pub(super) struct Session {
    process: Process,
    pub(super) names: Names,
    /// What the logic of the session allows.
    pub(super) features: Features,
    forever: Told,
    groups: FxHashMap<Activation, Told>,
    /// Assumptions that have a constant, with what they need.
    assumptions: FxHashMap<Term, Features>,
    /// Text that goes out with the next check.
    pending: String,
    /// Bytes told so far, and those of them that nothing alive stands for.
    pub(super) told: usize,
    pub(super) garbage: usize,
    /// Whether the last check had a limit that later ones must not inherit.
    limited: bool,
}

impl Session {
    /// Starts the program. `features` is what the formulas need at first.
    pub(super) fn start(
        kind: Kind,
        path: &Path,
        arguments: &[String],
        features: Features,
        assumptions: bool,
    ) -> Result<Self, String> {
        let process = Process::start(path, arguments)?;
        Ok(Session {
            process,
            names: Names::default(),
            features,
            forever: Told::default(),
            groups: FxHashMap::default(),
            assumptions: FxHashMap::default(),
            pending: kind.preamble(&features.logic(), assumptions),
            told: 0,
            garbage: 0,
            limited: false,
        })
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// What an assumption needs that has its constant.
    pub(super) fn assumption(&self, term: Term) -> Option<Features> {
        self.assumptions.get(&term).copied()
    }

    /// Tells what is missing of a group: the terms asserted for ever, or those under an activation.
    pub(super) fn tell(&mut self, arena: &Arena, activation: Option<Activation>, terms: &[Term]) {
        let before = self.pending.len();
        let mut told = match activation {
            None => self.forever,
            Some(activation) => match self.groups.get(&activation) {
                Some(told) => *told,
                None => {
                    let _ = writeln!(self.pending, "(declare-fun {} () Bool)", names::activation(activation));
                    Told::default()
                }
            },
        };
        for &term in terms.get(told.terms..).unwrap_or_default() {
            self.assert(arena, activation.map(names::activation), term);
            told.terms += 1;
        }
        let bytes = self.pending.len() - before;
        told.bytes += bytes;
        self.told += bytes;
        match activation {
            None => self.forever = told,
            Some(activation) => {
                self.groups.insert(activation, told);
            }
        }
    }

    /// Gives an assumption its constant, which implies it.
    pub(super) fn assume(&mut self, arena: &Arena, term: Term) {
        if self.assumptions.contains_key(&term) {
            return;
        }
        let before = self.pending.len();
        let name = names::assumption(term);
        let _ = writeln!(self.pending, "(declare-fun {name} () Bool)");
        let features = self.assert(arena, Some(name), term);
        self.assumptions.insert(term, features);
        let bytes = self.pending.len() - before;
        self.told += bytes;
        // Nothing that is asserted stands for it.
        self.garbage += bytes;
    }

    fn assert(&mut self, arena: &Arena, guard: Option<String>, term: Term) -> Features {
        let survey = Survey::of(arena, term);
        for sort in &survey.sorts {
            self.pending.extend(self.names.declare_sort(sort));
        }
        for &symbol in &survey.symbols {
            self.pending.extend(self.names.declare(arena, symbol));
        }
        let text = print_term_with(arena, term, &self.names);
        let _ = match guard {
            None => writeln!(self.pending, "(assert {text})"),
            Some(guard) => writeln!(self.pending, "(assert (=> {guard} {text}))"),
        };
        survey.features
    }

    /// Lets go of what is under an activation. The solver hears of it with the next check.
    pub(super) fn retire(&mut self, activation: Activation) {
        if let Some(told) = self.groups.remove(&activation) {
            let _ = writeln!(self.pending, "(assert (not {}))", names::activation(activation));
            self.garbage += told.bytes;
        }
    }

    /// Limits the next check, or lifts the limit of the last one.
    pub(super) fn limit(&mut self, kind: Kind, conflicts: Option<u64>) {
        if conflicts.is_some() || self.limited {
            self.pending.extend(kind.conflict_limit(conflicts));
            self.limited = conflicts.is_some();
        }
    }

    /// Sends what is pending and a check under those constants; returns the word that comes back.
    pub(super) fn check(&mut self, constants: &[String], budget: &Budget) -> Result<String, Trouble> {
        if constants.is_empty() {
            self.pending.push_str("(check-sat)\n");
        } else {
            let _ = writeln!(self.pending, "(check-sat-assuming ({}))", constants.join(" "));
        }
        self.process.send(std::mem::take(&mut self.pending));
        self.process.receive(budget)
    }

    /// Sends a question about the last check, without what is pending.
    pub(super) fn ask(&mut self, question: String, budget: &Budget) -> Result<String, Trouble> {
        self.process.send(question);
        self.process.receive(budget)
    }
}
