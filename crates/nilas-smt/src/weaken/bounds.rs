//! Steps that end in a bound.

use super::Turn;
use super::shape::Order;
use crate::solver::Reason;
use nilas_term::{Arena, BitVec, Term};

impl Turn<'_, '_> {
    /// `x = t` implies both `x <= t` and `x >= t`; with a constant the bound is weakened further.
    pub(super) fn equality_to_bound(
        &mut self,
        arena: &mut Arena,
        x: Term,
        t: Term,
        signed: bool,
    ) -> Result<bool, Reason> {
        for upper in [true, false] {
            let Some(constant) = arena.as_bitvec(t).cloned() else {
                let (left, right) = if upper { (x, t) } else { (t, x) };
                let literal = if signed { arena.bv_sle(left, right) } else { arena.bv_ule(left, right) };
                if self.attempt(arena, &[literal])? {
                    return Ok(true);
                }
                continue;
            };
            let order = Order { signed, upper };
            let rank = order.rank(&constant);
            // A bound by the greatest rank says nothing: that is dropping, which is a step of its own. A
            // bound by the least rank is the equality itself.
            if rank.is_ones() {
                continue;
            }
            if rank.is_zero() {
                if self.weakest_bound(arena, x, order, &rank)? {
                    return Ok(true);
                }
                continue;
            }
            let literal = order.bound(arena, x, &rank);
            if self.attempt(arena, &[literal])? {
                self.weakest_bound(arena, x, order, &rank)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An equality with the least or greatest value is a bound, and weakened as one.
    pub(super) fn extreme_to_bound(&mut self, arena: &mut Arena, x: Term, t: Term) -> Result<bool, Reason> {
        let Some(constant) = arena.as_bitvec(t).cloned() else { return Ok(false) };
        for (signed, upper) in [(false, true), (false, false), (true, true), (true, false)] {
            let order = Order { signed, upper };
            let rank = order.rank(&constant);
            if rank.is_zero() && self.weakest_bound(arena, x, order, &rank)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `x < c` implies `x != c`.
    pub(super) fn bound_to_disequality(
        &mut self,
        arena: &mut Arena,
        term: Term,
        order: Order,
        rank: &BitVec,
    ) -> Result<bool, Reason> {
        if rank.is_ones() {
            return Ok(false);
        }
        let above = order.rank(&rank.add(&BitVec::one(rank.width())));
        let constant = arena.bv_constant(above);
        let literal = arena.ne(term, constant);
        self.attempt(arena, &[literal])
    }

    /// Looks for the greatest rank that conflicts, given that `rank` does: first among the landmarks, or,
    /// where none is given, by galloping and then halving. Every rank on the way is confirmed, so a query
    /// that is not monotone costs quality only.
    pub(super) fn weakest_bound(
        &mut self,
        arena: &mut Arena,
        term: Term,
        order: Order,
        rank: &BitVec,
    ) -> Result<bool, Reason> {
        let width = rank.width();
        let landmarks = self.landmarks(order, rank);
        if !landmarks.is_empty() {
            let (mut low, mut high) = (0, landmarks.len());
            while low < high && self.left > 0 {
                let middle = low.midpoint(high);
                if self.attempt_rank(arena, term, order, &landmarks[middle])? {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return Ok(low > 0);
        }
        let one = BitVec::one(width);
        let (mut good, mut step) = (rank.clone(), one.clone());
        // The least rank that is known to fail; all ones, the bound that says nothing, counts as one that
        // does.
        let mut bad = BitVec::ones(width);
        let mut galloping = true;
        while self.left > 0 {
            let gap = bad.sub(&good);
            if gap.ule(&one) {
                break;
            }
            let next = if galloping && step.ult(&gap) {
                good.add(&step)
            } else {
                galloping = false;
                good.add(&gap.lshr_by(1))
            };
            if self.attempt_rank(arena, term, order, &next)? {
                good = next;
                let doubled = step.shl_by(1);
                galloping &= step.ult(&doubled);
                step = doubled;
            } else {
                bad = next;
                galloping = false;
            }
        }
        Ok(good != *rank)
    }

    fn attempt_rank(
        &mut self,
        arena: &mut Arena,
        term: Term,
        order: Order,
        rank: &BitVec,
    ) -> Result<bool, Reason> {
        let literal = order.bound(arena, term, rank);
        self.attempt(arena, &[literal])
    }

    /// Ranks of the landmarks and of their neighbours that are weaker than `rank`, in growing order.
    fn landmarks(&self, order: Order, rank: &BitVec) -> Vec<BitVec> {
        let one = BitVec::one(rank.width());
        let mut ranks: Vec<BitVec> = self
            .options
            .landmarks
            .iter()
            .filter(|landmark| landmark.width() == rank.width())
            .map(|landmark| order.rank(landmark))
            .flat_map(|mark| [mark.sub(&one), mark.clone(), mark.add(&one)])
            .filter(|mark| rank.ult(mark) && !mark.is_ones())
            .collect();
        ranks.sort_unstable_by(BitVec::compare_unsigned);
        ranks.dedup();
        ranks
    }
}
