//! What the solver tells of its reasoning, so that somebody else can check it.
//!
//! Every clause that a caller adds is an *original* one, every clause that the solver keeps is *derived* by
//! reverse unit propagation from those alive then, and deletions are told too: the steps of a DRAT proof,
//! interleaved with the originals because the solver is incremental. An unsatisfiable answer derives the
//! clause of its negated core (the empty clause without assumptions), and deletes it again if it is not
//! empty. Units implied at level 0 are told as derived, so that deleting their reasons does no harm.
//!
//! A sink that wants them also gets the *antecedents* of a derived clause: clauses that were told before, in
//! an order in which each makes one more literal true or is false itself (the hints of LRAT, Cruz-Filipe et
//! al. 2017). Clauses have no names here, so antecedents are told by their literals.
//!
//! Retiring an activation variable deletes every clause that contains it; its next life is that of a new
//! variable, which a checker need not know.

use super::super::{Lit, Var};
use super::Cdcl;
use super::arena::Arena;
use super::assign::{Because, FALSE, Reason};
use super::watch::Conflict;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Receives the steps of a proof.
pub trait ProofSink: Send {
    /// The caller added this clause.
    fn original(&mut self, clause: &[Lit]);
    /// The solver derived this clause. There are no antecedents unless the sink wants them.
    fn derived(&mut self, clause: &[Lit], antecedents: &Antecedents);
    /// This clause is not used any more.
    fn deleted(&mut self, clause: &[Lit]);
    /// Whether antecedents are to be collected.
    fn wants_antecedents(&self) -> bool {
        false
    }
}

/// Clauses from which another one follows by unit propagation, in that order.
#[derive(Clone, Debug, Default)]
pub struct Antecedents {
    /// These go first.
    units: Vec<Lit>,
    /// The others, as they are found on the way back along the trail: the last one first.
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Antecedents {
    /// The clauses.
    pub fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        let others = (0..self.ends.len()).rev().map(|index| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.lits[start..self.ends[index]]
        });
        self.units.chunks(1).chain(others)
    }

    fn clear(&mut self) {
        self.units.clear();
        self.lits.clear();
        self.ends.clear();
    }

    /// A clause that goes before those that were pushed, units aside.
    fn push(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len());
    }
}

/// Buffers for collecting antecedents.
#[derive(Default)]
pub(super) struct Explanation {
    antecedents: Antecedents,
    marks: Vec<Mark>,
    /// The variables that are marked as known.
    known: Vec<Var>,
}

/// What is known of a variable on the way back along the trail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Unseen,
    /// Its value is to be explained.
    Open,
    /// Nothing explains it: it is told already, or in the clause that is derived.
    Known,
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

    fn derived(&mut self, clause: &[Lit], _: &Antecedents) {
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

    fn derived(&mut self, clause: &[Lit], _: &Antecedents) {
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

    /// Tells that a clause was simplified into the scratch: its other literals are false for ever.
    pub(super) fn log_derived_scratch(&mut self, clause: &[Lit], guard: Option<Lit>) {
        let Cdcl { proof: Some(proof), explanation, assign, scratch, .. } = self else { return };
        explanation.antecedents.clear();
        if proof.wants_antecedents() {
            let all = || clause.iter().copied().chain(guard);
            for lit in all().filter(|&lit| assign.value(lit) == FALSE) {
                explanation.antecedents.units.push(!lit);
            }
            explanation.antecedents.push(all());
        }
        proof.derived(scratch, &explanation.antecedents);
    }

    /// Tells of a clause that was explained last, see [`Cdcl::explain`].
    #[inline]
    pub(super) fn log_derived(&mut self, clause: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.derived(clause, &self.explanation.antecedents);
        }
    }

    #[inline]
    pub(super) fn log_deleted(&mut self, clause: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.deleted(clause);
        }
    }

    /// Tells of the literals at level 0 that are new. Their reasons are still where they were: nothing is
    /// deleted between a propagation at level 0 and this.
    pub(super) fn log_root_units(&mut self) {
        let Cdcl { proof: Some(proof), explanation, assign, arena, .. } = self else { return };
        let wanted = proof.wants_antecedents();
        for &lit in assign.trail.iter().skip(self.root_logged) {
            let antecedents = &mut explanation.antecedents;
            antecedents.clear();
            if wanted {
                let mut reason: Vec<Lit> = Vec::new();
                antecedent(assign.reason(lit.var()), lit, arena, &mut reason);
                for &other in reason.iter().filter(|&&other| other != lit) {
                    antecedents.units.push(!other);
                }
                antecedents.push(reason);
            }
            proof.derived(&[lit], antecedents);
        }
        self.root_logged = assign.trail.len();
    }

    /// Derives the clause of the negated core.
    pub(super) fn log_core(&mut self) {
        if let Some(proof) = &mut self.proof {
            let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
            proof.derived(&clause, &self.explanation.antecedents);
            if !clause.is_empty() {
                proof.deleted(&clause);
            }
        }
    }

    /// The next clause needs no antecedents.
    pub(super) fn forget_explanation(&mut self) {
        self.explanation.antecedents.clear();
    }

    /// Collects the antecedents of a clause that follows from a conflict: the reasons between its literals
    /// and the false clause. To be called while the trail still stands. A second way through the graph of
    /// implications, so that what analysis and minimisation did need not be known here.
    pub(super) fn explain(&mut self, conflict: Conflict, clause: &[Lit]) {
        let Cdcl { proof: Some(proof), explanation, assign, arena, .. } = self else { return };
        let Explanation { antecedents, marks, known } = explanation;
        antecedents.clear();
        if !proof.wants_antecedents() {
            return;
        }
        marks.resize(assign.vars() as usize, Mark::Unseen);
        for lit in clause {
            marks[lit.var().0 as usize] = Mark::Known;
            known.push(lit.var());
        }
        // Above level 0 all literals of level 0 have been told.
        let roots_are_told = assign.level() > 0;
        let mut reason: Vec<Lit> = Vec::new();
        match conflict {
            Conflict::Binary(a, b) => reason.extend([a, b]),
            Conflict::Ternary(a, b, c) => reason.extend([a, b, c]),
            Conflict::Clause(clause) => reason.extend(arena.lits(clause)),
        }
        let mut open = 0usize;
        let mut at = assign.trail.len();
        let mut implied = None;
        loop {
            // The false literals of this clause are to be explained.
            for &lit in reason.iter().filter(|&&lit| Some(lit) != implied) {
                let mark = &mut marks[lit.var().0 as usize];
                if *mark != Mark::Unseen {
                    continue;
                }
                if roots_are_told && assign.level_of(lit.var()) == 0 {
                    *mark = Mark::Known;
                    known.push(lit.var());
                    antecedents.units.push(!lit);
                } else {
                    *mark = Mark::Open;
                    open += 1;
                }
            }
            match (&reason[..], implied) {
                ([lit], Some(_)) => antecedents.units.push(*lit),
                _ => antecedents.push(reason.iter().copied()),
            }
            reason.clear();
            while open > 0 && reason.is_empty() {
                at -= 1;
                let lit = assign.trail[at];
                let var = lit.var();
                if marks[var.0 as usize] != Mark::Open {
                    continue;
                }
                marks[var.0 as usize] = Mark::Unseen;
                open -= 1;
                implied = Some(lit);
                if at < self.root_logged {
                    reason.push(lit);
                } else {
                    antecedent(assign.reason(var), lit, arena, &mut reason);
                }
            }
            if reason.is_empty() {
                break;
            }
        }
        for var in known.drain(..) {
            marks[var.0 as usize] = Mark::Unseen;
        }
    }
}

/// The clause that made a literal true; the literal alone if it was given or learnt so.
fn antecedent(reason: Reason, lit: Lit, arena: &Arena, clause: &mut Vec<Lit>) {
    match reason.because() {
        Because::Nothing => clause.push(lit),
        Because::Binary(other) => clause.extend([lit, other]),
        Because::Ternary(a, b) => clause.extend([lit, a, b]),
        Because::Clause(reason) => clause.extend(arena.lits(reason)),
    }
}
