//! Functions of `math.h` that are not computed but bounded: what Annex F of the C standard says of special
//! values, and the range that the mathematics gives. The result is fixed by the argument, so an execution
//! that chooses it is not a real one.

use crate::lower::lowering::Lowering;
use crate::lower::translate::expr::Val;
use crate::tree::{CompareOp, ExprId};
use nilas_term::{BitVec, Op, RoundingMode, Sort, Term, Value};

/// Arguments that give a NaN, beside NaNs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Invalid {
    Nothing,
    Infinite,
    /// Below the number.
    Below(i8),
    /// More than 1 away from zero.
    BeyondOne,
}

/// What becomes of zeros and signs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zero {
    /// It is in the values, if anything is known.
    Moved,
    /// Zeros stay as they are.
    Kept,
    /// So do signs.
    SignsKept,
}

/// What is known of a function of one argument.
struct Shape {
    name: &'static str,
    invalid: Invalid,
    zero: Zero,
    /// Arguments and results: exact values, infinities among them.
    values: &'static [(f64, f64)],
    /// A range of the results; where the ends are not floats, it is a little wider.
    range: (f64, f64),
}

const INFINITY: f64 = f64::INFINITY;
const ANY: (f64, f64) = (-INFINITY, INFINITY);
const ONE: (f64, f64) = (-1.0, 1.0);
const POSITIVE: (f64, f64) = (0.0, INFINITY);
/// Above π/2 and π in all formats.
const HALF_TURN: f64 = std::f64::consts::PI + 1e-6;
const QUARTER_TURN: f64 = std::f64::consts::FRAC_PI_2 + 1e-6;

const fn shape(
    name: &'static str,
    invalid: Invalid,
    zero: Zero,
    values: &'static [(f64, f64)],
    range: (f64, f64),
) -> Shape {
    Shape { name, invalid, zero, values, range }
}

const AT_INFINITIES: &[(f64, f64)] = &[(INFINITY, INFINITY), (-INFINITY, -INFINITY)];
const EXPONENTIAL: &[(f64, f64)] = &[(0.0, 1.0), (INFINITY, INFINITY), (-INFINITY, 0.0)];
const LOGARITHM: &[(f64, f64)] = &[(0.0, -INFINITY), (1.0, 0.0), (INFINITY, INFINITY)];

const SHAPES: &[Shape] = &[
    shape("sin", Invalid::Infinite, Zero::Kept, &[], ONE),
    shape("cos", Invalid::Infinite, Zero::Moved, &[(0.0, 1.0)], ONE),
    shape("tan", Invalid::Infinite, Zero::Kept, &[], ANY),
    shape("asin", Invalid::BeyondOne, Zero::SignsKept, &[], (-QUARTER_TURN, QUARTER_TURN)),
    shape("acos", Invalid::BeyondOne, Zero::Moved, &[(1.0, 0.0)], (0.0, HALF_TURN)),
    shape("atan", Invalid::Nothing, Zero::SignsKept, &[], (-QUARTER_TURN, QUARTER_TURN)),
    shape("sinh", Invalid::Nothing, Zero::SignsKept, AT_INFINITIES, ANY),
    shape(
        "cosh",
        Invalid::Nothing,
        Zero::Moved,
        &[(0.0, 1.0), (INFINITY, INFINITY), (-INFINITY, INFINITY)],
        (1.0, INFINITY),
    ),
    shape("tanh", Invalid::Nothing, Zero::SignsKept, &[(INFINITY, 1.0), (-INFINITY, -1.0)], ONE),
    shape("asinh", Invalid::Nothing, Zero::SignsKept, AT_INFINITIES, ANY),
    shape("acosh", Invalid::Below(1), Zero::Moved, &[(1.0, 0.0), (INFINITY, INFINITY)], POSITIVE),
    shape("atanh", Invalid::BeyondOne, Zero::SignsKept, &[(1.0, INFINITY), (-1.0, -INFINITY)], ANY),
    shape("exp", Invalid::Nothing, Zero::Moved, EXPONENTIAL, POSITIVE),
    shape("exp2", Invalid::Nothing, Zero::Moved, EXPONENTIAL, POSITIVE),
    shape("exp10", Invalid::Nothing, Zero::Moved, EXPONENTIAL, POSITIVE),
    shape(
        "expm1",
        Invalid::Nothing,
        Zero::SignsKept,
        &[(INFINITY, INFINITY), (-INFINITY, -1.0)],
        (-1.0, INFINITY),
    ),
    shape("log", Invalid::Below(0), Zero::Moved, LOGARITHM, ANY),
    shape("log2", Invalid::Below(0), Zero::Moved, LOGARITHM, ANY),
    shape("log10", Invalid::Below(0), Zero::Moved, LOGARITHM, ANY),
    shape("log1p", Invalid::Below(-1), Zero::SignsKept, &[(-1.0, -INFINITY), (INFINITY, INFINITY)], ANY),
    shape("cbrt", Invalid::Nothing, Zero::SignsKept, AT_INFINITIES, ANY),
    shape("erf", Invalid::Nothing, Zero::SignsKept, &[(INFINITY, 1.0), (-INFINITY, -1.0)], ONE),
    shape("erfc", Invalid::Nothing, Zero::Moved, &[(INFINITY, 0.0), (-INFINITY, 2.0)], (0.0, 2.0)),
];

/// Functions that grow, and their value at an argument: what is larger has no smaller value.
const GROWING: &[(&str, f64, f64)] =
    &[("exp", 0.0, 1.0), ("exp2", 0.0, 1.0), ("log", 1.0, 0.0), ("log2", 1.0, 0.0), ("log10", 1.0, 0.0)];
/// Functions whose values are not farther from zero than their arguments.
const SHRINKING: &[&str] = &["sin", "atan"];
/// Below π and π/2 in all formats: up to there the sine has the sign of its argument, and the cosine is positive.
const ALMOST_HALF_TURN: f64 = std::f64::consts::PI - 1e-3;
const ALMOST_QUARTER_TURN: f64 = std::f64::consts::FRAC_PI_2 - 1e-3;

impl Lowering<'_> {
    /// A function that is bounded, by its name for `double`; `None` if it is none.
    pub(super) fn bounded_function(&mut self, expr: ExprId, name: &str, values: &[Term]) -> Option<Term> {
        match (name, values) {
            ("pow", &[x, y]) => Some(self.power(expr, x, y)),
            ("hypot", &[x, y]) => Some(self.hypotenuse(expr, x, y)),
            ("atan2", &[x, y]) => Some(self.angle(expr, x, y)),
            (_, &[x]) => {
                let shape = SHAPES.iter().find(|shape| shape.name == name)?;
                Some(self.shaped(expr, shape, x))
            }
            _ => None,
        }
    }

    fn shaped(&mut self, expr: ExprId, shape: &Shape, x: Term) -> Term {
        // Special values, the first that fits; zeros of both signs are equal.
        let invalid = self.is_invalid(shape.invalid, x);
        let not_a_number = self.nan_like(x);
        let mut cases = vec![(invalid, not_a_number)];
        let zero = self.build.arena.mk(Op::FpIsZero, &[x]);
        if shape.zero != Zero::Moved {
            cases.push((zero, x));
        }
        for &(argument, result) in shape.values {
            let (argument, result) = (self.real(x, argument), self.real(x, result));
            let here = self.float_compare(CompareOp::Equal, x, argument);
            cases.push((here, result));
        }
        self.in_cases(expr, shape.name, &cases, |this, result| {
            let mut facts = this.within(result, shape.range);
            if shape.zero == Zero::SignsKept {
                let signs = [x, result].map(|float| this.build.arena.mk(Op::FpIsNegative, &[float]));
                facts.push(this.build.arena.eq(signs[0], signs[1]));
            }
            facts.extend(this.related(shape.name, x, result));
            facts
        })
    }

    /// What ties the result to the argument. It holds for rounding to nearest, as in [`Self::within`].
    fn related(&mut self, name: &str, x: Term, result: Term) -> Vec<Term> {
        if self.facts.rounding {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for &(_, argument, value) in GROWING.iter().filter(|growing| growing.0 == name) {
            let (argument, value) = (self.real(x, argument), self.real(x, value));
            for (x, argument, value, result) in [(argument, x, value, result), (x, argument, result, value)] {
                let before = self.float_compare(CompareOp::LessEqual, x, argument);
                let after = self.float_compare(CompareOp::LessEqual, value, result);
                facts.push(self.build.arena.implies(before, after));
            }
        }
        if SHRINKING.contains(&name) {
            let sizes = [result, x].map(|float| self.build.arena.mk(Op::FpAbs, &[float]));
            facts.push(self.float_compare(CompareOp::LessEqual, sizes[0], sizes[1]));
        }
        let turn = match name {
            "sin" => ALMOST_HALF_TURN,
            "cos" => ALMOST_QUARTER_TURN,
            _ => return facts,
        };
        let (size, turn) = (self.build.arena.mk(Op::FpAbs, &[x]), self.real(x, turn));
        let near = self.float_compare(CompareOp::LessEqual, size, turn);
        let [sign, positive] = [x, result].map(|float| self.build.arena.mk(Op::FpIsPositive, &[float]));
        let fact = if name == "sin" { self.build.arena.eq(sign, positive) } else { positive };
        facts.push(self.build.arena.implies(near, fact));
        facts
    }

    /// The result of the first case that holds, or else one that is a number and has these properties.
    fn in_cases(
        &mut self,
        expr: ExprId,
        name: &str,
        cases: &[(Term, Term)],
        facts: impl FnOnce(&mut Self, Term) -> Vec<Term>,
    ) -> Term {
        let mut open = Vec::new();
        let mut last = None;
        for &(condition, result) in cases {
            match self.build.arena.as_bool(condition) {
                Some(false) => {}
                Some(true) => {
                    last = Some(result);
                    break;
                }
                None => open.push((condition, result)),
            }
        }
        let mut result = match last {
            Some(result) => result,
            None => {
                let any = match self.any_value(expr, name) {
                    Val::Scalar(any) if self.build.arena.sort(any) == self.build.arena.sort(cases[0].1) => {
                        any
                    }
                    _ => {
                        self.build
                            .unmodelled("a function of `math.h` with another type than the standard says");
                        return cases[0].1;
                    }
                };
                let nan = self.build.arena.mk(Op::FpIsNan, &[any]);
                let number = self.build.arena.not(nan);
                let mut facts = facts(self, any);
                facts.push(number);
                // Only where none of the cases holds; elsewhere the value is not used.
                let mut excepted: Vec<Term> = open.iter().map(|&(condition, _)| condition).collect();
                excepted.push(self.build.arena.and(&facts));
                let possible = self.build.arena.or(&excepted);
                self.build.assume(possible);
                any
            }
        };
        for (condition, value) in open.into_iter().rev() {
            result = self.build.arena.ite(condition, value, result);
        }
        result
    }

    /// Whether the argument gives a NaN.
    fn is_invalid(&mut self, invalid: Invalid, x: Term) -> Term {
        let nan = self.build.arena.mk(Op::FpIsNan, &[x]);
        let other = match invalid {
            Invalid::Nothing => return nan,
            Invalid::Infinite => self.build.arena.mk(Op::FpIsInfinite, &[x]),
            Invalid::Below(least) => {
                let least = self.real(x, f64::from(least));
                self.float_compare(CompareOp::Less, x, least)
            }
            Invalid::BeyondOne => {
                let one = self.real(x, 1.0);
                let magnitude = self.build.arena.mk(Op::FpAbs, &[x]);
                self.float_compare(CompareOp::Less, one, magnitude)
            }
        };
        self.build.arena.or(&[nan, other])
    }

    /// `pow`: 1 where the exponent is zero or the base 1; not a number for roots of negative numbers; not
    /// negative for positive bases.
    fn power(&mut self, expr: ExprId, x: Term, y: Term) -> Term {
        self.refuse_signalling(&[x, y]);
        let one = self.real(x, 1.0);
        let zero = self.real(x, 0.0);
        let trivial_exponent = self.build.arena.mk(Op::FpIsZero, &[y]);
        let trivial_base = self.float_compare(CompareOp::Equal, x, one);
        let nans = [x, y].map(|float| self.build.arena.mk(Op::FpIsNan, &[float]));
        let nan = self.build.arena.or(&nans);
        let infinite = [x, y].map(|float| self.build.arena.mk(Op::FpIsInfinite, &[float]));
        let infinite = self.build.arena.or(&infinite);
        let finite = self.build.arena.not(infinite);
        let negative = self.float_compare(CompareOp::Less, x, zero);
        let mode = self.mode(RoundingMode::TowardZero);
        let whole = self.build.arena.mk(Op::FpRoundToIntegral, &[mode, y]);
        let fractional = self.float_compare(CompareOp::NotEqual, whole, y);
        let root = self.build.arena.and(&[finite, negative, fractional]);
        let not_a_number = self.nan_like(x);
        let cases = [(trivial_exponent, one), (trivial_base, one), (nan, not_a_number), (root, not_a_number)];
        self.in_cases(expr, "pow", &cases, |this, result| {
            let positive_base = this.float_compare(CompareOp::Less, zero, x);
            let positive = this.build.arena.mk(Op::FpIsPositive, &[result]);
            vec![this.build.arena.implies(positive_base, positive)]
        })
    }

    /// `hypot`: infinite where an argument is, even beside a NaN; never negative.
    fn hypotenuse(&mut self, expr: ExprId, x: Term, y: Term) -> Term {
        self.refuse_signalling(&[x, y]);
        let infinite = [x, y].map(|float| self.build.arena.mk(Op::FpIsInfinite, &[float]));
        let infinite = self.build.arena.or(&infinite);
        let nans = [x, y].map(|float| self.build.arena.mk(Op::FpIsNan, &[float]));
        let nan = self.build.arena.or(&nans);
        let (infinity, not_a_number) = (self.real(x, INFINITY), self.nan_like(x));
        let cases = [(infinite, infinity), (nan, not_a_number)];
        self.in_cases(expr, "hypot", &cases, |this, result| this.within(result, POSITIVE))
    }

    /// `atan2`
    fn angle(&mut self, expr: ExprId, x: Term, y: Term) -> Term {
        let nans = [x, y].map(|float| self.build.arena.mk(Op::FpIsNan, &[float]));
        let nan = self.build.arena.or(&nans);
        let not_a_number = self.nan_like(x);
        let cases = [(nan, not_a_number)];
        self.in_cases(expr, "atan2", &cases, |this, result| this.within(result, (-HALF_TURN, HALF_TURN)))
    }

    /// Whether a number lies in a range. The ends hold for rounding to nearest: another mode may go one step
    /// beyond.
    fn within(&mut self, result: Term, (least, most): (f64, f64)) -> Vec<Term> {
        if self.facts.rounding {
            return Vec::new();
        }
        let (least, most) = (self.real(result, least), self.real(result, most));
        let above = self.float_compare(CompareOp::LessEqual, least, result);
        let below = self.float_compare(CompareOp::LessEqual, result, most);
        vec![above, below]
    }

    /// A number in the format of a float.
    fn real(&mut self, like: Term, number: f64) -> Term {
        let Sort::Float(e, s) = *self.build.arena.sort(like) else { return like };
        let bits = BitVec::new(64, number.to_bits());
        let double = self.build.arena.constant(Value::float(11, 53, bits));
        let mode = self.mode(RoundingMode::NearestEven);
        self.build.arena.mk(Op::FpToFp(e, s), &[mode, double])
    }

    /// The NaN in the format of a float.
    fn nan_like(&mut self, like: Term) -> Term {
        let Sort::Float(e, s) = *self.build.arena.sort(like) else { return like };
        let bits = self.build.arena.bv_constant(super::bits::quiet_nan(e, s));
        self.build.arena.mk(Op::FpFromIeeeBits(e, s), &[bits])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function for both formats.
    type Both = (fn(f64) -> f64, fn(f32) -> f32);

    /// The functions that Rust takes from the C library.
    fn function(name: &str) -> Option<Both> {
        Some(match name {
            "sin" => (f64::sin, f32::sin),
            "cos" => (f64::cos, f32::cos),
            "tan" => (f64::tan, f32::tan),
            "asin" => (f64::asin, f32::asin),
            "acos" => (f64::acos, f32::acos),
            "atan" => (f64::atan, f32::atan),
            "sinh" => (f64::sinh, f32::sinh),
            "cosh" => (f64::cosh, f32::cosh),
            "tanh" => (f64::tanh, f32::tanh),
            "exp" => (f64::exp, f32::exp),
            "exp2" => (f64::exp2, f32::exp2),
            "expm1" => (f64::exp_m1, f32::exp_m1),
            "log" => (f64::ln, f32::ln),
            "log2" => (f64::log2, f32::log2),
            "log10" => (f64::log10, f32::log10),
            "log1p" => (f64::ln_1p, f32::ln_1p),
            "cbrt" => (f64::cbrt, f32::cbrt),
            _ => return None,
        })
    }

    fn check(shape: &Shape, x: f64, result: f64) {
        let invalid = x.is_nan()
            || match shape.invalid {
                Invalid::Nothing => false,
                Invalid::Infinite => x.is_infinite(),
                Invalid::Below(least) => x < f64::from(least),
                Invalid::BeyondOne => x.abs() > 1.0,
            };
        let told = format!("{}({x:e}) = {result:e}", shape.name);
        assert_eq!(result.is_nan(), invalid, "{told}");
        if invalid {
            return;
        }
        assert!(shape.range.0 <= result && result <= shape.range.1, "{told}");
        if shape.zero == Zero::SignsKept || (shape.zero == Zero::Kept && x == 0.0) {
            assert_eq!(x.is_sign_negative(), result.is_sign_negative(), "{told}");
        }
        for &(_, argument, value) in GROWING.iter().filter(|growing| growing.0 == shape.name) {
            assert!(x < argument || result >= value, "{told}");
            assert!(x > argument || result <= value, "{told}");
        }
        assert!(!SHRINKING.contains(&shape.name) || result.abs() <= x.abs(), "{told}");
        match shape.name {
            "sin" if x.abs() <= ALMOST_HALF_TURN => {
                assert_eq!(x.is_sign_positive(), result.is_sign_positive(), "{told}");
            }
            "cos" if x.abs() <= ALMOST_QUARTER_TURN => assert!(result.is_sign_positive(), "{told}"),
            _ => {}
        }
        for &(argument, value) in shape.values {
            assert!(x != argument || result.to_bits() == value.to_bits(), "{told}");
        }
    }

    #[test]
    fn the_library_keeps_the_bounds() {
        const SPECIAL: [f64; 10] =
            [0.0, 1.0, 0.5, 2.0, 5e-324, 1e-40, 1e300, INFINITY, f64::NAN, std::f64::consts::FRAC_PI_2];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for shape in SHAPES {
            let Some((double, single)) = function(shape.name) else { continue };
            let special = SPECIAL.into_iter().flat_map(|x| [x, -x]);
            let any = (0..2_000).map(|number| {
                let bits = random();
                // Half of them near 1.
                f64::from_bits(if number % 2 == 0 { bits } else { (bits & !(0x7f << 56)) | 0x3f << 56 })
            });
            for x in special.chain(any.collect::<Vec<_>>()) {
                check(shape, x, double(x));
                let x = x as f32;
                check(shape, f64::from(x), f64::from(single(x)));
            }
        }
    }
}
