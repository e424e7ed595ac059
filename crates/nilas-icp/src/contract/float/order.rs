//! Sign, minimum, maximum and the IEEE remainder.

use super::monotone::Outcomes;
use super::{Flags, FloatBox, settle_flags};
use crate::boxes::float::{ZERO, infinity, least_normal, magnitude, numbers, opposite, rank, value};
use crate::boxes::interval::{Interval, Rank, hull};
use nilas_term::Format;

/// `z = -x`, on ranks; flags are the same column.
#[must_use]
pub fn negated(z: &mut Interval, x: &mut Interval) -> Option<()> {
    let flip = |range: Interval| Interval { lo: opposite(range.hi), hi: opposite(range.lo) };
    *z = z.meet(flip(*x))?;
    *x = x.meet(flip(*z))?;
    Some(())
}

/// `z = |x|`, on ranks; flags are the same column.
#[must_use]
pub fn absolute(z: &mut Interval, x: &mut Interval) -> Option<()> {
    let above = x.meet(Interval { lo: ZERO, hi: Rank::MAX }).and_then(|part| part.meet(*z));
    let below = x.meet(Interval { lo: Rank::MIN, hi: opposite(ZERO) });
    let below = below.and_then(|part| Interval { lo: opposite(part.hi), hi: opposite(part.lo) }.meet(*z));
    *z = hull(above, below)?;
    let mirrored = below.map(|part| Interval { lo: opposite(part.hi), hi: opposite(part.lo) });
    *x = x.meet(hull(above, mirrored)?)?;
    Some(())
}

/// Which of two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The lesser one.
    Minimum,
    /// The greater one.
    Maximum,
}

/// `z = min(x, y)` or `z = max(x, y)`: −0 is less than +0, and NaN is neither unless both are. The shadow of
/// the result is that of `y` where both are NaN.
#[must_use]
pub fn extreme(which: Extreme, z: &mut FloatBox, x: &mut FloatBox, y: &mut FloatBox) -> Option<()> {
    let (no, yes) = (Interval::point(0), Interval::point(1));
    // The flag of the result is the conjunction of both.
    if !x.may_be_nan() || !y.may_be_nan() {
        z.nan = z.nan.meet(no)?;
    }
    if z.is_nan() {
        x.nan = x.nan.meet(yes)?;
        y.nan = y.nan.meet(yes)?;
    }
    if x.is_nan() {
        z.nan = z.nan.meet(y.nan)?;
        y.nan = z.nan;
        return same(z, y);
    }
    if y.is_nan() {
        z.nan = z.nan.meet(x.nan)?;
        x.nan = z.nan;
    }
    if x.may_be_nan() || (y.may_be_nan() && !y.is_nan()) {
        z.rank = z.rank.meet(x.rank.hull(y.rank))?;
        return Some(());
    }
    if y.is_nan() {
        return same(z, x);
    }
    // In the mirror a maximum is a minimum.
    let flip = |range: Interval| Interval { lo: !range.hi, hi: !range.lo };
    let mut ranges = [z.rank, x.rank, y.rank];
    if which == Extreme::Maximum {
        ranges = ranges.map(flip);
    }
    let [mut least, mut left, mut right] = ranges;
    least = least.meet(Interval { lo: left.lo.min(right.lo), hi: left.hi.min(right.hi) })?;
    left = Interval::new(left.lo.max(least.lo), left.hi)?;
    right = Interval::new(right.lo.max(least.lo), right.hi)?;
    if right.lo > least.hi {
        left = left.meet(least)?;
        least = left;
    } else if left.lo > least.hi {
        right = right.meet(least)?;
        least = right;
    }
    ranges = [least, left, right];
    if which == Extreme::Maximum {
        ranges = ranges.map(flip);
    }
    [z.rank, x.rank, y.rank] = ranges;
    Some(())
}

fn same(z: &mut FloatBox, x: &mut FloatBox) -> Option<()> {
    z.rank = z.rank.meet(x.rank)?;
    x.rank = z.rank;
    Some(())
}

/// `z = x rem y`, the IEEE remainder. It is not monotone: points are computed, and of ranges it is known that
/// the result is at most as far from zero as either operand, and the dividend where the divisor is far above.
#[must_use]
pub fn remainder(format: Format, z: &mut FloatBox, x: &mut FloatBox, y: &mut FloatBox) -> Option<()> {
    let allowed = Flags::of(z, &[*x, *y]).allowed();
    let infinite = infinity(format);
    let is_infinite = |rank: Rank| magnitude(rank) == infinite;
    if !allowed.invalid {
        // No infinite dividend, no divisor of zero, where they are at the ends.
        let finite = numbers(format);
        x.rank = x.rank.meet(Interval { lo: finite.lo + 1, hi: finite.hi - 1 })?;
        if opposite(ZERO) <= y.rank.lo {
            y.rank = y.rank.meet(Interval { lo: ZERO + 1, hi: infinite })?;
        } else if y.rank.hi <= ZERO {
            y.rank = y.rank.meet(Interval { lo: finite.lo, hi: opposite(ZERO) - 1 })?;
        }
    }
    let invalid = allowed.invalid
        && z.rank.contains(ZERO)
        && (is_infinite(x.rank.lo)
            || is_infinite(x.rank.hi)
            || y.rank.contains(ZERO)
            || y.rank.contains(opposite(ZERO)));
    let all_infinite = x.rank.is_point() && is_infinite(x.rank.lo);
    let all_zero = opposite(ZERO) <= y.rank.lo && y.rank.hi <= ZERO;
    let mut number = None;
    if allowed.number && !all_infinite && !all_zero {
        let farthest = |range: Interval| magnitude(range.lo).max(magnitude(range.hi));
        let nearest = if y.rank.lo <= ZERO && opposite(ZERO) <= y.rank.hi {
            ZERO
        } else {
            magnitude(y.rank.lo).min(magnitude(y.rank.hi))
        };
        let most = farthest(x.rank).min(farthest(y.rank));
        number = z.rank.meet(Interval { lo: opposite(most), hi: most });
        // With the exponent of y more than one above that of x, x is less than half of y.
        if farthest(x.rank).saturating_add(2 * least_normal(format)) <= nearest {
            number = number.and_then(|range| range.meet(x.rank));
            if !invalid && let Some(range) = number {
                x.rank = range;
            }
        }
        if x.rank.is_point() && y.rank.is_point() {
            let result = rank(&value(format, x.rank.lo).rem(&value(format, y.rank.lo)));
            number = result.and_then(|result| number.and_then(|range| range.meet(Interval::point(result))));
        }
    }
    z.rank = hull(number, invalid.then_some(Interval::point(ZERO)))?;
    let outcomes = Outcomes { number: number.is_some(), invalid };
    let mut operands = [*x, *y];
    settle_flags(outcomes, z, &mut operands)?;
    [*x, *y] = operands;
    Some(())
}
