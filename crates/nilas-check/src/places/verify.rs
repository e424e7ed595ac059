//! Saved answers for places.

use super::asked::{Key, key};
use super::told::{Place, check_of};
use super::{concerns, may_hide_places};
use crate::answer::Standing;
use crate::challenge::Challenge;
use crate::finding;
use crate::gate::{self, Claim, Confirmed};
use crate::input::Input;
use crate::options::{Options, Unreplayed};
use crate::refusal::Refusal;
use crate::saved;
use crate::session::Session;
use crate::watch::Watch;
use nilas_engine::Verdict;
use nilas_evidence::{self as evidence, Account, Answers, Evidence, Rejection, check_answers, text};
use nilas_program::LocationId;
use nilas_report::{Reached, Violation};
use nilas_run::choice::ChoiceFile;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Checks the answers of an evidence file; says why nothing is known if there are none.
pub(crate) fn verify(
    (name, saved): (&str, &str),
    input: &Input,
    options: &Options,
    session: &Session,
) -> Result<Result<Vec<Place>, String>, Refusal> {
    if may_hide_places(input) {
        let why =
            "the lowering lists no place, and the file does not show that executions stay within the model";
        return Ok(Err(why.to_owned()));
    }
    let began = Instant::now();
    let targets = input.targets();
    let answers = text::parse_answers(&targets, saved).map_err(|error| saved::misread(name, saved, error))?;
    let mut account = Account { threads: options.cores(), ..Account::default() };
    let missing = |target| Refusal::new(format!("nilas: `{}` has no answer", targets.name(target)));
    let checked = check_answers(&targets, &answers, &session.budget(), &mut account).map_err(missing)?;
    let mut places = Vec::new();
    let mut proofs = Vec::new();
    let mut known = Vec::new();
    for (check, error) in input.checks.iter().zip(&input.errors) {
        let mut reached = None;
        let (standing, why) = match (&checked[error], &answers[error]) {
            // A violation counts if it is repeated in C, and here only choices are.
            (Ok(Some(evidence::Verdict::Unsafe)), _) => {
                let why = "an execution of the automaton gets there, but it was not repeated in C";
                (Standing::Unknown, Some(why.to_owned()))
            }
            (Ok(Some(_)), answer) => {
                let leader = if let evidence::Answer::With(leader) = answer { leader } else { error };
                proofs.push((*leader, key(check)));
                (Standing::Safe, None)
            }
            (Ok(None), evidence::Answer::Choices(choices)) => {
                let found = repeated(input, name, choices, options)?;
                known.extend(found.iter().filter_map(|found| found.violates.clone()));
                match found {
                    Ok(found)
                        if found.violates.as_ref().and_then(|it| check_of(input, it)) == Some(key(check)) =>
                    {
                        reached = Some(found);
                        (Standing::Unsafe, None)
                    }
                    // What leads to a violation elsewhere has no answer of its own: that one is told.
                    Ok(found) if check.auxiliary => {
                        places.extend(Place::of(input, found));
                        continue;
                    }
                    Ok(_) => (Standing::Unknown, Some("the execution ends elsewhere".to_owned())),
                    Err(why) => (Standing::Unknown, Some(why)),
                }
            }
            (Ok(None), evidence::Answer::Unknown(why)) => (Standing::Unknown, Some(why.clone())),
            (Ok(None), _) => (Standing::Unknown, None),
            (Err(Rejection::Undecided(why)), _) => (Standing::Unknown, Some(gate::unchecked(why))),
            (Err(why), _) => (Standing::Internal, Some(format!("rejected: {why}"))),
        };
        if check.auxiliary && standing == Standing::Safe {
            continue;
        }
        places.push(Place { finding: finding::of_check(input, check), standing, why, reached, course: None });
    }
    let mut vacuous = None;
    for reached in challenge(input, &answers, &proofs, known, began.elapsed(), session, &mut vacuous)? {
        // What the file does not know, but an execution of the C program shows, is told.
        places.retain(|place| place.standing != Standing::Unknown || !place.is_violated_by(&reached));
        places.extend(Place::of(input, reached));
    }
    for place in places.iter_mut().filter(|place| place.standing == Standing::Safe) {
        if let Some(why) = &vacuous {
            (place.standing, place.why) = (Standing::Unknown, Some(why.clone()));
        }
    }
    Ok(Ok(places))
}

/// Challenges the proofs as [`super::check`] does: each by executions of the C program, but for violations
/// that are known; those that are met and that no proof is about are returned. `proofs` are checks with the
/// target that has the evidence. If every execution stops at undefined behaviour, the proofs are `vacuous`.
///
/// # Errors
/// An execution contradicts a proof.
fn challenge(
    input: &Input,
    answers: &Answers,
    proofs: &[(LocationId, Key)],
    known: Vec<Violation>,
    took: Duration,
    session: &Session,
    vacuous: &mut Option<String>,
) -> Result<Vec<Reached>, Refusal> {
    let Some(tree) = &input.tree else { return Ok(Vec::new()) };
    let mut watch = Watch::new(tree, input.properties(), session.budget(), false);
    for violation in known {
        watch.pass_over(Some(violation));
    }
    // What is proved about all checks that the lowering lists is proved about those that it does not list.
    let all = proofs.len() == input.checks.len();
    let proved: BTreeSet<Key> = proofs.iter().map(|&(_, check)| check).collect();
    let about = |reached: &Reached| concerns(input, &proved, all, reached);
    let mut met = Vec::new();
    for (leader, answer) in answers {
        let evidence::Answer::Evidence(evidence) = answer else { continue };
        if !proofs.iter().any(|(other, _)| other == leader) {
            continue;
        }
        let stopped = match evidence {
            Evidence::Run => {
                let targets = input.targets();
                let program = targets.about_all(&targets.targets);
                evidence::run(&program, &session.budget()).ok().and_then(|ended| ended.stopped)
            }
            _ => None,
        };
        let admitted = gate::admit(input, Verdict::Safe(evidence.clone()), stopped, &session.budget());
        if let Verdict::Unknown(why) = &admitted.verdict {
            *vacuous = Some(why.to_string());
            break;
        }
        let claim = Claim { verdict: &admitted.verdict, trace: None, doubtful: &[], about: &about };
        match gate::confirm(input, claim, &mut watch, Unreplayed::Unsafe, ("the evidence", took))? {
            Confirmed::Unknown(why) => {
                *vacuous = Some(why);
                break;
            }
            Confirmed::Stands { elsewhere, .. } => met.extend(elsewhere),
            Confirmed::Reached(reached) => met.push(reached),
        }
    }
    Ok(met)
}

/// Runs the program with the choices that were saved.
fn repeated(
    input: &Input,
    name: &str,
    choices: &str,
    options: &Options,
) -> Result<Result<nilas_report::Reached, String>, Refusal> {
    let Some(tree) = &input.tree else { return Ok(Err("there is no C program".to_owned())) };
    let wrong = |error| Refusal::new(format!("nilas: `{name}`, {error}"));
    let choices = ChoiceFile::parse(choices).map_err(wrong)?;
    let challenge = Challenge::new(tree, input.properties());
    Ok(challenge.repeat(&choices, options.limits.time.unwrap_or(Duration::MAX)))
}
