//! Functions of `math.h`.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{BinaryOp, CompareOp, ExprId};
use nilas_fault::{Fault, planted};
use nilas_term::{Op, RoundingMode, Sort, Term, Value};

impl Lowering<'_> {
    /// A choice that the standard or the machine makes.
    fn either(&mut self, expr: ExprId) -> Term {
        let (variable, term) = self.temporary(expr, Purpose::Either, &Sort::Bool);
        self.with_origin(HavocOrigin::FloatBits, |this| this.build.havoc(variable));
        term
    }

    /// A number that the library leaves open.
    pub(super) fn open_number(&mut self, expr: ExprId, width: u32) -> Term {
        let (variable, term) = self.temporary(expr, Purpose::Open, &Sort::BitVec(width));
        self.with_origin(HavocOrigin::FloatBits, |this| this.build.havoc(variable));
        term
    }

    /// `nan`: some NaN.
    pub(in crate::lower) fn some_nan(&mut self, exponent: u32, significand: u32) -> Term {
        let nan = Value::float(exponent, significand, super::bits::quiet_nan(exponent, significand));
        let nan = self.build.arena.constant(nan);
        self.computed(nan)
    }

    /// `lrint` and its relatives: rounded by another function to an integer, which is open where it does not
    /// fit.
    pub(in crate::lower) fn rounded_integer(
        &mut self,
        expr: ExprId,
        rounding: &str,
        value: Term,
        width: u32,
    ) -> Option<Term> {
        let rounded = self.math(expr, rounding, &[value])?;
        let fits = self.fits_integer(rounded, width, true);
        let mode = self.mode(RoundingMode::TowardZero);
        let integer = self.build.arena.mk(Op::FpToSigned(width), &[mode, rounded]);
        if self.build.arena.as_bool(fits) == Some(true) {
            return Some(integer);
        }
        let open = self.open_number(expr, width);
        Some(self.build.arena.ite(fits, integer, open))
    }

    /// `fmin` or `fmax`: a NaN gives way to a number; which of two zeros is less is open.
    fn least(&mut self, expr: ExprId, a: Term, b: Term, greatest: bool) -> Term {
        self.refuse_signalling(&[a, b]);
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
        // With other types than the standard says it is another function.
        let sorts: Vec<Sort> = values.iter().map(|&value| self.build.arena.sort(value).clone()).collect();
        let scales = matches!(name, "ldexp" | "scalbn" | "scalbln");
        let fits = |sort: &Sort| match sort {
            Sort::Float(..) => name == "nexttoward" || *sort == sorts[0],
            sort => scales && matches!(sort, Sort::BitVec(_)),
        };
        if !matches!(sorts.first(), Some(Sort::Float(..))) || !sorts.iter().all(fits) {
            return None;
        }
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
                // The IEEE remainder of the absolute values is at most half the divisor off; the sign is the
                // dividend's.
                let (x, y) = (self.build.arena.mk(Op::FpAbs, &[a]), self.build.arena.mk(Op::FpAbs, &[b]));
                let remainder = self.build.arena.mk(Op::FpRem, &[x, y]);
                let negative = self.build.arena.mk(Op::FpIsNegative, &[remainder]);
                let zero = self.build.arena.mk(Op::FpIsZero, &[remainder]);
                let nonzero = self.build.arena.not(zero);
                let below = self.build.arena.and(&[negative, nonzero]);
                // Exact: the sum is the remainder below the divisor, which is a float.
                let added = self.build.arena.mk(Op::FpAdd, &[nearest, remainder, y]);
                let positive = self.build.arena.ite(below, added, remainder);
                let magnitude = self.build.arena.mk(Op::FpAbs, &[positive]);
                let minus = self.build.arena.mk(Op::FpNeg, &[magnitude]);
                let sign = self.build.arena.mk(Op::FpIsNegative, &[a]);
                let minus = if planted(Fault::FmodPositive) { magnitude } else { minus };
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
            ("ldexp" | "scalbn" | "scalbln", &[a, n]) if sorts[1] != sorts[0] => {
                self.scaled_by_power(a, n)?
            }
            ("logb", &[a]) => self.float_exponent(a)?,
            ("significand", &[a]) => self.significand(a)?,
            ("nextafter" | "nexttoward", &[a, b]) => self.neighbour(a, b)?,
            _ => self.bounded_function(expr, name, values)?,
        };
        Some(self.computed(result))
    }
}
