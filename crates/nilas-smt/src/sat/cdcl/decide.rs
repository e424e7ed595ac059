//! Which variable to decide next: VSIDS activities in buckets.
//!
//! Activities are those of MiniSat: variables of a conflict are bumped by an increment that grows. They
//! are not kept in a heap but in buckets, as in GipSAT (rIC3): an IC3 query has a few hundred variables
//! and a handful of conflicts, and building and emptying a heap would cost more than the search. A
//! bucket is an eighth of an octave of activity, which is about one and a half conflicts of age, so the
//! order is nearly that of a heap. The bucket is read off the bits of the number: for positive floats
//! these are ordered as the numbers are.
//!
//! Invariants: while the queue is live, every open variable of the cone is in it; each variable is in
//! at most one bucket; a set bit of `occupied` says that a bucket is not empty.

use super::super::Var;

const BUCKETS: usize = 256;
const NONE: u32 = u32::MAX;
const NOT_QUEUED: u32 = u32::MAX;
/// Eight buckets to the octave: the exponent and three bits of the fraction.
const SHIFT: u32 = 20;
const RESCALE_AT: f32 = 1e24;
const DECAY: f32 = 0.95;
/// Room above the increment for activities to grow before [`DecisionQueue::age`] is called.
const HEADROOM: f32 = 256.0;

#[derive(Clone, Copy)]
struct Link {
    next: u32,
    prev: u32,
    bucket: u32,
}

/// The open variables of the cone by activity.
pub(super) struct DecisionQueue {
    activity: Vec<f32>,
    links: Vec<Link>,
    heads: [u32; BUCKETS],
    occupied: [u64; BUCKETS / 64],
    increment: f32,
    ceiling: u32,
    live: bool,
}

impl Default for DecisionQueue {
    fn default() -> Self {
        DecisionQueue {
            activity: Vec::new(),
            links: Vec::new(),
            heads: [NONE; BUCKETS],
            occupied: [0; BUCKETS / 64],
            increment: 1.0,
            ceiling: HEADROOM.to_bits(),
            live: false,
        }
    }
}

impl DecisionQueue {
    /// Makes room for one more variable.
    pub(super) fn new_var(&mut self) {
        self.activity.push(0.0);
        self.links.push(Link { next: NONE, prev: NONE, bucket: NOT_QUEUED });
    }

    /// Whether the queue was filled for this call.
    #[inline]
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Empties the queue: the call is over.
    pub(super) fn close(&mut self) {
        self.live = false;
    }

    /// Starts the queue with the open ones among `members`. The last member is the first to be decided
    /// among equals.
    pub(super) fn fill(&mut self, members: &[Var], mut is_open: impl FnMut(Var) -> bool) {
        self.clear();
        self.live = true;
        for &var in members {
            self.links[var.0 as usize].bucket = NOT_QUEUED;
            if is_open(var) {
                self.link(var);
            }
        }
    }

    /// Empties the buckets and sets their scale by the present increment.
    fn clear(&mut self) {
        if self.increment > RESCALE_AT {
            for activity in &mut self.activity {
                *activity /= RESCALE_AT;
            }
            self.increment /= RESCALE_AT;
        }
        self.heads = [NONE; BUCKETS];
        self.occupied = [0; BUCKETS / 64];
        self.ceiling = (self.increment * HEADROOM).to_bits();
    }

    fn bucket_of(&self, var: Var) -> u32 {
        let below = self.ceiling.saturating_sub(self.activity[var.0 as usize].to_bits());
        (below >> SHIFT).min(BUCKETS as u32 - 1)
    }

    #[inline]
    fn link(&mut self, var: Var) {
        let bucket = self.bucket_of(var);
        let head = std::mem::replace(&mut self.heads[bucket as usize], var.0);
        if head == NONE {
            self.occupied[bucket as usize / 64] |= 1 << (bucket % 64);
        } else {
            self.links[head as usize].prev = var.0;
        }
        self.links[var.0 as usize] = Link { next: head, prev: NONE, bucket };
    }

    #[inline]
    fn unlink(&mut self, var: Var) {
        let Link { next, prev, bucket } = self.links[var.0 as usize];
        if next != NONE {
            self.links[next as usize].prev = prev;
        }
        if prev != NONE {
            self.links[prev as usize].next = next;
        } else {
            self.heads[bucket as usize] = next;
            if next == NONE {
                self.occupied[bucket as usize / 64] &= !(1 << (bucket % 64));
            }
        }
        self.links[var.0 as usize].bucket = NOT_QUEUED;
    }

    /// Puts back a variable that is open again.
    #[inline]
    pub(super) fn push(&mut self, var: Var) {
        if self.live && self.links[var.0 as usize].bucket == NOT_QUEUED {
            self.link(var);
        }
    }

    /// Takes out a variable of the most active bucket.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Var> {
        for (index, &word) in self.occupied.iter().enumerate() {
            if word != 0 {
                let var = Var(self.heads[index * 64 + word.trailing_zeros() as usize]);
                self.unlink(var);
                return Some(var);
            }
        }
        None
    }

    /// A conflict needed this variable.
    #[inline]
    pub(super) fn bump(&mut self, var: Var) {
        self.activity[var.0 as usize] += self.increment;
        let queued = self.links[var.0 as usize].bucket;
        if self.live && queued != NOT_QUEUED && queued != self.bucket_of(var) {
            self.unlink(var);
            self.link(var);
        }
    }

    /// A conflict has passed: later bumps count more. Whether [`DecisionQueue::age`] should be called.
    #[inline]
    pub(super) fn decay(&mut self) -> bool {
        self.increment /= DECAY;
        (self.increment * 32.0).to_bits() > self.ceiling
    }

    /// Sorts anew, with room for more active variables.
    pub(super) fn age(&mut self, members: &[Var]) {
        self.clear();
        for &var in members {
            if self.live && self.links[var.0 as usize].bucket != NOT_QUEUED {
                self.link(var);
            }
        }
    }

    /// Forgets the activity of a variable that starts a new life.
    pub(super) fn forget(&mut self, var: Var) {
        self.activity[var.0 as usize] = 0.0;
    }
}
