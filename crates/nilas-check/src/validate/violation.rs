//! Violation witnesses: is there an execution that passes the waypoints and fails at the target?
//!
//! The values that a witness names guide an execution of the reference interpreter through the product of
//! program and witness. Where that does not fail, the product is checked as any program is. What confirms is
//! always an execution of the program itself that fails at the target; what refutes is a proof, about the
//! product where waypoints mean the same to everybody (format 2.0 without assumptions, whose evaluation could
//! be undefined), about the program else.

use super::number::{self, Number};
use super::product::product;
use super::{Format, Validated, reason};
use crate::answer::{Answer, Standing};
use crate::challenge::{Challenge, STACK, guarded};
use crate::observer::Observer;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::task::{CProgram, Task};
use crate::{check, input};
use nilas_c::{Properties, tree};
use nilas_report::witness::Waypoint;
use nilas_report::{Conclusion, Reached};
use nilas_run::choice::{Choice, ChoiceFile, ChoiceKind, Chooser, Defaults, NoChoice};
use nilas_run::{Discard, Interpreter, Options as RunOptions};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How long an execution may take, where there is no limit.
const EXECUTION: Duration = Duration::from_secs(20);
/// The part of the time that is left which one may take: with other inputs than the program's own, it may
/// have no
/// end.
const PART: u32 = 8;

/// What is asked.
pub(super) struct Question<'q> {
    pub(super) session: &'q Session,
    pub(super) program: &'q CProgram,
    pub(super) waypoints: &'q [Waypoint],
    pub(super) format: Format,
    pub(super) options: &'q Options,
}

impl Question<'_> {
    pub(super) fn answer(&self, observer: &mut dyn Observer) -> Result<Validated, Refusal> {
        let read = |program: &CProgram| input::tree(&Task::C(program.clone()), &self.session.budget());
        let tree = read(self.program).map_err(|stop| stop.refusal("was read"))?;
        let made = product(self.program, &tree, self.waypoints, self.format).and_then(|product| {
            match read(&product) {
                Ok(tree) => Ok((product, tree)),
                Err(stop) => Err(first_line(&stop.refusal("was read").message)),
            }
        });
        let (product, product_tree) = match made {
            Ok(made) => made,
            Err(why) => return self.of_program(observer, why),
        };
        let guided = guarded(|| self.guided(&tree, &product_tree));
        if let Some(Ok(reached)) = &guided {
            return Ok(confirmed(reached));
        }
        let answer = check::check(self.session, &Task::C(product), self.options, observer)?;
        match answer.standing() {
            Standing::Unsafe => {
                Ok(match execution(&answer).map(|reached| self.repeated(&tree, &reached.text)) {
                    Some(Ok(reached)) => confirmed(&reached),
                    Some(Err(why)) => Validated::Unknown(why),
                    None => {
                        Validated::Unknown("an execution was found that cannot be repeated in C".to_owned())
                    }
                })
            }
            Standing::Safe if self.is_exact() => Ok(Validated::Refuted(
                "no execution that passes its waypoints fails at the target".to_owned(),
            )),
            Standing::Safe => self
                .of_program(observer, "no execution passes its waypoints as they were understood".to_owned()),
            _ => Ok(Validated::Unknown(reason(&answer))),
        }
    }

    /// Whether a proof about the product says that the witness is wrong.
    fn is_exact(&self) -> bool {
        self.format == Format::Two && self.waypoints.iter().all(|it| it.kind != "assumption")
    }

    /// Without a product that decides, only a proof of the whole program says something.
    fn of_program(&self, observer: &mut dyn Observer, why: String) -> Result<Validated, Refusal> {
        let answer = check::check(self.session, &Task::C(self.program.clone()), self.options, observer)?;
        Ok(match answer.standing() {
            Standing::Safe => Validated::Refuted("no assertion of the program fails".to_owned()),
            Standing::Unsafe => {
                Validated::Unknown(format!("an assertion fails, but not on the way of the witness: {why}"))
            }
            _ => Validated::Unknown(why),
        })
    }

    /// An execution of the product with the values of the witness.
    fn guided(&self, tree: &tree::Program, product: &tree::Program) -> Result<Reached, String> {
        let mut follow = Follow::new(self.waypoints);
        let most = self.longest();
        let run = RunOptions { deadline: Some(Instant::now() + most), ..RunOptions::default() };
        let execution = Interpreter::new(product).run_here(&run, &mut follow, &mut Discard, STACK);
        let choices = ChoiceFile::print(&execution.choices);
        // It must be the error of the product, not of the program alone.
        let parsed = ChoiceFile::parse(&choices).map_err(|it| it.to_string())?;
        Challenge::new(product, Properties::ASSERT).repeat(&parsed, most)?;
        self.repeated(tree, &choices)
    }

    /// The same in the program itself, at the target.
    fn repeated(&self, tree: &tree::Program, choices: &str) -> Result<Reached, String> {
        let choices = ChoiceFile::parse(choices).map_err(|it| it.to_string())?;
        let reached = Challenge::new(tree, Properties::ASSERT).repeat(&choices, self.longest())?;
        match self.is_at_target(&reached) {
            true => Ok(reached),
            false => Err(format!("the execution fails at {}, not at the target", reached.place)),
        }
    }

    /// How long an execution may take.
    fn longest(&self) -> Duration {
        self.session.limits().left().map_or(EXECUTION, |left| (left / PART).min(EXECUTION))
    }

    fn is_at_target(&self, reached: &Reached) -> bool {
        let Some(target) = self.waypoints.iter().find(|it| it.kind == "target") else { return true };
        let line = |place: &str| place.rsplit(':').nth(1).and_then(|line| line.parse::<u64>().ok());
        let blamed = reached.violates.as_ref().map(|it| u64::from(it.line));
        let stack = reached.stack.iter().filter_map(|(_, place)| line(place));
        stack.chain(line(&reached.place)).chain(blamed).any(|line| line == target.location.line)
    }
}

fn confirmed(reached: &Reached) -> Validated {
    Validated::Confirmed(format!("{} at {}", reached.what, reached.place))
}

/// The execution in C of an answer.
fn execution(answer: &Answer) -> Option<&Reached> {
    match (&answer.summary.conclusion, &answer.summary.replayed) {
        (Conclusion::Reached(reached), _) | (Conclusion::Unsafe(_), Some(Ok(reached))) => Some(reached),
        _ => None,
    }
}

fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.trim_start_matches("nilas: ").trim_start_matches("error: ").to_owned()
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
