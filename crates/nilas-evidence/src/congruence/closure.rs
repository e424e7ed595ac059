//! Whether truth values of formulas contradict each other because equal operands give equal results.
//!
//! Trusted, and so without cleverness: terms are put into classes, and classes are merged until nothing
//! changes. Two terms are in one class only if they are equal wherever the formulas have these truth values:
//! - a formula of an equality that is true has its operands in one class;
//! - an if-then-else is in the class of the branch that its condition chooses;
//! - an operator at the same sort has one result for operands of the same classes, in any order where that
//!   does not matter;
//! - a conjunction with an operand that is false is false, a disjunction with one that is true is true;
//! - an operator whose operands all have values has the value that the interpreter computes.
//!
//! A class with two values is a contradiction. Values are Booleans and bit-vectors: these are different if
//! they are written differently.

use nilas_term::{Arena, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms with their classes.
struct Closure<'a> {
    arena: &'a Arena,
    /// Children come before parents.
    terms: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    /// A term of the same class; a representative has itself.
    towards: Vec<usize>,
    /// By representative.
    values: Vec<Option<Value>>,
    changed: bool,
}

/// A class with two values.
struct Contradiction;

/// Whether no assignment of the variables gives the formulas these truth values. *No* says nothing.
pub(super) fn contradicts(arena: &Arena, truths: &[(Term, bool)]) -> bool {
    let mut closure = Closure::new(arena, truths.iter().map(|&(formula, _)| formula));
    let given = truths.iter().try_for_each(|&(formula, value)| {
        let number = closure.numbers[&formula];
        closure.has_value(number, Value::Bool(value))
    });
    given.and_then(|()| closure.close()).is_err()
}

impl<'a> Closure<'a> {
    fn new(arena: &'a Arena, formulas: impl Iterator<Item = Term>) -> Self {
        let mut closure = Closure {
            arena,
            terms: Vec::new(),
            numbers: FxHashMap::default(),
            towards: Vec::new(),
            values: Vec::new(),
            changed: true,
        };
        let mut entered: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = formulas.collect();
        while let Some(&term) = stack.last() {
            if closure.numbers.contains_key(&term) {
                stack.pop();
            } else if entered.insert(term) {
                stack.extend_from_slice(arena.children(term));
            } else {
                stack.pop();
                let number = closure.terms.len();
                closure.numbers.insert(term, number);
                closure.terms.push(term);
                closure.towards.push(number);
                closure.values.push(arena.as_value(term).filter(|value| is_plain(value)).cloned());
            }
        }
        closure
    }

    fn class(&self, mut number: usize) -> usize {
        while self.towards[number] != number {
            number = self.towards[number];
        }
        number
    }

    fn has_value(&mut self, number: usize, value: Value) -> Result<(), Contradiction> {
        let class = self.class(number);
        match &self.values[class] {
            Some(known) if *known != value => Err(Contradiction),
            Some(_) => Ok(()),
            None => {
                self.values[class] = Some(value);
                self.changed = true;
                Ok(())
            }
        }
    }

    fn are_equal(&mut self, one: usize, other: usize) -> Result<(), Contradiction> {
        let (one, other) = (self.class(one), self.class(other));
        if one == other {
            return Ok(());
        }
        // The younger one points to the older one: no way becomes a circle.
        let (older, younger) = (one.min(other), one.max(other));
        self.towards[younger] = older;
        self.changed = true;
        match self.values[younger].take() {
            Some(value) => self.has_value(older, value),
            None => Ok(()),
        }
    }

    fn close(&mut self) -> Result<(), Contradiction> {
        while std::mem::take(&mut self.changed) {
            for number in 0..self.terms.len() {
                let class = self.class(number);
                self.towards[number] = class;
            }
            let mut with_value: FxHashMap<(Sort, Value), usize> = FxHashMap::default();
            let mut with_operands: FxHashMap<(Op, Sort, Vec<usize>), usize> = FxHashMap::default();
            for number in 0..self.terms.len() {
                self.look_at(number, &mut with_operands)?;
                if let Some(value) = self.values[self.class(number)].clone() {
                    let sort = self.arena.sort(self.terms[number]).clone();
                    let same = *with_value.entry((sort, value)).or_insert(number);
                    self.are_equal(number, same)?;
                }
            }
        }
        Ok(())
    }

    /// What a term says about classes.
    fn look_at(
        &mut self,
        number: usize,
        with_operands: &mut FxHashMap<(Op, Sort, Vec<usize>), usize>,
    ) -> Result<(), Contradiction> {
        let term = self.terms[number];
        let op = self.arena.op(term);
        let operands: Vec<usize> =
            self.arena.children(term).iter().map(|child| self.class(self.numbers[child])).collect();
        if operands.is_empty() {
            return Ok(());
        }
        match (op, &operands[..]) {
            (Op::Eq, &[left, right]) => {
                if left == right {
                    self.has_value(number, Value::Bool(true))?;
                } else if self.values[self.class(number)] == Some(Value::Bool(true)) {
                    self.are_equal(left, right)?;
                }
            }
            (Op::Ite, &[condition, then, otherwise]) => match self.values[self.class(condition)] {
                Some(Value::Bool(true)) => self.are_equal(number, then)?,
                Some(Value::Bool(false)) => self.are_equal(number, otherwise)?,
                _ => {}
            },
            (Op::And | Op::Or, operands) => {
                // One operand may decide it.
                let deciding = Value::Bool(op == Op::Or);
                let decides = |&operand: &usize| self.values[self.class(operand)].as_ref() == Some(&deciding);
                if operands.iter().any(decides) {
                    self.has_value(number, deciding)?;
                }
            }
            _ => {}
        }
        let values: Option<Vec<&Value>> =
            operands.iter().map(|&operand| self.values[self.class(operand)].as_ref()).collect();
        let computed = values.and_then(|values| nilas_term::apply(self.arena, op, &values));
        if let Some(value) = computed.filter(is_plain) {
            self.has_value(number, value)?;
        }
        let mut operands: Vec<usize> = operands.into_iter().map(|operand| self.class(operand)).collect();
        if commutes(op) {
            operands.sort_unstable();
        }
        let same = *with_operands.entry((op, self.arena.sort(term).clone(), operands)).or_insert(number);
        self.are_equal(number, same)
    }
}

/// Whether the order of operands does not matter.
fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::And | Op::Or | Op::Xor | Op::Eq | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul
    )
}

/// Whether two values of this kind are different if they are written differently.
fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::BitVec(_))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    struct Terms {
        arena: Arena,
        x: Term,
        y: Term,
        three: Term,
    }

    fn terms() -> Terms {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(8)).unwrap());
        let three = arena.bv(8, 3);
        Terms { arena, x, y, three }
    }

    #[test]
    fn equal_operands_have_equal_results() {
        let Terms { mut arena, x, y, three } = terms();
        let same = arena.eq(x, y);
        let (one, other) = (arena.bv_mul(x, x), arena.bv_mul(y, y));
        let squares = arena.eq(one, other);
        assert!(contradicts(&arena, &[(same, true), (squares, false)]));
        assert!(!contradicts(&arena, &[(same, false), (squares, false)]));
        assert!(!contradicts(&arena, &[(same, false), (squares, true)]));
        let (below, other_below) = (arena.bv_ult(one, three), arena.bv_ult(other, three));
        assert!(contradicts(&arena, &[(same, true), (below, true), (other_below, false)]));
        assert!(!contradicts(&arena, &[(same, false), (below, true), (other_below, false)]));
    }

    #[test]
    fn values_differ_and_are_computed_with() {
        let Terms { mut arena, x, y, three } = terms();
        let four = arena.bv(8, 4);
        let (is_three, is_four) = (arena.eq(x, three), arena.eq(x, four));
        assert!(contradicts(&arena, &[(is_three, true), (is_four, true)]));
        assert!(!contradicts(&arena, &[(is_three, true), (is_four, false)]));
        let product = arena.bv_mul(x, y);
        let twelve = arena.bv(8, 12);
        let (is_twelve, y_is_four) = (arena.eq(product, twelve), arena.eq(y, four));
        assert!(contradicts(&arena, &[(is_three, true), (y_is_four, true), (is_twelve, false)]));
        assert!(!contradicts(&arena, &[(is_three, true), (is_twelve, false)]));
    }

    #[test]
    fn conditions_choose_branches() {
        let Terms { mut arena, x, y, three } = terms();
        let condition = arena.bv_ult(x, three);
        let chosen = arena.ite(condition, x, y);
        let (one, other) = (arena.bv_mul(chosen, y), arena.bv_mul(x, y));
        let same = arena.eq(one, other);
        assert!(contradicts(&arena, &[(condition, true), (same, false)]));
        assert!(!contradicts(&arena, &[(condition, false), (same, false)]));
    }

    /// Whatever is called a contradiction has no assignment: all of them are tried.
    #[test]
    fn contradictions_have_no_assignment() {
        let mut arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.variable(name, &Sort::BitVec(2)).unwrap());
        let mut words = vec![x, y, arena.bv(2, 0), arena.bv(2, 3)];
        let mut seed = 17_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        let mut formulas: Vec<Term> = Vec::new();
        for _ in 0..60 {
            let [one, other] = [words[random(words.len())], words[random(words.len())]];
            match random(6) {
                0 => words.push(arena.bv_add(one, other)),
                1 => words.push(arena.bv_mul(one, other)),
                2 if !formulas.is_empty() => {
                    let condition = formulas[random(formulas.len())];
                    words.push(arena.ite(condition, one, other));
                }
                3 => formulas.push(arena.bv_ult(one, other)),
                _ => formulas.push(arena.eq(one, other)),
            }
        }
        let mut refuted = 0;
        for _ in 0..2_000 {
            let some: Vec<(Term, bool)> =
                (0..4).map(|_| (formulas[random(formulas.len())], random(2) == 0)).collect();
            if !contradicts(&arena, &some) {
                continue;
            }
            refuted += 1;
            for (one, other) in (0..4).flat_map(|one| (0..4).map(move |other| (one, other))) {
                let mut model = nilas_term::Model::new();
                for (variable, value) in [(x, one), (y, other)] {
                    let value = arena.bv(2, value);
                    model.set(variable, arena.as_value(value).unwrap().clone());
                }
                let mut evaluator = nilas_term::Evaluator::new(model);
                let holds =
                    some.iter().all(|&(formula, value)| evaluator.holds(&arena, formula) == Ok(value));
                assert!(!holds, "{some:?} at {one}, {other}");
            }
        }
        assert!((100..1_900).contains(&refuted), "{refuted}");
    }
}
