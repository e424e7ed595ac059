//! Verdicts are challenged by concrete executions in the reference interpreter, a second reading of C that
//! shares nothing with the lowering.
//!
//! The executions take defaults first, then random and boundary values and numbers that the program names. An
//! execution that takes a branch which none took before is kept, and changed a little, to get further; so are
//! executions that engines found and that show nothing by themselves. Inputs in the models that engines met
//! come before all others. One that reaches the error has to reach the same place wherever objects lie, or it
//! says nothing. Then it shows that the program is unsafe; and a proof that it contradicts is wrong.

use crate::leads::Leads;
use crate::replay::Repeated;
use crate::violation;
use nilas_c::{Properties, Property, tree};
use nilas_report::{Made, Reached, Violation};
use nilas_run::choice::{
    Choice, ChoiceFile, ChoiceKind, ChoiceType, Chooser, Defaults, Mutated, NoChoice, Seeded,
};
use nilas_run::{Discard, End, Execution, Interpreter, Options, Place, UndefinedKind};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first line of evidence that is a list of choices.
pub(crate) const HEADING: &str = "# nilas choices\n";
/// Bytes that the objects of an execution may take.
const MEMORY: u64 = 1 << 28;
/// The part of this thread's stack that an execution may take. (A thread of its own would be waited for,
/// which takes long where the machine is busy.)
pub(crate) const STACK: usize = crate::session::STACK / 2;
/// Layouts of memory in which an execution must reach the error.
const LAYOUTS: u64 = 4;
/// How long repeating an execution may take.
const REPEAT: Duration = Duration::from_secs(1);
/// Executions that are kept to be changed.
const MOST_KEPT: usize = 256;
/// So many executions of different inputs have to stop at undefined behaviour until it is said of all.
const ENOUGH: u64 = 8;
/// A single execution takes at most this share of the time, so that one endless loop is not all.
const SHARE: u32 = 3;

/// Where steps are counted instead of time: those of one challenge, and of one execution.
const STEPS: u64 = 600_000;
const STEPS_OF_ONE: u64 = 200_000;

/// So often a pointer is chosen anew that must not be null.
const TRIES: usize = 8;
/// So many of the largest numbers may stand for errors instead of addresses.
const ERRORS: i128 = 4096;

/// What came out of a challenge.
#[derive(Default)]
pub(crate) struct Challenged {
    /// How many executions there were.
    pub(crate) runs: u64,
    /// How many expressions and statements they evaluated.
    pub(crate) steps: u64,
    /// How many of them took inputs from a model of an engine, and how many of these a branch that none took
    /// before.
    pub(crate) guided: u64,
    pub(crate) guided_further: u64,
    /// How long they waited for a processor, where the system tells.
    pub(crate) waited: Duration,
    /// The execution that reached the error.
    pub(crate) reached: Option<Reached>,
}

/// Makes the choices that a model names, and others at random.
struct Guided {
    guide: Repeated,
    rest: Mutated,
    /// Pointers are followed that are null in the model.
    follows: bool,
    /// A bit for each pointer: whether it is the very number of the model where that is an error number.
    numbers: u64,
}

impl Chooser for Guided {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        match (self.guide.choose(choice), choice.ty) {
            (Ok(Some(value)), ChoiceType::Pointer { bits }) => self.pointer(choice, value, bits),
            (Ok(Some(value)), _) => Ok(Some(value)),
            _ => self.rest.choose(choice),
        }
    }

    fn asks(&self, kind: ChoiceKind) -> bool {
        self.rest.asks(kind)
    }
}

impl Guided {
    /// A pointer that is this one in a model. Which memory that is only the automaton knows, so it is some of
    /// unknown origin. Null is meant only in some executions, since models do not follow pointers where
    /// memory is not modelled. The largest numbers stand for errors in some programs.
    fn pointer(&mut self, choice: &Choice, value: i128, bits: u32) -> Result<Option<i128>, NoChoice> {
        self.numbers = self.numbers.rotate_left(1);
        if value >= (1 << bits) - ERRORS && self.numbers & 1 == 1 {
            return Ok(Some(value));
        }
        if value == 0 && !self.follows {
            return Ok(Some(0));
        }
        let mut chosen = self.rest.choose(choice)?;
        for _ in 0..TRIES {
            if chosen.is_some_and(|it| it != 0) {
                break;
            }
            chosen = self.rest.choose(choice)?;
        }
        Ok(chosen)
    }
}

/// A program to be run.
pub(crate) struct Challenge<'t> {
    interpreter: Interpreter<'t>,
    properties: Properties,
    /// Violations that are known already.
    known: BTreeSet<Violation>,
    /// Steps are counted instead of time, so that it ends in the same way every time.
    counted: bool,
    /// The next seed.
    seed: u64,
    /// Numbers that the program names.
    numbers: Arc<[i128]>,
    /// Which conditions held and did not, and which labels were reached, in all executions.
    covered: Vec<u8>,
    /// The choices of executions that took a branch which none took before.
    kept: Vec<Vec<i128>>,
    /// Choices in models of engines that were not tried yet, the next one last.
    guides: Vec<Repeated>,
    ends: Ends,
}

/// Where the executions stopped that were tried.
#[derive(Default)]
struct Ends {
    /// How many stopped at undefined behaviour, and what the first one met.
    undefined: u64,
    first: Option<String>,
    /// One ended in another way, or did not end.
    others: bool,
    /// There is nothing to choose: one execution is all.
    fixed: bool,
}

impl<'t> Challenge<'t> {
    pub(crate) fn new(tree: &'t tree::Program, properties: Properties) -> Self {
        Challenge {
            interpreter: Interpreter::new(tree),
            properties,
            known: BTreeSet::new(),
            counted: false,
            seed: 0,
            numbers: numbers(tree),
            covered: Vec::new(),
            kept: Vec::new(),
            guides: Vec::new(),
            ends: Ends::default(),
        }
    }

    /// The same that counts steps instead of time.
    pub(crate) fn counted(self, counted: bool) -> Self {
        Challenge { counted, ..self }
    }

    /// Whether steps are counted instead of time.
    pub(crate) fn is_counted(&self) -> bool {
        self.counted
    }

    /// What all executions stop at, if that is undefined behaviour as far as they were tried: then a proof
    /// says nothing.
    pub(crate) fn undefined(&self) -> Option<&str> {
        let enough = !self.ends.others && (self.ends.fixed || self.ends.undefined >= ENOUGH);
        self.ends.first.as_deref().filter(|_| enough)
    }

    /// Notes where an execution stopped.
    fn ended(&mut self, execution: &Execution, fixed: bool) {
        self.ends.fixed |= fixed;
        match &execution.end {
            // What is asked about is told, and not passed over in silence.
            end if violation::violation(end, self.properties).is_some() => self.ends.others = true,
            End::Undefined(undefined) => {
                self.ends.undefined += 1;
                let what = || format!("{} at {}", undefined.sentence, undefined.place);
                self.ends.first.get_or_insert_with(what);
            }
            _ => self.ends.others = true,
        }
    }

    /// Choices in models of engines are tried first, these in their order.
    pub(crate) fn guide(&mut self, mut guides: Vec<Repeated>) {
        guides.reverse();
        self.guides = guides;
    }

    /// Who chooses next: by a model, at random, or by what an execution chose that got somewhere.
    fn chooser(&mut self) -> Box<dyn Chooser> {
        let seed = self.seed;
        if let Some(guide) = self.guides.pop() {
            let rest = Mutated::new(seed, Vec::new(), Arc::clone(&self.numbers));
            let numbers = (seed / 2).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            return Box::new(Guided { guide, rest, follows: !(seed / 2).is_multiple_of(4), numbers });
        }
        let kept = usize::try_from(seed / 2).ok().and_then(|n| n.checked_rem(self.kept.len()));
        match kept.map(|kept| &self.kept[kept]) {
            _ if seed == 0 => Box::new(Defaults),
            // The same until somewhere, and then something else: another way out of a state that was reached.
            Some(values) if seed % 6 == 4 => {
                let kept = usize::try_from(seed / 6).unwrap_or(0) % (values.len() + 1);
                let numbers = Arc::clone(&self.numbers);
                Box::new(Mutated::following(seed, values[..kept].to_vec(), numbers))
            }
            Some(values) if seed.is_multiple_of(2) => {
                Box::new(Mutated::new(seed, values.clone(), Arc::clone(&self.numbers)))
            }
            _ if seed % 4 == 1 => Box::new(Mutated::new(seed, Vec::new(), Arc::clone(&self.numbers))),
            _ => Box::new(Seeded::new(seed)),
        }
    }

    /// Notes which branches an execution took; whether one of them was not taken before.
    fn cover(&mut self, execution: &Execution) -> bool {
        self.covered.resize(execution.covered.len().max(self.covered.len()), 0);
        let mut new = false;
        for (all, &met) in self.covered.iter_mut().zip(&execution.covered) {
            new |= met & !*all != 0;
            *all |= met;
        }
        new
    }

    /// The values that an execution chose are changed a little, too.
    pub(crate) fn learn(&mut self, values: Vec<i128>) {
        if self.kept.len() < MOST_KEPT && !self.kept.contains(&values) {
            self.kept.push(values);
        }
    }

    /// Runs the program for some time, or until it reaches the error, and watches the invariants of a proof.
    pub(crate) fn run(&mut self, time: Duration, leads: Option<&mut Leads<'_>>) -> Challenged {
        let before = waited();
        let challenged = guarded(|| self.run_here(time, leads)).unwrap_or_default();
        let waited = waited().saturating_sub(before);
        Challenged { waited, ..challenged }
    }

    fn run_here(&mut self, time: Duration, mut leads: Option<&mut Leads<'_>>) -> Challenged {
        let end = Instant::now() + time;
        let mut challenged = Challenged::default();
        // Inputs that make no difference are not tried for ever.
        let mut fixed = false;
        let is_over = |steps: u64, counted: bool| match counted {
            true => steps >= STEPS,
            false => Instant::now() >= end,
        };
        while !fixed && !is_over(challenged.steps, self.counted) {
            let deadline = end.min(Instant::now() + time / SHARE);
            let guided = !self.guides.is_empty();
            let mut chooser = self.chooser();
            let options = self.options(0, deadline);
            let execution = match &mut leads {
                Some(leads) => {
                    let execution =
                        self.interpreter.run_observed(&options, &mut *chooser, &mut **leads, STACK);
                    leads.ended(execution.lenient.is_none());
                    execution
                }
                None => self.interpreter.run_here(&options, &mut *chooser, &mut Discard, STACK),
            };
            fixed = execution.choices.is_empty() && execution.end != End::OutOfSteps;
            self.ended(&execution, fixed);
            self.seed += 1;
            challenged.runs += 1;
            challenged.steps += execution.steps.max(1);
            challenged.guided += u64::from(guided);
            if self.cover(&execution) {
                challenged.guided_further += u64::from(guided);
                self.learn(execution.choices.iter().map(|made| made.value).collect());
            }
            if self.is_error(&execution) && self.stands(&execution, end) {
                challenged.reached = Some(reached(&execution, self.properties));
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
    pub(crate) fn repeat(&self, choices: &ChoiceFile, time: Duration) -> Result<Reached, String> {
        let repeated = guarded(|| self.repeat_here(choices, time));
        repeated.unwrap_or_else(|| Err("it cannot be run here".to_owned()))
    }

    fn repeat_here(&self, choices: &ChoiceFile, time: Duration) -> Result<Reached, String> {
        let now = Instant::now();
        let deadline = now.checked_add(time).unwrap_or(now + Duration::from_secs(1 << 30));
        let first = self.execute(&mut choices.clone().strict(), 0, deadline);
        if !self.is_error(&first) {
            return Err("the execution does not reach the error".to_owned());
        }
        if !self.is_everywhere(choices, &first, deadline) {
            return Err("where the execution ends depends on where objects lie in memory".to_owned());
        }
        Ok(reached(&first, self.properties))
    }

    fn execute(&self, chooser: &mut dyn Chooser, layout: u64, deadline: Instant) -> Execution {
        let options = self.options(layout, deadline);
        self.interpreter.run_here(&options, chooser, &mut Discard, STACK)
    }

    fn options(&self, layout: u64, deadline: Instant) -> Options {
        Options {
            ends: violation::kinds(self.properties),
            memory: MEMORY,
            address_seed: layout,
            deadline: Some(deadline).filter(|_| !self.counted),
            steps: if self.counted { STEPS_OF_ONE } else { Options::default().steps },
            cover: layout == 0,
            ..Options::default()
        }
    }

    /// Whether an execution shows the error. One that passed over undefined behaviour shows nothing.
    fn is_error(&self, execution: &Execution) -> bool {
        if execution.lenient.as_ref().is_some_and(|passed| !leads_to(passed.kind, &execution.end)) {
            return false;
        }
        let violates = violation::violation(&execution.end, self.properties);
        violates.is_some_and(|violation| !self.known.contains(&violation))
    }

    /// A violation is known: executions that show it are of no use any more.
    pub(crate) fn pass_over(&mut self, violation: Violation) {
        self.known.insert(violation);
    }

    /// Whether the choices of an execution reach the same place wherever objects lie.
    fn stands(&self, execution: &Execution, end: Instant) -> bool {
        let choices = ChoiceFile::parse(&ChoiceFile::print(&execution.choices));
        choices.is_ok_and(|choices| self.is_everywhere(&choices, execution, end + Duration::from_millis(200)))
    }

    /// Whether choices end with the error at the same place in every layout of memory.
    fn is_everywhere(&self, choices: &ChoiceFile, execution: &Execution, deadline: Instant) -> bool {
        (1..=LAYOUTS).all(|layout| {
            let again = self.execute(&mut choices.clone().strict(), layout, deadline);
            self.is_error(&again) && place(&again.end) == place(&execution.end)
        })
    }
}

/// Runs the interpreter; `None` if it fails, which is its own bug and none of the verdict's.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

/// How long this thread was ready to run, but did not: other programs had the processors. Zero where the
/// system does not tell.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = text.split_whitespace().nth(1).and_then(|nanoseconds| nanoseconds.parse().ok());
    Duration::from_nanos(waited.unwrap_or_default())
}

/// Whether undefined behaviour that an execution passed over is only the way to its end: a pointer leaves its
/// object, and then something is accessed there.
fn leads_to(passed: UndefinedKind, end: &End) -> bool {
    let bounds = |kind| violation::property(kind) == Some(Property::Bounds);
    passed == UndefinedKind::PointerArithmetic
        && matches!(end, End::Undefined(undefined) if bounds(undefined.kind))
}

/// The integers that a program names.
fn numbers(tree: &tree::Program) -> Arc<[i128]> {
    let literals = tree.exprs.iter().filter_map(|expr| match expr.kind {
        tree::ExprKind::Int(value) => Some(value),
        _ => None,
    });
    let cases = tree.stmts.iter().flat_map(|stmt| match &stmt.kind {
        tree::StmtKind::Switch { cases, .. } => &cases[..],
        _ => &[],
    });
    let mut numbers: Vec<i128> = literals.chain(cases.map(|case| case.low)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into()
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
pub(crate) fn reached(execution: &Execution, properties: Properties) -> Reached {
    let (what, stack) = match &execution.end {
        End::Error { kind, stack, .. } => (kind.to_string(), &stack[..]),
        End::Undefined(undefined) => {
            let word = if undefined.kind.is_undefined() { "undefined behaviour: " } else { "" };
            (format!("{word}{}", undefined.sentence), &undefined.stack[..])
        }
        _ => (String::new(), &[][..]),
    };
    Reached {
        what,
        place: place(&execution.end).map(ToString::to_string).unwrap_or_default(),
        violates: violation::violation(&execution.end, properties),
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
