//! What is computed digit by digit, as by hand: the square root and the remainder.

use super::parts::{self, Number, exponent_width, unpack};
use super::poll;
use super::round::{Mode, round};
use super::words::{append, append_zeros, bit, is_zero, signed, widen};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Format, RoundingMode, Term};

/// The square root; NaN for numbers below zero, −0 for −0.
///
/// The radicand is the significand with zeros behind, so that its exponent is even and it has 2s + 3 or 2s +
/// 4 bits: its integer root has s + 2 bits, and one more behind says whether something remains.
pub(super) fn square_root(
    arena: &mut Arena,
    format: Format,
    mode: Mode,
    x: Term,
    budget: &Budget,
) -> Result<Term, Reason> {
    let precision = format.significand;
    let width = exponent_width(&[format], 2 * precision + 8);
    let operand = unpack(arena, format, x, width);
    let Number { negative, significand, exponent } = operand.number.normalised(arena);
    let shift = signed(arena, width, -i64::from(precision + 3));
    let exponent = arena.bv_add(exponent, shift);
    let odd = bit(arena, exponent, 0);
    let even_word = append_zeros(arena, significand, precision + 3);
    let even_word = arena.zero_extend(even_word, 1);
    let odd_word = append_zeros(arena, significand, precision + 4);
    let radicand = arena.ite(odd, odd_word, even_word);
    let one = arena.bv(width, 1);
    let lowered = arena.bv_sub(exponent, one);
    let exponent = arena.ite(odd, lowered, exponent);
    let (root, exact) = integer_root(arena, radicand, precision + 2, budget)?;
    // Half of an even exponent, and one less for the bit behind.
    let halved = arena.bv_ashr(exponent, one);
    let exponent = arena.bv_sub(halved, one);
    let sticky = arena.not(exact);
    let plus = arena.mk_false();
    let number = Number { negative: plus, significand: append(arena, root, sticky), exponent };
    let rounded = round(arena, format, mode, number);
    // Zeros and plus infinity are their own roots.
    let positive = arena.not(negative);
    let plus_infinity = arena.and(&[operand.infinite, positive]);
    let itself = arena.or(&[operand.zero, plus_infinity]);
    let proper = arena.not(operand.zero);
    let below_zero = arena.and(&[negative, proper]);
    let undefined = arena.or(&[operand.nan, below_zero]);
    let result = arena.ite(itself, x, rounded);
    let nan = parts::nan(arena, format);
    Ok(arena.ite(undefined, nan, result))
}

/// The integer root of a word of twice `digits` bits, and whether it is exact. With two more bits of the
/// radicand, the rest is 4 · rest + bits, and the next digit is one if (2r + 1)² - (2r)² = 4r + 1 fits into
/// it.
fn integer_root(
    arena: &mut Arena,
    radicand: Term,
    digits: u32,
    budget: &Budget,
) -> Result<(Term, Term), Reason> {
    // The rest is at most twice the root, and four times that with two bits is below 2^(digits + 4).
    let width = digits + 4;
    let (mut root, mut rest) = (arena.bv(width, 0), arena.bv(width, 0));
    for digit in (0..digits).rev() {
        poll(budget)?;
        let pair = arena.extract(radicand, 2 * digit + 1, 2 * digit);
        let rest_low = arena.extract(rest, width - 3, 0);
        rest = arena.concat(rest_low, pair);
        let (root_low, one) = (arena.extract(root, width - 3, 0), arena.bv(2, 1));
        let trial = arena.concat(root_low, one);
        let fits = arena.bv_ule(trial, rest);
        let reduced = arena.bv_sub(rest, trial);
        rest = arena.ite(fits, reduced, rest);
        let root_low = arena.extract(root, width - 2, 0);
        root = append(arena, root_low, fits);
    }
    let exact = is_zero(arena, rest);
    Ok((arena.extract(root, digits - 1, 0), exact))
}

/// The most steps times bits of a remainder: double precision has 111,247.
const LARGEST: u64 = 1 << 17;

/// The IEEE remainder: x - y · n, where n is the integer nearest to x / y, the even one of two. It is exact.
///
/// With normal forms mx · 2^ex and my · 2^ey and d = ex - ey: for d < -1, |x| is less than half of |y|, and
/// the result is x. For d ≥ 0, long division of mx · 2^d by my leaves a rest in units of 2^ey and tells
/// whether the quotient is odd. For d = -1 the quotient is 0, and mx is the rest in units of 2^(ey-1). Below,
/// the rest is in those units always.
pub(super) fn remainder(
    arena: &mut Arena,
    format: Format,
    x: Term,
    y: Term,
    budget: &Budget,
) -> Result<Term, Reason> {
    let precision = format.significand;
    let most = format.max_exponent() - format.least_exponent();
    if most.unsigned_abs().saturating_mul(u64::from(precision)) > LARGEST {
        return Err(Reason::Unsupported(format!(
            "fp.rem in the format {} {precision} in the evidence checker",
            format.exponent
        )));
    }
    let width = exponent_width(&[format, format], 2 * precision + 8);
    let (dividend, divisor) = (unpack(arena, format, x, width), unpack(arena, format, y, width));
    let (a, b) = (dividend.number.normalised(arena), divisor.number.normalised(arena));
    let distance = arena.bv_sub(a.exponent, b.exponent);
    let minus_one = signed(arena, width, -1);
    let near = arena.eq(distance, minus_one);
    let far_below = arena.bv_slt(distance, minus_one);
    // Long division, one digit of the quotient per step. Before each step that counts, rest < 2 · my.
    let length = precision + 1;
    let divisor_word = arena.zero_extend(b.significand, 1);
    let mut rest = arena.zero_extend(a.significand, 1);
    let mut odd = arena.mk_false();
    for step in (0..=most).rev() {
        poll(budget)?;
        let step_word = signed(arena, width, step);
        let counts = arena.bv_sle(step_word, distance);
        let fits = arena.bv_ule(divisor_word, rest);
        let difference = arena.bv_sub(rest, divisor_word);
        let reduced = arena.ite(fits, difference, rest);
        let next = if step == 0 {
            reduced
        } else {
            let low = arena.extract(reduced, length - 2, 0);
            append_zeros(arena, low, 1)
        };
        rest = arena.ite(counts, next, rest);
        odd = arena.ite(counts, fits, odd);
    }
    // In units of 2^(ey-1): rest and divisor, with a bit to spare for twice the rest.
    let doubled = append_zeros(arena, rest, 1);
    let rest = widen(arena, rest, length + 1);
    let rest = arena.ite(near, rest, doubled);
    let divisor_word = append_zeros(arena, b.significand, 1);
    let divisor_word = widen(arena, divisor_word, length + 1);
    let (twice, compared) = (append_zeros(arena, rest, 1), widen(arena, divisor_word, length + 2));
    let (more, half) = (arena.bv_ult(compared, twice), arena.eq(compared, twice));
    let half_odd = arena.and(&[half, odd]);
    let up = arena.or(&[more, half_odd]);
    let difference = arena.bv_sub(divisor_word, rest);
    let significand = arena.ite(up, difference, rest);
    let negative = arena.xor(a.negative, up);
    let exponent = arena.bv_add(b.exponent, minus_one);
    let mode = Mode(Mode::constant(arena, RoundingMode::TowardZero));
    let rounded = round(arena, format, mode, Number { negative, significand, exponent });
    let itself = arena.or(&[divisor.infinite, dividend.zero, far_below]);
    let result = arena.ite(itself, x, rounded);
    let undefined = arena.or(&[dividend.nan, divisor.nan, dividend.infinite, divisor.zero]);
    let nan = parts::nan(arena, format);
    Ok(arena.ite(undefined, nan, result))
}
