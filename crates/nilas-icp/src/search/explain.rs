//! Which bounds a contraction rests on.
//!
//! A constraint tells no reasons: it is asked again. The intervals that it saw are widened end by end to what
//! holds at level 0, latest steps first; what it still concludes without an end did not need that end. What is
//! left is a clause that the contractor itself has confirmed, so reasons cannot be wrong where contractors
//! are not. Where only a weaker conclusion is needed than was drawn, weaker reasons are found for it.

use super::bound::{Bound, Column, Side, end, set_end};
use super::trail::{ConstraintId, Trail};
use crate::boxes::interval::Interval;
use crate::contract::Constraint;

/// A constraint with its columns.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) constraint: Constraint,
    pub(crate) columns: Vec<Column>,
    /// The check that it matters to.
    pub(crate) relevant: u32,
    pub(crate) queued: bool,
}

impl Placed {
    /// Contracts intervals, one per place; a column that stands in several places has one interval.
    pub(crate) fn contract(&self, ranges: &mut [Interval]) -> Option<()> {
        self.constraint.contract(ranges)?;
        for (place, column) in self.columns.iter().enumerate() {
            for other in 0..place {
                if self.columns[other] == *column {
                    let both = ranges[place].meet(ranges[other])?;
                    ranges[place] = both;
                    ranges[other] = both;
                }
            }
        }
        Some(())
    }
}

/// Bounds that held when the trail had a length, from which a constraint concludes the goal: a bound, or that
/// there is no solution.
pub(crate) fn explain(
    trail: &Trail,
    constraints: &[Placed],
    id: ConstraintId,
    length: usize,
    goal: Option<Bound>,
) -> Vec<Bound> {
    let placed = &constraints[id.0 as usize];
    let columns = &placed.columns;
    let mut ranges: Vec<Interval> = columns.iter().map(|&column| trail.range_at(column, length)).collect();
    let mut scratch = ranges.clone();
    let mut concludes = |ranges: &[Interval]| {
        scratch.clear();
        scratch.extend_from_slice(ranges);
        if placed.contract(&mut scratch).is_none() {
            return true;
        }
        let Some(goal) = goal else { return false };
        columns.iter().zip(&scratch).any(|(&column, &range)| column == goal.column && goal.holds(range))
    };
    debug_assert!(concludes(&ranges), "{:?} does not conclude {goal:?} again", placed.constraint);
    // The ends that are no facts, latest first.
    let mut ends: Vec<(usize, usize, Side)> = Vec::new();
    for (place, &column) in columns.iter().enumerate() {
        if columns[..place].contains(&column) {
            continue;
        }
        for side in [Side::Lower, Side::Upper] {
            let value = end(ranges[place], side);
            if value != end(trail.root(column), side)
                && let Some(step) = trail.cause(Bound { column, side, value })
            {
                ends.push((step, place, side));
            }
        }
    }
    ends.sort_unstable_by_key(|end| std::cmp::Reverse(end.0));
    let mut needed = Vec::with_capacity(ends.len());
    for (_, place, side) in ends {
        let column = columns[place];
        let value = end(ranges[place], side);
        let widen = |ranges: &mut [Interval], value| {
            for (range, &other) in ranges.iter_mut().zip(columns) {
                if other == column {
                    set_end(range, side, value);
                }
            }
        };
        widen(&mut ranges, end(trail.root(column), side));
        if !concludes(&ranges) {
            widen(&mut ranges, value);
            needed.push(Bound { column, side, value });
        }
    }
    needed
}
