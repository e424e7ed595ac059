//! Witnesses of others: is what they say true of the program?
//!
//! Invariants are candidates: the program is checked with an assertion at each loop that says its invariant
//! ([`instrument`]). If no assertion fails, and none of the program without invariants does, the witness is
//! confirmed; if one does, it is refuted. (Where an invariant has no value by the rules of C, executions of the
//! program with it stop, so that one alone says nothing.) The values of a violation witness guide an execution
//! of the reference interpreter: if that violates the property at the target, the witness is confirmed; if the
//! program is proved safe, it is refuted. Nothing is taken for true because a witness says so.

mod instrument;
mod number;
mod pure;

use crate::answer::{Answer, Standing};
use crate::challenge::{Challenge, STACK, guarded};
use crate::check;
use crate::input;
use crate::observer::Observer;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::task::{CProgram, Task, Text};
use nilas_c::Properties;
use nilas_report::witness::{self, Invariant, Waypoint, Witness};
use nilas_report::{Reached, Why};
use nilas_run::choice::{Choice, ChoiceFile, ChoiceKind, Chooser, Defaults, NoChoice};
use nilas_run::{Discard, Interpreter, Options as RunOptions};
use number::Number;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How long an execution may take.
const EXECUTION: Duration = Duration::from_secs(20);

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
    let name = text.name();
    let read = witness::read(&text.text()?);
    match read.map_err(|why| Refusal::new(format!("nilas: `{name}` is no witness: {why}")))? {
        Witness::Correctness(invariants) => correctness(session, program, &invariants, options, observer),
        Witness::Violation(waypoints) => violation(session, task, &waypoints, options, observer),
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

fn violation(
    session: &Session,
    task: &Task,
    waypoints: &[Waypoint],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Validated, Refusal> {
    let tree = input::tree(task, &session.budget()).map_err(|stop| stop.refusal("was read"))?;
    let followed = guarded(|| {
        let mut follow = Follow::new(waypoints);
        let run = RunOptions { deadline: Some(Instant::now() + EXECUTION), ..RunOptions::default() };
        let execution = Interpreter::new(&tree).run_here(&run, &mut follow, &mut Discard, STACK);
        let choices =
            ChoiceFile::parse(&ChoiceFile::print(&execution.choices)).map_err(|it| it.to_string())?;
        let reached = Challenge::new(&tree, Properties::ASSERT).repeat(&choices, EXECUTION)?;
        if !follow.values.is_empty() {
            return Err("an execution with its values ends before all of them are used".to_owned());
        }
        Ok(reached)
    });
    let why = match followed.unwrap_or_else(|| Err("it cannot be run here".to_owned())) {
        Ok(reached) => match complaint(waypoints, &reached) {
            None => {
                return Ok(Validated::Confirmed(format!("{} at {}", reached.what, reached.place)));
            }
            Some(why) => return Ok(Validated::Unknown(why)),
        },
        Err(why) => why,
    };
    let answer = check::check(session, task, options, observer)?;
    Ok(match answer.standing() {
        Standing::Safe => Validated::Refuted("no assertion of the program fails".to_owned()),
        Standing::Unsafe => {
            Validated::Unknown(format!("an assertion fails, but not on the way of the witness: {why}"))
        }
        _ => Validated::Unknown(why),
    })
}

/// Why an execution that violates the property is not the one of a witness.
fn complaint(waypoints: &[Waypoint], reached: &Reached) -> Option<String> {
    let other = |it: &&Waypoint| it.avoided || !matches!(it.kind.as_str(), "function_return" | "target");
    if let Some(other) = waypoints.iter().find(other) {
        return Some(format!("its waypoints of type `{}` were not looked at", other.kind));
    }
    let open =
        |it: &&Waypoint| it.kind == "function_return" && it.constraint.as_deref().and_then(result).is_none();
    if let Some(it) = waypoints.iter().find(open) {
        return Some(format!("its constraint at line {} was not understood", it.location.line));
    }
    let target = waypoints.iter().find(|it| it.kind == "target")?;
    let line = |place: &str| place.rsplit(':').nth(1).and_then(|line| line.parse::<u64>().ok());
    let blamed = reached.violates.as_ref().map(|it| u64::from(it.line));
    let stack = reached.stack.iter().filter_map(|(_, place)| line(place));
    let mut lines = stack.chain(line(&reached.place)).chain(blamed);
    match lines.any(|line| line == target.location.line) {
        true => None,
        false => Some(format!("the execution fails at {}, not at the target", reached.place)),
    }
}

/// Inputs by the waypoints of a witness; everything else is the default.
struct Follow {
    /// Lines of calls and what they return, the next one first.
    values: VecDeque<(u64, Number)>,
}

impl Follow {
    fn new(waypoints: &[Waypoint]) -> Follow {
        let returns = waypoints.iter().filter(|it| it.kind == "function_return" && !it.avoided);
        let value = |it: &Waypoint| Some((it.location.line, result(it.constraint.as_deref()?)?));
        Follow { values: returns.filter_map(value).collect() }
    }
}

impl Chooser for Follow {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        let line = u64::from(choice.place.line);
        match self.values.front() {
            Some(&(at, value)) if choice.kind == ChoiceKind::Input && at == line => {
                self.values.pop_front();
                Ok(value.of(choice.ty))
            }
            _ => Ok(None),
        }
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        Defaults.asks(kind)
    }
}

/// The number in `\result == 5`.
fn result(constraint: &str) -> Option<Number> {
    let bare: String = constraint.chars().filter(|it| !it.is_whitespace() && !"()".contains(*it)).collect();
    number::read(bare.strip_prefix("\\result==")?)
}

#[cfg(test)]
mod tests {
    use super::{Number, result};

    #[test]
    fn numbers_of_constraints_are_read() {
        assert_eq!(result("\\result == 5"), Some(Number::Int(5)));
        assert_eq!(result("(\\result == -7LL)"), Some(Number::Int(-7)));
        assert_eq!(result("\\result == 4294967295U"), Some(Number::Int(4_294_967_295)));
        assert_eq!(result("x == 5"), None);
        assert_eq!(result("\\result == y"), None);
    }
}
