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
use crate::models::Model;
use crate::violation;
use nilas_c::{HavocOrigin, tree};
use nilas_evidence::Trace;
use nilas_program::HavocSite;
use nilas_program::source::Span;
use nilas_report::Reached;
use nilas_run::choice::{CALLS, Choice, ChoiceKind, ChoiceType, Chooser, NoChoice};
use nilas_run::{Discard, End, Interpreter, Options, Place};
use nilas_smt::Budget;
use nilas_term::{BitVec, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An execution is given up after so long.
const TIME: Duration = Duration::from_secs(2);
/// And it has so long, whatever is left of the time.
const LEAST_TIME: Duration = Duration::from_millis(200);
/// Where steps are counted instead, it has so many.
const STEPS: u64 = 20_000_000;
/// Elements of an array that are looked at.
const MOST_ELEMENTS: u64 = 4096;
/// Orders of operands that are tried.
const MOST_ORDERS: usize = 64;

/// What the second reading says of an execution that reaches the error.
pub(crate) enum Replayed {
    /// It reaches the error, too.
    Confirmed(Reached),
    /// It makes the same choices, and ends like this.
    Contradicted(String),
    /// It could not be repeated, for this reason.
    Not(String),
}

/// Choices by the values of `havoc`s, where they have names.
pub(crate) fn named(input: &Input, tree: &tree::Program, values: &[(HavocSite, Value)]) -> Repeated {
    let mut choices = Repeated::default();
    for (site, value) in values {
        if let Some(origin) = input.havocs.get(site.index()) {
            choices.add(tree, origin, value);
        }
    }
    choices
}

/// The values that an execution of the automaton chooses.
pub(crate) fn inputs(trace: &Trace) -> Model {
    trace.course.inputs.clone()
}

/// How long an execution may take.
#[derive(Clone, Copy)]
struct Patience {
    deadline: Option<Instant>,
    steps: u64,
}

/// Repeats an execution that reaches the error by choosing these values; what comes out, and which values
/// were chosen on the way. It may take some time or, if it is `counted`, some steps.
pub(crate) fn repeat(
    input: &Input,
    tree: &tree::Program,
    inputs: &[(HavocSite, Value)],
    budget: &Budget,
    counted: bool,
) -> (Replayed, Vec<i128>) {
    if counted {
        let patience = Patience { deadline: budget.deadline, steps: STEPS };
        return in_some_order(input, tree, &named(input, tree, inputs), patience);
    }
    let now = Instant::now();
    let deadline = now + TIME;
    // What was found at the last moment is repeated, too, if it is short.
    let limit = budget.deadline.map(|limit| limit.max(now + LEAST_TIME));
    let deadline = limit.map_or(deadline, |limit| limit.min(deadline));
    let patience = Patience { deadline: Some(deadline), steps: u64::MAX };
    in_some_order(input, tree, &named(input, tree, inputs), patience)
}

/// The same for somebody who has more time; `None` if it does not reach the error.
pub(crate) fn repeat_within(
    input: &Input,
    tree: &tree::Program,
    inputs: &[(HavocSite, Value)],
    steps: u64,
) -> Option<Reached> {
    let patience = Patience { deadline: None, steps };
    match in_some_order(input, tree, &named(input, tree, inputs), patience).0 {
        Replayed::Confirmed(reached) => Some(reached),
        Replayed::Contradicted(_) | Replayed::Not(_) => None,
    }
}

/// Repeats choices in every order of operands that C leaves open, until one of them reaches the error.
///
/// The automaton and the interpreter number what they read in the order in which they read it, and the
/// automaton does not tell which order it took. So a contradiction is what no order explains.
fn in_some_order(
    input: &Input,
    tree: &tree::Program,
    choices: &Repeated,
    patience: Patience,
) -> (Replayed, Vec<i128>) {
    let interpreter = Interpreter::new(tree);
    let (mut contradicted, mut undecided) = (None, None);
    // How many orders are asked for; what reaches the error.
    let mut attempt = |orders: Orders| {
        let mut choices = Repeated { orders, ..choices.clone() };
        let (replayed, values) = in_order(input, &interpreter, &mut choices, patience);
        match replayed {
            Replayed::Confirmed(_) => return (choices.ordered, Some((replayed, values))),
            Replayed::Not(why) => _ = undecided.get_or_insert((why, values)),
            Replayed::Contradicted(end) => _ = contradicted.get_or_insert((end, values)),
        }
        (choices.ordered, None)
    };
    let (mut asked, mut confirmed) = attempt(Orders::default());
    if asked > 0 && confirmed.is_none() {
        (_, confirmed) = attempt(Orders { first: Vec::new(), rest: true });
    }
    let mut tried = 2;
    let mut next = next_order(Vec::new(), asked);
    while let Some(first) = next.take().filter(|_| confirmed.is_none() && tried < MOST_ORDERS) {
        (asked, confirmed) = attempt(Orders { first: first.clone(), rest: false });
        next = next_order(first, asked);
        tried += 1;
    }
    if let Some(confirmed) = confirmed {
        return confirmed;
    }
    if tried == MOST_ORDERS {
        undecided.get_or_insert(("its operands have too many orders".to_owned(), Vec::new()));
    }
    match (undecided, contradicted) {
        (None, Some((end, values))) if !choices.scheduled => (Replayed::Contradicted(end), values),
        (None, Some((_, values))) => {
            let why = "it takes an order of operands that the interpreter does not take".to_owned();
            (Replayed::Not(why), values)
        }
        (Some((why, values)), _) => (Replayed::Not(why), values),
        (None, None) => (Replayed::Not("it cannot be run there".to_owned()), Vec::new()),
    }
}

/// The order to try after one in which `asked` orders were asked for: the last that was not turned around is.
fn next_order(mut orders: Vec<bool>, asked: usize) -> Option<Vec<bool>> {
    orders.resize(asked, false);
    while orders.pop()? {}
    orders.push(true);
    Some(orders)
}

/// Repeats choices in one order.
fn in_order(
    input: &Input,
    interpreter: &Interpreter<'_>,
    choices: &mut Repeated,
    Patience { deadline, steps }: Patience,
) -> (Replayed, Vec<i128>) {
    let options = Options { ends: violation::kinds(input.sought()), deadline, steps, ..Options::default() };
    let run = || interpreter.run_here(&options, choices, &mut Discard, challenge::STACK);
    let Some(execution) = challenge::guarded(run) else {
        return (Replayed::Not("it cannot be run there".to_owned()), Vec::new());
    };
    let values = execution.choices.iter().map(|made| made.value).collect();
    (judged(input, &execution, choices.all_known()), values)
}

/// What an execution in C says of that of the automaton; `all_known` if all its choices were given.
fn judged(input: &Input, execution: &nilas_run::Execution, all_known: bool) -> Replayed {
    let described = |place: &Place, what: &str| format!("{what} at {place}");
    match &execution.end {
        end if violation::violation(end, input.properties()).is_some() => {
            Replayed::Confirmed(challenge::reached(execution, input.properties()))
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
        End::Error { place, kind, .. } => Replayed::Contradicted(described(place, &kind.to_string())),
        End::Exit(status) => Replayed::Contradicted(format!("the program ends with status {status}")),
        End::Endless { place } => Replayed::Contradicted(described(place, "it goes on for ever")),
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
pub(crate) struct Repeated {
    /// Inputs and results by kind, place and occurrence.
    calls: BTreeMap<(ChoiceKind, Place, u64), BitVec>,
    /// How often each was reached.
    reached: BTreeMap<(ChoiceKind, Place), u64>,
    /// Uninitialised memory by declaration and number of the object: position, and bits.
    unset: BTreeMap<(Place, u64), BTreeMap<u64, BitVec>>,
    /// How often an object was declared, by place and position in the object.
    declared: BTreeMap<(Place, u64), u64>,
    /// What lvalues read from memory that was not modelled, in the order in which they did.
    open: BTreeMap<Span, Vec<BitVec>>,
    /// How often the interpreter asked for what such an lvalue reads.
    asked: BTreeMap<Span, usize>,
    /// The execution chose what has no name.
    nameless: bool,
    /// The interpreter asked for something that is not here.
    missed: bool,
    /// The automaton chose an order of operands.
    scheduled: bool,
    /// How often the interpreter asked in which order operands are evaluated.
    ordered: usize,
    /// What is answered.
    orders: Orders,
}

/// Orders of operands: whether each is the other one than the interpreter would take.
#[derive(Clone, Default)]
struct Orders {
    /// That of the first ones that are asked for.
    first: Vec<bool>,
    /// That of all others.
    rest: bool,
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
            HavocOrigin::Volatile(span) => (ChoiceKind::VolatileRead, *span),
            HavocOrigin::AllocationFailure(span) => {
                // Inside of a library function the interpreter may allocate by itself, at another place.
                self.nameless |= nilas_c::is_text(&tree.sources.locate(*span).file);
                (ChoiceKind::AllocationFailure, *span)
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
                            if let Some(bits) = bits(element) {
                                held.entry(unset.position(number)).or_insert(bits);
                            }
                        }
                    }
                    value => {
                        if let Some(bits) = bits(value) {
                            held.entry(unset.offset).or_insert(bits);
                        }
                    }
                }
                return;
            }
            HavocOrigin::Open(span) => {
                self.nameless = true;
                self.open.entry(*span).or_default().extend(bits(value));
                return;
            }
            HavocOrigin::EvaluationOrder => {
                self.scheduled = true;
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

    /// Whether the order of operands can make a difference. Where the automaton chose none, the operands do
    /// not conflict, and the order only says which of two calls read an input first.
    fn depends_on_order(&self, choice: &Choice) -> bool {
        let counts = || self.reached.values().chain(self.declared.values());
        self.scheduled || (choice.name == CALLS && counts().any(|&count| count > 1))
    }

    /// What an lvalue reads that the automaton had no memory for. It may have read there more often than the
    /// interpreter asks, since only the first one of several reads does.
    fn read(&mut self, choice: &Choice) -> Option<i128> {
        let span = choice.asked?;
        let values = self.open.get(&span)?;
        let count = self.asked.entry(span).or_default();
        let value = values.get(*count).or(values.last())?;
        *count += 1;
        Some(number(value))
    }

    /// Bits of uninitialised memory.
    fn held(&self, choice: &Choice) -> Option<i128> {
        let held = self.unset.get(&(choice.place.clone(), choice.occurrence))?;
        let (start, width) = (choice.offset * 8, u64::from(choice.ty.bits()));
        let mut number: u128 = 0;
        for bit in 0..width.min(128) {
            let (position, bits) = held.range(..=start + bit).next_back()?;
            if start + bit >= position + u64::from(bits.width()) {
                return None;
            }
            let inside = u32::try_from(start + bit - position).ok()?;
            number |= u128::from(bits.bit(inside)) << bit;
        }
        Some(number.cast_signed())
    }
}

impl Chooser for Repeated {
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice> {
        match choice.kind {
            ChoiceKind::Input | ChoiceKind::UnknownResult | ChoiceKind::VolatileRead => {
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
                let found = self.held(choice).or_else(|| self.read(choice));
                self.missed |= found.is_none();
                if matches!(choice.ty, ChoiceType::Pointer { .. }) && found.is_some_and(|it| it != 0) {
                    self.nameless = true;
                }
                Ok(found)
            }
            ChoiceKind::EvaluationOrder => {
                if !self.depends_on_order(choice) {
                    return Ok(None);
                }
                let turned = self.orders.first.get(self.ordered).copied().unwrap_or(self.orders.rest);
                self.ordered += 1;
                Ok(turned.then_some(1))
            }
            ChoiceKind::AllocationFailure => {
                let key = (choice.kind, choice.place.clone(), choice.occurrence);
                Ok(self.calls.get(&key).map(number))
            }
            ChoiceKind::UnknownWrite | ChoiceKind::AddressRelation | ChoiceKind::FloatBits => Ok(None),
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

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use crate::task::{Language, Task};

    /// What lvalues read from memory that was not modelled comes in the order in which they did, and the last
    /// value again and again; other lvalues are not known.
    #[test]
    fn what_is_read_is_named_by_the_lvalue() {
        let task = Task::of_c_text("a.c", "int main(void) { return 0; }", Language::default());
        let tree = crate::input::tree(&task, &Budget::unlimited()).unwrap_or_else(|_| panic!("a program"));
        let span = |start| Span { start, ..tree.functions.enumerate().next().expect("main").1.span };
        let mut choices = Repeated::default();
        for value in [7, 9] {
            choices.add(&tree, &HavocOrigin::Open(span(1)), &Value::BitVec(BitVec::new(32, value)));
        }
        let mut asked = |start| {
            let place = Place { file: "a.c".to_owned(), line: 1, column: 1 };
            let (kind, name) = (ChoiceKind::Uninitialised, "external".to_owned());
            let ty = ChoiceType::Int { bits: 32, signed: true, range: None };
            let choice = Choice { kind, place, name, occurrence: 0, offset: 0, ty, asked: Some(span(start)) };
            choices.choose(&choice).expect("a choice")
        };
        assert_eq!([asked(1), asked(1), asked(2), asked(1)], [Some(7), Some(9), None, Some(9)]);
        assert!(!choices.all_known(), "an execution that chose what memory holds is not known to be one");
    }

    /// Every order is tried once, whatever the orders before ask for.
    #[test]
    fn all_orders_come() {
        // Where the first operands are turned around, there is one question less.
        let asked = |order: &[bool]| if order.first() == Some(&true) { 2 } else { 3 };
        let mut tried = vec![Vec::new()];
        while let Some(next) = next_order(tried[tried.len() - 1].clone(), asked(&tried[tried.len() - 1])) {
            tried.push(next);
        }
        let told: Vec<String> = tried
            .iter()
            .map(|order| order.iter().map(|&turned| if turned { '1' } else { '0' }).collect())
            .collect();
        assert_eq!(told, ["", "001", "01", "011", "1", "11"]);
    }
}
