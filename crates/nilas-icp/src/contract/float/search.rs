//! Ends of intervals that a monotone condition cuts off: found by steps that double, from a guess.

use crate::boxes::interval::{Interval, Rank};

/// The least rank of a range that satisfies a condition which, once true, stays true; `None` if none does.
/// The guess may be anything; a good one saves steps.
pub(super) fn least(range: Interval, guess: Rank, condition: impl Fn(Rank) -> bool) -> Option<Rank> {
    if condition(range.lo) {
        return Some(range.lo);
    }
    if range.is_point() || !condition(range.hi) {
        return None;
    }
    // At `no` and below it fails, at `yes` it holds.
    let (mut no, mut yes) = (range.lo, range.hi);
    let mut at = guess.clamp(no, yes);
    let mut step: Rank = 1;
    let mut first = None;
    while no < at && at < yes {
        let holds = condition(at);
        if holds {
            yes = at;
        } else {
            no = at;
        }
        if *first.get_or_insert(holds) != holds {
            break;
        }
        at = at.saturating_add(if holds { -step } else { step });
        step = step.saturating_mul(2);
    }
    while yes.wrapping_sub(no) != 1 {
        let middle = Interval { lo: no, hi: yes }.middle();
        if condition(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Some(yes)
}

/// The greatest rank of a range that satisfies a condition which, once false, stays false.
pub(super) fn greatest(range: Interval, guess: Rank, condition: impl Fn(Rank) -> bool) -> Option<Rank> {
    // In the mirror. The least machine word has no mirror image, but it is no rank either.
    let mirrored = Interval { lo: !range.hi, hi: !range.lo };
    least(mirrored, !guess, |rank| condition(!rank)).map(|rank| !rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_from_any_guess() {
        for lo in -6..4 {
            for hi in lo..6 {
                for end in lo - 1..=hi + 1 {
                    for guess in lo - 3..hi + 3 {
                        let range = Interval { lo, hi };
                        let first = (lo..=hi).find(|&rank| rank >= end);
                        assert_eq!(least(range, guess, |rank| rank >= end), first);
                        let last = (lo..=hi).rev().find(|&rank| rank <= end);
                        assert_eq!(greatest(range, guess, |rank| rank <= end), last);
                    }
                }
            }
        }
    }

    #[test]
    fn wide_ranges_take_few_steps() {
        let range = Interval { lo: i128::MIN + 1, hi: i128::MAX };
        for end in [i128::MIN + 1, -5, 0, 77, i128::MAX] {
            let steps = std::cell::Cell::new(0);
            let count = |rank: Rank| {
                steps.set(steps.get() + 1);
                rank >= end
            };
            assert_eq!(least(range, 3, count), Some(end));
            assert!(steps.get() < 400, "{} steps to {end}", steps.get());
        }
    }
}
