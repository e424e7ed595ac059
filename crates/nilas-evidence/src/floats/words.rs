//! Small steps on words that the operations share.

use nilas_term::{Arena, Term};

/// A number of two's complement. Widths are below 64.
pub(super) fn signed(arena: &mut Arena, width: u32, value: i64) -> Term {
    arena.bv(width, value.cast_unsigned())
}

/// The same number in a wider word.
pub(super) fn widen(arena: &mut Arena, word: Term, width: u32) -> Term {
    match width - arena.width(word) {
        0 => word,
        by => arena.zero_extend(word, by),
    }
}

/// The word with zeros behind: the number times a power of two.
pub(super) fn append_zeros(arena: &mut Arena, word: Term, count: u32) -> Term {
    if count == 0 {
        return word;
    }
    let zeros = arena.bv(count, 0);
    arena.concat(word, zeros)
}

/// The word with one more bit behind.
pub(super) fn append(arena: &mut Arena, word: Term, bit: Term) -> Term {
    let bit = arena.bool_to_bv(bit, 1);
    arena.concat(word, bit)
}

/// Whether a bit is set.
pub(super) fn bit(arena: &mut Arena, word: Term, index: u32) -> Term {
    let (bit, one) = (arena.extract(word, index, index), arena.bv(1, 1));
    arena.eq(bit, one)
}

pub(super) fn is_zero(arena: &mut Arena, word: Term) -> Term {
    let zero = arena.bv(arena.width(word), 0);
    arena.eq(word, zero)
}

/// Bits that it takes to write a number.
pub(super) fn bits_for(number: u64) -> u32 {
    (u64::BITS - number.leading_zeros()).max(1)
}

/// An unsigned distance as a word of `width` bits, at most `width`: shifting by more makes no difference.
pub(super) fn distance(arena: &mut Arena, amount: Term, width: u32) -> Term {
    let needed = bits_for(u64::from(width));
    let given = arena.width(amount);
    if given <= needed {
        // At most 2^needed - 1, which is as good as `width` when it is more.
        return widen(arena, amount, width);
    }
    let limit = arena.bv(given, u64::from(width));
    let beyond = arena.bv_ult(limit, amount);
    let (most, low) = (arena.bv(needed, u64::from(width)), arena.extract(amount, needed - 1, 0));
    let clipped = arena.ite(beyond, most, low);
    widen(arena, clipped, width)
}

/// The word shifted to the right; its last bit is set, too, if a set bit was shifted out ("jamming").
pub(super) fn shift_right_jamming(arena: &mut Arena, word: Term, amount: Term) -> Term {
    let width = arena.width(word);
    let by = distance(arena, amount, width);
    let shifted = arena.bv_lshr(word, by);
    let back = arena.bv_shl(shifted, by);
    let lost = arena.ne(back, word);
    let jam = arena.bool_to_bv(lost, width);
    arena.bv_or(shifted, jam)
}

/// The word shifted to the left until its highest bit is set, and by how many bits that was. Zero stays zero,
/// and the number is meaningless.
pub(super) fn normalise(arena: &mut Arena, word: Term) -> (Term, Term) {
    let width = arena.width(word);
    let mut word = word;
    let mut zeros = None;
    // A set bit is among the highest 2^(stage + 1) before each stage, and among the highest 2^stage after it.
    for stage in (0..bits_for(u64::from(width))).rev() {
        let half = 1 << stage;
        let empty = if half < width {
            let top = arena.extract(word, width - 1, width - half);
            let empty = is_zero(arena, top);
            let rest = arena.extract(word, width - 1 - half, 0);
            let shifted = append_zeros(arena, rest, half);
            word = arena.ite(empty, shifted, word);
            empty
        } else {
            arena.mk_false()
        };
        let digit = arena.bool_to_bv(empty, 1);
        zeros = Some(zeros.map_or(digit, |zeros| arena.concat(zeros, digit)));
    }
    // There is at least one stage.
    let zeros = zeros.unwrap_or(word);
    (word, zeros)
}

/// Chooses the second if the condition holds, else the third: for numbers of equal width and truth values.
pub(super) fn choose<const N: usize>(
    arena: &mut Arena,
    condition: Term,
    then: [Term; N],
    otherwise: [Term; N],
) -> [Term; N] {
    std::array::from_fn(|index| arena.ite(condition, then[index], otherwise[index]))
}
