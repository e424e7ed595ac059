//! Evidence for several targets at once, each with an answer of its own.
//!
//! The answer for a target is evidence about the automaton in which that target is the error
//! ([`Targets::about`]). Every target must have an answer; *unknown* is one, and shows nothing.

use crate::check::{Account, Verdict, check_with};
use crate::evidence::Evidence;
use crate::rejection::Rejection;
use nilas_program::{LocationId, Targets};
use nilas_smt::Budget;
use std::collections::BTreeMap;

/// What is known of one target.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Why the verdict about it should be believed.
    Evidence(Evidence),
    /// Nothing, and why.
    Unknown(String),
}

/// What is known of all targets.
pub type Answers = BTreeMap<LocationId, Answer>;

/// What the checker says of one target: what was shown, nothing where the answer is unknown.
pub type Checked = Result<Option<Verdict>, Rejection>;

/// Checks the answers one after the other. What is wrong with one says nothing about the others.
///
/// # Errors
/// When not exactly the targets have answers: some location without, or with too much.
pub fn check_answers(
    targets: &Targets,
    answers: &Answers,
    budget: &Budget,
    account: &mut Account,
) -> Result<BTreeMap<LocationId, Checked>, LocationId> {
    if let Some(&missing) = targets.targets.iter().find(|target| !answers.contains_key(target)) {
        return Err(missing);
    }
    if let Some(&stranger) = answers.keys().find(|location| !targets.targets.contains(location)) {
        return Err(stranger);
    }
    let mut check = |target: LocationId, answer: &Answer| match answer {
        Answer::Unknown(_) => Ok(None),
        Answer::Evidence(evidence) => {
            let verdict = check_with(&targets.about(target), evidence, budget, account)?;
            match (verdict, evidence) {
                (Verdict::Unsafe, Evidence::Execution(_)) => Ok(Some(verdict)),
                (Verdict::Safe, Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run) => {
                    Ok(Some(verdict))
                }
                _ => Err(Rejection::NotReached { why: "it ends elsewhere than it says".into() }),
            }
        }
    };
    Ok(answers.iter().map(|(&target, answer)| (target, check(target, answer))).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::text::{parse_answers, print_answers};
    use nilas_program::parse_targets;

    const TEXT: &str = "var x : bv8 entry a error low, high, never location a, b, low, high, never a -> b { havoc x } \
         b -> b { assume x >u 9; x := x - 1 } b -> low { assume x == 0 } b -> high { assume x >u 9 && x == 3 } \
         b -> never { assume x == 8 && x == 9 }";

    const ANSWERS: &str = "(answers (target low (execution (havoc 0 0 #x00))) (target high (invariant (at b true))) \
         (target never (unknown \"no time\")))";

    fn checked(answers: &str) -> Vec<Checked> {
        let targets = parse_targets(TEXT).unwrap();
        let read = parse_answers(&targets, answers).unwrap();
        // What is printed is read again.
        let printed = print_answers(&targets, &read);
        let again = parse_answers(&targets, &printed).unwrap();
        assert_eq!(printed, print_answers(&targets, &again));
        let account = &mut Account::default();
        check_answers(&targets, &again, &Budget::unlimited(), account).unwrap().into_values().collect()
    }

    #[test]
    fn each_target_has_its_answer() {
        assert_eq!(checked(ANSWERS), [Ok(Some(Verdict::Unsafe)), Ok(Some(Verdict::Safe)), Ok(None)]);
        // The proof of another target, the execution to another one.
        let wrong = checked(
            &ANSWERS
                .replace("(target low", "(target x")
                .replace("(target high", "(target low")
                .replace("(target x", "(target high"),
        );
        assert!(matches!(wrong[..], [Err(_), Err(_), Ok(None)]), "{wrong:?}");
    }

    #[test]
    fn all_targets_have_answers() {
        let targets = parse_targets(TEXT).unwrap();
        for wrong in [
            ANSWERS.replace("(target never (unknown \"no time\"))", ""),
            ANSWERS.replace("(target never", "(target b"),
            ANSWERS.replace("(target never", "(target low"),
            ANSWERS.replace("(unknown \"no time\")", "(unknown)"),
        ] {
            assert!(parse_answers(&targets, &wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn targets_are_sinks() {
        for (from, to) in
            [("b -> b", "low -> b"), ("error low, high", "error low, low"), ("error low", "error a")]
        {
            assert!(parse_targets(&TEXT.replacen(from, to, 1)).is_err(), "{from} -> {to}");
        }
    }
}
