//! Rules of comparisons of bit-vectors.

use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

/// How a term is extended.
enum Extended {
    Zero(Term),
    Sign(Term),
}

impl Arena {
    pub(super) fn simplify_comparison(&mut self, op: Op, a: Term, b: Term) -> Term {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        if a == b {
            self.fire(Rule::CompareSame);
            return self.mk_bool(!strict);
        }
        if self.op(a) == Op::BvNot && (self.op(b) == Op::BvNot || self.is_constant(b))
            || self.op(b) == Op::BvNot && self.is_constant(a)
        {
            self.fire(Rule::CompareComplement);
            let (not_a, not_b) = (self.bv_not(a), self.bv_not(b));
            return self.mk(op, &[not_b, not_a]);
        }
        let rewritten = if self.is_constant(a) || self.is_constant(b) {
            if strict { Some(self.weaken(op, a, b)) } else { self.compare_constant(op, a, b) }
        } else {
            self.compare_extended(op, a, b)
        };
        rewritten.unwrap_or_else(|| self.mk_raw(op, &[a, b]))
    }

    /// A strict comparison with a constant as one that is not.
    fn weaken(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.fire(Rule::CompareStrictConstant);
        let signed = op == Op::BvSlt;
        let weak = if signed { Op::BvSle } else { Op::BvUle };
        let (least, greatest) = range(self.width(a), signed);
        let one = BitVec::one(self.width(a));
        match (self.bv_value(a), self.bv_value(b)) {
            (_, Some(value)) if value == least => self.mk_false(),
            (_, Some(value)) => {
                let value = self.bv_constant(value.sub(&one));
                self.mk(weak, &[a, value])
            }
            (Some(value), _) if value == greatest => self.mk_false(),
            (Some(value), _) => {
                let value = self.bv_constant(value.add(&one));
                self.mk(weak, &[value, b])
            }
            _ => self.mk_raw(op, &[a, b]),
        }
    }

    /// `≤` with a constant on one side.
    fn compare_constant(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let signed = op == Op::BvSle;
        let width = self.width(a);
        let (constant_first, term, value) = match (self.bv_value(a), self.bv_value(b)) {
            (Some(value), _) => (true, b, value),
            (_, Some(value)) => (false, a, value),
            _ => return None,
        };
        let constant = if constant_first { a } else { b };
        // Seen from the constant: the end of the range where the comparison always holds, and the other.
        let (least, greatest) = range(width, signed);
        let one = BitVec::one(width);
        let (weakest, strongest) = if constant_first { (least, greatest) } else { (greatest, least) };
        let next = if constant_first { weakest.add(&one) } else { weakest.sub(&one) };
        if value == weakest {
            self.fire(Rule::CompareTrivial);
            return Some(self.mk_true());
        }
        if value == strongest {
            self.fire(Rule::CompareExtreme);
            return Some(self.eq(term, constant));
        }
        if let Some(rewritten) = self.compare_extended_constant(op, term, &value, constant_first) {
            return Some(rewritten);
        }
        if value == next {
            self.fire(Rule::CompareNextToExtreme);
            let weakest = self.bv_constant(weakest);
            return Some(self.ne(term, weakest));
        }
        if signed {
            return None;
        }
        if constant_first && value == BitVec::min_signed(width) {
            self.fire(Rule::CompareSign);
            return Some(self.sign_test(term, true));
        }
        if !constant_first && value == BitVec::max_signed(width) {
            self.fire(Rule::CompareSign);
            return Some(self.sign_test(term, false));
        }
        None
    }

    fn sign_test(&mut self, term: Term, negative: bool) -> Term {
        let width = self.width(term);
        if negative {
            let ones = self.bv_constant(BitVec::ones(width));
            self.bv_sle(term, ones)
        } else {
            let zero = self.bv(width, 0);
            self.bv_sle(zero, term)
        }
    }

    fn extended(&self, term: Term) -> Option<Extended> {
        match self.op(term) {
            Op::ZeroExtend(_) => Some(Extended::Zero(self.child(term))),
            Op::SignExtend(_) => Some(Extended::Sign(self.child(term))),
            _ => None,
        }
    }

    fn compare_extended_constant(
        &mut self,
        op: Op,
        term: Term,
        value: &BitVec,
        constant_first: bool,
    ) -> Option<Term> {
        let signed = op == Op::BvSle;
        let extended = self.extended(term)?;
        let (Extended::Zero(inner) | Extended::Sign(inner)) = extended;
        let width = self.width(inner);
        let by = value.width() - width;
        let low = value.extract(width - 1, 0);
        let (fits, op) = match extended {
            // What is zero-extended is not negative, so the unsigned order is right if the constant is not
            // either.
            Extended::Zero(_) => (low.zero_extend(by) == *value, Op::BvUle),
            Extended::Sign(_) => (low.sign_extend(by) == *value, op),
        };
        if fits {
            self.fire(Rule::CompareExtendedConstant);
            let low = self.bv_constant(low);
            return Some(if constant_first {
                self.mk(op, &[low, inner])
            } else {
                self.mk(op, &[inner, low])
            });
        }
        self.fire(Rule::CompareOutOfRange);
        if matches!(extended, Extended::Sign(_)) && !signed {
            // The constant lies between the numbers that were not negative and those that were.
            return Some(self.sign_test(inner, constant_first));
        }
        let constant_is_greater = !(signed && value.sign_bit());
        Some(self.mk_bool(constant_is_greater != constant_first))
    }

    /// Comparison of two extended terms.
    fn compare_extended(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let ((Op::ZeroExtend(m), Op::ZeroExtend(n)) | (Op::SignExtend(m), Op::SignExtend(n))) =
            (self.op(a), self.op(b))
        else {
            return None;
        };
        self.fire(Rule::CompareExtended);
        let common = m.min(n);
        let (x, y) = (self.child(a), self.child(b));
        if let Op::SignExtend(_) = self.op(a) {
            let (x, y) = (self.sign_extend(x, m - common), self.sign_extend(y, n - common));
            return Some(self.mk(op, &[x, y]));
        }
        let op = match op {
            Op::BvSlt => Op::BvUlt,
            Op::BvSle => Op::BvUle,
            op => op,
        };
        let (x, y) = (self.zero_extend(x, m - common), self.zero_extend(y, n - common));
        Some(self.mk(op, &[x, y]))
    }
}

/// The least and the greatest number.
fn range(width: u32, signed: bool) -> (BitVec, BitVec) {
    if signed {
        (BitVec::min_signed(width), BitVec::max_signed(width))
    } else {
        (BitVec::zero(width), BitVec::ones(width))
    }
}
