//! The second reading of C watches a check: when it looks, how long, and what it cost.
//!
//! Everything that it does counts, by the clock: reading the program, running it before the engines start,
//! naming choices, repeating executions. What is left of a fixed part of the time goes into the challenge of
//! a verdict.

use crate::challenge::{Challenge, Challenged};
use crate::input::Input;
use crate::leads::Leads;
use crate::models::Model;
use crate::replay::{self, Replayed};
use nilas_c::{Properties, tree};
use nilas_evidence::{Evidence, Trace};
use nilas_program::HavocSite;
use nilas_report::{Reached, Violation};
use nilas_smt::Budget;
use nilas_term::Value;
use std::time::{Duration, Instant};

/// How long a program is run before the engines start.
const FIRST: Duration = Duration::from_millis(15);
/// What all of it may cost a short task.
const SHORT: Duration = Duration::from_millis(35);
/// And a longer one: this part of the time that the engines took.
const PART: u32 = 28;
/// A verdict is challenged for so long whatever was spent before.
const LEAST: Duration = Duration::from_millis(5);

/// So often the inputs of a model are tried when the error is hunted for.
const AGAIN: usize = 16;

/// See the module's text.
pub(crate) struct Watch<'t> {
    tree: &'t tree::Program,
    /// What repeating executions may cost.
    budget: Budget,
    challenge: Challenge<'t>,
    runs: u64,
    steps: u64,
    guided: u64,
    guided_further: u64,
    waited: Duration,
    repeated: u64,
    /// What watching the invariants of a proof gave.
    watched: Vec<(&'static str, u64)>,
    leads: Vec<String>,
    spent: Duration,
}

impl<'t> Watch<'t> {
    /// Executions may take some time or, if it is `counted`, some steps.
    pub(crate) fn new(
        tree: &'t tree::Program,
        properties: Properties,
        budget: Budget,
        counted: bool,
    ) -> Self {
        let began = Instant::now();
        let challenge = Challenge::new(tree, properties).counted(counted);
        let (runs, steps, guided, guided_further, repeated) = (0, 0, 0, 0, 0);
        let (watched, leads) = (Vec::new(), Vec::new());
        Watch {
            tree,
            budget,
            challenge,
            runs,
            steps,
            guided,
            guided_further,
            waited: Duration::ZERO,
            repeated,
            watched,
            leads,
            spent: began.elapsed(),
        }
    }

    /// The inputs in models of engines are tried next.
    pub(crate) fn guide(&mut self, input: &Input, models: &[Model]) {
        let began = Instant::now();
        let guides = models.iter().map(|model| replay::named(input, self.tree, model)).collect();
        self.challenge.guide(guides);
        self.spent += began.elapsed();
    }

    /// A violation is known already.
    pub(crate) fn pass_over(&mut self, violation: Option<Violation>) {
        if let Some(violation) = violation {
            self.challenge.pass_over(violation);
        }
    }

    /// Runs the program with the inputs of models for some time: each of them several times, with all else
    /// chosen at random, and then what these executions chose, changed a little.
    pub(crate) fn hunt(&mut self, input: &Input, models: &[Model], time: Duration) -> Option<Reached> {
        let began = Instant::now();
        let guides: Vec<_> = models.iter().map(|model| replay::named(input, self.tree, model)).collect();
        let again = guides.iter().flat_map(|guide| std::iter::repeat_n(guide.clone(), AGAIN));
        self.challenge.guide(again.collect());
        self.spent += began.elapsed();
        self.run(time, None)
    }

    /// Runs the program before the engines start.
    pub(crate) fn before(&mut self) -> Option<Reached> {
        self.run(FIRST.saturating_sub(self.spent).max(LEAST), None)
    }

    /// Runs the program after the engines took some time for a verdict.
    pub(crate) fn after(&mut self, took: Duration) -> Option<Reached> {
        self.run(self.due(took), None)
    }

    /// The same after they found a proof: its invariants are watched on the way.
    pub(crate) fn after_proof(
        &mut self,
        took: Duration,
        input: &Input,
        evidence: &Evidence,
    ) -> Option<Reached> {
        let Evidence::Invariant(invariant) = evidence else { return self.after(took) };
        let began = Instant::now();
        let mut leads = Leads::new(input, invariant);
        self.spent += began.elapsed();
        let time = self.due(took);
        let reached = self.run(time, Some(&mut leads).filter(|leads| !leads.is_empty()));
        self.watched = leads.counters().to_vec();
        self.leads = leads.told().to_vec();
        reached
    }

    /// How long to run after the engines took some time.
    fn due(&self, took: Duration) -> Duration {
        SHORT.max(took / PART).saturating_sub(self.spent).max(LEAST)
    }

    /// What all executions stop at that were tried, if that is undefined behaviour.
    pub(crate) fn undefined(&self) -> Option<&str> {
        self.challenge.undefined()
    }

    /// Invariants that an execution did not satisfy: leads, and no more than that.
    pub(crate) fn leads(&self) -> &[String] {
        &self.leads
    }

    fn run(&mut self, time: Duration, leads: Option<&mut Leads<'_>>) -> Option<Reached> {
        let began = Instant::now();
        let challenged = self.challenge.run(time, leads);
        let Challenged { runs, steps, guided, guided_further, waited, reached } = challenged;
        self.waited += waited;
        self.runs += runs;
        self.steps += steps;
        self.guided += guided;
        self.guided_further += guided_further;
        self.spent += began.elapsed();
        reached
    }

    /// Tries the inputs of executions that rely on what nobody knows: they may lead to the error all the
    /// same.
    pub(crate) fn try_doubtful(&mut self, input: &Input, executions: &[Model]) -> Option<Reached> {
        executions.iter().find_map(|inputs| match self.repeat(input, inputs) {
            Replayed::Confirmed(reached) if self.challenge.confirms(&reached) => Some(reached),
            _ => None,
        })
    }

    /// Repeats an execution of the automaton.
    pub(crate) fn repeat_trace(&mut self, input: &Input, trace: Option<&Trace>) -> Replayed {
        match trace {
            Some(trace) => self.repeat(input, &replay::inputs(trace)),
            None => Replayed::Not("the automaton does not repeat it".to_owned()),
        }
    }

    fn repeat(&mut self, input: &Input, inputs: &[(HavocSite, Value)]) -> Replayed {
        let began = Instant::now();
        let (replayed, values) =
            replay::repeat(input, self.tree, inputs, &self.budget, self.challenge.is_counted());
        // What the engines found may be close to an execution that shows something.
        if matches!(replayed, Replayed::Not(_)) {
            self.challenge.learn(values);
        }
        self.repeated += 1;
        self.spent += began.elapsed();
        replayed
    }

    /// What it cost.
    pub(crate) fn statistics(&self) -> (String, Vec<(String, f64)>) {
        let mut counters = vec![
            ("executions".to_owned(), self.runs as f64),
            ("steps".to_owned(), self.steps as f64),
            ("executions by models of engines".to_owned(), self.guided as f64),
            ("of these with a new branch".to_owned(), self.guided_further as f64),
            ("repeated executions".to_owned(), self.repeated as f64),
            ("seconds".to_owned(), self.spent.as_secs_f64()),
            ("of these waiting for a processor".to_owned(), self.waited.as_secs_f64()),
        ];
        counters.extend(self.watched.iter().map(|&(name, count)| (name.to_owned(), count as f64)));
        ("second reading".to_owned(), counters)
    }
}
