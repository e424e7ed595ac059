//! Shifts: one case per distance, all distances from the width on being one.

use super::structure::{below, least_from};
use super::{Binary, BitOp};
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::interval::{Interval, Rank};

/// `z = x << y`, `x >> y`, or that with the sign.
pub(super) fn shift(op: BitOp, Binary { z, x, y }: Binary) -> Binary {
    let width = z.width;
    let empty = BitSet::empty(width);
    let (mut new_z, mut new_x, mut new_y) = (empty, empty, empty);
    for distances in y.unsigned() {
        let last = distances.hi.min(Rank::from(width));
        for distance in distances.lo.min(last)..=last {
            let by = u32::try_from(distance).unwrap_or(width);
            let (z, x) = match op {
                BitOp::ShiftLeft => left(z, x, by),
                BitOp::ShiftRight => right(z, x, by, false),
                _ => right(z, x, by, true),
            };
            if z.is_empty() || x.is_empty() {
                continue;
            }
            (new_z, new_x) = (new_z.join(z), new_x.join(x));
            let last = if by == width { distances.hi } else { distance };
            let first = distance.max(distances.lo);
            new_y = new_y.join(BitSet::wrapped(width, Interval { lo: first, hi: last }));
        }
    }
    Binary { z: z.meet(new_z), x: x.meet(new_x), y: y.meet(new_y) }
}

/// `z = x << by`: the low bits of `x`, and zeros.
fn left(z: BitSet, x: BitSet, by: u32) -> (BitSet, BitSet) {
    let width = z.width;
    if by >= width {
        return (z.meet(BitSet::wrapped(width, Interval::point(0))), x);
    }
    let kept = width - by;
    // The numbers of `kept` bits that z allows.
    let mut fields = BitSet::empty(kept);
    for part in z.unsigned() {
        let lowest = -(-part.lo).div_euclid(1 << by);
        if let Some(part) = Interval::new(lowest, part.hi >> by) {
            fields = fields.join(BitSet::wrapped(kept, part));
        }
    }
    let mut found = BitSet::empty(kept);
    for part in x.signed() {
        found = found.join(BitSet::wrapped(kept, part));
    }
    let fields = fields.meet(found);
    let shifted = fields.unsigned().fold(BitSet::empty(width), |all, part| {
        all.join(BitSet::wrapped(width, Interval { lo: part.lo << by, hi: part.hi << by }))
    });
    (z.meet(shifted), with_low_bits(x, fields))
}

/// The part of `x` whose low bits are in `fields`.
fn with_low_bits(x: BitSet, fields: BitSet) -> BitSet {
    let mut found = BitSet::empty(x.width);
    for part in x.unsigned() {
        let ends = (least_from(part.lo, 0, fields), below(part.hi, 0, fields));
        if let (Some(lo), Some(hi)) = ends
            && let Some(part) = Interval::new(lo, hi)
        {
            found = found.join(BitSet::wrapped(x.width, part));
        }
    }
    x.meet(found)
}

/// `z = x >> by`.
fn right(z: BitSet, x: BitSet, by: u32, with_sign: bool) -> (BitSet, BitSet) {
    let width = z.width;
    let by = if with_sign { by.min(width - 1) } else { by };
    let parts = |set: BitSet| -> Vec<Interval> {
        if with_sign { set.signed().collect() } else { set.unsigned().collect() }
    };
    if by >= width {
        return (z.meet(BitSet::wrapped(width, Interval::point(0))), x);
    }
    let mut found = BitSet::empty(width);
    for part in parts(x) {
        found = found.join(BitSet::wrapped(width, Interval { lo: part.lo >> by, hi: part.hi >> by }));
    }
    let z = z.meet(found);
    let mut found = BitSet::empty(width);
    let all = if with_sign {
        Interval { lo: -modulus(width - 1), hi: modulus(width - 1) - 1 }
    } else {
        Interval { lo: 0, hi: modulus(width) - 1 }
    };
    for part in parts(z) {
        // Results of other operands than those of the width are not there to be shifted back.
        let Some(part) = part.meet(Interval { lo: all.lo >> by, hi: all.hi >> by }) else { continue };
        let back = Interval { lo: part.lo << by, hi: (part.hi << by) + modulus(by) - 1 };
        found = found.join(BitSet::wrapped(width, back));
    }
    (z, x.meet(found))
}
