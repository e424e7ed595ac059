//! Watch lists and unit propagation.
//!
//! Two watched literals with blockers (Chaff, MiniSat); binary clauses have lists of their own and no
//! clause in the arena. The lists of a literal are visited when it becomes *false*.
//!
//! The cone costs nothing here: the value of a literal outside the cone is greater than zero, as that of
//! a true one, so a clause that mentions such a literal counts as satisfied. A gate clause is stored with
//! its output first, which makes the output one watched literal and the blocker of the other: a circuit
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
    /// A clause of the arena.
    Clause(ClauseRef),
}

/// The watch lists of all literals.
#[derive(Default)]
pub(super) struct Watches {
    binary: Vec<Vec<Lit>>,
    long: Vec<Vec<Watcher>>,
}

impl Watches {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        for _ in 0..2 {
            self.binary.push(Vec::new());
            self.long.push(Vec::new());
        }
    }

    /// Adds a binary clause.
    pub(super) fn add_binary(&mut self, a: Lit, b: Lit) {
        self.binary[a.code() as usize].push(b);
        self.binary[b.code() as usize].push(a);
    }

    /// Watches a clause of the arena that begins with these two literals.
    pub(super) fn add_long(&mut self, clause: ClauseRef, first: Lit, second: Lit) {
        self.long[first.code() as usize].push(Watcher { clause, blocker: second });
        self.long[second.code() as usize].push(Watcher { clause, blocker: first });
    }

    /// Takes all binary clauses with this literal out, and returns their other literals. Also forgets
    /// its long watchers, which must all be garbage.
    pub(super) fn take(&mut self, lit: Lit) -> Vec<Lit> {
        self.long[lit.code() as usize] = Vec::new();
        let others = std::mem::take(&mut self.binary[lit.code() as usize]);
        for other in &others {
            let list = &mut self.binary[other.code() as usize];
            if let Some(at) = list.iter().rposition(|&l| l == lit) {
                list.swap_remove(at);
            }
        }
        others
    }

    /// Follows the clauses to their new places.
    pub(super) fn forward(&mut self, to: &Forwarding) {
        for list in &mut self.long {
            list.retain_mut(|watcher| match to.of(watcher.clause) {
                Some(clause) => {
                    watcher.clause = clause;
                    true
                }
                None => false,
            });
            if list.capacity() > 16 && list.capacity() > 4 * list.len() {
                list.shrink_to(2 * list.len());
            }
        }
    }

    /// Entries in all lists.
    pub(super) fn len(&self) -> usize {
        self.binary.iter().map(Vec::len).sum::<usize>() + self.long.iter().map(Vec::len).sum::<usize>()
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
        let mut conflict = None;
        while let Some(&lit) = assign.trail.get(assign.head) {
            assign.head += 1;
            let falsified = !lit;

            for &other in &watches.binary[falsified.code() as usize] {
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

            let mut list = std::mem::take(&mut watches.long[falsified.code() as usize]);
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
                            watches.long[lit.code() as usize].push(Watcher { clause, blocker: implied });
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
            watches.long[falsified.code() as usize] = list;
            if conflict.is_some() {
                break;
            }
        }
        counters.propagations += (assign.head - begin) as u64;
        conflict
    }
}
