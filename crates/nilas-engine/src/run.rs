//! The only execution: an engine that claims that there is one, and leaves it to the checker to run it.

use crate::engine::{Context, Engine, Own, Prepared, Question, Wants};
use crate::observer::Counters;
use crate::outcome::Outcome;

/// Runs the program.
pub(crate) struct Run;

impl Engine for Run {
    fn name(&self) -> &'static str {
        "run"
    }

    fn method(&self) -> &'static str {
        "runs the program: where no decision depends on an input there is only one way to go"
    }

    fn takes(&self, question: Question) -> bool {
        // A run says that nothing is chosen, but clauses choose all their variables.
        question == Question::Program
    }

    fn wants(&self, _: &Own<'_>) -> Wants {
        Wants::Given
    }

    fn run(&self, _: &Prepared, _: &Own<'_>, _: &mut Context<'_>) -> (Outcome, Counters) {
        (Outcome::OnlyExecution, Counters::new())
    }
}
