//! The trail: every step that moved the end of an interval, with its reason.

use super::bound::{Bound, Column, Side, end, set_end};
use super::clauses::ClauseId;
use crate::boxes::interval::{Interval, Rank};

/// A constraint of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConstraintId(pub(crate) u32);

/// Why a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was assumed or guessed.
    Decision,
    /// A fact: it holds in every model.
    Fact,
    /// All other literals of a clause are false.
    Clause(ClauseId),
    /// A constraint, contracted on the intervals as they were when the trail had that length.
    Constraint { id: ConstraintId, at: u32 },
}

/// A step: an end of an interval moved from `before` to the value of the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) bound: Bound,
    pub(crate) before: Rank,
    /// The step before it that moved the same end.
    previous: u32,
    pub(crate) reason: Reason,
    pub(crate) level: u32,
}

const NONE: u32 = u32::MAX;

/// Intervals of all columns, and how they came about.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    ranges: Vec<Interval>,
    /// The intervals at level 0.
    roots: Vec<Interval>,
    latest: Vec<[u32; 2]>,
    steps: Vec<Step>,
    /// The length of the trail where each level begins.
    levels: Vec<u32>,
}

fn slot(side: Side) -> usize {
    match side {
        Side::Lower => 0,
        Side::Upper => 1,
    }
}

impl Trail {
    pub(crate) fn column(&mut self, range: Interval) -> Column {
        let column = Column(u32::try_from(self.ranges.len()).unwrap_or(u32::MAX));
        self.ranges.push(range);
        self.roots.push(range);
        self.latest.push([NONE; 2]);
        column
    }

    pub(crate) fn columns(&self) -> usize {
        self.ranges.len()
    }

    pub(crate) fn range(&self, column: Column) -> Interval {
        self.ranges[column.index()]
    }

    pub(crate) fn root(&self, column: Column) -> Interval {
        self.roots[column.index()]
    }

    pub(crate) fn holds(&self, bound: Bound) -> bool {
        bound.holds(self.range(bound.column))
    }

    pub(crate) fn fails(&self, bound: Bound) -> bool {
        bound.fails(self.range(bound.column))
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    pub(crate) fn step(&self, index: usize) -> Step {
        self.steps[index]
    }

    pub(crate) fn new_level(&mut self) {
        self.levels.push(self.steps.len() as u32);
    }

    /// Moves an end. The bound is new, and leaves something of the interval.
    pub(crate) fn push(&mut self, bound: Bound, reason: Reason) {
        let index = bound.column.index();
        let before = end(self.ranges[index], bound.side);
        debug_assert!(!self.holds(bound) && !self.fails(bound), "{bound:?} on {:?}", self.ranges[index]);
        set_end(&mut self.ranges[index], bound.side, bound.value);
        let level = self.level();
        if level == 0 {
            self.roots[index] = self.ranges[index];
        }
        let latest = &mut self.latest[index][slot(bound.side)];
        self.steps.push(Step { bound, before, previous: *latest, reason, level });
        *latest = (self.steps.len() - 1) as u32;
    }

    /// The step that made a bound true, if that is not a fact.
    pub(crate) fn cause(&self, bound: Bound) -> Option<usize> {
        let mut at = self.latest[bound.column.index()][slot(bound.side)];
        while at != NONE {
            let step = &self.steps[at as usize];
            if step.level == 0 {
                return None;
            }
            if !bound.implied_by(step.before) {
                debug_assert!(bound.implied_by(step.bound.value), "{bound:?} is not true");
                return Some(at as usize);
            }
            at = step.previous;
        }
        None
    }

    /// The interval of a column when the trail had a length.
    pub(crate) fn range_at(&self, column: Column, length: usize) -> Interval {
        let mut range = self.range(column);
        for side in [Side::Lower, Side::Upper] {
            let mut at = self.latest[column.index()][slot(side)];
            while at != NONE && at as usize >= length {
                let step = &self.steps[at as usize];
                set_end(&mut range, side, step.before);
                at = step.previous;
            }
        }
        range
    }

    /// Undoes all steps above a level; `undone` is told the columns with the intervals they had.
    pub(crate) fn backtrack(&mut self, level: u32, mut undone: impl FnMut(Column, Interval)) {
        let Some(&length) = self.levels.get(level as usize) else { return };
        while self.steps.len() > length as usize {
            let Some(step) = self.steps.pop() else { break };
            let Bound { column, side, .. } = step.bound;
            undone(column, self.ranges[column.index()]);
            set_end(&mut self.ranges[column.index()], side, step.before);
            self.latest[column.index()][slot(side)] = step.previous;
        }
        self.levels.truncate(level as usize);
    }
}
