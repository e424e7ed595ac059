//! Bounded model checking over bounds: [`crate::bmc`] on the ICP solver.

use crate::bmc::{self, Reasoning, bmc_beside};
use crate::engine::{Context, Engine, Kind, Own, Prepared, Question, Setting};
use crate::observer::Counters;
use crate::outcome::{Outcome, Unknown};

/// BMC over bounds as an engine.
pub(crate) struct IcpBmc;

impl Engine for IcpBmc {
    fn name(&self) -> &'static str {
        "icp-bmc"
    }

    fn method(&self) -> &'static str {
        "follows all executions at once as bmc does, and reasons about the ranges that floats lie in"
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: [Setting; 1] = [Setting {
            key: "max-depth",
            kind: Kind::Number("a number of layers"),
            default: None,
            help: "stop after so many layers",
        }];
        &SETTINGS
    }

    fn takes(&self, question: Question) -> bool {
        question == Question::Program
    }

    fn needs_bound(&self) -> bool {
        true
    }

    fn run(&self, prepared: &Prepared, settings: &Own<'_>, context: &mut Context<'_>) -> (Outcome, Counters) {
        let program = &prepared.program;
        if !super::has_floats(program) {
            let why = "it is made for programs with floats".to_owned();
            return (Outcome::Unknown(Unknown::Inapplicable(why)), Counters::new());
        }
        let own = bmc::Settings { max_depth: settings.parsed("max-depth"), reasoning: Reasoning::Bounds };
        bmc_beside(program, own, context.budget, context.observer, context.exchange)
    }
}
