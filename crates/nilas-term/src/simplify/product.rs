//! Rules of multiplication.

use super::LIMIT;
use super::linear::Linear;
use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_bv_mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, c) = self.split_factor(a);
        let (b, d) = self.split_factor(b);
        let factor = c.mul(&d);
        if factor.is_zero() {
            self.fire(Rule::MulZero);
            return self.bv_constant(factor);
        }
        let product = match (a, b) {
            (None, None) => return self.bv_constant(factor),
            (Some(single), None) | (None, Some(single)) => single,
            (Some(a), Some(b)) => {
                let mut factors = self.chain(Op::BvMul, a).unwrap_or_else(|| vec![a]);
                factors.extend(self.chain(Op::BvMul, b).unwrap_or_else(|| vec![b]));
                if factors.len() > LIMIT {
                    factors = vec![a, b];
                } else if factors.len() > 2 {
                    self.fire(Rule::MulSort);
                }
                factors.sort_by_key(|&factor| self.operand_order(factor));
                self.raw_chain(Op::BvMul, &factors)
            }
        };
        if !factor.is_one() {
            self.fire(Rule::MulConstant);
        }
        let mut sum = Linear::new(width);
        self.add_multiple(&mut sum, product, &factor);
        match self.linear_term(sum) {
            Some(term) => term,
            None if factor.is_one() => product,
            None => {
                let factor = self.bv_constant(factor);
                self.mk_raw(Op::BvMul, &[product, factor])
            }
        }
    }

    /// A multiple as what is multiplied, `None` for a constant, and the factor.
    fn split_factor(&self, term: Term) -> (Option<Term>, BitVec) {
        let one = BitVec::one(self.width(term));
        match self.op(term) {
            Op::Const(_) => (None, self.bv_value(term).unwrap_or(one)),
            Op::BvNeg => (Some(self.child(term)), one.neg()),
            Op::BvMul => {
                let (left, right) = self.pair(term);
                match self.as_bitvec(right) {
                    Some(value) => (Some(left), value.clone()),
                    None => (Some(term), one),
                }
            }
            _ => (Some(term), one),
        }
    }
}
