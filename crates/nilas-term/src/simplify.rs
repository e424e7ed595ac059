//! Simplification on construction.

use crate::arena::Arena;
use crate::op::Op;
use crate::term::Term;

impl Arena {
    /// The term `op(children)` in normal form.
    pub fn mk(&mut self, op: Op, children: &[Term]) -> Term {
        match (op, children) {
            (Op::And, []) => self.mk_true(),
            (Op::Or, []) => self.mk_false(),
            (Op::And | Op::Or, [single]) => *single,
            _ => self.mk_raw(op, children),
        }
    }
}
