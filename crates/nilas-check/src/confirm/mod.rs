//! Executable counterexamples: an execution of an *unsafe* answer becomes a test ([`nilas_report::harness`]),
//! and the test is compiled with the user's files and run.
//!
//! This is the one place in which a program of the user is compiled or run; nobody comes here who was not asked
//! to. The verdict does not depend on it: an execution that the machine does not repeat is still one that the
//! reference interpreter repeated, or evidence that the checker accepted.

mod compile;
mod sanitiser;

use crate::answer::{Answer, Parts, Standing};
use crate::course;
use crate::refusal::Refusal;
use crate::replay;
use crate::task::{CProgram, Task};
use compile::Scratch;
use nilas_c::Property;
use nilas_c::tree::Program;
use nilas_report::harness::{ASSUMED, Harness, MARK, MORE, harness};
use nilas_report::{Confirmation, Finding, Reached};
use sanitiser::Sanitiser;

impl Answer {
    /// The test of the first violation: the text of a C file, or why there is none. `None` where nothing is
    /// violated.
    #[must_use]
    pub fn harness(&self, task: &Task) -> Option<Result<Harness, String>> {
        let (finding, reached) = self.violations().into_iter().next()?;
        Some(reached.and_then(|reached| self.test(task, finding.as_ref(), &reached)))
    }

    /// Compiles and runs a test of each violation, and notes what comes of it.
    ///
    /// # Errors
    /// When the files of the program cannot be read any more.
    pub fn confirm(&mut self, task: &Task) -> Result<(), Refusal> {
        let mut all = Vec::new();
        for (finding, reached) in self.violations() {
            let tried = match reached {
                Ok(reached) => self.confirmed(task, finding.as_ref(), &reached)?,
                Err(why) => Err(why),
            };
            let (confirmed, text) = match tried {
                Ok(text) => (true, text),
                Err(text) => (false, text),
            };
            all.push((finding, Confirmation { confirmed, text }));
        }
        self.confirmations = all;
        Ok(())
    }

    /// What is violated, and the execution that shows it or why there is none in C.
    fn violations(&self) -> Vec<(Option<Finding>, Result<Reached, String>)> {
        if self.standing() != Standing::Unsafe {
            return Vec::new();
        }
        let not_repeated = || match &self.summary.replayed {
            Some(Err(why)) => format!("the execution was not repeated in C: {why}"),
            _ => "its execution is not one of a C program".to_owned(),
        };
        match &self.parts {
            Parts::One | Parts::Places(..) => {}
            Parts::Targets(..) | Parts::Goals(_) => return vec![(None, Err(not_repeated()))],
        }
        let repeated =
            |reached: Option<Reached>| reached.or_else(|| self.repeated_with_time()).ok_or_else(not_repeated);
        let found = self.checked().into_iter().filter(|it| it.verdict == "unsafe");
        let mut all: Vec<_> = found.map(|it| (Some(it.finding), repeated(it.reached))).collect();
        if all.is_empty() {
            all.push((None, Err(not_repeated())));
        }
        all
    }

    /// An execution that took too long to repeat before the answer was told.
    fn repeated_with_time(&self) -> Option<Reached> {
        let (input, trace) = (self.input.as_deref()?, self.trace()?);
        let tree = input.tree.as_deref().filter(|_| matches!(self.parts, Parts::One))?;
        replay::repeat_within(input, tree, &replay::inputs(trace), course::LONG)
    }

    fn test(&self, task: &Task, finding: Option<&Finding>, reached: &Reached) -> Result<Harness, String> {
        let (Task::C(program), Some(input)) = (task, self.input.as_deref()) else {
            return Err("it is no C program".to_owned());
        };
        if !program.language.interrupts.handlers.is_empty() {
            return Err("a test cannot choose when interrupts come".to_owned());
        }
        let tree: &Program = input.tree.as_deref().ok_or("it is no C program")?;
        let made = course::choices(tree, input.properties(), reached)
            .ok_or("the execution is not repeated by its choices")?;
        let title = finding.map_or_else(|| reached.what.clone(), Finding::headline);
        harness(tree, &made, &title)
    }

    /// What the run of a test shows, or why it shows nothing.
    fn confirmed(
        &self,
        task: &Task,
        finding: Option<&Finding>,
        reached: &Reached,
    ) -> Result<Result<String, String>, Refusal> {
        let test = match self.test(task, finding, reached) {
            Ok(test) => test,
            Err(why) => return Ok(Err(why)),
        };
        let Task::C(program) = task else { return Ok(Err("it is no C program".to_owned())) };
        let property = reached.violates.as_ref().map_or(Property::Assert, |it| it.property);
        let sanitiser = match (property, Sanitiser::of(property)) {
            (Property::Assert, _) => None,
            (_, Some(sanitiser)) => Some(sanitiser),
            (_, None) => {
                return Ok(Err(format!("no sanitiser of gcc shows the property `{}`", property.name())));
            }
        };
        let shown = run(program, &task.name(), &test, sanitiser, finding, reached)?;
        Ok(shown.map_err(|why| match &test.open[..] {
            [] => why,
            [one] => format!("{why}; a test cannot choose that {one}"),
            [first, rest @ ..] => {
                format!("{why}; a test cannot choose that {first}, and {} more such values", rest.len())
            }
        }))
    }
}

/// Compiles and runs.
fn run(
    program: &CProgram,
    name: &str,
    test: &Harness,
    sanitiser: Option<Sanitiser>,
    finding: Option<&Finding>,
    reached: &Reached,
) -> Result<Result<String, String>, Refusal> {
    let scratch = match Scratch::new() {
        Ok(scratch) => scratch,
        Err(error) => {
            let base = std::env::temp_dir();
            return Ok(Err(format!("no scratch folder can be made in `{}`: {error}", base.display())));
        }
    };
    if let Err(why) = scratch.build(program, name, &test.text, sanitiser.as_ref())? {
        return Ok(Err(why));
    }
    let ran = match scratch.run(sanitiser.as_ref()) {
        Ok(ran) => ran,
        Err(why) => return Ok(Err(why)),
    };
    let said = &ran.messages;
    if let Some(line) = said.lines().find_map(|line| line.strip_prefix(MORE)) {
        return Ok(Err(format!("the run goes another way: it asks for more values of `{}`", line.trim())));
    }
    if said.lines().any(|line| line.starts_with(ASSUMED)) {
        return Ok(Err("the run goes another way: an assumption of the program does not hold".to_owned()));
    }
    let marked = said.lines().find_map(|line| line.strip_prefix(MARK)).map(|it| it.trim_start_matches(": "));
    Ok(match (sanitiser, marked) {
        (None, Some(text)) => match finding {
            Some(finding) if is_another(text, finding) => Err(format!("another assertion fails: {text}")),
            _ => Ok(text.to_owned()),
        },
        (Some(_), Some(text)) => Err(format!("an assertion fails before: {text}")),
        (None, None) => Err(format!("the program {}", ran.end)),
        (Some(sanitiser), None) => match sanitiser.shows(said, reached.violates.as_ref()) {
            Some(shown) => shown,
            None => Err(format!("the program {}, and no sanitiser says a word", ran.end)),
        },
    })
}

/// Whether `FILE:LINE: TEXT` is about another assertion than the one that was found. Macros may give it another
/// line, and preprocessed text another file.
fn is_another(text: &str, finding: &Finding) -> bool {
    let mut parts = text.splitn(3, ':');
    let (Some(file), Some(line), Some(expression)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let Ok(line) = line.trim().parse::<u32>() else { return false };
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let same_text = finding.expression.as_ref().is_none_or(|it| bare(it) == bare(expression));
    base(file) == base(&finding.file) && line != finding.line && !same_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_assertion_is_told_apart() {
        let finding = Finding {
            property: Property::Assert,
            what: String::new(),
            file: "src/a.c".into(),
            line: 7,
            column: 3,
            expression: Some("x < 5".into()),
        };
        assert!(!is_another("/tmp/a.c:7: x < 5", &finding));
        assert!(!is_another("a.c:9: x<5", &finding));
        assert!(is_another("a.c:9: y", &finding));
        assert!(!is_another("b.c:9: y", &finding));
        assert!(!is_another("reach_error", &finding));
    }
}
