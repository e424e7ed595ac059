//! Executions as steps to walk through: a line each, with what happened there, the calls that are active, and
//! the values that became known.

use super::escape;
use crate::c_trace;
use crate::course::{function, place, statement};
use crate::facts::shortened;
use crate::source::{Place, Source};
use crate::text::value;
use nilas_evidence::{Execution, Trace};
use nilas_program::Program;
use nilas_program::source::Span;
use nilas_run::trace::{Course, Event, What};
use std::collections::BTreeMap;

/// Steps that are shown, from the start and from the end of an execution.
const FIRST: usize = 400;
const LAST: usize = 1_600;
/// Characters of a text or value.
const LONGEST: usize = 300;

/// An execution.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    /// What it violates.
    pub(super) title: String,
    pub(super) steps: Vec<Step>,
    /// The calls that are active, the outermost first; steps name one of these.
    pub(super) stacks: Vec<Vec<Active>>,
}

/// A call that is active: the function, and where it was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Active {
    pub(super) function: String,
    pub(super) from: Option<(String, usize)>,
}

/// A step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) kind: Kind,
    /// File and line.
    pub(super) at: Option<(String, usize)>,
    pub(super) text: String,
    pub(super) notes: Vec<Note>,
    /// How many calls are active.
    pub(super) depth: usize,
    /// See [`Walk::stacks`].
    pub(super) stack: usize,
    pub(super) changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Plain,
    /// A call has returned; its statement goes on.
    Back,
    /// Steps are left out.
    Gap,
    Failure,
}

/// What happened in a step, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    Branch(bool),
    Iteration(u64),
    Word(String),
    Change(String),
    Input(String),
    Uninitialised(String),
    Failure(String),
}

/// What is known behind a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Variables of calls from this depth on are gone, or nothing is known of them any more.
    Forget(usize),
    /// A variable of the call of this depth (0 if it outlives all calls) holds a value.
    Set(usize, String, String),
}

/// An execution of the C program, as the reference interpreter recorded it.
pub(super) fn of_course(source: &Source, course: &Course, title: String) -> Walk {
    let mut builder = Builder { source, walk: Walk { title, ..Walk::default() }, ..Builder::new(source) };
    for event in &course.head {
        builder.event(event);
    }
    if course.omitted > 0 {
        builder.unknown(course.omitted, course.tail.first().map_or(0, |event| event.depth));
    }
    for event in &course.tail {
        builder.event(event);
    }
    cut(builder.walk)
}

/// An execution of the automaton: a step per edge, or per line of a C program.
pub(super) fn of_trace(
    program: &Program,
    source: &Source,
    trace: &Trace,
    execution: Option<&Execution>,
    title: String,
) -> Walk {
    let mut walk = Walk { title, stacks: vec![Vec::new()], ..Walk::default() };
    let automaton = &program.automaton;
    if let (true, Some(execution)) = (source.is_c(), execution) {
        for entry in c_trace::entries(program, source, execution, trace) {
            let Some(place) = entry.place else { continue };
            let mut step = Step { at: Some((place.file, place.line)), text: place.text, ..Step::default() };
            for (name, value, input) in entry.changes {
                step.set(name, &value, input);
            }
            walk.steps.push(step);
        }
    } else {
        for (number, taken) in trace.steps.iter().enumerate() {
            if trace.omitted > 0 && number == trace.steps.len() / 2 {
                walk.steps.push(gap(trace.omitted, "steps were not kept"));
            }
            let edge = automaton.edge(taken.edge);
            let name = |location| &automaton.location(location).name;
            let at = source.place(edge.span).map(|place| (place.file, place.line));
            let text = format!("{} → {}", name(edge.source), name(edge.target));
            let mut step = Step { at, text, ..Step::default() };
            if number == 0 {
                let initial = automaton.variable_ids().zip(&trace.initial);
                let plain = initial.filter(|(id, _)| c_trace::shown(program, *id));
                let set = |(id, it): (_, &_)| Change::Set(0, automaton.variable(id).name.clone(), value(it));
                step.changes.extend(plain.map(set));
            }
            for (site, it) in &taken.inputs {
                step.set(automaton.variable(automaton.havoc(*site).variable).name.clone(), &value(it), true);
            }
            for (id, it) in &taken.changes {
                let name = &automaton.variable(*id).name;
                let is_input = |(site, _): &(_, _)| automaton.havoc(*site).variable == *id;
                if !taken.inputs.iter().any(is_input) {
                    step.set(name.clone(), &value(it), false);
                }
            }
            walk.steps.push(step);
        }
    }
    if let Some(last) = walk.steps.last_mut() {
        last.kind = Kind::Failure;
        let end = if source.is_c() { "fails" } else { "the error is reached" };
        last.notes.push(Note::Failure(end.to_owned()));
    }
    cut(walk)
}

impl Step {
    fn set(&mut self, name: String, value: &str, input: bool) {
        let value = shortened(value, LONGEST);
        let told = format!("{name} = {value}");
        self.notes.push(if input { Note::Input(told) } else { Note::Change(told) });
        self.changes.push(Change::Set(0, name, value));
    }
}

fn gap(count: u64, what: &str) -> Step {
    let text = format!("… {count} {what}");
    Step { kind: Kind::Gap, text, changes: vec![Change::Forget(0)], ..Step::default() }
}

/// Leaves out steps in the middle of a long execution. What is known behind them stays known.
fn cut(mut walk: Walk) -> Walk {
    let count = walk.steps.len();
    if count <= FIRST + LAST {
        return walk;
    }
    let left: Vec<Step> = walk.steps.splice(FIRST..count - LAST, []).collect();
    let mut known: BTreeMap<(usize, String), String> = BTreeMap::new();
    let mut forgotten = usize::MAX;
    for change in left.iter().flat_map(|step| &step.changes) {
        match change {
            Change::Forget(depth) => {
                known.retain(|(owner, _), _| owner < depth);
                forgotten = forgotten.min(*depth);
            }
            Change::Set(owner, name, value) => _ = known.insert((*owner, name.clone()), value.clone()),
        }
    }
    let mut changes = vec![Change::Forget(forgotten)];
    changes.extend(known.into_iter().map(|((owner, name), value)| Change::Set(owner, name, value)));
    let last = left.last().cloned().unwrap_or_default();
    let text = format!("… {} steps are left out here (all of them: --trace full)", left.len());
    walk.steps.insert(FIRST, Step { kind: Kind::Gap, text, changes, notes: Vec::new(), at: None, ..last });
    walk
}

/// A loop that is open.
#[derive(Clone)]
struct Head {
    at: Option<(String, usize)>,
    text: String,
}

/// A call that is open.
struct Call {
    active: Active,
    arguments: Vec<(String, String)>,
    /// How many steps there were when it began.
    begun: usize,
}

struct Builder<'s> {
    source: &'s Source,
    walk: Walk,
    calls: Vec<Call>,
    /// By level: the loop that was opened there, if it was one.
    heads: Vec<Option<Head>>,
    /// What the next step begins with.
    pending: Vec<Change>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source) -> Self {
        Builder { source, walk: Walk::default(), calls: Vec::new(), heads: Vec::new(), pending: Vec::new() }
    }

    fn place(&self, at: Span) -> Option<Place> {
        place(self.source, at)
    }

    /// The stack as it is now.
    fn stack(&mut self) -> usize {
        let now: Vec<Active> = self.calls.iter().map(|call| call.active.clone()).collect();
        match self.walk.stacks.iter().rposition(|it| *it == now) {
            Some(index) => index,
            None => {
                self.walk.stacks.push(now);
                self.walk.stacks.len() - 1
            }
        }
    }

    fn step(&mut self, kind: Kind, at: Option<(String, usize)>, text: &str) {
        let (depth, changes) = (self.calls.len(), std::mem::take(&mut self.pending));
        let text = shortened(text, LONGEST);
        // What a macro became is one line of the user's text.
        if let Some(last) = self.walk.steps.last_mut()
            && (last.kind, kind) == (Kind::Plain, Kind::Plain)
            && (&last.at, &last.text, last.depth) == (&at, &text, depth)
            && last.notes.iter().all(|note| matches!(note, Note::Branch(_)))
        {
            last.notes.clear();
            last.changes.extend(changes);
            return;
        }
        let stack = self.stack();
        self.walk.steps.push(Step { kind, at, text, notes: Vec::new(), depth, stack, changes });
    }

    fn note(&mut self, note: Note) {
        if let Some(last) = self.walk.steps.last_mut() {
            last.notes.push(note);
        }
    }

    fn set(&mut self, owner: usize, name: &str, value: &str) {
        // What a callee has to call `main::h` stands below `main()` as `h`.
        let plain = name.split_once("::").map_or(name, |(_, plain)| plain);
        let change = Change::Set(owner, plain.to_owned(), shortened(value, LONGEST));
        match self.walk.steps.last_mut() {
            Some(last) => last.changes.push(change),
            None => self.pending.push(change),
        }
    }

    /// Events were not kept: nothing is known of what they did.
    fn unknown(&mut self, count: u64, depth: usize) {
        let unknown = || Active { function: "…".to_owned(), from: None };
        let begun = self.walk.steps.len();
        self.calls = (0..depth).map(|_| Call { active: unknown(), arguments: Vec::new(), begun }).collect();
        let stack = self.stack();
        self.walk.steps.push(Step { depth, stack, ..gap(count, "events were not kept") });
    }

    /// Calls that nobody told of are active: `main`, functions of the library that call others.
    fn active(&mut self, depth: usize, what: &What) {
        let ended = matches!(what, What::Leave(_));
        self.calls.truncate(depth + usize::from(ended));
        while self.calls.len() < depth {
            let innermost = self.calls.len() + 1 == depth;
            let named = match what {
                What::Statement { at, .. } | What::Loop { at, .. } | What::Failure { at, .. }
                    if innermost =>
                {
                    function(self.source, *at)
                }
                _ => None,
            };
            let active = Active { function: named.unwrap_or_else(|| "…".to_owned()), from: None };
            self.calls.push(Call { active, arguments: Vec::new(), begun: self.walk.steps.len() });
        }
    }

    fn event(&mut self, event: &Event) {
        self.heads.truncate(event.level);
        self.heads.resize(event.level, None);
        self.active(event.depth, &event.what);
        match &event.what {
            What::Statement { at, text, core } => {
                let place = self.place(*at);
                let text = place.as_ref().map_or_else(|| text.clone(), |it| statement(it, text, core));
                self.step(Kind::Plain, place.map(|it| (it.file, it.line)), &text);
            }
            What::Loop { at, text, core } => {
                let place = self.place(*at);
                let text = place.as_ref().map_or_else(|| text.clone(), |it| statement(it, text, core));
                self.heads.push(Some(Head { at: place.map(|it| (it.file, it.line)), text }));
            }
            What::Iteration(number) => {
                let head = self.heads.last().cloned().flatten();
                let Head { at, text } = head.unwrap_or(Head { at: None, text: "loop".to_owned() });
                self.step(Kind::Plain, at, &text);
                self.note(Note::Iteration(*number));
            }
            What::LoopEnds => {
                // The condition is all there is of the last one.
                if let Some(last) = self.walk.steps.last_mut() {
                    last.notes.retain(|note| !matches!(note, Note::Iteration(_)));
                    last.notes.push(Note::Word("the loop ends".to_owned()));
                }
            }
            What::Branch(holds) => self.note(Note::Branch(*holds)),
            What::Case(text) | What::Choice(text) => self.note(Note::Word(text.clone())),
            What::Change { name, value, owner } => {
                self.note(Note::Change(format!("{name} = {}", shortened(value, LONGEST))));
                self.set(*owner, name, value);
            }
            What::Input { name, value } => self.note(Note::Input(format!("{name} = {value}"))),
            What::Uninitialised { name, value } => {
                self.note(Note::Uninitialised(format!("{name} = {value}")));
            }
            What::Enter { function, arguments } => self.enter(event.depth, function, arguments),
            What::Leave(value) => self.leave(value.as_deref()),
            What::Failure { at, what, parts } => self.failure(*at, what.as_deref(), parts),
        }
    }

    fn enter(&mut self, depth: usize, function: &str, arguments: &[(String, String)]) {
        let from = self.walk.steps.last().and_then(|step| step.at.clone());
        let from = from.filter(|_| !self.calls.is_empty());
        let active = Active { function: function.to_owned(), from };
        let (arguments, begun) = (arguments.to_vec(), self.walk.steps.len());
        // A variable of this depth belongs to the new call.
        self.pending.push(Change::Forget(depth + 1));
        let set = |(name, value): &(String, String)| {
            Change::Set(depth + 1, name.clone(), shortened(value, LONGEST))
        };
        self.pending.extend(arguments.iter().map(set));
        self.calls.push(Call { active, arguments, begun });
        self.heads.push(None);
    }

    fn leave(&mut self, value: Option<&str>) {
        let Some(Call { active, arguments, begun }) = self.calls.pop() else { return };
        let depth = self.calls.len();
        let value = value.map(|value| shortened(value, LONGEST));
        let returns = value.map_or_else(|| "returns".to_owned(), |value| format!("returns {value}"));
        if self.walk.steps.len() == begun {
            // Nothing was seen of it: the statement goes on.
            self.pending.clear();
            let arguments: Vec<String> =
                arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let call = format!("{}({}) {returns}", active.function, arguments.join(", "));
            self.note(Note::Word(shortened(&call, LONGEST)));
            return;
        }
        self.pending.push(Change::Forget(depth + 1));
        if depth > 0 {
            self.step(Kind::Back, active.from, &format!("{}() {returns}", active.function));
        }
    }

    fn failure(&mut self, at: Span, what: Option<&str>, parts: &[(String, String)]) {
        let place = self.place(at);
        let line = place.as_ref().map(|it| (it.file.clone(), it.line));
        let same = self.walk.steps.last().is_some_and(|last| last.at == line && last.kind == Kind::Plain);
        if !same {
            let text = place.map_or_else(String::new, |it| statement(&it, "", "\0"));
            self.step(Kind::Failure, line, &text);
        }
        let Some(last) = self.walk.steps.last_mut() else { return };
        last.kind = Kind::Failure;
        let what = what.map_or_else(|| "fails".to_owned(), str::to_owned);
        last.notes.push(Note::Failure(what));
        let part = |(text, value): &(String, String)| Note::Failure(format!("{text} = {value}"));
        last.notes.extend(parts.iter().map(part));
    }
}

impl Note {
    /// The class of its element, and its text.
    pub(super) fn told(&self) -> (&'static str, String) {
        match self {
            Note::Branch(holds) => ("branch", holds.to_string()),
            Note::Iteration(number) => ("word", format!("iteration {number}")),
            Note::Word(word) => ("word", word.clone()),
            Note::Change(told) => ("change", told.clone()),
            Note::Input(told) => ("input", format!("input {told}")),
            Note::Uninitialised(told) => ("uninitialised", format!("uninitialised {told}")),
            Note::Failure(told) => ("failure", told.clone()),
        }
    }

    /// As an element.
    pub(super) fn element(&self) -> String {
        let (class, told) = self.told();
        format!("<span class=\"note {class}\">{}</span>", escape::brief(&told, LONGEST))
    }
}
