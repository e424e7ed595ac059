//! Operators of SMT-LIB that are defined by others, as constructors.
//!
//! Like those of `build`, they expect well-sorted arguments.

use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::term::Term;
use crate::value::Value;

impl Arena {
    /// A bit-vector constant.
    pub fn bv_constant(&mut self, value: BitVec) -> Term {
        self.constant(Value::BitVec(value))
    }

    /// Whether all terms have different values: one inequality per pair.
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut pairs = Vec::new();
        for (position, &left) in terms.iter().enumerate() {
            for &right in &terms[position + 1..] {
                pairs.push(self.ne(left, right));
            }
        }
        self.and(&pairs)
    }

    /// Equivalence.
    pub fn iff(&mut self, left: Term, right: Term) -> Term {
        self.eq(left, right)
    }

    /// Unsigned greater than.
    pub fn bv_ugt(&mut self, left: Term, right: Term) -> Term {
        self.bv_ult(right, left)
    }

    /// Unsigned greater or equal.
    pub fn bv_uge(&mut self, left: Term, right: Term) -> Term {
        self.bv_ule(right, left)
    }

    /// Signed greater than.
    pub fn bv_sgt(&mut self, left: Term, right: Term) -> Term {
        self.bv_slt(right, left)
    }

    /// Signed greater or equal.
    pub fn bv_sge(&mut self, left: Term, right: Term) -> Term {
        self.bv_sle(right, left)
    }

    /// Complement of the bitwise and.
    pub fn bv_nand(&mut self, left: Term, right: Term) -> Term {
        let term = self.bv_and(left, right);
        self.bv_not(term)
    }

    /// Complement of the bitwise or.
    pub fn bv_nor(&mut self, left: Term, right: Term) -> Term {
        let term = self.bv_or(left, right);
        self.bv_not(term)
    }

    /// Complement of the bitwise exclusive or.
    pub fn bv_xnor(&mut self, left: Term, right: Term) -> Term {
        let term = self.bv_xor(left, right);
        self.bv_not(term)
    }

    /// A Boolean as a number of the given width, 0 or 1.
    pub fn bool_to_bv(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(condition, one, zero)
    }

    /// One bit: whether both are equal.
    pub fn bv_comp(&mut self, left: Term, right: Term) -> Term {
        let equal = self.eq(left, right);
        self.bool_to_bv(equal, 1)
    }

    /// One bit: whether some bit is set.
    pub fn bv_redor(&mut self, term: Term) -> Term {
        let zero = self.bv(self.width(term), 0);
        let set = self.ne(term, zero);
        self.bool_to_bv(set, 1)
    }

    /// One bit: whether all bits are set.
    pub fn bv_redand(&mut self, term: Term) -> Term {
        let ones = self.bv_constant(BitVec::ones(self.width(term)));
        self.bv_comp(term, ones)
    }

    /// Rotation to the left.
    pub fn bv_rotate_left(&mut self, term: Term, by: u32) -> Term {
        let width = self.width(term);
        let by = by % width;
        if by == 0 {
            return term;
        }
        let high = self.extract(term, width - 1 - by, 0);
        let low = self.extract(term, width - 1, width - by);
        self.concat(high, low)
    }

    /// Rotation to the right.
    pub fn bv_rotate_right(&mut self, term: Term, by: u32) -> Term {
        let width = self.width(term);
        self.bv_rotate_left(term, width - by % width)
    }

    /// That many copies, at least one, in a row.
    pub fn bv_repeat(&mut self, term: Term, count: u32) -> Term {
        // By doubling, so that many copies cost few terms.
        let mut result = None;
        let mut power = term;
        let mut rest = count;
        loop {
            if rest & 1 == 1 {
                result = Some(result.map_or(power, |result| self.concat(result, power)));
            }
            rest >>= 1;
            if rest == 0 {
                return result.unwrap_or(term);
            }
            power = self.concat(power, power);
        }
    }

    /// Whether negation overflows.
    pub fn bv_nego(&mut self, term: Term) -> Term {
        let least = self.bv_constant(BitVec::min_signed(self.width(term)));
        self.eq(term, least)
    }

    /// Whether unsigned addition overflows.
    pub fn bv_uaddo(&mut self, left: Term, right: Term) -> Term {
        let sum = self.bv_add(left, right);
        self.bv_ult(sum, left)
    }

    /// Whether signed addition overflows: the sum's sign differs from that of both operands.
    pub fn bv_saddo(&mut self, left: Term, right: Term) -> Term {
        let sum = self.bv_add(left, right);
        let (first, second) = (self.bv_xor(left, sum), self.bv_xor(right, sum));
        let both = self.bv_and(first, second);
        self.bv_is_negative(both)
    }

    /// Whether unsigned subtraction overflows.
    pub fn bv_usubo(&mut self, left: Term, right: Term) -> Term {
        self.bv_ult(left, right)
    }

    /// Whether signed subtraction overflows: the operands' signs differ, and the difference's from the
    /// first's.
    pub fn bv_ssubo(&mut self, left: Term, right: Term) -> Term {
        let difference = self.bv_sub(left, right);
        let (first, second) = (self.bv_xor(left, right), self.bv_xor(left, difference));
        let both = self.bv_and(first, second);
        self.bv_is_negative(both)
    }

    /// Whether unsigned multiplication overflows: the upper half of the full product is not zero.
    pub fn bv_umulo(&mut self, left: Term, right: Term) -> Term {
        let width = self.width(left);
        let (left, right) = (self.zero_extend(left, width), self.zero_extend(right, width));
        let product = self.bv_mul(left, right);
        let high = self.extract(product, 2 * width - 1, width);
        let zero = self.bv(width, 0);
        self.ne(high, zero)
    }

    /// Whether signed multiplication overflows: the full product is not the extension of its lower half.
    pub fn bv_smulo(&mut self, left: Term, right: Term) -> Term {
        let width = self.width(left);
        let (left, right) = (self.sign_extend(left, width), self.sign_extend(right, width));
        let product = self.bv_mul(left, right);
        let low = self.extract(product, width - 1, 0);
        let extended = self.sign_extend(low, width);
        self.ne(product, extended)
    }

    /// Whether signed division overflows: the least number by -1.
    pub fn bv_sdivo(&mut self, left: Term, right: Term) -> Term {
        let least = self.bv_nego(left);
        let ones = self.bv_constant(BitVec::ones(self.width(right)));
        let minus_one = self.eq(right, ones);
        self.and(&[least, minus_one])
    }

    /// Whether the sign bit is set.
    pub fn bv_is_negative(&mut self, term: Term) -> Term {
        let zero = self.bv(self.width(term), 0);
        self.bv_slt(term, zero)
    }
}
