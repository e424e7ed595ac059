//! Lines of an execution: the statement, and behind `//` the branch taken, what changed, and values from
//! outside. Calls and loops are indented; the line that fails is the last one.

use super::fold::{self, Degree, Piece};
use super::open::{self, Decisive, Shown};
use super::{Call, Loop, Node, Note, build};
use crate::source::{Place, Source};
use nilas_program::source::Span;
use nilas_run::trace::{Course, What};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How much of an execution is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trace {
    /// What can be read: loops and calls far from the failure are folded.
    #[default]
    Short,
    /// Everything.
    Full,
}

/// Lines of a short trace: 40 with the headline and what stands between it and the trace.
const LINES: usize = 36;
/// Characters of a statement, and of a value, that are shown in a short trace.
const STATEMENT: usize = 100;
const VALUE: usize = 60;
/// Changes that are told in a line of a short trace.
const CHANGES: usize = 8;

/// The core of a statement that is told by its line.
const LINE_ONLY: &str = "\0";

/// An execution, line by line.
pub(crate) fn text(source: &Source, course: &Course, trace: Trace) -> String {
    let tree = build::tree(course);
    let brief = brief(source, course);
    let decisive = Decisive::of(course);
    let lines = |degree, opened: &BTreeSet<usize>| {
        let mut writer = Writer {
            source,
            degree,
            full: trace == Trace::Full,
            brief,
            first: String::new(),
            loops: 0,
            lines: Vec::new(),
            opened,
            decisive: decisive.clone(),
        };
        writer.nodes(&tree, 1, true);
        Shown { lines: writer.lines, decisive: writer.decisive.calls() }
    };
    let shown = match trace {
        Trace::Full => lines(Degree::Whole, &BTreeSet::new()).lines,
        Trace::Short => readable(&lines),
    };
    shortened(shown, trace)
}

/// As much as can be read: the first degree of folding that is short enough, with as many of the calls that
/// decide the failure as there is room for.
fn readable(lines: &impl Fn(Degree, &BTreeSet<usize>) -> Shown) -> Vec<String> {
    let mut shown = Vec::new();
    for degree in Degree::ALL {
        shown = lines(degree, &BTreeSet::new()).lines;
        if shown.len() > LINES {
            continue;
        }
        if degree >= Degree::Inner {
            // Where all other calls are folded, there is more room.
            let opened = [degree, degree.max(Degree::Calls)]
                .map(|degree| open::opened(LINES, |calls| lines(degree, calls)));
            let [own, folded] = opened;
            let best = if folded.0 > own.0 { folded } else { own };
            return if best.0 > 0 { best.1 } else { shown };
        }
        break;
    }
    shown
}

/// Lines, not more than can be read: the first ones, and more of those close to the end.
pub(crate) fn shortened(mut lines: Vec<String>, trace: Trace) -> String {
    if trace == Trace::Short && lines.len() > LINES {
        let (head, tail) = (LINES / 4, LINES - LINES / 4 - 1);
        let left = lines.len() - head - tail;
        let from = lines.len() - tail;
        lines.splice(head..from, [format!("  … {left} lines left out (all of them: --trace full)")]);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Whether the last part of a file's name says which one it is.
fn brief(source: &Source, course: &Course) -> bool {
    let spans = course.head.iter().chain(&course.tail).filter_map(|event| match event.what {
        What::Statement { at, .. } | What::Loop { at, .. } | What::Failure { at, .. } => Some(at),
        _ => None,
    });
    let files: BTreeSet<String> = spans.filter_map(|at| Some(place(source, at)?.file)).collect();
    let bases: BTreeSet<&str> = files.iter().map(|file| base(file)).collect();
    bases.len() == files.len()
}

/// The last part of a file's name.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Where a span of the C program lies.
pub(crate) fn place(source: &Source, at: Span) -> Option<Place> {
    source.place(at)
}

/// The function that a span of the C program lies in.
pub(crate) fn function(source: &Source, at: Span) -> Option<String> {
    source.function(at).map(str::to_owned)
}

/// The text of a statement as the user wrote it: where macros were expanded, its part of the line if it
/// begins with something else, or all of the line.
pub(crate) fn statement(place: &Place, text: &str, core: &str) -> String {
    let blanks_gone = |text: &str| text.split_whitespace().collect::<String>();
    let line = place.text.trim_start_matches('}').trim();
    // Comments say nothing about the execution.
    let line = line.split("//").next().unwrap_or(line).trim();
    let plain = blanks_gone(line);
    // It may go on in the next line.
    let begins = !plain.is_empty() && blanks_gone(text).starts_with(&plain);
    if begins || plain.contains(&blanks_gone(core)) {
        text.to_owned()
    } else {
        let own = within(line, core).filter(|_| text == core).or_else(|| head(line, text, core));
        own.unwrap_or_else(|| line.trim_end_matches('{').trim().to_owned())
    }
}

/// An expression as the user wrote it: where macros were expanded in it, the statement of its line that it
/// stands in, or all of the line. What goes on in the next line is told as it was expanded.
#[must_use]
pub fn as_written(place: &Place, expression: &str) -> String {
    let blanks_gone = |text: &str| text.split_whitespace().collect::<String>();
    let line = place.text.split("//").next().unwrap_or(&place.text).trim();
    let goes_on = !line.ends_with([';', '{', '}']);
    if goes_on || blanks_gone(line).contains(&blanks_gone(expression)) {
        return expression.to_owned();
    }
    let statement = within(line, &format!("{expression};")).filter(|it| first_statement(it) == Some(it));
    let text = statement.as_deref().unwrap_or(line);
    text.trim_matches(['{', '}', ';', ' ']).to_owned()
}

/// The statement of a line that is most like a text in which macros were expanded: that begins like it, and
/// shares most of its beginning and end.
fn within(line: &str, core: &str) -> Option<String> {
    /// Less could begin anything.
    const LEAST: usize = 4;
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (line, core) = (plain(line), plain(core));
    let starts = |at: usize| !line[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
    let mut best: Option<(usize, &str)> = None;
    for start in line.char_indices().map(|(at, _)| at).filter(|&at| starts(at)) {
        let prefix = shared(line[start..].chars(), core.chars());
        if prefix < LEAST {
            continue;
        }
        let Some(statement) = first_statement(&line[start..]) else { continue };
        let likeness = prefix + shared(statement.chars().rev(), core.chars().rev());
        if best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, statement));
        }
    }
    best.map(|(_, statement)| statement.to_owned())
}

/// The head of an `if`, `while` or `switch` in a line with more: the one whose condition is most like the
/// given one, in which macros were expanded.
fn head(line: &str, text: &str, core: &str) -> Option<String> {
    let word = ["if", "while", "switch"].into_iter().find(|word| text.starts_with(&format!("{word} (")))?;
    let letter = |it: char| it.is_alphanumeric() || it == '_';
    let mut best: Option<(usize, &str)> = None;
    for (at, _) in line.match_indices(word) {
        let behind = line[at + word.len()..].trim_start();
        if line[..at].ends_with(letter) || !behind.starts_with('(') {
            continue;
        }
        let Some(condition) = bracketed(behind) else { continue };
        let likeness =
            shared(condition.chars(), core.chars()) + shared(condition.chars().rev(), core.chars().rev());
        if best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, condition));
        }
    }
    best.map(|(_, condition)| format!("{word} ({condition})"))
}

/// What stands between a parenthesis that a text begins with and its counterpart.
fn bracketed(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(text[1..at].trim()),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// How many characters two texts have in common before they differ.
fn shared(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// A text up to the first semicolon outside of brackets.
fn first_statement(text: &str) -> Option<&str> {
    let mut depth = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => return Some(&text[..=at]),
            _ => {}
        }
    }
    None
}

/// Whether a change is told by one of a whole object.
fn is_in(note: &Note, wholes: &[Note]) -> bool {
    wholes.iter().any(|whole| match (whole, note) {
        (Note::Change { name: whole, .. }, Note::Change { name, value, .. }) => {
            name != whole && fold::root(name) == whole && fold::is_zero(value)
        }
        _ => false,
    })
}

struct Writer<'s> {
    source: &'s Source,
    degree: Degree,
    full: bool,
    /// Files are called by the last part of their names: no two have the same.
    brief: bool,
    /// What the first part of a `for` did, whose line comes next.
    first: String,
    /// So many loops are open.
    loops: usize,
    lines: Vec<String>,
    /// Calls that are told though others are folded.
    opened: &'s BTreeSet<usize>,
    decisive: Decisive,
}

impl Writer<'_> {
    fn cut(&self, text: &str, longest: usize) -> String {
        if self.full { text.to_owned() } else { crate::facts::shortened(text, longest) }
    }

    fn line(&mut self, indent: usize, text: &str, notes: &str) {
        let blanks = "  ".repeat(indent);
        self.lines.push(match notes {
            "" => format!("{blanks}{text}"),
            notes => format!("{blanks}{text}   // {notes}"),
        });
    }

    fn step(&self, at: Span, text: &str, core: &str) -> String {
        match place(self.source, at) {
            Some(place) => {
                let statement = self.cut(&statement(&place, text, core), STATEMENT);
                let file = if self.brief { base(&place.file) } else { &place.file };
                format!("{file}:{}: {statement}", place.line)
            }
            None => self.cut(text, STATEMENT),
        }
    }

    fn notes(&self, notes: &[Note]) -> String {
        let whole = if self.full { Vec::new() } else { fold::wholes(notes) };
        let told = whole.iter().chain(notes).filter(|note| !is_in(note, &whole));
        // What comes from outside first, then what is made of it.
        let (outside, own): (Vec<&Note>, Vec<&Note>) =
            told.partition(|note| matches!(note, Note::Input { .. } | Note::Uninitialised { .. }));
        let is_change = |note: &Note| matches!(note, Note::Change { .. });
        let changes = own.iter().filter(|note| is_change(note)).count();
        let most = if self.full { usize::MAX } else { CHANGES };
        let (mut texts, mut seen) = (Vec::new(), 0);
        for note in outside.into_iter().chain(own) {
            seen += usize::from(is_change(note));
            if is_change(note) && seen > most {
                if seen == changes {
                    texts.push("…".to_owned());
                }
                continue;
            }
            texts.push(match note {
                Note::Branch(holds) => holds.to_string(),
                Note::Word(word) => word.clone(),
                Note::Change { name, value, .. } => format!("{name} = {}", self.cut(value, VALUE)),
                Note::Input { name, value } => format!("input {} = {value}", self.cut(name, VALUE)),
                Note::Uninitialised { name, value } => format!("uninitialised {name} = {value}"),
            });
        }
        texts.join("; ")
    }

    /// Nodes in order; the last one leads to the failure if `spine`.
    fn nodes(&mut self, nodes: &[Node], indent: usize, spine: bool) {
        let mut rest = nodes;
        // What is told of declarators before in the same line.
        let mut before: Vec<Note> = Vec::new();
        while let Some((node, behind)) = rest.split_first() {
            rest = behind;
            let last = spine && behind.is_empty();
            match node {
                Node::Step { at, text, core, notes } => {
                    // What a macro became is one line of the user's text.
                    if let Some(Node::Step { at: next, text: other, core: inner, .. }) = rest.first()
                        && notes.iter().all(|note| matches!(note, Note::Branch(_)))
                        && self.step(*at, text, core) == self.step(*next, other, inner)
                    {
                        continue;
                    }
                    // So are several declarators.
                    if let Some(Node::Step { at: next, text: other, core: inner, .. }) = rest.first()
                        && (&**core, &**inner) == (LINE_ONLY, LINE_ONLY)
                        && self.step(*at, text, core) == self.step(*next, other, inner)
                    {
                        before.extend(notes.iter().cloned());
                        continue;
                    }
                    before.extend(notes.iter().cloned());
                    let notes = &std::mem::take(&mut before);
                    self.decisive.changes(notes, None);
                    // The first part of a `for` stands in its line.
                    if let Some(Node::Loop(Loop { head: Some((head, other, inner)), .. })) = rest.first()
                        && self.step(*at, text, core) == self.step(*head, other, inner)
                    {
                        self.first = self.notes(notes);
                        continue;
                    }
                    // Calls of the statement that are folded stand in its line.
                    let mut notes = self.notes(notes);
                    while let Some((Node::Call(call), behind)) = rest.split_first()
                        && self.is_folded(call, spine && behind.is_empty())
                    {
                        let call = self.folded_call(call);
                        notes = if notes.is_empty() { call } else { format!("{notes}; {call}") };
                        rest = behind;
                    }
                    if let [Node::Failure { at: failed, what, parts }] = rest
                        && self.same_line(*at, *failed)
                    {
                        let failure = self.failure(what.as_deref(), parts);
                        let notes = if notes.is_empty() { failure } else { format!("{notes}; {failure}") };
                        let line = self.step(*at, text, core);
                        self.line(indent, &line, &notes);
                        return;
                    }
                    let quiet = notes.is_empty() && !matches!(rest.first(), Some(Node::Call(_)));
                    if self.degree >= Degree::Steps && quiet {
                        continue;
                    }
                    let line = self.step(*at, text, core);
                    self.line(indent, &line, &notes);
                }
                Node::Call(call) if self.is_folded(call, last) => {
                    let line = self.folded_call(call);
                    self.line(indent + 1, &line, "");
                }
                Node::Call(call) => self.call(call, indent + 1, last),
                Node::Loop(it) => self.looped(it, indent, last),
                Node::Gap(count) => self.line(indent, &format!("… {count} events were not kept"), ""),
                Node::Failure { at, what, parts } => {
                    let line = self.step(*at, "", "\0");
                    let failure = self.failure(what.as_deref(), parts);
                    self.line(indent, &line, &failure);
                }
            }
        }
    }

    fn same_line(&self, one: Span, other: Span) -> bool {
        match (place(self.source, one), place(self.source, other)) {
            (Some(one), Some(other)) => one.file == other.file && one.line == other.line,
            _ => false,
        }
    }

    fn failure(&self, what: Option<&str>, parts: &[(String, String)]) -> String {
        let parts: Vec<String> = parts
            .iter()
            .map(|(text, value)| format!("{} = {}", self.cut(text, VALUE), self.cut(value, VALUE)))
            .collect();
        match (what, &parts[..]) {
            (Some(what), []) => what.to_owned(),
            (Some(what), parts) => format!("{what}; {}", parts.join(", ")),
            (None, []) => "fails".to_owned(),
            (None, parts) => format!("fails: {}", parts.join(", ")),
        }
    }

    fn is_folded(&self, call: &Call, spine: bool) -> bool {
        let degree = if self.loops > 0 { Degree::Inner } else { Degree::Calls };
        let folded = self.degree >= degree && !spine && !self.opened.contains(&call.number);
        call.returned.is_some() && (call.body.is_empty() || folded)
    }

    fn heading(&self, call: &Call) -> String {
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|(name, value)| format!("{name} = {}", self.cut(value, VALUE)))
            .collect();
        format!("{}({})", call.function, arguments.join(", "))
    }

    fn folded_call(&mut self, call: &Call) -> String {
        let mut text = self.heading(call);
        if let Some(Some(value)) = &call.returned {
            let _ = write!(text, " returns {}", self.cut(value, VALUE));
        }
        let mut notes = call.summary();
        notes.extend(call.after.iter().cloned());
        self.decisive.changes(&notes, Some(call.number).filter(|_| !call.body.is_empty()));
        match &*self.notes(&notes) {
            "" => text,
            notes => format!("{text}; {notes}"),
        }
    }

    fn call(&mut self, call: &Call, indent: usize, spine: bool) {
        let heading = self.heading(call);
        self.line(indent, &format!("{heading}:"), "");
        if self.opened.contains(&call.number) {
            self.decisive.result_of(&call.body);
        }
        self.nodes(&call.body, indent + 1, spine && call.returned.is_none());
        self.decisive.changes(&call.after, None);
        let after = self.notes(&call.after);
        match &call.returned {
            Some(Some(value)) => {
                let text = format!("returns {}", self.cut(value, VALUE));
                self.line(indent, &text, &after);
            }
            _ if !after.is_empty() => self.line(indent, "returns", &after),
            _ => {}
        }
    }

    fn looped(&mut self, it: &Loop, indent: usize, spine: bool) {
        let count = it.iterations.len();
        let inside = spine && !it.ended;
        let head = match &it.head {
            Some((at, text, core)) => self.step(*at, text, core),
            None => "in a loop or call that began before".to_owned(),
        };
        let first = std::mem::take(&mut self.first);
        let joined = |told: String| match (first.is_empty(), told.is_empty()) {
            (true, _) => told,
            (false, true) => first.clone(),
            (false, false) => format!("{first}; {told}"),
        };
        let times = if count == 1 { "1 iteration".to_owned() } else { format!("{count} iterations") };
        let after = self.notes(&it.after);
        if self.degree >= Degree::Loops && !inside {
            let pieces = Loop::pieces(&it.iterations).chain([Piece::Notes(&it.after)]);
            let told = fold::summary(pieces, it.depth);
            self.decisive.changes(&told, None);
            let told = self.notes(&told);
            let told = if told.is_empty() { times } else { format!("{times}: {told}") };
            self.line(indent, &head, &joined(told));
            return;
        }
        let told = match (it.ended, after.is_empty()) {
            (true, true) => times,
            (true, false) => format!("{times}, then {after}"),
            (false, _) => after,
        };
        self.line(indent, &head, &joined(told));
        // From the first to the last, those that are not shown one by one.
        let hidden = match self.degree {
            Degree::Whole => 0..0,
            Degree::Iterations | Degree::Inner if count > 4 => 1..count - 2,
            Degree::Ends | Degree::Calls if count > 3 => 1..count - 1,
            Degree::Iterations | Degree::Inner | Degree::Ends | Degree::Calls => 0..0,
            Degree::Loops | Degree::Steps => 0..count.saturating_sub(1),
        };
        self.loops += 1;
        for (index, iteration) in it.iterations.iter().enumerate() {
            if hidden.contains(&index) {
                if index == hidden.start {
                    let left = &it.iterations[hidden.clone()];
                    let told = fold::summary(Loop::pieces(left), it.depth);
                    self.decisive.changes(&told, None);
                    let told = self.notes(&told);
                    let (from, to) = (left[0].number, left[left.len() - 1].number);
                    let text = if from == to {
                        format!("iteration {from}")
                    } else {
                        format!("iterations {from} to {to}")
                    };
                    let text = if told.is_empty() { text } else { format!("{text}: {told}") };
                    self.line(indent + 1, &text, "");
                }
                continue;
            }
            self.decisive.changes(&iteration.notes, None);
            let notes = self.notes(&iteration.notes);
            self.line(indent + 1, &format!("iteration {}:", iteration.number), &notes);
            self.nodes(&iteration.nodes, indent + 2, inside && index + 1 == count);
        }
        self.loops -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, within};

    /// Only the statement is told where it stands in a line with others.
    #[test]
    fn statements_with_macros_are_found_in_their_line() {
        let line = "static int duty(int x) { return x * TOP / 100; }";
        assert_eq!(within(line, "return x * 40000 / 100;").as_deref(), Some("return x * TOP / 100;"));
        assert_eq!(within("a = f(1, B); c = D;", "c = 5;").as_deref(), Some("c = D;"));
        assert_eq!(within("assert(x > 0);", "((x > 0) ? (void)0 : fail());"), None);
        assert_eq!(within("xreturn 5;", "return 6;"), None);
        let written = |line: &str, text: &str| {
            let place = Place { file: String::new(), line: 1, column: 1, text: line.to_owned() };
            super::as_written(&place, text)
        };
        assert_eq!(written("pool[i].next = NULL;", "pool[i].next = ((void *)0)"), "pool[i].next = NULL");
        assert_eq!(written("assert(n == live);", "__assert_fail(\"n == live\", 8)"), "assert(n == live)");
        assert_eq!(written("x = y + a[i];", "a[i]"), "a[i]");
        let line = "else if (n > MAX) { n = MAX; } if (n & LOW(1)) rx(n);";
        let told = |text: &str| super::head(line, &format!("if ({text})"), text);
        assert_eq!(told("n > 100").as_deref(), Some("if (n > MAX)"));
        assert_eq!(told("n & (1 << (1))").as_deref(), Some("if (n & LOW(1))"));
        let line = "for (;;) pool[i].next = &pool[i + 1]; pool[TOP - 1].next = 0;";
        assert_eq!(within(line, "pool[4 - 1].next = 0;").as_deref(), Some("pool[TOP - 1].next = 0;"));
    }
}
