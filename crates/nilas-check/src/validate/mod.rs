//! Witnesses of others: is what they say true of the program?
//!
//! Invariants are candidates: the program is checked with an assertion at each loop that says its invariant
//! ([`instrument`]). If no assertion fails, and none of the program without invariants does, the witness is
//! confirmed; if one does, it is refuted. (Where an invariant has no value by the rules of C, executions of
//! the program with it stop, so that one alone says nothing.) A violation witness makes a program in which
//! the error counts only in executions that pass its waypoints ([`product`]): an execution of that confirms
//! it, a proof refutes it ([`violation`]). Nothing is taken for true because a witness says so.

mod instrument;
mod number;
mod product;
mod pure;
mod violation;

use crate::answer::{Answer, Standing};
use crate::check;
use crate::observer::Observer;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::task::{CProgram, Task, Text};
use nilas_report::Why;
use nilas_report::witness::{self, Invariant, Witness};

/// What came of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validated {
    /// It is true of the program, for this reason.
    Confirmed(String),
    /// It is not.
    Refuted(String),
    /// Nobody knows.
    Unknown(String),
}

/// Which rules a witness goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// GraphML: edges of an automaton.
    One,
    /// YAML: waypoints.
    Two,
}

/// Looks whether a witness is true of a program.
pub(crate) fn validate(
    session: &Session,
    task: &Task,
    text: &Text,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Validated, Refusal> {
    let Task::C(program) = task else {
        return Err(Refusal::new("nilas: witnesses are about C programs"));
    };
    let (name, text) = (text.name(), text.text()?);
    let format = if text.trim_start().starts_with('<') { Format::One } else { Format::Two };
    let read = witness::read(&text);
    match read.map_err(|why| Refusal::new(format!("nilas: `{name}` is no witness: {why}")))? {
        Witness::Correctness(invariants) => correctness(session, program, &invariants, options, observer),
        Witness::Violation(waypoints) => {
            let asked = violation::Question { session, program, waypoints: &waypoints, format, options };
            asked.answer(observer)
        }
    }
}

fn correctness(
    session: &Session,
    program: &CProgram,
    invariants: &[Invariant],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Validated, Refusal> {
    if invariants.iter().any(|it| !it.is_loop) {
        return Ok(Validated::Unknown("it has invariants at places that are no loops".to_owned()));
    }
    if let Some(it) = invariants.iter().find(|it| !pure::is_pure(&it.value)) {
        let line = it.location.line;
        return Ok(Validated::Unknown(format!(
            "its invariant at line {line} is more than a plain expression"
        )));
    }
    let single = program.files.len() == 1;
    let mut files = Vec::new();
    let mut placed = 0;
    for file in &program.files {
        let own = |it: &&Invariant| single || base(&it.location.file) == base(&file.name());
        let about: Vec<&Invariant> = invariants.iter().filter(own).collect();
        placed += about.len();
        if about.is_empty() {
            files.push(file.clone());
            continue;
        }
        match instrument::instrument(&file.name(), &file.text()?, &about) {
            Ok(text) => files.push(Text::Given { name: file.name(), bytes: text.into_bytes() }),
            Err(why) => return Ok(Validated::Unknown(why)),
        }
    }
    if placed < invariants.len() {
        return Ok(Validated::Unknown("it is about a file that the program does not have".to_owned()));
    }
    let task = Task::C(CProgram { files, ..program.clone() });
    // What stands in an invariant and is no C is a mistake of the witness.
    let answer = match check::check(session, &task, options, observer) {
        Err(refusal) if !invariants.is_empty() && refusal.kind == crate::refusal::RefusalKind::Input => {
            let first = refusal.message.lines().next().unwrap_or_default();
            return Ok(Validated::Unknown(format!("the program with its invariants is refused: {first}")));
        }
        answer => answer?,
    };
    Ok(match answer.standing() {
        Standing::Safe => {
            if placed > 0 {
                let answer = check::check(session, &Task::C(program.clone()), options, observer)?;
                if answer.standing() != Standing::Safe {
                    return Ok(Validated::Unknown(format!("without invariants: {}", reason(&answer))));
                }
            }
            let word = if placed == 1 { "invariant holds" } else { "invariants hold" };
            Validated::Confirmed(format!("{placed} {word}, and no assertion fails"))
        }
        Standing::Unsafe => Validated::Refuted(match &answer.summary.finding {
            Some(finding) => {
                format!("an assertion or an invariant fails at {}:{}", finding.file, finding.line)
            }
            None => "an assertion or an invariant fails".to_owned(),
        }),
        _ => Validated::Unknown(reason(&answer)),
    })
}

fn reason(answer: &Answer) -> String {
    answer.reason().map_or_else(|| "not decided".to_owned(), |why: &Why| why.text.clone())
}

/// The last part of a file's name.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
