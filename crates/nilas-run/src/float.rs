//! Floats by their bits.
//!
//! `float` and `double` are computed by the machine when the rounding mode is *to nearest*; everything else
//! by `rustc_apfloat`. NaNs are those of x86: an operation gives its first operand that is a NaN, made quiet,
//! and the negative NaN without payload where none of them is one.

use nilas_c::tree::{BinaryOp, CompareOp, FloatConstant};
use nilas_c::types::FloatKind;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round};
use std::cmp::Ordering;

/// A rounding mode of `fenv.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounding {
    /// To nearest, ties to even.
    #[default]
    Nearest,
    /// Towards −∞.
    Down,
    /// Towards +∞.
    Up,
    /// Towards 0.
    Zero,
}

impl Rounding {
    pub(crate) fn apfloat(self) -> Round {
        match self {
            Rounding::Nearest => Round::NearestTiesToEven,
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::Zero => Round::TowardZero,
        }
    }
}

/// Calls a generic expression with the format of a kind.
macro_rules! with_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $body
            }
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

pub(crate) use with_format;

/// How many bits a float of the kind has: 80 for `long double`.
#[must_use]
pub fn width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half => 16,
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::LongDouble => 80,
        FloatKind::Float128 => 128,
    }
}

/// The bit that makes a NaN quiet, the first of the fraction.
fn quiet_bit(kind: FloatKind) -> u128 {
    1 << match kind {
        FloatKind::Half => 9,
        FloatKind::Float => 22,
        FloatKind::Double => 51,
        FloatKind::LongDouble => 62,
        FloatKind::Float128 => 111,
    }
}

/// The sign bit.
#[must_use]
pub fn sign_bit(kind: FloatKind) -> u128 {
    1 << (width(kind) - 1)
}

/// Plus infinity.
#[must_use]
pub fn infinity(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::INFINITY.to_bits())
}

/// The NaN that x86 gives where no operand is one.
#[must_use]
pub fn default_nan(kind: FloatKind) -> u128 {
    infinity(kind) | quiet_bit(kind) | sign_bit(kind)
}

/// Whether it is a NaN. (Unnormal numbers of the x87 format count as NaN, as they do for the machine.)
#[must_use]
pub fn is_nan(kind: FloatKind, bits: u128) -> bool {
    match kind {
        FloatKind::Float => bits & 0x7fff_ffff > 0x7f80_0000,
        FloatKind::Double => bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000,
        _ => with_format!(kind, F => F::from_bits(bits).is_nan()),
    }
}

/// Whether it is ±∞.
#[must_use]
pub fn is_infinite(kind: FloatKind, bits: u128) -> bool {
    bits & !sign_bit(kind) == infinity(kind)
}

/// Whether it is ±0.
#[must_use]
pub fn is_zero(kind: FloatKind, bits: u128) -> bool {
    bits & !sign_bit(kind) == 0
}

/// Whether the sign bit is set.
#[must_use]
pub fn is_negative(kind: FloatKind, bits: u128) -> bool {
    bits & sign_bit(kind) != 0
}

/// Whether it is finite, not zero and not subnormal.
#[must_use]
pub fn is_normal(kind: FloatKind, bits: u128) -> bool {
    with_format!(kind, F => F::from_bits(bits).is_normal())
}

/// The NaN of an operation, if an operand is one: the first, made quiet.
#[must_use]
pub fn propagate(kind: FloatKind, operands: &[u128]) -> Option<u128> {
    operands.iter().find(|&&bits| is_nan(kind, bits)).map(|bits| bits | quiet_bit(kind))
}

fn of_f64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

fn of_f32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

#[allow(clippy::cast_possible_truncation)]
pub(crate) fn to_f64(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

#[allow(clippy::cast_possible_truncation)]
pub(crate) fn to_f32(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

/// `a op b`; only `+ - * /` are operators of floats.
#[must_use]
pub fn arithmetic(kind: FloatKind, op: BinaryOp, a: u128, b: u128, rounding: Rounding) -> u128 {
    if let Some(nan) = propagate(kind, &[a, b]) {
        return nan;
    }
    let result = match (kind, rounding) {
        (FloatKind::Double, Rounding::Nearest) => {
            let (x, y) = (to_f64(a), to_f64(b));
            of_f64(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            })
        }
        (FloatKind::Float, Rounding::Nearest) => {
            let (x, y) = (to_f32(a), to_f32(b));
            of_f32(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            })
        }
        _ => with_format!(kind, F => {
            let (x, y, round) = (F::from_bits(a), F::from_bits(b), rounding.apfloat());
            match op {
                BinaryOp::Add => x.add_r(y, round),
                BinaryOp::Sub => x.sub_r(y, round),
                BinaryOp::Mul => x.mul_r(y, round),
                _ => x.div_r(y, round),
            }.value.to_bits()
        }),
    };
    if is_nan(kind, result) { default_nan(kind) } else { result }
}

/// `-a`: the sign changes, also of a NaN.
#[must_use]
pub fn negate(kind: FloatKind, bits: u128) -> u128 {
    bits ^ sign_bit(kind)
}

/// The order of two floats; `None` if one is a NaN.
#[must_use]
pub fn order(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    match kind {
        FloatKind::Double => to_f64(a).partial_cmp(&to_f64(b)),
        FloatKind::Float => to_f32(a).partial_cmp(&to_f32(b)),
        _ => with_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// `a op b`
#[must_use]
pub fn compare(kind: FloatKind, op: CompareOp, a: u128, b: u128) -> bool {
    let order = order(kind, a, b);
    match op {
        CompareOp::Less => order == Some(Ordering::Less),
        CompareOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => order == Some(Ordering::Greater),
        CompareOp::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        CompareOp::Equal => order == Some(Ordering::Equal),
        CompareOp::NotEqual => order != Some(Ordering::Equal),
    }
}

/// Between kinds. A NaN keeps its sign and the upper bits of its payload, and becomes quiet.
#[must_use]
pub fn convert(from: FloatKind, to: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    if from == to {
        return bits;
    }
    if is_nan(from, bits) {
        let (old, new) = (fraction_bits(from), fraction_bits(to));
        let payload = bits & (quiet_bit(from) - 1) & ((1 << old) - 1);
        let payload = if new >= old { payload << (new - old) } else { payload >> (old - new) };
        let sign = if is_negative(from, bits) { sign_bit(to) } else { 0 };
        return infinity(to) | quiet_bit(to) | payload | sign;
    }
    if (from, to) == (FloatKind::Float, FloatKind::Double) {
        return of_f64(f64::from(to_f32(bits)));
    }
    fn change<A: rustc_apfloat::Float + FloatConvert<B>, B: rustc_apfloat::Float>(
        bits: u128,
        round: Round,
    ) -> u128 {
        let mut loses = false;
        let value: B = A::from_bits(bits).convert_r(round, &mut loses).value;
        value.to_bits()
    }
    let round = rounding.apfloat();
    with_format!(from, A => with_format!(to, B => change::<A, B>(bits, round)))
}

/// Bits of the fraction, without the leading one.
fn fraction_bits(kind: FloatKind) -> u32 {
    kind.format().1 - 1
}

/// A number as a float.
#[must_use]
pub fn from_int(kind: FloatKind, value: i128, unsigned: bool, rounding: Rounding) -> u128 {
    let round = rounding.apfloat();
    with_format!(kind, F => {
        if unsigned {
            F::from_u128_r(value.cast_unsigned(), round).value.to_bits()
        } else {
            F::from_i128_r(value, round).value.to_bits()
        }
    })
}

/// The integer that is left without the fraction, if a type of this width has it.
#[must_use]
pub fn to_int(kind: FloatKind, bits: u128, width: u32, signed: bool) -> Option<i128> {
    to_int_rounded(kind, bits, width, signed, Round::TowardZero)
}

/// The integer that a float rounds to, if a type of this width has it.
pub(crate) fn to_int_rounded(
    kind: FloatKind,
    bits: u128,
    width: u32,
    signed: bool,
    round: Round,
) -> Option<i128> {
    with_format!(kind, F => {
        let mut exact = false;
        let value = F::from_bits(bits);
        let width = usize::try_from(width).unwrap_or(128);
        if signed {
            let result = value.to_i128_r(width, round, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        } else {
            let result = value.to_u128_r(width, round, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value.cast_signed())
        }
    })
}

/// A constant, rounded to nearest as compilers do.
#[must_use]
pub fn constant(kind: FloatKind, constant: &FloatConstant) -> u128 {
    match constant {
        FloatConstant::Infinity => infinity(kind),
        FloatConstant::Nan { signalling, payload } => {
            let mask = quiet_bit(kind) - 1;
            let payload = payload.iter_u64_digits().next().map_or(0, u128::from) & mask;
            if *signalling {
                let payload = if payload == 0 { quiet_bit(kind) >> 1 } else { payload };
                infinity(kind) | payload
            } else {
                infinity(kind) | quiet_bit(kind) | payload
            }
        }
        FloatConstant::Finite { digits, exponent, binary } => {
            let decimal = digits.to_str_radix(10);
            if decimal == "0" {
                return 0;
            }
            // Far beyond every format; the exact value does not matter.
            let magnitude = i64::try_from(digits.bits()).unwrap_or(i64::MAX / 4);
            let scaled = if *binary { *exponent } else { exponent.saturating_mul(3) };
            if scaled.saturating_add(magnitude) > 70_000 {
                return infinity(kind);
            }
            if scaled.saturating_add(magnitude) < -70_000 {
                return 0;
            }
            let text = if *binary {
                format!("0x{}p{exponent}", digits.to_str_radix(16))
            } else {
                format!("{decimal}e{exponent}")
            };
            parse(kind, &text, Rounding::Nearest).unwrap_or(0)
        }
    }
}

/// A number in decimal (`12.5e3`) or hexadecimal (`0x1.8p1`).
pub(crate) fn parse(kind: FloatKind, text: &str, rounding: Rounding) -> Option<u128> {
    with_format!(kind, F => {
        F::from_str_r(text, rounding.apfloat()).ok().map(|value| value.value.to_bits())
    })
}
