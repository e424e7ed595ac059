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
                self.join_extended(&mut factors);
                factors.sort_by_key(|&factor| self.operand_order(factor));
                match factors[..] {
                    [single] => single,
                    _ => self.raw_chain(Op::BvMul, &factors),
                }
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

    /// Multiplies factors that are extended terms first, as long as their products fit.
    fn join_extended(&mut self, factors: &mut Vec<Term>) {
        let mut first = 0;
        while first < factors.len() {
            let joined = (first + 1..factors.len())
                .find_map(|second| Some((second, self.extended_product(factors[first], factors[second])?)));
            match joined {
                Some((second, product)) => {
                    factors.swap_remove(second);
                    factors[first] = product;
                    first = 0;
                }
                None => first += 1,
            }
        }
    }

    /// The product of extended terms whose bits together are fewer than those of the result: it is computed
    /// with that many bits and extended. An unsigned number beside a signed one counts as a signed one with
    /// one more bit.
    fn extended_product(&mut self, a: Term, b: Term) -> Option<Term> {
        let unsigned = |this: &Self, term| match this.op(term) {
            Op::ZeroExtend(_) => Some(true),
            Op::SignExtend(_) => Some(false),
            _ => None,
        };
        let (a_unsigned, b_unsigned) = (unsigned(self, a)?, unsigned(self, b)?);
        let (x, y) = (self.child(a), self.child(b));
        let signed = !(a_unsigned && b_unsigned);
        let sign_bits = u32::from(signed && a_unsigned) + u32::from(signed && b_unsigned);
        let (width, needed) = (self.width(a), self.width(x) + self.width(y) + sign_bits);
        if needed >= width {
            return None;
        }
        self.fire(Rule::MulExtended);
        let (x, y) = (self.extract(a, needed - 1, 0), self.extract(b, needed - 1, 0));
        let product = self.bv_mul(x, y);
        Some(if signed {
            self.sign_extend(product, width - needed)
        } else {
            self.zero_extend(product, width - needed)
        })
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
