//! What is learnt from a conflict.
//!
//! First unique implication point (GRASP, Chaff), clause minimisation through the implication graph
//! (Sörensson and Biere 2009), and literal block distance (Glucose). At level 1, where the assumptions
//! are, a conflict is traced back to the assumptions it rests on instead: the failed core, as in MiniSat.
//!
//! Invariant: between calls no mark is set; `marked` lists the variables whose mark is.

use super::super::{Lit, Var};
use super::Cdcl;
use super::assign::{Because, Reason};
use super::watch::Conflict;

/// Buffers of the analysis.
#[derive(Default)]
pub(super) struct Analysis {
    marks: Vec<bool>,
    marked: Vec<Var>,
    stack: Vec<Lit>,
    /// The clause learnt last: the literal to make true first, one of the level to go back to second.
    pub(super) learnt: Vec<Lit>,
    levels: Vec<u64>,
    stamp: u64,
}

/// What a learnt clause asks for.
pub(super) struct Lesson {
    /// The level to go back to, where the clause makes its first literal true.
    pub(super) level: u32,
    /// Literal block distance of the clause.
    pub(super) lbd: u32,
}

impl Analysis {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.marks.push(false);
        self.levels.push(0);
    }

    #[inline]
    fn mark(&mut self, var: Var) -> bool {
        let mark = &mut self.marks[var.0 as usize];
        if *mark {
            return false;
        }
        *mark = true;
        self.marked.push(var);
        true
    }

    fn unmark_from(&mut self, from: usize) {
        for var in self.marked.drain(from..) {
            self.marks[var.0 as usize] = false;
        }
    }
}

/// One bit for a level, so that a set of levels is a word.
fn level_bit(level: u32) -> u64 {
    1 << (level % 64)
}

impl Cdcl {
    /// Learns a clause from a conflict above level 1; it is left in `analysis.learnt`.
    pub(super) fn analyse(&mut self, conflict: Conflict) -> Lesson {
        let current = self.assign.level();
        self.analysis.learnt.clear();
        // The place of the asserting literal.
        self.analysis.learnt.push(Lit::from_code(0));
        let mut open = 0;
        let mut at = self.assign.trail.len();
        match conflict {
            Conflict::Binary(a, b) => {
                self.resolve_literal(a, current, &mut open);
                self.resolve_literal(b, current, &mut open);
            }
            Conflict::Ternary(a, b, c) => {
                for lit in [a, b, c] {
                    self.resolve_literal(lit, current, &mut open);
                }
            }
            Conflict::Clause(clause) => self.resolve_clause(Reason::clause(clause), current, &mut open),
        }
        let asserting = loop {
            at -= 1;
            let lit = self.assign.trail[at];
            if !self.analysis.marks[lit.var().0 as usize] {
                continue;
            }
            open -= 1;
            if open == 0 {
                break !lit;
            }
            self.resolve_clause(self.assign.reason(lit.var()), current, &mut open);
        };
        self.analysis.learnt[0] = asserting;
        for index in 0..self.analysis.marked.len() {
            self.queue.bump(self.analysis.marked[index]);
        }
        self.minimise();
        self.analysis.unmark_from(0);
        if self.proof.is_some() {
            let learnt = std::mem::take(&mut self.analysis.learnt);
            self.explain(conflict, &learnt);
            self.analysis.learnt = learnt;
        }
        let level = self.second_watch();
        let lbd = self.learnt_lbd();
        Lesson { level, lbd }
    }

    #[inline]
    fn resolve_literal(&mut self, lit: Lit, current: u32, open: &mut u32) {
        let level = self.assign.level_of(lit.var());
        if level > 0 && self.analysis.mark(lit.var()) {
            if level == current {
                *open += 1;
            } else {
                self.analysis.learnt.push(lit);
            }
        }
    }

    /// Adds the other literals of a reason, or all of a false clause. The implied literal of a reason is
    /// marked already.
    fn resolve_clause(&mut self, reason: Reason, current: u32, open: &mut u32) {
        match reason.because() {
            Because::Nothing => {}
            Because::Binary(other) => self.resolve_literal(other, current, open),
            Because::Ternary(a, b) => {
                self.resolve_literal(a, current, open);
                self.resolve_literal(b, current, open);
            }
            Because::Clause(clause) => {
                let Cdcl { arena, analysis, assign, .. } = self;
                for lit in arena.lits(clause) {
                    let level = assign.level_of(lit.var());
                    if level > 0 && analysis.mark(lit.var()) {
                        if level == current {
                            *open += 1;
                        } else {
                            analysis.learnt.push(lit);
                        }
                    }
                }
                if arena.is_learnt(clause) {
                    self.reward(clause);
                }
            }
        }
    }

    /// Removes literals that the others imply.
    fn minimise(&mut self) {
        let mut levels = 0;
        for lit in &self.analysis.learnt[1..] {
            levels |= level_bit(self.assign.level_of(lit.var()));
        }
        let mut kept = 1;
        for index in 1..self.analysis.learnt.len() {
            let lit = self.analysis.learnt[index];
            if self.assign.reason(lit.var()) == Reason::NOTHING || !self.is_redundant(lit, levels) {
                self.analysis.learnt[kept] = lit;
                kept += 1;
            }
        }
        self.analysis.learnt.truncate(kept);
    }

    /// Whether the reasons of a literal lead back to marked literals only. What is found redundant on the
    /// way stays marked.
    fn is_redundant(&mut self, lit: Lit, levels: u64) -> bool {
        let Cdcl { arena, analysis, assign, .. } = self;
        let from = analysis.marked.len();
        analysis.stack.clear();
        analysis.stack.push(lit);
        while let Some(lit) = analysis.stack.pop() {
            let mut visit = |other: Lit| {
                let var = other.var();
                let level = assign.level_of(var);
                if level == 0 || analysis.marks[var.0 as usize] {
                    return true;
                }
                if assign.reason(var) == Reason::NOTHING || levels & level_bit(level) == 0 {
                    return false;
                }
                analysis.mark(var);
                analysis.stack.push(other);
                true
            };
            let redundant = match assign.reason(lit.var()).because() {
                Because::Nothing => false,
                Because::Binary(other) => visit(other),
                Because::Ternary(a, b) => visit(a) && visit(b),
                Because::Clause(clause) => arena.codes(clause)[1..].iter().all(|&c| visit(Lit::from_code(c))),
            };
            if !redundant {
                analysis.unmark_from(from);
                return false;
            }
        }
        true
    }

    /// Puts a literal of the highest level among the others second, and returns that level.
    fn second_watch(&mut self) -> u32 {
        let Cdcl { analysis, assign, .. } = self;
        let mut level = 0;
        for index in 1..analysis.learnt.len() {
            let of = assign.level_of(analysis.learnt[index].var());
            if of > level {
                level = of;
                analysis.learnt.swap(1, index);
            }
        }
        level
    }

    fn learnt_lbd(&mut self) -> u32 {
        let Cdcl { analysis, assign, .. } = self;
        let Analysis { learnt, levels, stamp, .. } = analysis;
        count_levels(learnt.iter().map(|lit| assign.level_of(lit.var())), levels, stamp)
    }

    /// A conflict needed this learnt clause: it is worth keeping, and its distance may have shrunk.
    fn reward(&mut self, clause: super::arena::ClauseRef) {
        let Cdcl { arena, analysis, assign, .. } = self;
        let old = arena.lbd(clause);
        if old > 2 {
            let Analysis { levels, stamp, .. } = analysis;
            let new = count_levels(arena.lits(clause).map(|l| assign.level_of(l.var())), levels, stamp);
            if new < old {
                arena.set_lbd(clause, new);
            }
        }
        let used = if arena.lbd(clause) <= 6 { 2 } else { 1 };
        if arena.used(clause) < used {
            arena.set_used(clause, used);
        }
    }

    /// Finds the assumptions that a conflict at level 0 or 1 rests on, as the core. Whether that took more
    /// than one clause.
    pub(super) fn analyse_final(&mut self, conflict: Conflict) -> bool {
        let Cdcl { arena, analysis, assign, core, .. } = self;
        core.clear();
        match conflict {
            Conflict::Binary(a, b) => {
                analysis.mark(a.var());
                analysis.mark(b.var());
            }
            Conflict::Ternary(a, b, c) => [a, b, c].into_iter().for_each(|lit| {
                analysis.mark(lit.var());
            }),
            Conflict::Clause(clause) => arena.lits(clause).for_each(|lit| {
                analysis.mark(lit.var());
            }),
        }
        let mut resolved = false;
        for &lit in assign.trail[assign.start_of(1)..].iter().rev() {
            if !analysis.marks[lit.var().0 as usize] {
                continue;
            }
            resolved |= assign.reason(lit.var()) != Reason::NOTHING;
            match assign.reason(lit.var()).because() {
                Because::Nothing => core.push(lit),
                Because::Binary(other) => {
                    analysis.mark(other.var());
                }
                Because::Ternary(a, b) => {
                    analysis.mark(a.var());
                    analysis.mark(b.var());
                }
                Because::Clause(clause) => arena.lits(clause).for_each(|lit| {
                    analysis.mark(lit.var());
                }),
            }
        }
        analysis.unmark_from(0);
        if self.proof.is_some() {
            let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
            self.explain(conflict, &clause);
        }
        resolved
    }
}

fn count_levels(of: impl Iterator<Item = u32>, levels: &mut [u64], stamp: &mut u64) -> u32 {
    *stamp += 1;
    let mut count = 0;
    for level in of {
        // Level numbers never exceed the number of variables plus one; the last two share a place.
        let last = levels.len() - 1;
        let seen = &mut levels[(level as usize).min(last)];
        if *seen != *stamp {
            *seen = *stamp;
            count += 1;
        }
    }
    count
}
