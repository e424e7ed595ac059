//! The tree of an execution from its events.

use super::{Call, Iteration, Loop, Node, Note};
use nilas_run::trace::{Course, Event, What};

/// What is open.
enum Open {
    Call(Call),
    Loop(Loop),
}

/// See the module's text.
pub(super) fn tree(course: &Course) -> Vec<Node> {
    let mut builder = Builder { top: Vec::new(), open: Vec::new(), calls: 0 };
    for event in &course.head {
        builder.event(event);
    }
    if course.omitted > 0 {
        builder.close(0);
        builder.top.push(Node::Gap(course.omitted));
    }
    for event in &course.tail {
        builder.event(event);
    }
    builder.close(0);
    builder.top
}

struct Builder {
    top: Vec<Node>,
    open: Vec<Open>,
    /// So many calls have begun.
    calls: usize,
}

impl Builder {
    /// The nodes that the next one is added to.
    fn nodes(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            None => &mut self.top,
            Some(Open::Call(call)) => &mut call.body,
            Some(Open::Loop(it)) => {
                if it.iterations.is_empty() {
                    it.iterations.push(Iteration::default());
                }
                let last = it.iterations.len() - 1;
                &mut it.iterations[last].nodes
            }
        }
    }

    fn close(&mut self, level: usize) {
        while self.open.len() > level {
            let node = match self.open.pop() {
                Some(Open::Call(call)) => Node::Call(call),
                Some(Open::Loop(it)) => Node::Loop(it),
                None => return,
            };
            self.nodes().push(node);
        }
    }

    fn note(&mut self, note: Note) {
        if let Some(Open::Loop(it)) = self.open.last_mut()
            && let Some(iteration) = it.iterations.last_mut()
            && iteration.nodes.is_empty()
        {
            iteration.notes.push(note);
            return;
        }
        match self.nodes().last_mut() {
            Some(Node::Step { notes, .. }) => {
                // Of an object that changes twice in a statement, the last value counts.
                if let Note::Change { name, .. } = &note {
                    notes.retain(|it| !matches!(it, Note::Change { name: other, .. } if other == name));
                }
                notes.push(note);
            }
            Some(Node::Call(call)) => call.after.push(note),
            Some(Node::Loop(it)) => it.after.push(note),
            // Before the first statement nothing is told: initial values are in the text.
            _ => {}
        }
    }

    fn event(&mut self, event: &Event) {
        self.close(event.level);
        // What began in the part that was not kept.
        while self.open.len() < event.level {
            self.open.push(Open::Loop(Loop { depth: event.depth, ..Loop::default() }));
        }
        match &event.what {
            What::Statement { at, text, core } => {
                let (text, core) = (text.clone(), core.clone());
                self.nodes().push(Node::Step { at: *at, text, core, notes: Vec::new() });
            }
            What::Branch(holds) => self.note(Note::Branch(*holds)),
            What::Case(text) | What::Choice(text) => self.note(Note::Word(text.clone())),
            What::Change { name, value, owner } => {
                self.note(Note::Change { name: name.clone(), value: value.clone(), owner: *owner });
            }
            What::Input { name, value } => {
                self.note(Note::Input { name: name.clone(), value: value.clone() });
            }
            What::Uninitialised { name, value } => {
                self.note(Note::Uninitialised { name: name.clone(), value: value.clone() });
            }
            What::Loop { at, text, core } => {
                let head = Some((*at, text.clone(), core.clone()));
                self.open.push(Open::Loop(Loop { head, depth: event.depth, ..Loop::default() }));
            }
            What::Iteration(number) => {
                if let Some(Open::Loop(it)) = self.open.last_mut() {
                    it.iterations.push(Iteration { number: *number, ..Iteration::default() });
                }
            }
            What::LoopEnds => {
                if let Some(Open::Loop(it)) = self.open.last_mut() {
                    it.ended = true;
                    // The condition is all there is of the last one.
                    if it.iterations.last().is_some_and(|last| last.nodes.is_empty()) {
                        it.after = it.iterations.pop().map(|last| last.notes).unwrap_or_default();
                    }
                }
            }
            What::Enter { function, arguments } => {
                let (function, arguments) = (function.clone(), arguments.clone());
                let depth = event.depth + 1;
                self.calls += 1;
                let call = Call { number: self.calls, function, arguments, depth, ..Call::default() };
                self.open.push(Open::Call(call));
            }
            What::Leave(value) => {
                if let Some(Node::Call(call)) = self.nodes().last_mut() {
                    call.returned = Some(value.clone());
                }
            }
            What::Failure { at, what, parts } => {
                let (what, parts) = (what.clone(), parts.clone());
                self.nodes().push(Node::Failure { at: *at, what, parts });
            }
        }
    }
}
