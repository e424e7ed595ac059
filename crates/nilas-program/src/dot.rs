//! Automata as Graphviz text.

use crate::automaton::Program;
use crate::text::{print_basic, print_command};
use std::fmt::Write as _;

/// Labels are broken into lines of about that width, …
const WIDEST: usize = 48;
/// … and cut after that many lines.
const TALLEST: usize = 12;

/// The automaton in the language of Graphviz's `dot`: the entry is a bold circle, the error filled red, unmodelled
/// filled grey; edges carry their commands.
#[must_use]
pub fn to_dot(program: &Program) -> String {
    let automaton = &program.automaton;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "digraph {} {{", quoted(&automaton.name));
    out.push_str("    node [shape=circle, fontname=\"Helvetica\"];\n");
    out.push_str("    edge [fontname=\"Courier\", fontsize=10];\n");
    for location in automaton.location_ids() {
        let style = if location == automaton.entry {
            ", penwidth=2.5"
        } else if location == automaton.error {
            ", shape=doublecircle, style=filled, fillcolor=\"#f4a6a6\""
        } else if Some(location) == automaton.unmodelled {
            ", shape=doublecircle, style=\"filled,dashed\", fillcolor=\"#dddddd\""
        } else {
            ""
        };
        let label = label(&[automaton.location(location).name.clone()]);
        let _ = writeln!(out, "    n{} [label={label}{style}];", location.index());
    }
    for edge in &automaton.edges {
        let command = &edge.command;
        let straight = command.arcs().len() + 1 == command.nodes();
        let lines: Vec<String> = if straight {
            command.arcs().iter().take(TALLEST + 1).map(|arc| print_basic(program, arc.basic)).collect()
        } else {
            vec![print_command(program, command)]
        };
        let (source, target, label) = (edge.source.index(), edge.target.index(), label(&lines));
        let _ = writeln!(out, "    n{source} -> n{target} [label={label}];");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A label of left-aligned lines, wrapped and cut.
fn label(lines: &[String]) -> String {
    let mut wrapped: Vec<String> = Vec::new();
    for line in lines {
        let mut current = String::new();
        for word in line.split(' ') {
            if wrapped.len() > TALLEST {
                break;
            }
            if !current.is_empty() && current.chars().count() + word.chars().count() >= WIDEST {
                wrapped.push(std::mem::take(&mut current));
                current.push(' ');
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.extend(word.chars().take(WIDEST));
            if word.chars().nth(WIDEST).is_some() {
                current.push('…');
            }
        }
        wrapped.push(current);
    }
    if wrapped.len() > TALLEST {
        wrapped.truncate(TALLEST);
        wrapped.push("…".to_owned());
    }
    let escaped: Vec<String> = wrapped.iter().map(|line| escape(line)).collect();
    match &escaped[..] {
        [single] => format!("\"{single}\""),
        several => format!("\"{}\\l\"", several.join("\\l")),
    }
}
