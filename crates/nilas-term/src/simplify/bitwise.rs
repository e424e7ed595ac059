//! Rules of bitwise operators.

use super::LIMIT;
use super::linear::Linear;
use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_bv_not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::BvNot => {
                self.fire(Rule::BvNotNot);
                return self.child(a);
            }
            Op::BvXor => {
                let (x, constant) = self.pair(a);
                if let Some(value) = self.bv_value(constant) {
                    self.fire(Rule::XorNot);
                    let flipped = self.bv_constant(value.not());
                    return self.bv_xor(x, flipped);
                }
            }
            Op::BvAdd | Op::BvNeg | Op::BvMul => {
                let width = self.width(a);
                let ones = BitVec::ones(width);
                let mut sum = Linear::new(width);
                self.add_multiple(&mut sum, a, &ones);
                if !matches!(&sum.monomials[..], [(atom, _)] if *atom == a) {
                    sum.constant = sum.constant.add(&ones);
                    self.fire(Rule::NotLinear);
                    if let Some(term) = self.linear_term(sum) {
                        return term;
                    }
                }
            }
            _ => {}
        }
        self.mk_raw(Op::BvNot, &[a])
    }

    /// Operands of `a op b`, those of nested ones included if they are few.
    fn operands(&mut self, op: Op, a: Term, b: Term) -> Vec<Term> {
        let mut operands = self.chain(op, a).unwrap_or_else(|| vec![a]);
        operands.extend(self.chain(op, b).unwrap_or_else(|| vec![b]));
        if operands.iter().filter(|&&operand| !self.is_constant(operand)).count() > LIMIT {
            return vec![a, b];
        }
        if operands.len() > 2 {
            self.fire(Rule::BitwiseSort);
        }
        operands
    }

    /// The conjunction, or with everything exchanged the disjunction, of bits.
    pub(super) fn simplify_bitwise(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (zero, unit) = match op {
            Op::BvAnd => (BitVec::zero(width), BitVec::ones(width)),
            _ => (BitVec::ones(width), BitVec::zero(width)),
        };
        let mut constant = unit.clone();
        let mut operands = Vec::new();
        for operand in self.operands(op, a, b) {
            match self.as_bitvec(operand) {
                Some(value) => {
                    constant = if op == Op::BvAnd { constant.and(value) } else { constant.or(value) };
                    if constant == unit {
                        self.fire(Rule::BitwiseUnit);
                    }
                }
                None => operands.push(operand),
            }
        }
        if constant == zero {
            self.fire(Rule::BitwiseZero);
            return self.bv_constant(zero);
        }
        operands.sort_unstable();
        let before = operands.len();
        operands.dedup();
        if operands.len() < before {
            self.fire(Rule::BitwiseDuplicate);
        }
        let complement = |arena: &Arena, operand: Term| {
            arena.op(operand) == Op::BvNot && operands.contains(&arena.child(operand))
        };
        if operands.iter().any(|&operand| complement(self, operand)) {
            self.fire(Rule::BitwiseComplement);
            return self.bv_constant(zero);
        }
        self.absorb(op, &mut operands);
        if let Some(term) = self.bitwise_special(op, &operands, &constant, &unit) {
            return term;
        }
        if constant != unit || operands.is_empty() {
            operands.push(self.bv_constant(constant));
        }
        self.raw_chain(op, &operands)
    }

    /// Removes operands that others imply: `x | y` next to `x` in a conjunction.
    fn absorb(&mut self, op: Op, operands: &mut Vec<Term>) {
        let dual = if op == Op::BvAnd { Op::BvOr } else { Op::BvAnd };
        let others = operands.clone();
        let before = operands.len();
        operands.retain(|&operand| {
            self.op(operand) != dual
                || self
                    .chain(dual, operand)
                    .is_none_or(|inner| !inner.iter().any(|operand| others.contains(operand)))
        });
        if operands.len() < before {
            self.fire(Rule::BitwiseAbsorb);
        }
    }

    fn bitwise_special(
        &mut self,
        op: Op,
        operands: &[Term],
        constant: &BitVec,
        unit: &BitVec,
    ) -> Option<Term> {
        if let &[operand] = operands
            && constant != unit
        {
            return self.mask(op, operand, constant).or_else(|| self.bitwise_constant(op, operand, constant));
        }
        if constant != unit || operands.len() < 2 {
            return None;
        }
        if operands.iter().all(|&operand| self.op(operand) == Op::BvNot) {
            self.fire(Rule::BitwiseDeMorgan);
            let dual = if op == Op::BvAnd { Op::BvOr } else { Op::BvAnd };
            let mut result = self.child(operands[0]);
            for &operand in &operands[1..] {
                let inner = self.child(operand);
                result = self.mk(dual, &[result, inner]);
            }
            return Some(self.bv_not(result));
        }
        let &[a, b] = operands else { return None };
        self.bitwise_flags(op, a, b).or_else(|| if op == Op::BvOr { self.or_disjoint(a, b) } else { None })
    }

    /// `x & 0…01…1` and `x & 1…10…0`.
    fn mask(&mut self, op: Op, x: Term, mask: &BitVec) -> Option<Term> {
        let width = mask.width();
        if op != Op::BvAnd {
            return None;
        }
        let low = mask.trailing_ones();
        if low > 0 && mask.leading_zeros() == width - low {
            self.fire(Rule::AndMask);
            let bits = self.extract(x, low - 1, 0);
            return Some(self.zero_extend(bits, width - low));
        }
        let zeros = mask.trailing_zeros();
        if zeros < width && mask.lshr_by(zeros).trailing_ones() == width - zeros {
            self.fire(Rule::AndMask);
            let bits = self.extract(x, width - 1, zeros);
            let zeros = self.bv(zeros, 0);
            return Some(self.concat(bits, zeros));
        }
        None
    }

    /// A bitwise operator with a constant on what is put together of parts, part by part where one part is
    /// decided.
    fn bitwise_constant(&mut self, op: Op, x: Term, constant: &BitVec) -> Option<Term> {
        let width = constant.width();
        if let Op::ZeroExtend(by) = self.op(x) {
            self.fire(Rule::BitwiseExtend);
            let (high, low) = (constant.extract(width - 1, width - by), constant.extract(width - by - 1, 0));
            let low = self.bv_constant(low);
            let inner = self.child(x);
            let low = self.mk(op, &[inner, low]);
            if op == Op::BvAnd || high.is_zero() {
                return Some(self.zero_extend(low, by));
            }
            let high = self.bv_constant(high);
            return Some(self.concat(high, low));
        }
        if self.op(x) != Op::Concat {
            return None;
        }
        let (high, low) = self.pair(x);
        let split = self.width(low);
        let (high_bits, low_bits) = (constant.extract(width - 1, split), constant.extract(split - 1, 0));
        let decided = |bits: &BitVec| bits.is_zero() || op != Op::BvXor && bits.is_ones();
        let constant_part = self.is_constant(high) || self.is_constant(low);
        if !decided(&high_bits) && !decided(&low_bits) && !constant_part {
            return None;
        }
        self.fire(Rule::BitwiseConcat);
        let (high_bits, low_bits) = (self.bv_constant(high_bits), self.bv_constant(low_bits));
        let (high, low) = (self.mk(op, &[high, high_bits]), self.mk(op, &[low, low_bits]));
        Some(self.concat(high, low))
    }

    /// `ite(c, k, 0)` as c and k.
    fn flag(&mut self, term: Term) -> Option<(Term, Term)> {
        if self.op(term) != Op::Ite {
            return None;
        }
        let &[condition, then, otherwise] = self.children(term) else { return None };
        if self.is_zero(otherwise) && self.is_constant(then) {
            Some((condition, then))
        } else if self.is_zero(then) && self.is_constant(otherwise) {
            Some((self.not(condition), otherwise))
        } else {
            None
        }
    }

    /// Bitwise operators on comparisons that became numbers.
    fn bitwise_flags(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (c, k) = self.flag(a)?;
        let (d, l) = self.flag(b)?;
        if k != l {
            return None;
        }
        self.fire(Rule::BitwiseBooleans);
        let condition = match op {
            Op::BvAnd => self.and(&[c, d]),
            Op::BvOr => self.or(&[c, d]),
            _ => self.ne(c, d),
        };
        let zero = self.bv(self.width(k), 0);
        Some(self.ite(condition, k, zero))
    }

    /// `x | zext(y)` where x ends in at least as many zeros as y has bits.
    fn or_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        for (x, y) in [(a, b), (b, a)] {
            let Op::ZeroExtend(by) = self.op(y) else { continue };
            let width = self.width(x);
            if self.known_trailing_zeros(x) < width - by {
                continue;
            }
            self.fire(Rule::OrDisjoint);
            let high = self.extract(x, width - 1, width - by);
            let low = self.child(y);
            return Some(self.concat(high, low));
        }
        None
    }

    fn known_trailing_zeros(&mut self, term: Term) -> u32 {
        match self.op(term) {
            Op::BvMul => self.as_bitvec(self.pair(term).1).map_or(0, BitVec::trailing_zeros),
            Op::Concat | Op::ZeroExtend(_) => {
                let last = self.concat_leaves(term).and_then(|leaves| leaves.last().copied());
                last.and_then(|last| self.as_bitvec(last)).map_or(0, BitVec::trailing_zeros)
            }
            _ => 0,
        }
    }

    pub(super) fn simplify_bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let mut constant = BitVec::zero(width);
        let mut operands: Vec<Term> = Vec::new();
        // Complements come out first: what is under them may be a chain, too.
        let mut bare = [a, b];
        for operand in &mut bare {
            if self.op(*operand) == Op::BvNot {
                self.fire(Rule::XorNot);
                constant = constant.not();
                *operand = self.child(*operand);
            }
        }
        for operand in self.operands(Op::BvXor, bare[0], bare[1]) {
            match self.as_bitvec(operand) {
                Some(value) => constant = constant.xor(value),
                None => operands.push(operand),
            }
        }
        operands.sort_unstable();
        let mut kept: Vec<Term> = Vec::with_capacity(operands.len());
        for operand in operands {
            if kept.last() == Some(&operand) {
                self.fire(Rule::XorCancel);
                kept.pop();
            } else {
                kept.push(operand);
            }
        }
        if kept.is_empty() {
            return self.bv_constant(constant);
        }
        if let &[single] = &kept[..] {
            if constant.is_zero() {
                return single;
            }
            if constant.is_ones() {
                return self.bv_not(single);
            }
            if let Some(term) = self.bitwise_constant(Op::BvXor, single, &constant) {
                return term;
            }
        }
        if let &[x, y] = &kept[..]
            && let Some(term) = self.bitwise_flags(Op::BvXor, x, y).or_else(|| self.or_disjoint(x, y))
        {
            let constant = self.bv_constant(constant);
            return self.bv_xor(term, constant);
        }
        let chain = self.raw_chain(Op::BvXor, &kept);
        if constant.is_zero() {
            return chain;
        }
        if constant.is_ones() {
            return self.mk_raw(Op::BvNot, &[chain]);
        }
        let constant = self.bv_constant(constant);
        self.mk_raw(Op::BvXor, &[chain, constant])
    }
}
