//! Functions of `math.h`: which meaning a name has, and what they write through pointers. The meanings are in
//! [`crate::lower::translate::float`].

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{Builtin, ExprId};
use nilas_term::{Sort, Term};

impl Lowering<'_> {
    /// A function of `math.h`, by the name for `double`; `None` if nothing is known of it.
    pub(in crate::lower) fn known_float(
        &mut self,
        expr: ExprId,
        name: &str,
        arguments: &[ExprId],
        values: &[Val],
        terms: &[Term],
    ) -> Option<Val> {
        let kind = scalar(&self.tree.types, self.tree.exprs[expr].ty).map(|(kind, _)| kind);
        if let ("nan", Some(Kind::Float(exponent, significand)), [_]) = (name, kind, values) {
            return Some(Val::Scalar(self.some_nan(exponent, significand)));
        }
        let first = *terms.first()?;
        if !matches!(self.build.arena.sort(first), Sort::Float(..)) {
            return None;
        }
        let builtin = match name {
            "isnan" => Some(Builtin::IsNan),
            "isinf" => Some(Builtin::IsInfSign),
            "finite" | "isfinite" => Some(Builtin::IsFinite),
            "isnormal" => Some(Builtin::IsNormal),
            "signbit" | "__builtin_signbitf" | "__builtin_signbitl" => Some(Builtin::SignBit),
            _ => None,
        };
        if let Some(builtin) = builtin {
            let result = self.float_builtin(expr, builtin, &[first])?;
            return Some(Val::Scalar(self.told_by(&[first], result)));
        }
        if name == "__fpclassify" {
            let mut values: Vec<Term> = [0, 1, 4, 3, 2].map(|class| self.build.arena.bv(32, class)).to_vec();
            values.push(first);
            let result = self.float_builtin(expr, Builtin::FpClassify, &values)?;
            return Some(Val::Scalar(self.told_by(&[first], result)));
        }
        match (name, kind, values) {
            ("modf" | "frexp", _, [_, pointer]) => self.split_float(expr, name, arguments, first, pointer),
            ("ilogb", Some(Kind::Bits(32)), [_]) => self.integer_exponent(first).map(Val::Scalar),
            ("lrint" | "llrint", Some(Kind::Bits(width)), [_]) => {
                self.rounded_integer(expr, "rint", first, width).map(Val::Scalar)
            }
            ("lround" | "llround", Some(Kind::Bits(width)), [_]) => {
                self.rounded_integer(expr, "round", first, width).map(Val::Scalar)
            }
            (_, Some(Kind::Float(exponent, significand)), _) => {
                let result = self.math(expr, name, terms)?;
                // Declared with another type than the standard says it is another function.
                let same = *self.build.arena.sort(result) == Sort::Float(exponent, significand);
                same.then_some(Val::Scalar(result))
            }
            _ => None,
        }
    }

    /// `modf` and `frexp`: one part is the result, the other is stored.
    fn split_float(
        &mut self,
        expr: ExprId,
        name: &str,
        arguments: &[ExprId],
        value: Term,
        pointer: &Val,
    ) -> Option<Val> {
        let argument = *arguments.get(1)?;
        let target = self.tree.types.pointee(self.tree.exprs[argument].ty)?;
        let (fraction, stored) = match name {
            "modf" => {
                let (whole, fraction) = self.parts(value);
                (fraction, whole)
            }
            _ => self.fraction_and_exponent(expr, value)?,
        };
        let (kind, _) = scalar(&self.tree.types, target)?;
        if *self.build.arena.sort(stored) != kind.sort() {
            return None;
        }
        let fraction = self.save(expr, Purpose::Fraction, fraction);
        let place = self.pointed(pointer.clone(), target, Some(self.points.of_expr(argument)));
        self.write(&place, stored);
        Some(Val::Scalar(fraction))
    }
}
