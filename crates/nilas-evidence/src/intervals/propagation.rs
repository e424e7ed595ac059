//! Narrowing with a way back.
//!
//! What every term can be is kept in one place and changed in place; a trail remembers what was known before,
//! so that a case can be left again. Three things narrow: a term follows from its children ([`forward`]), a
//! requirement is told to the children ([`backward`]), and children are *shaved*: a piece at the end of a
//! child's set goes if the term cannot be what is required of it while the child is in that piece. Shaving
//! needs no inverse of an operator, so nothing is trusted for it but [`forward`] itself.
//!
//! Clauses stand beside the terms ([`super::lemmas`]); a clause of which one literal is left narrows, too.

use super::Node;
use super::backward::backward;
use super::bits::{Bits, Span};
use super::floats::Floats;
use super::forward::forward;
use super::known::Known;
use super::lemmas::{Clauses, Literal};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op};
use std::collections::VecDeque;

/// Small steps that a term may take between two splits.
const SMALL_STEPS: u32 = 8;
/// A step is small if it leaves more than this part of 16.
const PARTS: u128 = 15;
/// Evaluations between two looks at the clock.
const POLL: u64 = 4_000;

/// Nothing is left of some term.
pub(super) struct Closed;

/// Why narrowing ended early.
pub(super) enum Stop {
    Closed,
    Interrupted(Reason),
}

impl From<Closed> for Stop {
    fn from(_: Closed) -> Stop {
        Stop::Closed
    }
}

pub(super) struct Propagation<'a> {
    pub(super) arena: &'a Arena,
    pub(super) nodes: &'a [Node],
    parents: Vec<Vec<usize>>,
    pub(super) known: Vec<Known>,
    trail: Vec<(usize, Known)>,
    /// Terms to look at again.
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// Terms that changed, for clauses to look at.
    moved: Vec<usize>,
    pub(super) clauses: Clauses,
    /// Small steps of each term, and since when they are counted.
    small: Vec<(u64, u32)>,
    stamp: u64,
    budget: &'a Budget,
    pub(super) done: u64,
}

impl<'a> Propagation<'a> {
    /// Everything is open, and every term is to be looked at.
    pub(super) fn new(arena: &'a Arena, nodes: &'a [Node], budget: &'a Budget) -> Self {
        let mut parents = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            for source in node.sources() {
                if parents[source].last() != Some(&number) {
                    parents[source].push(number);
                }
            }
        }
        Propagation {
            arena,
            nodes,
            parents,
            known: nodes.iter().map(|node| Known::all(&node.sort)).collect(),
            trail: Vec::new(),
            queue: (0..nodes.len()).collect(),
            queued: vec![true; nodes.len()],
            moved: Vec::new(),
            clauses: Clauses::new(nodes.len()),
            small: vec![(0, 0); nodes.len()],
            stamp: 0,
            budget,
            done: 0,
        }
    }

    /// A place to come back to.
    pub(super) fn mark(&mut self) -> usize {
        self.stamp += 1;
        self.trail.len()
    }

    /// Forgets everything since a mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        for (number, before) in self.trail.drain(mark..).rev() {
            self.known[number] = before;
        }
        for number in self.queue.drain(..) {
            self.queued[number] = false;
        }
        self.moved.clear();
        self.stamp += 1;
    }

    /// Narrows what a term can be.
    pub(super) fn learn(&mut self, number: usize, more: Known) -> Result<(), Closed> {
        let before = self.known[number];
        let met = before.meet(more);
        if met == before {
            return Ok(());
        }
        if met.is_empty() {
            return Err(Closed);
        }
        if is_small(before, met) {
            let steps = &mut self.small[number];
            if steps.0 != self.stamp {
                *steps = (self.stamp, 0);
            }
            steps.1 += 1;
            // Narrowing less than could be done is always right.
            if steps.1 > SMALL_STEPS {
                return Ok(());
            }
        }
        self.trail.push((number, before));
        self.known[number] = met;
        self.moved.push(number);
        self.enqueue(number);
        for at in 0..self.parents[number].len() {
            self.enqueue(self.parents[number][at]);
        }
        Ok(())
    }

    fn enqueue(&mut self, number: usize) {
        if !std::mem::replace(&mut self.queued[number], true) {
            self.queue.push_back(number);
        }
    }

    /// Narrows until nothing changes.
    pub(super) fn propagate(&mut self) -> Result<(), Stop> {
        loop {
            while let Some(number) = self.moved.pop() {
                self.visit_clauses(number)?;
            }
            let Some(number) = self.queue.pop_front() else { return Ok(()) };
            self.queued[number] = false;
            self.visit(number)?;
        }
    }

    fn visit_clauses(&mut self, number: usize) -> Result<(), Closed> {
        let units = self.clauses.units(number, &self.known)?;
        units.into_iter().try_for_each(|Literal { node, yes, .. }| self.learn(node, yes))
    }

    fn visit(&mut self, number: usize) -> Result<(), Stop> {
        self.count(number)?;
        let node = &self.nodes[number];
        let made = forward(self.arena, node, &self.known);
        self.learn(number, made)?;
        for (child, required) in backward(node, self.known[number], &self.known) {
            self.learn(child, required)?;
        }
        if self.known[number] != made && is_shaved(node.op) {
            for at in 0..node.children.len() {
                self.shave(number, node.children[at])?;
            }
        }
        Ok(())
    }

    fn count(&mut self, number: usize) -> Result<(), Stop> {
        let before = self.done / POLL;
        self.done += self.nodes[number].cost();
        match (self.done / POLL > before).then(|| self.budget.exhausted()).flatten() {
            Some(why) => Err(Stop::Interrupted(Reason::Interrupted(why))),
            None => Ok(()),
        }
    }

    /// Whether a term cannot be what is required of it while a child is in a piece of its set.
    fn misses(&mut self, number: usize, child: usize, piece: Known) -> Result<bool, Stop> {
        if piece.is_empty() {
            return Ok(true);
        }
        self.count(number)?;
        let whole = std::mem::replace(&mut self.known[child], piece);
        let made = forward(self.arena, &self.nodes[number], &self.known);
        self.known[child] = whole;
        Ok(made.meet(self.known[number]).is_empty())
    }

    fn shave(&mut self, number: usize, child: usize) -> Result<(), Stop> {
        match self.known[child] {
            Known::Float(floats) => {
                let nan = Known::Float(Floats { lo: 1, hi: 0, ..floats });
                if floats.nan && self.misses(number, child, nan)? {
                    self.learn(child, Known::Float(Floats { nan: false, ..floats }))?;
                }
                let low = |at: i128| Known::Float(Floats { hi: at, nan: false, ..floats });
                let high = |at: i128| Known::Float(Floats { lo: at, nan: false, ..floats });
                let span = Span { lo: floats.lo, hi: floats.hi };
                let left = self.ends(number, child, span, &low, &high)?;
                Ok(self.learn(child, Known::Float(Floats { lo: left.lo, hi: left.hi, ..floats }))?)
            }
            Known::Bits(bits) => {
                for signed in [true, false] {
                    let with = |span: Span| match signed {
                        true => Known::Bits(bits.meet(Bits { signed: span, ..bits })),
                        false => Known::Bits(bits.meet(Bits { unsigned: span, ..bits })),
                    };
                    let span = if signed { bits.signed } else { bits.unsigned };
                    let low = |at: i128| with(Span { lo: span.lo, hi: at });
                    let high = |at: i128| with(Span { lo: at, hi: span.hi });
                    let left = self.ends(number, child, span, &low, &high)?;
                    self.learn(child, with(left))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What is left of an interval of a child; `low` are the values up to a place, `high` those from one on.
    fn ends(
        &mut self,
        number: usize,
        child: usize,
        span: Span,
        low: &dyn Fn(i128) -> Known,
        high: &dyn Fn(i128) -> Known,
    ) -> Result<Span, Stop> {
        let Span { mut lo, mut hi } = span;
        if lo >= hi {
            return Ok(span);
        }
        if self.misses(number, child, low(lo))? {
            // Everything up to `lo` misses, `hi` does not, as far as is known.
            let mut beyond = hi;
            while beyond - lo > 1 {
                let middle = lo + (beyond - lo) / 2;
                if self.misses(number, child, low(middle))? {
                    lo = middle;
                } else {
                    beyond = middle;
                }
            }
            lo += 1;
        }
        if lo < hi && self.misses(number, child, high(hi))? {
            let mut before = lo;
            while hi - before > 1 {
                let middle = before + (hi - before) / 2;
                if self.misses(number, child, high(middle))? {
                    hi = middle;
                } else {
                    before = middle;
                }
            }
            hi -= 1;
        }
        Ok(Span { lo, hi })
    }
}

/// Operators whose requirements are told by [`backward`] need no shaving.
fn is_shaved(op: Op) -> bool {
    !matches!(op, Op::Var(_) | Op::Const(_) | Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite)
}

fn is_small(before: Known, after: Known) -> bool {
    let width = |lo: i128, hi: i128| if lo <= hi { hi.abs_diff(lo) } else { 0 };
    let little = |before: u128, after: u128| after > before / 16 * PARTS && after > 0;
    match (before, after) {
        (Known::Float(one), Known::Float(two)) if one.nan == two.nan => {
            little(width(one.lo, one.hi), width(two.lo, two.hi))
        }
        (Known::Bits(one), Known::Bits(two)) => {
            little(width(one.unsigned.lo, one.unsigned.hi), width(two.unsigned.lo, two.unsigned.hi))
                && little(width(one.signed.lo, one.signed.hi), width(two.signed.lo, two.signed.hi))
        }
        _ => false,
    }
}
