//! The second reading of C watches a check: when it looks, how long, and what it cost.

use crate::challenge::{Challenge, Challenged};
use crate::input::Input;
use crate::replay::{self, Replayed};
use nilas_c::tree;
use nilas_evidence::Execution;
use nilas_report::Reached;
use std::time::{Duration, Instant};

/// How long a program is run before the engines start.
const FIRST: Duration = Duration::from_millis(20);
/// How long at least after they came to a verdict.
const SECOND: Duration = Duration::from_millis(20);
/// And for which part of the time that they took.
const PART: u32 = 25;

/// See the module's text.
pub(crate) struct Watch<'t> {
    tree: &'t tree::Program,
    challenge: Challenge<'t>,
    runs: u64,
    steps: u64,
    repeated: u64,
    spent: Duration,
}

impl<'t> Watch<'t> {
    pub(crate) fn new(tree: &'t tree::Program, check_undefined: bool) -> Self {
        let began = Instant::now();
        let challenge = Challenge::new(tree, check_undefined);
        Watch { tree, challenge, runs: 0, steps: 0, repeated: 0, spent: began.elapsed() }
    }

    /// Runs the program before the engines start.
    pub(crate) fn before(&mut self) -> Option<Reached> {
        self.run(FIRST)
    }

    /// Runs the program after the engines took some time for a verdict.
    pub(crate) fn after(&mut self, took: Duration) -> Option<Reached> {
        self.run(SECOND.max(took / PART))
    }

    fn run(&mut self, time: Duration) -> Option<Reached> {
        let began = Instant::now();
        let Challenged { runs, steps, reached } = self.challenge.run(time);
        self.runs += runs;
        self.steps += steps;
        self.spent += began.elapsed();
        reached
    }

    /// Tries the inputs of executions that rely on what nobody knows: they may lead to the error all the
    /// same.
    pub(crate) fn try_doubtful(&mut self, input: &Input, executions: &[Execution]) -> Option<Reached> {
        executions.iter().find_map(|execution| match self.repeat(input, execution) {
            Replayed::Confirmed(reached) if self.challenge.confirms(&reached) => Some(reached),
            _ => None,
        })
    }

    /// Repeats an execution of the automaton.
    pub(crate) fn repeat(&mut self, input: &Input, execution: &Execution) -> Replayed {
        let began = Instant::now();
        let replayed = replay::repeat(input, self.tree, execution);
        self.repeated += 1;
        self.spent += began.elapsed();
        replayed
    }

    /// What it cost.
    pub(crate) fn statistics(&self) -> (String, Vec<(String, f64)>) {
        let counters = vec![
            ("executions".to_owned(), self.runs as f64),
            ("steps".to_owned(), self.steps as f64),
            ("repeated executions".to_owned(), self.repeated as f64),
            ("seconds".to_owned(), self.spent.as_secs_f64()),
        ];
        ("second reading".to_owned(), counters)
    }
}
