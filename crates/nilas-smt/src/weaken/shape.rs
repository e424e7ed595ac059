//! What a literal says, as far as it can be weakened.
//!
//! Bounds with a constant come in eight spellings (`<`, `<=`, either side, negated or not) and two signs. All
//! of them are the same thing: *the rank of the term is at most r*, where the rank is the value itself, or
//! its complement for lower bounds, with the sign bit flipped for signed order. A greater rank is a weaker
//! bound.

use nilas_term::{Arena, BitVec, Op, Sort, Term};

/// The order that a bound is about, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order {
    /// Signed or unsigned.
    pub signed: bool,
    /// Upper (`x <= c`) or lower (`x >= c`).
    pub upper: bool,
}

impl Order {
    /// The rank of a value; the same function gives the value of a rank.
    #[must_use]
    pub fn rank(self, value: &BitVec) -> BitVec {
        let flipped = if self.signed { value.xor(&BitVec::min_signed(value.width())) } else { value.clone() };
        if self.upper { flipped } else { flipped.not() }
    }

    /// The literal that bounds `term` by the value of a rank.
    pub fn bound(self, arena: &mut Arena, term: Term, rank: &BitVec) -> Term {
        if rank.is_ones() {
            return arena.mk_true();
        }
        // Complement and flip commute, so that the function is its own inverse.
        let constant = arena.bv_constant(self.rank(rank));
        match (self.signed, self.upper) {
            (false, true) => arena.bv_ule(term, constant),
            (false, false) => arena.bv_ule(constant, term),
            (true, true) => arena.bv_sle(term, constant),
            (true, false) => arena.bv_sle(constant, term),
        }
    }
}

/// The shape of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Equality of two bit-vectors; a constant stands on the right.
    Equal(Term, Term),
    /// A bound by a constant: the rank of the term is at most that.
    Bound {
        /// What is bounded.
        term: Term,
        /// In which order and direction.
        order: Order,
        /// The greatest rank that the bound allows.
        rank: BitVec,
    },
    /// An order between two terms that are no constants.
    Less {
        /// The smaller one.
        left: Term,
        /// The greater one.
        right: Term,
        /// Signed or unsigned.
        signed: bool,
        /// Without equality?
        strict: bool,
    },
    /// Anything else: it can be dropped at best.
    Other,
}

impl Shape {
    /// The shape of a Boolean term.
    #[must_use]
    pub fn of(arena: &Arena, literal: Term) -> Shape {
        let (atom, negated) = match (arena.op(literal), arena.children(literal)) {
            (Op::Not, &[atom]) => (atom, true),
            _ => (literal, false),
        };
        let &[left, right] = arena.children(atom) else { return Shape::Other };
        let (signed, strict) = match arena.op(atom) {
            Op::Eq if !negated && matches!(arena.sort(left), Sort::BitVec(_)) => {
                let constant_first = arena.as_bitvec(left).is_some();
                return if constant_first { Shape::Equal(right, left) } else { Shape::Equal(left, right) };
            }
            Op::BvUlt => (false, true),
            Op::BvUle => (false, false),
            Op::BvSlt => (true, true),
            Op::BvSle => (true, false),
            _ => return Shape::Other,
        };
        // not (l < r) is r <= l.
        let (left, right, strict) = if negated { (right, left, !strict) } else { (left, right, strict) };
        let (term, constant, upper) = match (arena.as_bitvec(left), arena.as_bitvec(right)) {
            (None, None) => return Shape::Less { left, right, signed, strict },
            (None, Some(constant)) => (left, constant, true),
            (Some(constant), None) => (right, constant, false),
            (Some(_), Some(_)) => return Shape::Other,
        };
        let order = Order { signed, upper };
        let rank = order.rank(constant);
        match (strict, rank.is_zero()) {
            (false, _) => Shape::Bound { term, order, rank },
            (true, false) => Shape::Bound { term, order, rank: rank.sub(&BitVec::one(rank.width())) },
            // Below the least value: false, and nothing is to be said about it.
            (true, true) => Shape::Other,
        }
    }
}
