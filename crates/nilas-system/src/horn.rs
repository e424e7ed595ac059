//! Horn clauses in SMT-LIB.
//!
//! Two forms are read: `declare-fun` and `assert` under `(set-logic HORN)`, as CHC-COMP writes them, and
//! `declare-rel`, `declare-var`, `rule` and `query`. Universal quantifiers may stand wherever they mean the
//! same at the front of the formula, existential ones where they are negated; `let` may stand around them.

use crate::clausify::{Literals, Predicates, clauses};
use crate::quantifiers::matrix;
use crate::script::{Result, Script, commands, exactly, list, shorten, span, split, symbol};
use crate::system::{Atom, Clause, Form, Goal, GoalId, Predicate, PredicateId, System};
use nilas_program::{Diagnostic, Span};
use nilas_term::smtlib::sexpr::Sexpr;
use nilas_term::smtlib::{Definition, ParseError};
use nilas_term::{Op, Sort, SymbolId, Term};
use rustc_hash::FxHashMap;

/// Reads Horn clauses.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read_horn(text: &str) -> std::result::Result<System, Diagnostic> {
    let mut reader = Reader::default();
    for tree in commands(text) {
        let tree = tree?;
        if reader.execute(tree.root())? {
            break;
        }
    }
    reader.finish(text.len()).map_err(Diagnostic::from)
}

/// Whether a script is one of Horn clauses: its logic says so, or it declares relations.
#[must_use]
pub fn is_horn(text: &str) -> bool {
    for tree in commands(text) {
        let Ok(tree) = tree else { return false };
        let Ok((name, parts)) = split(tree.root()) else { return false };
        match name {
            "set-logic" => return parts.first().is_some_and(|logic| logic.symbol() == Some("HORN")),
            "declare-rel" => return true,
            "set-info" | "set-option" | "declare-var" | "declare-sort" | "define-sort" => {}
            _ => return false,
        }
    }
    false
}

/// Whether a script asks for a model.
#[must_use]
pub fn asks_for_model(text: &str) -> bool {
    let trees = commands(text).map_while(std::result::Result::ok);
    trees.into_iter().any(|tree| split(tree.root()).is_ok_and(|(name, _)| name == "get-model"))
}

#[derive(Default)]
struct Reader {
    script: Script,
    predicates: Vec<Predicate>,
    symbols: Vec<SymbolId>,
    ids: FxHashMap<SymbolId, PredicateId>,
    clauses: Vec<Clause>,
    goals: Vec<Goal>,
    /// The goal of all clauses without head.
    falsehood: Option<GoalId>,
    checked: bool,
}

impl Reader {
    /// Runs one command; `true` if it ends the script.
    fn execute(&mut self, command: Sexpr<'_, '_>) -> Result<bool> {
        let (name, parts) = split(command)?;
        let parts = parts.as_slice();
        if self.checked && matches!(name, "assert" | "rule" | "declare-fun" | "declare-rel" | "check-sat") {
            return Err(command.error("one question per file: this stands behind `check-sat`"));
        }
        match name {
            "set-logic" => {
                let [logic] = exactly(command, parts)?;
                let logic_name = symbol(logic)?;
                if !matches!(logic_name, "HORN" | "ALL") {
                    let error = logic.error(format!("the logic is {}, not HORN", shorten(logic_name)));
                    return Err(error.with_hint("`nilas smt` runs other scripts"));
                }
            }
            "declare-fun" | "declare-const" => {
                let (name, arguments, result) =
                    self.script.signature(command, parts, name == "declare-const")?;
                if result != Sort::Bool {
                    let error = name.error("a function that is not a predicate: Horn clauses have none");
                    return Err(error.with_hint("variables of clauses are bound by `forall`"));
                }
                self.declare(name, arguments)?;
            }
            "declare-rel" => {
                let [name, arguments] = exactly(command, parts)?;
                let sorts = list(arguments)?.map(|sort| self.script.parser.parse_sort(sort));
                let sorts = sorts.collect::<Result<_>>()?;
                self.declare(name, sorts)?;
            }
            "declare-var" => {
                let [name, sort] = exactly(command, parts)?;
                let sort = self.script.parser.parse_sort(sort)?;
                let text = self.script.claim(name)?;
                // All rules share it: clauses are closed one by one, whatever their variables are called.
                let body = self.script.arena.fresh_variable("v", &sort);
                self.script.parser.define(&text, Definition { parameters: Vec::new(), body });
            }
            "define-fun" | "define-const" => {
                self.script.definition(command, parts, name == "define-const")?;
            }
            "assert" => {
                let [formula] = exactly(command, parts)?;
                self.assert(formula)?;
            }
            "rule" => {
                let Some(&formula) = parts.first() else { return Err(command.error("formula expected")) };
                // A name may follow.
                if parts.len() > 2 {
                    return Err(parts[2].error("the end of the rule expected"));
                }
                self.assert(formula)?;
            }
            "query" => {
                let Some(&query) = parts.first() else { return Err(command.error("formula expected")) };
                self.query(query)?;
            }
            "check-sat" => self.checked = true,
            "exit" => return Ok(true),
            _ if self.script.common(command, name, parts)? => {}
            _ => return Err(command.error(format!("the command `{}` is not supported", shorten(name)))),
        }
        Ok(false)
    }

    fn declare(&mut self, name: Sexpr<'_, '_>, arguments: Vec<Sort>) -> Result<()> {
        let (text, declared) = self.script.declare(name, arguments, Sort::Bool)?;
        let id = PredicateId(self.predicates.len());
        let parameters = declared.arguments.into_iter().enumerate();
        let parameters = parameters.map(|(index, sort)| (format!("x!{index}"), sort)).collect();
        self.predicates.push(Predicate { name: text, parameters, span: span(&name) });
        self.symbols.push(declared.symbol);
        self.ids.insert(declared.symbol, id);
        Ok(())
    }

    fn assert(&mut self, text: Sexpr<'_, '_>) -> Result<()> {
        let formula = matrix(&mut self.script, text, true)?;
        let where_ = span(&text);
        for literals in self.split(formula, text.offset())? {
            self.clause(&literals, where_, None)?;
        }
        Ok(())
    }

    /// A query is a goal of its own: it asks whether its formula can be derived.
    fn query(&mut self, text: Sexpr<'_, '_>) -> Result<()> {
        // The name of a predicate alone is no formula if it has arguments: it asks for any of its values.
        let named = text.symbol();
        let named = self.predicates.iter().position(|predicate| Some(&*predicate.name) == named);
        let formula = match named {
            Some(id) => self.any(PredicateId(id), text)?,
            None => matrix(&mut self.script, text, false)?,
        };
        let goal = GoalId(self.goals.len());
        let name = text.source().lines().next().unwrap_or_default();
        self.goals.push(Goal { name: shorten(name), span: span(&text) });
        let negated = self.script.arena.not(formula);
        for literals in self.split(negated, text.offset())? {
            self.clause(&literals, span(&text), Some(goal))?;
        }
        Ok(())
    }

    fn any(&mut self, id: PredicateId, text: Sexpr<'_, '_>) -> Result<Term> {
        let parameters = self.predicates[id.0].parameters.clone();
        let symbol = self.symbols[id.0];
        let mut arguments = Vec::new();
        for (_, sort) in &parameters {
            arguments.push(self.script.arena.fresh_variable("v", sort));
        }
        let op = if arguments.is_empty() { Op::Var(symbol) } else { Op::Apply(symbol) };
        self.script.arena.try_mk(op, &arguments).map_err(|error| text.error(error.message))
    }

    fn split(&mut self, formula: Term, offset: usize) -> Result<Vec<Literals>> {
        clauses(&mut self.script.arena, &mut Predicates::new(&self.ids), formula, offset)
    }

    fn atom(&self, term: Term, offset: usize) -> Result<Atom> {
        let arena = &self.script.arena;
        let (Op::Var(symbol) | Op::Apply(symbol)) = arena.op(term) else {
            return Err(ParseError::new(offset, "predicate expected"));
        };
        let predicate = self.ids.get(&symbol).copied();
        let predicate = predicate.ok_or_else(|| ParseError::new(offset, "predicate expected"))?;
        let arguments = arena.children(term).to_vec();
        let mut predicates = Predicates::new(&self.ids);
        if arguments.iter().any(|&argument| predicates.occur(arena, argument)) {
            return Err(ParseError::new(offset, "a predicate stands inside of an argument"));
        }
        Ok(Atom { predicate, arguments })
    }

    fn clause(&mut self, literals: &Literals, span: Span, goal: Option<GoalId>) -> Result<()> {
        let offset = span.start as usize;
        let body = literals.body.iter().map(|&body| self.atom(body, offset)).collect::<Result<_>>()?;
        let head = match (&literals.head[..], goal) {
            (&[], Some(goal)) => Err(goal),
            (&[], None) => {
                let goals = &mut self.goals;
                Err(*self.falsehood.get_or_insert_with(|| {
                    goals.push(Goal { name: "false".into(), span });
                    GoalId(goals.len() - 1)
                }))
            }
            (&[head], None) => Ok(self.atom(head, offset)?),
            (&[_], Some(_)) => return Err(ParseError::new(offset, "a query has no negated predicate")),
            _ => return Err(ParseError::new(offset, "a clause has at most one predicate in its head")),
        };
        let rest = self.script.arena.or(&literals.rest);
        let constraint = self.script.arena.not(rest);
        self.clauses.push(Clause { body, constraint, head, span });
        Ok(())
    }

    fn finish(mut self, end: usize) -> Result<System> {
        if self.clauses.is_empty() && self.predicates.is_empty() {
            return Err(ParseError::new(end, "there are no Horn clauses in this file"));
        }
        if self.goals.is_empty() {
            // Without a query everything may be true.
            self.goals.push(Goal { name: "false".into(), span: Span::default() });
        }
        let mut system = System {
            form: Form::Horn,
            arena: self.script.arena,
            predicates: self.predicates,
            clauses: self.clauses,
            goals: self.goals,
            inputs: Vec::new(),
            undecided: None,
        };
        system.note_undecided();
        Ok(system)
    }
}
