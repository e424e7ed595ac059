//! Results that their type does not have, where somebody asks about them.
//!
//! The exact result is computed in a wider type and compared with the one that the program gets.

use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::property::{Claim, Property};
use crate::tree::BinaryOp;
use crate::types::TypeId;
use nilas_term::{Op, Sort, Term};

const SIGNED: Claim = Claim::new(Property::SignedOverflow, "a result that its signed type does not have");
const UNSIGNED: Claim = Claim::new(Property::UnsignedOverflow, "an unsigned result that wraps around");
const CONVERSION: Claim =
    Claim::new(Property::SignedConversion, "a conversion to a signed type that does not have the value");
const BASE: Claim = Claim::new(Property::Shift, "a left shift of a negative number, or out of a signed type");
const NAN: Claim = Claim::new(Property::FloatNan, "an operation on numbers that gives none");

impl Lowering<'_> {
    /// `left op right`, for sums, differences and products.
    pub(in crate::lower) fn check_overflow(&mut self, op: BinaryOp, left: Term, right: Term, signed: bool) {
        let claim = if signed { SIGNED } else { UNSIGNED };
        if !self.build.asks(claim.property) {
            return;
        }
        let width = self.build.arena.width(left);
        let wide = if op == BinaryOp::Mul { 2 * width } else { width + 1 };
        let (a, b) = (self.extend(left, wide, signed), self.extend(right, wide, signed));
        let exact = match op {
            BinaryOp::Add => self.build.arena.bv_add(a, b),
            BinaryOp::Sub => self.build.arena.bv_sub(a, b),
            _ => self.build.arena.bv_mul(a, b),
        };
        let fits = self.fits(exact, width, signed);
        let value = if self.build.level(left) == Level::Clean { right } else { left };
        self.defined_for(value, fits, claim);
    }

    /// `-value`
    pub(in crate::lower) fn check_negation(&mut self, value: Term, ty: TypeId) {
        let signed = self.is_signed(ty);
        let zero = self.build.arena.bv(self.build.arena.width(value), 0);
        self.check_overflow(BinaryOp::Sub, zero, value, signed);
    }

    /// `left << right` of a signed type, the distance being less than the width.
    pub(in crate::lower) fn check_shifted(&mut self, left: Term, distance: Term) {
        if !self.build.asks(Property::Shift) {
            return;
        }
        let shifted = self.build.arena.bv_shl(left, distance);
        let back = self.build.arena.bv_ashr(shifted, distance);
        let (same, negative) = (self.build.arena.eq(back, left), self.build.arena.bv_is_negative(left));
        let not = self.build.arena.not(negative);
        let fits = self.build.arena.and(&[same, not]);
        self.defined_for(left, fits, BASE);
    }

    /// An integer of one type becomes one of another.
    pub(in crate::lower) fn check_conversion(&mut self, value: Term, from: TypeId, to: TypeId) {
        if !self.build.asks(Property::SignedConversion) || !self.is_signed(to) {
            return;
        }
        let Some((Kind::Bits(width), _)) = scalar(&self.tree.types, to) else { return };
        if *self.build.arena.sort(value) == Sort::Bool {
            return;
        }
        let wide = self.build.arena.width(value).max(width) + 1;
        let exact = self.extend(value, wide, self.is_signed(from));
        let fits = self.fits(exact, width, true);
        self.defined_for(value, fits, CONVERSION);
    }

    /// The result of arithmetic on floats.
    pub(in crate::lower) fn check_number(&mut self, left: Term, right: Term, result: Term) {
        if !self.build.asks(Property::FloatNan) {
            return;
        }
        let nan = |this: &mut Self, term: Term| this.build.arena.mk(Op::FpIsNan, &[term]);
        let operands = [nan(self, left), nan(self, right)];
        let none = nan(self, result);
        let number = self.build.arena.not(none);
        let fine = self.build.arena.or(&[operands[0], operands[1], number]);
        self.build.defined(fine, NAN);
    }

    /// Whether a number is one of so many bits.
    fn fits(&mut self, exact: Term, width: u32, signed: bool) -> Term {
        let wide = self.build.arena.width(exact);
        let cut = self.extend(exact, width, signed);
        let again = self.extend(cut, wide, signed);
        self.build.arena.eq(exact, again)
    }
}
