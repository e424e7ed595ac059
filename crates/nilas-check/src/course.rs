//! The execution that is shown to people: simpler inputs than those that were found, where they lead to the
//! same place, and then everything that happens on the way.
//!
//! All of it runs in the reference interpreter. What is shown is an execution of the program whatever comes
//! of the attempts to simplify it; the evidence stays what was found. The attempts are bounded by steps, not
//! by time, so that the same execution is shown each time.

use crate::challenge::{self, STACK};
use crate::violation;
use nilas_c::{Properties, tree};
use nilas_report::Reached;
use nilas_run::choice::{ChoiceFile, ChoiceType};
use nilas_run::trace::{Course, Tracer};
use nilas_run::{Discard, End, Execution, Interpreter, Made, Options, Place};
use std::time::{Duration, Instant};

/// Executions that are tried, and the steps that they may take together.
const MOST_RUNS: u32 = 400;
const MOST_STEPS: u64 = 2_000_000;
/// Choices that are made simpler one by one.
const MOST_CHOICES: usize = 64;
/// A last resort, for machines that hardly run.
const TIME: Duration = Duration::from_secs(20);
/// How long an execution may take that is wanted whatever it takes.
pub(crate) const LONG: Duration = Duration::from_secs(60);
/// Layouts of memory in which simpler inputs must lead to the same place.
const LAYOUTS: u64 = 4;
/// Bytes that the objects of an execution may take.
const MEMORY: u64 = 1 << 28;
/// Numbers that people like, the best first.
const SIMPLE: [i128; 14] = [0, 1, -1, 2, 3, 4, 8, 10, 16, 32, 64, 100, 255, 1000];

/// What an execution that reached the error does; `None` if it is not repeated by its choices.
pub(crate) fn course(
    tree: &tree::Program,
    properties: Properties,
    reached: &Reached,
    deadline: Option<Instant>,
) -> Option<Course> {
    challenge::guarded(|| Simplifier::new(tree, properties, deadline).course(reached))?
}

/// The choices of the same execution, in their order; where that takes too long, those that were found.
pub(crate) fn choices(tree: &tree::Program, properties: Properties, reached: &Reached) -> Option<Vec<Made>> {
    challenge::guarded(|| {
        let mut simplifier = Simplifier::new(tree, properties, None);
        if let Some(choices) = simplifier.choices(reached) {
            let told = simplifier.run(&choices, 0);
            if simplifier.fails(&told) {
                return Some(told.choices);
            }
        }
        simplifier.deadline = Instant::now() + LONG;
        let told = simplifier.run(&ChoiceFile::parse(&reached.text).ok()?, 0);
        place(&told.end).is_some_and(|it| it.to_string() == reached.place).then_some(told.choices)
    })?
}

struct Simplifier<'t> {
    interpreter: Interpreter<'t>,
    properties: Properties,
    deadline: Instant,
    runs: u32,
    steps: u64,
    /// Where the execution fails, and whether it passes over undefined behaviour.
    place: Option<(Place, bool)>,
}

impl<'t> Simplifier<'t> {
    fn new(tree: &'t tree::Program, properties: Properties, deadline: Option<Instant>) -> Simplifier<'t> {
        let latest = Instant::now() + TIME;
        let deadline = deadline.map_or(latest, |limit| limit.min(latest));
        let interpreter = Interpreter::new(tree);
        Simplifier { interpreter, properties, deadline, runs: 0, steps: 0, place: None }
    }

    /// The choices that are shown.
    fn choices(&mut self, reached: &Reached) -> Option<ChoiceFile> {
        let choices = ChoiceFile::parse(&reached.text).ok()?;
        let found = self.run(&choices, 0);
        let place = place(&found.end)?;
        if place.to_string() != reached.place {
            return None;
        }
        self.place = Some((place.clone(), found.lenient.is_some()));
        let simple = self.simplified(found.choices);
        let choices = ChoiceFile::parse(&ChoiceFile::print(&simple)).ok()?;
        let everywhere = (1..=LAYOUTS).all(|layout| self.fails(&self.run(&choices, layout)));
        if everywhere { Some(choices) } else { ChoiceFile::parse(&reached.text).ok() }
    }

    fn course(&mut self, reached: &Reached) -> Option<Course> {
        let choices = self.choices(reached)?;
        let mut tracer = Tracer::new(self.interpreter.program());
        let options = self.options(0, u64::MAX);
        let told = self.interpreter.run_traced(&options, &mut choices.clone(), &mut tracer, STACK);
        self.fails(&told).then(|| tracer.course())
    }

    fn options(&self, layout: u64, steps: u64) -> Options {
        Options {
            ends: violation::kinds(self.properties),
            memory: MEMORY,
            address_seed: layout,
            deadline: Some(self.deadline),
            steps,
            ..Options::default()
        }
    }

    fn run(&self, choices: &ChoiceFile, layout: u64) -> Execution {
        let options = self.options(layout, u64::MAX);
        self.interpreter.run_here(&options, &mut choices.clone(), &mut Discard, STACK)
    }

    /// Whether an execution fails at the same place.
    fn fails(&self, execution: &Execution) -> bool {
        let lenient = execution.lenient.is_some();
        self.place
            .as_ref()
            .is_some_and(|(wanted, passed)| place(&execution.end) == Some(wanted) && (*passed || !lenient))
    }

    /// Runs with other choices; those that are made if it fails at the same place and they are simpler.
    fn attempt(&mut self, best: &[Made], changed: &[Made]) -> Option<Vec<Made>> {
        if self.runs >= MOST_RUNS || self.steps >= MOST_STEPS {
            return None;
        }
        self.runs += 1;
        let choices = ChoiceFile::parse(&ChoiceFile::print(changed)).ok()?;
        let options = self.options(0, MOST_STEPS - self.steps);
        let execution = self.interpreter.run_here(&options, &mut choices.clone(), &mut Discard, STACK);
        self.steps += execution.steps;
        let simpler = cost(&execution.choices) < cost(best);
        (simpler && self.fails(&execution)).then_some(execution.choices)
    }

    fn simplified(&mut self, found: Vec<Made>) -> Vec<Made> {
        let mut best = found;
        // All at once, then one after the other.
        let zero: Vec<Made> = best.iter().map(|made| Made { value: 0, ..made.clone() }).collect();
        if let Some(simple) = self.attempt(&best, &zero) {
            best = simple;
        }
        let mut at = 0;
        while at < best.len().min(MOST_CHOICES) {
            best = self.simplify_one(best, at);
            at += 1;
        }
        best
    }

    fn with(&mut self, best: &[Made], at: usize, value: i128) -> Option<Vec<Made>> {
        let mut changed = best.to_vec();
        changed.get_mut(at)?.value = value;
        self.attempt(best, &changed)
    }

    /// Makes one choice simpler: a number that people like, else one as close to zero as bisection finds.
    fn simplify_one(&mut self, best: Vec<Made>, at: usize) -> Vec<Made> {
        let Some(made) = best.get(at) else { return best };
        let (value, ty) = (made.value, made.choice.ty);
        if let ChoiceType::Float { bits } = ty {
            let one = match bits {
                32 => i128::from(1.0_f32.to_bits()),
                64 => i128::from(1.0_f64.to_bits()),
                _ => return best,
            };
            for simple in [0, one] {
                if simple != value
                    && let Some(better) = self.with(&best, at, simple)
                {
                    return better;
                }
            }
            return best;
        }
        let mut nearest = 0;
        for simple in SIMPLE.into_iter().filter(|simple| simple.unsigned_abs() < value.unsigned_abs()) {
            if let Some(better) = self.with(&best, at, simple) {
                return self.bisected(better, at, nearest);
            }
            if simple.signum() == value.signum() {
                nearest = simple;
            }
        }
        self.bisected(best, at, nearest)
    }

    /// A number between one that does not fail and one that does.
    fn bisected(&mut self, mut best: Vec<Made>, at: usize, mut low: i128) -> Vec<Made> {
        while let Some(high) = best.get(at).map(|made| made.value)
            && high.abs_diff(low) > 1
        {
            let middle = low.midpoint(high);
            match self.with(&best, at, middle) {
                Some(better) if better.get(at).is_some_and(|made| made.value == middle) => best = better,
                _ if self.runs >= MOST_RUNS || self.steps >= MOST_STEPS => break,
                _ => low = middle,
            }
        }
        best
    }
}

/// Where an execution fails.
fn place(end: &End) -> Option<&Place> {
    match end {
        End::Error { place, .. } => Some(place),
        End::Undefined(undefined) => Some(&undefined.place),
        _ => None,
    }
}

/// How hard choices are to read: fewer come before simpler ones.
fn cost(choices: &[Made]) -> (usize, u128) {
    let weight = |made: &Made| match (SIMPLE.iter().position(|&simple| simple == made.value), made.choice.ty)
    {
        (Some(0), _) => 0,
        (_, ChoiceType::Float { .. }) => u128::from(made.value.count_ones()),
        (_, _) => made.value.unsigned_abs().saturating_mul(2).saturating_add(u128::from(made.value < 0)),
    };
    (choices.len(), choices.iter().map(weight).fold(0, u128::saturating_add))
}
