//! Sums, negation and complement: exact modulo `2^width`, in both directions.

use super::{Binary, Unary};
use crate::boxes::bits::BitSet;
use crate::boxes::interval::Interval;

/// The hull of `x + y`.
fn add(x: BitSet, y: BitSet) -> BitSet {
    pairs(x, y, |x, y| Interval { lo: x.lo + y.lo, hi: x.hi + y.hi })
}

/// The hull of `x - y`.
fn subtract(x: BitSet, y: BitSet) -> BitSet {
    pairs(x, y, |x, y| Interval { lo: x.lo - y.hi, hi: x.hi - y.lo })
}

fn pairs(x: BitSet, y: BitSet, combine: impl Fn(Interval, Interval) -> Interval) -> BitSet {
    let mut result = BitSet::empty(x.width);
    for left in x.signed() {
        for right in y.signed() {
            result = result.join(BitSet::wrapped(x.width, combine(left, right)));
        }
    }
    result
}

/// `z = x + y`.
pub(super) fn sum(Binary { z, x, y }: Binary) -> Binary {
    let z = z.meet(add(x, y));
    let x = x.meet(subtract(z, y));
    let y = y.meet(subtract(z, x));
    Binary { z, x, y }
}

fn negated(x: BitSet) -> BitSet {
    x.signed().fold(BitSet::empty(x.width), |all, part| all.join(BitSet::wrapped(x.width, part.negated())))
}

/// `z = -x`.
pub(super) fn negation(Unary { z, x }: Unary) -> Unary {
    let z = z.meet(negated(x));
    Unary { z, x: x.meet(negated(z)) }
}

/// `z = ~x`.
pub(super) fn complement(Unary { z, x }: Unary) -> Unary {
    let z = z.meet(x.complement());
    Unary { z, x: x.meet(z.complement()) }
}
