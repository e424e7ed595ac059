//! Tests on floats: `isnan`, `fpclassify`, `isless`, …

use crate::lower::lowering::Lowering;
use crate::tree::{Builtin, CompareOp, ExprId};
use nilas_term::{Op, Term};

impl Lowering<'_> {
    /// The classifying builtins, as an `int`.
    pub(in crate::lower) fn float_builtin(
        &mut self,
        expr: ExprId,
        builtin: Builtin,
        values: &[Term],
    ) -> Option<Term> {
        let first = *values.first()?;
        let is = |this: &mut Self, op: Op| this.build.arena.mk(op, &[first]);
        let condition = match builtin {
            Builtin::IsNan => is(self, Op::FpIsNan),
            Builtin::IsInf => is(self, Op::FpIsInfinite),
            Builtin::IsInfSign => {
                let (infinite, negative) = (is(self, Op::FpIsInfinite), is(self, Op::FpIsNegative));
                let (one, minus) = (self.big_constant(1, 32), self.big_constant(-1, 32));
                let sign = self.build.arena.ite(negative, minus, one);
                let zero = self.build.arena.bv(32, 0);
                return Some(self.build.arena.ite(infinite, sign, zero));
            }
            Builtin::IsFinite => {
                let (nan, infinite) = (is(self, Op::FpIsNan), is(self, Op::FpIsInfinite));
                let either = self.build.arena.or(&[nan, infinite]);
                self.build.arena.not(either)
            }
            Builtin::IsNormal => is(self, Op::FpIsNormal),
            Builtin::SignBit => {
                let sign = self.is_negative(first);
                return Some(self.nonzero_if(expr, sign));
            }
            Builtin::FpClassify => {
                let [nan, infinite, normal, subnormal, zero, value] = *values else { return None };
                let mut result = zero;
                let classes = [
                    (Op::FpIsSubnormal, subnormal),
                    (Op::FpIsNormal, normal),
                    (Op::FpIsInfinite, infinite),
                    (Op::FpIsNan, nan),
                ];
                for (op, class) in classes {
                    let member = self.build.arena.mk(op, &[value]);
                    result = self.build.arena.ite(member, class, result);
                }
                return Some(result);
            }
            _ => {
                let second = *values.get(1)?;
                let pair = |this: &mut Self, op: CompareOp| this.float_compare(op, first, second);
                match builtin {
                    Builtin::IsGreater => pair(self, CompareOp::Greater),
                    Builtin::IsGreaterEqual => pair(self, CompareOp::GreaterEqual),
                    Builtin::IsLess => pair(self, CompareOp::Less),
                    Builtin::IsLessEqual => pair(self, CompareOp::LessEqual),
                    Builtin::IsLessGreater => {
                        let (less, greater) = (pair(self, CompareOp::Less), pair(self, CompareOp::Greater));
                        self.build.arena.or(&[less, greater])
                    }
                    Builtin::IsUnordered => {
                        let left = is(self, Op::FpIsNan);
                        let right = self.build.arena.mk(Op::FpIsNan, &[second]);
                        self.build.arena.or(&[left, right])
                    }
                    _ => return None,
                }
            }
        };
        Some(self.int_of(condition))
    }
}
