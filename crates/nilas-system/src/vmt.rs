//! VMT-LIB: transition systems as annotated SMT-LIB definitions.
//!
//! `(! x :next y)` makes `x` a state variable and `y` its value after a step; variables without are inputs,
//! chosen anew at every step. `:init`, `:trans` and `:invar-property` name the formulas. Annotations stand
//! around the whole body of a definition; anywhere else they are refused rather than overlooked.

use crate::script::{Declared, Result, Script, commands, exactly, shorten, span, split};
use crate::system::{Atom, Clause, Form, Goal, GoalId, Predicate, PredicateId, System};
use nilas_program::{Diagnostic, Span};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{ParseError, Scope};
use nilas_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Reads a transition system.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read_vmt(text: &str) -> std::result::Result<System, Diagnostic> {
    let mut reader = Reader::default();
    for tree in commands(text) {
        let tree = tree?;
        if reader.execute(tree.root())? {
            break;
        }
    }
    reader.finish(text.len()).map_err(Diagnostic::from)
}

/// A formula of the system, with its place.
type Placed = (Term, Span);

#[derive(Default)]
struct Reader {
    script: Script,
    declared: BTreeMap<String, Declared>,
    /// State variables with their next values, in the order of their annotations.
    states: Vec<(Term, Term)>,
    /// The variables of `states`, each with the other one of its pair.
    paired: FxHashMap<Term, Term>,
    /// Those of them that are next values.
    nexts: FxHashSet<Term>,
    /// All variables that are declared.
    variables: FxHashSet<Term>,
    initial: Option<Placed>,
    relation: Option<Placed>,
    properties: Vec<(String, Term, Span)>,
}

impl Reader {
    fn execute(&mut self, command: Sexpr<'_, '_>) -> Result<bool> {
        let (name, parts) = split(command)?;
        let parts = parts.as_slice();
        match name {
            "declare-fun" | "declare-const" => {
                let constant = name == "declare-const";
                let (name, arguments, result) = self.script.signature(command, parts, constant)?;
                let (text, declared) = self.script.declare(name, arguments, result)?;
                self.variables.extend(declared.variable);
                self.declared.insert(text, declared);
            }
            "define-fun" | "define-const" => {
                let constant = name == "define-const";
                let (body, term) = self.script.definition(command, parts, constant)?;
                self.annotated(body, term)?;
            }
            "assert" => {
                let [formula] = exactly(command, parts)?;
                let term = self.script.formula(formula, &mut Scope::default())?;
                if !self.annotated(formula, term)? && self.script.arena.as_bool(term) != Some(true) {
                    let error = formula.error("an assertion that VMT gives no meaning");
                    return Err(error.with_hint("only `(assert true)` and annotated formulas stand here"));
                }
            }
            "set-logic" | "check-sat" => {}
            "exit" => return Ok(true),
            _ if self.script.common(command, name, parts)? => {}
            _ => return Err(command.error(format!("the command `{}` is not supported", shorten(name)))),
        }
        Ok(false)
    }

    /// Takes the annotations of a formula; whether it has any that matter.
    fn annotated(&mut self, body: Sexpr<'_, '_>, term: Term) -> Result<bool> {
        let mut text = body;
        let mut found = false;
        while text.children().next().as_ref().and_then(Sexpr::word) == Some("!") {
            let mut members = text.children().skip(1);
            let Some(inner) = members.next() else { break };
            let attributes: Vec<Sexpr<'_, '_>> = members.collect();
            let mut index = 0;
            while let Some(attribute) = attributes.get(index) {
                let Some(keyword) = attribute.keyword() else {
                    return Err(attribute.error("attribute expected"));
                };
                let value = attributes.get(index + 1).filter(|value| value.keyword().is_none());
                found |= self.attribute(*attribute, keyword, value.copied(), term, span(&inner))?;
                index += 1 + usize::from(value.is_some());
            }
            text = inner;
        }
        unnoticed(text)?;
        Ok(found)
    }

    fn attribute(
        &mut self,
        at: Sexpr<'_, '_>,
        keyword: &str,
        value: Option<Sexpr<'_, '_>>,
        term: Term,
        place: Span,
    ) -> Result<bool> {
        let formula = |reader: &Self| match reader.script.arena.sort(term) {
            Sort::Bool => Ok(()),
            sort => Err(at.error(format!("`{keyword}` takes a formula, this has sort {sort}"))),
        };
        match keyword {
            ":next" => {
                let value = value.ok_or_else(|| at.error("`:next` takes the name of a variable"))?;
                let name = value.symbol().ok_or_else(|| value.error("name expected"))?;
                let declared = self.declared.get(name).and_then(|declared| declared.variable);
                let next = declared.ok_or_else(|| {
                    value.error(format!("`{}` is no variable that is declared", shorten(name)))
                })?;
                self.state(at, value, term, next)?;
            }
            ":init" => {
                formula(self)?;
                if self.initial.is_some_and(|(known, _)| known != term) {
                    return Err(at.error("a second formula for the initial states"));
                }
                self.initial = Some((term, place));
            }
            ":trans" => {
                formula(self)?;
                if self.relation.is_some_and(|(known, _)| known != term) {
                    return Err(at.error("a second transition relation"));
                }
                self.relation = Some((term, place));
            }
            ":invar-property" => {
                formula(self)?;
                let name =
                    value.map_or_else(|| self.properties.len().to_string(), |value| value.source().into());
                if self.properties.iter().any(|(known, other, _)| *known == name && *other != term) {
                    return Err(at.error(format!("a second property of the number {}", shorten(&name))));
                }
                self.properties.push((name, term, place));
            }
            ":live-property" | ":ltl-property" => {
                return Err(at.error(format!("`{keyword}` is not supported: only invariants are decided")));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn state(&mut self, at: Sexpr<'_, '_>, value: Sexpr<'_, '_>, current: Term, next: Term) -> Result<()> {
        let arena = &self.script.arena;
        if !self.variables.contains(&current) {
            return Err(at.error("`:next` belongs to a variable that is declared"));
        }
        if arena.sort(current) != arena.sort(next) {
            let (left, right) = (arena.sort(current), arena.sort(next));
            return Err(value.error(format!("the variable has sort {left}, its next value {right}")));
        }
        if current == next {
            return Err(value.error("a variable is not its own next value"));
        }
        match (self.paired.get(&current), self.paired.get(&next)) {
            (None, None) => {
                self.states.push((current, next));
                self.paired.extend([(current, next), (next, current)]);
                self.nexts.insert(next);
            }
            (Some(&other), _) if other == next && self.nexts.contains(&next) => {}
            _ => return Err(value.error("one of the two variables belongs to another pair already")),
        }
        Ok(())
    }

    fn finish(mut self, end: usize) -> Result<System> {
        let missing = |what: &str| ParseError::new(end, format!("there is no {what} in this file"));
        let (initial, initial_span) = self.initial.ok_or_else(|| missing("`:init` formula"))?;
        let (relation, relation_span) = self.relation.ok_or_else(|| missing("`:trans` formula"))?;
        if self.properties.is_empty() {
            return Err(missing("`:invar-property`"));
        }
        let nexts: Vec<Term> = self.states.iter().map(|&(_, next)| next).collect();
        let currents: Vec<Term> = self.states.iter().map(|&(current, _)| current).collect();
        let arena = &mut self.script.arena;
        let only_current = |what: &str, formula: Term, span: Span| {
            for free in arena.free_variables(formula) {
                let kind = match (self.nexts.contains(&free), self.paired.contains_key(&free)) {
                    (true, _) => "the next value",
                    (_, false) => "the input",
                    _ => continue,
                };
                let name = shorten(arena.name(free).unwrap_or_default());
                let message = format!("{what} mentions {kind} `{name}`");
                let error = ParseError::new(span.start as usize, message);
                return Err(error.with_hint("it may speak about state variables only; is a `:next` missing?"));
            }
            Ok(())
        };
        only_current("the formula for the initial states", initial, initial_span)?;
        for (name, property, span) in &self.properties {
            only_current(&format!("the property {}", shorten(name)), *property, *span)?;
        }
        let parameters = currents.iter().map(|&current| {
            (arena.name(current).unwrap_or_default().to_owned(), arena.sort(current).clone())
        });
        let parameters = parameters.collect();
        let predicate = Predicate { name: "state".into(), parameters, span: Span::default() };
        let state = |arguments: &[Term]| Atom { predicate: PredicateId(0), arguments: arguments.to_vec() };
        let mut clauses = vec![
            Clause { body: Vec::new(), constraint: initial, head: Ok(state(&currents)), span: initial_span },
            Clause {
                body: vec![state(&currents)],
                constraint: relation,
                head: Ok(state(&nexts)),
                span: relation_span,
            },
        ];
        let mut goals = Vec::new();
        for (name, property, span) in self.properties {
            let constraint = arena.not(property);
            let head = Err(GoalId(goals.len()));
            clauses.push(Clause { body: vec![state(&currents)], constraint, head, span });
            goals.push(Goal { name: format!("property {}", shorten(&name)), span });
        }
        let mut system = System {
            form: Form::Vmt,
            arena: self.script.arena,
            predicates: vec![predicate],
            clauses,
            goals,
            inputs: Vec::new(),
            undecided: None,
        };
        system.note_undecided();
        Ok(system)
    }
}

/// Annotations inside of a formula, which would be overlooked.
fn unnoticed(text: Sexpr<'_, '_>) -> Result<()> {
    let mut stack = vec![text];
    while let Some(text) = stack.pop() {
        if let Some(keyword @ (":next" | ":init" | ":trans" | ":invar-property" | ":live-property")) =
            text.keyword()
        {
            let error = text.error(format!("`{keyword}` stands inside of a formula"));
            return Err(error.with_hint("annotate the whole body of a `define-fun`"));
        }
        stack.extend(text.children());
    }
    Ok(())
}
