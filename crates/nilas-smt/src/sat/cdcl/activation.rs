//! Activation variables: clauses that come and go.
//!
//! A clause under an activation variable `a` is stored with the literal `¬a`. As `a` occurs nowhere
//! positively, every clause learnt from it contains `¬a` too, so the clauses that rest on it are exactly
//! the clauses that contain `¬a`. Retiring `a` deletes them all, and `a` is as good as new: it is handed
//! out again. (MiniSat's `releaseVar` needs a sweep over all clauses for that; here each activation
//! variable has a list of its clauses.)
//!
//! Invariants: while an activation variable is not *pinned*, every long clause that contains it is in its
//! list, and every binary one in the binary list of `¬a`; it is in the cone only in calls that assume it.
//! Should the caller use `a` otherwise (positively in a clause, in a gate), it is pinned: an ordinary
//! variable from then on, its clauses root clauses, and retiring it merely makes it false.

use super::super::{Lit, Var};
use super::Cdcl;
use super::arena::{ClauseRef, Forwarding};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Retired, to be handed out again.
    Free,
    /// Handed out.
    Live,
    /// Used as an ordinary variable.
    Pinned,
}

struct Activation {
    state: State,
    /// Clauses of the caller in the arena that contain the variable; garbage among them.
    clauses: Vec<ClauseRef>,
    /// Learnt clauses in the arena that contain the variable; garbage among them.
    learnt: Vec<ClauseRef>,
    /// Variables of the clauses under it, with repetitions. It only grows within a generation.
    seeds: Vec<Var>,
    /// How often repetitions were removed from the seeds.
    generation: u32,
    /// Length of `seeds` at which repetitions are looked for.
    tidy_at: usize,
    /// Calls that assumed it.
    uses: u32,
}

const ORDINARY: u32 = u32::MAX;

/// All activation variables.
#[derive(Default)]
pub(super) struct Activations {
    /// Per variable, its place in `all` or `ORDINARY`.
    slots: Vec<u32>,
    all: Vec<Activation>,
    free: Vec<Var>,
    /// Scratch: the assumed activation variables of a call that lack a segment of the cone.
    fresh: Vec<Var>,
    /// Scratch: per slot, the last call that assumed it.
    assumed_in: Vec<u64>,
    /// Scratch: per slot assumed in this call, how many seeds have segments; `NONE` without a segment.
    covered: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Activations {
    /// Makes room for one more, ordinary variable.
    pub(super) fn new_var(&mut self) {
        self.slots.push(ORDINARY);
    }

    fn slot(&self, var: Var) -> Option<usize> {
        let slot = self.slots[var.0 as usize];
        (slot != ORDINARY).then_some(slot as usize)
    }

    /// Whether clauses that contain `¬var` are in force only if it is assumed.
    pub(super) fn is_live(&self, var: Var) -> bool {
        self.slot(var).is_some_and(|slot| self.all[slot].state == State::Live)
    }

    /// Notes that a clause contains the activation variable, if it is one.
    #[inline]
    pub(super) fn register(&mut self, var: Var, clause: ClauseRef, learnt: bool) {
        let slot = self.slots[var.0 as usize];
        if slot != ORDINARY {
            let activation = &mut self.all[slot as usize];
            if learnt { &mut activation.learnt } else { &mut activation.clauses }.push(clause);
        }
    }

    /// The long clauses of the caller under an activation variable, garbage among them.
    pub(super) fn clauses_under(&self, activation: Var) -> &[ClauseRef] {
        self.slot(activation).map_or(&[], |slot| &self.all[slot].clauses)
    }

    /// Notes that a clause under the activation variable mentions `var`.
    pub(super) fn add_seed(&mut self, activation: Var, var: Var) {
        let Some(slot) = self.slot(activation) else { return };
        let Activation { seeds, generation, tidy_at, .. } = &mut self.all[slot];
        seeds.push(var);
        if seeds.len() > *tidy_at {
            seeds.sort_unstable();
            seeds.dedup();
            *generation += 1;
            *tidy_at = 2 * seeds.len() + 64;
        }
    }

    /// Follows the clauses to their new places.
    pub(super) fn forward(&mut self, to: &Forwarding) {
        for list in self.all.iter_mut().flat_map(|a| [&mut a.clauses, &mut a.learnt]) {
            list.retain_mut(|clause| match to.of(*clause) {
                Some(new) => {
                    *clause = new;
                    true
                }
                None => false,
            });
        }
    }

    /// Entries in all lists.
    pub(super) fn len(&self) -> usize {
        self.all.iter().map(|a| a.clauses.len() + a.learnt.len() + a.seeds.len()).sum()
    }
}

impl Cdcl {
    /// A recycled activation variable, or a new one.
    pub(super) fn take_activation(&mut self) -> Var {
        while let Some(var) = self.acts.free.pop() {
            if let Some(slot) = self.acts.slot(var)
                && self.acts.all[slot].state == State::Free
            {
                self.acts.all[slot].state = State::Live;
                return var;
            }
        }
        let var = self.grow();
        self.acts.slots[var.0 as usize] = self.acts.all.len() as u32;
        self.acts.all.push(Activation {
            state: State::Live,
            clauses: Vec::new(),
            learnt: Vec::new(),
            seeds: Vec::new(),
            generation: 0,
            tidy_at: 64,
            uses: 0,
        });
        self.acts.assumed_in.push(0);
        self.acts.covered.push(NONE);
        var
    }

    /// Makes an activation variable an ordinary one, if it is one.
    pub(super) fn pin(&mut self, var: Var) {
        let Some(slot) = self.acts.slot(var) else { return };
        let activation = &mut self.acts.all[slot];
        if activation.state != State::Pinned {
            activation.state = State::Pinned;
            activation.learnt = Vec::new();
            for clause in std::mem::take(&mut activation.clauses) {
                if !self.arena.is_garbage(clause) {
                    let codes = self.arena.codes(clause).iter();
                    self.justification.add_root(codes.map(|&code| Lit::from_code(code)));
                }
            }
            for other in self.watches.binary(!var.lit()) {
                self.justification.add_root([!var.lit(), *other].into_iter());
            }
            let seeds = std::mem::take(&mut activation.seeds);
            self.cone.leave_activation(var, &mut self.assign);
            for seed in seeds {
                self.cone.add_root(seed);
            }
            self.cone.add_root(var);
        }
    }

    /// Deletes every clause that contains the activation variable and makes it available again.
    pub(super) fn release(&mut self, var: Var) {
        let Some(slot) = self.acts.slot(var) else {
            return self.add_root_clause(&[!var.lit()]);
        };
        match self.acts.all[slot].state {
            State::Free => return,
            State::Pinned => return self.add_root_clause(&[!var.lit()]),
            State::Live => {}
        }
        let guard = !var.lit();
        self.cone.leave_activation(var, &mut self.assign);
        let mut clauses = std::mem::take(&mut self.acts.all[slot].clauses);
        let mut learnt = std::mem::take(&mut self.acts.all[slot].learnt);
        for clause in clauses.drain(..).chain(learnt.drain(..)) {
            self.delete_clause(clause);
        }
        for other in self.watches.take(guard) {
            self.log_deleted(&[guard, other]);
        }
        if let Some(at) = self.assign.forget_root(var) {
            // Once as a clause of the caller, once as an implied unit.
            self.log_deleted(&[guard]);
            self.log_deleted(&[guard]);
            self.root_done -= usize::from(at < self.root_done);
            self.root_logged -= usize::from(at < self.root_logged);
            self.theory_head = self.theory_head.min(at);
        }
        self.queue.forget(var);
        let activation = &mut self.acts.all[slot];
        activation.state = State::Free;
        activation.uses = 0;
        activation.tidy_at = 64;
        // Short lists keep their memory for the next life.
        activation.seeds.clear();
        activation.seeds.shrink_to(64);
        clauses.shrink_to(64);
        learnt.shrink_to(64);
        activation.clauses = clauses;
        activation.learnt = learnt;
        self.acts.free.push(var);
        if self.arena.wants_collection() {
            self.collect_garbage();
        }
    }

    /// Makes the cone that of a call with these assumptions.
    ///
    /// Segments are ordered by how often their variable was assumed when they were entered, so that the
    /// short-lived ones come last and take no other with them when they leave. What was added under a
    /// variable since its segment was entered becomes another segment of it, on top: lemmas come at all
    /// levels, and the segments between stay as they are.
    pub(super) fn enter_cone(&mut self, assumptions: &[Lit]) {
        let Cdcl { acts, cone, assign, counters, .. } = self;
        let call = counters.calls;
        for lit in assumptions {
            if lit.is_positive()
                && let Some(slot) = acts.slot(lit.var())
                && acts.all[slot].state == State::Live
            {
                acts.assumed_in[slot] = call;
                acts.covered[slot] = NONE;
            }
        }
        cone.enter(assign, |activation, generation| {
            acts.slot(activation)
                .is_some_and(|slot| acts.assumed_in[slot] == call && acts.all[slot].generation == generation)
        });
        for segment in cone.segments() {
            if let Some(slot) = acts.slot(segment.activation) {
                acts.covered[slot] = segment.seeds;
            }
        }
        acts.fresh.clear();
        for lit in assumptions {
            if let Some(slot) = acts.slot(lit.var())
                && acts.assumed_in[slot] == call
            {
                acts.assumed_in[slot] = 0;
                acts.all[slot].uses = acts.all[slot].uses.saturating_add(1);
                // Also where there is no seed: the variable itself has to come in.
                if acts.covered[slot] == NONE || acts.covered[slot] < acts.all[slot].seeds.len() {
                    acts.fresh.push(lit.var());
                }
            }
        }
        let mut fresh = std::mem::take(&mut acts.fresh);
        fresh.sort_unstable_by_key(|&var| {
            let uses = acts.slot(var).map_or(0, |slot| acts.all[slot].uses);
            (std::cmp::Reverse(uses), var)
        });
        for &var in &fresh {
            if let Some(slot) = acts.slot(var) {
                let Activation { seeds, generation, .. } = &acts.all[slot];
                let covered = Some(acts.covered[slot]).filter(|&covered| covered != NONE);
                cone.enter_segment(var, *generation, seeds, covered, assign);
            }
        }
        acts.fresh = fresh;
        cone.extend(assumptions.iter().map(|lit| lit.var()), assign);
        counters.cone_variables += cone.members().len() as u64;
    }
}
