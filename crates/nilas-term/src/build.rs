//! Constructors by name. Each simplifies; derived operators become their definitions.
//!
//! All of them expect well-sorted arguments; text from users goes through [`Arena::try_mk`] and the
//! SMT-LIB parser instead.

use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::term::Term;
use crate::value::Value;

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Arena { $(
        $(#[$doc])*
        pub fn $name(&mut self, left: Term, right: Term) -> Term { self.mk(Op::$op, &[left, right]) }
    )* } };
}

binary! {
    /// Equality; on Booleans, equivalence.
    eq = Eq;
    /// Exclusive or.
    xor = Xor;
    /// Concatenation, high part first.
    concat = Concat;
    /// Bitwise and.
    bv_and = BvAnd;
    /// Bitwise or.
    bv_or = BvOr;
    /// Bitwise exclusive or.
    bv_xor = BvXor;
    /// Sum.
    bv_add = BvAdd;
    /// Product.
    bv_mul = BvMul;
    /// Unsigned quotient.
    bv_udiv = BvUdiv;
    /// Unsigned remainder.
    bv_urem = BvUrem;
    /// Signed quotient.
    bv_sdiv = BvSdiv;
    /// Signed remainder with the sign of the dividend.
    bv_srem = BvSrem;
    /// Signed remainder with the sign of the divisor.
    bv_smod = BvSmod;
    /// Shift left.
    bv_shl = BvShl;
    /// Logical shift right.
    bv_lshr = BvLshr;
    /// Arithmetic shift right.
    bv_ashr = BvAshr;
    /// Unsigned less than.
    bv_ult = BvUlt;
    /// Unsigned less or equal.
    bv_ule = BvUle;
    /// Signed less than.
    bv_slt = BvSlt;
    /// Signed less or equal.
    bv_sle = BvSle;
    /// Element at an index.
    select = Select;
}

impl Arena {
    /// The constant true.
    pub fn mk_true(&mut self) -> Term {
        self.mk_bool(true)
    }

    /// The constant false.
    pub fn mk_false(&mut self) -> Term {
        self.mk_bool(false)
    }

    /// A Boolean constant.
    pub fn mk_bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// A bit-vector constant: the low `width` bits of `value`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        self.constant(Value::BitVec(BitVec::new(width, value)))
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        self.mk(Op::Not, &[term])
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        self.mk(Op::And, terms)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        self.mk(Op::Or, terms)
    }

    /// Implication.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let premise = self.not(premise);
        self.or(&[premise, conclusion])
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.mk(Op::Ite, &[condition, then, otherwise])
    }

    /// Inequality.
    pub fn ne(&mut self, left: Term, right: Term) -> Term {
        let eq = self.eq(left, right);
        self.not(eq)
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, term: Term) -> Term {
        self.mk(Op::BvNot, &[term])
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, term: Term) -> Term {
        self.mk(Op::BvNeg, &[term])
    }

    /// Difference.
    pub fn bv_sub(&mut self, left: Term, right: Term) -> Term {
        let right = self.bv_neg(right);
        self.bv_add(left, right)
    }

    /// Bits `hi` down to `lo`.
    pub fn extract(&mut self, term: Term, hi: u32, lo: u32) -> Term {
        self.mk(Op::Extract { hi, lo }, &[term])
    }

    /// Prepends `by` zeros.
    pub fn zero_extend(&mut self, term: Term, by: u32) -> Term {
        self.mk(Op::ZeroExtend(by), &[term])
    }

    /// Prepends `by` copies of the sign bit.
    pub fn sign_extend(&mut self, term: Term, by: u32) -> Term {
        self.mk(Op::SignExtend(by), &[term])
    }

    /// An array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.mk(Op::Store, &[array, index, element])
    }
}
