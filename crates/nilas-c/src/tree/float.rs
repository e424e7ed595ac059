//! Floating constants as they are written, and their bits in a format.

use num_bigint::BigUint;

/// A floating constant, exactly as written. It is rounded to its type when it becomes a term.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "explained at the variants")]
pub enum FloatConstant {
    /// `digits · 10^exponent`, or `digits · 2^exponent` if `binary`. Exponents can be as large as ±2^40:
    /// compare the magnitude with the format's range before computing the power.
    Finite { digits: BigUint, exponent: i64, binary: bool },
    /// `__builtin_inf`, `__builtin_huge_val`
    Infinity,
    /// `__builtin_nan("…")` with its payload; signalling for `__builtin_nans`.
    Nan { signalling: bool, payload: BigUint },
}

impl FloatConstant {
    /// The bits of the nearest float of a format, ties to even.
    pub(crate) fn bits(&self, exponent: u32, significand: u32) -> BigUint {
        match self {
            FloatConstant::Infinity => infinity(exponent, significand),
            FloatConstant::Nan { signalling, payload } => {
                infinity(exponent, significand) + nan(*signalling, payload, significand)
            }
            FloatConstant::Finite { digits, exponent: power, binary } => {
                round(digits, *power, *binary, exponent, significand)
            }
        }
    }
}

/// The significand of a NaN, as GCC makes it: the payload in its lower bits, and the upper one for a quiet
/// NaN.
fn nan(signalling: bool, payload: &BigUint, significand: u32) -> BigUint {
    let quiet = BigUint::from(1_u32) << (significand - 2);
    let payload = payload % &quiet;
    match (signalling, payload == BigUint::default()) {
        (false, _) => quiet + payload,
        (true, true) => quiet >> 1,
        (true, false) => payload,
    }
}

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
