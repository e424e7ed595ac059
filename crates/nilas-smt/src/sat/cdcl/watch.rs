//! Watch lists and unit propagation.
//!
//! Two watched literals with blockers (Chaff, MiniSat) for long clauses. Bit-blasted circuits consist of
//! binary and ternary clauses almost entirely, so these have lists of their own, under each of their
//! literals, that hold the other literals: no clause in memory is read, and nothing is ever moved. Learnt
//! ternary clauses and those under activation variables, which come and go, are kept as long ones.
//! The lists of a literal are visited when it becomes *false*.
//!
//! The cone costs nothing here: the value of a literal outside the cone is greater than zero, as that of
//! a true one, so a clause that mentions such a literal counts as satisfied. A long gate clause is stored
//! with its output first, which makes the output one watched literal and the blocker of the other: a circuit
//! outside the cone is passed over without reading a clause.
//!
//! Invariants, at level 0 after [`Cdcl::propagate`] over everything: both watched literals of a clause
//! that is not garbage are not false, or one of them is true. Above level 0 the same holds of clauses all
//! of whose variables are in the cone, for the literals up to the head of the trail. A literal outside
//! the cone is never newly watched: it becomes the blocker. Watchers of garbage are dropped when met.

use super::super::Lit;
use super::Cdcl;
use super::arena::{ClauseRef, Forwarding};
use super::assign::{OUTSIDE, Reason, TRUE};

/// A clause in a watch list, with some other literal of it that may make a visit needless.
#[derive(Clone, Copy)]
struct Watcher {
    clause: ClauseRef,
    blocker: Lit,
}

/// A clause all of whose literals are false.
#[derive(Clone, Copy)]
pub(super) enum Conflict {
    /// A binary clause.
    Binary(Lit, Lit),
    /// A ternary clause.
    Ternary(Lit, Lit, Lit),
    /// A clause of the arena.
    Clause(ClauseRef),
}

/// The clauses to visit when a literal becomes false.
#[derive(Default)]
struct Lists {
    binary: Vec<Lit>,
    ternary: Vec<[Lit; 2]>,
    long: Vec<Watcher>,
}

/// The watch lists of all literals.
#[derive(Default)]
pub(super) struct Watches {
    lists: Vec<Lists>,
}

impl Watches {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.lists.extend([Lists::default(), Lists::default()]);
    }

    fn of(&mut self, lit: Lit) -> &mut Lists {
        &mut self.lists[lit.code() as usize]
    }

    /// Adds a binary clause.
    pub(super) fn add_binary(&mut self, a: Lit, b: Lit) {
        self.of(a).binary.push(b);
        self.of(b).binary.push(a);
    }

    /// Adds a ternary clause that stays for ever.
    pub(super) fn add_ternary(&mut self, a: Lit, b: Lit, c: Lit) {
        self.of(a).ternary.push([b, c]);
        self.of(b).ternary.push([a, c]);
        self.of(c).ternary.push([a, b]);
    }

    /// Watches a clause of the arena that begins with these two literals.
    pub(super) fn add_long(&mut self, clause: ClauseRef, first: Lit, second: Lit) {
        self.of(first).long.push(Watcher { clause, blocker: second });
        self.of(second).long.push(Watcher { clause, blocker: first });
    }

    /// The other literals of the ternary clauses with this one that stay for ever.
    pub(super) fn ternary(&self, lit: Lit) -> &[[Lit; 2]] {
        &self.lists[lit.code() as usize].ternary
    }

    /// The clauses of the arena that the literal with this code watches.
    pub(super) fn long(&self, code: u32) -> impl Iterator<Item = ClauseRef> + '_ {
        self.lists[code as usize].long.iter().map(|watcher| watcher.clause)
    }

    /// Loses the last long watcher of a literal, as a bug might.
    #[cfg(test)]
    pub(super) fn lose_watcher(&mut self, lit: Lit) {
        self.of(lit).long.pop();
    }

    /// The other literals of the binary clauses with this one.
    pub(super) fn binary(&self, lit: Lit) -> &[Lit] {
        &self.lists[lit.code() as usize].binary
    }

    /// Takes all binary clauses with this literal out, and returns their other literals. Also forgets
    /// its long watchers, which must all be garbage.
    pub(super) fn take(&mut self, lit: Lit) -> Vec<Lit> {
        self.of(lit).long = Vec::new();
        let others = std::mem::take(&mut self.of(lit).binary);
        for &other in &others {
            let list = &mut self.of(other).binary;
            if let Some(at) = list.iter().rposition(|&l| l == lit) {
                list.swap_remove(at);
            }
        }
        others
    }

    /// Follows the clauses to their new places.
    pub(super) fn forward(&mut self, to: &Forwarding) {
        for Lists { long, .. } in &mut self.lists {
            long.retain_mut(|watcher| match to.of(watcher.clause) {
                Some(clause) => {
                    watcher.clause = clause;
                    true
                }
                None => false,
            });
            if long.capacity() > 16 && long.capacity() > 4 * long.len() {
                long.shrink_to(2 * long.len());
            }
        }
    }

    /// How many words the lists take.
    pub(super) fn words(&self) -> usize {
        self.lists.iter().map(|l| l.binary.len() + 2 * (l.ternary.len() + l.long.len())).sum()
    }
}

/// Whether a clause with a literal of this value can be left alone.
#[inline]
fn passes<const EVERYTHING: bool>(value: i8) -> bool {
    if EVERYTHING { value == TRUE } else { value >= TRUE }
}

/// Whether a literal of this value, which does not pass and is not false, may be made true.
#[inline]
fn is_free<const EVERYTHING: bool>(value: i8) -> bool {
    value == 0 || EVERYTHING && value == OUTSIDE
}

impl Cdcl {
    /// Makes true what follows from the literals of the trail that were not yet propagated: inside the
    /// cone, or (at level 0 only) over `EVERYTHING`. Returns a clause that became false.
    pub(super) fn propagate<const EVERYTHING: bool>(&mut self) -> Option<Conflict> {
        let Cdcl { assign, arena, watches, counters, .. } = self;
        let begin = assign.head;
        let mut assign = assign.writer();
        let mut conflict = None;
        while let Some(lit) = assign.next() {
            let falsified = !lit;

            let lists = &mut watches.lists[falsified.code() as usize];
            for &other in &lists.binary {
                let value = assign.value(other);
                if is_free::<EVERYTHING>(value) {
                    assign.assign(other, Reason::binary(falsified));
                } else if value < 0 {
                    conflict = Some(Conflict::Binary(falsified, other));
                    break;
                }
            }
            if conflict.is_some() {
                break;
            }

            for &[a, b] in &lists.ternary {
                let (value_a, value_b) = (assign.value(a), assign.value(b));
                let passed = passes::<EVERYTHING>(value_a) || passes::<EVERYTHING>(value_b);
                if passed || value_a.min(value_b) >= 0 {
                    continue;
                }
                if is_free::<EVERYTHING>(value_a) {
                    assign.assign(a, Reason::ternary(falsified, b));
                } else if is_free::<EVERYTHING>(value_b) {
                    assign.assign(b, Reason::ternary(falsified, a));
                } else {
                    conflict = Some(Conflict::Ternary(falsified, a, b));
                    break;
                }
            }
            if conflict.is_some() {
                break;
            }

            let mut list = std::mem::take(&mut lists.long);
            let mut kept = 0;
            let mut at = 0;
            while at < list.len() {
                let Watcher { clause, blocker } = list[at];
                at += 1;
                if passes::<EVERYTHING>(assign.value(blocker)) {
                    list[kept] = Watcher { clause, blocker };
                    kept += 1;
                    continue;
                }
                let Some([first, second, rest @ ..]) = arena.live_codes_mut(clause) else { continue };
                if *first == falsified.code() {
                    std::mem::swap(first, second);
                }
                let implied = Lit::from_code(*first);
                let value = assign.value(implied);
                if passes::<EVERYTHING>(value) {
                    list[kept] = Watcher { clause, blocker: implied };
                    kept += 1;
                    continue;
                }
                match rest.iter_mut().find(|code| assign.value(Lit::from_code(**code)) >= 0) {
                    Some(found) => {
                        let lit = Lit::from_code(*found);
                        if passes::<EVERYTHING>(assign.value(lit)) {
                            // Satisfied or outside the cone: only the blocker changes.
                            list[kept] = Watcher { clause, blocker: lit };
                            kept += 1;
                        } else {
                            std::mem::swap(second, found);
                            watches.of(lit).long.push(Watcher { clause, blocker: implied });
                        }
                    }
                    None => {
                        list[kept] = Watcher { clause, blocker: implied };
                        kept += 1;
                        if value < 0 {
                            conflict = Some(Conflict::Clause(clause));
                            break;
                        }
                        assign.assign(implied, Reason::clause(clause));
                    }
                }
            }
            if kept < at {
                list.copy_within(at.., kept);
                list.truncate(kept + list.len() - at);
            }
            watches.of(falsified).long = list;
            if conflict.is_some() {
                break;
            }
        }
        counters.propagations += (self.assign.head - begin) as u64;
        conflict
    }
}
