//! Verdicts are challenged by concrete executions in the reference interpreter, a second reading of C that shares nothing
//! with the lowering.
//!
//! The executions take defaults first, then random and boundary values. One that reaches the error has to reach the same place
//! wherever objects lie, or it says nothing. Then it shows that the program is unsafe; and a proof that it contradicts is
//! wrong.

use nilas_c::tree;
use nilas_report::{Made, Reached};
use nilas_run::choice::{ChoiceFile, Chooser, Defaults, Seeded};
use nilas_run::{Discard, End, Execution, Interpreter, Options, Place};
use std::time::{Duration, Instant};

/// The first line of evidence that is a list of choices.
pub(crate) const HEADING: &str = "# nilas choices\n";
/// Bytes that the objects of an execution may take.
const MEMORY: u64 = 1 << 28;
/// Layouts of memory in which an execution must reach the error.
const LAYOUTS: u64 = 4;
/// How long repeating an execution may take.
const REPEAT: Duration = Duration::from_secs(1);
/// A single execution takes at most this share of the time, so that one endless loop is not all.
const SHARE: u32 = 3;

/// What came out of a challenge.
#[derive(Default)]
pub(crate) struct Challenged {
    /// How many executions there were.
    pub(crate) runs: u64,
    /// How many expressions and statements they evaluated.
    pub(crate) steps: u64,
    /// The execution that reached the error.
    pub(crate) reached: Option<Reached>,
}

/// A program to be run.
pub(crate) struct Challenge<'t> {
    interpreter: Interpreter<'t>,
    check_undefined: bool,
    /// The next seed.
    seed: u64,
}

impl<'t> Challenge<'t> {
    pub(crate) fn new(tree: &'t tree::Program, check_undefined: bool) -> Self {
        Challenge { interpreter: Interpreter::new(tree), check_undefined, seed: 0 }
    }

    /// Runs the program for some time, or until it reaches the error.
    pub(crate) fn run(&mut self, time: Duration) -> Challenged {
        let end = Instant::now() + time;
        let mut challenged = Challenged::default();
        // Inputs that make no difference are not tried for ever.
        let mut fixed = false;
        while !fixed && Instant::now() < end {
            let deadline = end.min(Instant::now() + time / SHARE);
            let mut chooser: Box<dyn Chooser> = match self.seed {
                0 => Box::new(Defaults),
                seed => Box::new(Seeded::new(seed)),
            };
            let execution = self.execute(&mut *chooser, 0, deadline);
            fixed = execution.choices.is_empty() && execution.end != End::OutOfSteps;
            self.seed += 1;
            challenged.runs += 1;
            challenged.steps += execution.steps;
            if self.is_error(&execution.end) && self.stands(&execution, end) {
                challenged.reached = Some(reached(&execution));
                break;
            }
        }
        challenged
    }

    /// Whether an execution reaches the error wherever objects lie.
    pub(crate) fn confirms(&self, reached: &Reached) -> bool {
        ChoiceFile::parse(&reached.text).is_ok_and(|choices| self.repeat(&choices, REPEAT).is_ok())
    }

    /// Runs the program with choices; says why that does not reach the error.
    pub(crate) fn repeat(&self, choices: &ChoiceFile, time: Duration) -> Result<(), String> {
        let now = Instant::now();
        let deadline = now.checked_add(time).unwrap_or(now + Duration::from_secs(1 << 30));
        for layout in 0..=LAYOUTS {
            let execution = self.execute(&mut choices.clone().strict(), layout, deadline);
            if !self.is_error(&execution.end) {
                return Err("the execution does not reach the error".to_owned());
            }
        }
        Ok(())
    }

    fn execute(&self, chooser: &mut dyn Chooser, layout: u64, deadline: Instant) -> Execution {
        let options = Options {
            check_undefined: self.check_undefined,
            memory: MEMORY,
            address_seed: layout,
            deadline: Some(deadline),
            ..Options::default()
        };
        self.interpreter.run(&options, chooser, &mut Discard)
    }

    fn is_error(&self, end: &End) -> bool {
        match end {
            End::Error { .. } => true,
            End::Undefined(_) => self.check_undefined,
            _ => false,
        }
    }

    /// Whether the same choices reach the same place wherever objects lie.
    fn stands(&self, execution: &Execution, end: Instant) -> bool {
        let Ok(choices) = ChoiceFile::parse(&ChoiceFile::print(&execution.choices)) else { return false };
        let deadline = end + Duration::from_millis(200);
        (1..=LAYOUTS).all(|layout| {
            let again = self.execute(&mut choices.clone().strict(), layout, deadline);
            place(&again.end) == place(&execution.end)
        })
    }
}

/// Where an execution ends with the error.
fn place(end: &End) -> Option<&Place> {
    match end {
        End::Error { place, .. } => Some(place),
        End::Undefined(undefined) => Some(&undefined.place),
        _ => None,
    }
}

/// An execution that reached the error, to be told.
pub(crate) fn reached(execution: &Execution) -> Reached {
    let (what, stack) = match &execution.end {
        End::Error { kind, stack, .. } => (kind.to_string(), &stack[..]),
        End::Undefined(undefined) => {
            (format!("undefined behaviour: {}", undefined.sentence), &undefined.stack[..])
        }
        _ => (String::new(), &[][..]),
    };
    Reached {
        what,
        place: place(&execution.end).map(ToString::to_string).unwrap_or_default(),
        stack: stack.iter().map(|frame| (frame.function.clone(), frame.place.to_string())).collect(),
        choices: execution
            .choices
            .iter()
            .map(|made| Made {
                kind: made.choice.kind.name(),
                name: made.choice.name.clone(),
                place: made.choice.place.to_string(),
                value: made.value.to_string(),
            })
            .collect(),
        text: ChoiceFile::print(&execution.choices),
    }
}
