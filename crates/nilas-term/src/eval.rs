//! Evaluation of terms under a model.
//!
//! Exact for Booleans, bit-vectors, arrays, floats, integers and reals. All subterms are evaluated, also in the
//! branch of an if-then-else that is not taken; each once. Traversal is iterative.

use crate::arena::Arena;
use crate::array_value::ArrayValue;
use crate::fold;
use crate::op::Op;
use crate::term::Term;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Values of variables. Applications of uninterpreted functions may have values too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    /// The model that assigns nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a variable a value, which has the variable's sort.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// All variables with their values, by id.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(&variable, value)| (variable, value))
    }

    /// Number of variables with a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no variable has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(Term, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(values: I) -> Self {
        Model { values: values.into_iter().collect() }
    }
}

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The model does not say what this variable, or application of a function, is.
    Unassigned(Term),
    /// The operator cannot be evaluated, on these arguments at least (division of a number by zero).
    Unsupported(Op),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unassigned(term) => write!(f, "the variable {term:?} has no value"),
            EvalError::Unsupported(op) => write!(f, "the operator {op:?} cannot be evaluated"),
        }
    }
}

impl std::error::Error for EvalError {}

/// Evaluates terms of one arena under one model; remembers the values of all subterms.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    model: Model,
    defaults: bool,
    memo: FxHashMap<Term, Value>,
    stack: Vec<Term>,
}

impl Evaluator {
    /// An evaluator that refuses variables without a value.
    #[must_use]
    pub fn new(model: Model) -> Self {
        Evaluator { model, ..Self::default() }
    }

    /// The same, but variables without a value have [`Value::default_of`] their sort.
    #[must_use]
    pub fn with_defaults(mut self) -> Self {
        self.defaults = true;
        self.memo.clear();
        self
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Changes the value of a variable.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.model.set(variable, value);
        self.memo.clear();
    }

    /// The value of a term.
    ///
    /// # Errors
    /// When a variable has no value, or an operator none on its arguments.
    pub fn eval(&mut self, arena: &Arena, term: Term) -> Result<Value, EvalError> {
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if self.memo.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let children = arena.children(top);
            let before = self.stack.len();
            self.stack.extend(children.iter().filter(|child| !self.memo.contains_key(child)));
            if self.stack.len() > before {
                continue;
            }
            let value = self.step(arena, top, children)?;
            self.memo.insert(top, value);
            self.stack.pop();
        }
        Ok(self.memo[&term].clone())
    }

    /// The truth value of a Boolean term.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn holds(&mut self, arena: &Arena, term: Term) -> Result<bool, EvalError> {
        Ok(self.eval(arena, term)?.as_bool() == Some(true))
    }

    fn step(&self, arena: &Arena, term: Term, children: &[Term]) -> Result<Value, EvalError> {
        let op = arena.op(term);
        match op {
            Op::Var(_) | Op::Apply(_) => match self.model.get(term) {
                // Values from outside may be written with a default that equality does not expect.
                Some(Value::Array(array)) => Ok(Value::Array(Arc::new(ArrayValue::new(
                    array.sort.clone(),
                    array.default.clone(),
                    array.entries.clone(),
                )))),
                Some(value) => Ok(value.clone()),
                None if self.defaults => Ok(Value::default_of(arena.sort(term))),
                None => Err(EvalError::Unassigned(term)),
            },
            _ => {
                let memo = &self.memo;
                let value = match children {
                    [] => fold::apply(arena, op, &[]),
                    [one] => fold::apply(arena, op, &[&memo[one]]),
                    [one, two] => fold::apply(arena, op, &[&memo[one], &memo[two]]),
                    _ => {
                        let values: Vec<&Value> = children.iter().map(|child| &memo[child]).collect();
                        fold::apply(arena, op, &values)
                    }
                };
                value.ok_or(EvalError::Unsupported(op))
            }
        }
    }
}
