//! Steps that end in some bits of an equality.

use super::Turn;
use crate::solver::Reason;
use nilas_term::{Arena, Op, Term};

/// The bits `hi` to `lo` of a term, through extractions below it.
pub(crate) fn slice(arena: &mut Arena, term: Term, hi: u32, lo: u32) -> Term {
    let (mut term, mut hi, mut lo) = (term, hi, lo);
    while let (Op::Extract { lo: below, .. }, &[inner]) = (arena.op(term), arena.children(term)) {
        (term, hi, lo) = (inner, hi + below, lo + below);
    }
    if lo == 0 && hi + 1 == arena.width(term) { term } else { arena.extract(term, hi, lo) }
}

/// The equality of the bits `hi` to `lo` of two terms.
pub(crate) fn equal(arena: &mut Arena, x: Term, t: Term, hi: u32, lo: u32) -> Term {
    let (x, t) = (slice(arena, x, hi, lo), slice(arena, t, hi, lo));
    arena.eq(x, t)
}

impl Turn<'_, '_> {
    /// The fewest low bits that conflict, at least two less than all (one bit less is no gain).
    pub(super) fn low_bits(&mut self, arena: &mut Arena, x: Term, t: Term) -> Result<bool, Reason> {
        self.fewest(arena, x, t, |count, _| (count - 1, 0))
    }

    /// The fewest high bits that conflict.
    pub(super) fn high_bits(&mut self, arena: &mut Arena, x: Term, t: Term) -> Result<bool, Reason> {
        self.fewest(arena, x, t, |count, width| (width - 1, width - count))
    }

    /// The smallest count of bits that conflicts, by halving; `range` says which bits a count stands for.
    fn fewest(
        &mut self,
        arena: &mut Arena,
        x: Term,
        t: Term,
        range: fn(u32, u32) -> (u32, u32),
    ) -> Result<bool, Reason> {
        let width = arena.width(x);
        let (mut bad, mut good) = (0, width);
        while good - bad > 1 && self.left > 0 {
            let middle = bad.midpoint(good);
            let (hi, lo) = range(middle, width);
            let literal = equal(arena, x, t, hi, lo);
            if self.attempt(arena, &[literal])? {
                good = middle;
            } else {
                bad = middle;
            }
        }
        Ok(good < width)
    }

    /// A set of bits that conflicts: halves, quarters, … are taken away as long as the rest does. The result
    /// is one literal per run of neighbouring bits.
    pub(super) fn any_bits(&mut self, arena: &mut Arena, x: Term, t: Term) -> Result<bool, Reason> {
        let width = arena.width(x);
        let mut kept = vec![true; width as usize];
        let mut changed = false;
        let mut size = width.div_ceil(2);
        loop {
            let mut lo = 0;
            while lo < width && self.left > 0 {
                let range = lo as usize..width.min(lo + size) as usize;
                if kept[range.clone()].iter().any(|&kept| kept) {
                    let mut fewer = kept.clone();
                    fewer[range].fill(false);
                    let literals = runs(arena, x, t, &fewer);
                    if self.attempt(arena, &literals)? {
                        kept = fewer;
                        changed = true;
                    }
                }
                lo += size;
            }
            if size <= 1 || self.left == 0 {
                return Ok(changed);
            }
            size = size.div_ceil(2);
        }
    }
}

/// One equality per run of kept bits.
fn runs(arena: &mut Arena, x: Term, t: Term, kept: &[bool]) -> Vec<Term> {
    let mut literals = Vec::new();
    let mut start = None;
    for index in 0..=kept.len() {
        let on = kept.get(index).copied().unwrap_or(false);
        match (on, start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                // Widths fit into u32, and so do positions.
                let (hi, lo) = (u32::try_from(index - 1).unwrap_or(0), u32::try_from(first).unwrap_or(0));
                literals.push(equal(arena, x, t, hi, lo));
                start = None;
            }
            _ => {}
        }
    }
    literals
}
