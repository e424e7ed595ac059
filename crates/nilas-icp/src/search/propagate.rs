//! Propagation: clauses first, then constraints, until nothing moves.
//!
//! Intervals of floats and wide integers can shrink by one rank at a time for ever (`x < y`, `y < x`). A step
//! of a constraint that takes little of a wide interval is only taken a few times per level. Nothing is lost
//! by that: a step to a point or to a contradiction is always taken, and points decide.

use super::Search;
use super::bound::{Bound, Side, end};
use super::explain::explain;
use super::trail::{ConstraintId, Reason};
use crate::boxes::interval::Interval;
use nilas_term::Interrupt;

/// Small steps that an end may take on one level.
const SMALL_STEPS: u32 = 8;

/// A step is small if it takes less than one part in so many.
const PART: u128 = 16;

/// Contractions between two looks at the budget.
const POLL: u64 = 256;

impl Search {
    /// Propagates everything; the bounds of a conflict if there is one.
    pub(super) fn propagate(&mut self) -> Result<Option<Vec<Bound>>, Interrupt> {
        loop {
            while self.next < self.trail.len() {
                let bound = self.trail.step(self.next).bound;
                self.next += 1;
                self.propagations += 1;
                if let Some(clause) = self.clauses.propagate(&mut self.trail, bound.column, bound.side) {
                    self.clauses.bump(clause);
                    let conflict = self.clauses.literals(clause).iter().map(|l| l.negated()).collect();
                    return Ok(Some(conflict));
                }
                for at in 0..self.uses[bound.column.index()].len() {
                    let id = self.uses[bound.column.index()][at];
                    self.enqueue(id);
                }
            }
            let Some(id) = self.queue.pop_front() else { return Ok(None) };
            self.constraints[id.0 as usize].queued = false;
            if let Some(conflict) = self.contract(id) {
                return Ok(Some(conflict));
            }
            if self.contractions.is_multiple_of(POLL)
                && let Some(why) = self.budget.exhausted()
            {
                return Err(why);
            }
        }
    }

    pub(super) fn enqueue(&mut self, id: ConstraintId) {
        let placed = &mut self.constraints[id.0 as usize];
        if placed.relevant == self.check && !placed.queued {
            placed.queued = true;
            self.queue.push_back(id);
        }
    }

    fn contract(&mut self, id: ConstraintId) -> Option<Vec<Bound>> {
        self.contractions += 1;
        let length = self.trail.len();
        let placed = &self.constraints[id.0 as usize];
        self.scratch.clear();
        self.scratch.extend(placed.columns.iter().map(|&column| self.trail.range(column)));
        if placed.contract(&mut self.scratch).is_none() {
            return Some(explain(&self.trail, &self.constraints, id, length, None));
        }
        for (place, &range) in self.scratch.iter().enumerate() {
            let column = placed.columns[place];
            let before = self.trail.range(column);
            if before.includes(range) && before == range {
                continue;
            }
            if !worthwhile(before, range) {
                let steps = &mut self.small_steps[column.index()];
                if steps.0 != self.stamp {
                    *steps = (self.stamp, 0);
                }
                steps.1 += 1;
                if steps.1 > SMALL_STEPS {
                    continue;
                }
            }
            for side in [Side::Lower, Side::Upper] {
                let bound = Bound { column, side, value: end(range, side) };
                if !self.trail.holds(bound) {
                    self.trail.push(bound, Reason::Constraint { id, at: length as u32 });
                }
            }
        }
        None
    }
}

fn worthwhile(before: Interval, after: Interval) -> bool {
    after.is_point() || before.width() - after.width() >= before.width().div_ceil(PART)
}
