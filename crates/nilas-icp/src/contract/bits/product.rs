//! Products modulo `2^width`.
//!
//! Forward: products of the parts as integers, wrapped. Backward: the integers that the parts of `z` stand
//! for within the range of the product, divided by the other factor; nothing where these are too many.

use super::Binary;
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::interval::{Interval, Rank, hull};

/// More wraps around than this are not told apart.
const PERIODS: Rank = 4;

/// `z = x * y`.
pub(super) fn product(Binary { z, x, y }: Binary) -> Binary {
    let width = z.width;
    let empty = BitSet::empty(width);
    let (mut new_z, mut new_x, mut new_y) = (empty, empty, empty);
    for left in x.signed() {
        for right in y.signed() {
            let Some(range) = multiply(left, right) else {
                new_z = z;
                new_x = new_x.join(BitSet::wrapped(width, left));
                new_y = new_y.join(BitSet::wrapped(width, right));
                continue;
            };
            let here = z.meet(BitSet::wrapped(width, range));
            if here.is_empty() {
                continue;
            }
            let Some(targets) = integers(here, range) else {
                new_z = new_z.join(here);
                new_x = new_x.join(BitSet::wrapped(width, left));
                new_y = new_y.join(BitSet::wrapped(width, right));
                continue;
            };
            for target in targets {
                let left = divide(target, right, left);
                let Some(left) = left else { continue };
                let Some(right) = divide(target, left, right) else { continue };
                let Some(range) = multiply(left, right).and_then(|range| range.meet(target)) else {
                    continue;
                };
                new_z = new_z.join(here.meet(BitSet::wrapped(width, range)));
                new_x = new_x.join(BitSet::wrapped(width, left));
                new_y = new_y.join(BitSet::wrapped(width, right));
            }
        }
    }
    Binary { z: z.meet(new_z), x: x.meet(new_x), y: y.meet(new_y) }
}

/// All products; `None` where they leave machine words.
fn multiply(x: Interval, y: Interval) -> Option<Interval> {
    let corners =
        [x.lo.checked_mul(y.lo)?, x.lo.checked_mul(y.hi)?, x.hi.checked_mul(y.lo)?, x.hi.checked_mul(y.hi)?];
    let (lo, hi) = corners.into_iter().fold((corners[0], corners[0]), |(lo, hi), c| (lo.min(c), hi.max(c)));
    // What is wrapped later is moved by a period.
    (lo > Rank::MIN / 2 && hi < Rank::MAX / 2).then_some(Interval { lo, hi })
}

/// The integers of a range whose bit-vectors are in the set, as intervals; `None` where they are too many.
fn integers(set: BitSet, range: Interval) -> Option<Vec<Interval>> {
    let modulus = modulus(set.width);
    let (first, last) = (range.lo.div_euclid(modulus), range.hi.div_euclid(modulus));
    if last - first >= PERIODS {
        return None;
    }
    let mut found = Vec::new();
    for period in first..=last {
        found.extend(set.unsigned().filter_map(|part| part.shifted(period * modulus).meet(range)));
    }
    Some(found)
}

/// What of `x` times something in `y` can be in `z`.
fn divide(z: Interval, y: Interval, x: Interval) -> Option<Interval> {
    if y.contains(0) && z.contains(0) {
        return Some(x);
    }
    let above = y.meet(Interval { lo: 1, hi: Rank::MAX }).map(|y| quotients(z, y));
    let below = y.meet(Interval { lo: -Rank::MAX, hi: -1 }).map(|y| quotients(z.negated(), y.negated()));
    hull(above.flatten().and_then(|range| range.meet(x)), below.flatten().and_then(|range| range.meet(x)))
}

/// The hull of integers `z / y` that are exact for some pair, for positive `y`.
fn quotients(z: Interval, y: Interval) -> Option<Interval> {
    let least = if z.lo >= 0 { y.hi } else { y.lo };
    let greatest = if z.hi >= 0 { y.lo } else { y.hi };
    Interval::new(-(-z.lo).div_euclid(least), z.hi.div_euclid(greatest))
}
