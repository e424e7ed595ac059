//! Programs with procedures as `.cfa` text. Parsing gives back the same module up to spans, and up to the
//! order of what belongs to different procedures.

use super::lexer::quote;
use super::print::{CommandPrinter, declarations, needs_sites, print_targets, unused_sites};
use super::print_term::print_expression;
use super::words::sort_text;
use crate::ids::{LocationId, ProcedureId, VarId};
use crate::procedures::{Call, Module};
use crate::targets::Targets;
use nilas_term::Term;
use std::fmt::Write as _;

/// A module as `.cfa` text.
#[must_use]
pub fn print_module(module: &Module) -> String {
    let Module { program, targets, procedures, .. } = module;
    if procedures.is_empty() {
        return print_targets(&Targets { program: program.clone(), targets: targets.clone() });
    }
    let automaton = &program.automaton;
    let name = |location| quote(&automaton.location(location).name);
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    if !automaton.name.is_empty() {
        let _ = writeln!(out, "cfa {}\n", quote(&automaton.name));
    }
    let arguments: Vec<Term> = module.calls.iter().flat_map(|call| call.arguments.iter().copied()).collect();
    declarations(program, &arguments, &|variable| module.owner_of(variable).is_none(), &mut out);
    let errors: Vec<String> = targets.iter().map(|&error| name(error)).collect();
    let _ = writeln!(out, "entry {}\nerror {}", name(automaton.entry), errors.join(", "));
    if let Some(unmodelled) = automaton.unmodelled {
        let _ = writeln!(out, "unmodelled {}", name(unmodelled));
    }
    let sites = numbered_sites(module);
    if sites {
        unused_sites(automaton, &mut out);
    }
    let printer = ModulePrinter { module, commands: CommandPrinter { program, sites } };
    printer.part(None, "", &mut out);
    for id in module.procedure_ids() {
        let _ = writeln!(out, "\nproc {} {{", print_signature(module, id));
        let procedure = module.procedure(id);
        let local = |variable: &VarId| {
            !procedure.parameters.contains(variable) && !procedure.results.contains(variable)
        };
        for variable in module.variables_of(id).filter(local) {
            let variable = automaton.variable(variable);
            let _ = writeln!(out, "    var {} : {}", quote(&variable.name), sort_text(&variable.sort));
        }
        let _ = writeln!(out, "    entry {}\n    exit {}", name(procedure.entry), name(procedure.exit));
        printer.part(Some(id), "    ", &mut out);
        out.push_str("}\n");
    }
    out
}

/// Name, parameters and results of a procedure, as they stand behind `proc`.
#[must_use]
pub fn print_signature(module: &Module, procedure: ProcedureId) -> String {
    let procedure = module.procedure(procedure);
    let list = |variables: &[VarId]| {
        let one = |&variable: &VarId| {
            let variable = module.program.automaton.variable(variable);
            format!("{} : {}", quote(&variable.name), sort_text(&variable.sort))
        };
        variables.iter().map(one).collect::<Vec<String>>().join(", ")
    };
    let mut out = format!("{}({})", quote(&procedure.name), list(&procedure.parameters));
    if !procedure.results.is_empty() {
        let _ = write!(out, " returns ({})", list(&procedure.results));
    }
    out
}

/// A call in one line.
#[must_use]
pub fn print_call(module: &Module, call: &Call) -> String {
    let name = |variable| quote(&module.program.automaton.variable(variable).name);
    let results: Vec<String> = call.results.iter().map(|&variable| name(variable)).collect();
    let arguments: Vec<String> =
        call.arguments.iter().map(|&term| print_expression(&module.program.arena, term)).collect();
    let to = if results.is_empty() { String::new() } else { format!("{} := ", results.join(", ")) };
    format!("{to}call {}({})", quote(&module.procedure(call.callee).name), arguments.join(", "))
}

/// Whether the numbers of `havoc` sites are written: the text counts them procedure by procedure.
fn numbered_sites(module: &Module) -> bool {
    let edges = &module.program.automaton.edges;
    let owners: Vec<Option<ProcedureId>> = edges.iter().map(|edge| module.owner(edge.source)).collect();
    !owners.is_sorted() || needs_sites(&module.program.automaton)
}

struct ModulePrinter<'a> {
    module: &'a Module,
    commands: CommandPrinter<'a>,
}

impl ModulePrinter<'_> {
    /// Locations, edges and calls of a procedure.
    fn part(&self, owner: Option<ProcedureId>, indent: &str, out: &mut String) {
        let automaton = &self.module.program.automaton;
        let name = |location| quote(&automaton.location(location).name);
        let edges = automaton.edges.iter().filter(|edge| self.module.owner(edge.source) == owner);
        let calls = self.module.calls.iter().filter(|call| self.module.owner(call.source) == owner);
        let ends = edges.clone().map(|edge| [edge.source, edge.target]);
        let ends = ends.chain(calls.clone().map(|call| [call.source, call.target])).flatten();
        let mut mentioned: Vec<LocationId> = Vec::new();
        let mut seen = vec![false; automaton.locations.len()];
        for end in ends.filter(|&end| self.module.owner(end) == owner) {
            if !std::mem::replace(&mut seen[end.index()], true) {
                mentioned.push(end);
            }
        }
        let all: Vec<LocationId> =
            automaton.location_ids().filter(|&location| self.module.owner(location) == owner).collect();
        if mentioned != all {
            let names: Vec<String> = all.into_iter().map(name).collect();
            let _ = writeln!(out, "{indent}location {}", names.join(", "));
        }
        out.push('\n');
        for edge in edges {
            let head = format!("{} -> {}", name(edge.source), name(edge.target));
            let body = self.commands.body(&edge.command, indent.len() + head.len());
            let _ = writeln!(out, "{indent}{head}{}", body.replace('\n', &format!("\n{indent}")));
        }
        for call in calls {
            let head = format!("{} -> {}", name(call.source), name(call.target));
            let _ = writeln!(out, "{indent}{head} {{ {} }}", print_call(self.module, call));
        }
    }
}
