//! One call: assume, propagate, learn, restart, decide.
//!
//! All assumptions are made at once, at level 1. Restarts go back to level 1 and follow the moving
//! averages of Glucose: when the clauses learnt lately are worse than those of the whole call.
//! The budget is polled by amount of work, so that neither a long propagation nor a long run of
//! decisions goes unwatched; whatever the end, the solver can be used again.

use super::super::{Lit, SatAnswer};
use super::Cdcl;
use super::analyse::Lesson;
use super::arena::ClauseRef;
use super::assign::{FALSE, OPEN, Reason, TRUE};
use crate::budget::{Budget, Interrupt};

/// Work between two looks at the budget: literals propagated and decided, a conflict counting more.
const POLL_INTERVAL: u64 = 20_000;
const CONFLICT_WORK: u64 = 50;

/// After so many conflicts a call is not an easy one.
const JUSTIFY_CONFLICTS: u64 = 100;

/// Cores of at most so many assumptions are remembered.
const REMEMBERED: usize = 12;

const RESTART_MARGIN: f64 = 1.15;
const RESTART_MIN_CONFLICTS: u64 = 10;
const RESTART_WARM_UP: u64 = 50;
const FAST: f64 = 1.0 / 32.0;
const SLOW: f64 = 1.0 / 4096.0;

/// Moving averages of literal block distance in this call.
#[derive(Default)]
pub(super) struct Restarts {
    fast: f64,
    slow: f64,
    conflicts: u64,
    since: u64,
}

impl Restarts {
    fn conflict(&mut self, lbd: u32) {
        self.conflicts += 1;
        self.since += 1;
        // At first a plain mean, so that the averages need no start value.
        let mean = 1.0 / self.conflicts as f64;
        self.fast += (f64::from(lbd) - self.fast) * mean.max(FAST);
        self.slow += (f64::from(lbd) - self.slow) * mean.max(SLOW);
    }

    fn is_due(&self) -> bool {
        self.since >= RESTART_MIN_CONFLICTS
            && self.conflicts >= RESTART_WARM_UP
            && self.fast > RESTART_MARGIN * self.slow
    }
}

impl Cdcl {
    /// Answers one query.
    pub(super) fn search_under(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.reset();
        self.counters.calls += 1;
        self.core.clear();
        if let Some(why) = budget.exhausted() {
            return SatAnswer::Unknown(why);
        }
        for lit in assumptions {
            self.grow_to(lit.var());
        }
        if !self.settle_root() {
            return SatAnswer::Unsat;
        }
        self.enter_cone(assumptions);
        self.schedule.start_call();
        self.restarts = Restarts::default();
        let answer = self.search_or_hand_over(assumptions, budget);
        if answer == SatAnswer::Sat {
            self.has_model = true;
        } else if answer == SatAnswer::Unsat {
            self.contradictory = self.core.is_empty();
            self.log_core();
        }
        answer
    }

    /// Propagates new root literals through all clauses, the cone notwithstanding: what was assigned at
    /// level 0 within a call has been propagated in its cone only.
    fn settle_root(&mut self) -> bool {
        if !self.contradictory && self.root_done < self.assign.trail.len() {
            self.assign.head = self.root_done;
            if let Some(conflict) = self.propagate::<true>() {
                self.contradictory = true;
                self.explain(conflict, &[]);
                self.log_derived(&[]);
            }
            self.root_done = self.assign.trail.len();
            self.root_changed = true;
            self.log_root_units();
        }
        if std::mem::take(&mut self.root_changed) {
            self.note_root_literals();
        }
        if self.contradictory {
            // Known already; each answer ends with what it rests on.
            self.forget_explanation();
            self.log_derived(&[]);
        }
        self.assign.head = self.assign.trail.len();
        !self.contradictory
    }

    fn search_or_hand_over(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        let limit = budget.conflicts.unwrap_or(u64::MAX);
        if !self.hands_over() || self.hand_over_after >= limit {
            return self.search(assumptions, budget, limit);
        }
        let before = self.counters.conflicts;
        let answer = match self.hand_over_after {
            0 => SatAnswer::Unknown(Interrupt::Conflicts),
            after => self.search(assumptions, budget, after),
        };
        if answer != SatAnswer::Unknown(Interrupt::Conflicts) {
            return answer;
        }
        let left = limit.saturating_sub(self.counters.conflicts - before);
        let rest = Budget { conflicts: budget.conflicts.map(|_| left), ..budget.clone() };
        self.hand_over(assumptions, &rest)
    }

    fn search(&mut self, assumptions: &[Lit], budget: &Budget, conflicts: u64) -> SatAnswer {
        let conflict_limit = self.counters.conflicts.saturating_add(conflicts);
        let mut next_poll = self.work() + POLL_INTERVAL;
        loop {
            let conflict = self.propagate::<false>().or_else(|| self.consult_theory());
            if let Some(conflict) = conflict {
                self.counters.conflicts += 1;
                if self.assign.level() <= 1 {
                    if self.analyse_final(conflict) {
                        self.remember_core();
                    }
                    return SatAnswer::Unsat;
                }
                let lesson = self.analyse(conflict);
                self.learn(&lesson);
                if self.counters.conflicts >= conflict_limit {
                    return SatAnswer::Unknown(Interrupt::Conflicts);
                }
            }
            if self.work() >= next_poll {
                if let Some(why) = budget.exhausted() {
                    return SatAnswer::Unknown(why);
                }
                next_poll = self.work() + POLL_INTERVAL;
            }
            if conflict.is_some() {
                continue;
            }
            if self.assign.level() == 0 {
                self.log_root_units();
                self.assign.open_level();
                if !self.assume(assumptions) {
                    return SatAnswer::Unsat;
                }
                continue;
            }
            if self.restarts.is_due() {
                self.restarts.since = 0;
                self.counters.restarts += 1;
                self.backtrack(1);
            }
            self.reduce_when_due();
            if !self.decide() {
                return SatAnswer::Sat;
            }
        }
    }

    fn work(&self) -> u64 {
        self.counters.propagations + self.counters.decisions + CONFLICT_WORK * self.counters.conflicts
    }

    /// Makes all assumptions true, or names those that contradict each other or what holds for ever.
    fn assume(&mut self, assumptions: &[Lit]) -> bool {
        for &lit in assumptions {
            match self.assign.value(lit) {
                TRUE => {}
                FALSE => {
                    self.core.push(lit);
                    if self.assign.level_of(lit.var()) > 0 {
                        self.core.push(!lit);
                    }
                    // The clause is a tautology, or known as a unit.
                    self.forget_explanation();
                    return false;
                }
                _ => self.assign.assign(lit, Reason::NOTHING),
            }
        }
        true
    }

    /// Makes a decision; false if none is needed.
    fn decide(&mut self) -> bool {
        let plain = self.everything || self.whole_models || self.restarts.conflicts > JUSTIFY_CONFLICTS;
        let lit = if plain { self.most_active() } else { self.unjustified() };
        let Some(lit) = lit else { return false };
        self.counters.decisions += 1;
        self.justification.open_level();
        self.assign.open_level();
        self.assign.assign(lit, Reason::NOTHING);
        true
    }

    /// The most active open variable of the cone, with the value it had last.
    fn most_active(&mut self) -> Option<Lit> {
        let Cdcl { queue, cone, assign, .. } = self;
        if !queue.is_live() {
            queue.fill(cone.members(), |var| assign.value(var.lit()) == OPEN);
        }
        while let Some(var) = queue.pop() {
            if assign.value(var.lit()) == OPEN {
                return Some(assign.preferred(var));
            }
        }
        None
    }

    /// Goes back and makes the learnt clause do its work.
    fn learn(&mut self, lesson: &Lesson) {
        self.backtrack(lesson.level);
        let learnt = std::mem::take(&mut self.analysis.learnt);
        self.log_derived(&learnt);
        self.counters.learnt += 1;
        match *learnt {
            [] => {}
            [lit] => self.assign.assign(lit, Reason::NOTHING),
            [lit, other] => {
                self.watches.add_binary(lit, other);
                self.assign.assign(lit, Reason::binary(other));
            }
            [lit, ..] => {
                let clause = self.keep_learnt(&learnt, lesson.lbd);
                self.assign.assign(lit, Reason::clause(clause));
            }
        }
        self.analysis.learnt = learnt;
        self.restarts.conflict(lesson.lbd);
        if self.queue.decay() {
            self.queue.age(self.cone.members());
        }
    }

    pub(super) fn keep_learnt(&mut self, lits: &[Lit], lbd: u32) -> ClauseRef {
        let clause = self.attach(lits, true, lbd);
        self.counters.learnt_live += 1;
        self.arena.set_used(clause, 1);
        self.learnts.push(clause);
        clause
    }

    /// Learns that the assumptions of the core contradict each other: most failed queries come again in some
    /// form, and then end before any circuit is entered. The clause is implied as any learnt one is, and goes
    /// as they go.
    fn remember_core(&mut self) {
        if !(2..=REMEMBERED).contains(&self.core.len()) {
            return;
        }
        let mut clause = std::mem::take(&mut self.scratch);
        clause.clear();
        clause.extend(self.core.iter().map(|&lit| !lit));
        // Before anything is forgotten that it follows from.
        self.log_derived(&clause);
        self.backtrack(0);
        // A call that ends like this may never have decided anything.
        self.reduce_when_due();
        self.counters.learnt += 1;
        self.keep_learnt(&clause, 2);
        self.scratch = clause;
    }

    /// Takes back the levels above `level`.
    pub(super) fn backtrack(&mut self, level: u32) {
        let Cdcl { assign, queue, justification, .. } = self;
        assign.backtrack(level, |var| queue.push(var));
        justification.backtrack(level);
        self.theory_head = self.theory_head.min(self.assign.trail.len());
    }

    /// Back to level 0, without what belonged to the last call: the state in which clauses may change.
    pub(super) fn reset(&mut self) {
        self.queue.close();
        self.backtrack(0);
        self.cone.leave(&mut self.assign);
        self.has_model = false;
    }
}
