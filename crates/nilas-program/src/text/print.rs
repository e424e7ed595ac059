//! Programs as `.cfa` text. Parsing gives back the same automaton up to spans.

use super::lexer::quote;
use super::print_term::print_expression;
use super::structure::{Tree, tree_of};
use super::words::sort_text;
use crate::automaton::{Automaton, Edge, Program};
use crate::command::{Basic, Command};
use crate::ids::{ArcId, LocationId, VarId};
use crate::targets::Targets;
use nilas_term::{Arena, Op, Sort, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Longer commands are written over several lines.
const WIDEST: usize = 100;

/// A program as `.cfa` text.
#[must_use]
pub fn print_program(program: &Program) -> String {
    print_annotated(program, &|_| None)
}

/// The same, with a comment before each edge that `annotate` has one for. It must be one line.
#[must_use]
pub fn print_annotated(program: &Program, annotate: &dyn Fn(&Edge) -> Option<String>) -> String {
    print(program, &[program.automaton.error], annotate)
}

/// A program with several error locations as `.cfa` text.
#[must_use]
pub fn print_targets(targets: &Targets) -> String {
    print(&targets.program, &targets.targets, &|_| None)
}

fn print(program: &Program, errors: &[LocationId], annotate: &dyn Fn(&Edge) -> Option<String>) -> String {
    let automaton = &program.automaton;
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    if !automaton.name.is_empty() {
        let _ = writeln!(out, "cfa {}\n", quote(&automaton.name));
    }
    declarations(program, &[], &|_| true, &mut out);
    let name = |location| quote(&automaton.location(location).name);
    let errors: Vec<String> = errors.iter().map(|&error| name(error)).collect();
    let _ = writeln!(out, "entry {}\nerror {}", name(automaton.entry), errors.join(", "));
    if let Some(unmodelled) = automaton.unmodelled {
        let _ = writeln!(out, "unmodelled {}", name(unmodelled));
    }
    if !declared_by_edges(automaton) {
        let names: Vec<String> = automaton.location_ids().map(name).collect();
        let _ = writeln!(out, "location {}", names.join(", "));
    }
    let printer = CommandPrinter { program, sites: needs_sites(automaton) };
    if printer.sites {
        unused_sites(automaton, &mut out);
    }
    out.push('\n');
    let mut previous: Option<LocationId> = None;
    for edge in &automaton.edges {
        if previous.is_some_and(|previous| previous != edge.source) {
            out.push('\n');
        }
        previous = Some(edge.source);
        if let Some(comment) = annotate(edge) {
            let _ = writeln!(out, "// {comment}");
        }
        let head = format!("{} -> {}", name(edge.source), name(edge.target));
        let body = printer.body(&edge.command, head.len());
        let _ = writeln!(out, "{head}{body}");
    }
    out
}

/// A command in one line, without the braces around it.
#[must_use]
pub fn print_command(program: &Program, command: &Command) -> String {
    let printer = CommandPrinter { program, sites: false };
    match tree_of(command) {
        Some(tree) => printer.inline(command, &tree),
        None => printer.block(command).join(" "),
    }
}

/// A step in one line.
#[must_use]
pub fn print_basic(program: &Program, basic: Basic) -> String {
    CommandPrinter { program, sites: false }.basic(basic)
}

/// Sorts, functions and variables: those that are to be written, and the terms beside those of commands.
pub(super) fn declarations(
    program: &Program,
    more: &[Term],
    wanted: &dyn Fn(VarId) -> bool,
    out: &mut String,
) {
    let (automaton, arena) = (&program.automaton, &program.arena);
    let functions = functions(program, more);
    let mut sorts: BTreeSet<&str> = BTreeSet::new();
    for variable in &automaton.variables {
        named_sorts(&variable.sort, &mut sorts);
    }
    for &function in &functions {
        let signature = arena.signature(function);
        signature.arguments.iter().chain([&signature.result]).for_each(|sort| named_sorts(sort, &mut sorts));
    }
    for sort in &sorts {
        let _ = writeln!(out, "sort {}", quote(sort));
    }
    for &function in &functions {
        let signature = arena.signature(function);
        let arguments: Vec<String> = signature.arguments.iter().map(sort_text).collect();
        let result = sort_text(&signature.result);
        let _ = writeln!(out, "fun {}({}) : {result}", quote(&signature.name), arguments.join(", "));
    }
    let before = out.len();
    for variable in automaton.variable_ids().filter(|&variable| wanted(variable)) {
        let variable = automaton.variable(variable);
        let _ = writeln!(out, "var {} : {}", quote(&variable.name), sort_text(&variable.sort));
    }
    if out.len() > before {
        out.push('\n');
    }
}

fn named_sorts<'s>(sort: &'s Sort, names: &mut BTreeSet<&'s str>) {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match sort {
            Sort::Array(array) => stack.extend([&array.index, &array.element]),
            Sort::Uninterpreted(name) => {
                names.insert(name);
            }
            _ => {}
        }
    }
}

fn command_terms(automaton: &Automaton) -> impl Iterator<Item = Term> + '_ {
    let arcs = automaton.edges.iter().flat_map(|edge| edge.command.arcs());
    arcs.filter_map(|arc| match arc.basic {
        Basic::Assume(term) | Basic::Assign(_, term) => Some(term),
        Basic::Skip | Basic::Havoc(..) => None,
    })
}

/// The uninterpreted functions that occur, by id.
fn functions(program: &Program, more: &[Term]) -> BTreeSet<SymbolId> {
    let arena: &Arena = &program.arena;
    let mut found = BTreeSet::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack: Vec<Term> = command_terms(&program.automaton).chain(more.iter().copied()).collect();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Op::Apply(symbol) = arena.op(term) {
                found.insert(symbol);
            }
            stack.extend_from_slice(arena.children(term));
        }
    }
    found
}

/// Whether the edges mention all locations, in the order of their ids.
fn declared_by_edges(automaton: &Automaton) -> bool {
    let mut next = 0;
    for edge in &automaton.edges {
        for location in [edge.source, edge.target] {
            if location.index() > next {
                return false;
            }
            next = next.max(location.index() + 1);
        }
    }
    next == automaton.locations.len()
}

/// The sites of `havoc`s in the order in which they are printed.
fn sites(automaton: &Automaton) -> Vec<usize> {
    let mut sites = Vec::new();
    for edge in &automaton.edges {
        let command = &edge.command;
        let havocs = |arc: &ArcId| match command.arc(*arc).basic {
            Basic::Havoc(_, site) => Some(site.index()),
            _ => None,
        };
        // Arcs are sorted by their sources; a tree is printed branch by branch.
        match tree_of(command) {
            Some(tree) => sites.extend(tree.arcs().iter().filter_map(havocs)),
            None => sites.extend(command.arc_ids().filter_map(|(id, _)| havocs(&id))),
        }
    }
    sites
}

/// Whether the numbers of `havoc` sites are other than their order in the text says.
pub(super) fn needs_sites(automaton: &Automaton) -> bool {
    let sites = sites(automaton);
    sites.len() != automaton.havocs.len() || sites.iter().enumerate().any(|(index, &site)| index != site)
}

pub(super) fn unused_sites(automaton: &Automaton, out: &mut String) {
    let used: FxHashSet<usize> = sites(automaton).into_iter().collect();
    for (index, havoc) in automaton.havocs.iter().enumerate() {
        if !used.contains(&index) {
            let name = quote(&automaton.variable(havoc.variable).name);
            let _ = writeln!(out, "havoc {name} @{index}");
        }
    }
}

pub(super) struct CommandPrinter<'a> {
    pub(super) program: &'a Program,
    /// Whether the numbers of sites are written.
    pub(super) sites: bool,
}

impl CommandPrinter<'_> {
    fn basic(&self, basic: Basic) -> String {
        let (arena, automaton) = (&self.program.arena, &self.program.automaton);
        let name = |variable| quote(&automaton.variable(variable).name);
        match basic {
            Basic::Skip => "skip".to_owned(),
            Basic::Assume(term) => format!("assume {}", print_expression(arena, term)),
            Basic::Assign(variable, term) => {
                format!("{} := {}", name(variable), print_expression(arena, term))
            }
            Basic::Havoc(variable, site) if self.sites => {
                format!("havoc {} @{}", name(variable), site.index())
            }
            Basic::Havoc(variable, _) => format!("havoc {}", name(variable)),
        }
    }

    /// What stands behind the head of an edge, which is `indent` wide.
    pub(super) fn body(&self, command: &Command, indent: usize) -> String {
        if command.arcs().is_empty() {
            return String::new();
        }
        match tree_of(command) {
            Some(tree) => {
                let line = self.inline(command, &tree);
                if indent + line.len() + 5 <= WIDEST {
                    return format!(" {{ {line} }}");
                }
                let mut out = String::from(" {\n");
                self.lines(command, &tree, 1, &mut out);
                out.push('}');
                out
            }
            None => {
                let lines = self.block(command);
                let (last, inner) =
                    lines.split_last().map_or(("", &lines[..]), |(last, inner)| (&last[..], inner));
                format!(" {{ {}\n{last} }}", inner.join("\n    "))
            }
        }
    }

    fn inline(&self, command: &Command, tree: &Tree) -> String {
        match tree {
            Tree::Arc(arc) => self.basic(command.arc(*arc).basic),
            Tree::Sequence(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.inline(command, part)).collect();
                parts.join("; ")
            }
            Tree::Choice(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| format!("{{ {} }}", self.inline(command, part))).collect();
                parts.join(" [] ")
            }
        }
    }

    fn lines(&self, command: &Command, tree: &Tree, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        let steps = match tree {
            Tree::Sequence(parts) => &parts[..],
            other => std::slice::from_ref(other),
        };
        for (index, step) in steps.iter().enumerate() {
            let end = if index + 1 < steps.len() { ";" } else { "" };
            let line = self.inline(command, step);
            match step {
                Tree::Choice(parts) if indent.len() + line.len() > WIDEST => {
                    out.push_str(&indent);
                    for (index, part) in parts.iter().enumerate() {
                        out.push_str(if index > 0 { " [] {\n" } else { "{\n" });
                        self.lines(command, part, depth + 1, out);
                        let _ = write!(out, "{indent}}}");
                    }
                    let _ = writeln!(out, "{end}");
                }
                _ => {
                    let _ = writeln!(out, "{indent}{line}{end}");
                }
            }
        }
    }

    /// The lines of a flow graph that is no tree.
    fn block(&self, command: &Command) -> Vec<String> {
        let mut lines = vec!["block {".to_owned()];
        for arc in command.arcs() {
            let (source, target) = (arc.source.index(), arc.target.index());
            lines.push(format!("{source} -> {target}: {};", self.basic(arc.basic)));
        }
        lines.push("}".to_owned());
        lines
    }
}
