//! Simplification on construction.
//!
//! [`Arena::mk`] brings a term whose children are in normal form into normal form. Terms of the same meaning
//! should meet in the same id; that is a matter of speed, not of soundness, and not complete.
//!
//! # Normal forms
//! - Operands of commutative operators are sorted by id, constants last. Operators of constants are
//!   constants.
//! - `and`, `or`: flat, sorted, without duplicates, complements and constants; a literal is not repeated
//!   inside of its clauses. There is no `xor`: it is `not (= …)`.
//! - `not` stands above variables, equalities, `ite`, applications and above conjunctions that contain more
//!   than atoms. On comparisons it exchanges the sides; on conjunctions and disjunctions of atoms it follows
//!   De Morgan.
//! - Comparisons with a constant are `x ≤ c` or `c ≤ x`, never strict; at the ends of the range they are
//!   equalities. Sign tests are `x ≤s -1` and `0 ≤s x`. Comparisons of extended terms are comparisons of what
//!   is extended.
//! - One-bit terms are compared with 1, not with 0.
//! - `ite` has a condition that is no negation or strict comparison; Boolean `ite` has no constant branch. An
//!   operator of an `ite` of constants (up to four) and of constants is an `ite` of constants.
//! - Sums are `((c₁·x₁ + c₂·x₂) + …) + c` by id of the xᵢ, up to [`LIMIT`] of them; larger sums are
//!   opaque. `-x` is the factor -1; `x - y` is `x + -y`; `-x - 1` is `~x`. Factors of sums of two or more are
//!   not distributed, except -1.
//! - Equalities of sums have what is common cancelled, positive factors left, negative ones right, and the
//!   constant on the side with the greater id.
//! - Shifts left by constants are products with powers of two; shifts right by constants are extensions of
//!   extracts; so are unsigned division and remainder by powers of two, and `&` with a mask of low bits.
//! - Concatenations lean to the right; leading zeros are `zero_extend`. Extracts move inwards where that does
//!   not grow the term.
//! - `~x & ~y` is `~(x | y)` and vice versa; complements come out of `^`.
//!
//! Rules shrink the term or reach a normal form, and look at a bounded part of it. Should a chain of rewrites
//! nest deeper than [`MAX_DEPTH`], the term is taken as it stands.

mod arrays;
mod bitwise;
mod compare;
mod core;
mod division;
mod equality;
mod extract;
mod ite;
mod linear;
mod product;
pub(crate) mod rules;
mod structure;
#[cfg(test)]
mod tests;

use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::float;
use crate::fold;
use crate::op::Op;
use crate::term::Term;
use crate::value::Value;
use rules::Rule;

/// How many operands nested operators of one kind are sorted together; more are left as they nest.
const LIMIT: usize = 4;

/// How deep rewrites may cause others.
const MAX_DEPTH: u32 = 48;

/// How many constants an if-then-else of constants may have.
const MAX_ITE_LEAVES: usize = 4;

impl Arena {
    /// The term `op(children)` in normal form. Well-sortedness is the caller's duty.
    pub fn mk(&mut self, op: Op, children: &[Term]) -> Term {
        if op.is_leaf() || matches!(op, Op::Apply(_)) {
            return self.mk_raw(op, children);
        }
        if let Some(value) = self.fold_constants(op, children) {
            self.fire(Rule::FoldConstants);
            return self.constant(value);
        }
        if self.depth >= MAX_DEPTH {
            return self.mk_shallow(op, children);
        }
        self.depth += 1;
        let term = self.simplify(op, children);
        self.depth -= 1;
        term
    }

    /// The term without rewriting, but well-formed: conjunctions of none or one, sorted operands.
    fn mk_shallow(&mut self, op: Op, children: &[Term]) -> Term {
        match (op, children) {
            (Op::And | Op::Or, [single]) => *single,
            _ if op.is_commutative() => {
                let mut sorted = children.to_vec();
                sorted.sort_by_key(|&child| self.operand_order(child));
                self.mk_raw(op, &sorted)
            }
            _ => self.mk_raw(op, children),
        }
    }

    fn simplify(&mut self, op: Op, children: &[Term]) -> Term {
        if let Some(term) = self.lift_constant_ite(op, children) {
            return term;
        }
        match (op, children) {
            (Op::Not, &[a]) => self.simplify_not(a),
            (Op::And | Op::Or, _) => self.simplify_junction(op, children),
            (Op::Xor, &[a, b]) => {
                self.fire(Rule::XorIsInequality);
                self.ne(a, b)
            }
            (Op::Eq, &[a, b]) => self.simplify_eq(a, b),
            (Op::Ite, &[c, a, b]) => self.simplify_ite(c, a, b),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[a, b]) => self.simplify_comparison(op, a, b),
            (Op::BvNot, &[a]) => self.simplify_bv_not(a),
            (Op::BvAnd | Op::BvOr, &[a, b]) => self.simplify_bitwise(op, a, b),
            (Op::BvXor, &[a, b]) => self.simplify_bv_xor(a, b),
            (Op::BvNeg, &[a]) => self.simplify_bv_neg(a),
            (Op::BvAdd, &[a, b]) => self.simplify_bv_add(a, b),
            (Op::BvMul, &[a, b]) => self.simplify_bv_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.simplify_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.simplify_urem(a, b),
            (Op::BvSdiv | Op::BvSrem | Op::BvSmod, &[a, b]) => self.simplify_signed_division(op, a, b),
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => self.simplify_shift(op, a, b),
            (Op::Concat, &[a, b]) => self.simplify_concat(a, b),
            (Op::Extract { hi, lo }, &[a]) => self.simplify_extract(a, hi, lo),
            (Op::ZeroExtend(by), &[a]) => self.simplify_zero_extend(a, by),
            (Op::SignExtend(by), &[a]) => self.simplify_sign_extend(a, by),
            (Op::Select, &[a, i]) => self.simplify_select(a, i),
            (Op::Store, &[a, i, v]) => self.simplify_store(a, i, v),
            (Op::Neg, &[a]) => self.simplify_number_neg(a),
            (Op::Le | Op::Lt, &[a, b]) => self.simplify_number_comparison(op, a, b),
            _ => match float::simplify(self, op, children) {
                Some(term) => term,
                None => self.mk_shallow(op, children),
            },
        }
    }

    /// The value of an operator whose children are all constants, where it can be computed.
    fn fold_constants(&self, op: Op, children: &[Term]) -> Option<Value> {
        if children.iter().any(|&child| !self.is_constant(child)) {
            return None;
        }
        match children {
            [a] => fold::apply(self, op, &[self.as_value(*a)?]),
            [a, b] => fold::apply(self, op, &[self.as_value(*a)?, self.as_value(*b)?]),
            _ => {
                let values: Option<Vec<&Value>> =
                    children.iter().map(|&child| self.as_value(child)).collect();
                fold::apply(self, op, &values?)
            }
        }
    }

    /// `f(ite(c, k, l), m)` becomes `ite(c, f(k, m), f(l, m))` for constants k, l, m: what C front ends need,
    /// whose comparisons are numbers 0 and 1 that are compared with 0 again.
    fn lift_constant_ite(&mut self, op: Op, children: &[Term]) -> Option<Term> {
        let liftable = matches!(
            op,
            Op::Eq
                | Op::Concat
                | Op::Extract { .. }
                | Op::ZeroExtend(_)
                | Op::SignExtend(_)
                | Op::BvNot
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvNeg
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvSmod
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr
                | Op::BvUlt
                | Op::BvUle
                | Op::BvSlt
                | Op::BvSle
        );
        if !liftable {
            return None;
        }
        let mut others = children.iter().enumerate().filter(|(_, child)| !self.is_constant(**child));
        let (position, &ite) = others.next()?;
        if others.next().is_some() || !self.is_constant_ite(ite) {
            return None;
        }
        let &[condition, then, otherwise] = self.children(ite) else { return None };
        self.fire(Rule::LiftConstantIte);
        let mut arguments = children.to_vec();
        arguments[position] = then;
        let then = self.mk(op, &arguments);
        arguments[position] = otherwise;
        let otherwise = self.mk(op, &arguments);
        Some(self.ite(condition, then, otherwise))
    }

    /// Whether it is an if-then-else, possibly nested, of a few constants of a bit-vector sort.
    fn is_constant_ite(&self, term: Term) -> bool {
        if self.op(term) != Op::Ite || self.width(term) == 0 {
            return false;
        }
        let mut stack = vec![term];
        let mut leaves = 0;
        while let Some(term) = stack.pop() {
            match self.op(term) {
                Op::Ite => stack.extend_from_slice(&self.children(term)[1..]),
                Op::Const(_) => leaves += 1,
                _ => return false,
            }
            if leaves + stack.len() > MAX_ITE_LEAVES {
                return false;
            }
        }
        true
    }

    /// Announces that a rule fires.
    #[cfg(test)]
    fn fire(&mut self, rule: Rule) {
        *self.fired.entry(rule).or_default() += 1;
    }

    /// Announces that a rule fires.
    #[cfg(not(test))]
    #[inline(always)]
    #[allow(clippy::unused_self)]
    fn fire(&mut self, _rule: Rule) {}

    fn is_constant(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Const(_))
    }

    /// Sort key of operands: constants last, else by age.
    fn operand_order(&self, term: Term) -> (bool, Term) {
        (self.is_constant(term), term)
    }

    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.operand_order(a) <= self.operand_order(b) { (a, b) } else { (b, a) }
    }

    /// The constant's value, as a copy: rules build terms while they look at it.
    fn bv_value(&self, term: Term) -> Option<BitVec> {
        self.as_bitvec(term).cloned()
    }

    fn is_zero(&self, term: Term) -> bool {
        self.as_bitvec(term).is_some_and(BitVec::is_zero)
    }

    /// The only child.
    fn child(&self, term: Term) -> Term {
        self.children(term)[0]
    }

    /// Both children.
    fn pair(&self, term: Term) -> (Term, Term) {
        let children = self.children(term);
        (children[0], children[1])
    }

    /// The operands of nested `op`s that lean to the left: up to [`LIMIT`] without constants, and one
    /// constant. `None` if there are more or they nest otherwise: then the term counts as one operand.
    fn chain(&self, op: Op, term: Term) -> Option<Vec<Term>> {
        let mut operands = Vec::with_capacity(LIMIT + 1);
        let mut rest = term;
        while self.op(rest) == op {
            let (left, right) = self.pair(rest);
            if self.op(right) == op || operands.len() > LIMIT {
                return None;
            }
            operands.push(right);
            rest = left;
        }
        operands.push(rest);
        operands.reverse();
        let count = operands.iter().filter(|&&operand| !self.is_constant(operand)).count();
        (count <= LIMIT).then_some(operands)
    }

    /// Nested `op`s that lean to the left.
    fn raw_chain(&mut self, op: Op, operands: &[Term]) -> Term {
        let mut result = operands[0];
        for &operand in &operands[1..] {
            result = self.mk_raw(op, &[result, operand]);
        }
        result
    }
}
