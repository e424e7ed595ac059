//! The gate: what evidence has to pass before its verdict is told, whether an engine has just found it or it
//! was saved.
//!
//! 1. The checker accepts it ([`nilas_engine::examine`]).
//! 2. It says something about the real program ([`admit`]): an execution does not rest on choices of which
//!    nobody knows whether they can be made, and a proof is not one of a program all of whose executions stop
//!    at undefined behaviour.
//! 3. The second reading of C does not contradict it ([`confirm`]): an execution is repeated there, and a
//!    proof is challenged by executions. If all of these stop at undefined behaviour, it says nothing.

use crate::input::Input;
use crate::models::Model;
use crate::options::Unreplayed;
use crate::real::{self, Judgement};
use crate::refusal::Refusal;
use crate::replay::{self, Replayed};
use crate::watch::Watch;
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{Evidence, Trace};
use nilas_program::{ArcId, EdgeId};
use nilas_report::{Cause, Reached, Why};
use nilas_smt::{Budget, Interrupt, Reason};
use std::time::Duration;

/// A challenge goes on after so many executions to what the proof is not about.
const ELSEWHERE: usize = 16;

/// What the program as lowered lets through.
pub(crate) struct Admitted {
    pub(crate) verdict: Verdict,
    /// What the execution does that is admitted.
    pub(crate) trace: Option<Trace>,
    /// The inputs of an execution that is not admitted: they may lead to the error all the same.
    pub(crate) doubtful: Option<Model>,
    /// An execution in which unknown functions do less may be real.
    pub(crate) less: bool,
}

/// An execution that relies on what nobody knows shows nothing about the real program, nor does a proof of a
/// program all of whose executions stop at undefined behaviour. `stopped` is where the only execution did.
pub(crate) fn admit(
    input: &Input,
    verdict: Verdict,
    stopped: Option<(EdgeId, ArcId)>,
    budget: &Budget,
) -> Admitted {
    let unknown = |why: String| Verdict::Unknown(Unknown::Inapplicable(why));
    match &verdict {
        Verdict::Unsafe(Evidence::Execution(execution)) => match real::judge(input, execution, budget) {
            Judgement::Real(real) => {
                let (execution, trace) = *real;
                let verdict = Verdict::Unsafe(Evidence::Execution(execution));
                Admitted { verdict, trace: Some(trace), doubtful: None, less: false }
            }
            Judgement::Doubtful { on, less, trace } => {
                let verdict = unknown(format!("an execution to the error relies on {on}"));
                let doubtful = trace.as_ref().map(replay::inputs);
                Admitted { verdict, trace: None, doubtful, less }
            }
        },
        Verdict::Safe(_) => {
            let stopped = stopped.and_then(|stopped| input.undefined_at(stopped));
            let verdict = match stopped {
                Some(what) => unknown(format!(
                    "every execution stops at undefined behaviour ({what}), so a proof would say nothing"
                )),
                None => verdict,
            };
            Admitted { verdict, trace: None, doubtful: None, less: false }
        }
        _ => Admitted { verdict, trace: None, doubtful: None, less: false },
    }
}

/// What the second reading says.
pub(crate) enum Confirmed {
    /// The verdict stands.
    Stands {
        /// What came of repeating an execution: it reached the error, or why it could not be repeated.
        repeated: Option<Result<Reached, String>>,
        /// Executions met while a proof was challenged that violate something which it is not about.
        elsewhere: Vec<Reached>,
    },
    /// An execution of the C program reaches the error.
    Reached(Reached),
    /// Nothing is known after all.
    Unknown(String),
}

impl Confirmed {
    fn stands(repeated: Option<Result<Reached, String>>) -> Confirmed {
        Confirmed::Stands { repeated, elsewhere: Vec::new() }
    }
}

/// A verdict that was admitted.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub(crate) verdict: &'a Verdict,
    /// What its execution does.
    pub(crate) trace: Option<&'a Trace>,
    /// Inputs of executions that were not admitted.
    pub(crate) doubtful: &'a [Model],
    /// Whether it is about what an execution of the C program reached.
    pub(crate) about: &'a dyn Fn(&Reached) -> bool,
}

/// What a verdict about the whole program is about.
pub(crate) fn everything(_: &Reached) -> bool {
    true
}

/// Has a verdict looked at by the second reading. `who` made it, in so much time.
///
/// # Errors
/// The two readings contradict each other: a bug in one of them.
pub(crate) fn confirm(
    input: &Input,
    claim: Claim<'_>,
    watch: &mut Watch<'_>,
    unreplayed: Unreplayed,
    (who, took): (&str, Duration),
) -> Result<Confirmed, Refusal> {
    let Claim { verdict, trace, doubtful, about } = claim;
    match verdict {
        Verdict::Safe(evidence) => {
            let mut elsewhere = Vec::new();
            let mut first = watch.try_doubtful(input, doubtful);
            while elsewhere.len() < ELSEWHERE
                && let Some(reached) = first.take().or_else(|| watch.after_proof(took, input, evidence))
            {
                if about(&reached) {
                    return Err(proof_contradicted(who, &reached));
                }
                watch.pass_over(reached.violates.clone());
                elsewhere.push(reached);
            }
            Ok(match watch.undefined() {
                Some(what) => Confirmed::Unknown(format!(
                    "every execution that was tried stops at undefined behaviour ({what}), so a proof would say \
                     nothing"
                )),
                None => Confirmed::Stands { repeated: None, elsewhere },
            })
        }
        Verdict::Unsafe(Evidence::Execution(_)) => match watch.repeat_trace(input, trace) {
            Replayed::Confirmed(reached) => Ok(Confirmed::stands(Some(Ok(reached)))),
            Replayed::Not(why) if unreplayed == Unreplayed::Unknown => Ok(Confirmed::Unknown(format!(
                "an execution reaches the error, but it could not be repeated in C: {why}"
            ))),
            Replayed::Not(why) => Ok(Confirmed::stands(Some(Err(why)))),
            Replayed::Contradicted(end) => Err(execution_contradicted(who, &end)),
        },
        Verdict::Unsafe(_) | Verdict::Rejected { .. } => Ok(Confirmed::stands(None)),
        Verdict::Unknown(_) | Verdict::Unchecked { .. } => match watch.try_doubtful(input, doubtful) {
            Some(reached) => Ok(Confirmed::Reached(reached)),
            None => Ok(Confirmed::stands(None)),
        },
    }
}

/// A proof that an execution of the C program contradicts.
pub(crate) fn proof_contradicted(who: &str, reached: &Reached) -> Refusal {
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
    Refusal::internal(message)
}

/// An execution that the reference interpreter does not repeat.
fn execution_contradicted(who: &str, end: &str) -> Refusal {
    let message = format!(
        "nilas: internal error: {who} has an execution that reaches the error, but with the same choices the \
         reference interpreter ends elsewhere ({end}).\nOne of the two readings of the program is wrong. Please \
         report the program."
    );
    Refusal::internal(message)
}

/// Why a verdict is neither safe nor unsafe. `who` had evidence after so much time.
pub(crate) fn reason(input: &Input, verdict: &Verdict, (who, found): (&str, Duration)) -> Why {
    let (cause, text) = match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => (Cause::Other, String::new()),
        Verdict::Unknown(Unknown::Unmodelled { span, edge, .. }) => {
            let construct = edge.and_then(|edge| input.unmodelled.get(&edge));
            let what = construct.map(|place| format!(" ({})", place.construct)).unwrap_or_default();
            let place = input.source.place(*span).map(|place| place.at());
            let text = format!("an execution leaves what is modelled{what}{}", place.unwrap_or_default());
            (Cause::Unmodelled, text)
        }
        Verdict::Unknown(why) => (cause(why), why.to_string()),
        Verdict::Unchecked { evidence, why } => {
            let what = match evidence {
                Evidence::Execution(_) => "an execution to the error",
                _ => "a proof",
            };
            let after = found.as_secs_f64();
            (Cause::Unchecked, format!("{what} was found after {after:.1} s, but {}", unchecked(why)))
        }
        Verdict::Rejected { why, .. } => {
            (Cause::Rejected, format!("internal error: the evidence of {who} was rejected: {why}"))
        }
    };
    Why { cause, text }
}

fn cause(why: &Unknown) -> Cause {
    match why {
        Unknown::Interrupted(why) => interrupted(*why),
        Unknown::Unsupported(_) => Cause::Unsupported,
        Unknown::Unmodelled { .. } => Cause::Unmodelled,
        Unknown::Internal(_) => Cause::Internal,
        Unknown::Inapplicable(why) => Cause::of_text(why),
        Unknown::Bound { .. } => Cause::Other,
    }
}

/// The cause that a limit is.
pub(crate) fn interrupted(why: Interrupt) -> Cause {
    match why {
        Interrupt::Timeout => Cause::Time,
        Interrupt::OutOfMemory => Cause::Memory,
        Interrupt::Cancelled | Interrupt::Conflicts => Cause::Other,
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

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_evidence::Rejection;
    use nilas_program::{Span, parse_program};
    use nilas_report::Source;

    /// Who reads reasons from JSON finds the causes that they have.
    #[test]
    fn causes_are_found_in_texts() {
        let text = "var x : bv8 entry a error e a -> e { skip }";
        let program = parse_program(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let source = Source::Automaton(nilas_program::source::SourceFile::plain("a.cfa", text.into()));
        let input = Input::of_automaton(source, program, Vec::new());
        let unmodelled = Unknown::Unmodelled { span: Span::default(), edge: None, execution: Box::default() };
        let unknown = [
            (Unknown::Interrupted(Interrupt::Timeout), Cause::Time),
            (Unknown::Interrupted(Interrupt::OutOfMemory), Cause::Memory),
            (Unknown::Bound { what: "frame", limit: 3 }, Cause::Other),
            (Unknown::Unsupported("x".into()), Cause::Unsupported),
            (Unknown::Inapplicable("x".into()), Cause::Other),
            (unmodelled, Cause::Unmodelled),
            (Unknown::Internal("x".into()), Cause::Internal),
        ];
        let unchecked =
            Verdict::Unchecked { evidence: Evidence::Run, why: Reason::Interrupted(Interrupt::Timeout) };
        let why = Rejection::NotReached { why: "x".into() };
        let rejected = Verdict::Rejected { why, evidence: Evidence::Run };
        let unknown = unknown.into_iter().map(|(why, cause)| (Verdict::Unknown(why), cause));
        for (verdict, cause) in unknown.chain([(unchecked, Cause::Unchecked), (rejected, Cause::Rejected)]) {
            let why = reason(&input, &verdict, ("bmc", Duration::ZERO));
            assert_eq!((why.cause, Cause::of_text(&why.text)), (cause, cause), "{why}");
        }
    }
}
