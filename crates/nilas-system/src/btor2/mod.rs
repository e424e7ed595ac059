//! BTOR2: word-level transition systems, one node per line.
//!
//! All values are bit-vectors or arrays; truth is a bit. An input, and a state without `next`, is chosen
//! anew at every step. Constraints hold at every step, the one with the bad state included.

mod operators;
mod witness;

pub use witness::witness;

use crate::script::shorten;
use crate::system::{Atom, Clause, Form, Goal, GoalId, Predicate, PredicateId, System};
use nilas_program::{Diagnostic, Span};
use nilas_term::{Arena, BitVec, MAX_WIDTH, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, Diagnostic>;

/// A word of a line, with its place.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    start: usize,
}

impl Word<'_> {
    fn error(self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Span::of_text(self.start, self.start + self.text.len()), message)
    }
}

/// What a number stands for.
#[derive(Clone, Debug)]
enum Node {
    Sort(Sort),
    Value(Term),
    /// `bad`, `init` and the like: nothing refers to them.
    Nothing,
}

struct StateLine {
    current: Term,
    name: String,
    initial: Option<Term>,
    next: Option<Term>,
}

/// Reads a transition system.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read_btor2(text: &str) -> Result<System> {
    let mut reader = Reader::default();
    let mut offset = 0;
    for line in text.split('\n') {
        reader.line(line, offset)?;
        offset += line.len() + 1;
    }
    reader.finish(text.len())
}

#[derive(Default)]
struct Reader {
    arena: Arena,
    nodes: BTreeMap<u64, Node>,
    last: u64,
    states: Vec<StateLine>,
    /// Which of them a variable is.
    state_of: FxHashMap<Term, usize>,
    inputs: Vec<Term>,
    constraints: Vec<Term>,
    bad: Vec<(Term, String, Span)>,
}

impl Reader {
    fn line(&mut self, line: &str, offset: usize) -> Result<()> {
        let content = line.split(';').next().unwrap_or_default();
        let words: Vec<Word<'_>> = content
            .split_ascii_whitespace()
            .map(|text| Word { text, start: offset + (text.as_ptr() as usize - line.as_ptr() as usize) })
            .collect();
        let (Some(&number), Some(&op)) = (words.first(), words.get(1)) else {
            return match words.first() {
                None => Ok(()),
                Some(word) => Err(word.error("a number and an operator expected")),
            };
        };
        let id: u64 = number.text.parse().map_err(|_| number.error("the number of a node expected"))?;
        if id <= self.last {
            let message = format!("numbers of nodes grow: {} or more expected", self.last + 1);
            return Err(number.error(message));
        }
        self.last = id;
        let node =
            self.node(op, &words[2..], Span::of_text(number.start, offset + content.trim_end().len()))?;
        self.nodes.insert(id, node);
        Ok(())
    }

    fn node(&mut self, op: Word<'_>, rest: &[Word<'_>], span: Span) -> Result<Node> {
        let part = |index: usize| -> Result<Word<'_>> {
            rest.get(index).copied().ok_or_else(|| op.error(format!("`{}` needs more arguments", op.text)))
        };
        match op.text {
            "sort" => return self.sort(op, rest).map(Node::Sort),
            "input" | "state" => {
                let sort = self.sort_at(part(0)?)?;
                let name = match rest.get(1) {
                    Some(name) => name.text.to_owned(),
                    None => format!("{}{}", if op.text == "input" { "input" } else { "state" }, self.last),
                };
                let variable = self.variable(&name, &sort);
                if op.text == "input" {
                    self.inputs.push(variable);
                } else {
                    self.state_of.insert(variable, self.states.len());
                    self.states.push(StateLine { current: variable, name, initial: None, next: None });
                }
                return Ok(Node::Value(variable));
            }
            "init" | "next" => {
                let sort = self.sort_at(part(0)?)?;
                let (state, value) = (self.value(part(1)?)?, self.value(part(2)?)?);
                let value = self.as_sort(part(2)?, value, &sort, op.text == "init")?;
                let found = self.state_of.get(&state).and_then(|&index| self.states.get_mut(index));
                let Some(found) = found else { return Err(part(1)?.error("the number of a state expected")) };
                if *self.arena.sort(state) != sort {
                    return Err(part(0)?.error("the sort is not that of the state"));
                }
                let slot = if op.text == "init" { &mut found.initial } else { &mut found.next };
                if slot.replace(value).is_some() {
                    return Err(op.error(format!("a second `{}` of this state", op.text)));
                }
            }
            "bad" | "constraint" => {
                let value = self.value(part(0)?)?;
                let formula = self.truth(part(0)?, value)?;
                if op.text == "bad" {
                    let name =
                        rest.get(1).map_or_else(|| format!("b{}", self.bad.len()), |name| name.text.into());
                    self.bad.push((formula, name, span));
                } else {
                    self.constraints.push(formula);
                }
            }
            "output" | "fair" => {
                self.value(part(0)?)?;
            }
            "justice" => return Err(op.error("`justice` is not supported: only bad states are decided")),
            _ => {
                let sort = self.sort_at(part(0)?)?;
                let term = operators::term(self, op, &sort, &rest[1..])?;
                let found = self.arena.sort(term);
                if *found != sort {
                    return Err(part(0)?.error(format!("`{}` has sort {found} here, not {sort}", op.text)));
                }
                return Ok(Node::Value(term));
            }
        }
        Ok(Node::Nothing)
    }

    fn variable(&mut self, name: &str, sort: &Sort) -> Term {
        let plain = !name.contains(['|', '\\', '\'']) && self.arena.lookup(name).is_none();
        let made = if plain { self.arena.variable(name, sort).ok() } else { None };
        made.unwrap_or_else(|| self.arena.fresh_variable("node", sort))
    }

    fn sort(&mut self, op: Word<'_>, rest: &[Word<'_>]) -> Result<Sort> {
        match rest {
            [kind, width, ..] if kind.text == "bitvec" => match width.text.parse() {
                Ok(width) if width > 0 && width <= MAX_WIDTH => Ok(Sort::BitVec(width)),
                _ => Err(width.error(format!("a width from 1 to {MAX_WIDTH} expected"))),
            },
            [kind, index, element, ..] if kind.text == "array" => {
                Ok(Sort::array(self.sort_at(*index)?, self.sort_at(*element)?))
            }
            [kind, ..] => Err(kind.error("`bitvec WIDTH` or `array INDEX ELEMENT` expected")),
            [] => Err(op.error("`sort` needs more arguments")),
        }
    }

    fn sort_at(&self, word: Word<'_>) -> Result<Sort> {
        let number: Option<u64> = word.text.parse().ok();
        match number.and_then(|number| self.nodes.get(&number)) {
            Some(Node::Sort(sort)) => Ok(sort.clone()),
            _ => Err(word.error("the number of a sort expected")),
        }
    }

    fn value(&mut self, word: Word<'_>) -> Result<Term> {
        let number: Option<i64> = word.text.parse().ok();
        let node = number.and_then(|number| self.nodes.get(&number.unsigned_abs()));
        let Some(&Node::Value(term)) = node else {
            return Err(word.error("the number of an earlier value expected"));
        };
        if number.is_some_and(|number| number < 0) {
            if !matches!(self.arena.sort(term), Sort::BitVec(_)) {
                return Err(word.error("an array cannot be negated"));
            }
            return Ok(self.arena.bv_not(term));
        }
        Ok(term)
    }

    /// A value of a sort; for an array, a bit-vector may stand for all of its elements.
    fn as_sort(&mut self, word: Word<'_>, value: Term, sort: &Sort, spread: bool) -> Result<Term> {
        let found = self.arena.sort(value);
        if found == sort {
            return Ok(value);
        }
        if let Sort::Array(array) = sort
            && spread
            && array.element == *found
        {
            let id = self.arena.sort_id(sort);
            return self
                .arena
                .try_mk(Op::ConstArray(id), &[value])
                .map_err(|error| word.error(error.message));
        }
        Err(word.error(format!("a value of sort {sort} expected, {found} found")))
    }

    /// The formula that a bit is one.
    fn truth(&mut self, word: Word<'_>, value: Term) -> Result<Term> {
        if *self.arena.sort(value) != Sort::BitVec(1) {
            return Err(word.error("a bit expected"));
        }
        let one = self.arena.constant(Value::BitVec(BitVec::ones(1)));
        Ok(self.arena.eq(value, one))
    }

    fn finish(mut self, end: usize) -> Result<System> {
        let end = Span::of_text(end, end);
        if self.states.is_empty() && self.inputs.is_empty() && self.bad.is_empty() {
            return Err(Diagnostic::error(end, "there is no BTOR2 model in this file"));
        }
        if self.bad.is_empty() {
            return Err(Diagnostic::error(end, "there is no `bad` in this file"));
        }
        let currents: Vec<Term> = self.states.iter().map(|state| state.current).collect();
        let inputs: FxHashSet<Term> = self.inputs.iter().copied().collect();
        let mut initial = Vec::new();
        for state in &self.states {
            let Some(value) = state.initial else { continue };
            if self.arena.free_variables(value).iter().any(|free| inputs.contains(free)) {
                let message = format!("the initial value of `{}` depends on an input", shorten(&state.name));
                return Err(Diagnostic::error(end, message));
            }
            initial.push(self.arena.eq(state.current, value));
        }
        let initial = self.arena.and(&initial);
        let constraint = self.arena.and(&self.constraints);
        let mut nexts = Vec::new();
        for state in &self.states {
            let sort = self.arena.sort(state.current).clone();
            nexts.push(match state.next {
                Some(next) => next,
                None => self.arena.fresh_variable("next", &sort),
            });
        }
        let parameters = self.states.iter().zip(&currents).map(|(state, &current)| {
            // The name of the variable, which differs from the state's where that is no name for one.
            (self.arena.name(current).unwrap_or(&state.name).to_owned(), self.arena.sort(current).clone())
        });
        let predicate =
            Predicate { name: "state".into(), parameters: parameters.collect(), span: Span::default() };
        let state = |arguments: &[Term]| Atom { predicate: PredicateId(0), arguments: arguments.to_vec() };
        let mut clauses = vec![
            Clause {
                body: Vec::new(),
                constraint: initial,
                head: Ok(state(&currents)),
                span: Span::default(),
            },
            Clause {
                body: vec![state(&currents)],
                constraint,
                head: Ok(state(&nexts)),
                span: Span::default(),
            },
        ];
        let mut goals = Vec::new();
        for (formula, name, span) in self.bad {
            let constraint = self.arena.and(&[formula, constraint]);
            clauses.push(Clause {
                body: vec![state(&currents)],
                constraint,
                head: Err(GoalId(goals.len())),
                span,
            });
            goals.push(Goal { name: shorten(&name), span });
        }
        let names = self.inputs.iter().map(|&input| self.arena.name(input).unwrap_or_default().to_owned());
        let input_names = names.collect();
        Ok(System {
            form: Form::Btor2,
            arena: self.arena,
            predicates: vec![predicate],
            clauses,
            goals,
            inputs: input_names,
            undecided: None,
        })
    }
}
