//! Rules of equality.

use super::linear::Linear;
use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            self.fire(Rule::EqSame);
            return self.mk_true();
        }
        let (a, b) = self.ordered(a, b);
        match self.sort(a) {
            Sort::Bool => self.simplify_iff(a, b),
            Sort::BitVec(width) => {
                let width = *width;
                let rewritten = self
                    .eq_of_constant_ites(a, b)
                    .or_else(|| self.eq_linear(width, a, b))
                    .or_else(|| match self.bv_value(b) {
                        Some(value) => self.eq_constant(width, a, &value),
                        None => self.eq_terms(width, a, b),
                    });
                rewritten.unwrap_or_else(|| self.mk_raw(Op::Eq, &[a, b]))
            }
            _ => self.mk_raw(Op::Eq, &[a, b]),
        }
    }

    fn simplify_iff(&mut self, a: Term, b: Term) -> Term {
        if let Some(value) = self.as_bool(b) {
            self.fire(Rule::EqBoolConstant);
            return if value { a } else { self.not(a) };
        }
        let (negative_a, negative_b) = (self.is_negative(a), self.is_negative(b));
        if !negative_a && !negative_b {
            return self.mk_raw(Op::Eq, &[a, b]);
        }
        self.fire(Rule::EqBoolNegation);
        let a = if negative_a { self.not(a) } else { a };
        let b = if negative_b { self.not(b) } else { b };
        let equal = self.eq(a, b);
        if negative_a == negative_b { equal } else { self.not(equal) }
    }

    fn eq_of_constant_ites(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.op(a) != Op::Ite || self.op(b) != Op::Ite {
            return None;
        }
        let (&[c, k, l], &[d, m, n]) = (self.children(a), self.children(b)) else { return None };
        if !self.is_constant(k) || !self.is_constant(l) {
            return None;
        }
        if k == m && l == n {
            self.fire(Rule::EqConstantItes);
            return Some(self.eq(c, d));
        }
        if k == n && l == m {
            self.fire(Rule::EqConstantItes);
            return Some(self.ne(c, d));
        }
        None
    }

    fn is_linear(&self, term: Term) -> bool {
        match self.op(term) {
            Op::BvAdd | Op::BvNeg | Op::BvNot => true,
            Op::BvMul => self.is_constant(self.pair(term).1),
            _ => false,
        }
    }

    /// Brings an equality of sums into the form `Σ = Σ + constant` without common summands. With one bit,
    /// where every number is its own negative, there is nothing to gain.
    fn eq_linear(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if width == 1 || !self.is_linear(a) && !self.is_linear(b) {
            return None;
        }
        let mut sum = Linear::new(width);
        self.add_multiple(&mut sum, a, &BitVec::one(width));
        self.add_multiple(&mut sum, b, &BitVec::ones(width));
        self.settle_sums(&mut sum);
        sum.monomials.sort_by_key(|(atom, _)| *atom);
        let Some((first, factor)) = sum.monomials.first() else {
            self.fire(Rule::EqLinear);
            return Some(self.mk_bool(sum.constant.is_zero()));
        };
        if sum.monomials.len() == 1 {
            let (atom, factor) = (*first, factor.clone());
            return self.eq_monomial(width, (a, b), atom, &factor, &sum.constant.neg());
        }
        // The factor of the oldest term is positive, where a factor can be.
        if is_positive(&factor.neg()) && !is_positive(factor) {
            for (_, factor) in &mut sum.monomials {
                *factor = factor.neg();
            }
            sum.constant = sum.constant.neg();
        }
        let (mut left, mut right) = (Linear::new(width), Linear::new(width));
        for (atom, factor) in &sum.monomials {
            if is_positive(factor) {
                left.add_atom(*atom, factor);
            } else {
                right.add_atom(*atom, &factor.neg());
            }
        }
        right.constant = sum.constant.neg();
        let (left, right) = (self.linear_term(left)?, self.linear_term(right)?);
        if self.ordered(left, right) == (a, b) {
            return None;
        }
        self.fire(Rule::EqLinear);
        Some(self.eq(left, right))
    }

    /// `factor·atom = value`.
    fn eq_monomial(
        &mut self,
        width: u32,
        known: (Term, Term),
        atom: Term,
        factor: &BitVec,
        value: &BitVec,
    ) -> Option<Term> {
        let zeros = factor.trailing_zeros();
        let inverse = odd_inverse(&factor.lshr_by(zeros));
        if zeros == 0 {
            let value = self.bv_constant(value.mul(&inverse));
            if (atom, value) == known {
                return None;
            }
            self.fire(Rule::EqOddFactor);
            return Some(self.eq(atom, value));
        }
        if value.trailing_zeros() < zeros {
            self.fire(Rule::EqEvenFactorFalse);
            return Some(self.mk_false());
        }
        self.fire(Rule::EqEvenFactor);
        let low = self.extract(atom, width - 1 - zeros, 0);
        let value = value.lshr_by(zeros).mul(&inverse).extract(width - 1 - zeros, 0);
        let value = self.bv_constant(value);
        Some(self.eq(low, value))
    }

    fn eq_constant(&mut self, width: u32, a: Term, value: &BitVec) -> Option<Term> {
        if width == 1 {
            if self.op(a) == Op::BvNot {
                self.fire(Rule::EqOneBitNegation);
                let flipped = self.bv_constant(value.not());
                let inner = self.child(a);
                return Some(self.eq(inner, flipped));
            }
            if value.is_zero() {
                self.fire(Rule::EqOneBit);
                let one = self.bv(1, 1);
                return Some(self.ne(a, one));
            }
        }
        match self.op(a) {
            op @ (Op::ZeroExtend(by) | Op::SignExtend(by)) => {
                let inner = self.child(a);
                let low = value.extract(width - by - 1, 0);
                let fits = match op {
                    Op::ZeroExtend(_) => low.zero_extend(by) == *value,
                    _ => low.sign_extend(by) == *value,
                };
                if !fits {
                    self.fire(Rule::EqExtendFalse);
                    return Some(self.mk_false());
                }
                self.fire(Rule::EqExtend);
                let low = self.bv_constant(low);
                Some(self.eq(inner, low))
            }
            Op::Extract { hi, lo } if hi == lo && hi + 1 == self.width(self.child(a)) && hi > 0 => {
                // Comparison with 0 has become one with 1 above.
                self.fire(Rule::EqSignBit);
                let whole = self.child(a);
                let ones = self.bv_constant(BitVec::ones(hi + 1));
                Some(self.bv_sle(whole, ones))
            }
            Op::Concat => self.eq_concat_constant(a, value),
            Op::BvXor => self.eq_xor_constant(a, value),
            Op::BvAnd => {
                let (x, mask) = self.pair(a);
                let mask = self.bv_value(mask)?;
                if !value.and(&mask.not()).is_zero() {
                    self.fire(Rule::EqMaskBitFalse);
                    return Some(self.mk_false());
                }
                let bit = mask.power_of_two()?;
                self.fire(Rule::EqMaskBit);
                let tested = self.extract(x, bit, bit);
                let wanted = self.bv(1, u64::from(!value.is_zero()));
                Some(self.eq(tested, wanted))
            }
            _ => None,
        }
    }

    /// Splits off the constant parts of a concatenation.
    fn eq_concat_constant(&mut self, a: Term, value: &BitVec) -> Option<Term> {
        let leaves = self.concat_leaves(a)?;
        if !leaves.iter().any(|&leaf| self.is_constant(leaf)) {
            return None;
        }
        self.fire(Rule::EqConcat);
        let mut equalities = Vec::new();
        let mut run: Vec<Term> = Vec::new();
        let mut low = self.width(a);
        let mut run_high = low;
        for leaf in leaves {
            let high = low;
            low -= self.width(leaf);
            match self.as_bitvec(leaf) {
                Some(constant) => {
                    if *constant != value.extract(high - 1, low) {
                        return Some(self.mk_false());
                    }
                    if let Some(part) = self.concat_all(&run) {
                        let wanted = self.bv_constant(value.extract(run_high - 1, high));
                        equalities.push(self.eq(part, wanted));
                    }
                    run.clear();
                    run_high = low;
                }
                None => run.push(leaf),
            }
        }
        if let Some(part) = self.concat_all(&run) {
            let wanted = self.bv_constant(value.extract(run_high - 1, 0));
            equalities.push(self.eq(part, wanted));
        }
        Some(self.and(&equalities))
    }

    fn eq_xor_constant(&mut self, a: Term, value: &BitVec) -> Option<Term> {
        let (x, y) = self.pair(a);
        if let Some(constant) = self.bv_value(y) {
            self.fire(Rule::EqXor);
            let value = self.bv_constant(constant.xor(value));
            return Some(self.eq(x, value));
        }
        if value.is_zero() && self.op(x) != Op::BvXor {
            self.fire(Rule::EqXor);
            return Some(self.eq(x, y));
        }
        None
    }

    fn eq_terms(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        if width == 1 && (self.op(a) == Op::BvNot || self.op(b) == Op::BvNot) {
            self.fire(Rule::EqOneBitNegation);
            let (positive, other) =
                if self.op(a) == Op::BvNot { (self.child(a), b) } else { (self.child(b), a) };
            return Some(self.ne(positive, other));
        }
        match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(m), Op::ZeroExtend(n)) => {
                self.fire(Rule::EqExtend);
                let common = m.min(n);
                let (x, y) = (self.child(a), self.child(b));
                let (x, y) = (self.zero_extend(x, m - common), self.zero_extend(y, n - common));
                Some(self.eq(x, y))
            }
            (Op::SignExtend(m), Op::SignExtend(n)) => {
                self.fire(Rule::EqExtend);
                let common = m.min(n);
                let (x, y) = (self.child(a), self.child(b));
                let (x, y) = (self.sign_extend(x, m - common), self.sign_extend(y, n - common));
                Some(self.eq(x, y))
            }
            (Op::Concat, Op::Concat) => {
                let ((x, y), (v, w)) = (self.pair(a), self.pair(b));
                if self.width(x) != self.width(v) {
                    return None;
                }
                let constants =
                    |arena: &Arena, l: Term, r: Term| arena.is_constant(l) && arena.is_constant(r);
                if x != v && y != w && !constants(self, x, v) && !constants(self, y, w) {
                    return None;
                }
                self.fire(Rule::EqConcatPair);
                let (high, low) = (self.eq(x, v), self.eq(y, w));
                Some(self.and(&[high, low]))
            }
            (Op::BvXor, _) | (_, Op::BvXor) => {
                let left = self.chain(Op::BvXor, a)?;
                let right = self.chain(Op::BvXor, b)?;
                if !left.iter().any(|operand| right.contains(operand)) {
                    return None;
                }
                self.fire(Rule::EqXor);
                let rest = self.bv_xor(a, b);
                let zero = self.bv(width, 0);
                Some(self.eq(rest, zero))
            }
            _ => None,
        }
    }
}

/// Whether a factor counts as positive: also the least number, which is its own negative.
fn is_positive(factor: &BitVec) -> bool {
    !factor.sign_bit() || *factor == factor.neg()
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration: each step doubles the number of right
/// bits.
fn odd_inverse(odd: &BitVec) -> BitVec {
    let two = BitVec::one(odd.width()).add(&BitVec::one(odd.width()));
    let mut inverse = odd.clone();
    let mut right_bits = 3;
    while right_bits < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right_bits *= 2;
    }
    inverse
}
