//! The invariants of an [`crate::Automaton`], checked.
//!
//! Parsers and passes end with this check; everything after it relies on it. Messages name the broken rule
//! for people who write `.cfa` files, so the structural rules carry hints.

use crate::automaton::{Automaton, Program, Variable};
use crate::command::Basic;
use crate::ids::{LocationId, VarId};
use crate::source::{Diagnostic, Span};
use crate::targets::Targets;
use crate::text::shorten;
use nilas_term::{Arena, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More errors than that are of no use to a reader.
pub(crate) const MOST_ERRORS: usize = 20;

/// Whether the program keeps the invariants.
///
/// # Errors
/// What is broken, at most twenty of it.
pub fn check(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut checker = Checker { arena: &program.arena, automaton: &program.automaton, errors: Vec::new() };
    checker.variables();
    if checker.ids() {
        checker.names();
        checker.structure();
        checker.commands();
    }
    let mut errors = checker.errors;
    errors.truncate(MOST_ERRORS);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether a program with several targets keeps the invariants.
///
/// # Errors
/// What is broken, at most twenty of it.
pub fn check_targets(targets: &Targets) -> Result<(), Vec<Diagnostic>> {
    check_with_targets(&targets.program, &targets.targets)
}

/// The same of a program and its targets.
pub(crate) fn check_with_targets(program: &Program, given: &[LocationId]) -> Result<(), Vec<Diagnostic>> {
    check(program)?;
    let automaton = &program.automaton;
    let mut errors = Vec::new();
    if given.first() != Some(&automaton.error) {
        errors.push(Diagnostic::error(Span::default(), "the first target is not the automaton's error"));
    }
    for (index, &target) in given.iter().enumerate() {
        let Some(location) = automaton.locations.get(target.index()) else {
            errors.push(Diagnostic::error(Span::default(), "a target is not a location"));
            continue;
        };
        let (name, span) = (shorten(&location.name), location.span);
        if given[..index].contains(&target) {
            errors.push(Diagnostic::error(span, format!("`{name}` is an error location twice")));
        }
        for (role, other) in [("entry", Some(automaton.entry)), ("unmodelled", automaton.unmodelled)] {
            if other == Some(target) {
                errors.push(Diagnostic::error(span, format!("`{name}` is both {role} and error")));
            }
        }
        if let Some(edge) = automaton.edges.iter().find(|edge| edge.source == target) {
            let message = format!("the error location `{name}` has an outgoing edge");
            let hint = "executions end there; remove the edge";
            errors.push(Diagnostic::error(edge.span, message).with_hint(hint));
        }
    }
    errors.truncate(MOST_ERRORS);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

struct Checker<'a> {
    arena: &'a Arena,
    automaton: &'a Automaton,
    errors: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.errors.push(Diagnostic::error(span, message));
    }

    /// Whether all ids are in range; nothing else can be looked at otherwise.
    fn ids(&mut self) -> bool {
        let automaton = self.automaton;
        let locations = automaton.locations.len();
        let special = [Some(automaton.entry), Some(automaton.error), automaton.unmodelled];
        if special.iter().flatten().any(|location| location.index() >= locations) {
            self.error("entry, error or unmodelled is not a location", Span::default());
        }
        for edge in &automaton.edges {
            if edge.source.index() >= locations || edge.target.index() >= locations {
                self.error("an edge joins something that is not a location", edge.span);
            }
            for arc in edge.command.arcs() {
                let good = match arc.basic {
                    Basic::Skip => true,
                    Basic::Assume(term) => term.index() < self.arena.len(),
                    Basic::Assign(variable, term) => {
                        self.declared(variable) && term.index() < self.arena.len()
                    }
                    Basic::Havoc(variable, site) => {
                        self.declared(variable) && site.index() < automaton.havocs.len()
                    }
                };
                if !good {
                    self.error("a command mentions a variable, term or havoc that does not exist", arc.span);
                }
            }
        }
        for havoc in &automaton.havocs {
            if !self.declared(havoc.variable) {
                self.error("a havoc of a variable that does not exist", havoc.span);
            }
        }
        self.errors.is_empty()
    }

    fn declared(&self, variable: VarId) -> bool {
        variable.index() < self.automaton.variables.len()
    }

    fn variables(&mut self) {
        for variable in &self.automaton.variables {
            let Variable { name, sort, term, span } = variable;
            let shown = shorten(name);
            let good = term.index() < self.arena.len()
                && self.arena.name(*term) == Some(name)
                && self.arena.sort(*term) == sort;
            if name.contains(['|', '\\', '\'']) {
                // SMT-LIB cannot write the first two; the third makes the variable after a step.
                self.error(format!("the name of the variable `{shown}` has `|`, `\\` or `'` in it"), *span);
            }
            if !good {
                self.error(
                    format!("the term of `{shown}` is not the variable of that name and sort {sort}"),
                    *span,
                );
            }
        }
        let terms: FxHashSet<Term> = self.automaton.variables.iter().map(|variable| variable.term).collect();
        if terms.len() < self.automaton.variables.len() {
            self.error("two variables share a term", Span::default());
        }
    }

    fn names(&mut self) {
        let automaton = self.automaton;
        let variables =
            automaton.variables.iter().map(|variable| ("variable", &variable.name, variable.span));
        let locations =
            automaton.locations.iter().map(|location| ("location", &location.name, location.span));
        let mut seen = FxHashSet::default();
        for (kind, name, span) in variables.chain(locations) {
            if !seen.insert((kind, name)) {
                self.error(format!("two {kind}s are called `{}`", shorten(name)), span);
            }
        }
    }

    fn structure(&mut self) {
        let automaton = self.automaton;
        let name = |location| shorten(&automaton.location(location).name);
        if automaton.entry == automaton.error {
            let span = automaton.location(automaton.entry).span;
            self.error(format!("`{}` is both entry and error", name(automaton.entry)), span);
        }
        for (role, other) in [("entry", automaton.entry), ("error", automaton.error)] {
            if automaton.unmodelled == Some(other) {
                let span = automaton.location(other).span;
                self.error(format!("`{}` is both {role} and unmodelled", name(other)), span);
            }
        }
        for edge in &automaton.edges {
            if edge.target == automaton.entry {
                let message = format!("the entry `{}` has an incoming edge", name(automaton.entry));
                let hint = "add a fresh entry location with an edge to this one";
                self.errors.push(Diagnostic::error(edge.span, message).with_hint(hint));
            }
            if automaton.is_sink(edge.source) {
                let role = if edge.source == automaton.error { "error" } else { "unmodelled" };
                let message = format!("the {role} location `{}` has an outgoing edge", name(edge.source));
                let hint = "executions end there; remove the edge";
                self.errors.push(Diagnostic::error(edge.span, message).with_hint(hint));
            }
        }
    }

    fn commands(&mut self) {
        let automaton = self.automaton;
        let own: FxHashMap<Term, VarId> = automaton.variable_index();
        let mut visited = FxHashSet::default();
        for edge in &automaton.edges {
            for arc in edge.command.arcs() {
                match arc.basic {
                    Basic::Skip => {}
                    Basic::Assume(term) => {
                        let sort = self.arena.sort(term);
                        if *sort != Sort::Bool {
                            self.error(format!("an assumption has sort {sort}, not Bool"), arc.span);
                        }
                        self.free_variables(term, &own, &mut visited, arc.span);
                    }
                    Basic::Assign(variable, term) => {
                        let Variable { name, sort, .. } = automaton.variable(variable);
                        let found = self.arena.sort(term);
                        if found != sort {
                            let message =
                                format!("`{}` has sort {sort}, but is assigned sort {found}", shorten(name));
                            self.error(message, arc.span);
                        }
                        self.free_variables(term, &own, &mut visited, arc.span);
                    }
                    Basic::Havoc(variable, site) => {
                        if automaton.havoc(site).variable != variable {
                            self.error("a havoc of another variable than its site says", arc.span);
                        }
                    }
                }
            }
        }
    }

    fn free_variables(
        &mut self,
        term: Term,
        own: &FxHashMap<Term, VarId>,
        visited: &mut FxHashSet<Term>,
        span: Span,
    ) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !visited.insert(term) {
                continue;
            }
            if let Some(name) = self.arena.name(term)
                && !own.contains_key(&term)
            {
                self.error(format!("`{name}` is not a variable of the automaton"), span);
            }
            stack.extend_from_slice(self.arena.children(term));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::ids::HavocSite;
    use crate::parse_program;

    /// What is said about a good program after it was broken.
    fn complaint(break_it: impl Fn(&mut Program)) -> String {
        let text = "var x : bv8 var y : bv4 entry a error e a -> b { havoc x } b -> e { assume x == 1 }";
        let mut program = parse_program(text).expect("a good program");
        assert_eq!(check(&program), Ok(()));
        break_it(&mut program);
        let errors = check(&program).expect_err("a broken program");
        errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("; ")
    }

    fn basic(basic: Basic) -> Command {
        Command::basic(basic, Span::default())
    }

    #[test]
    fn broken_programs() {
        let x = VarId::new(0);
        assert_eq!(
            complaint(|program| program.automaton.error = LocationId::new(9)),
            "entry, error or unmodelled is not a location"
        );
        assert_eq!(
            complaint(|program| program.automaton.edges[0].target = LocationId::new(9)),
            "an edge joins something that is not a location"
        );
        assert_eq!(
            complaint(|program| {
                let term = program.automaton.variables[0].term;
                program.automaton.edges[0].command = basic(Basic::Assume(term));
            }),
            "an assumption has sort (_ BitVec 8), not Bool"
        );
        assert_eq!(
            complaint(|program| {
                let term = program.automaton.variables[1].term;
                program.automaton.edges[0].command = basic(Basic::Assign(x, term));
            }),
            "`x` has sort (_ BitVec 8), but is assigned sort (_ BitVec 4)"
        );
        assert_eq!(
            complaint(|program| {
                let term = program.arena.fresh_variable("x", &Sort::BitVec(8));
                program.automaton.edges[0].command = basic(Basic::Assign(x, term));
            }),
            "`x!0` is not a variable of the automaton"
        );
        assert_eq!(
            complaint(|program| {
                program.automaton.edges[0].command = basic(Basic::Havoc(VarId::new(1), HavocSite::new(0)));
            }),
            "a havoc of another variable than its site says"
        );
        assert_eq!(
            complaint(|program| program.automaton.havocs.clear()),
            "a command mentions a variable, term or havoc that does not exist"
        );
        assert_eq!(
            complaint(|program| program.automaton.locations[1].name = "a".to_owned()),
            "two locations are called `a`"
        );
        assert_eq!(
            complaint(|program| program.automaton.unmodelled = Some(program.automaton.error)),
            "`e` is both error and unmodelled"
        );
        assert_eq!(
            complaint(|program| program.automaton.variables[0].name = "z".to_owned()),
            "the term of `z` is not the variable of that name and sort (_ BitVec 8)"
        );
    }
}
