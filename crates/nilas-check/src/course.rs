//! The execution that is shown to people: simpler inputs than those that were found, where they lead to the
//! same place, and then everything that happens on the way.
//!
//! All of it runs in the reference interpreter. What is shown is an execution of the program whatever comes
//! of the attempts to simplify it; the evidence stays what was found. The attempts are bounded by steps, not
//! by time, so that the same execution is shown each time; only the user's own limit is one of time.

use crate::challenge::{self, STACK};
use crate::violation;
use nilas_c::{Properties, tree};
use nilas_report::Reached;
use nilas_run::choice::{ChoiceFile, ChoiceType};
use nilas_run::trace::{Course, Tracer};
use nilas_run::{Discard, End, Execution, Interpreter, Made, Options, Place};
use std::time::Instant;

/// Executions that are tried, and the steps that they may take together.
const MOST_RUNS: u32 = 2_000;
const MOST_STEPS: u64 = 2_000_000;
/// Steps that each of them may take, beside twice those of the execution that was found.
const LEAST_STEPS: u64 = 1_000;
/// Choices that are made simpler one by one.
const MOST_CHOICES: usize = 64;
/// Steps of an execution that is told.
const STEPS: u64 = 50_000_000;
/// Steps of an execution that is wanted whatever it takes.
pub(crate) const LONG: u64 = 1_000_000_000;
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
        simplifier.longest = LONG;
        let told = simplifier.run(&ChoiceFile::parse(&reached.text).ok()?, 0);
        place(&told.end).is_some_and(|it| it.to_string() == reached.place).then_some(told.choices)
    })?
}

struct Simplifier<'t> {
    interpreter: Interpreter<'t>,
    properties: Properties,
    /// The user's limit.
    deadline: Option<Instant>,
    /// Steps of an execution that is repeated.
    longest: u64,
    /// Steps of an execution that is tried: one that takes more is not simpler, and need not end at all.
    tried: u64,
    runs: u32,
    steps: u64,
    /// Where the execution fails, and whether it passes over undefined behaviour.
    place: Option<(Place, bool)>,
}

impl<'t> Simplifier<'t> {
    fn new(tree: &'t tree::Program, properties: Properties, deadline: Option<Instant>) -> Simplifier<'t> {
        let interpreter = Interpreter::new(tree);
        Simplifier {
            interpreter,
            properties,
            deadline,
            longest: STEPS,
            tried: 0,
            runs: 0,
            steps: 0,
            place: None,
        }
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
        self.tried = found.steps.saturating_mul(2).saturating_add(LEAST_STEPS);
        let before = cost(&found.choices);
        let simple = self.simplified(found.choices);
        if cost(&simple) == before {
            // Nothing was simpler: an execution that was found needs no other layouts to be shown.
            return Some(choices);
        }
        let choices = ChoiceFile::parse(&ChoiceFile::print(&simple)).ok()?;
        let everywhere = (1..=LAYOUTS).all(|layout| self.fails(&self.run(&choices, layout)));
        if everywhere { Some(choices) } else { ChoiceFile::parse(&reached.text).ok() }
    }

    fn course(&mut self, reached: &Reached) -> Option<Course> {
        let choices = self.choices(reached)?;
        let mut tracer = Tracer::new(self.interpreter.program());
        let options = self.options(0, self.longest);
        let told = self.interpreter.run_traced(&options, &mut choices.clone(), &mut tracer, STACK);
        self.fails(&told).then(|| tracer.course())
    }

    fn options(&self, layout: u64, steps: u64) -> Options {
        Options {
            ends: violation::kinds(self.properties),
            memory: MEMORY,
            address_seed: layout,
            deadline: self.deadline,
            steps,
            ..Options::default()
        }
    }

    fn run(&self, choices: &ChoiceFile, layout: u64) -> Execution {
        let options = self.options(layout, self.longest);
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
        let options = self.options(0, self.tried.min(MOST_STEPS - self.steps));
        let execution = self.interpreter.run_here(&options, &mut choices.clone(), &mut Discard, STACK);
        self.steps += execution.steps;
        let simpler = cost(&execution.choices) < cost(best);
        (simpler && self.fails(&execution)).then_some(execution.choices)
    }

    fn simplified(&mut self, found: Vec<Made>) -> Vec<Made> {
        let mut best = found;
        // All at once, then one after the other.
        if best.iter().any(|made| made.value != 0) {
            let zero: Vec<Made> = best.iter().map(|made| Made { value: 0, ..made.clone() }).collect();
            if let Some(simple) = self.attempt(&best, &zero) {
                best = simple;
            }
        }
        // Simpler inputs may make others needless.
        loop {
            let before = cost(&best);
            best = self.shortened(best);
            // The last one first: what is left comes early, and so does the failure.
            for at in (0..best.len().min(MOST_CHOICES)).rev() {
                best = self.simplify_one(best, at);
            }
            if cost(&best) == before {
                return best;
            }
        }
    }

    /// Leaves inputs out: those behind them move up, so that a loop that reads one in each iteration fails
    /// earlier. Many together first, then fewer (delta debugging; Zeller and Hildebrandt, TSE 2002).
    fn shortened(&mut self, mut best: Vec<Made>) -> Vec<Made> {
        let mut size = best.len().min(MOST_CHOICES) / 2;
        while size > 0 {
            let mut at = 0;
            while at < best.len().min(MOST_CHOICES) {
                let moved = without(&best, at, size);
                match moved.and_then(|moved| self.attempt(&best, &moved)) {
                    Some(shorter) if shorter.len() < best.len() => best = shorter,
                    _ => at += size,
                }
            }
            size /= 2;
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
        let simple = |simple: &i128| {
            simple.unsigned_abs() < value.unsigned_abs() && (*simple >= 0 || may_be_negative(ty))
        };
        for simple in SIMPLE.into_iter().filter(simple) {
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

/// The choices without some of them: where others of the same kind at the same place follow, they come
/// earlier, and zeros take the place of the last ones. `None` if nothing follows.
fn without(choices: &[Made], at: usize, count: usize) -> Option<Vec<Made>> {
    let same = |one: &Made, other: &Made| {
        let (one, other) = (&one.choice, &other.choice);
        (one.kind, &one.place, &one.name, one.ty) == (other.kind, &other.place, &other.name, other.ty)
    };
    let mut changed = choices.to_vec();
    let mut moved = false;
    let mut done: Vec<usize> = Vec::new();
    for first in at..choices.len().min(at + count) {
        // Each place once: all of its choices in the range go.
        if done.iter().any(|&other| same(&choices[other], &choices[first])) {
            continue;
        }
        done.push(first);
        let behind: Vec<usize> =
            (first..choices.len()).filter(|&it| same(&choices[it], &choices[first])).collect();
        let gone = behind.iter().filter(|&&it| it < at + count).count();
        for (order, &to) in behind.iter().enumerate() {
            let value = behind.get(order + gone).map_or(0, |&from| choices[from].value);
            moved |= value != choices[to].value;
            changed[to].value = value;
        }
    }
    moved.then_some(changed)
}

/// Where an execution fails.
fn place(end: &End) -> Option<&Place> {
    match end {
        End::Error { place, .. } => Some(place),
        End::Undefined(undefined) => Some(&undefined.place),
        _ => None,
    }
}

/// Whether a choice can be a negative number.
fn may_be_negative(ty: ChoiceType) -> bool {
    matches!(ty, ChoiceType::Int { signed: true, .. })
}

/// How hard choices are to read: fewer come before simpler ones.
fn cost(choices: &[Made]) -> (usize, u128) {
    let weight = |made: &Made| match (made.value, made.choice.ty) {
        (0, _) => 0,
        (value, ChoiceType::Float { .. }) => u128::from(value.count_ones()),
        (value, _) => value.unsigned_abs().saturating_mul(2).saturating_add(u128::from(value < 0)),
    };
    (choices.len(), choices.iter().map(weight).fold(0, u128::saturating_add))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::input;
    use crate::task::{Language, Task};

    /// The values of the inputs that are shown, for those that were found.
    fn shown(text: &str, inputs: &[i128]) -> Vec<i128> {
        let task = Task::of_c_text("a.c", text, Language::default());
        let tree = input::tree(&task, &nilas_smt::Budget::unlimited()).unwrap();
        let interpreter = Interpreter::new(&tree);
        let mut found = nilas_run::choice::Inputs::new(inputs.to_vec());
        let run = interpreter.run_here(&Options::default(), &mut found, &mut Discard, STACK / 4);
        let text = ChoiceFile::print(&run.choices);
        let place = super::place(&run.end).unwrap().to_string();
        let reached = Reached {
            what: String::new(),
            place,
            violates: None,
            stack: Vec::new(),
            choices: Vec::new(),
            text,
        };
        let mut simplifier = Simplifier::new(&tree, Properties::ASSERT, None);
        let choices = simplifier.choices(&reached).unwrap();
        let told = simplifier.run(&choices, 0);
        told.choices.iter().map(|made| made.value).collect()
    }

    /// A bug that needs three events is shown with three, however many there were before.
    #[test]
    fn inputs_that_are_not_needed_are_left_out() {
        let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void);
            int main(void) { int state = 0;
            for (int i = 0; i < 20; i++) { int event = __VERIFIER_nondet_int();
            if (state == 0 && event == 5) state = 1; else if (state == 1 && event == 7) state = 2;
            else if (state == 2 && event == 9) reach_error(); } return 0; }";
        assert_eq!(shown(text, &[3, 0, 5, 1, 1, 4, 7, 2, 8, 8, 0, 9]), [5, 7, 9]);
    }

    /// A number of an unsigned type is not simpler for being -1 in another one.
    #[test]
    fn unsigned_inputs_are_small_numbers() {
        let text = "extern unsigned __VERIFIER_nondet_uint(void); void reach_error(void);
            int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
            if (a % 4 == 3 && b & 32) reach_error(); return 0; }";
        assert_eq!(shown(text, &[-1, 4_294_967_295]), [3, 32]);
    }

    /// Of several inputs that lead to a failure each, the first is kept: the execution is shorter.
    #[test]
    fn failures_come_early() {
        let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void);
            int main(void) { int a[3]; for (int i = 0; i < 3; i++) { int x = __VERIFIER_nondet_int(); a[i] = x; }
            for (int i = 0; i < 3; i++) if (a[i]) reach_error(); return 0; }";
        assert_eq!(shown(text, &[7, 8, 9]), [1, 0, 0]);
    }

    /// Inputs with which a program runs for ever take nothing from the attempts that follow.
    #[test]
    fn endless_loops_are_not_waited_for() {
        let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void);
            int main(void) { int n = 0;
            while (1) { if (__VERIFIER_nondet_int()) n++; else if (n > 0) n--; if (n == 3) reach_error(); } }";
        assert_eq!(shown(text, &[0, 7, 0, 0, 9, 9, 0, 4, 4]), [1, 1, 1]);
    }
}
