//! Every box of the toy format, every mode, every combination of flags, for operators of two operands.
//!
//! 105 intervals of ranks for each of three columns, 3 of flags for each, 5 modes: 156 million boxes of an
//! operator that rounds. What is best for a box is not searched for each: for the two operands the hull of
//! the solutions is kept by result, and grows as the interval of the result does. Ignored, because even so it
//! takes minutes: `cargo test --release -p nilas-icp --lib -- --ignored --nocapture exhaustive`.

// What was tried is told to whoever runs it.
#![allow(clippy::print_stderr)]

use super::tests::{TOY, Table, intervals};
use crate::boxes::float::numbers;
use crate::boxes::interval::Interval;
use crate::contract::Constraint;
use crate::contract::float::{Extreme, Operation};
use nilas_term::RoundingMode;

/// The hulls of result, its flag, and both operands with theirs.
type Hull = [Interval; 6];

fn hull(best: Option<Hull>, other: Option<Hull>) -> Option<Hull> {
    match (best, other) {
        (Some(best), Some(other)) => Some(std::array::from_fn(|place| best[place].hull(other[place]))),
        (one, another) => one.or(another),
    }
}

fn all_boxes(constraint: &Constraint) {
    let has_mode = matches!(constraint, Constraint::Rounded { .. });
    let first = usize::from(has_mode);
    let (all, flags) = (numbers(TOY), intervals(Interval::BOOLEAN));
    let ranks = intervals(all);
    let count = (all.hi - all.lo + 1) as usize;
    let table = Table::new(constraint, 2, TOY);
    let (mut boxes, mut tight) = (0u64, 0u64);
    for &mode in if has_mode { &RoundingMode::ALL[..] } else { &RoundingMode::ALL[..1] } {
        let mut before = [Interval::point(super::mode_rank(mode)); 7];
        for (&x, &y) in ranks.iter().flat_map(|x| ranks.iter().map(move |y| (x, y))) {
            for (&nan_x, &nan_y) in flags.iter().flat_map(|x| flags.iter().map(move |y| (x, y))) {
                before[first + 2..first + 6].copy_from_slice(&[x, nan_x, y, nan_y]);
                // By the rank of the result, and whether it is NaN.
                let mut by_result: Vec<Option<Hull>> = vec![None; 2 * count];
                for (rank_x, flag_x) in (x.lo..=x.hi).flat_map(|r| (nan_x.lo..=nan_x.hi).map(move |n| (r, n)))
                {
                    for (rank_y, flag_y) in
                        (y.lo..=y.hi).flat_map(|r| (nan_y.lo..=nan_y.hi).map(move |n| (r, n)))
                    {
                        let z = table.result(mode, &[(rank_x, flag_x == 1), (rank_y, flag_y == 1)]);
                        let point =
                            [z.0, i128::from(z.1), rank_x, flag_x, rank_y, flag_y].map(Interval::point);
                        let place = &mut by_result[2 * (z.0 - all.lo) as usize + usize::from(z.1)];
                        *place = hull(*place, Some(point));
                    }
                }
                for &nan_z in &flags {
                    before[first + 1] = nan_z;
                    for lo in all.lo..=all.hi {
                        let mut best: Option<Hull> = None;
                        for hi in lo..=all.hi {
                            for nan in nan_z.lo..=nan_z.hi {
                                best = hull(best, by_result[2 * (hi - all.lo) as usize + nan as usize]);
                            }
                            before[first] = Interval { lo, hi };
                            let mut after = before;
                            let left = constraint.contract(&mut after[..first + 6]).is_some();
                            let after: Hull = std::array::from_fn(|place| after[first + place]);
                            let inside = before[first..]
                                .iter()
                                .zip(&after)
                                .all(|(before, after)| before.includes(*after));
                            assert!(!left || inside, "{constraint:?} {mode:?} grew {before:?} to {after:?}");
                            if let Some(best) = best {
                                let kept = left
                                    && after.iter().zip(&best).all(|(after, best)| after.includes(*best));
                                assert!(
                                    kept,
                                    "{constraint:?} {mode:?} on {before:?} became {after:?}, solutions are {best:?}"
                                );
                            }
                            boxes += 1;
                            tight += u64::from(if left { best == Some(after) } else { best.is_none() });
                        }
                    }
                }
            }
        }
    }
    eprintln!("{constraint:?}: {boxes} boxes, no solution lost, {tight} as tight as can be");
}

fn rounded(operation: Operation) -> Constraint {
    Constraint::Rounded { operation, format: TOY }
}

#[test]
#[ignore = "minutes in a release build"]
fn exhaustive_addition() {
    all_boxes(&rounded(Operation::Add));
}

#[test]
#[ignore = "minutes in a release build"]
fn exhaustive_multiplication() {
    all_boxes(&rounded(Operation::Multiply));
}

#[test]
#[ignore = "minutes in a release build"]
fn exhaustive_division() {
    all_boxes(&rounded(Operation::Divide));
}

#[test]
#[ignore = "minutes in a release build"]
fn exhaustive_extremes_and_remainder() {
    all_boxes(&Constraint::FloatExtreme(Extreme::Minimum));
    all_boxes(&Constraint::FloatExtreme(Extreme::Maximum));
    all_boxes(&Constraint::FloatRemainder(TOY));
}
