//! The few rules of arrays and of numbers that go without theory.

use super::rules::Rule;
use crate::arena::Arena;
use crate::op::Op;
use crate::term::Term;
use crate::value::Value;

impl Arena {
    pub(super) fn simplify_select(&mut self, array: Term, index: Term) -> Term {
        let mut rest = array;
        loop {
            match (self.op(rest), self.children(rest)) {
                (Op::Store, &[_, at, element]) if at == index => {
                    self.fire(Rule::SelectHit);
                    return element;
                }
                (Op::Store, &[base, at, _]) if self.is_constant(at) && self.is_constant(index) => {
                    self.fire(Rule::SelectMiss);
                    rest = base;
                }
                (Op::ConstArray(_), &[element]) => {
                    self.fire(Rule::SelectConstant);
                    return element;
                }
                _ => break,
            }
        }
        if let Some(Value::Array(value)) = self.as_value(rest)
            && value.entries.is_empty()
        {
            let element = value.default.clone();
            self.fire(Rule::SelectConstant);
            return self.constant(element);
        }
        if rest == array { self.mk_raw(Op::Select, &[array, index]) } else { self.select(rest, index) }
    }

    pub(super) fn simplify_store(&mut self, array: Term, index: Term, element: Term) -> Term {
        if self.op(element) == Op::Select && self.pair(element) == (array, index) {
            self.fire(Rule::StoreSelect);
            return array;
        }
        if let (Op::Store, &[base, at, _]) = (self.op(array), self.children(array))
            && at == index
        {
            self.fire(Rule::StoreStore);
            return self.store(base, index, element);
        }
        self.mk_raw(Op::Store, &[array, index, element])
    }

    pub(super) fn simplify_number_neg(&mut self, a: Term) -> Term {
        if self.op(a) == Op::Neg {
            self.fire(Rule::NegNeg);
            return self.child(a);
        }
        self.mk_raw(Op::Neg, &[a])
    }

    pub(super) fn simplify_number_comparison(&mut self, op: Op, a: Term, b: Term) -> Term {
        if a == b {
            self.fire(Rule::CompareSameNumber);
            return self.mk_bool(op == Op::Le);
        }
        self.mk_raw(op, &[a, b])
    }
}
