//! Automata with several error locations: each is a question of its own, and has its own answer.

use crate::answer::{Answer, Parts, Standing, Target};
use crate::check::{add_statistics, several};
use crate::frames;
use crate::gate;
use crate::input::Input;
use crate::observer::Listener;
use crate::refusal::Refusal;
use crate::saved;
use crate::search::{Ended, Search};
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{self as evidence, Account, Answers, Header, Rejection, check_answers, text};
use nilas_smt::Budget;
use std::num::NonZero;
use std::time::Duration;

/// Looks for an answer for each target, one after the other.
pub(crate) fn check(
    input: Input,
    search: &Search<'_>,
    listener: &mut Listener<'_>,
) -> Result<Answer, Refusal> {
    let targets = input.targets();
    let (mut answers, mut told) = (Answers::new(), Vec::new());
    let mut summary = several();
    let ask = |search: &Search<'_>, target| {
        Ok(match search.run(input.about(target), listener, &mut |_, _| None)? {
            Ended::Found(found) => {
                summary.frames = frames::of(&found.reports, search.plan.frames).or(summary.frames.take());
                add_statistics(&mut summary.statistics, &found.reports);
                let report = found.reports.into_iter().next();
                let verdict = report
                    .map_or(Verdict::Unknown(Unknown::Internal("no engine ran".into())), |it| it.verdict);
                let why = gate::reason(&input, &verdict, ("an engine", Duration::ZERO)).text;
                let standing = Standing::of(&verdict);
                match verdict {
                    Verdict::Safe(evidence) | Verdict::Unsafe(evidence) => {
                        (standing, evidence::Answer::Evidence(evidence))
                    }
                    _ => (standing, evidence::Answer::Unknown(why)),
                }
            }
            Ended::Reached(..) => {
                return Err(Refusal::internal("nilas: internal error: no program was run"));
            }
            Ended::Overdue(_, why) | Ended::Unread(_, why) => {
                (Standing::Unknown, evidence::Answer::Unknown(why.to_string()))
            }
        })
    };
    let is_open = |(standing, _): &(Standing, evidence::Answer)| *standing == Standing::Unknown;
    let found = search.each(&targets.targets, ask, is_open)?;
    for (&target, (standing, answer)) in targets.targets.iter().zip(found) {
        let why = match &answer {
            evidence::Answer::Unknown(why) => Some(why.clone()),
            _ => None,
        };
        told.push(Target { name: targets.name(target).to_owned(), standing, why });
        answers.insert(target, answer);
    }
    Ok(Answer { parts: Parts::Targets(told, answers), ..Answer::of(input, summary) })
}

/// Checks the answers of an evidence file.
pub(crate) fn verify(
    (name, saved): (&str, &str),
    header: &Header,
    input: &Input,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Result<Vec<Target>, Refusal> {
    let targets = input.targets();
    let answers = text::parse_answers(&targets, saved).map_err(|error| saved::misread(name, saved, error))?;
    let mut account = Account { threads, ..Account::default() };
    let checked = check_answers(&targets, &answers, budget, &mut account);
    let missing = |target| Refusal::new(format!("nilas: `{}` has no answer", targets.name(target)));
    let told = checked.map_err(missing)?.into_iter().map(|(target, checked)| {
        let name = targets.name(target).to_owned();
        let (standing, why) = match (checked, &answers[&target]) {
            (Ok(Some(evidence::Verdict::Unsafe)), _) => (Standing::Unsafe, None),
            (Ok(Some(_)), _) => (Standing::Safe, None),
            (Ok(None), evidence::Answer::Unknown(why)) => (Standing::Unknown, Some(why.clone())),
            (Ok(None), _) => (Standing::Unknown, None),
            (Err(Rejection::Undecided(why)), _) => (Standing::Unknown, Some(gate::unchecked(&why))),
            (Err(why), _) => {
                let standing = if header.program.is_some() { Standing::Internal } else { Standing::Refused };
                (standing, Some(format!("rejected: {why}")))
            }
        };
        Target { name, standing, why }
    });
    Ok(told.collect())
}
