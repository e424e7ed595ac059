//! Automata with several error locations: each is a question of its own, and has its own answer.

use crate::check::{Ended, Search};
use crate::cli::{CheckArgs, Common, VerifyArgs};
use crate::exit::Exit;
use crate::gate;
use crate::input::{self, Input, Refusal};
use crate::limits::Limits;
use crate::saved;
use nilas_engine::{Unknown, Verdict};
use nilas_evidence::{Account, Answer, Answers, Header, Rejection, check_answers, text};
use serde_json::json;

/// What is told of one target.
struct Told {
    name: String,
    exit: Exit,
    /// Why it is neither safe nor unsafe.
    why: Option<String>,
}

/// Looks for an answer for each target, one after the other.
pub(crate) fn check(args: &CheckArgs, input: &Input, search: &Search<'_>) -> Result<Exit, Refusal> {
    let targets = input.targets();
    let (mut answers, mut told) = (Answers::new(), Vec::new());
    for &target in &targets.targets {
        let (exit, answer) = match search.run(input.about(target))? {
            Ended::Found(found) => {
                let report = found.reports.into_iter().next();
                let verdict = report
                    .map_or(Verdict::Unknown(Unknown::Internal("no engine ran".into())), |it| it.verdict);
                let why = gate::reason(input, &verdict, ("an engine", std::time::Duration::ZERO));
                let exit = gate::exit(&verdict);
                match verdict {
                    Verdict::Safe(evidence) | Verdict::Unsafe(evidence) => (exit, Answer::Evidence(evidence)),
                    _ => (exit, Answer::Unknown(why)),
                }
            }
            Ended::Overdue(_, why) | Ended::Unread(why) => (Exit::Unknown, Answer::Unknown(why.to_string())),
        };
        let why = match &answer {
            Answer::Unknown(why) => Some(why.clone()),
            Answer::Evidence(_) => None,
        };
        told.push(Told { name: targets.name(target).to_owned(), exit, why });
        answers.insert(target, answer);
    }
    if let Some(path) = &args.evidence {
        saved::write(path, &(saved::header(input).print() + &text::print_answers(&targets, &answers)))?;
    }
    Ok(print(&args.common, &input::name(&args.files), &told))
}

/// Checks the answers of an evidence file.
pub(crate) fn verify(
    args: &VerifyArgs,
    limits: &Limits,
    saved: &str,
    header: &Header,
    input: &Input,
) -> Result<Exit, Refusal> {
    let targets = input.targets();
    let answers = text::parse_answers(&targets, saved)
        .map_err(|error| saved::misread(&args.evidence(), saved, error))?;
    let mut account = Account { threads: args.common.cores(), ..Account::default() };
    let checked = check_answers(&targets, &answers, &limits.budget(), &mut account);
    let missing = |target| Refusal::new(format!("nilas: `{}` has no answer", targets.name(target)));
    let told: Vec<Told> = checked
        .map_err(missing)?
        .into_iter()
        .map(|(target, checked)| {
            let name = targets.name(target).to_owned();
            let (exit, why) = match (checked, &answers[&target]) {
                (Ok(Some(nilas_evidence::Verdict::Unsafe)), _) => (Exit::Unsafe, None),
                (Ok(Some(_)), _) => (Exit::Safe, None),
                (Ok(None), Answer::Unknown(why)) => (Exit::Unknown, Some(why.clone())),
                (Ok(None), Answer::Evidence(_)) => (Exit::Unknown, None),
                (Err(Rejection::Undecided(why)), _) => (Exit::Unknown, Some(gate::unchecked(&why))),
                (Err(why), _) => {
                    let exit = if header.program.is_some() { Exit::Internal } else { Exit::Refused };
                    (exit, Some(format!("rejected: {why}")))
                }
            };
            Told { name, exit, why }
        })
        .collect();
    Ok(print(&args.common, &input::name(&args.files()), &told))
}

fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Safe => "safe",
        Exit::Unsafe => "unsafe",
        _ => "unknown",
    }
}

/// Prints all answers, and ends as the worst of them: what is broken first, then what can be reached, then
/// what is not known.
fn print(common: &Common, file: &str, told: &[Told]) -> Exit {
    let worst = [Exit::Internal, Exit::Refused, Exit::Unsafe, Exit::Unknown];
    let all = worst.into_iter().find(|&exit| told.iter().any(|told| told.exit == exit)).unwrap_or(Exit::Safe);
    let output = if common.json {
        let targets =
            told.iter().map(|it| json!({ "target": it.name, "verdict": word(it.exit), "reason": it.why }));
        let targets: Vec<_> = targets.collect();
        let object = json!({ "file": file, "verdict": word(all), "targets": targets });
        format!("{object:#}\n")
    } else if common.quiet {
        format!("{}\n", word(all))
    } else {
        let lines = told.iter().map(|it| match &it.why {
            Some(why) => format!("  {}: {}: {why}\n", it.name, word(it.exit)),
            None => format!("  {}: {}\n", it.name, word(it.exit)),
        });
        format!("{}\n{}", word(all), lines.collect::<String>())
    };
    crate::print(&output);
    all
}
