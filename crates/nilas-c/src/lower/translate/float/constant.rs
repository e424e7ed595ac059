//! Floating constants, correctly rounded.

use crate::lower::lowering::Lowering;
use crate::tree::FloatConstant;
use nilas_term::{BitVec, Op, Term};

impl Lowering<'_> {
    /// A constant, correctly rounded.
    pub(in crate::lower) fn float_constant(
        &mut self,
        constant: &FloatConstant,
        exponent: u32,
        significand: u32,
    ) -> Term {
        let bits = BitVec::from_big(exponent + significand, constant.bits(exponent, significand));
        let bits = self.build.arena.bv_constant(bits);
        if matches!(constant, FloatConstant::Nan { .. }) && !self.floats.with_bits {
            // Nobody looks at them: else this is done again with bits.
            return self.build.arena.mk(Op::FpFromIeeeBits(exponent, significand), &[bits]);
        }
        self.float_of_bits(bits, exponent, significand)
    }
}
