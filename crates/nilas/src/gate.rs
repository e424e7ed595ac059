//! The gate: what evidence has to pass before its verdict is told, whether an engine has just found it or it
//! was saved.
//!
//! 1. The checker accepts it ([`nilas_engine::examine`]).
//! 2. It says something about the real program ([`admit`]): an execution does not rest on choices of which
//!    nobody knows whether they can be made, and a proof is not one of a program all of whose executions stop
//!    at undefined behaviour.
//! 3. The second reading of C does not contradict it ([`confirm`]): an execution is repeated there, and a
//!    proof is challenged by executions. If all of these stop at undefined behaviour, it says nothing.

use crate::cli::Unreplayed;
use crate::exit::Exit;
use crate::input::{Input, Refusal};
use crate::real::{self, Judgement};
use crate::replay::Replayed;
use crate::watch::Watch;
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{Evidence, Execution};
use nilas_program::{ArcId, EdgeId};
use nilas_report::Reached;
use nilas_smt::{Budget, Interrupt, Reason};
use std::time::Duration;

/// What the program as lowered lets through.
pub(crate) struct Admitted {
    pub(crate) verdict: Verdict,
    /// The execution that is not admitted: its inputs may lead to the error all the same.
    pub(crate) doubtful: Option<Execution>,
    /// An execution in which unknown functions do less may be real.
    pub(crate) less: bool,
}

/// An execution that relies on what nobody knows shows nothing about the real program, nor does a proof of a
/// program all of whose executions stop at undefined behaviour. `stopped` is where the only execution did.
pub(crate) fn admit(input: &Input, verdict: Verdict, stopped: Option<(EdgeId, ArcId)>) -> Admitted {
    let unknown = |why: String| Verdict::Unknown(Unknown::Inapplicable(why));
    match &verdict {
        Verdict::Unsafe(Evidence::Execution(execution)) => {
            match real::judge(input, execution, &Budget::unlimited()) {
                Judgement::Real(execution) => {
                    let verdict = Verdict::Unsafe(Evidence::Execution(*execution));
                    Admitted { verdict, doubtful: None, less: false }
                }
                Judgement::Doubtful { on, less } => {
                    let doubtful = Some(execution.clone());
                    let verdict = unknown(format!("an execution to the error relies on {on}"));
                    Admitted { verdict, doubtful, less }
                }
            }
        }
        Verdict::Safe(_) => {
            let stopped = stopped.and_then(|stopped| input.undefined_at(stopped));
            let verdict = match stopped {
                Some(what) => unknown(format!(
                    "every execution stops at undefined behaviour ({what}), so a proof would say nothing"
                )),
                None => verdict,
            };
            Admitted { verdict, doubtful: None, less: false }
        }
        _ => Admitted { verdict, doubtful: None, less: false },
    }
}

/// What the second reading says.
pub(crate) enum Confirmed {
    /// The verdict stands; for an execution, what came of repeating it: it reached the error, or why it could
    /// not be repeated.
    Stands(Option<Result<Reached, String>>),
    /// An execution of the C program reaches the error.
    Reached(Reached),
    /// Nothing is known after all.
    Unknown(String),
}

/// Has a verdict looked at by the second reading. `who` made it, in so much time.
///
/// # Errors
/// The two readings contradict each other: a bug in one of them.
pub(crate) fn confirm(
    input: &Input,
    admitted: (&Verdict, &[Execution]),
    watch: &mut Watch<'_>,
    unreplayed: Unreplayed,
    (who, took): (&str, Duration),
) -> Result<Confirmed, Refusal> {
    let (verdict, doubtful) = admitted;
    match verdict {
        Verdict::Safe(evidence) => {
            let reached = watch.try_doubtful(input, doubtful);
            match reached.or_else(|| watch.after_proof(took, input, evidence)) {
                Some(reached) => Err(proof_contradicted(who, &reached)),
                None => Ok(match watch.undefined() {
                    Some(what) => Confirmed::Unknown(format!(
                        "every execution that was tried stops at undefined behaviour ({what}), so a proof would say \
                         nothing"
                    )),
                    None => Confirmed::Stands(None),
                }),
            }
        }
        Verdict::Unsafe(Evidence::Execution(execution)) => match watch.repeat(input, execution) {
            Replayed::Confirmed(reached) => Ok(Confirmed::Stands(Some(Ok(reached)))),
            Replayed::Not(why) if unreplayed == Unreplayed::Unknown => Ok(Confirmed::Unknown(format!(
                "an execution reaches the error, but it could not be repeated in C: {why}"
            ))),
            Replayed::Not(why) => Ok(Confirmed::Stands(Some(Err(why)))),
            Replayed::Contradicted(end) => Err(execution_contradicted(who, &end)),
        },
        Verdict::Unsafe(_) | Verdict::Rejected { .. } => Ok(Confirmed::Stands(None)),
        Verdict::Unknown(_) | Verdict::Unchecked { .. } => match watch.try_doubtful(input, doubtful) {
            Some(reached) => Ok(Confirmed::Reached(reached)),
            None => Ok(Confirmed::Stands(None)),
        },
    }
}

/// A proof that an execution of the C program contradicts.
fn proof_contradicted(who: &str, reached: &Reached) -> Refusal {
    let stack: Vec<String> =
        reached.stack.iter().map(|(function, place)| format!("`{function}` at {place}")).collect();
    let message = format!(
        "nilas: internal error: {who} has a proof that the error cannot be reached, but the reference interpreter \
         reaches it at {} ({}; in {}).\nOne of the two readings of the program is wrong. Please report the program \
         and these choices:\n{}",
        reached.place,
        reached.what,
        stack.join(", called from "),
        reached.text
    );
    Refusal { message, exit: Exit::Internal }
}

/// An execution that the reference interpreter does not repeat.
fn execution_contradicted(who: &str, end: &str) -> Refusal {
    let message = format!(
        "nilas: internal error: {who} has an execution that reaches the error, but with the same choices the \
         reference interpreter ends elsewhere ({end}).\nOne of the two readings of the program is wrong. Please \
         report the program."
    );
    Refusal { message, exit: Exit::Internal }
}

/// How the process ends with a verdict.
pub(crate) fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Safe(_) => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(Unknown::Internal(_)) | Verdict::Rejected { .. } => Exit::Internal,
        Verdict::Unknown(_) | Verdict::Unchecked { .. } => Exit::Unknown,
    }
}

/// Why a verdict is neither safe nor unsafe. `who` had evidence after so much time.
pub(crate) fn reason(input: &Input, verdict: &Verdict, (who, found): (&str, Duration)) -> String {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => String::new(),
        Verdict::Unknown(Unknown::Unmodelled { span, edge, .. }) => {
            let construct = edge.and_then(|edge| input.unmodelled.get(&edge));
            let what = construct.map(|place| format!(" ({})", place.construct)).unwrap_or_default();
            let place = input.source.place(*span).map(|place| format!(" at {place}"));
            format!("an execution leaves what is modelled{what}{}", place.unwrap_or_default())
        }
        Verdict::Unknown(why) => why.to_string(),
        Verdict::Unchecked { evidence, why } => {
            let what = match evidence {
                Evidence::Execution(_) => "an execution to the error",
                _ => "a proof",
            };
            format!("{what} was found after {:.1} s, but {}", found.as_secs_f64(), unchecked(why))
        }
        Verdict::Rejected { why, .. } => format!("internal error: the evidence of {who} was rejected: {why}"),
    }
}

/// What kept the checker from a decision.
pub(crate) fn unchecked(why: &Reason) -> String {
    match why {
        Reason::Interrupted(Interrupt::Timeout) => "checking it ran out of time".to_owned(),
        Reason::Interrupted(Interrupt::OutOfMemory) => "checking it ran out of memory".to_owned(),
        Reason::Unsupported(what) => format!("the checker cannot decide it: {what}"),
        why => format!("checking it ended early: {why}"),
    }
}
