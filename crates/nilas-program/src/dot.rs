//! Automata as Graphviz text.

use crate::automaton::{Automaton, Edge, Program};
use crate::ids::LocationId;
use crate::text::{print_basic, print_command};
use std::fmt::Write as _;

/// Labels are broken into lines of about that width, …
const WIDEST: usize = 48;
/// … and cut after that many lines.
const TALLEST: usize = 12;

/// The automaton in the language of Graphviz's `dot`: the entry is a bold circle, the error filled red,
/// unmodelled filled grey; edges carry their commands.
#[must_use]
pub fn to_dot(program: &Program) -> String {
    let automaton = &program.automaton;
    let mut out = head(&automaton.name);
    // Writing to a string cannot fail, here and below.
    for location in automaton.location_ids() {
        let _ = writeln!(out, "    {}", location_line(automaton, location, location == automaton.error));
    }
    for edge in &automaton.edges {
        let (source, target) = (edge.source.index(), edge.target.index());
        let _ = writeln!(out, "    n{source} -> n{target} [label={}];", edge_label(program, edge));
    }
    out.push_str("}\n");
    out
}

/// How a graph begins.
pub(crate) fn head(name: &str) -> String {
    let mut out = format!("digraph {} {{\n", quoted(name));
    out.push_str("    node [shape=circle, fontname=\"Helvetica\"];\n");
    out.push_str("    edge [fontname=\"Courier\", fontsize=10];\n");
    out
}

/// A location as a node.
pub(crate) fn location_line(automaton: &Automaton, location: LocationId, error: bool) -> String {
    let style = if location == automaton.entry {
        ", penwidth=2.5"
    } else if error {
        ", shape=doublecircle, style=filled, fillcolor=\"#f4a6a6\""
    } else if Some(location) == automaton.unmodelled {
        ", shape=doublecircle, style=\"filled,dashed\", fillcolor=\"#dddddd\""
    } else {
        ""
    };
    let label = label(&[automaton.location(location).name.clone()]);
    format!("n{} [label={label}{style}];", location.index())
}

/// What stands beside an edge.
pub(crate) fn edge_label(program: &Program, edge: &Edge) -> String {
    let command = &edge.command;
    let straight = command.arcs().len() + 1 == command.nodes();
    let lines: Vec<String> = if straight {
        command.arcs().iter().take(TALLEST + 1).map(|arc| print_basic(program, arc.basic)).collect()
    } else {
        vec![print_command(program, command)]
    };
    label(&lines)
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

pub(crate) fn escape(text: &str) -> String {
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
pub(crate) fn label(lines: &[String]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_program;

    fn dot(text: &str) -> String {
        to_dot(&parse_program(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text))))
    }

    #[test]
    fn a_small_automaton() {
        let found = dot("cfa \"q\\\"\" var x : bv8 entry a error e unmodelled u\n\
                         a -> \"b\\\\\" { assume x == 1; x := 2 }\n\"b\\\\\" -> e { { skip } [] { havoc x } } a -> u");
        let expected = r##"digraph "q\"" {
    node [shape=circle, fontname="Helvetica"];
    edge [fontname="Courier", fontsize=10];
    n0 [label="a", penwidth=2.5];
    n1 [label="b\\"];
    n2 [label="e", shape=doublecircle, style=filled, fillcolor="#f4a6a6"];
    n3 [label="u", shape=doublecircle, style="filled,dashed", fillcolor="#dddddd"];
    n0 -> n1 [label="assume x == 1\lx := 2\l"];
    n1 -> n2 [label="{ skip } [] { havoc x }"];
    n0 -> n3 [label="\l"];
}
"##;
        assert_eq!(found, expected, "\n{found}");
    }

    #[test]
    fn long_labels_are_cut() {
        let found = dot(&format!("var x : bv8 entry a error e a -> e {{ x := {}1 }}", "x * ".repeat(30)));
        let label = found.lines().find(|line| line.contains("->")).expect("an edge");
        assert!(label.matches("\\l").count() > 2, "{label}");
        let found = dot(&format!("var x : bv8 entry a error e a -> e {{ {} }}", "x := x + 1; ".repeat(3000)));
        assert!(found.len() < 2000 && found.contains("…\\l\""), "{} bytes", found.len());
    }
}
