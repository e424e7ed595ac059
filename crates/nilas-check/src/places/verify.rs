//! Saved answers for places.

use super::asked::key;
use super::told::{Place, check_of};
use crate::answer::Standing;
use crate::challenge::Challenge;
use crate::gate;
use crate::input::Input;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::saved;
use nilas_evidence::{self as evidence, Account, Rejection, check_answers, text};
use nilas_run::choice::ChoiceFile;
use nilas_smt::Budget;
use std::time::Duration;

/// Checks the answers of an evidence file.
pub(crate) fn verify(
    (name, saved): (&str, &str),
    input: &Input,
    options: &Options,
    budget: &Budget,
) -> Result<Vec<Place>, Refusal> {
    let targets = input.targets();
    let answers = text::parse_answers(&targets, saved).map_err(|error| saved::misread(name, saved, error))?;
    let mut account = Account { threads: options.cores(), ..Account::default() };
    let missing = |target| Refusal::new(format!("nilas: `{}` has no answer", targets.name(target)));
    let checked = check_answers(&targets, &answers, budget, &mut account).map_err(missing)?;
    let mut places = Vec::new();
    for (check, error) in input.checks.iter().zip(&input.errors) {
        let mut reached = None;
        let (standing, why) = match (&checked[error], &answers[error]) {
            // A violation counts if it is repeated in C, and here only choices are.
            (Ok(Some(evidence::Verdict::Unsafe)), _) => {
                let why = "an execution of the automaton gets there, but it was not repeated in C";
                (Standing::Unknown, Some(why.to_owned()))
            }
            (Ok(Some(_)), _) => (Standing::Safe, None),
            (Ok(None), evidence::Answer::Choices(choices)) => {
                match repeated(input, name, choices, options)? {
                    Ok(found)
                        if found.violates.as_ref().and_then(|it| check_of(input, it)) == Some(key(check)) =>
                    {
                        reached = Some(found);
                        (Standing::Unsafe, None)
                    }
                    // What leads to a violation elsewhere has no answer of its own: that one is told.
                    Ok(found) if check.auxiliary => {
                        places.extend(Place::of(found));
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
        let at = input.tree.as_ref().map(|tree| tree.sources.locate(check.span));
        let (file, line, column) = at.map(|at| (at.file, at.line, at.column)).unwrap_or_default();
        let (property, what, expression) = (check.property, check.what.clone(), check.expression.clone());
        places.push(Place { property, what, file, line, column, expression, standing, why, reached });
    }
    Ok(places)
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
