//! Quotients and remainders, as SMT-LIB defines them for divisors that are zero.
//!
//! Signed ones are reduced to magnitudes, one sign at a time; `-H` has the magnitude `H`.

use super::Binary;
use crate::boxes::bits::{BitSet, modulus};
use crate::boxes::float::bit_vector;
use crate::boxes::interval::{Interval, Rank};

/// A quotient or remainder of magnitudes with its operands; the divisor is at least 1.
type Magnitudes = (Interval, Interval, Interval);

/// `q = x / y`, rounded down.
fn quotient((q, x, y): Magnitudes) -> Option<Magnitudes> {
    let q = q.meet(Interval { lo: x.lo / y.hi, hi: x.hi / y.lo })?;
    let top = q.hi.saturating_mul(y.hi).saturating_add(y.hi - 1);
    let x = x.meet(Interval::new(q.lo.saturating_mul(y.lo), top)?)?;
    let least = x.lo / (q.hi + 1) + 1;
    let greatest = if q.lo > 0 { x.hi / q.lo } else { y.hi };
    let y = y.meet(Interval::new(least, greatest)?)?;
    Some((q, x, y))
}

/// `r = x mod y`.
fn remainder((r, x, y): Magnitudes) -> Option<Magnitudes> {
    let r = r.meet(Interval { lo: 0, hi: x.hi.min(y.hi - 1) })?;
    let x = x.meet(Interval::new(r.lo, x.hi)?)?;
    let y = y.meet(Interval::new(r.lo + 1, y.hi)?)?;
    let (first, last) = (x.lo / y.hi, x.hi / y.lo);
    if first == last && (y.is_point() || first == 0) {
        // One quotient: the remainder is a difference.
        let r = r.meet(x.shifted(-first * y.lo))?;
        return Some((r, x.meet(r.shifted(first * y.lo))?, y));
    }
    Some((r, x, y))
}

const ABOVE_ZERO: Interval = Interval { lo: 1, hi: Rank::MAX };

struct Cases {
    width: u32,
    before: Binary,
    after: Binary,
}

impl Cases {
    fn new(before: Binary) -> Self {
        let width = before.z.width;
        let empty = BitSet::empty(width);
        Cases { width, before, after: Binary { z: empty, x: empty, y: empty } }
    }

    fn add(&mut self, z: Interval, x: Interval, y: Interval) {
        let wrap = |part: Interval| BitSet::wrapped(self.width, part);
        self.add_sets(wrap(z), wrap(x), wrap(y));
    }

    fn add_sets(&mut self, z: BitSet, x: BitSet, y: BitSet) {
        let Binary { z: all_z, x: all_x, y: all_y } = self.before;
        let (z, x, y) = (z.meet(all_z), x.meet(all_x), y.meet(all_y));
        if z.is_empty() || x.is_empty() || y.is_empty() {
            return;
        }
        let after = &mut self.after;
        (after.z, after.x, after.y) = (after.z.join(z), after.x.join(x), after.y.join(y));
    }

    /// The dividend over a divisor of zero.
    fn add_by_zero(&mut self) {
        if self.before.y.contains(0) {
            let zero = BitSet::wrapped(self.width, Interval::point(0));
            let same = self.before.z.meet(self.before.x);
            self.add_sets(same, same, zero);
        }
    }
}

/// `z = x / y`, unsigned; all ones when `y` is zero.
pub(super) fn unsigned_quotient(sets: Binary) -> Binary {
    let mut cases = Cases::new(sets);
    let ones = modulus(sets.z.width) - 1;
    if sets.y.contains(0) && sets.z.contains(ones) {
        let point = |rank: Rank| BitSet::wrapped(sets.z.width, Interval::point(rank));
        cases.add_sets(point(ones), sets.x, point(0));
    }
    for x in sets.x.unsigned() {
        for y in sets.y.unsigned().filter_map(|y| y.meet(ABOVE_ZERO)) {
            for z in sets.z.unsigned() {
                if let Some((z, x, y)) = quotient((z, x, y)) {
                    cases.add(z, x, y);
                }
            }
        }
    }
    cases.after
}

/// `z = x mod y`, unsigned; `x` when `y` is zero.
pub(super) fn unsigned_remainder(sets: Binary) -> Binary {
    let mut cases = Cases::new(sets);
    cases.add_by_zero();
    for x in sets.x.unsigned() {
        for y in sets.y.unsigned().filter_map(|y| y.meet(ABOVE_ZERO)) {
            for z in sets.z.unsigned() {
                if let Some((z, x, y)) = remainder((z, x, y)) {
                    cases.add(z, x, y);
                }
            }
        }
    }
    cases.after
}

/// The magnitudes of an interval of one sign, and whether they stand for negative numbers.
fn magnitudes(part: Interval) -> (bool, Interval) {
    if part.lo < 0 { (true, part.negated()) } else { (false, part) }
}

fn signed(negative: bool, magnitudes: Interval) -> Interval {
    if negative { magnitudes.negated() } else { magnitudes }
}

/// The magnitudes that results of a sign may have, as intervals: `H` stands for `-H` too.
fn targets(z: BitSet, negative: bool) -> impl Iterator<Item = Interval> {
    let half = modulus(z.width - 1);
    let wrapped = (!negative && z.contains(half)).then_some(Interval::point(half));
    let of_sign = move |part: Interval| {
        let part = if negative { part.negated() } else { part };
        part.meet(Interval { lo: 0, hi: half })
    };
    z.signed().filter_map(of_sign).chain(wrapped)
}

/// `z = x / y`, signed, rounded towards zero; for a zero `y`, 1 for negative `x`, else -1.
pub(super) fn signed_quotient(sets: Binary) -> Binary {
    let mut cases = Cases::new(sets);
    for part in sets.x.signed() {
        let (x_negative, x) = magnitudes(part);
        if sets.y.contains(0) {
            let result = if x_negative { 1 } else { -1 };
            cases.add(Interval::point(result), part, Interval::point(0));
        }
        for part in sets.y.signed() {
            let (y_negative, y) = magnitudes(part);
            let Some(y) = y.meet(ABOVE_ZERO) else { continue };
            let negative = x_negative != y_negative;
            for z in targets(sets.z, negative) {
                if let Some((z, x, y)) = quotient((z, x, y)) {
                    cases.add(signed(negative, z), signed(x_negative, x), signed(y_negative, y));
                }
            }
        }
    }
    cases.after
}

/// `z = x rem y`, signed, with the sign of `x`; `x` when `y` is zero.
pub(super) fn signed_remainder(sets: Binary) -> Binary {
    let mut cases = Cases::new(sets);
    cases.add_by_zero();
    for part in sets.x.signed() {
        let (x_negative, x) = magnitudes(part);
        for part in sets.y.signed() {
            let (y_negative, y) = magnitudes(part);
            let Some(y) = y.meet(ABOVE_ZERO) else { continue };
            for z in targets(sets.z, x_negative) {
                if let Some((z, x, y)) = remainder((z, x, y)) {
                    cases.add(signed(x_negative, z), signed(x_negative, x), signed(y_negative, y));
                }
            }
        }
    }
    cases.after
}

/// `z = x mod y`, signed, with the sign of `y`; `x` when `y` is zero.
///
/// With operands of different signs the result is `y` less the remainder of the magnitudes; there only its
/// range is known, unless the operands are points.
pub(super) fn signed_modulo(sets: Binary) -> Binary {
    let mut cases = Cases::new(sets);
    cases.add_by_zero();
    for part in sets.x.signed() {
        let (x_negative, x) = magnitudes(part);
        for divisors in sets.y.signed() {
            let (y_negative, y) = magnitudes(divisors);
            let Some(y) = y.meet(ABOVE_ZERO) else { continue };
            for z in targets(sets.z, y_negative) {
                if x_negative == y_negative {
                    if let Some((z, x, y)) = remainder((z, x, y)) {
                        cases.add(signed(y_negative, z), signed(x_negative, x), signed(y_negative, y));
                    }
                    continue;
                }
                let z = if x.is_point() && y.is_point() {
                    let width = sets.z.width;
                    let bits =
                        |rank: Rank| bit_vector(width, rank.rem_euclid(modulus(width)).cast_unsigned());
                    let result = bits(signed(x_negative, x).lo).smod(&bits(signed(y_negative, y).lo));
                    let result = crate::boxes::float::number(&result).cast_signed();
                    let half = modulus(width - 1);
                    let signed = if result >= half { result - 2 * half } else { result };
                    z.meet(Interval::point(signed.abs()))
                } else {
                    z.meet(Interval { lo: 0, hi: y.hi - 1 })
                };
                let Some(z) = z else { continue };
                let Some(y) = y.meet(Interval { lo: z.lo + 1, hi: Rank::MAX }) else { continue };
                cases.add(signed(y_negative, z), part, signed(y_negative, y));
            }
        }
    }
    cases.after
}
