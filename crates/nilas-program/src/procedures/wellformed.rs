//! The invariants of a [`Module`], checked.

use super::{Module, Procedure};
use crate::command::Basic;
use crate::ids::{LocationId, ProcedureId, VarId};
use crate::source::{Diagnostic, Span};
use crate::text::shorten;
use crate::wellformed::{MOST_ERRORS, check_with_targets};
use nilas_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the module keeps the invariants.
///
/// # Errors
/// What is broken, at most twenty of it.
pub fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let Module { program, targets, owners, .. } = module;
    let automaton = &program.automaton;
    if owners.variables.len() != automaton.variables.len()
        || owners.locations.len() != automaton.locations.len()
    {
        return Err(vec![Diagnostic::error(Span::default(), "not everything has an owner")]);
    }
    check_with_targets(program, targets)?;
    let mut checker = Checker {
        module,
        variables: automaton.variable_index(),
        seen: FxHashSet::default(),
        errors: Vec::new(),
    };
    if checker.ids() {
        checker.names();
        checker.sinks();
        for procedure in &module.procedures {
            checker.procedure(procedure);
        }
        checker.edges();
        checker.calls();
    }
    let mut errors = checker.errors;
    errors.truncate(MOST_ERRORS);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

struct Checker<'a> {
    module: &'a Module,
    variables: FxHashMap<Term, VarId>,
    /// Terms whose variables were looked at, by the procedure that mentions them.
    seen: FxHashSet<(Option<ProcedureId>, Term)>,
    errors: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn ids(&mut self) -> bool {
        let Module { program, procedures, calls, owners, .. } = self.module;
        let automaton = &program.automaton;
        let variable = |id: &VarId| id.index() < automaton.variables.len();
        let location = |id: LocationId| id.index() < automaton.locations.len();
        let known = |id: ProcedureId| id.index() < procedures.len();
        for procedure in procedures {
            let variables = procedure.parameters.iter().chain(&procedure.results).all(variable);
            if !variables || !location(procedure.entry) || !location(procedure.exit) {
                self.error("a procedure mentions a variable or location that does not exist", procedure.span);
            }
        }
        for call in calls {
            let terms = call.arguments.iter().all(|term| term.index() < program.arena.len());
            let ends = location(call.source) && location(call.target);
            if !terms || !ends || !known(call.callee) || !call.results.iter().all(variable) {
                self.error("a call mentions something that does not exist", call.span);
            }
        }
        if owners.variables.iter().chain(&owners.locations).flatten().any(|&owner| !known(owner)) {
            self.error("something belongs to a procedure that does not exist", Span::default());
        }
        self.errors.is_empty()
    }

    fn names(&mut self) {
        let mut seen = FxHashSet::default();
        for procedure in &self.module.procedures {
            if !seen.insert(&procedure.name) {
                self.error(
                    format!("two procedures are called `{}`", shorten(&procedure.name)),
                    procedure.span,
                );
            }
        }
    }

    fn sinks(&mut self) {
        let automaton = &self.module.program.automaton;
        let shared = self.module.targets.iter().copied().chain(automaton.unmodelled).chain([automaton.entry]);
        for location in shared {
            if self.module.owner(location).is_some() {
                let location = automaton.location(location);
                let name = shorten(&location.name);
                let message = format!("`{name}` is the entry or a sink of the program, not of a procedure");
                self.error(message, location.span);
            }
        }
    }

    fn place(&self, owner: Option<ProcedureId>) -> String {
        match owner {
            Some(owner) => format!("of `{}`", shorten(&self.module.procedure(owner).name)),
            None => "outside of procedures".to_owned(),
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let module = self.module;
        let automaton = &module.program.automaton;
        let name = shorten(&procedure.name);
        let id = module.procedure_ids().find(|&id| std::ptr::eq(module.procedure(id), procedure));
        if procedure.entry == procedure.exit {
            self.error(format!("entry and exit of `{name}` are the same location"), procedure.span);
        }
        for (role, location) in [("entry", procedure.entry), ("exit", procedure.exit)] {
            if module.owner(location) != id {
                let place = self.place(module.owner(location));
                let message = format!("the {role} of `{name}` is a location {place}");
                self.error(message, automaton.location(location).span);
            }
        }
        let mut seen = FxHashSet::default();
        for &variable in procedure.parameters.iter().chain(&procedure.results) {
            let declared = automaton.variable(variable);
            if module.owner_of(variable) != id {
                let message = format!("`{}` is no variable of `{name}`", shorten(&declared.name));
                self.error(message, declared.span);
            }
            if !seen.insert(variable) {
                let message =
                    format!("`{}` is a parameter or result of `{name}` twice", shorten(&declared.name));
                self.error(message, declared.span);
            }
        }
    }

    /// What leads from one location to another.
    fn ends(&mut self, source: LocationId, target: LocationId, span: Span, sinks: bool) {
        let module = self.module;
        let name = |location| shorten(&module.program.automaton.location(location).name);
        let (from, to) = (module.owner(source), module.owner(target));
        if module.is_sink(target) && !sinks {
            let message = format!("a call comes back to the sink `{}`", name(target));
            let hint = "let it come back to a location with an edge to the sink";
            self.errors.push(Diagnostic::error(span, message).with_hint(hint));
        } else if from != to && !module.is_sink(target) {
            let (from, to) = (self.place(from), self.place(to));
            let message = format!("this leads from `{}`, {from}, to `{}`, {to}", name(source), name(target));
            let hint = "only calls lead from one procedure to another";
            self.errors.push(Diagnostic::error(span, message).with_hint(hint));
        }
        if let Some(procedure) = module.procedures.iter().find(|procedure| procedure.entry == target) {
            let message = format!(
                "the entry `{}` of `{}` has an incoming edge",
                name(target),
                shorten(&procedure.name)
            );
            let hint = "add a fresh entry location with an edge to this one";
            self.errors.push(Diagnostic::error(span, message).with_hint(hint));
        }
        if let Some(procedure) = module.procedures.iter().find(|procedure| procedure.exit == source) {
            let message =
                format!("the exit `{}` of `{}` has an outgoing edge", name(source), shorten(&procedure.name));
            let hint = "calls come back from there; add a fresh exit location";
            self.errors.push(Diagnostic::error(span, message).with_hint(hint));
        }
    }

    fn edges(&mut self) {
        for edge in &self.module.program.automaton.edges {
            self.ends(edge.source, edge.target, edge.span, true);
            let owner = self.module.owner(edge.source);
            for arc in edge.command.arcs() {
                match arc.basic {
                    Basic::Skip => {}
                    Basic::Assume(term) => self.mentions(owner, term, arc.span),
                    Basic::Assign(variable, term) => {
                        self.visible(owner, variable, arc.span);
                        self.mentions(owner, term, arc.span);
                    }
                    Basic::Havoc(variable, _) => self.visible(owner, variable, arc.span),
                }
            }
        }
    }

    fn calls(&mut self) {
        let module = self.module;
        let (arena, automaton) = (&module.program.arena, &module.program.automaton);
        for call in &module.calls {
            self.ends(call.source, call.target, call.span, false);
            if module.is_sink(call.source) {
                self.error("executions end where this call starts", call.span);
            }
            if call.target == automaton.entry {
                self.error("a call comes back to the entry", call.span);
            }
            let callee = module.procedure(call.callee);
            let name = shorten(&callee.name);
            for (what, wanted, found) in [
                ("argument", callee.parameters.len(), call.arguments.len()),
                ("result", callee.results.len(), call.results.len()),
            ] {
                if wanted != found {
                    let plural = if wanted == 1 { "" } else { "s" };
                    self.error(format!("`{name}` has {wanted} {what}{plural}, {found} here"), call.span);
                }
            }
            let owner = module.owner(call.source);
            for (&argument, &parameter) in call.arguments.iter().zip(&callee.parameters) {
                self.mentions(owner, argument, call.span);
                let declared = automaton.variable(parameter);
                if *arena.sort(argument) != declared.sort {
                    let message = format!(
                        "`{}` of `{name}` has sort {}, but its argument sort {}",
                        shorten(&declared.name),
                        declared.sort,
                        arena.sort(argument)
                    );
                    self.error(message, call.span);
                }
            }
            for (index, (&variable, &result)) in call.results.iter().zip(&callee.results).enumerate() {
                self.visible(owner, variable, call.span);
                let (to, from) = (automaton.variable(variable), automaton.variable(result));
                if to.sort != from.sort {
                    let message = format!(
                        "`{}` has sort {}, but the result `{}` of `{name}` sort {}",
                        shorten(&to.name),
                        to.sort,
                        shorten(&from.name),
                        from.sort
                    );
                    self.error(message, call.span);
                }
                if call.results[..index].contains(&variable) {
                    self.error(format!("`{}` takes two results", shorten(&to.name)), call.span);
                }
            }
        }
    }

    fn visible(&mut self, owner: Option<ProcedureId>, variable: VarId, span: Span) {
        let belongs = self.module.owner_of(variable);
        if belongs.is_some() && belongs != owner {
            let name = shorten(&self.module.program.automaton.variable(variable).name);
            let place = self.place(belongs);
            let here = match owner {
                Some(_) => format!("not {}", self.place(owner)),
                None => "which nothing outside mentions".to_owned(),
            };
            self.error(format!("`{name}` is a variable {place}, {here}"), span);
        }
    }

    fn mentions(&mut self, owner: Option<ProcedureId>, term: Term, span: Span) {
        let arena = &self.module.program.arena;
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if self.seen.insert((owner, term)) {
                match self.variables.get(&term) {
                    Some(&variable) => self.visible(owner, variable, span),
                    None if arena.name(term).is_some() => {
                        self.error("a call mentions something that is no variable of the program", span);
                    }
                    None => {}
                }
                stack.extend_from_slice(arena.children(term));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::parse_module;

    /// What is said about a module: the text around the given items is good.
    #[track_caller]
    fn complaint(items: &str, expected: &str) {
        let text = format!(
            "var g : bv8 entry a error e a -> b {{ g := call f(g) }} b -> e
             proc f(f.x : bv8) returns (f.r : bv8) {{ entry f.in exit f.out f.in -> f.out {{ f.r := f.x }} }}
             {items}"
        );
        let found = match parse_module(&text) {
            Ok(_) => "nothing".to_owned(),
            Err(errors) => errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("; "),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn broken_modules() {
        complaint("", "nothing");
        complaint("b -> c { g := call f(1) } b -> c { g := call f(g + g) }", "nothing");
        complaint("b -> f.in", "`f.in` is a location outside of procedures");
        complaint("b -> c { g := f.x }", "`f.x` is a variable of `f`, which nothing outside mentions");
        complaint("b -> e { g := call f(g) }", "a call comes back to the sink `e`");
        complaint("b -> c { g := call f() }", "`f` has 1 argument, 0 here");
        complaint("b -> c { call f(g) }", "`f` has 1 result, 0 here");
        complaint(
            "var w : bv4 b -> c { w := call f(g) }",
            "`w` has sort (_ BitVec 4), but the result `f.r` of `f` sort (_ BitVec 8)",
        );
        complaint(
            "proc two() returns (t.a : bv8, t.b : bv8) { entry t.in exit t.out t.in -> t.out } b -> c { g, g := call two() }",
            "`g` takes two results",
        );
        complaint(
            "proc h() { entry h.in exit h.out h.in -> h.out { havoc f.x } }",
            "`f.x` is a variable of `f`, not of `h`",
        );
        complaint(
            "proc h() { entry h.in exit h.out h.in -> h.out h.out -> h.in }",
            "the entry `h.in` of `h` has an incoming edge; the exit `h.out` of `h` has an outgoing edge",
        );
        complaint(
            "proc h() { entry h.in exit h.in location h.in }",
            "entry and exit of `h` are the same location",
        );
        complaint("proc f() { entry h.in exit h.out h.in -> h.out }", "procedure `f` is declared twice");
    }
}
