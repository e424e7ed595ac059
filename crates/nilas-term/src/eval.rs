//! Evaluation of terms under a model.
//!
//! Exact for Booleans, bit-vectors, arrays, floats, integers and reals. All subterms are evaluated, also in
//! the branch of an if-then-else that is not taken; each once. Traversal is iterative.

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
        self.values.insert(variable, normal(value));
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
        Model { values: values.into_iter().map(|(variable, value)| (variable, normal(value))).collect() }
    }
}

/// Values from outside may be written with a default that equality does not expect.
fn normal(value: Value) -> Value {
    match value {
        Value::Array(array) if !array.is_normal() => {
            let ArrayValue { sort, default, entries } = (*array).clone();
            Value::Array(Arc::new(ArrayValue::new(sort, default, entries)))
        }
        value => value,
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

/// A larger memory of values is given back rather than cleared.
const SLOTS: usize = 1 << 10;

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

    /// Changes the value of a variable. What was remembered stays if none of it read the variable: a term is
    /// remembered only together with all its subterms, so a variable that is not remembered was not read.
    pub fn set(&mut self, variable: Term, value: Value) {
        if self.memo.contains_key(&variable) {
            self.forget();
        }
        self.model.set(variable, value);
    }

    fn forget(&mut self) {
        // Clearing touches every slot: one large term must not make all later assignments slow.
        if self.memo.capacity() > SLOTS {
            self.memo = FxHashMap::default();
        } else {
            self.memo.clear();
        }
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::smtlib::{parse_term, print_value};
    use crate::sort::Sort;

    fn arena() -> Arena {
        let mut arena = Arena::new();
        arena.variable("x", &Sort::BitVec(8)).unwrap();
        arena.variable("n", &Sort::Int).unwrap();
        arena.variable("r", &Sort::Real).unwrap();
        arena.variable("f", &Sort::FLOAT32).unwrap();
        arena.variable("a", &Sort::array(Sort::BitVec(1), Sort::BitVec(8))).unwrap();
        arena
    }

    #[track_caller]
    fn value(text: &str, assignments: &[(&str, &str)]) -> Result<String, EvalError> {
        let mut arena = arena();
        let mut model = Model::new();
        for (name, value) in assignments {
            let (variable, value) =
                (parse_term(&mut arena, name).unwrap(), parse_term(&mut arena, value).unwrap());
            model.set(variable, arena.as_value(value).unwrap().clone());
        }
        let term = parse_term(&mut arena, text).unwrap();
        Evaluator::new(model).eval(&arena, term).map(|value| print_value(&value))
    }

    #[test]
    fn numbers_follow_smt_lib() {
        for (text, n, wanted) in [
            ("(div n 3)", "(- 7)", "(- 3)"),
            ("(mod n 3)", "(- 7)", "2"),
            ("(div n (- 3))", "(- 7)", "3"),
            ("(mod n (- 3))", "(- 7)", "2"),
            ("(abs n)", "(- 7)", "7"),
            ("(+ n n (* n 2))", "(- 7)", "(- 28)"),
            ("(< n 0)", "(- 7)", "true"),
            ("((_ divisible 7) n)", "(- 14)", "true"),
            ("(to_real n)", "3", "3.0"),
        ] {
            assert_eq!(value(text, &[("n", n)]).as_deref(), Ok(wanted), "{text}");
        }
        for (text, r, wanted) in [
            ("(to_int r)", "(- 1.5)", "(- 2)"),
            ("(is_int r)", "2.5", "false"),
            ("(/ r 3)", "1.0", "(/ 1.0 3.0)"),
            ("(<= r 0.5)", "0.25", "true"),
        ] {
            assert_eq!(value(text, &[("r", r)]).as_deref(), Ok(wanted), "{text}");
        }
        assert_eq!(value("(div n 0)", &[("n", "1")]), Err(EvalError::Unsupported(Op::IntDiv)));
        assert_eq!(value("(fp.abs f)", &[("f", "(_ NaN 8 24)")]).as_deref(), Ok("(_ NaN 8 24)"));
        // Its real would have half a billion bits.
        let largest = value("(fp.to_real (fp #b0 #b111111111111111111111111111110 x))", &[("x", "#x01")]);
        assert_eq!(largest, Err(EvalError::Unsupported(Op::FpToReal)));
    }

    /// Both indices of a one-bit array overwritten: equal arrays, whatever was there before.
    #[test]
    fn arrays_over_small_indices_are_equal_if_their_elements_are() {
        let all = "(= (store (store a #b0 #x01) #b1 #x02)
                      (store ((as const (Array (_ BitVec 1) (_ BitVec 8))) #x02) #b0 #x01))";
        for old in ["#x00", "#x01", "#x02"] {
            let old = format!("((as const (Array (_ BitVec 1) (_ BitVec 8))) {old})");
            assert_eq!(value(all, &[("a", &old)]).as_deref(), Ok("true"), "{old}");
        }
        let some = "(= (store a #b0 #x01) ((as const (Array (_ BitVec 1) (_ BitVec 8))) #x01))";
        let old = "((as const (Array (_ BitVec 1) (_ BitVec 8))) #x00)";
        assert_eq!(value(some, &[("a", old)]).as_deref(), Ok("false"));
    }

    #[test]
    fn variables_without_value_are_refused_or_default() {
        let mut arena = arena();
        let x = parse_term(&mut arena, "x").unwrap();
        let term = parse_term(&mut arena, "(bvadd x #x01)").unwrap();
        let mut evaluator = Evaluator::new(Model::new());
        assert_eq!(evaluator.eval(&arena, term), Err(EvalError::Unassigned(x)));
        let mut evaluator = evaluator.with_defaults();
        assert_eq!(evaluator.eval(&arena, term).map(|value| print_value(&value)).as_deref(), Ok("#x01"));
        evaluator.set(x, crate::BitVec::new(8, 9).into());
        assert_eq!(evaluator.eval(&arena, term).map(|value| print_value(&value)).as_deref(), Ok("#x0a"));
    }
}
