//! Floats taken apart into significand and exponent: `frexp`, `ldexp`, `logb`, `nextafter` and their
//! relatives. All exact.
//!
//! In a format with more exponents and the same significand every number that is not zero is normal, so that
//! its exponent can be read and changed as a field. Rounding happens once, on the way back.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::tree::{CompareOp, ExprId, FloatConstant};
use nilas_term::{Op, RoundingMode, Sort, Term};

/// Bits of exponent that make room for subnormal numbers and for every distance that matters.
const ROOM: u32 = 3;

/// A number in the format with more exponents.
struct Wide {
    sign: Term,
    /// The exponent field.
    field: Term,
    fraction: Term,
    exponent: u32,
    significand: u32,
}

impl Wide {
    /// What the field of a number between 1 and 2 is.
    fn bias(&self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }
}

impl Lowering<'_> {
    fn widen(&mut self, value: Term) -> Option<Wide> {
        let Sort::Float(exponent, significand) = *self.build.arena.sort(value) else { return None };
        let mode = self.mode(RoundingMode::NearestEven);
        let arena = &mut self.build.arena;
        let exponent = exponent + ROOM;
        let wide = arena.mk(Op::FpToFp(exponent, significand), &[mode, value]);
        let bits = arena.mk(Op::FpToIeeeBits, &[wide]);
        let last = exponent + significand - 1;
        let sign = arena.extract(bits, last, last);
        let field = arena.extract(bits, last - 1, significand - 1);
        let fraction = arena.extract(bits, significand - 2, 0);
        Some(Wide { sign, field, fraction, exponent, significand })
    }

    /// The number with another exponent field, rounded to its format.
    fn narrow(&mut self, wide: &Wide, field: Term) -> Term {
        let mode = self.current_mode();
        let arena = &mut self.build.arena;
        let high = arena.concat(wide.sign, field);
        let bits = arena.concat(high, wide.fraction);
        let float = arena.mk(Op::FpFromIeeeBits(wide.exponent, wide.significand), &[bits]);
        arena.mk(Op::FpToFp(wide.exponent - ROOM, wide.significand), &[mode, float])
    }

    /// The exponent `n` of `1.… · 2^n`, as an `int`.
    fn exponent(&mut self, wide: &Wide) -> Term {
        let field = self.extend(wide.field, 32, false);
        let bias = self.build.arena.bv(32, wide.bias());
        self.build.arena.bv_sub(field, bias)
    }

    /// Whether a float is zero, infinite or not a number: it has no exponent.
    fn is_special(&mut self, value: Term) -> Term {
        let classes = [Op::FpIsZero, Op::FpIsInfinite, Op::FpIsNan];
        let classes = classes.map(|op| self.build.arena.mk(op, &[value]));
        self.build.arena.or(&classes)
    }

    /// `ldexp` and its relatives: `value · 2^distance`.
    pub(super) fn scaled_by_power(&mut self, value: Term, distance: Term) -> Option<Term> {
        let wide = self.widen(value)?;
        let special = self.is_special(value);
        // No number needs more to become zero or infinite.
        let width = self.build.arena.width(distance);
        let most = self.build.arena.bv(width, 1 << (wide.exponent - ROOM + 1));
        let least = self.build.arena.bv_neg(most);
        let (low, high) = (self.build.arena.bv_slt(distance, least), self.build.arena.bv_slt(most, distance));
        let distance = self.build.arena.ite(low, least, distance);
        let distance = self.build.arena.ite(high, most, distance);
        let distance = self.extend(distance, wide.exponent, true);
        let field = self.build.arena.bv_add(wide.field, distance);
        let scaled = self.narrow(&wide, field);
        Some(self.build.arena.ite(special, value, scaled))
    }

    /// `frexp`: the number between ½ and 1 (or what has no exponent), and the exponent; the latter is open
    /// where the float is infinite or not a number.
    pub(in crate::lower) fn fraction_and_exponent(
        &mut self,
        expr: ExprId,
        value: Term,
    ) -> Option<(Term, Term)> {
        let wide = self.widen(value)?;
        let special = self.is_special(value);
        let half = self.build.arena.bv(wide.exponent, wide.bias() - 1);
        let fraction = self.narrow(&wide, half);
        let fraction = self.build.arena.ite(special, value, fraction);
        let exponent = self.exponent(&wide);
        let (zero, one) = (self.build.arena.bv(32, 0), self.build.arena.bv(32, 1));
        let exponent = self.build.arena.bv_add(exponent, one);
        let is_zero = self.build.arena.mk(Op::FpIsZero, &[value]);
        let open = self.open_number(expr, 32);
        let other = self.build.arena.ite(is_zero, zero, open);
        let exponent = self.build.arena.ite(special, other, exponent);
        let fraction = self.computed(fraction);
        Some((fraction, exponent))
    }

    /// `significand`: the number between 1 and 2 (or what has no exponent).
    pub(super) fn significand(&mut self, value: Term) -> Option<Term> {
        let wide = self.widen(value)?;
        let special = self.is_special(value);
        let one = self.build.arena.bv(wide.exponent, wide.bias());
        let result = self.narrow(&wide, one);
        Some(self.build.arena.ite(special, value, result))
    }

    /// `ilogb`, with the numbers that glibc gives zero, infinities and NaNs on x86.
    pub(in crate::lower) fn integer_exponent(&mut self, value: Term) -> Option<Term> {
        let wide = self.widen(value)?;
        let special = self.is_special(value);
        let exponent = self.exponent(&wide);
        let infinite = self.build.arena.mk(Op::FpIsInfinite, &[value]);
        let (most, least) = (self.build.arena.bv(32, 0x7fff_ffff), self.build.arena.bv(32, 0x8000_0000));
        let other = self.build.arena.ite(infinite, most, least);
        Some(self.build.arena.ite(special, other, exponent))
    }

    /// `logb`
    pub(super) fn float_exponent(&mut self, value: Term) -> Option<Term> {
        let Sort::Float(e, s) = *self.build.arena.sort(value) else { return None };
        let wide = self.widen(value)?;
        let exponent = self.exponent(&wide);
        let mode = self.current_mode();
        let number = self.build.arena.mk(Op::FpFromSigned(e, s), &[mode, exponent]);
        let infinity = self.float_constant(&FloatConstant::Infinity, e, s);
        let minus = self.build.arena.mk(Op::FpNeg, &[infinity]);
        let zero = self.build.arena.mk(Op::FpIsZero, &[value]);
        let number = self.build.arena.ite(zero, minus, number);
        // Infinities and NaNs stay: the absolute value.
        let magnitude = self.build.arena.mk(Op::FpAbs, &[value]);
        let (infinite, nan) =
            (self.build.arena.mk(Op::FpIsInfinite, &[value]), self.build.arena.mk(Op::FpIsNan, &[value]));
        let stays = self.build.arena.or(&[infinite, nan]);
        Some(self.build.arena.ite(stays, magnitude, number))
    }

    /// `nextafter` and `nexttoward`: the neighbour of `value` in the direction of `to`, which may have
    /// another format.
    pub(super) fn neighbour(&mut self, value: Term, to: Term) -> Option<Term> {
        let Sort::Float(e, s) = *self.build.arena.sort(value) else { return None };
        let Sort::Float(to_e, to_s) = *self.build.arena.sort(to) else { return None };
        let mode = self.mode(RoundingMode::NearestEven);
        // Exact: the other format has all numbers of this one.
        let from = self.build.arena.mk(Op::FpToFp(to_e, to_s), &[mode, value]);
        let target = self.build.arena.mk(Op::FpToFp(e, s), &[mode, to]);
        let bits = self.build.arena.mk(Op::FpToIeeeBits, &[value]);
        let (one, width) = (self.build.arena.bv(e + s, 1), e + s);
        let (up, down) = (self.build.arena.bv_add(bits, one), self.build.arena.bv_sub(bits, one));
        let less = self.float_compare(CompareOp::Less, from, to);
        let zero = self.zero(Kind::Float(e, s));
        let positive = self.float_compare(CompareOp::Greater, value, zero);
        // Away from zero the bits grow.
        let away = self.build.arena.eq(less, positive);
        let moved = self.build.arena.ite(away, up, down);
        // From zero it goes to the least number with the sign of the direction.
        let minus = self.build.arena.bv(1, 1);
        let minus = self.build.arena.zero_extend(minus, width - 1);
        let top = self.build.arena.bv(width, u64::from(width) - 1);
        let minus = self.build.arena.bv_shl(minus, top);
        let below = self.build.arena.bv_add(minus, one);
        let least = self.build.arena.ite(less, one, below);
        let is_zero = self.build.arena.mk(Op::FpIsZero, &[value]);
        let moved = self.build.arena.ite(is_zero, least, moved);
        let moved = self.build.arena.mk(Op::FpFromIeeeBits(e, s), &[moved]);
        let equal = self.float_compare(CompareOp::Equal, from, to);
        let result = self.build.arena.ite(equal, target, moved);
        let nan = self.build.arena.mk(Op::FpIsNan, &[value]);
        let result = self.build.arena.ite(nan, value, result);
        let nan = self.build.arena.mk(Op::FpIsNan, &[to]);
        Some(self.build.arena.ite(nan, target, result))
    }
}
