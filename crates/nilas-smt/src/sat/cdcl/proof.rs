//! What the solver tells of its reasoning, so that somebody else can check it.
//!
//! Every clause that a caller adds is an *original* one, every clause that the solver keeps is *derived* by
//! reverse unit propagation from those alive then, and deletions are told too: the steps of a DRAT proof,
//! interleaved with the originals because the solver is incremental. An unsatisfiable answer derives the
//! clause of its negated core (the empty clause without assumptions), and deletes it again if it is not
//! empty. Units implied at level 0 are told as derived, so that deleting their reasons does no harm.
//!
//! Retiring an activation variable deletes every clause that contains it; its next life is that of a new
//! variable, which a checker need not know.

use super::super::Lit;
use super::Cdcl;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Receives the steps of a proof.
pub trait ProofSink: Send {
    /// The caller added this clause.
    fn original(&mut self, clause: &[Lit]);
    /// The solver derived this clause.
    fn derived(&mut self, clause: &[Lit]);
    /// This clause is not used any more.
    fn deleted(&mut self, clause: &[Lit]);
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// The caller added this clause.
    Original(Vec<Lit>),
    /// The solver derived this clause.
    Derived(Vec<Lit>),
    /// This clause is not used any more.
    Deleted(Vec<Lit>),
}

/// A proof kept in memory; clones share it.
#[derive(Clone, Default)]
pub struct ProofLog(Arc<Mutex<Vec<ProofStep>>>);

impl ProofLog {
    /// An empty proof.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the steps told since the last time.
    #[must_use]
    pub fn take(&self) -> Vec<ProofStep> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, step: ProofStep) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(step);
    }
}

impl ProofSink for ProofLog {
    fn original(&mut self, clause: &[Lit]) {
        self.push(ProofStep::Original(clause.to_vec()));
    }

    fn derived(&mut self, clause: &[Lit]) {
        self.push(ProofStep::Derived(clause.to_vec()));
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.push(ProofStep::Deleted(clause.to_vec()));
    }
}

/// Writes the derived and deleted clauses as textual DRAT, and the original ones elsewhere, as the clause
/// lines of a DIMACS file. Variables count from 1. Good for one query on clauses that are added before it.
pub struct DratWriter<P, F> {
    proof: P,
    formula: F,
    failed: Option<io::Error>,
}

impl<P: Write, F: Write> DratWriter<P, F> {
    /// Writes the proof to one place and the formula to another.
    pub fn new(proof: P, formula: F) -> Self {
        DratWriter { proof, formula, failed: None }
    }

    /// Ends the writing; the first error that occurred, if any.
    pub fn finish(mut self) -> io::Result<(P, F)> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok((self.proof, self.formula)),
        }
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}

fn write_clause(to: &mut impl Write, prefix: &str, clause: &[Lit]) -> io::Result<()> {
    write!(to, "{prefix}")?;
    for lit in clause {
        write!(to, "{}{} ", if lit.is_positive() { "" } else { "-" }, lit.var().0 + 1)?;
    }
    writeln!(to, "0")
}

impl<P: Write + Send, F: Write + Send> ProofSink for DratWriter<P, F> {
    fn original(&mut self, clause: &[Lit]) {
        let result = write_clause(&mut self.formula, "", clause);
        self.note(result);
    }

    fn derived(&mut self, clause: &[Lit]) {
        let result = write_clause(&mut self.proof, "", clause);
        self.note(result);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        let result = write_clause(&mut self.proof, "d ", clause);
        self.note(result);
    }
}

impl Cdcl {
    /// Tells a sink of every step from now on. Call it before the first clause.
    pub fn set_proof(&mut self, sink: Box<dyn ProofSink>) {
        self.proof = Some(sink);
    }

    pub(super) fn log_original(&mut self, clause: &[Lit], guard: Option<Lit>) {
        if let Some(proof) = &mut self.proof {
            proof.original(&clause.iter().copied().chain(guard).collect::<Vec<_>>());
        }
    }

    pub(super) fn log_deleted_original(&mut self, clause: &[Lit], guard: Option<Lit>) {
        if let Some(proof) = &mut self.proof {
            proof.deleted(&clause.iter().copied().chain(guard).collect::<Vec<_>>());
        }
    }

    pub(super) fn log_derived_scratch(&mut self) {
        if let Some(proof) = &mut self.proof {
            proof.derived(&self.scratch);
        }
    }

    #[inline]
    pub(super) fn log_derived(&mut self, clause: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.derived(clause);
        }
    }

    #[inline]
    pub(super) fn log_deleted(&mut self, clause: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.deleted(clause);
        }
    }

    /// Tells of the literals at level 0 that are new.
    pub(super) fn log_root_units(&mut self) {
        if let Some(proof) = &mut self.proof {
            for &lit in self.assign.trail.iter().skip(self.root_logged) {
                proof.derived(&[lit]);
            }
            self.root_logged = self.assign.trail.len();
        }
    }

    /// Derives the clause of the negated core.
    pub(super) fn log_core(&mut self) {
        if let Some(proof) = &mut self.proof {
            let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
            proof.derived(&clause);
            if !clause.is_empty() {
                proof.deleted(&clause);
            }
        }
    }
}
