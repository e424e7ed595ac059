//! Recorded scripts, read back as calls of a solver.
//!
//! Plain incremental scripts are read as well: assertion levels become activations. What is left out:
//! `reset`, and scopes of declarations (names mean one thing in the whole script).

use super::{ACTIVATION, ASSUMPTION};
use crate::budget::Budget;
use crate::pipe::{Features, Survey};
use crate::solver::{Activation, Answer, Solver};
use nilas_term::smtlib::sexpr::{Reader, Sexpr};
use nilas_term::smtlib::{Definition, ParseError, TermParser};
use nilas_term::{Arena, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// One call of a solver. Activations are numbered in the order they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Assert for ever.
    Assert(Term),
    /// Make an activation.
    Activation,
    /// Assert under an activation.
    AssertUnder(usize, Term),
    /// Retire an activation.
    Retire(usize),
    /// Check.
    Check {
        /// The activations in force.
        activations: Vec<usize>,
        /// The assumptions.
        assumptions: Vec<Term>,
        /// The answer that the script expects, if it expects one: is it sat?
        expected: Option<bool>,
    },
}

/// A script as calls of a solver.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// Owner of the terms.
    pub arena: Arena,
    /// The calls.
    pub steps: Vec<Step>,
}

impl Stream {
    /// Reads a script.
    ///
    /// # Errors
    /// When a command is malformed, or not one of those that streams are made of.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let mut state = State::default();
        let mut reader = Reader::new(text);
        while let Some(tree) = reader.read()? {
            if state.command(tree.root())? {
                break;
            }
        }
        Ok(state.stream)
    }

    /// How many checks there are.
    #[must_use]
    pub fn queries(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Check { .. })).count()
    }

    /// What the formulas need.
    #[must_use]
    pub fn features(&self) -> Features {
        let (mut survey, mut seen) = (Survey::default(), FxHashSet::default());
        for step in &self.steps {
            match step {
                Step::Assert(term) | Step::AssertUnder(_, term) => survey.add(&self.arena, *term, &mut seen),
                Step::Check { assumptions, .. } => {
                    for &assumption in assumptions {
                        survey.add(&self.arena, assumption, &mut seen);
                    }
                }
                Step::Activation | Step::Retire(_) => {}
            }
        }
        survey.features
    }

    /// Makes the calls, and hands each answer with the number of its step to `answered`, which may read
    /// values and says whether to go on.
    pub fn play<S: Solver>(
        &self,
        solver: &mut S,
        budget: &mut dyn FnMut() -> Budget,
        answered: &mut dyn FnMut(&mut S, usize, &Answer) -> bool,
    ) {
        let arena = &self.arena;
        let mut handles: Vec<Activation> = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            match step {
                Step::Assert(term) => solver.assert(arena, *term),
                Step::Activation => handles.push(solver.activation()),
                Step::AssertUnder(activation, term) => {
                    solver.assert_under(arena, handles[*activation], *term);
                }
                Step::Retire(activation) => solver.retire(handles[*activation]),
                Step::Check { activations, assumptions, .. } => {
                    let named: Vec<Activation> = activations.iter().map(|&it| handles[it]).collect();
                    let answer = solver.check(arena, &named, assumptions, &budget());
                    if !answered(solver, number, &answer) {
                        return;
                    }
                }
            }
        }
    }

    /// The terms in force at a check: asserted, under its activations, and assumed.
    #[must_use]
    pub fn in_force(&self, check: usize) -> Vec<Term> {
        let Some(Step::Check { activations, assumptions, .. }) = self.steps.get(check) else {
            return Vec::new();
        };
        let asserted = self.steps[..check].iter().filter_map(|step| match step {
            Step::Assert(term) => Some(*term),
            Step::AssertUnder(activation, term) if activations.contains(activation) => Some(*term),
            _ => None,
        });
        asserted.chain(assumptions.iter().copied()).collect()
    }
}

#[derive(Default)]
struct State {
    stream: Stream,
    parser: TermParser,
    /// Constants that are activations, by name.
    named: FxHashMap<String, usize>,
    activations: usize,
    /// Constants that stand for assumptions, and what they stand for once that is known.
    assumed: FxHashMap<String, Option<Term>>,
    /// The activation of each assertion level above the first.
    levels: Vec<usize>,
    expected: Option<bool>,
}

impl State {
    /// Takes a command; whether it was the last.
    fn command(&mut self, command: Sexpr<'_, '_>) -> Result<bool, ParseError> {
        let members: Vec<Sexpr<'_, '_>> = command.children().collect();
        let Some((head, rest)) = members.split_first() else {
            return Err(command.error("command expected"));
        };
        match (head.word().unwrap_or_default(), rest) {
            ("exit", _) => return Ok(true),
            ("set-info", [key, value]) if key.keyword() == Some(":status") => {
                self.expected = match value.word() {
                    Some("sat") => Some(true),
                    Some("unsat") => Some(false),
                    _ => None,
                };
            }
            ("set-logic" | "set-info" | "set-option" | "echo", _) => {}
            ("get-value" | "get-model" | "get-info" | "get-unsat-assumptions" | "get-option", _) => {}
            ("declare-sort", [name, ..]) => {
                let name = name.symbol().ok_or_else(|| name.error("name expected"))?;
                self.parser.declare_sort(name);
            }
            ("declare-const", [name, sort]) => self.declare(*name, &[], *sort)?,
            ("declare-fun", [name, arguments, sort]) => {
                let arguments: Vec<_> = arguments.children().collect();
                self.declare(*name, &arguments, *sort)?;
            }
            ("define-fun", [name, parameters, _, body]) => self.define(*name, *parameters, *body)?,
            ("assert", [term]) => self.assert(*term)?,
            ("push", rest) => {
                for _ in 0..count(rest)? {
                    let activation = self.activation();
                    self.levels.push(activation);
                }
            }
            ("pop", rest) => {
                for _ in 0..count(rest)? {
                    let level = self.levels.pop().ok_or_else(|| command.error("nothing to pop"))?;
                    self.stream.steps.push(Step::Retire(level));
                }
            }
            ("check-sat", []) => self.check(&[])?,
            ("check-sat-assuming", [literals]) => {
                let literals: Vec<_> = literals.children().collect();
                self.check(&literals)?;
            }
            _ => return Err(command.error("not a command of a query stream")),
        }
        Ok(false)
    }

    fn activation(&mut self) -> usize {
        self.stream.steps.push(Step::Activation);
        self.activations += 1;
        self.activations - 1
    }

    fn declare(
        &mut self,
        name: Sexpr<'_, '_>,
        arguments: &[Sexpr<'_, '_>],
        sort: Sexpr<'_, '_>,
    ) -> Result<(), ParseError> {
        let symbol = name.symbol().ok_or_else(|| name.error("name expected"))?;
        let sort = self.parser.parse_sort(sort)?;
        let arguments =
            arguments.iter().map(|it| self.parser.parse_sort(*it)).collect::<Result<Vec<Sort>, _>>()?;
        if arguments.is_empty() && sort == Sort::Bool {
            if symbol.starts_with(ACTIVATION) {
                let activation = self.activation();
                self.named.insert(symbol.to_owned(), activation);
                return Ok(());
            }
            if symbol.starts_with(ASSUMPTION) {
                self.assumed.insert(symbol.to_owned(), None);
                return Ok(());
            }
        }
        let declared = self.stream.arena.declare(symbol, arguments, sort);
        declared.map(|_| ()).map_err(|error| name.error(error.message))
    }

    fn define(
        &mut self,
        name: Sexpr<'_, '_>,
        parameters: Sexpr<'_, '_>,
        body: Sexpr<'_, '_>,
    ) -> Result<(), ParseError> {
        let symbol = name.symbol().ok_or_else(|| name.error("name expected"))?;
        let mut locals = Vec::new();
        for parameter in parameters.children() {
            let parts: Vec<_> = parameter.children().collect();
            let [variable, sort] = parts.as_slice() else {
                return Err(parameter.error("`(name sort)` expected"));
            };
            let variable = variable.symbol().ok_or_else(|| variable.error("name expected"))?;
            let sort = self.parser.parse_sort(*sort)?;
            let fresh = self.stream.arena.fresh_variable(variable, &sort);
            locals.push((variable.to_owned(), fresh));
        }
        let body = self.parser.parse_term(&mut self.stream.arena, body, &locals)?;
        let parameters = locals.iter().map(|local| local.1).collect();
        self.parser.define(symbol, Definition { parameters, body });
        Ok(())
    }

    fn term(&mut self, text: Sexpr<'_, '_>) -> Result<Term, ParseError> {
        let term = self.parser.parse_term(&mut self.stream.arena, text, &[])?;
        if *self.stream.arena.sort(term) == Sort::Bool {
            return Ok(term);
        }
        Err(text.error("formula expected"))
    }

    fn assert(&mut self, text: Sexpr<'_, '_>) -> Result<(), ParseError> {
        let members: Vec<Sexpr<'_, '_>> = text.children().take(4).collect();
        match members.as_slice() {
            [head, guard, conclusion] if head.word() == Some("=>") => {
                if let Some(&activation) = guard.symbol().and_then(|name| self.named.get(name)) {
                    let term = self.term(*conclusion)?;
                    self.stream.steps.push(Step::AssertUnder(activation, term));
                    return Ok(());
                }
                if let Some(name) = guard.symbol().filter(|name| self.assumed.contains_key(*name)) {
                    let term = self.term(*conclusion)?;
                    self.assumed.insert(name.to_owned(), Some(term));
                    return Ok(());
                }
            }
            [head, guard] if head.word() == Some("not") => {
                if let Some(&activation) = guard.symbol().and_then(|name| self.named.get(name)) {
                    self.stream.steps.push(Step::Retire(activation));
                    return Ok(());
                }
            }
            _ => {}
        }
        let term = self.term(text)?;
        self.stream.steps.push(match self.levels.last() {
            Some(&level) => Step::AssertUnder(level, term),
            None => Step::Assert(term),
        });
        Ok(())
    }

    fn check(&mut self, literals: &[Sexpr<'_, '_>]) -> Result<(), ParseError> {
        let mut activations = self.levels.clone();
        let mut assumptions = Vec::new();
        for literal in literals {
            if let Some(&activation) = literal.symbol().and_then(|name| self.named.get(name)) {
                activations.push(activation);
            } else if let Some(meaning) = literal.symbol().and_then(|name| self.assumed.get(name)) {
                assumptions.push(meaning.ok_or_else(|| literal.error("it stands for nothing yet"))?);
            } else {
                assumptions.push(self.term(*literal)?);
            }
        }
        let expected = self.expected.take();
        self.stream.steps.push(Step::Check { activations, assumptions, expected });
        Ok(())
    }
}

fn count(rest: &[Sexpr<'_, '_>]) -> Result<u32, ParseError> {
    match rest {
        [] => Ok(1),
        [number] => {
            let count = number.numeral().filter(|count| *count <= 10_000);
            count.ok_or_else(|| number.error("number of levels expected"))
        }
        [_, extra, ..] => Err(extra.error("one number expected")),
    }
}
