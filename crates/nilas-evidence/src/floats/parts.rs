//! A float taken apart, and what needs no more than its fields.

use super::words::{bits_for, is_zero, normalise, widen};
use nilas_term::{Arena, BitVec, FloatValue, Format, Op, Term};

/// A number: ± significand · 2^exponent, the exponent being signed. Zeros have a sign, too.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) negative: Term,
    pub(super) significand: Term,
    pub(super) exponent: Term,
}

/// What a float is. Where it is NaN or infinite, the number means nothing.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) nan: Term,
    pub(super) infinite: Term,
    pub(super) zero: Term,
    pub(super) number: Number,
}

/// Bits for exponents, such that sums and differences of a few exponents of the format and a few lengths of
/// significands of at most `length` bits do not overflow.
pub(super) fn exponent_width(formats: &[Format], length: u32) -> u32 {
    let range = |format: &Format| (format.max_exponent() - format.least_exponent()).unsigned_abs();
    let largest: u64 = formats.iter().map(range).sum::<u64>() + u64::from(length);
    bits_for(8 * largest) + 1
}

/// The fields: sign, exponent, fraction.
fn fields(arena: &mut Arena, format: Format, bits: Term) -> (Term, Term, Term) {
    let (width, fraction) = (format.width(), format.fraction());
    (
        arena.extract(bits, width - 1, width - 1),
        arena.extract(bits, width - 2, fraction),
        arena.extract(bits, fraction - 1, 0),
    )
}

/// Takes a float apart. The last bit of the significand counts 2^exponent.
pub(super) fn unpack(arena: &mut Arena, format: Format, bits: Term, width: u32) -> Parts {
    let (sign, field, fraction) = fields(arena, format, bits);
    let ones = arena.bv_constant(BitVec::ones(format.exponent));
    let (special, low, empty) = (arena.eq(field, ones), is_zero(arena, field), is_zero(arena, fraction));
    let whole = arena.not(empty);
    let one = arena.bv(1, 1);
    let negative = arena.eq(sign, one);
    // Normal numbers have a hidden bit; the others have the exponent of the least normal ones.
    let (hidden, none) = (arena.bv(1, 1), arena.bv(1, 0));
    let hidden = arena.ite(low, none, hidden);
    let significand = arena.concat(hidden, fraction);
    let least_field = arena.bv(format.exponent, 1);
    let biased = arena.ite(low, least_field, field);
    let biased = widen(arena, biased, width);
    let offset = super::words::signed(arena, width, format.least_exponent() - 1);
    let exponent = arena.bv_add(biased, offset);
    Parts {
        nan: arena.and(&[special, whole]),
        infinite: arena.and(&[special, empty]),
        zero: arena.and(&[low, empty]),
        number: Number { negative, significand, exponent },
    }
}

impl Number {
    /// The same number with the highest bit of the significand set, if it is not zero.
    pub(super) fn normalised(self, arena: &mut Arena) -> Number {
        let (significand, zeros) = normalise(arena, self.significand);
        let zeros = widen(arena, zeros, arena.width(self.exponent));
        let exponent = arena.bv_sub(self.exponent, zeros);
        Number { significand, exponent, ..self }
    }
}

pub(super) fn nan(arena: &mut Arena, format: Format) -> Term {
    arena.bv_constant(FloatValue::nan(format).bits)
}

/// The infinity of a sign.
pub(super) fn infinity(arena: &mut Arena, format: Format, negative: Term) -> Term {
    let plus = arena.bv_constant(FloatValue::infinity(format, false).bits);
    let minus = arena.bv_constant(FloatValue::infinity(format, true).bits);
    arena.ite(negative, minus, plus)
}

/// The zero of a sign.
pub(super) fn zero(arena: &mut Arena, format: Format, negative: Term) -> Term {
    let plus = arena.bv_constant(FloatValue::zero(format, false).bits);
    let minus = arena.bv_constant(FloatValue::zero(format, true).bits);
    arena.ite(negative, minus, plus)
}

pub(super) fn is_nan(arena: &mut Arena, format: Format, bits: Term) -> Term {
    class(arena, format, Op::FpIsNan, bits)
}

/// The same bits, but the one NaN for all NaNs.
pub(super) fn canonical(arena: &mut Arena, format: Format, bits: Term) -> Term {
    let (is_nan, nan) = (is_nan(arena, format, bits), nan(arena, format));
    arena.ite(is_nan, nan, bits)
}

/// Classification, by the fields.
pub(super) fn class(arena: &mut Arena, format: Format, op: Op, bits: Term) -> Term {
    let (sign, field, fraction) = fields(arena, format, bits);
    let ones = arena.bv_constant(BitVec::ones(format.exponent));
    let (special, low, empty) = (arena.eq(field, ones), is_zero(arena, field), is_zero(arena, fraction));
    let whole = arena.not(empty);
    match op {
        Op::FpIsNormal => {
            let either = arena.or(&[special, low]);
            arena.not(either)
        }
        Op::FpIsSubnormal => arena.and(&[low, whole]),
        Op::FpIsZero => arena.and(&[low, empty]),
        Op::FpIsInfinite => arena.and(&[special, empty]),
        Op::FpIsNan => arena.and(&[special, whole]),
        // Negative or positive, which NaN is not.
        _ => {
            let wanted = arena.bv(1, u64::from(op == Op::FpIsNegative));
            let signed = arena.eq(sign, wanted);
            let nan = arena.and(&[special, whole]);
            let number = arena.not(nan);
            arena.and(&[signed, number])
        }
    }
}

/// The same with the sign cleared; the NaN has none.
pub(super) fn without_sign(arena: &mut Arena, format: Format, bits: Term) -> Term {
    let magnitude = arena.extract(bits, format.width() - 2, 0);
    arena.zero_extend(magnitude, 1)
}

/// The same with the other sign; NaN stays.
pub(super) fn negated(arena: &mut Arena, format: Format, bits: Term) -> Term {
    let is_nan = is_nan(arena, format, bits);
    let sign = arena.bv_constant(BitVec::min_signed(format.width()));
    let flipped = arena.bv_xor(bits, sign);
    arena.ite(is_nan, bits, flipped)
}
