//! Floating-point arithmetic as IEEE terms.
//!
//! Every operation is done in the format of its type, also where a compiler would compute in a wider one (x87
//! code, which gcc makes for 32-bit programs unless told otherwise).

pub(in crate::lower) mod bits;
mod bounded;
mod class;
mod constant;
mod math;
mod rounding;
mod scale;

use crate::lower::assumption::AssumptionKind;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::property::{Claim, Property};
use crate::tree::{BinaryOp, CompareOp, FloatConstant};
use crate::types::{FloatKind, TypeId};
use nilas_fault::{Fault, planted};
use nilas_term::{Op, RoundingMode, Sort, Term};
use num_bigint::BigUint;

impl Lowering<'_> {
    pub(in crate::lower) fn convert_float(
        &mut self,
        value: Term,
        from: TypeId,
        kind: Kind,
        to: TypeId,
    ) -> Term {
        match (self.build.arena.sort(value).clone(), kind) {
            (Sort::Float(e, s), Kind::Float(e2, s2)) if (e, s) == (e2, s2) => value,
            (Sort::Float(..), Kind::Float(e, s)) => self.change_format(value, e, s),
            (Sort::Float(..), Kind::Bits(width)) => {
                let mode = self.mode(RoundingMode::TowardZero);
                let signed = self.is_signed(to);
                let in_range = self.fits_integer(value, width, signed);
                let what = "conversion of a float to an integer type that does not have its value";
                self.defined_for(value, in_range, Claim::new(Property::FloatToInt, what));
                let nearest = planted(Fault::FloatToIntNearest);
                let mode = if nearest { self.mode(RoundingMode::NearestEven) } else { mode };
                let op = if signed { Op::FpToSigned(width) } else { Op::FpToUnsigned(width) };
                self.build.arena.mk(op, &[mode, value])
            }
            (_, Kind::Float(e, s)) => {
                let signed = self.is_signed(from) || planted(Fault::UnsignedToFloatSigned);
                let bits = if *self.build.arena.sort(value) == Sort::Bool {
                    self.build.arena.bool_to_bv(value, 8)
                } else {
                    value
                };
                let mode = self.current_mode();
                let op = if signed { Op::FpFromSigned(e, s) } else { Op::FpFromUnsigned(e, s) };
                self.build.arena.mk(op, &[mode, bits])
            }
            _ => value,
        }
    }

    /// Whether the integer type has the number that is left of a float without its fraction.
    fn fits_integer(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let Sort::Float(e, s) = *self.build.arena.sort(value) else { return self.build.arena.mk_true() };
        let mode = self.mode(RoundingMode::TowardZero);
        let whole = self.build.arena.mk(Op::FpRoundToIntegral, &[mode, value]);
        let power = |this: &mut Self, exponent: u32| {
            let constant = FloatConstant::Finite {
                digits: BigUint::from(1_u32),
                exponent: exponent.into(),
                binary: true,
            };
            this.float_constant(&constant, e, s)
        };
        let (least, beyond) = if signed {
            let beyond = power(self, width - 1);
            (self.build.arena.mk(Op::FpNeg, &[beyond]), beyond)
        } else {
            (self.zero(Kind::Float(e, s)), power(self, width))
        };
        let above = self.build.arena.mk(Op::FpLe, &[least, whole]);
        let below = self.build.arena.mk(Op::FpLt, &[whole, beyond]);
        self.build.arena.and(&[above, below])
    }

    pub(in crate::lower) fn float_binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let target = self.tree.types.model().target();
        if !target.wide && target.long_double == FloatKind::LongDouble {
            let text =
                "floating-point operations round to the precision of their type, as with `-mfpmath=sse`";
            self.build.rests_on(AssumptionKind::FloatPrecision, text);
        }
        let mode = self.current_mode();
        let result = match op {
            BinaryOp::Add => self.build.arena.mk(Op::FpAdd, &[mode, left, right]),
            BinaryOp::Sub => {
                let right = self.build.arena.mk(Op::FpNeg, &[right]);
                self.build.arena.mk(Op::FpAdd, &[mode, left, right])
            }
            BinaryOp::Mul => self.build.arena.mk(Op::FpMul, &[mode, left, right]),
            _ => self.build.arena.mk(Op::FpDiv, &[mode, left, right]),
        };
        self.check_number(left, right, result);
        self.computed(result)
    }

    pub(in crate::lower) fn float_compare(&mut self, op: CompareOp, left: Term, right: Term) -> Term {
        match op {
            CompareOp::Less => self.build.arena.mk(Op::FpLt, &[left, right]),
            CompareOp::LessEqual => self.build.arena.mk(Op::FpLe, &[left, right]),
            CompareOp::Greater => self.build.arena.mk(Op::FpLt, &[right, left]),
            CompareOp::GreaterEqual => self.build.arena.mk(Op::FpLe, &[right, left]),
            CompareOp::Equal => self.build.arena.mk(Op::FpEq, &[left, right]),
            CompareOp::NotEqual => {
                let equal = self.build.arena.mk(Op::FpEq, &[left, right]);
                if planted(Fault::NanEqualToItself) {
                    let orders = [(left, right), (right, left)];
                    let differ = orders.map(|(one, other)| self.build.arena.mk(Op::FpLt, &[one, other]));
                    return self.build.arena.or(&differ);
                }
                self.build.arena.not(equal)
            }
        }
    }
}
