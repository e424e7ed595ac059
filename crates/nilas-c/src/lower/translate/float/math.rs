//! Functions of `math.h`.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{BinaryOp, CompareOp, ExprId};
use nilas_term::{Op, RoundingMode, Sort, Term};

impl Lowering<'_> {
    /// A choice that the standard or the machine makes.
    fn either(&mut self, expr: ExprId) -> Term {
        let (variable, term) = self.temporary(expr, Purpose::Either, &Sort::Bool);
        self.build.havoc(variable);
        term
    }

    /// `fmin` or `fmax`: a NaN gives way to a number; which of two zeros is less is open.
    fn least(&mut self, expr: ExprId, a: Term, b: Term, greatest: bool) -> Term {
        let op = if greatest { CompareOp::Greater } else { CompareOp::Less };
        let (first, equal) = (self.float_compare(op, a, b), self.float_compare(CompareOp::Equal, a, b));
        let either = self.either(expr);
        let tie = self.build.arena.ite(either, a, b);
        let smaller = self.build.arena.ite(first, a, b);
        let numbers = self.build.arena.ite(equal, tie, smaller);
        let (a_nan, b_nan) = (self.build.arena.mk(Op::FpIsNan, &[a]), self.build.arena.mk(Op::FpIsNan, &[b]));
        let rest = self.build.arena.ite(b_nan, a, numbers);
        self.build.arena.ite(a_nan, b, rest)
    }

    /// `modf`: the whole part and the rest, both with the sign of the number.
    pub(in crate::lower) fn parts(&mut self, value: Term) -> (Term, Term) {
        let mode = self.mode(RoundingMode::TowardZero);
        let whole = self.build.arena.mk(Op::FpRoundToIntegral, &[mode, value]);
        let minus = self.build.arena.mk(Op::FpNeg, &[whole]);
        let rest = self.build.arena.mk(Op::FpAdd, &[mode, value, minus]);
        let infinite = self.build.arena.mk(Op::FpIsInfinite, &[value]);
        let Sort::Float(e, s) = *self.build.arena.sort(value) else { return (whole, rest) };
        let zero = self.zero(Kind::Float(e, s));
        let magnitude = self.build.arena.mk(Op::FpAbs, &[rest]);
        let magnitude = self.build.arena.ite(infinite, zero, magnitude);
        let negative = self.build.arena.mk(Op::FpIsNegative, &[value]);
        let flipped = self.build.arena.mk(Op::FpNeg, &[magnitude]);
        (whole, self.build.arena.ite(negative, flipped, magnitude))
    }

    /// Functions of `math.h` by the name without suffix; `None` if it is none that is modelled.
    pub(in crate::lower) fn math(&mut self, expr: ExprId, name: &str, values: &[Term]) -> Option<Term> {
        let nearest = self.current_mode();
        let integral = |this: &mut Self, mode: RoundingMode| {
            let mode = this.mode(mode);
            this.build.arena.mk(Op::FpRoundToIntegral, &[mode, values[0]])
        };
        let result = match (name, values) {
            ("fabs", &[a]) => return Some(self.absolute(a)),
            ("sqrt", &[a]) => self.build.arena.mk(Op::FpSqrt, &[nearest, a]),
            ("floor", [_]) => integral(self, RoundingMode::Down),
            ("ceil", [_]) => integral(self, RoundingMode::Up),
            ("trunc", [_]) => integral(self, RoundingMode::TowardZero),
            ("round", [_]) => integral(self, RoundingMode::NearestAway),
            ("rint" | "nearbyint", &[a]) => self.build.arena.mk(Op::FpRoundToIntegral, &[nearest, a]),
            ("roundeven", [_]) => integral(self, RoundingMode::NearestEven),
            ("fmin", &[a, b]) => self.least(expr, a, b, false),
            ("fmax", &[a, b]) => self.least(expr, a, b, true),
            ("fma", &[a, b, c]) => self.build.arena.mk(Op::FpFma, &[nearest, a, b, c]),
            ("remainder" | "drem", &[a, b]) => self.build.arena.mk(Op::FpRem, &[a, b]),
            ("fmod", &[a, b]) => {
                // The IEEE remainder of the absolute values is at most half the divisor off; the sign is the dividend's.
                let (x, y) = (self.build.arena.mk(Op::FpAbs, &[a]), self.build.arena.mk(Op::FpAbs, &[b]));
                let remainder = self.build.arena.mk(Op::FpRem, &[x, y]);
                let negative = self.build.arena.mk(Op::FpIsNegative, &[remainder]);
                let zero = self.build.arena.mk(Op::FpIsZero, &[remainder]);
                let nonzero = self.build.arena.not(zero);
                let below = self.build.arena.and(&[negative, nonzero]);
                let added = self.build.arena.mk(Op::FpAdd, &[nearest, remainder, y]);
                let positive = self.build.arena.ite(below, added, remainder);
                let magnitude = self.build.arena.mk(Op::FpAbs, &[positive]);
                let minus = self.build.arena.mk(Op::FpNeg, &[magnitude]);
                let sign = self.build.arena.mk(Op::FpIsNegative, &[a]);
                self.build.arena.ite(sign, minus, magnitude)
            }
            ("fdim", &[a, b]) => {
                let difference = self.float_binary(BinaryOp::Sub, a, b);
                let below = self.float_compare(CompareOp::LessEqual, a, b);
                let Sort::Float(e, s) = *self.build.arena.sort(a) else { return None };
                let zero = self.zero(Kind::Float(e, s));
                self.build.arena.ite(below, zero, difference)
            }
            ("copysign", &[a, b]) => return Some(self.copy_sign(a, b)),
            _ => return None,
        };
        Some(self.computed(result))
    }
}
