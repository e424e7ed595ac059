//! Conflict analysis to the first unique implication point, on steps of the trail.

use super::bound::{Bound, Side, end};
use super::explain::explain;
use super::trail::Reason;
use super::{Failure, Search};
use crate::boxes::interval::Rank;
use rustc_hash::FxHashMap;

/// Bounds that together lead to a conflict, by the steps that made them true.
#[derive(Debug, Default)]
struct Front {
    /// What is needed of a step, by its place on the trail. Read by place only.
    needed: FxHashMap<usize, Rank>,
    /// How many of them are of the level under analysis.
    open: usize,
}

/// What was learnt.
pub(super) struct Learnt {
    /// The first literal becomes true when the search goes back to `level`.
    pub(super) literals: Vec<Bound>,
    pub(super) level: u32,
    pub(super) levels: u32,
}

impl Search {
    fn need(&self, front: &mut Front, bound: Bound, level: u32) {
        let Some(at) = self.trail.cause(bound) else { return };
        let step = self.trail.step(at);
        let known = front.needed.entry(at).or_insert_with(|| {
            front.open += usize::from(step.level == level);
            bound.value
        });
        *known = match bound.side {
            Side::Lower => (*known).max(bound.value),
            Side::Upper => (*known).min(bound.value),
        };
    }

    /// The bounds that a step rests on, as far as `value` is needed of it.
    fn antecedents(&mut self, at: usize, value: Rank) -> Vec<Bound> {
        let step = self.trail.step(at);
        match step.reason {
            Reason::Decision | Reason::Fact => Vec::new(),
            Reason::Clause(id) => {
                self.clauses.bump(id);
                let own = (step.bound.column, step.bound.side);
                let literals = self.clauses.literals(id).iter();
                literals.filter(|l| (l.column, l.side) != own).map(|l| l.negated()).collect()
            }
            Reason::Constraint { id, at } => {
                let goal = Bound { value, ..step.bound };
                explain(&self.trail, &self.constraints, id, at as usize, Some(goal))
            }
        }
    }

    /// Learns from bounds that are true and cannot all be; `None` if they are facts.
    pub(super) fn analyse(&mut self, conflict: &[Bound]) -> Option<Learnt> {
        let level = conflict
            .iter()
            .filter_map(|&bound| self.trail.cause(bound))
            .map(|at| self.trail.step(at).level)
            .max()?;
        let mut front = Front::default();
        for &bound in conflict {
            self.need(&mut front, bound, level);
        }
        let mut at = self.trail.len();
        let point = loop {
            at -= 1;
            let Some(&value) = front.needed.get(&at) else { continue };
            let step = self.trail.step(at);
            self.bump(step.bound.column);
            if front.open == 1 {
                break at;
            }
            front.needed.remove(&at);
            front.open -= 1;
            for bound in self.antecedents(at, value) {
                self.need(&mut front, bound, level);
            }
        };
        let mut places: Vec<usize> = front.needed.keys().copied().collect();
        places.sort_unstable_by_key(|&place| std::cmp::Reverse(place));
        debug_assert_eq!(places.first(), Some(&point), "the point is the latest step");
        let mut literals: Vec<Bound> = Vec::with_capacity(places.len());
        let mut levels: Vec<u32> = Vec::new();
        for &place in &places {
            let step = self.trail.step(place);
            let literal = Bound { value: front.needed[&place], ..step.bound }.negated();
            // A later step of the same end says more.
            if literals.iter().any(|l| (l.column, l.side) == (literal.column, literal.side)) {
                continue;
            }
            self.bump(step.bound.column);
            literals.push(literal);
            levels.push(step.level);
        }
        let back = levels.iter().skip(1).copied().max().unwrap_or(0);
        if let Some(second) = levels.iter().skip(1).position(|&level| level == back) {
            literals.swap(1, second + 1);
            levels.swap(1, second + 1);
        }
        levels.sort_unstable();
        levels.dedup();
        Some(Learnt { literals, level: back, levels: levels.len() as u32 })
    }

    /// Why assumptions fail, one of which does now: §2.4.1, steps 3 and 4. Of those that fail, the one is
    /// taken that failed at the lowest level. What is explained is all that its interval came to in the step
    /// that made it fail, so that it may be replaced by the weakest bound that still fails (§2.4.2).
    pub(super) fn failure(&mut self, assumptions: &[Bound]) -> Failure {
        let failing = assumptions.iter().enumerate().filter(|(_, bound)| self.trail.fails(**bound));
        let cause = |bound: Bound| self.trail.cause(bound.negated());
        let first = failing
            .map(|(place, &bound)| (cause(bound).map(|at| self.trail.step(at).level), place, bound))
            .min_by_key(|&(level, place, _)| (level, place));
        let Some((_, place, bound)) = first else { return Failure::default() };
        let Some(step) = cause(bound).map(|at| self.trail.step(at).bound) else {
            // It fails without any other.
            let reached = end(self.trail.root(bound.column), bound.negated().side);
            return Failure { assumptions: vec![place], last: Some((place, reached)) };
        };
        let mut levels = self.decisions_behind(step);
        levels.sort_unstable();
        let mut assumptions: Vec<usize> = levels.into_iter().map(|level| level as usize - 1).collect();
        assumptions.push(place);
        Failure { assumptions, last: Some((place, step.value)) }
    }

    /// The decisions that make a bound true, by their levels.
    fn decisions_behind(&mut self, bound: Bound) -> Vec<u32> {
        let mut front = Front::default();
        self.need(&mut front, bound, 0);
        let mut levels = Vec::new();
        let mut at = self.trail.len();
        while at > 0 {
            at -= 1;
            let Some(value) = front.needed.remove(&at) else { continue };
            let step = self.trail.step(at);
            if step.reason == Reason::Decision {
                levels.push(step.level);
            }
            for bound in self.antecedents(at, value) {
                self.need(&mut front, bound, 0);
            }
        }
        levels
    }
}
