//! What an engine returns.

use crate::observer::Counters;
use nilas_evidence::{Contracts, Execution, Invariant, Premises, Unwinding};
use nilas_program::{Automaton, EdgeId, LocationId, Span};
use nilas_smt::{Interrupt, Reason};
use nilas_term::{Arena, Importer, Term};
use std::fmt;

/// The result of an engine, its evidence in terms of the automaton it was given.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Neither error nor unmodelled can be reached.
    Safe(Proof),
    /// The error can be reached.
    Unsafe(Execution),
    /// There is only one execution: whoever checks that sees where it ends.
    OnlyExecution,
    /// Nothing was shown.
    Unknown(Unknown),
}

impl Outcome {
    /// The budget ended before the first question.
    pub(crate) fn before_work(why: Interrupt) -> (Outcome, Counters) {
        (Outcome::Unknown(Unknown::Interrupted(why)), [("solver checks", 0)].into())
    }
}

/// Evidence of safety.
#[derive(Clone, Debug)]
pub enum Proof {
    /// An inductive invariant.
    Invariant(Invariant),
    /// An exhausted unwinding.
    Unwinding(Unwinding),
    /// Contracts of procedures, about the module.
    Contracts(Contracts),
}

/// Why nothing was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The budget ended first.
    Interrupted(Interrupt),
    /// A bound that was set was reached first.
    Bound {
        /// What was bounded, one of it.
        what: &'static str,
        /// How many of it there could be.
        limit: u64,
    },
    /// The solver cannot decide a formula that the program needs.
    Unsupported(String),
    /// The engine is not made for such programs.
    Inapplicable(String),
    /// An execution leaves what is modelled; the error was not found otherwise.
    Unmodelled {
        /// The place in the program where that happens.
        span: Span,
        /// The edge that leads there, where it is known.
        edge: Option<EdgeId>,
        /// The execution that does.
        execution: Box<Execution>,
    },
    /// Something that must not happen did: a bug in Nilas.
    Internal(String),
}

impl Unknown {
    /// No proof, because of an execution to what is not modelled.
    pub(crate) fn leaves_model(automaton: &Automaton, execution: Execution) -> Self {
        let span = execution.path.last().map(|step| automaton.edge(step.edge).span).unwrap_or_default();
        Unknown::Unmodelled { span, edge: None, execution: Box::new(execution) }
    }
}

/// Evidence from formulas at locations, in an arena of its own.
pub(crate) fn invariant(
    arena: &Arena,
    formulas: impl IntoIterator<Item = (LocationId, Term)>,
) -> Result<Invariant, Unknown> {
    let mut evidence = Invariant::default();
    let mut importer = Importer::new();
    for (location, formula) in formulas {
        let imported = importer.import(&mut evidence.arena, arena, formula);
        let formula = imported.map_err(|error| Unknown::Internal(error.to_string()))?;
        evidence.formulas.insert(location, formula);
    }
    Ok(evidence)
}

/// Evidence with what its formulas follow from, in the terms that they were made of.
pub(crate) fn with_premises(
    arena: &Arena,
    mut evidence: Invariant,
    premises: &Premises,
) -> Result<Invariant, Unknown> {
    let imported = premises.import(&mut Importer::new(), &mut evidence.arena, arena);
    evidence.premises = imported.map_err(|error| Unknown::Internal(error.to_string()))?;
    Ok(evidence)
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Interrupted(why) => write!(f, "{why}"),
            Unknown::Unsupported(what) => write!(f, "not supported: {what}"),
            Unknown::Bound { what, limit } => {
                let end = if *limit == 1 { "" } else { "s" };
                write!(f, "no answer within {limit} {what}{end}, the bound that was set")
            }
            Unknown::Inapplicable(why) => write!(f, "{why}"),
            Unknown::Unmodelled { .. } => f.write_str("an execution leaves what is modelled"),
            Unknown::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// For those who are asked by a solver's helpers in between.
impl From<Unknown> for Reason {
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Interrupted(why) => Reason::Interrupted(why),
            Unknown::Unsupported(what) => Reason::Unsupported(what),
            other => Reason::Failed(other.to_string()),
        }
    }
}

impl From<Reason> for Unknown {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Interrupted(why) => Unknown::Interrupted(why),
            Reason::Unsupported(what) => Unknown::Unsupported(what),
            Reason::Failed(what) => Unknown::Internal(what),
        }
    }
}
