//! Comparisons, minimum and maximum.

use super::parts;
use nilas_term::{Arena, Format, Op, Term};

/// x < y among numbers, with −0 below +0: the layout is sign and magnitude.
fn less(arena: &mut Arena, format: Format, x: Term, y: Term) -> Term {
    let (minus_x, minus_y) = (arena.bv_is_negative(x), arena.bv_is_negative(y));
    let high = format.width() - 2;
    let (left, right) = (arena.extract(x, high, 0), arena.extract(y, high, 0));
    let (below, above) = (arena.bv_ult(left, right), arena.bv_ult(right, left));
    let yes = arena.mk_true();
    let no = arena.mk_false();
    let x_negative = arena.ite(minus_y, above, yes);
    let x_positive = arena.ite(minus_y, no, below);
    arena.ite(minus_x, x_negative, x_positive)
}

/// The IEEE order: zeros are equal, and nothing compares with NaN.
pub(super) fn compare(arena: &mut Arena, format: Format, op: Op, x: Term, y: Term) -> Term {
    let zero_x = parts::class(arena, format, Op::FpIsZero, x);
    let zero_y = parts::class(arena, format, Op::FpIsZero, y);
    let zeros = arena.and(&[zero_x, zero_y]);
    let same = arena.eq(x, y);
    let equal = arena.or(&[same, zeros]);
    let smaller = less(arena, format, x, y);
    let unequal = arena.not(zeros);
    let smaller = arena.and(&[smaller, unequal]);
    let holds = match op {
        Op::FpEq => equal,
        Op::FpLt => smaller,
        _ => arena.or(&[smaller, equal]),
    };
    let (nan_x, nan_y) = (parts::is_nan(arena, format, x), parts::is_nan(arena, format, y));
    let unordered = arena.or(&[nan_x, nan_y]);
    let ordered = arena.not(unordered);
    arena.and(&[holds, ordered])
}

/// The lesser or the greater of two, −0 being less than +0; the number where only one is a number.
pub(super) fn extremum(arena: &mut Arena, format: Format, op: Op, x: Term, y: Term) -> Term {
    let smaller = less(arena, format, x, y);
    let chosen = if op == Op::FpMin { arena.ite(smaller, x, y) } else { arena.ite(smaller, y, x) };
    let (nan_x, nan_y) = (parts::is_nan(arena, format, x), parts::is_nan(arena, format, y));
    let chosen = arena.ite(nan_y, x, chosen);
    arena.ite(nan_x, y, chosen)
}
