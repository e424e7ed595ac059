//! A compact CDCL solver that writes down how it resolved.
//!
//! Interpolation needs the resolution proof itself, not only clauses that follow by unit propagation. This
//! solver keeps, for every clause it learns, the chain of clauses it was resolved from; it forgets nothing,
//! which is right for the short refutations that interpolants are wanted of. Two watched literals,
//! activities, phase saving, Luby restarts, learnt clauses minimised.
//!
//! Chains are not collected during analysis. Once the learnt clause is known, one walk down the trail
//! resolves the conflict with the reasons of all literals that the clause does not have, level 0 included.

use super::heap::Heap;
use crate::budget::{Budget, Interrupt};
use crate::sat::{Lit, Var};

/// Conflicts between two looks at the budget.
const POLL_INTERVAL: u64 = 64;
/// Conflicts of one unit of the restart sequence.
const RESTART_UNIT: u64 = 64;
const NO_REASON: u32 = u32::MAX;

/// How a clause was derived: the first clause, resolved with each of the others on their pivots in turn. The
/// pivot's literal is the one that the *other* clause has.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub(super) start: u32,
    pub(super) steps: Vec<(Lit, u32)>,
}

/// What came of a search.
pub(super) enum Search {
    /// Chains of the derived clauses, numbered from the number of given clauses on; the last is the empty
    /// clause.
    Refuted(Vec<Chain>),
    /// There is a model.
    Satisfiable,
    /// The budget ended first.
    Interrupted(Interrupt),
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    blocker: Lit,
}

struct Solver {
    clauses: Vec<Vec<Lit>>,
    given: usize,
    chains: Vec<Chain>,
    watches: Vec<Vec<Watch>>,
    values: Vec<Option<bool>>,
    phases: Vec<bool>,
    levels: Vec<u32>,
    reasons: Vec<u32>,
    trail: Vec<Lit>,
    limits: Vec<usize>,
    head: usize,
    order: Heap,
    seen: Vec<bool>,
    kept: Vec<bool>,
}

/// Looks for a refutation of clauses, each without duplicate or complementary literals.
pub(super) fn refute(variables: usize, clauses: &[Vec<Lit>], budget: &Budget) -> Search {
    let mut solver = Solver {
        clauses: clauses.to_vec(),
        given: clauses.len(),
        chains: Vec::new(),
        watches: vec![Vec::new(); 2 * variables],
        values: vec![None; variables],
        phases: vec![false; variables],
        levels: vec![0; variables],
        reasons: vec![NO_REASON; variables],
        trail: Vec::new(),
        limits: Vec::new(),
        head: 0,
        order: Heap::new(variables),
        seen: vec![false; variables],
        kept: vec![false; variables],
    };
    match solver.search(budget) {
        Ok(true) => Search::Refuted(solver.chains),
        Ok(false) => Search::Satisfiable,
        Err(why) => Search::Interrupted(why),
    }
}

fn number(index: usize) -> u32 {
    // Memory ends before there are 2^32 clauses.
    u32::try_from(index).unwrap_or(NO_REASON)
}

impl Solver {
    /// Whether the clauses are refuted.
    fn search(&mut self, budget: &Budget) -> Result<bool, Interrupt> {
        for index in 0..self.given {
            if let Err(conflict) = self.attach(number(index)) {
                self.derive(conflict, &[]);
                return Ok(true);
            }
        }
        let (mut conflicts, mut restarts, mut until_restart) = (0u64, 0u64, RESTART_UNIT);
        loop {
            if let Some(conflict) = self.propagate() {
                if self.limits.is_empty() {
                    self.derive(conflict, &[]);
                    return Ok(true);
                }
                conflicts += 1;
                until_restart = until_restart.saturating_sub(1);
                if conflicts.is_multiple_of(POLL_INTERVAL)
                    && let Some(why) = budget.exhausted()
                {
                    return Err(why);
                }
                if budget.conflicts.is_some_and(|limit| conflicts > limit) {
                    return Err(Interrupt::Conflicts);
                }
                self.learn(conflict);
                continue;
            }
            if until_restart == 0 {
                restarts += 1;
                until_restart = RESTART_UNIT * luby(restarts);
                self.backtrack(0);
            }
            let Some(var) = self.next_decision() else { return Ok(false) };
            self.limits.push(self.trail.len());
            self.assign(Lit::new(var, self.phases[var.0 as usize]), NO_REASON);
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().0 as usize].map(|value| value == lit.is_positive())
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        let var = lit.var().0 as usize;
        self.values[var] = Some(lit.is_positive());
        self.levels[var] = number(self.limits.len());
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    fn next_decision(&mut self) -> Option<Var> {
        while let Some(var) = self.order.pop() {
            if self.values[var].is_none() {
                return Some(Var(number(var)));
            }
        }
        None
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&limit) = self.limits.get(level) else { return };
        for lit in self.trail.drain(limit..) {
            let var = lit.var().0 as usize;
            self.phases[var] = lit.is_positive();
            self.values[var] = None;
            self.order.insert(var);
        }
        self.limits.truncate(level);
        self.head = limit;
    }

    /// Watches a given clause at level 0; a clause that is false there is the conflict.
    fn attach(&mut self, id: u32) -> Result<(), u32> {
        // False literals go last, so that the watched ones are the best there are.
        let values = &self.values;
        let is_false =
            |lit: &Lit| values[lit.var().0 as usize].is_some_and(|value| value != lit.is_positive());
        self.clauses[id as usize].sort_by_key(is_false);
        let clause = &self.clauses[id as usize];
        let Some(&first) = clause.first() else { return Err(id) };
        if let Some(&second) = clause.get(1) {
            self.watch(id, first, second);
        }
        let clause = &self.clauses[id as usize];
        let open = clause.iter().filter(|lit| self.value(**lit) != Some(false)).count();
        match (open, self.value(first)) {
            (0, _) => Err(id),
            (1, None) => {
                self.assign(first, id);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn watch(&mut self, id: u32, first: Lit, second: Lit) {
        self.watches[(!first).code() as usize].push(Watch { clause: id, blocker: second });
        self.watches[(!second).code() as usize].push(Watch { clause: id, blocker: first });
    }

    fn propagate(&mut self) -> Option<u32> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.code() as usize]);
            let (mut kept, mut next) = (0, 0);
            let mut conflict = None;
            'watches: while let Some(&watch) = watches.get(next) {
                next += 1;
                watches[kept] = watch;
                kept += 1;
                if self.value(watch.blocker) == Some(true) {
                    continue;
                }
                let clause = &mut self.clauses[watch.clause as usize];
                if clause[0] == !lit {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                for position in 2..clause.len() {
                    let other = clause[position];
                    let value = self.values[other.var().0 as usize].map(|value| value == other.is_positive());
                    if value != Some(false) {
                        clause.swap(1, position);
                        self.watches[(!other).code() as usize]
                            .push(Watch { clause: watch.clause, blocker: first });
                        kept -= 1;
                        continue 'watches;
                    }
                }
                match self.value(first) {
                    Some(true) => {}
                    None => self.assign(first, watch.clause),
                    Some(false) => {
                        conflict = Some(watch.clause);
                        break;
                    }
                }
            }
            watches.copy_within(next.., kept);
            watches.truncate(kept + watches.len() - next);
            self.watches[lit.code() as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Learns the first unique implication point of a conflict above level 0, and assigns what follows.
    fn learn(&mut self, conflict: u32) {
        let current = number(self.limits.len());
        let mut learnt: Vec<Lit> = Vec::new();
        let mut open = 0usize;
        let mut position = self.trail.len();
        let mut reason = conflict;
        let mut marked: Vec<Var> = Vec::new();
        let asserting = loop {
            for &lit in &self.clauses[reason as usize] {
                let var = lit.var().0 as usize;
                if self.seen[var] || self.levels[var] == 0 || self.value(lit) == Some(true) {
                    continue;
                }
                self.seen[var] = true;
                marked.push(lit.var());
                self.order.bump(var);
                if self.levels[var] == current {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let lit = loop {
                position -= 1;
                if self.seen[self.trail[position].var().0 as usize]
                    && self.levels[self.trail[position].var().0 as usize] == current
                {
                    break self.trail[position];
                }
            };
            open -= 1;
            if open == 0 {
                break !lit;
            }
            reason = self.reasons[lit.var().0 as usize];
        };
        self.order.decay();
        // A literal goes if its reason's others are in the clause, or at level 0.
        let redundant = |lit: &Lit| {
            let reason = self.reasons[lit.var().0 as usize];
            reason != NO_REASON
                && self.clauses[reason as usize].iter().all(|other| {
                    let var = other.var().0 as usize;
                    other.var() == lit.var()
                        || self.levels[var] == 0
                        || (self.seen[var] && self.levels[var] != current)
                })
        };
        let mut clause: Vec<Lit> = learnt.iter().copied().filter(|lit| !redundant(lit)).collect();
        for var in marked {
            self.seen[var.0 as usize] = false;
        }
        clause.sort_by_key(|lit| std::cmp::Reverse(self.levels[lit.var().0 as usize]));
        clause.insert(0, asserting);
        self.derive(conflict, &clause);
        let level = clause.get(1).map_or(0, |lit| self.levels[lit.var().0 as usize]);
        self.backtrack(level as usize);
        let id = number(self.clauses.len());
        if let &[first, second, ..] = clause.as_slice() {
            self.watch(id, first, second);
        }
        self.clauses.push(clause);
        self.assign(asserting, id);
    }

    /// Writes down how `clause` is resolved from `conflict` and the reasons on the trail.
    fn derive(&mut self, conflict: u32, clause: &[Lit]) {
        // Seen: in the resolvent, and to be resolved away.
        for lit in &self.clauses[conflict as usize] {
            self.seen[lit.var().0 as usize] = true;
        }
        for lit in clause {
            self.kept[lit.var().0 as usize] = true;
            self.seen[lit.var().0 as usize] = false;
        }
        let mut chain = Chain { start: conflict, steps: Vec::new() };
        for position in (0..self.trail.len()).rev() {
            let lit = self.trail[position];
            let var = lit.var().0 as usize;
            if !self.seen[var] {
                continue;
            }
            self.seen[var] = false;
            let reason = self.reasons[var];
            chain.steps.push((lit, reason));
            for other in &self.clauses[reason as usize] {
                if other.var() != lit.var() && !self.kept[other.var().0 as usize] {
                    self.seen[other.var().0 as usize] = true;
                }
            }
        }
        for lit in clause {
            self.kept[lit.var().0 as usize] = false;
        }
        self.chains.push(chain);
    }
}

/// The restart sequence 1 1 2 1 1 2 4 …, from 1 on.
fn luby(mut index: u64) -> u64 {
    loop {
        let size = (index + 1).next_power_of_two();
        if size == index + 1 {
            return size / 2;
        }
        index -= size / 2 - 1;
    }
}
