//! Extraction, concatenation, extensions.

use super::{Binary, Unary};
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::interval::{Interval, Rank};

/// The least unsigned number from `from` on whose field at bit `lo` is in the set.
pub(super) fn least_from(from: Rank, lo: u32, fields: BitSet) -> Option<Rank> {
    let size = modulus(fields.width);
    let (above, field) = ((from >> lo).div_euclid(size), (from >> lo).rem_euclid(size));
    let at = |above: Rank, field: Rank| (above * size + field) << lo;
    for part in fields.unsigned() {
        if part.contains(field) {
            return Some(from);
        }
        if part.lo > field {
            return Some(at(above, part.lo));
        }
    }
    Some(at(above + 1, fields.unsigned().next()?.lo))
}

/// The greatest unsigned number up to `from` whose field at bit `lo` is in the set; it may be negative.
pub(super) fn below(from: Rank, lo: u32, fields: BitSet) -> Option<Rank> {
    let size = modulus(fields.width);
    let (above, field) = ((from >> lo).div_euclid(size), (from >> lo).rem_euclid(size));
    let at = |above: Rank, field: Rank| ((above * size + field + 1) << lo) - 1;
    let mut last = None;
    for part in fields.unsigned() {
        if part.contains(field) {
            return Some(from);
        }
        if part.hi < field {
            last = Some(at(above, part.hi));
        }
    }
    Some(match last {
        Some(found) => found,
        None => at(above - 1, fields.unsigned().last()?.hi),
    })
}

/// The field of a width at bit `lo`.
fn field(x: BitSet, lo: u32, width: u32) -> BitSet {
    x.unsigned().fold(BitSet::empty(width), |all, part| {
        all.join(BitSet::wrapped(width, Interval { lo: part.lo >> lo, hi: part.hi >> lo }))
    })
}

/// `z` is the field of `x` at bit `lo`.
pub(super) fn extraction(lo: u32, Unary { z, x }: Unary) -> Unary {
    let z = z.meet(field(x, lo, z.width));
    let mut found = BitSet::empty(x.width);
    for part in x.unsigned() {
        if let (Some(first), Some(last)) = (least_from(part.lo, lo, z), below(part.hi, lo, z))
            && let Some(part) = Interval::new(first, last)
        {
            found = found.join(BitSet::wrapped(x.width, part));
        }
    }
    Unary { z, x: x.meet(found) }
}

/// `z` is `x` above `y`.
pub(super) fn concatenation(Binary { z, x, y }: Binary) -> Binary {
    let low = y.width;
    let mut found = BitSet::empty(z.width);
    for high in x.unsigned() {
        for rest in y.unsigned() {
            let part = Interval { lo: (high.lo << low) + rest.lo, hi: (high.hi << low) + rest.hi };
            found = found.join(BitSet::wrapped(z.width, part));
        }
    }
    let z = z.meet(found);
    let Unary { z: x, x: z } = extraction(low, Unary { z: x, x: z });
    let Unary { z: y, x: z } = extraction(0, Unary { z: y, x: z });
    Binary { z, x, y }
}

/// `z` is `x` with zeros above.
pub(super) fn zero_extension(Unary { z, x }: Unary) -> Unary {
    let z = z.meet(
        x.unsigned().fold(BitSet::empty(z.width), |all, part| all.join(BitSet::wrapped(z.width, part))),
    );
    let x = x.meet(
        z.unsigned().fold(BitSet::empty(x.width), |all, part| all.join(BitSet::wrapped(x.width, part))),
    );
    Unary { z, x }
}

/// `z` is `x` with copies of its sign above.
pub(super) fn sign_extension(Unary { z, x }: Unary) -> Unary {
    let z =
        z.meet(x.signed().fold(BitSet::empty(z.width), |all, part| all.join(BitSet::wrapped(z.width, part))));
    let x =
        x.meet(z.signed().fold(BitSet::empty(x.width), |all, part| all.join(BitSet::wrapped(x.width, part))));
    Unary { z, x }
}
