//! What is left out, by degrees. The way to the failure is the last one at each level: it is folded last.

use super::{Call, Iteration, Loop, Node, Note};

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Degree {
    /// Nothing.
    Whole,
    /// Iterations between the first and the last two.
    Iterations,
    /// What happens in calls inside of loops that have returned, too.
    Inner,
    /// All iterations but the first and the last, too.
    Ends,
    /// What happens in all calls that have returned, too.
    Calls,
    /// All but the last iteration of loops that the failure is in, and all of other loops.
    Loops,
    /// Statements of which nothing is told.
    Steps,
}

impl Degree {
    pub(super) const ALL: [Degree; 7] = [
        Degree::Whole,
        Degree::Iterations,
        Degree::Inner,
        Degree::Ends,
        Degree::Calls,
        Degree::Loops,
        Degree::Steps,
    ];
}

/// Changes that a summary has.
const MOST: usize = 6;

/// The changes and inputs of a piece that outlive it: objects of calls up to `depth`, each with its last
/// value.
pub(super) fn summary<'n>(pieces: impl Iterator<Item = Piece<'n>>, depth: usize) -> Vec<Note> {
    let mut gathered = Gathered { depth, changes: Vec::new(), inputs: Vec::new() };
    for piece in pieces {
        match piece {
            Piece::Notes(notes) => gathered.notes(notes),
            Piece::Nodes(nodes) => gathered.nodes(nodes),
        }
    }
    let mut told = Vec::new();
    let inputs = gathered.inputs.len();
    if inputs > 0 {
        let (shown, more) = counted(&gathered.inputs);
        let more = if more { ", …" } else { "" };
        let word = if inputs == 1 { "input" } else { "inputs" };
        told.push(Note::Word(format!("{word} {}{more}", shown.join(", "))));
    }
    let more = gathered.changes.len() > MOST;
    // Those that changed last say most.
    let from = gathered.changes.len().saturating_sub(MOST);
    told.extend(gathered.changes.drain(..).skip(from));
    if more {
        told.push(Note::Word("…".to_owned()));
    }
    told
}

/// Values in their order, equal ones in a row counted where they are many; and whether some are left out.
fn counted(values: &[String]) -> (Vec<String>, bool) {
    /// So many are told one by one.
    const FEW: usize = 5;
    let (mut shown, mut rest) = (Vec::new(), values);
    while let [first, ..] = rest
        && shown.len() < 2 * MOST
    {
        let run = rest.iter().take_while(|it| *it == first).count();
        let taken = if run > FEW { run } else { 1 };
        shown.push(if run > FEW { format!("{first} ({run} times)") } else { first.clone() });
        rest = &rest[taken..];
    }
    (shown, !rest.is_empty())
}

/// More parts of an object that become zero together are told as one change.
const PARTS: usize = 4;

/// Changes of whole objects in the place of those of their parts, where these are many and zero.
pub(super) fn wholes(notes: &[Note]) -> Vec<Note> {
    let mut counts: Vec<(&str, usize, usize)> = Vec::new();
    for note in notes {
        let Note::Change { name, value, owner } = note else { continue };
        let whole = root(name);
        if whole == name || !is_zero(value) {
            continue;
        }
        match counts.iter_mut().find(|it| it.0 == whole) {
            Some((_, count, _)) => *count += 1,
            None => counts.push((whole, 1, *owner)),
        }
    }
    let many = counts.into_iter().filter(|&(_, count, _)| count > PARTS);
    let whole = |(name, _, owner): (&str, usize, usize)| Note::Change {
        name: name.to_owned(),
        value: "{0}".to_owned(),
        owner,
    };
    many.map(whole).collect()
}

/// The object that a part belongs to.
pub(super) fn root(name: &str) -> &str {
    // The name of allocated memory is a pointer to it.
    let end = name.find(['.', '[']).filter(|_| !name.contains("->"));
    end.map_or(name, |end| &name[..end])
}

/// Whether a value is what initialisers leave out.
pub(super) fn is_zero(value: &str) -> bool {
    matches!(value, "0" | "'\\0'" | "NULL" | "false" | "0.0" | "0.0f" | "0.0L")
}

pub(super) enum Piece<'n> {
    Notes(&'n [Note]),
    Nodes(&'n [Node]),
}

impl Loop {
    pub(super) fn pieces(iterations: &[Iteration]) -> impl Iterator<Item = Piece<'_>> {
        iterations.iter().flat_map(|it| [Piece::Notes(&it.notes), Piece::Nodes(&it.nodes)])
    }
}

impl Call {
    /// What is told of a call that is folded.
    pub(super) fn summary(&self) -> Vec<Note> {
        summary(std::iter::once(Piece::Nodes(&self.body)), self.depth.saturating_sub(1))
    }
}

struct Gathered {
    depth: usize,
    changes: Vec<Note>,
    inputs: Vec<String>,
}

impl Gathered {
    fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            match note {
                Note::Change { name, value, owner } if *owner <= self.depth => {
                    // What a callee has to call `main::h` is `h` where the summary is told.
                    let own = name.split_once("::").filter(|(function, _)| !function.is_empty());
                    let name = match own {
                        Some((_, plain)) if *owner == self.depth => plain.to_owned(),
                        _ => name.clone(),
                    };
                    self.changes
                        .retain(|it| !matches!(it, Note::Change { name: other, .. } if *other == name));
                    self.changes.push(Note::Change { name, value: value.clone(), owner: *owner });
                }
                Note::Input { value, .. } => self.inputs.push(value.clone()),
                Note::Uninitialised { name, value } => {
                    self.inputs.push(format!("{value} (uninitialised {name})"));
                }
                Note::Change { .. } | Note::Branch(_) | Note::Word(_) => {}
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Step { notes, .. } => self.notes(notes),
                Node::Call(call) => {
                    self.nodes(&call.body);
                    self.notes(&call.after);
                }
                Node::Loop(it) => {
                    for iteration in &it.iterations {
                        self.notes(&iteration.notes);
                        self.nodes(&iteration.nodes);
                    }
                    self.notes(&it.after);
                }
                Node::Gap(_) | Node::Failure { .. } => {}
            }
        }
    }
}
