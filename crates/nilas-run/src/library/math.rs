//! `math.h`. What the standard fixes exactly (rounding, remainders, parts of numbers, square roots) is
//! computed for every format; functions that are only good to some digits are those of the machine's library,
//! for `float` and `double`.

use super::{Call, Native};
use crate::float::{self, Rounding, to_f32, to_f64, with_format};
use crate::machine::{Eval, Machine};
use crate::value::{Shape, Value};
use nilas_c::catalogue::{Meaning, Model};
use nilas_c::types::FloatKind;
use num_bigint::BigUint;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, Round};

pub(super) fn native(base: &str) -> Option<Native> {
    let row = nilas_c::catalogue::row(base)?;
    (row.model == Model::Lowering(Meaning::Mathematics)).then_some(mathematics as Native)
}

/// The floating type that a call is about.
fn kind_of(machine: &Machine<'_>, call: &Call<'_>) -> Option<FloatKind> {
    let float = |ty| machine.float_kind(ty);
    float(call.result).or_else(|| call.arguments.iter().find_map(|(ty, _)| float(*ty)))
}

const EDOM: i128 = 33;
const ERANGE: i128 = 34;

fn mathematics(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let Some(kind) = kind_of(machine, call) else { return machine.unsupported(format!("`{}`", call.name)) };
    let base = call.row.base;
    let x = call.value(0).bits();
    let y = call.value(1).bits();
    if let Some(value) = classify(machine, call, base, kind, x) {
        return Ok(value);
    }
    if let Some(bits) = exact(base, kind, x, y, call, machine.rounding) {
        errors(machine, call, kind, bits)?;
        return Ok(Value::Float(bits));
    }
    match base {
        "lrint" | "llrint" | "lround" | "llround" => {
            let round =
                if base.ends_with("rint") { machine.rounding.apfloat() } else { Round::NearestTiesToAway };
            let Shape::Int { size, .. } = machine.shape(call.result) else {
                return machine.unsupported(format!("`{}`", call.name));
            };
            // Out of range, x86 gives the smallest number.
            let bits = u32::from(size) * 8;
            let number = float::to_int_rounded(kind, x, bits, true, round).unwrap_or(-(1 << (bits - 1)));
            Ok(machine.number(call, number))
        }
        "frexp" => {
            let (fraction, exponent) = frexp(kind, x);
            machine.put_bytes(call.pointer(1), &exponent.to_le_bytes())?;
            Ok(Value::Float(fraction))
        }
        "modf" => {
            let whole = integral(kind, x, Round::TowardZero);
            let size = usize::try_from(float::width(kind) / 8).unwrap_or(8);
            machine.put_bytes(call.pointer(1), &whole.to_le_bytes()[..size])?;
            let sign = x & float::sign_bit(kind);
            let rest = if float::is_infinite(kind, x) {
                0
            } else {
                float::arithmetic(kind, nilas_c::tree::BinaryOp::Sub, x, whole, Rounding::Nearest)
            };
            let rest = if float::is_nan(kind, x) { x } else { rest & !float::sign_bit(kind) | sign };
            Ok(Value::Float(rest))
        }
        "nan" => Ok(Value::Float(float::default_nan(kind) & !float::sign_bit(kind))),
        "sincos" => {
            let Some(sine) = library("sin", kind, x, 0) else { return inexact(machine, call) };
            let Some(cosine) = library("cos", kind, x, 0) else { return inexact(machine, call) };
            let size = usize::try_from(float::width(kind) / 8).unwrap_or(8);
            machine.put_bytes(call.pointer(1), &sine.to_le_bytes()[..size])?;
            machine.put_bytes(call.pointer(2), &cosine.to_le_bytes()[..size])?;
            Ok(Value::Void)
        }
        _ => {
            if machine.rounding != Rounding::Nearest {
                return machine.unsupported(format!("`{}` with another rounding mode", call.name));
            }
            match library(base, kind, x, y) {
                Some(bits) => {
                    errors(machine, call, kind, bits)?;
                    Ok(Value::Float(bits))
                }
                None => inexact(machine, call),
            }
        }
    }
}

fn inexact(machine: &Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.unsupported(format!("`{}`: C does not fix its value exactly", call.name))
}

/// Sets `errno` where a result is no number or too large, as glibc does.
fn errors(machine: &mut Machine<'_>, call: &Call<'_>, kind: FloatKind, bits: u128) -> Eval<()> {
    if !call.row.errno {
        return Ok(());
    }
    let arguments: Vec<u128> = call.arguments.iter().map(|(_, value)| value.bits()).collect();
    let any = |test: fn(FloatKind, u128) -> bool| arguments.iter().any(|&bits| test(kind, bits));
    if float::is_nan(kind, bits) && !any(float::is_nan) {
        machine.set_errno(EDOM)?;
    } else if float::is_infinite(kind, bits) && !any(float::is_infinite) && !any(float::is_nan) {
        machine.set_errno(ERANGE)?;
    }
    Ok(())
}

/// Functions that tell what sort of number it is.
fn classify(machine: &Machine<'_>, call: &Call<'_>, base: &str, kind: FloatKind, x: u128) -> Option<Value> {
    let nan = float::is_nan(kind, x);
    let infinite = float::is_infinite(kind, x);
    let negative = float::is_negative(kind, x);
    let number = match base {
        "isnan" => i128::from(nan),
        "isinf" if infinite => {
            if negative {
                -1
            } else {
                1
            }
        }
        "isinf" => 0,
        "finite" | "isfinite" => i128::from(!nan && !infinite),
        "isnormal" => i128::from(float::is_normal(kind, x)),
        "signbit" | "__builtin_signbitf" | "__builtin_signbitl" => i128::from(negative),
        "__fpclassify" if nan => 0,
        "__fpclassify" if infinite => 1,
        "__fpclassify" if float::is_zero(kind, x) => 2,
        "__fpclassify" if float::is_normal(kind, x) => 4,
        "__fpclassify" => 3,
        "ilogb" if nan || float::is_zero(kind, x) => i128::from(i32::MIN),
        "ilogb" if infinite => i128::from(i32::MAX),
        "ilogb" => i128::from(with_format!(kind, F => F::from_bits(x).ilogb())),
        _ => return None,
    };
    Some(machine.number(call, number))
}

fn integral(kind: FloatKind, bits: u128, round: Round) -> u128 {
    if let Some(nan) = float::propagate(kind, &[bits]) {
        return nan;
    }
    with_format!(kind, F => F::from_bits(bits).round_to_integral(round).value.to_bits())
}

/// The fraction in [½, 1) and the power of two.
fn frexp(kind: FloatKind, bits: u128) -> (u128, i32) {
    if float::is_zero(kind, bits) || float::is_infinite(kind, bits) || float::is_nan(kind, bits) {
        return (bits, 0);
    }
    with_format!(kind, F => {
        let value = F::from_bits(bits);
        let exponent = value.ilogb() + 1;
        (value.scalbn(-exponent).to_bits(), exponent)
    })
}

/// Functions whose value the standard fixes.
fn exact(base: &str, kind: FloatKind, x: u128, y: u128, call: &Call<'_>, rounding: Rounding) -> Option<u128> {
    let sign = float::sign_bit(kind);
    let nan = |operands: &[u128]| float::propagate(kind, operands);
    Some(match base {
        "fabs" => x & !sign,
        "copysign" => x & !sign | y & sign,
        "ceil" => integral(kind, x, Round::TowardPositive),
        "floor" => integral(kind, x, Round::TowardNegative),
        "trunc" => integral(kind, x, Round::TowardZero),
        "round" => integral(kind, x, Round::NearestTiesToAway),
        "roundeven" => integral(kind, x, Round::NearestTiesToEven),
        "rint" | "nearbyint" => integral(kind, x, rounding.apfloat()),
        "sqrt" => square_root(kind, x, rounding),
        "fmod" => nan(&[x, y]).unwrap_or_else(|| {
            let result = with_format!(kind, F => F::from_bits(x).c_fmod(F::from_bits(y)).value.to_bits());
            if float::is_nan(kind, result) { float::default_nan(kind) } else { result }
        }),
        "remainder" | "drem" => nan(&[x, y]).unwrap_or_else(|| {
            let result = with_format!(kind, F => F::from_bits(x).ieee_rem(F::from_bits(y)).value.to_bits());
            if float::is_nan(kind, result) { float::default_nan(kind) } else { result }
        }),
        "fma" => {
            let z = call.value(2).bits();
            nan(&[x, y, z]).unwrap_or_else(|| {
                let result = with_format!(kind, F => {
                    F::from_bits(x).mul_add_r(F::from_bits(y), F::from_bits(z), rounding.apfloat()).value.to_bits()
                });
                if float::is_nan(kind, result) { float::default_nan(kind) } else { result }
            })
        }
        "fmin" | "fmax" => {
            let less = float::order(kind, x, y);
            match less {
                None if float::is_nan(kind, x) => y,
                None => x,
                Some(order) if (base == "fmin") == order.is_lt() => x,
                Some(order) if order.is_eq() => x,
                Some(_) => y,
            }
        }
        "fdim" => nan(&[x, y]).unwrap_or_else(|| {
            if float::order(kind, x, y).is_some_and(std::cmp::Ordering::is_gt) {
                float::arithmetic(kind, nilas_c::tree::BinaryOp::Sub, x, y, rounding)
            } else {
                0
            }
        }),
        "ldexp" | "scalbn" | "scalbln" => {
            let power = i32::try_from(call.int(1).clamp(-100_000, 100_000)).unwrap_or(0);
            nan(&[x]).unwrap_or_else(
                || with_format!(kind, F => F::from_bits(x).scalbn_r(power, rounding.apfloat()).to_bits()),
            )
        }
        "nextafter" => nan(&[x, y]).unwrap_or_else(|| match float::order(kind, x, y) {
            Some(order) if order.is_lt() => {
                with_format!(kind, F => F::from_bits(x).next_up().value.to_bits())
            }
            Some(order) if order.is_gt() => {
                with_format!(kind, F => F::from_bits(x).next_down().value.to_bits())
            }
            _ => y,
        }),
        "logb" if float::is_zero(kind, x) => float::infinity(kind) | sign,
        "logb" if float::is_infinite(kind, x) => float::infinity(kind),
        "logb" => nan(&[x]).unwrap_or_else(|| {
            let exponent = with_format!(kind, F => F::from_bits(x).ilogb());
            float::from_int(kind, i128::from(exponent), false, rounding)
        }),
        _ => return None,
    })
}

/// The square root, rounded once: the root of a large enough integer, with a last bit that tells whether it
/// is exact.
fn square_root(kind: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    if let Some(nan) = float::propagate(kind, &[bits]) {
        return nan;
    }
    if float::is_zero(kind, bits) {
        return bits;
    }
    if float::is_negative(kind, bits) {
        return float::default_nan(kind);
    }
    if float::is_infinite(kind, bits) {
        return bits;
    }
    match (kind, rounding) {
        (FloatKind::Double, Rounding::Nearest) => return u128::from(to_f64(bits).sqrt().to_bits()),
        (FloatKind::Float, Rounding::Nearest) => return u128::from(to_f32(bits).sqrt().to_bits()),
        _ => {}
    }
    let (mut significand, mut exponent) = super::format_float::decompose(kind, bits);
    if exponent % 2 != 0 {
        significand <<= 1_u32;
        exponent -= 1;
    }
    significand <<= 256_u32;
    let root = significand.sqrt();
    let exact = &root * &root == significand;
    let root: BigUint = root * 2_u32 + u32::from(!exact);
    let power = (exponent - 256) / 2 - 1;
    float::parse(kind, &format!("0x{}p{power}", root.to_str_radix(16)), rounding).unwrap_or(0)
}

/// Functions of the machine's library.
fn library(base: &str, kind: FloatKind, x: u128, y: u128) -> Option<u128> {
    macro_rules! by_name {
        ($x:expr, $y:expr) => {
            match base {
                "cbrt" => $x.cbrt(),
                "sin" => $x.sin(),
                "cos" => $x.cos(),
                "tan" => $x.tan(),
                "asin" => $x.asin(),
                "acos" => $x.acos(),
                "atan" => $x.atan(),
                "atan2" => $x.atan2($y),
                "sinh" => $x.sinh(),
                "cosh" => $x.cosh(),
                "tanh" => $x.tanh(),
                "exp" => $x.exp(),
                "exp2" => $x.exp2(),
                "expm1" => $x.exp_m1(),
                "log" => $x.ln(),
                "log2" => $x.log2(),
                "log10" => $x.log10(),
                "log1p" => $x.ln_1p(),
                "pow" => $x.powf($y),
                "hypot" => $x.hypot($y),
                _ => return None,
            }
        };
    }
    Some(match kind {
        FloatKind::Double => {
            let (x, y) = (to_f64(x), to_f64(y));
            u128::from(by_name!(x, y).to_bits())
        }
        FloatKind::Float => {
            let (x, y) = (to_f32(x), to_f32(y));
            u128::from(by_name!(x, y).to_bits())
        }
        _ => return None,
    })
}
