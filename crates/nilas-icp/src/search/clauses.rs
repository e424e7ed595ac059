//! Clauses over bounds, with two watched literals each.

use super::bound::{Bound, Column, Side};
use super::trail::{Reason, Trail};

/// A clause of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClauseId(pub(crate) u32);

#[derive(Clone, Debug)]
struct Clause {
    /// The first two are watched.
    literals: Vec<Bound>,
    learnt: bool,
    /// Levels that the clause touched when it was learnt.
    levels: u32,
    activity: f64,
}

/// An entry of a watch list: the clause, its watched literal there, and another one that may be true.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseId,
    literal: Bound,
    blocker: Bound,
}

/// All clauses. A watched literal stands in the list of the end that would make it false.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    clauses: Vec<Clause>,
    watches: Vec<[Vec<Watch>; 2]>,
    learnt: usize,
    increment: f64,
}

/// The list of a literal: `x ≥ c` becomes false by the upper end.
fn list(literal: Bound) -> (usize, usize) {
    (literal.column.index(), usize::from(literal.side == Side::Lower))
}

fn list_of_change(column: Column, side: Side) -> (usize, usize) {
    (column.index(), usize::from(side == Side::Upper))
}

/// The literals of a clause, each end of a column at most once; `None` if it is always true.
pub(crate) fn normalised(literals: &[Bound]) -> Option<Vec<Bound>> {
    let mut sorted: Vec<Bound> = literals.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<Bound> = Vec::with_capacity(sorted.len());
    for literal in sorted {
        match merged.last_mut() {
            Some(last) if last.column == literal.column && last.side == literal.side => {
                // Sorted by value: of lower ends the first is the weakest, of upper ends the last.
                if literal.side == Side::Upper {
                    *last = literal;
                }
            }
            Some(last) if last.column == literal.column && last.value <= literal.value.saturating_add(1) => {
                return None;
            }
            _ => merged.push(literal),
        }
    }
    Some(merged)
}

impl Clauses {
    pub(crate) fn len(&self) -> usize {
        self.clauses.len()
    }

    pub(crate) fn learnt(&self) -> usize {
        self.learnt
    }

    pub(crate) fn literals(&self, id: ClauseId) -> &[Bound] {
        &self.clauses[id.0 as usize].literals
    }

    /// Adds a clause of at least two literals; the first two are watched.
    pub(crate) fn add(&mut self, literals: Vec<Bound>, learnt: Option<u32>) -> ClauseId {
        let id = ClauseId(self.clauses.len() as u32);
        self.learnt += usize::from(learnt.is_some());
        let activity = self.increment;
        let clause = Clause { literals, learnt: learnt.is_some(), levels: learnt.unwrap_or(0), activity };
        self.watch(id, clause.literals[0], clause.literals[1]);
        self.watch(id, clause.literals[1], clause.literals[0]);
        self.clauses.push(clause);
        id
    }

    fn watch(&mut self, clause: ClauseId, literal: Bound, blocker: Bound) {
        let (column, side) = list(literal);
        if self.watches.len() <= column {
            self.watches.resize_with(column + 1, Default::default);
        }
        self.watches[column][side].push(Watch { clause, literal, blocker });
    }

    /// An end of a column moved: propagates units, and returns a clause all of whose literals are false.
    pub(crate) fn propagate(&mut self, trail: &mut Trail, column: Column, side: Side) -> Option<ClauseId> {
        let (index, slot) = list_of_change(column, side);
        let mut watches = std::mem::take(&mut self.watches.get_mut(index)?[slot]);
        let mut conflict = None;
        let (mut read, mut write) = (0, 0);
        while read < watches.len() {
            let watch = watches[read];
            read += 1;
            if !trail.fails(watch.literal) || trail.holds(watch.blocker) {
                watches[write] = watch;
                write += 1;
                continue;
            }
            let literals = &mut self.clauses[watch.clause.0 as usize].literals;
            if literals[0] == watch.literal {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let kept = Watch { blocker: first, ..watch };
            if trail.holds(first) {
                watches[write] = kept;
                write += 1;
                continue;
            }
            if let Some(other) = (2..literals.len()).find(|&at| !trail.fails(literals[at])) {
                literals.swap(1, other);
                let literal = literals[1];
                self.watch(watch.clause, literal, first);
                continue;
            }
            watches[write] = kept;
            write += 1;
            if trail.fails(first) {
                conflict = Some(watch.clause);
                break;
            }
            trail.push(first, Reason::Clause(watch.clause));
        }
        watches.drain(write..read);
        // A clause may have moved to this very list: other literals of the column.
        let moved = std::mem::replace(&mut self.watches[index][slot], watches);
        self.watches[index][slot].extend(moved);
        conflict
    }

    pub(crate) fn bump(&mut self, id: ClauseId) {
        let clause = &mut self.clauses[id.0 as usize];
        clause.activity += self.increment;
        if clause.activity > 1e100 {
            for clause in &mut self.clauses {
                clause.activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
    }

    pub(crate) fn decay(&mut self) {
        self.increment = (self.increment * 1.001).max(1.0);
    }

    /// At level 0: drops clauses that are true, literals that are false, and the less useful half of what was
    /// learnt if `halve` is set. Nothing on the trail asks for its reason at level 0.
    pub(crate) fn reduce(&mut self, trail: &Trail, halve: bool) {
        let mut old = std::mem::take(&mut self.clauses);
        let mut limit = f64::NEG_INFINITY;
        if halve {
            let mut activities: Vec<f64> =
                old.iter().filter(|c| c.learnt && c.levels > 2).map(|c| c.activity).collect();
            activities.sort_unstable_by(f64::total_cmp);
            limit = activities.get(activities.len() / 2).copied().unwrap_or(limit);
        }
        for lists in &mut self.watches {
            lists[0].clear();
            lists[1].clear();
        }
        self.learnt = 0;
        for clause in &mut old {
            let useless = clause.learnt && clause.levels > 2 && clause.activity < limit;
            if useless || clause.literals.iter().any(|&literal| trail.holds(literal)) {
                continue;
            }
            let mut literals = std::mem::take(&mut clause.literals);
            literals.retain(|&literal| !trail.fails(literal));
            debug_assert!(literals.len() >= 2, "units were propagated");
            if literals.len() < 2 {
                continue;
            }
            let activity = clause.activity;
            let id = self.add(literals, clause.learnt.then_some(clause.levels));
            self.clauses[id.0 as usize].activity = activity;
        }
    }
}
