//! Executions of the automaton are repeated in C: every unsafe verdict runs in the reference interpreter
//! before it is told.
//!
//! The values of `havoc`s are choices, named as the interpreter names them: inputs and results of unknown
//! functions by the call and how often it was reached, uninitialised memory by its declaration or allocation,
//! how many objects of it there were, and the offset. What C does not name so (what unknown functions write,
//! where objects lie) stays open; an execution that asks for it is not replayed, which says nothing against
//! it.

use crate::challenge;
use crate::input::Input;
use nilas_c::{HavocOrigin, tree};
use nilas_evidence::{Execution, replay};
use nilas_report::Reached;
use nilas_run::choice::{Choice, ChoiceKind, ChoiceType, Chooser, NoChoice};
use nilas_run::{Discard, End, Interpreter, Options, Place};
use nilas_smt::Budget;
use nilas_term::{BitVec, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An execution is given up after so long.
const TIME: Duration = Duration::from_secs(2);
/// Elements of an array that are looked at.
const MOST_ELEMENTS: u64 = 4096;

/// What the second reading says of an execution that reaches the error.
pub(crate) enum Replayed {
    /// It reaches the error, too.
    Confirmed(Reached),
    /// It makes the same choices, and ends like this.
    Contradicted(String),
    /// It could not be repeated, for this reason.
    Not(String),
}

/// Repeats an execution that reaches the error; what comes out, and which values were chosen on the way.
pub(crate) fn repeat(input: &Input, tree: &tree::Program, execution: &Execution) -> (Replayed, Vec<i128>) {
    let budget = Budget::unlimited();
    let Ok(trace) = replay(&input.program, execution, &budget) else {
        return (Replayed::Not("the automaton does not repeat it".to_owned()), Vec::new());
    };
    let mut choices = Repeated::default();
    for (site, value) in trace.steps.iter().flat_map(|step| &step.inputs) {
        if let Some(origin) = input.havocs.get(site.index()) {
            choices.add(tree, origin, value);
        }
    }
    // Operands whose order C leaves open and that do not conflict may still read inputs: the automaton and the
    // interpreter number these in the order in which they take them.
    let mut backwards = Repeated { backwards: true, ..choices.clone() };
    let (first, values) = in_order(input, tree, &mut choices);
    if matches!(first, Replayed::Confirmed(_)) || !choices.ordered {
        return (first, values);
    }
    match (in_order(input, tree, &mut backwards), first) {
        (second @ (Replayed::Confirmed(_), _), _) => second,
        (_, Replayed::Contradicted(_)) => {
            let why = "it depends on the order in which operands are evaluated".to_owned();
            (Replayed::Not(why), values)
        }
        (_, first) => (first, values),
    }
}

/// Repeats choices with operands in one order.
fn in_order(input: &Input, tree: &tree::Program, choices: &mut Repeated) -> (Replayed, Vec<i128>) {
    let interpreter = Interpreter::new(tree);
    let options = Options {
        check_undefined: input.checks_undefined(),
        deadline: Some(Instant::now() + TIME),
        ..Options::default()
    };
    let run = || interpreter.run_here(&options, choices, &mut Discard, challenge::STACK);
    let Some(execution) = challenge::on_large_stack(run) else {
        return (Replayed::Not("it cannot be run there".to_owned()), Vec::new());
    };
    let values = execution.choices.iter().map(|made| made.value).collect();
    (judged(input, &execution, choices.all_known()), values)
}

/// What an execution in C says of that of the automaton; `all_known` if all its choices were given.
fn judged(input: &Input, execution: &nilas_run::Execution, all_known: bool) -> Replayed {
    let described = |place: &Place, what: &str| format!("{what} at {place}");
    match &execution.end {
        End::Error { .. } => Replayed::Confirmed(challenge::reached(execution)),
        End::Undefined(undefined) if input.checks_undefined() && undefined.kind.is_checked() => {
            Replayed::Confirmed(challenge::reached(execution))
        }
        End::OutOfSteps => Replayed::Not("it takes too long there".to_owned()),
        End::OutOfMemory | End::OutOfStack { .. } => {
            Replayed::Not("it takes too much memory there".to_owned())
        }
        End::Unsupported { what, place } => Replayed::Not(described(place, what)),
        End::OutOfChoices { choice } => Replayed::Not(format!("it asks for a choice there: {choice}")),
        _ if execution.lenient.is_some() => {
            Replayed::Not("it passes over undefined behaviour there".to_owned())
        }
        _ if !all_known => Replayed::Not("it depends on values that the automaton does not name".to_owned()),
        End::Exit(status) => Replayed::Contradicted(format!("the program ends with status {status}")),
        End::Abort { what, place } => Replayed::Contradicted(described(place, &format!("`{what}`"))),
        End::Assumed { place } => Replayed::Contradicted(described(place, "an assumption does not hold")),
        End::Undefined(undefined) => Replayed::Contradicted(described(
            &undefined.place,
            &format!("undefined behaviour ({})", undefined.sentence),
        )),
    }
}

/// The choices of an execution of the automaton.
#[derive(Clone, Default)]
struct Repeated {
    /// Inputs and results by kind, place and occurrence.
    calls: BTreeMap<(ChoiceKind, Place, u64), BitVec>,
    /// How often each was reached.
    reached: BTreeMap<(ChoiceKind, Place), u64>,
    /// Uninitialised memory by declaration and number of the object: position, and bits.
    unset: BTreeMap<(Place, u64), Vec<(u64, BitVec)>>,
    /// How often an object was declared, by place and position in the object.
    declared: BTreeMap<(Place, u64), u64>,
    /// The execution chose what has no name.
    nameless: bool,
    /// The interpreter asked for something that is not here.
    missed: bool,
    /// The interpreter asked in which order operands are evaluated.
    ordered: bool,
    /// They are evaluated in the other order than it would take.
    backwards: bool,
}

impl Repeated {
    fn all_known(&self) -> bool {
        !self.nameless && !self.missed
    }

    fn add(&mut self, tree: &tree::Program, origin: &HavocOrigin, value: &Value) {
        let place = |span| {
            let location = tree.sources.locate(span);
            Place { file: location.file, line: location.line, column: location.column }
        };
        let (kind, span) = match origin {
            HavocOrigin::Input(result) => (ChoiceKind::Input, result.span),
            HavocOrigin::Unknown(result) => {
                // The interpreter may compute what the automaton leaves open: it need not ask.
                self.nameless |= nilas_c::catalogue::row(&result.function).is_some();
                (ChoiceKind::UnknownResult, result.span)
            }
            HavocOrigin::Garbage(Some(unset)) => {
                let place = place(unset.span);
                let count = self.declared.entry((place.clone(), unset.offset)).or_default();
                let object = *count;
                *count += 1;
                let held = self.unset.entry((place, object)).or_default();
                match value {
                    Value::Array(array) => {
                        let nilas_term::Sort::BitVec(index) = array.sort.index else { return };
                        for number in 0..unset.count().min(MOST_ELEMENTS) {
                            let element = array.select(&Value::BitVec(BitVec::new(index, number)));
                            held.extend(bits(element).map(|bits| (unset.position(number), bits)));
                        }
                    }
                    value => held.extend(bits(value).map(|bits| (unset.offset, bits))),
                }
                return;
            }
            _ => {
                self.nameless = true;
                return;
            }
        };
        let place = place(span);
        let count = self.reached.entry((kind, place.clone())).or_default();
        let occurrence = *count;
        *count += 1;
        match bits(value) {
            Some(bits) => {
                self.calls.insert((kind, place, occurrence), bits);
            }
            None => self.nameless = true,
        }
    }

    /// Bits of uninitialised memory.
    fn held(&self, choice: &Choice) -> Option<i128> {
        let held = self.unset.get(&(choice.place.clone(), choice.occurrence))?;
        let (start, width) = (choice.offset * 8, u64::from(choice.ty.bits()));
        let mut number: u128 = 0;
        for bit in 0..width.min(128) {
            let (position, bits) = held.iter().find(|(position, bits)| {
                (*position..*position + u64::from(bits.width())).contains(&(start + bit))
            })?;
            let inside = u32::try_from(start + bit - position).ok()?;
            number |= u128::from(bits.bit(inside)) << bit;
        }
        Some(number.cast_signed())
    }
}

impl Chooser for Repeated {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        match choice.kind {
            ChoiceKind::Input | ChoiceKind::UnknownResult => {
                let key = (choice.kind, choice.place.clone(), choice.occurrence);
                let Some(bits) = self.calls.get(&key) else {
                    self.missed = true;
                    return Err(NoChoice);
                };
                // A pointer that is not null points to what only the automaton has.
                if matches!(choice.ty, ChoiceType::Pointer { .. }) && !bits.is_zero() {
                    self.nameless = true;
                }
                Ok(Some(number(bits)))
            }
            ChoiceKind::Uninitialised => {
                let found = self.held(choice);
                self.missed |= found.is_none();
                if matches!(choice.ty, ChoiceType::Pointer { .. }) && found.is_some_and(|it| it != 0) {
                    self.nameless = true;
                }
                Ok(found)
            }
            ChoiceKind::EvaluationOrder => {
                self.ordered = true;
                Ok(self.backwards.then_some(1))
            }
            ChoiceKind::UnknownWrite
            | ChoiceKind::AddressRelation
            | ChoiceKind::AllocationFailure
            | ChoiceKind::FloatBits => Ok(None),
        }
    }
}

/// The bits of a value in memory.
fn bits(value: &Value) -> Option<BitVec> {
    match value {
        Value::Bool(value) => Some(BitVec::new(8, u64::from(*value))),
        Value::BitVec(bits) => Some(bits.clone()),
        Value::Float(float) if matches!(float.bits.width(), 16 | 32 | 64 | 128) => Some(float.bits.clone()),
        _ => None,
    }
}

fn number(bits: &BitVec) -> i128 {
    let mut number: u128 = 0;
    for bit in 0..bits.width().min(128) {
        number |= u128::from(bits.bit(bit)) << bit;
    }
    number.cast_signed()
}
