//! Floating-point arithmetic as IEEE terms. The rounding mode is to nearest, ties to even, unless the program declares
//! `fesetround`: then it is a variable.

use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use crate::lower::translate::temporary::{Purpose, Scratch};
use crate::tree::{BinaryOp, Builtin, CompareOp, ExprId, FloatConstant};
use crate::types::TypeId;
use nilas_term::{BitVec, Op, RoundingMode, Sort, Term, Value};
use num_bigint::BigUint;

impl Lowering<'_> {
    fn mode(&mut self, mode: RoundingMode) -> Term {
        self.build.arena.constant(Value::RoundingMode(mode))
    }

    /// The rounding mode of arithmetic.
    fn current_mode(&mut self) -> Term {
        match self.rounding_variable() {
            Some(variable) => self.build.variable_term(variable),
            None => self.mode(RoundingMode::NearestEven),
        }
    }

    fn rounding_variable(&mut self) -> Option<nilas_program::VarId> {
        if !self.facts.rounding {
            return None;
        }
        if self.rounding.is_none() {
            self.rounding = Some(self.build.new_variable("rounding mode", &Sort::RoundingMode).0);
        }
        self.rounding
    }

    /// Execution starts with rounding to nearest.
    pub(in crate::lower) fn initialise_rounding(&mut self) {
        if let Some(variable) = self.rounding {
            let nearest = self.mode(RoundingMode::NearestEven);
            self.build.assign(variable, nearest);
        }
    }

    /// `fesetround`: sets the mode that x86 gives this number; 0, or not 0 if there is none.
    pub(in crate::lower) fn set_rounding(&mut self, number: Term) -> Option<Term> {
        let variable = self.rounding_variable()?;
        let number = self.save_scratch(number);
        let mut result = self.build.arena.bv(32, 1);
        let mut mode = self.build.variable_term(variable);
        for (value, name) in MODES {
            let value = self.build.arena.bv(32, value);
            let hit = self.build.arena.eq(number, value);
            let (zero, constant) = (self.build.arena.bv(32, 0), self.mode(name));
            result = self.build.arena.ite(hit, zero, result);
            mode = self.build.arena.ite(hit, constant, mode);
        }
        self.build.assign(variable, mode);
        Some(result)
    }

    /// `fegetround`
    pub(in crate::lower) fn get_rounding(&mut self) -> Term {
        let current = self.current_mode();
        let mut result = self.build.arena.bv(32, 0);
        for (value, name) in MODES {
            let constant = self.mode(name);
            let hit = self.build.arena.eq(current, constant);
            let value = self.build.arena.bv(32, value);
            result = self.build.arena.ite(hit, value, result);
        }
        result
    }

    fn save_scratch(&mut self, term: Term) -> Term {
        if self.build.arena.as_value(term).is_some() {
            return term;
        }
        let sort = self.build.arena.sort(term).clone();
        let (variable, saved) = self.scratch(Scratch::RoundingMode, &sort);
        self.build.assign(variable, term);
        saved
    }

    /// A constant, correctly rounded.
    pub(in crate::lower) fn float_constant(
        &mut self,
        constant: &FloatConstant,
        exponent: u32,
        significand: u32,
    ) -> Term {
        let bits = match constant {
            FloatConstant::Infinity => infinity(exponent, significand),
            FloatConstant::Nan { .. } => {
                infinity(exponent, significand) + (BigUint::from(1_u32) << (significand - 2))
            }
            FloatConstant::Finite { digits, exponent: power, binary } => {
                round(digits, *power, *binary, exponent, significand)
            }
        };
        let bits = BitVec::from_big(exponent + significand, bits);
        self.build.arena.constant(Value::float(exponent, significand, bits))
    }

    pub(in crate::lower) fn convert_float(
        &mut self,
        value: Term,
        from: TypeId,
        kind: Kind,
        to: TypeId,
    ) -> Term {
        match (self.build.arena.sort(value).clone(), kind) {
            (Sort::Float(e, s), Kind::Float(e2, s2)) if (e, s) == (e2, s2) => value,
            (Sort::Float(..), Kind::Float(e, s)) => {
                let mode = self.current_mode();
                self.build.arena.mk(Op::FpToFp(e, s), &[mode, value])
            }
            (Sort::Float(..), Kind::Bits(width)) => {
                let mode = self.mode(RoundingMode::TowardZero);
                let signed = self.is_signed(to);
                self.assume_in_range(value, width, signed);
                let op = if signed { Op::FpToSigned(width) } else { Op::FpToUnsigned(width) };
                self.build.arena.mk(op, &[mode, value])
            }
            (_, Kind::Float(e, s)) => {
                let signed = self.is_signed(from);
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

    /// Converting a number that the integer type does not have (or a NaN) is undefined: the execution stops.
    fn assume_in_range(&mut self, value: Term, width: u32, signed: bool) {
        let Sort::Float(e, s) = *self.build.arena.sort(value) else { return };
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
        let defined = self.build.arena.and(&[above, below]);
        self.build.assume(defined);
    }

    pub(in crate::lower) fn float_binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let mode = self.current_mode();
        match op {
            BinaryOp::Add => self.build.arena.mk(Op::FpAdd, &[mode, left, right]),
            BinaryOp::Sub => {
                let right = self.build.arena.mk(Op::FpNeg, &[right]);
                self.build.arena.mk(Op::FpAdd, &[mode, left, right])
            }
            BinaryOp::Mul => self.build.arena.mk(Op::FpMul, &[mode, left, right]),
            _ => self.build.arena.mk(Op::FpDiv, &[mode, left, right]),
        }
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
                self.build.arena.not(equal)
            }
        }
    }

    /// Whether the sign bit is set; of a NaN it may be either.
    pub(in crate::lower) fn sign_bit(&mut self, expr: ExprId, value: Term) -> Term {
        let negative = self.build.arena.mk(Op::FpIsNegative, &[value]);
        let nan = self.build.arena.mk(Op::FpIsNan, &[value]);
        if self.build.arena.as_bool(nan) == Some(false) {
            return negative;
        }
        let either = self.either(expr);
        self.build.arena.ite(nan, either, negative)
    }

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

    /// `FLT_ROUNDS`
    pub(in crate::lower) fn float_rounds(&mut self) -> Term {
        let current = self.current_mode();
        let mut result = self.build.arena.bv(32, 0);
        for (number, name) in [(1, RoundingMode::NearestEven), (2, RoundingMode::Up), (3, RoundingMode::Down)]
        {
            let constant = self.mode(name);
            let hit = self.build.arena.eq(current, constant);
            let number = self.build.arena.bv(32, number);
            result = self.build.arena.ite(hit, number, result);
        }
        result
    }

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
                let sign = self.sign_bit(expr, first);
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

    /// Functions of `math.h` by the name without suffix; `None` if it is none that is modelled.
    pub(in crate::lower) fn math(&mut self, expr: ExprId, name: &str, values: &[Term]) -> Option<Term> {
        let nearest = self.current_mode();
        let integral = |this: &mut Self, mode: RoundingMode| {
            let mode = this.mode(mode);
            this.build.arena.mk(Op::FpRoundToIntegral, &[mode, values[0]])
        };
        Some(match (name, values) {
            ("fabs", &[a]) => self.build.arena.mk(Op::FpAbs, &[a]),
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
            ("copysign", &[a, b]) => {
                let magnitude = self.build.arena.mk(Op::FpAbs, &[a]);
                let minus = self.build.arena.mk(Op::FpNeg, &[magnitude]);
                let sign = self.sign_bit(expr, b);
                self.build.arena.ite(sign, minus, magnitude)
            }
            _ => return None,
        })
    }
}

/// The rounding modes with their numbers in `fenv.h` on x86.
const MODES: [(u64, RoundingMode); 4] = [
    (0, RoundingMode::NearestEven),
    (0x400, RoundingMode::Down),
    (0x800, RoundingMode::Up),
    (0xc00, RoundingMode::TowardZero),
];

fn infinity(exponent: u32, significand: u32) -> BigUint {
    ((BigUint::from(1_u32) << exponent) - 1_u32) << (significand - 1)
}

/// The bits of the float nearest to `digits · base^power`, ties to even.
fn round(digits: &BigUint, power: i64, binary: bool, exponent: u32, significand: u32) -> BigUint {
    let zero = BigUint::from(0_u32);
    if *digits == zero {
        return zero;
    }
    let bias = (1_i64 << (exponent - 1)) - 1;
    let lowest = 2 - bias - i64::from(significand);
    // The binary magnitude, roughly; far out of range is decided without computing the power.
    let bits = i64::try_from(digits.bits()).unwrap_or(i64::MAX / 4);
    let scaled = if binary { power } else { power.saturating_mul(10) / 3 };
    let estimate = bits.saturating_add(scaled);
    if estimate > 2 * bias + 64 {
        return infinity(exponent, significand);
    }
    if estimate < 2 * lowest - 64 {
        return zero;
    }
    let ten = if binary { BigUint::from(2_u32) } else { BigUint::from(10_u32) };
    let magnitude = u32::try_from(power.unsigned_abs()).unwrap_or(u32::MAX);
    let (numerator, denominator) = if power >= 0 {
        (digits * ten.pow(magnitude), BigUint::from(1_u32))
    } else {
        (digits.clone(), ten.pow(magnitude))
    };
    // The power of two of the last place: the quotient has `significand` bits, or fewer if subnormal.
    let bits_of = |value: &BigUint| i64::try_from(value.bits()).unwrap_or(i64::MAX / 4);
    let mut last = (bits_of(&numerator) - bits_of(&denominator) - i64::from(significand)).max(lowest);
    loop {
        let shift = last.unsigned_abs();
        let (top, bottom) = if last >= 0 {
            (numerator.clone(), &denominator << shift)
        } else {
            (&numerator << shift, denominator.clone())
        };
        let mut quotient = &top / &bottom;
        if quotient.bits() > u64::from(significand) {
            last += 1;
            continue;
        }
        let twice = (&top - &quotient * &bottom) * 2_u32;
        let odd = quotient.bit(0);
        if twice > bottom || (twice == bottom && odd) {
            quotient += 1_u32;
            if quotient.bits() > u64::from(significand) {
                quotient >>= 1;
                last += 1;
            }
        }
        if quotient.bits() < u64::from(significand) {
            // Subnormal: the exponent field is zero.
            return quotient;
        }
        let field = last - lowest + 1;
        if field >= (1_i64 << exponent) - 1 {
            return infinity(exponent, significand);
        }
        let hidden = BigUint::from(1_u32) << (significand - 1);
        let field = BigUint::from(u64::try_from(field).unwrap_or(0));
        return (quotient - hidden) + (field << (significand - 1));
    }
}
