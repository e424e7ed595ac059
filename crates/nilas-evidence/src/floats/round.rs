//! Rounding: the one way from numbers to floats.

use super::parts::Number;
use super::words::{append_zeros, bit, is_zero, normalise, shift_right_jamming, signed, widen};
use nilas_term::{Arena, BitVec, Format, RoundingMode, Term};

/// A rounding mode as a word below five.
#[derive(Clone, Copy)]
pub(super) struct Mode(pub(super) Term);

impl Mode {
    pub(super) const WIDTH: u32 = 3;

    pub(super) fn code(mode: RoundingMode) -> u64 {
        match mode {
            RoundingMode::NearestEven => 0,
            RoundingMode::NearestAway => 1,
            RoundingMode::Up => 2,
            RoundingMode::Down => 3,
            RoundingMode::TowardZero => 4,
        }
    }

    pub(super) fn constant(arena: &mut Arena, mode: RoundingMode) -> Term {
        arena.bv(Self::WIDTH, Self::code(mode))
    }

    /// A code that is one: those beyond mean the first.
    pub(super) fn canonical(arena: &mut Arena, code: Term) -> Term {
        let (count, first) = (arena.bv(Self::WIDTH, 5), arena.bv(Self::WIDTH, 0));
        let known = arena.bv_ult(code, count);
        arena.ite(known, code, first)
    }

    pub(super) fn is(self, arena: &mut Arena, mode: RoundingMode) -> Term {
        let mode = Self::constant(arena, mode);
        arena.eq(self.0, mode)
    }

    /// Rounding that goes away from zero for this sign whenever anything is dropped.
    fn outwards(self, arena: &mut Arena, negative: Term) -> Term {
        let (up, down) = (self.is(arena, RoundingMode::Up), self.is(arena, RoundingMode::Down));
        arena.ite(negative, down, up)
    }

    /// Whether a magnitude is rounded up, by its last bit kept, the first bit dropped, and whether anything
    /// is below.
    pub(super) fn increments(
        self,
        arena: &mut Arena,
        negative: Term,
        last: Term,
        half: Term,
        below: Term,
    ) -> Term {
        let even = self.is(arena, RoundingMode::NearestEven);
        let away = self.is(arena, RoundingMode::NearestAway);
        let outwards = self.outwards(arena, negative);
        let more_than_even = arena.or(&[below, last]);
        let inexact = arena.or(&[half, below]);
        let to_even = arena.and(&[even, half, more_than_even]);
        let to_away = arena.and(&[away, half]);
        let directed = arena.and(&[outwards, inexact]);
        arena.or(&[to_even, to_away, directed])
    }

    /// Whether what is too large becomes infinite, rather than the largest number.
    fn overflows_to_infinity(self, arena: &mut Arena, negative: Term) -> Term {
        let even = self.is(arena, RoundingMode::NearestEven);
        let away = self.is(arena, RoundingMode::NearestAway);
        let outwards = self.outwards(arena, negative);
        arena.or(&[even, away, outwards])
    }
}

/// The float for a number. A zero keeps its sign.
///
/// The last bit of the significand may be a jammed one: set for "and something more below" (see `words`).
/// Then the significand must have at least two significant bits more than the format's, so that this bit only
/// ever says whether anything is below the half.
pub(super) fn round(arena: &mut Arena, format: Format, mode: Mode, number: Number) -> Term {
    let Number { negative, significand, exponent } = number;
    let width = arena.width(exponent);
    let precision = format.significand;
    // At least two bits are there to be dropped.
    let given = arena.width(significand);
    let length = given.max(precision + 2);
    let word = append_zeros(arena, significand, length - given);
    let (word, zeros) = normalise(arena, word);
    let zeros = widen(arena, zeros, width);
    // The exponent of the first bit, as in 1.x · 2^first.
    let ahead = signed(arena, width, i64::from(given) - 1);
    let first = arena.bv_add(exponent, ahead);
    let first = arena.bv_sub(first, zeros);
    // Below the least normal exponent, bits are dropped until the exponent is that.
    let least = signed(arena, width, format.min_exponent());
    let subnormal = arena.bv_slt(first, least);
    let (depth, none) = (arena.bv_sub(least, first), arena.bv(width, 0));
    let depth = arena.ite(subnormal, depth, none);
    let word = shift_right_jamming(arena, word, depth);
    let kept = arena.extract(word, length - 1, length - precision);
    let half = bit(arena, word, length - precision - 1);
    let rest = arena.extract(word, length - precision - 2, 0);
    let (nothing, last) = (is_zero(arena, rest), bit(arena, kept, 0));
    let below = arena.not(nothing);
    let up = mode.increments(arena, negative, last, half, below);
    // In the IEEE layout, (first - least) in the exponent field plus the significand with its highest bit,
    // which adds one to the field for normal numbers and is not there for others. A carry of the increment
    // does the right thing: it makes the least normal number of the largest subnormal, the next power of two,
    // or infinity.
    let base = arena.bv_sub(first, least);
    let base = arena.ite(subnormal, none, base);
    let total = width + format.fraction() + 1;
    let base = append_zeros(arena, base, format.fraction());
    let (base, kept) = (widen(arena, base, total), widen(arena, kept, total));
    let up = arena.bool_to_bv(up, total);
    let layout = arena.bv_add(base, kept);
    let layout = arena.bv_add(layout, up);
    // Infinity is the exponent field of all ones, and the largest number is one less.
    let magnitude_width = format.width() - 1;
    let ones = arena.bv_constant(BitVec::ones(format.exponent));
    let infinity = append_zeros(arena, ones, format.fraction());
    let one = arena.bv(magnitude_width, 1);
    let largest = arena.bv_sub(infinity, one);
    let limit = widen(arena, infinity, total);
    let overflow = arena.bv_ule(limit, layout);
    let to_infinity = mode.overflows_to_infinity(arena, negative);
    let extreme = arena.ite(to_infinity, infinity, largest);
    let layout = arena.extract(layout, magnitude_width - 1, 0);
    let magnitude = arena.ite(overflow, extreme, layout);
    let (is_zero, zero) = (is_zero(arena, significand), arena.bv(magnitude_width, 0));
    let magnitude = arena.ite(is_zero, zero, magnitude);
    let sign = arena.bool_to_bv(negative, 1);
    arena.concat(sign, magnitude)
}
