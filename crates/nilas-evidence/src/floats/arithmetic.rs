//! Sum, product, fused multiply and add, quotient.

use super::parts::{self, Number, Parts, exponent_width, unpack};
use super::round::{Mode, round};
use super::words::{append, append_zeros, choose, is_zero, shift_right_jamming, signed, widen};
use nilas_term::{Arena, Format, RoundingMode, Term};

/// A result by cases: NaN, else infinite, else the given one.
fn with_specials(
    arena: &mut Arena,
    format: Format,
    nan: Term,
    (infinite, negative): (Term, Term),
    finite: Term,
) -> Term {
    let infinity = parts::infinity(arena, format, negative);
    let result = arena.ite(infinite, infinity, finite);
    let not_a_number = parts::nan(arena, format);
    arena.ite(nan, not_a_number, result)
}

pub(super) fn add(arena: &mut Arena, format: Format, mode: Mode, x: Term, y: Term) -> Term {
    let width = exponent_width(&[format], 4 * format.significand + 8);
    let (x, y) = (unpack(arena, format, x, width), unpack(arena, format, y, width));
    let x = Parts { number: x.number.normalised(arena), ..x };
    let y = Parts { number: y.number.normalised(arena), ..y };
    sum(arena, format, mode, x, y)
}

pub(super) fn multiply(arena: &mut Arena, format: Format, mode: Mode, x: Term, y: Term) -> Term {
    let width = exponent_width(&[format, format], 2 * format.significand + 2);
    let (x, y) = (unpack(arena, format, x, width), unpack(arena, format, y, width));
    let product = product(arena, x, y);
    let finite = round(arena, format, mode, product.number);
    with_specials(arena, format, product.nan, (product.infinite, product.number.negative), finite)
}

/// `x * y + z`, rounded once.
pub(super) fn fused(arena: &mut Arena, format: Format, mode: Mode, [x, y, z]: [Term; 3]) -> Term {
    let width = exponent_width(&[format, format, format], 8 * format.significand + 8);
    let mut unpacked = |bits| {
        let parts = unpack(arena, format, bits, width);
        Parts { number: parts.number.normalised(arena), ..parts }
    };
    let (x, y, z) = (unpacked(x), unpacked(y), unpacked(z));
    let product = product(arena, x, y);
    // The addend with as many bits as the product.
    let significand = append_zeros(arena, z.number.significand, format.significand);
    let shift = signed(arena, width, -i64::from(format.significand));
    let exponent = arena.bv_add(z.number.exponent, shift);
    let z = Parts { number: Number { significand, exponent, ..z.number }, ..z };
    sum(arena, format, mode, product, z)
}

/// The exact product, of twice as many bits. That of normal forms has its first bit in one of the two highest
/// places.
fn product(arena: &mut Arena, x: Parts, y: Parts) -> Parts {
    let length = 2 * arena.width(x.number.significand);
    let left = widen(arena, x.number.significand, length);
    let right = widen(arena, y.number.significand, length);
    let number = Number {
        negative: arena.xor(x.number.negative, y.number.negative),
        significand: arena.bv_mul(left, right),
        exponent: arena.bv_add(x.number.exponent, y.number.exponent),
    };
    // Infinity times zero is no number.
    let (x_undefined, y_undefined) = (arena.and(&[x.infinite, y.zero]), arena.and(&[y.infinite, x.zero]));
    let nan = arena.or(&[x.nan, y.nan, x_undefined, y_undefined]);
    let (infinite, zero) = (arena.or(&[x.infinite, y.infinite]), arena.or(&[x.zero, y.zero]));
    Parts { nan, infinite, zero, number }
}

/// The rounded sum of two numbers of n bits each, that are zero or have one of their two highest bits set.
///
/// Both get n + 2 zeros behind, and the one with the lesser exponent is shifted to the right by the
/// difference d. Up to d = n + 2 that is exact. Beyond, the larger number X is a multiple of 2^(n+2) and at
/// least 2^(2n), and the shifted one, y, lies strictly between 0 and 2^(n-1), and so does y with its last bit
/// jammed. The sum or difference is above 2^(2n-1), so with at most n bits kept the half is at 2^(n-1) or
/// above: all X + y (and all X - y) for such y lie strictly between the same two neighbouring multiples of
/// 2^(n-1), and so are cut and rounded alike.
fn sum(arena: &mut Arena, format: Format, mode: Mode, x: Parts, y: Parts) -> Term {
    let length = arena.width(x.number.significand);
    let (total, gap) = (2 * length + 3, length + 2);
    let aligned = |arena: &mut Arena, number: Number| {
        let word = append_zeros(arena, number.significand, gap);
        [number.negative, widen(arena, word, total), number.exponent]
    };
    let (first, second) = (aligned(arena, x.number), aligned(arena, y.number));
    let swap = arena.bv_slt(x.number.exponent, y.number.exponent);
    let [large_sign, large, exponent] = choose(arena, swap, second, first);
    let [small_sign, small, small_exponent] = choose(arena, swap, first, second);
    let distance = arena.bv_sub(exponent, small_exponent);
    let small = shift_right_jamming(arena, small, distance);
    // Magnitudes are added or subtracted, as the signs say.
    let (added, less) = (arena.bv_add(large, small), arena.bv_ult(large, small));
    let (down, up) = (arena.bv_sub(large, small), arena.bv_sub(small, large));
    let subtracted = arena.ite(less, up, down);
    let same = arena.eq(large_sign, small_sign);
    let magnitude = arena.ite(same, added, subtracted);
    let sign = arena.ite(less, small_sign, large_sign);
    // Where one operand is zero, the sum is the other; its exponent may be anything, so it must not be
    // shifted.
    let [sign, magnitude, exponent] = choose(arena, y.zero, first, [sign, magnitude, exponent]);
    let [sign, magnitude, exponent] = choose(arena, x.zero, second, [sign, magnitude, exponent]);
    // What cancels out, and zeros of different signs, make −0 only when rounding down.
    let (nothing, down) = (is_zero(arena, magnitude), mode.is(arena, RoundingMode::Down));
    let alike = arena.eq(x.number.negative, y.number.negative);
    let zero_sign = arena.ite(alike, x.number.negative, down);
    let negative = arena.ite(nothing, zero_sign, sign);
    let shift = signed(arena, arena.width(exponent), -i64::from(gap));
    let exponent = arena.bv_add(exponent, shift);
    let finite = round(arena, format, mode, Number { negative, significand: magnitude, exponent });
    // Infinities of different signs have no sum.
    let differ = arena.not(alike);
    let undefined = arena.and(&[x.infinite, y.infinite, differ]);
    let nan = arena.or(&[x.nan, y.nan, undefined]);
    let infinite = arena.or(&[x.infinite, y.infinite]);
    let sign = arena.ite(x.infinite, x.number.negative, y.number.negative);
    with_specials(arena, format, nan, (infinite, sign), finite)
}

/// The quotient. Of normal forms of s bits, x · 2^(s+3) divided by y has at least s + 3 bits; where something
/// remains, one more bit behind says so.
pub(super) fn divide(arena: &mut Arena, format: Format, mode: Mode, x: Term, y: Term) -> Term {
    let precision = format.significand;
    let width = exponent_width(&[format, format], 2 * precision + 8);
    let (x, y) = (unpack(arena, format, x, width), unpack(arena, format, y, width));
    let (dividend, divisor) = (x.number.normalised(arena), y.number.normalised(arena));
    let total = 2 * precision + 3;
    let numerator = append_zeros(arena, dividend.significand, precision + 3);
    let denominator = widen(arena, divisor.significand, total);
    let quotient = arena.bv_udiv(numerator, denominator);
    let remainder = arena.bv_urem(numerator, denominator);
    let exact = is_zero(arena, remainder);
    let sticky = arena.not(exact);
    let exponent = arena.bv_sub(dividend.exponent, divisor.exponent);
    let shift = signed(arena, width, -i64::from(precision + 3) - 1);
    let number = Number {
        negative: arena.xor(dividend.negative, divisor.negative),
        significand: append(arena, quotient, sticky),
        exponent: arena.bv_add(exponent, shift),
    };
    let rounded = round(arena, format, mode, number);
    let zero = parts::zero(arena, format, number.negative);
    let finite = arena.ite(y.infinite, zero, rounded);
    let (zeros, infinities) = (arena.and(&[x.zero, y.zero]), arena.and(&[x.infinite, y.infinite]));
    let nan = arena.or(&[x.nan, y.nan, zeros, infinities]);
    let infinite = arena.or(&[x.infinite, y.zero]);
    with_specials(arena, format, nan, (infinite, number.negative), finite)
}
