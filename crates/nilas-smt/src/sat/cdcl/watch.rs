//! Watch lists and unit propagation.
//!
//! Two watched literals with blockers (Chaff, MiniSat) for long clauses. Bit-blasted circuits consist of
//! binary and ternary clauses almost entirely, so these have lists of their own, under each of their
//! literals, that hold the other literals: no clause in memory is read, and nothing is moved by a visit. The
//! ternary ones are clauses of gates only; others are kept as long ones. First come the clauses of the
//! literal's own gate, which are passed over when it has its value by them, see
//! [`super::assign::Assignment::is_defined`]. The lists of a literal are visited when it becomes *false*.
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
use super::assign::{OPEN, OUTSIDE, Reason, TRUE};
use super::pool::{Place, Pool};

/// A clause in a watch list, with some other literal of it that may make a visit needless.
#[derive(Clone, Copy, PartialEq)]
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
#[derive(Clone, Copy, Default)]
struct Lists {
    /// At the left the other literals of ternary clauses, two by two, at the right those of binary ones.
    short: Place,
    /// At the left the watchers of long clauses.
    long: Place,
    /// How many items at the left of `short` are of clauses of the literal's own gate.
    own: u32,
}

/// The watch lists of all literals.
#[derive(Default)]
pub(super) struct Watches {
    lists: Vec<Lists>,
    short: Pool<Lit>,
    long: Pool<Watcher>,
    /// Scratch: clauses that the literal being propagated no longer watches, and who does instead.
    moved: Vec<(Lit, Watcher)>,
}

impl Watches {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.lists.extend([Lists::default(); 2]);
    }

    fn of(&self, lit: Lit) -> Lists {
        self.lists[lit.code() as usize]
    }

    /// Adds a binary clause.
    pub(super) fn add_binary(&mut self, a: Lit, b: Lit) {
        self.pack_when_due();
        for (lit, other) in [(a, b), (b, a)] {
            self.short.push_right(&mut self.lists[lit.code() as usize].short, other);
        }
    }

    /// All ternary clauses with this literal so far are of its own gate.
    pub(super) fn note_own(&mut self, lit: Lit) {
        let lists = &mut self.lists[lit.code() as usize];
        // It is the length of a place.
        lists.own = lists.short.left().len() as u32;
    }

    /// Adds a ternary clause of a gate.
    pub(super) fn add_ternary(&mut self, a: Lit, b: Lit, c: Lit) {
        self.pack_when_due();
        for (lit, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            self.short.push_left(&mut self.lists[lit.code() as usize].short, others);
        }
    }

    /// Watches a clause of the arena that begins with these two literals.
    pub(super) fn add_long(&mut self, clause: ClauseRef, first: Lit, second: Lit) {
        self.pack_when_due();
        for (lit, blocker) in [(first, second), (second, first)] {
            self.long.push_left(&mut self.lists[lit.code() as usize].long, [Watcher { clause, blocker }]);
        }
    }

    fn pack_when_due(&mut self) {
        if self.short.wants_packing() {
            self.short.pack(self.lists.iter_mut().map(|lists| &mut lists.short));
        }
        if self.long.wants_packing() {
            self.long.pack(self.lists.iter_mut().map(|lists| &mut lists.long));
        }
    }

    /// The other literals of the ternary clauses of gates with this one.
    pub(super) fn ternary(&self, lit: Lit) -> &[[Lit; 2]] {
        self.short.left(self.of(lit).short).as_chunks().0
    }

    /// The clauses of the arena that the literal with this code watches.
    pub(super) fn long(&self, code: u32) -> impl Iterator<Item = ClauseRef> + '_ {
        self.long.left(self.of(Lit::from_code(code)).long).iter().map(|watcher| watcher.clause)
    }

    /// Loses the last long watcher of a literal, as a bug might.
    #[cfg(test)]
    pub(super) fn lose_watcher(&mut self, lit: Lit) {
        let list = &mut self.lists[lit.code() as usize].long;
        list.truncate_left(list.left().len() - 1);
    }

    /// The other literals of the binary clauses with this one.
    pub(super) fn binary(&self, lit: Lit) -> &[Lit] {
        self.short.right(self.of(lit).short)
    }

    /// Takes all binary clauses with this literal out, and returns their other literals. Also forgets
    /// its long watchers, which must all be garbage.
    pub(super) fn take(&mut self, lit: Lit) -> Vec<Lit> {
        self.lists[lit.code() as usize].long.truncate_left(0);
        let others = self.binary(lit).to_vec();
        for &other in &others {
            self.short.remove_right(&mut self.lists[lit.code() as usize].short, other);
            self.short.remove_right(&mut self.lists[other.code() as usize].short, lit);
        }
        others
    }

    /// Follows the clauses to their new places.
    pub(super) fn forward(&mut self, to: &Forwarding) {
        for Lists { long, .. } in &mut self.lists {
            let list = &mut self.long.items_mut()[long.left()];
            let mut kept = 0;
            for at in 0..list.len() {
                if let Some(clause) = to.of(list[at].clause) {
                    list[kept] = Watcher { clause, ..list[at] };
                    kept += 1;
                }
            }
            long.truncate_left(kept);
        }
        self.long.pack(self.lists.iter_mut().map(|lists| &mut lists.long));
    }

    /// How many words the lists take.
    pub(super) fn words(&self) -> usize {
        self.short.items().len() + 2 * self.long.items().len()
    }
}

/// Whether a clause with a literal of this value can be left alone.
#[inline]
fn passes<const EVERYTHING: bool>(value: i8) -> bool {
    if EVERYTHING { value == TRUE } else { value >= TRUE }
}

/// Whether a clause is unit or false, given the values of its two literals besides a false one: exactly then
/// the sum is negative, which is one test instead of four.
#[inline]
fn is_tight<const EVERYTHING: bool>(a: i8, b: i8) -> bool {
    let value = |value: i8| if EVERYTHING && value == OUTSIDE { OPEN } else { value };
    value(a) + value(b) < 0
}

impl Cdcl {
    /// Makes true what follows from the literals of the trail that were not yet propagated: inside the
    /// cone, or (at level 0 only) over `EVERYTHING`. Returns a clause that became false.
    pub(super) fn propagate<const EVERYTHING: bool>(&mut self) -> Option<Conflict> {
        let Cdcl { assign, arena, watches, counters, .. } = self;
        let Watches { lists, short, long, moved } = watches;
        let begin = assign.head;
        let mut assign = assign.writer();
        let mut conflict = None;
        'trail: while let Some(lit) = assign.next() {
            let falsified = !lit;
            let found = lists[falsified.code() as usize];

            for &other in short.right(found.short) {
                let value = assign.value(other);
                if passes::<EVERYTHING>(value) {
                    continue;
                }
                if value < 0 {
                    conflict = Some(Conflict::Binary(falsified, other));
                    break 'trail;
                }
                assign.assign(other, Reason::binary(falsified));
            }

            let own = if assign.is_defined(lit) { found.own as usize } else { 0 };
            for &[a, b] in short.left(found.short)[own..].as_chunks().0 {
                let (value_a, value_b) = (assign.value(a), assign.value(b));
                if !is_tight::<EVERYTHING>(value_a, value_b) {
                    continue;
                }
                if value_a >= 0 {
                    assign.assign(a, Reason::ternary(falsified, b));
                } else if value_b >= 0 {
                    assign.assign(b, Reason::ternary(falsified, a));
                } else {
                    conflict = Some(Conflict::Ternary(falsified, a, b));
                    break 'trail;
                }
            }

            let range = found.long.left();
            if range.is_empty() {
                continue;
            }
            let list = &mut long.items_mut()[range];
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
                            moved.push((lit, Watcher { clause, blocker: implied }));
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
                let len = kept + list.len() - at;
                lists[falsified.code() as usize].long.truncate_left(len);
            }
            for (lit, watcher) in moved.drain(..) {
                long.push_left(&mut lists[lit.code() as usize].long, [watcher]);
            }
            if conflict.is_some() {
                break;
            }
        }
        counters.propagations += (self.assign.head - begin) as u64;
        conflict
    }
}
