//! Conversions: between formats, to integral floats, and from and to bit-vectors.

use super::parts::{self, Number, exponent_width, unpack};
use super::round::{Mode, round};
use super::words::{append_zeros, bit, distance, is_zero, shift_right_jamming, widen};
use nilas_term::{Arena, BitVec, Format, Term};

/// The same number in another format.
pub(super) fn to_format(arena: &mut Arena, from: Format, to: Format, mode: Mode, x: Term) -> Term {
    let width = exponent_width(&[from, to], from.significand + to.significand + 4);
    let x = unpack(arena, from, x, width);
    let finite = round(arena, to, mode, x.number);
    let infinity = parts::infinity(arena, to, x.number.negative);
    let result = arena.ite(x.infinite, infinity, finite);
    let nan = parts::nan(arena, to);
    arena.ite(x.nan, nan, result)
}

/// The nearest float of a bit-vector.
pub(super) fn from_integer(arena: &mut Arena, to: Format, mode: Mode, x: Term, is_signed: bool) -> Term {
    let length = arena.width(x);
    let width = exponent_width(&[to], length + to.significand + 4);
    let negative = if is_signed { arena.bv_is_negative(x) } else { arena.mk_false() };
    // The least number is its own negation, and its magnitude when read as unsigned.
    let negated = arena.bv_neg(x);
    let significand = arena.ite(negative, negated, x);
    let exponent = arena.bv(width, 0);
    round(arena, to, mode, Number { negative, significand, exponent })
}

/// The magnitude of a number below 1 in its last place, rounded to an integer of one bit more than its
/// significand. Shifts by `-exponent`, which is not negative.
fn integer_part(arena: &mut Arena, mode: Mode, number: Number) -> Term {
    // Two bits behind: the half, and whether anything is below.
    let word = append_zeros(arena, number.significand, 2);
    let length = arena.width(word);
    let places = arena.bv_neg(number.exponent);
    let word = shift_right_jamming(arena, word, places);
    let kept = arena.extract(word, length - 1, 2);
    let (last, half, below) = (bit(arena, kept, 0), bit(arena, word, 1), bit(arena, word, 0));
    let up = mode.increments(arena, number.negative, last, half, below);
    let up = arena.bool_to_bv(up, length - 1);
    let kept = arena.zero_extend(kept, 1);
    arena.bv_add(kept, up)
}

/// The number rounded to an integer, with its sign even where that is zero.
pub(super) fn to_integral(arena: &mut Arena, format: Format, mode: Mode, x: Term) -> Term {
    let width = exponent_width(&[format], format.significand + 4);
    let operand = unpack(arena, format, x, width);
    let significand = integer_part(arena, mode, operand.number);
    let zero = arena.bv(width, 0);
    let number = Number { negative: operand.number.negative, significand, exponent: zero };
    let rounded = round(arena, format, mode, number);
    // Without places behind the point, and where it is no number, it stays.
    let fractional = arena.bv_slt(operand.number.exponent, zero);
    let special = arena.or(&[operand.nan, operand.infinite]);
    let result = arena.ite(fractional, rounded, x);
    arena.ite(special, x, result)
}

/// The number rounded to an integer, as a bit-vector; zero for everything that has none.
pub(super) fn to_integer(
    arena: &mut Arena,
    format: Format,
    mode: Mode,
    x: Term,
    bits: u32,
    is_signed: bool,
) -> Term {
    let width = exponent_width(&[format], format.significand + bits + 8);
    let operand = unpack(arena, format, x, width);
    let negative = operand.number.negative;
    // With places before the point, shifted to the left. In so many bits, a shift by `bits` is out of range
    // without any bit being lost, so larger ones need not be told apart.
    let total = format.significand + bits + 1;
    let wide = widen(arena, operand.number.significand, total);
    let most = arena.bv(width, u64::from(bits));
    let large = arena.bv_slt(most, operand.number.exponent);
    let clipped = arena.ite(large, most, operand.number.exponent);
    let by = distance(arena, clipped, total);
    let shifted = arena.bv_shl(wide, by);
    let rounded = integer_part(arena, mode, operand.number);
    let rounded = widen(arena, rounded, total);
    let zero = arena.bv(width, 0);
    let fractional = arena.bv_slt(operand.number.exponent, zero);
    let magnitude = arena.ite(fractional, rounded, shifted);
    // Its range: up to 2^bits - 1, or from -2^(bits-1) to 2^(bits-1) - 1.
    let limit_bit = if is_signed { bits - 1 } else { bits };
    let limit = arena.bv_constant(BitVec::one(total).shl_by(limit_bit));
    let below = arena.bv_ult(magnitude, limit);
    let fits_negative = if is_signed { arena.bv_ule(magnitude, limit) } else { is_zero(arena, magnitude) };
    let fits = arena.ite(negative, fits_negative, below);
    let special = arena.or(&[operand.nan, operand.infinite]);
    let regular = arena.not(special);
    let defined = arena.and(&[fits, regular]);
    let low = arena.extract(magnitude, bits - 1, 0);
    let negated = arena.bv_neg(low);
    let result = arena.ite(negative, negated, low);
    let nothing = arena.bv(bits, 0);
    arena.ite(defined, result, nothing)
}
