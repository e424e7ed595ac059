//! Rules of division, remainder and shifts.

use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

impl Arena {
    pub(super) fn simplify_udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let Some(divisor) = self.bv_value(b) else { return self.mk_raw(Op::BvUdiv, &[a, b]) };
        if divisor.is_zero() {
            self.fire(Rule::UdivConstant);
            return self.bv_constant(BitVec::ones(width));
        }
        if let Some(power) = divisor.power_of_two() {
            self.fire(Rule::UdivConstant);
            return self.logical_shift_right(a, power);
        }
        if let Op::ZeroExtend(by) = self.op(a) {
            self.fire(Rule::DivExtended);
            if divisor.leading_zeros() < by {
                return self.bv(width, 0);
            }
            let (inner, divisor) = (self.child(a), divisor.extract(width - by - 1, 0));
            let divisor = self.bv_constant(divisor);
            let quotient = self.bv_udiv(inner, divisor);
            return self.zero_extend(quotient, by);
        }
        self.mk_raw(Op::BvUdiv, &[a, b])
    }

    pub(super) fn simplify_urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(zero) = self.trivial_remainder(a, b) {
            return zero;
        }
        if let Some(divisor) = self.bv_value(b) {
            if divisor.is_zero() {
                self.fire(Rule::UremConstant);
                return a;
            }
            if let Some(power) = divisor.power_of_two() {
                self.fire(Rule::UremConstant);
                if power == 0 {
                    return self.bv(width, 0);
                }
                let low = self.extract(a, power - 1, 0);
                return self.zero_extend(low, width - power);
            }
        }
        // Also by zero: then the remainder is the dividend.
        let common = match (self.op(a), self.op(b), self.as_bitvec(b)) {
            (Op::ZeroExtend(m), Op::ZeroExtend(n), _) => m.min(n),
            (Op::ZeroExtend(m), _, Some(divisor)) => m.min(divisor.leading_zeros()),
            _ => 0,
        };
        if common > 0 {
            self.fire(Rule::DivExtended);
            let (a, b) = (self.extract(a, width - common - 1, 0), self.extract(b, width - common - 1, 0));
            let remainder = self.bv_urem(a, b);
            return self.zero_extend(remainder, common);
        }
        if let (Op::ZeroExtend(by), Some(divisor)) = (self.op(a), self.as_bitvec(b))
            && divisor.leading_zeros() < by
        {
            self.fire(Rule::DivExtended);
            return a;
        }
        self.mk_raw(Op::BvUrem, &[a, b])
    }

    /// `x mod x = 0`, `0 mod x = 0`.
    fn trivial_remainder(&mut self, a: Term, b: Term) -> Option<Term> {
        if a != b && !self.is_zero(a) {
            return None;
        }
        self.fire(Rule::RemTrivial);
        let width = self.width(a);
        Some(self.bv(width, 0))
    }

    pub(super) fn simplify_signed_division(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if op != Op::BvSdiv
            && let Some(zero) = self.trivial_remainder(a, b)
        {
            return zero;
        }
        if let Some(divisor) = self.bv_value(b) {
            if op == Op::BvSdiv {
                if divisor.is_zero() {
                    self.fire(Rule::SdivConstant);
                    let negative = self.bv_is_negative(a);
                    let (one, ones) = (self.bv(width, 1), self.bv_constant(BitVec::ones(width)));
                    return self.ite(negative, one, ones);
                }
                if divisor.is_ones() || divisor.is_one() {
                    self.fire(Rule::SdivConstant);
                    return if divisor.is_one() { a } else { self.bv_neg(a) };
                }
            } else if divisor.is_zero() || divisor.is_one() || divisor.is_ones() {
                self.fire(Rule::SremConstant);
                return if divisor.is_zero() { a } else { self.bv(width, 0) };
            }
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            self.fire(Rule::DivNonnegative);
            let unsigned = if op == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
            return self.mk(unsigned, &[a, b]);
        }
        self.mk_raw(op, &[a, b])
    }

    fn is_nonnegative(&self, term: Term) -> bool {
        match self.op(term) {
            Op::ZeroExtend(by) => by > 0,
            _ => self.as_bitvec(term).is_some_and(|value| !value.sign_bit()),
        }
    }

    pub(super) fn simplify_shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.is_zero(a) {
            self.fire(Rule::ShiftZero);
            return a;
        }
        let Some(distance) = self.as_bitvec(b).map(BitVec::shift_distance) else {
            return self.mk_raw(op, &[a, b]);
        };
        self.fire(Rule::ShiftConstant);
        match op {
            Op::BvShl => {
                let factor = self.bv_constant(BitVec::one(width).shl_by(distance));
                self.bv_mul(a, factor)
            }
            Op::BvLshr => self.logical_shift_right(a, distance),
            _ => {
                let distance = distance.min(width - 1);
                let high = self.extract(a, width - 1, distance);
                self.sign_extend(high, distance)
            }
        }
    }

    fn logical_shift_right(&mut self, a: Term, distance: u32) -> Term {
        let width = self.width(a);
        if distance >= width {
            return self.bv(width, 0);
        }
        let high = self.extract(a, width - 1, distance);
        self.zero_extend(high, distance)
    }
}
