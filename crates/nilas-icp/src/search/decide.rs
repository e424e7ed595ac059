//! Decisions: truth values by activity, then splits of intervals.

use super::Search;
use super::bound::{Bound, Column};
use super::trail::Reason;
use crate::boxes::bits::modulus;
use crate::boxes::interval::Interval;

/// A variable of the formula whose columns everything else follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// The unsigned reading of a bit-vector, and its width.
    Bits(Column, u32),
    /// Rank and flag of a float.
    Float(Column, Column),
    /// A rounding mode.
    Mode(Column),
}

impl Input {
    fn column(self) -> Column {
        match self {
            Input::Bits(column, _) | Input::Float(column, _) | Input::Mode(column) => column,
        }
    }
}

impl Search {
    pub(super) fn decide(&mut self, bound: Bound) {
        self.trail.new_level();
        self.stamp += 1;
        self.trail.push(bound, Reason::Decision);
    }

    /// The next truth value to decide, with the side it had last.
    pub(super) fn next_boolean(&mut self) -> Option<Bound> {
        while let Some(column) = self.heap.pop(&self.activity) {
            if !self.trail.range(column).is_point() {
                let phase = self.phase[column.index()];
                return Some(if phase >= 1 { Bound::at_least(column, 1) } else { Bound::at_most(column, 0) });
            }
        }
        None
    }

    /// A split of the widest input, a recently active one if several are about as wide: towards the value it
    /// had last.
    pub(super) fn next_split(&self) -> Option<Bound> {
        let mut best: Option<(f64, Input)> = None;
        for &input in &self.inputs {
            let column = input.column();
            let range = self.trail.range(column);
            if range.is_point() {
                continue;
            }
            // A NaN has no number.
            if let Input::Float(_, nan) = input
                && self.trail.range(nan).lo == 1
            {
                continue;
            }
            let bits = f64::from(128 - range.width().leading_zeros());
            let score = bits + 8.0 * (self.activity[column.index()] / self.increment).min(1.0);
            if best.is_none_or(|(before, _)| score > before) {
                best = Some((score, input));
            }
        }
        let (_, input) = best?;
        let column = input.column();
        let range = self.trail.range(column);
        let middle = match input {
            // Signs first: the signed reading is an interval then.
            Input::Bits(_, width) if range.lo < modulus(width - 1) && modulus(width - 1) <= range.hi => {
                modulus(width - 1) - 1
            }
            _ => range.middle(),
        };
        Some(if self.phase[column.index()] <= middle {
            Bound::at_most(column, middle)
        } else {
            Bound::at_least(column, middle + 1)
        })
    }

    pub(super) fn bump(&mut self, column: Column) {
        let activity = &mut self.activity[column.index()];
        *activity += self.increment;
        if *activity > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        self.heap.raised(column, &self.activity);
    }

    pub(super) fn backtrack(&mut self, level: u32) {
        if level >= self.trail.level() {
            return;
        }
        let (heap, phase, activity, boolean) =
            (&mut self.heap, &mut self.phase, &self.activity, &self.boolean);
        self.trail.backtrack(level, |column, range: Interval| {
            if range.is_point() {
                phase[column.index()] = range.lo;
            }
            if boolean[column.index()] {
                heap.insert(column, activity);
            }
        });
        self.next = self.trail.len();
        self.stamp += 1;
        for id in self.queue.drain(..) {
            self.constraints[id.0 as usize].queued = false;
        }
    }
}
