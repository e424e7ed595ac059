//! Sums of multiples: the normal form of addition and negation.

use super::LIMIT;
use super::rules::Rule;
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;

/// `Σ factorᵢ·termᵢ + constant`. Factors are not zero.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) monomials: Vec<(Term, BitVec)>,
    pub(super) constant: BitVec,
}

impl Linear {
    pub(super) fn new(width: u32) -> Self {
        Linear { monomials: Vec::new(), constant: BitVec::zero(width) }
    }

    /// Adds a multiple of a term that is not looked into.
    pub(super) fn add_atom(&mut self, atom: Term, factor: &BitVec) {
        match self.monomials.iter_mut().find(|(other, _)| *other == atom) {
            Some((_, sum)) => *sum = sum.add(factor),
            None => self.monomials.push((atom, factor.clone())),
        }
        self.monomials.retain(|(_, factor)| !factor.is_zero());
    }

    fn add_constant(&mut self, value: &BitVec) {
        self.constant = self.constant.add(value);
    }
}

impl Arena {
    pub(super) fn simplify_bv_neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let mut sum = Linear::new(width);
        self.add_multiple(&mut sum, a, &BitVec::ones(width));
        self.linear_term(sum).unwrap_or_else(|| self.mk_raw(Op::BvNeg, &[a]))
    }

    pub(super) fn simplify_bv_add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let one = BitVec::one(width);
        let mut sum = Linear::new(width);
        self.add_multiple(&mut sum, a, &one);
        self.add_multiple(&mut sum, b, &one);
        if let Some(term) = self.linear_term(sum) {
            return term;
        }
        // Too many summands to sort: the operands are opaque, but for their constants.
        let ((a, c), (b, d)) = (self.split_constant(a), self.split_constant(b));
        let mut sum = Linear::new(width);
        sum.add_atom(a, &one);
        sum.add_atom(b, &one);
        sum.add_constant(&c.add(&d));
        match self.linear_term_of_atoms(sum) {
            Some(term) => term,
            None => self.mk_shallow(Op::BvAdd, &[a, b]),
        }
    }

    /// `x + c` as x and c.
    fn split_constant(&self, term: Term) -> (Term, BitVec) {
        if self.op(term) == Op::BvAdd {
            let (left, right) = self.pair(term);
            if let Some(value) = self.as_bitvec(right) {
                return (left, value.clone());
            }
        }
        (term, BitVec::zero(self.width(term)))
    }

    /// Adds `factor·term` to a sum, summand by summand.
    pub(super) fn add_multiple(&self, sum: &mut Linear, term: Term, factor: &BitVec) {
        if self.op(term) != Op::BvAdd {
            return self.add_monomial(sum, term, factor);
        }
        let (rest, constant) = self.split_constant(term);
        sum.add_constant(&factor.mul(&constant));
        match self.chain(Op::BvAdd, rest) {
            // Distributing another factor over two summands would make two products of one.
            Some(summands) if summands.len() == 1 || factor.is_one() || factor.is_ones() => {
                for summand in summands {
                    self.add_monomial(sum, summand, factor);
                }
            }
            _ => sum.add_atom(rest, factor),
        }
    }

    fn add_monomial(&self, sum: &mut Linear, term: Term, factor: &BitVec) {
        match self.op(term) {
            Op::Const(_) => {
                if let Some(value) = self.as_bitvec(term) {
                    sum.add_constant(&factor.mul(value));
                }
            }
            Op::BvNeg => sum.add_atom(self.child(term), &factor.neg()),
            Op::BvNot => {
                sum.add_atom(self.child(term), &factor.neg());
                sum.add_constant(&factor.neg());
            }
            Op::BvMul => {
                let (left, right) = self.pair(term);
                match self.as_bitvec(right) {
                    Some(value) => sum.add_atom(left, &factor.mul(value)),
                    None => sum.add_atom(term, factor),
                }
            }
            _ => sum.add_atom(term, factor),
        }
    }

    /// The sum as a term; `None` if it has too many summands to be sorted.
    pub(super) fn linear_term(&mut self, mut sum: Linear) -> Option<Term> {
        self.settle(&mut sum);
        self.linear_term_of_atoms(sum)
    }

    /// Looks into sums whose factor has become 1 or -1 now that factors have met.
    pub(super) fn settle_sums(&self, sum: &mut Linear) {
        while let Some(position) = sum.monomials.iter().position(|(atom, factor)| {
            self.op(*atom) == Op::BvAdd
                && (factor.is_one() || factor.is_ones())
                && self.chain(Op::BvAdd, *atom).is_some()
        }) {
            let (atom, factor) = sum.monomials.remove(position);
            self.add_multiple(sum, atom, &factor);
        }
    }

    /// The same, and multiples of if-then-elses of constants become such themselves.
    fn settle(&mut self, sum: &mut Linear) {
        loop {
            self.settle_sums(sum);
            let multiple = sum
                .monomials
                .iter()
                .position(|(atom, factor)| !factor.is_one() && self.is_constant_ite(*atom));
            let Some(position) = multiple else { return };
            let (atom, factor) = sum.monomials.remove(position);
            self.fire(Rule::LinearIte);
            let constant = self.bv_constant(factor);
            if let Some(multiple) = self.lift_constant_ite(Op::BvMul, &[atom, constant]) {
                let one = BitVec::one(self.width(atom));
                self.add_monomial(sum, multiple, &one);
            }
        }
    }

    /// The sum as a term, atoms as they are.
    fn linear_term_of_atoms(&mut self, mut sum: Linear) -> Option<Term> {
        if sum.monomials.len() > LIMIT {
            return None;
        }
        self.fire(Rule::Linear);
        sum.monomials.sort_by_key(|(atom, _)| *atom);
        if let [(atom, factor)] = &sum.monomials[..] {
            if factor.is_ones() && sum.constant.is_ones() {
                self.fire(Rule::LinearNot);
                return Some(self.bv_not_of_atom(*atom));
            }
            if factor.is_one() && !sum.constant.is_zero() && self.is_constant_ite(*atom) {
                let constant = self.bv_constant(sum.constant.clone());
                return self.lift_constant_ite(Op::BvAdd, &[*atom, constant]);
            }
        }
        let mut summands = Vec::with_capacity(sum.monomials.len() + 1);
        let mut complemented = None;
        if sum.constant.is_ones() {
            complemented = sum
                .monomials
                .iter()
                .position(|(atom, factor)| factor.is_ones() && self.has_plain_complement(*atom));
            if complemented.is_some() {
                self.fire(Rule::LinearNot);
                sum.constant = BitVec::zero(sum.constant.width());
            }
        }
        for (position, (atom, factor)) in sum.monomials.iter().enumerate() {
            summands.push(if complemented == Some(position) {
                self.mk_raw(Op::BvNot, &[*atom])
            } else if factor.is_one() {
                *atom
            } else if factor.is_ones() {
                self.mk_raw(Op::BvNeg, &[*atom])
            } else {
                let factor = self.bv_constant(factor.clone());
                self.mk_raw(Op::BvMul, &[*atom, factor])
            });
        }
        if summands.is_empty() || !sum.constant.is_zero() {
            let constant = self.bv_constant(sum.constant);
            summands.push(constant);
        }
        Some(self.raw_chain(Op::BvAdd, &summands))
    }

    /// `~atom`, for a term that is no sum.
    fn bv_not_of_atom(&mut self, atom: Term) -> Term {
        if self.has_plain_complement(atom) { self.mk_raw(Op::BvNot, &[atom]) } else { self.bv_not(atom) }
    }

    /// Whether the complement of a term that is no sum, or one too large to be looked into, is just that, and
    /// not something simpler.
    fn has_plain_complement(&self, atom: Term) -> bool {
        match self.op(atom) {
            Op::BvXor => !self.is_constant(self.pair(atom).1),
            Op::Ite => !self.is_constant_ite(atom),
            Op::BvNot | Op::BvNeg => false,
            Op::BvMul => !self.is_constant(self.pair(atom).1),
            _ => true,
        }
    }
}
