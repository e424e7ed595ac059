//! From a transition system to a verdict that can be believed: what IC3 says of it is checked.

use crate::ic3::{Settings, SystemOutcome, ic3_system};
use crate::observer::{Counters, Observer};
use crate::outcome::Unknown;
use nilas_evidence::{Account, Induction, Rejection, SystemEvidence, SystemInvariant, Verdict, check_system};
use nilas_program::TransitionSystem;
use nilas_smt::{Budget, Reason};
use nilas_term::Arena;

/// A verdict about a system, with the evidence that was accepted for it.
#[derive(Clone, Debug)]
pub enum SystemVerdict {
    /// No bad state can be reached.
    Safe(SystemEvidence),
    /// A bad state can be reached.
    Unsafe(SystemEvidence),
    /// Nothing was shown.
    Unknown(Unknown),
    /// The engine has evidence, but the checker came to no decision about it.
    Unchecked {
        /// The evidence.
        evidence: SystemEvidence,
        /// Why the checker stopped.
        why: Reason,
    },
    /// The checker did not accept the engine's evidence: a bug in Nilas.
    Rejected {
        /// What the checker said.
        why: Rejection,
        /// The evidence.
        evidence: SystemEvidence,
    },
}

/// Runs IC3 on a system, whose terms belong to the arena, and checks its evidence.
pub fn verify_system(
    arena: &Arena,
    system: &TransitionSystem,
    settings: Settings,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (SystemVerdict, Counters) {
    let (outcome, counters) = ic3_system(arena, system, settings, budget, observer);
    let evidence = match outcome {
        SystemOutcome::Safe { invariant: formula, arena } => {
            let induction = Induction::default();
            SystemEvidence::Invariant(SystemInvariant { arena, formula, induction })
        }
        SystemOutcome::Unsafe(trace) => SystemEvidence::Trace(trace),
        SystemOutcome::Unknown(why) => return (SystemVerdict::Unknown(why), counters),
    };
    (examine_system(arena, system, evidence, budget), counters)
}

/// Has evidence about a system checked, wherever it comes from.
#[must_use]
pub fn examine_system(
    arena: &Arena,
    system: &TransitionSystem,
    evidence: SystemEvidence,
    budget: &Budget,
) -> SystemVerdict {
    match check_system(arena, system, &evidence, budget, &mut Account::default()) {
        Ok(Verdict::Safe) => SystemVerdict::Safe(evidence),
        Ok(Verdict::Unsafe) => SystemVerdict::Unsafe(evidence),
        Ok(Verdict::Unmodelled) => {
            SystemVerdict::Unknown(Unknown::Internal("a system models everything".into()))
        }
        Err(Rejection::Undecided(why)) => SystemVerdict::Unchecked { evidence, why },
        Err(why) => SystemVerdict::Rejected { why, evidence },
    }
}
