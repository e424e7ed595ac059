//! Rules of extraction: it moves inwards where that does not grow the term.

use super::linear::Linear;
use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(a);
        if lo == 0 && hi + 1 == width {
            self.fire(Rule::ExtractAll);
            return a;
        }
        let rewritten = match self.op(a) {
            Op::Extract { lo: inner, .. } => {
                self.fire(Rule::ExtractExtract);
                let x = self.child(a);
                Some(self.extract(x, hi + inner, lo + inner))
            }
            Op::Concat => self.extract_concat(a, hi, lo),
            Op::ZeroExtend(by) => {
                self.fire(Rule::ExtractZeroExtend);
                let (x, inner) = (self.child(a), width - by);
                Some(if lo >= inner {
                    self.bv(hi - lo + 1, 0)
                } else if hi < inner {
                    self.extract(x, hi, lo)
                } else {
                    let bits = self.extract(x, inner - 1, lo);
                    self.zero_extend(bits, hi + 1 - inner)
                })
            }
            Op::SignExtend(by) => {
                self.fire(Rule::ExtractSignExtend);
                let (x, inner) = (self.child(a), width - by);
                Some(if hi < inner {
                    self.extract(x, hi, lo)
                } else {
                    // Above the sign bit all bits are the same.
                    let from = lo.min(inner - 1);
                    let bits = self.extract(x, inner - 1, from);
                    self.sign_extend(bits, hi - lo - (inner - 1 - from))
                })
            }
            Op::BvNot => {
                self.fire(Rule::ExtractBitwise);
                let x = self.child(a);
                let bits = self.extract(x, hi, lo);
                Some(self.bv_not(bits))
            }
            op @ (Op::BvAnd | Op::BvOr | Op::BvXor) => self.extract_operands(op, a, hi, lo),
            Op::BvMul => self.extract_shifted(a, hi, lo).or_else(|| self.extract_low(a, hi, lo)),
            Op::BvAdd | Op::BvNeg => self.extract_low(a, hi, lo),
            _ => None,
        };
        rewritten.unwrap_or_else(|| self.mk_raw(Op::Extract { hi, lo }, &[a]))
    }

    fn extract_concat(&mut self, a: Term, hi: u32, lo: u32) -> Option<Term> {
        let (high, low) = self.pair(a);
        let split = self.width(low);
        if hi < split {
            self.fire(Rule::ExtractConcat);
            return Some(self.extract(low, hi, lo));
        }
        if lo >= split {
            self.fire(Rule::ExtractConcat);
            return Some(self.extract(high, hi - split, lo - split));
        }
        let cheap = |arena: &Arena, part: Term, whole: bool| whole || arena.is_constant(part);
        if !cheap(self, high, hi + 1 == self.width(a)) && !cheap(self, low, lo == 0) {
            return None;
        }
        self.fire(Rule::ExtractAcross);
        let (high, low) = (self.extract(high, hi - split, 0), self.extract(low, split - 1, lo));
        Some(self.concat(high, low))
    }

    /// Whether bits of the term are no larger than the term.
    fn has_free_bits(&self, term: Term) -> bool {
        matches!(
            self.op(term),
            Op::Const(_) | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. } | Op::Concat
        )
    }

    /// Whether at most one of the terms needs an extract of its own.
    fn have_free_bits(&self, terms: &[Term]) -> bool {
        terms.iter().filter(|&&term| !self.has_free_bits(term)).count() <= 1
    }

    fn extract_operands(&mut self, op: Op, a: Term, hi: u32, lo: u32) -> Option<Term> {
        let operands = self.chain(op, a).filter(|operands| self.have_free_bits(operands))?;
        self.fire(if op == Op::BvMul { Rule::ExtractArithmetic } else { Rule::ExtractBitwise });
        let mut result = self.extract(operands[0], hi, lo);
        for &operand in &operands[1..] {
            let bits = self.extract(operand, hi, lo);
            result = self.mk(op, &[result, bits]);
        }
        Some(result)
    }

    /// Low bits of sums and products.
    fn extract_low(&mut self, a: Term, hi: u32, lo: u32) -> Option<Term> {
        if lo > 0 {
            return None;
        }
        let width = self.width(a);
        let mut sum = Linear::new(width);
        self.add_multiple(&mut sum, a, &BitVec::one(width));
        if matches!(&sum.monomials[..], [(atom, factor)] if *atom == a && factor.is_one()) {
            return if self.op(a) == Op::BvMul { self.extract_operands(Op::BvMul, a, hi, lo) } else { None };
        }
        let atoms: Vec<Term> = sum.monomials.iter().map(|(atom, _)| *atom).collect();
        if !self.have_free_bits(&atoms) {
            return None;
        }
        self.fire(Rule::ExtractArithmetic);
        let mut result = self.bv_constant(sum.constant.extract(hi, 0));
        for (atom, factor) in sum.monomials {
            let bits = self.extract(atom, hi, 0);
            let factor = self.bv_constant(factor.extract(hi, 0));
            let multiple = self.bv_mul(bits, factor);
            result = self.bv_add(result, multiple);
        }
        Some(result)
    }

    /// Bits of `x·2^k`.
    fn extract_shifted(&mut self, a: Term, hi: u32, lo: u32) -> Option<Term> {
        let (x, factor) = self.pair(a);
        let factor = self.bv_value(factor)?;
        let zeros = factor.trailing_zeros();
        if hi < zeros {
            self.fire(Rule::ExtractShifted);
            return Some(self.bv(hi - lo + 1, 0));
        }
        if lo == 0 || factor.power_of_two().is_none() {
            return None;
        }
        self.fire(Rule::ExtractShifted);
        if lo >= zeros {
            return Some(self.extract(x, hi - zeros, lo - zeros));
        }
        let bits = self.extract(x, hi - zeros, 0);
        let zeros = self.bv(zeros - lo, 0);
        Some(self.concat(bits, zeros))
    }
}
