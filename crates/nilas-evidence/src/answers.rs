//! Evidence for several targets at once, each with an answer of its own.
//!
//! The answer for a target is evidence about the automaton in which that target is the error
//! ([`Targets::about`]). A proof may be about several targets at once: then one of them has the evidence, about
//! the automaton in which all of them are the error ([`Targets::about_all`]), and the others refer to it. Every
//! target must have an answer; *unknown* is one, and shows nothing.

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
    /// It cannot be reached: the evidence of another target is about this one, too.
    With(LocationId),
    /// An execution of the source program reaches it, by these choices. They mean something to whoever
    /// executes that program; nothing is checked here.
    Choices(String),
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
    let together = |leader: LocationId| {
        let others = targets.targets.iter().copied();
        let follows =
            |other: &LocationId| matches!(answers.get(other), Some(Answer::With(it)) if *it == leader);
        let mut group = vec![leader];
        group.extend(others.filter(follows));
        group
    };
    let mut check = |target: LocationId, answer: &Answer| match answer {
        // Those that refer to another one are told below.
        Answer::Unknown(_) | Answer::Choices(_) | Answer::With(_) => Ok(None),
        Answer::Evidence(evidence) => {
            let group = together(target);
            let verdict = check_with(&targets.about_all(&group), evidence, budget, account)?;
            match (verdict, evidence) {
                (Verdict::Unsafe, Evidence::Execution(_)) if group.len() > 1 => {
                    Err(Rejection::NotReached { why: "an execution to one of several targets".into() })
                }
                (Verdict::Unsafe, Evidence::Execution(_)) => Ok(Some(verdict)),
                (Verdict::Safe, Evidence::Invariant(_) | Evidence::Unwinding(_) | Evidence::Run) => {
                    Ok(Some(verdict))
                }
                _ => Err(Rejection::NotReached { why: "it ends elsewhere than it says".into() }),
            }
        }
    };
    let checked: BTreeMap<LocationId, Checked> =
        answers.iter().map(|(&target, answer)| (target, check(target, answer))).collect();
    let referred = |target: LocationId, answer: &Answer| match answer {
        Answer::With(leader) => match checked.get(leader) {
            Some(Ok(Some(Verdict::Safe))) => Ok(Some(Verdict::Safe)),
            Some(Err(why)) => Err(why.clone()),
            _ => Err(Rejection::NotReached { why: "it refers to a target without proof".into() }),
        },
        _ => checked[&target].clone(),
    };
    Ok(answers.iter().map(|(&target, answer)| (target, referred(target, answer))).collect())
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
    fn a_proof_may_be_about_several_targets() {
        let never = "(target never (unknown \"no time\"))";
        let with = ANSWERS.replace(never, "(target never (with high))");
        assert_eq!(
            checked(&with),
            [Ok(Some(Verdict::Unsafe)), Ok(Some(Verdict::Safe)), Ok(Some(Verdict::Safe))]
        );
        // One that can be reached is not among them.
        let wrong = ANSWERS.replace("(target low (execution (havoc 0 0 #x00)))", "(target low (with high))");
        assert!(matches!(checked(&wrong)[..], [Err(_), Err(_), Ok(None)]), "{wrong}");
        // Nothing follows from an execution to another target, or from nothing.
        for other in ["low", "never"] {
            let wrong = ANSWERS
                .replace("(target high (invariant (at b true)))", &format!("(target high (with {other}))"));
            assert!(checked(&wrong)[1].is_err(), "{wrong}");
        }
        let choices = ANSWERS.replace("(unknown \"no time\")", "(choices \"input a.c:1:2 f 0 = 3\")");
        assert_eq!(checked(&choices)[2], Ok(None));
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
