//! Simplification on construction.

use crate::arena::Arena;
use crate::float;
use crate::fold;
use crate::op::Op;
use crate::term::Term;
use crate::value::Value;

impl Arena {
    /// The term `op(children)` in normal form.
    pub fn mk(&mut self, op: Op, children: &[Term]) -> Term {
        match (op, children) {
            (Op::And, []) => self.mk_true(),
            (Op::Or, []) => self.mk_false(),
            (Op::And | Op::Or, [single]) => *single,
            _ => match self.fold_constants(op, children) {
                Some(value) => self.constant(value),
                None => match float::simplify(self, op, children) {
                    Some(term) => term,
                    None => self.mk_raw(op, children),
                },
            },
        }
    }

    /// The value of an operator whose children are all constants, where it can be computed.
    fn fold_constants(&self, op: Op, children: &[Term]) -> Option<Value> {
        if op.is_leaf() || matches!(op, Op::Apply(_)) {
            return None;
        }
        let values: Option<Vec<&Value>> = children.iter().map(|&child| self.as_value(child)).collect();
        fold::apply(self, op, &values?)
    }
}
