//! The automaton as it is drawn. A small one that the user wrote is drawn as it is. Of others, the locations that
//! matter are: where executions start and end, loops, and where lemmas or invariants stand; an arrow stands for
//! all ways between two of these that pass no third one.

use super::Question;
use crate::source::Source;
use crate::text::location_name;
use nilas_evidence::Evidence;
use nilas_program::{Automaton, Edge, EdgeId, Graph as Flow, LocationId, LocationSet, Span, text};
use std::collections::{BTreeMap, BTreeSet};

/// An automaton of so many locations and edges is drawn as it is.
const SMALL: usize = 14;
const FEW_EDGES: usize = 28;
/// So many locations are drawn.
const MOST: usize = 36;
/// So many error locations are drawn one by one.
const ERRORS: usize = 4;
/// In larger automata, arrows do not know their lines.
const LARGE: usize = 20_000;
/// Lines of the source that are told of an arrow.
const LINES: usize = 200;
/// Lines of a command beside an arrow, and characters of each.
const TALL: usize = 3;
const WIDE: usize = 26;

/// What is drawn.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) arrows: Vec<Arrow>,
    /// Locations that executions can get to, as far as the graph tells.
    pub(super) all: usize,
    /// Whether every one of them is drawn.
    pub(super) whole: bool,
    /// Locations that matter and are not drawn all the same.
    pub(super) left: usize,
}

/// A location, or all error locations.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) locations: Vec<LocationId>,
    pub(super) name: String,
    pub(super) kind: Kind,
    /// File and line.
    pub(super) at: Option<(String, usize)>,
    /// The text of the line.
    pub(super) line: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Entry,
    Plain,
    /// Executions end there without an error.
    End,
    Error,
    Unmodelled,
}

/// A way from one to another.
#[derive(Debug)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Vec<String>,
    /// The lines that are passed on it.
    pub(super) lines: Vec<(String, usize)>,
}

impl Graph {
    pub(super) fn new(question: &Question<'_>) -> Graph {
        let automaton = &question.program.automaton;
        let flow = Flow::new(automaton);
        let reached = flow.reachable([automaton.entry]);
        let all: Vec<LocationId> = reached.iter().collect();
        let inside = |edge: &&Edge| reached.contains(edge.source);
        let small = !question.source.is_c()
            && all.len() <= SMALL
            && automaton.edges.iter().filter(inside).count() <= FEW_EDGES;
        let (kept, left) = if small { (all.clone(), 0) } else { chosen(question, &flow, &reached) };
        let mut graph = Graph { all: all.len(), whole: small, left, ..Graph::default() };
        let mut index = BTreeMap::new();
        for location in kept {
            let number = graph.place(question, &flow, location);
            index.insert(location, number);
        }
        graph.arrows(question, &flow, &index);
        graph
    }

    /// The node of a location.
    fn place(&mut self, question: &Question<'_>, flow: &Flow, location: LocationId) -> usize {
        let automaton = &question.program.automaton;
        let kind = kind(question, flow, location);
        let together = match kind {
            Kind::Error => question.errors.len() > ERRORS,
            Kind::End => !self.whole,
            _ => false,
        };
        if together && let Some(number) = self.nodes.iter().position(|node| node.kind == kind) {
            self.nodes[number].locations.push(location);
            if kind == Kind::Error {
                self.nodes[number].name = format!("error ({} places)", self.nodes[number].locations.len());
            }
            return number;
        }
        // The one error of a C program has no line of its own.
        let only = kind == Kind::Error && question.errors.len() <= 1 && question.source.is_c();
        let placed = !(kind == Kind::Entry || together || only);
        let place = question.source.place(automaton.location(location).span).filter(|_| placed);
        let name = match kind {
            Kind::Entry if question.source.is_c() => "entry".to_owned(),
            Kind::End if !self.whole => "end".to_owned(),
            Kind::Error if question.source.is_c() => "error".to_owned(),
            Kind::Unmodelled => "unmodelled".to_owned(),
            _ => base(&location_name(question.program, question.source, location)).to_owned(),
        };
        let line = place.as_ref().map(|place| place.text.clone()).unwrap_or_default();
        let at = place.map(|place| (place.file, place.line));
        self.nodes.push(Node { locations: vec![location], name, kind, at, line });
        self.nodes.len() - 1
    }

    fn arrows(&mut self, question: &Question<'_>, flow: &Flow, index: &BTreeMap<LocationId, usize>) {
        let automaton = &question.program.automaton;
        let tells = automaton.edges.len() <= LARGE;
        let mut ways: BTreeMap<(usize, usize), BTreeSet<EdgeId>> = BTreeMap::new();
        for (&location, &from) in index {
            let passed = forward(automaton, flow, index, location);
            let mut targets: BTreeMap<usize, Vec<EdgeId>> = BTreeMap::new();
            for &edge in &passed {
                if let Some(&to) = index.get(&automaton.edge(edge).target) {
                    targets.entry(to).or_default().push(edge);
                }
            }
            for (to, last) in targets {
                let way = ways.entry((from, to)).or_default();
                if tells {
                    way.extend(backward(automaton, flow, index, &passed, last));
                }
            }
        }
        for ((from, to), edges) in ways {
            let lines = lines(question.source, automaton, &edges);
            let label = label(question, self.whole, &edges, &lines);
            self.arrows.push(Arrow { from, to, label, lines });
        }
    }
}

fn kind(question: &Question<'_>, flow: &Flow, location: LocationId) -> Kind {
    let automaton = &question.program.automaton;
    if location == automaton.entry {
        Kind::Entry
    } else if location == automaton.error || question.errors.contains(&location) {
        Kind::Error
    } else if Some(location) == automaton.unmodelled {
        Kind::Unmodelled
    } else if flow.outgoing(location).is_empty() {
        Kind::End
    } else {
        Kind::Plain
    }
}

/// The locations of a large automaton that are drawn, and how many others matter.
fn chosen(question: &Question<'_>, flow: &Flow, reached: &LocationSet) -> (Vec<LocationId>, usize) {
    let automaton = &question.program.automaton;
    // How much is told of a location.
    let mut told: BTreeMap<LocationId, usize> = BTreeMap::new();
    for (&location, frames) in question.summary.frames.iter().flat_map(|frames| &frames.places) {
        *told.entry(location).or_default() += frames.lemmas.len();
    }
    for proof in &question.proofs {
        if let Evidence::Invariant(invariant) = proof.evidence {
            for (&location, &formula) in &invariant.formulas {
                *told.entry(location).or_default() +=
                    usize::from(invariant.arena.as_bool(formula) != Some(true));
            }
        }
    }
    told.retain(|location, count| *count > 0 && reached.contains(*location));
    for head in flow.loop_heads(automaton.entry, |_| true) {
        told.entry(head).or_default();
    }
    let (ends, mut middle): (Vec<LocationId>, Vec<LocationId>) =
        reached.iter().partition(|&location| kind(question, flow, location) != Kind::Plain);
    middle.retain(|location| told.contains_key(location));
    let matters = middle.len();
    middle.sort_by_key(|location| (std::cmp::Reverse(told[location]), *location));
    middle.truncate(MOST);
    let left = matters - middle.len();
    let mut kept: Vec<LocationId> = ends.into_iter().chain(middle).collect();
    kept.sort_unstable();
    (kept, left)
}

/// The edges that can be taken from a location without passing another one that is drawn.
fn forward(
    automaton: &Automaton,
    flow: &Flow,
    index: &BTreeMap<LocationId, usize>,
    from: LocationId,
) -> BTreeSet<EdgeId> {
    let mut passed = BTreeSet::new();
    let mut seen = BTreeSet::from([from]);
    let mut stack = vec![from];
    while let Some(location) = stack.pop() {
        for &edge in flow.outgoing(location) {
            passed.insert(edge);
            let target = automaton.edge(edge).target;
            if !index.contains_key(&target) && seen.insert(target) {
                stack.push(target);
            }
        }
    }
    passed
}

/// Those of them that lead on to these last edges.
fn backward(
    automaton: &Automaton,
    flow: &Flow,
    index: &BTreeMap<LocationId, usize>,
    passed: &BTreeSet<EdgeId>,
    last: Vec<EdgeId>,
) -> BTreeSet<EdgeId> {
    let mut found: BTreeSet<EdgeId> = last.iter().copied().collect();
    let mut stack = last;
    while let Some(edge) = stack.pop() {
        let source = automaton.edge(edge).source;
        if index.contains_key(&source) {
            continue;
        }
        for &before in flow.incoming(source) {
            if passed.contains(&before) && found.insert(before) {
                stack.push(before);
            }
        }
    }
    found
}

/// The lines of edges, in order.
fn lines(source: &Source, automaton: &Automaton, edges: &BTreeSet<EdgeId>) -> Vec<(String, usize)> {
    // What happens before the program starts has no line of its own.
    let started =
        edges.iter().filter(|edge| automaton.edge(**edge).source != automaton.entry || !source.is_c());
    let spans = started.flat_map(|&edge| {
        let edge = automaton.edge(edge);
        edge.command.arcs().iter().map(|arc| arc.span).chain([edge.span])
    });
    let spans: BTreeSet<Span> = spans.collect();
    let places = spans.into_iter().filter_map(|span| source.place(span));
    let lines: BTreeSet<(String, usize)> = places.map(|place| (place.file, place.line)).collect();
    lines.into_iter().take(LINES).collect()
}

/// What stands beside an arrow: its lines in a C program, the command in an automaton.
fn label(
    question: &Question<'_>,
    whole: bool,
    edges: &BTreeSet<EdgeId>,
    lines: &[(String, usize)],
) -> Vec<String> {
    if question.source.is_c() {
        let (Some((file, first)), Some((other, last))) = (lines.first(), lines.last()) else {
            return Vec::new();
        };
        return match (file == other, first == last) {
            (true, true) => vec![format!("line {first}")],
            (true, false) => vec![format!("lines {first}–{last}")],
            (false, _) => vec![format!("{} lines", lines.len())],
        };
    }
    if !whole {
        return Vec::new();
    }
    let several = edges.len() > 1;
    let commands = edges.iter().flat_map(|&edge| {
        let command = &question.program.automaton.edge(edge).command;
        let straight = command.arcs().len() + 1 == command.nodes();
        if straight && !several {
            command.arcs().iter().map(|arc| text::print_basic(question.program, arc.basic)).collect()
        } else {
            vec![text::print_command(question.program, command)]
        }
    });
    let mut label: Vec<String> = commands.map(|it| crate::facts::shortened(it.trim(), WIDE)).collect();
    if label.len() > TALL {
        label.truncate(TALL);
        label.push("…".to_owned());
    }
    label
}

/// The last part of a file's name, with its line.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
