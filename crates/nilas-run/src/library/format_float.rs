//! Floats as text: `%e`, `%f`, `%g` and `%a`, exact for every format.

use crate::float;
use nilas_c::types::FloatKind;
use num_bigint::BigUint;

/// A finite float: `significand · 2^exponent`.
pub(crate) fn decompose(kind: FloatKind, bits: u128) -> (BigUint, i64) {
    let (exponent_bits, precision) = kind.format();
    let stored = i64::from(precision) - i64::from(kind != FloatKind::LongDouble);
    let fraction = bits & ((1 << stored) - 1);
    let exponent = i64::try_from((bits >> stored) & ((1 << exponent_bits) - 1)).unwrap_or(0);
    let bias = (1_i64 << (exponent_bits - 1)) - 1;
    // The leading bit of the x87 format is stored.
    let leading = if kind == FloatKind::LongDouble || exponent == 0 { 0 } else { 1_u128 << stored };
    let significand = BigUint::from(fraction | leading);
    (significand, exponent.max(1) - bias - (i64::from(precision) - 1))
}

/// The decimal digits of a float, rounded half to even: `digits` of them behind the first (`Some`), or down
/// to this many behind the point. The result is the digits and the exponent of the first one.
fn decimal(kind: FloatKind, bits: u128, significant: Option<usize>, behind_point: usize) -> (Vec<u8>, i64) {
    let (significand, exponent) = decompose(kind, bits);
    let zero = BigUint::from(0_u32);
    if significand == zero {
        let count = significant.unwrap_or(behind_point) + 1;
        return (vec![b'0'; count], 0);
    }
    let ten = BigUint::from(10_u32);
    // The number as an integer and a power of ten below it.
    let (integer, scale) = if exponent >= 0 {
        (significand << usize::try_from(exponent).unwrap_or(0), 0)
    } else {
        let places = u32::try_from(-exponent).unwrap_or(0);
        (significand * BigUint::from(5_u32).pow(places), -i64::from(places))
    };
    let text = integer.to_str_radix(10).into_bytes();
    let first = text.len() as i64 - 1 + scale;
    let keep = match significant {
        Some(digits) => digits as i64 + 1,
        None => first + 1 + behind_point as i64,
    };
    if keep < 0 {
        return (vec![b'0'], -(behind_point as i64));
    }
    let keep = usize::try_from(keep).unwrap_or(0);
    if keep >= text.len() {
        let mut digits = text;
        digits.resize(keep, b'0');
        return (digits, first);
    }
    let dropped = text.len() - keep;
    let unit = ten.pow(u32::try_from(dropped).unwrap_or(0));
    let (mut quotient, rest) = (&integer / &unit, &integer % &unit);
    let twice = rest * 2_u32;
    let odd = &quotient % 2_u32 == BigUint::from(1_u32);
    if twice > unit || (twice == unit && odd) {
        quotient += 1_u32;
    }
    let mut digits = quotient.to_str_radix(10).into_bytes();
    let mut first = first;
    if quotient == zero {
        digits = vec![b'0'];
    }
    if keep == 0 {
        // Nothing but what was rounded up is left.
        return if digits == b"0" { (digits, -(behind_point as i64)) } else { (digits, first + 1) };
    }
    if digits.len() > keep {
        first += 1;
        if significant.is_some() {
            digits.pop();
        }
    }
    (digits, first)
}

/// `%f`
pub(crate) fn fixed(kind: FloatKind, bits: u128, precision: usize, point: bool) -> String {
    let (digits, first) = decimal(kind, bits, None, precision);
    let mut text = String::new();
    let digit = |place: i64| {
        // The digit at 10^place.
        let index = first - place;
        usize::try_from(index).ok().and_then(|index| digits.get(index)).map_or('0', |&d| char::from(d))
    };
    for place in (0..=first.max(0)).rev() {
        text.push(digit(place));
    }
    if precision > 0 || point {
        text.push('.');
    }
    for place in 1..=precision as i64 {
        text.push(digit(-place));
    }
    text
}

/// `%e`
pub(crate) fn scientific(kind: FloatKind, bits: u128, precision: usize, point: bool) -> String {
    let (digits, first) = decimal(kind, bits, Some(precision), 0);
    mantissa(&digits, precision, point) + &exponent_text(first)
}

fn exponent_text(exponent: i64) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.abs())
}

fn mantissa(digits: &[u8], precision: usize, point: bool) -> String {
    let mut text = String::new();
    text.push(digits.first().map_or('0', |&d| char::from(d)));
    if precision > 0 || point {
        text.push('.');
    }
    text.extend((1..=precision).map(|i| digits.get(i).map_or('0', |&d| char::from(d))));
    text
}

/// `%g`
pub(crate) fn general(kind: FloatKind, bits: u128, precision: usize, alternative: bool) -> String {
    let precision = precision.max(1);
    let (_, exponent) = decimal(kind, bits, Some(precision - 1), 0);
    let scientific_style = exponent < -4 || exponent >= precision as i64;
    let text = if scientific_style {
        scientific(kind, bits, precision - 1, alternative)
    } else {
        let behind = usize::try_from(precision as i64 - 1 - exponent).unwrap_or(0);
        fixed(kind, bits, behind, alternative)
    };
    if alternative {
        return text;
    }
    let (number, exponent) = match text.split_once('e') {
        Some((number, exponent)) => (number.to_owned(), format!("e{exponent}")),
        None => (text, String::new()),
    };
    if !number.contains('.') {
        return number + &exponent;
    }
    number.trim_end_matches('0').trim_end_matches('.').to_owned() + &exponent
}

/// `%a`, as glibc writes it: the first digit is 1 for `double`, and has the upper four bits for
/// `long double`.
pub(crate) fn hexadecimal(
    kind: FloatKind,
    bits: u128,
    precision: Option<usize>,
    point: bool,
    upper: bool,
) -> String {
    let (significand, exponent) = decompose(kind, bits);
    let precision_bits = kind.format().1;
    let leading_bits = if kind == FloatKind::LongDouble { 4 } else { 1 };
    let fraction_bits = precision_bits - leading_bits;
    let digits = fraction_bits.div_ceil(4);
    let pad = digits * 4 - fraction_bits;
    let mut number: u128 =
        significand.iter_u64_digits().rev().fold(0, |sum, digit| sum << 64 | u128::from(digit));
    number <<= pad;
    let mut exponent = if number == 0 { 0 } else { exponent + i64::from(fraction_bits) };
    let mut shown = digits as usize;
    if let Some(precision) = precision
        && precision < digits as usize
    {
        let drop = 4 * (digits as usize - precision);
        let rest = number & ((1 << drop) - 1);
        let half = 1_u128 << (drop - 1);
        number >>= drop;
        if rest > half || (rest == half && number & 1 == 1) {
            number += 1;
        }
        shown = precision;
    }
    let lead = number >> (4 * shown);
    if lead > 15 {
        exponent += 4;
    }
    let fraction = number & ((1_u128 << (4 * shown)) - 1);
    let mut text = format!("{fraction:0shown$x}");
    if shown == 0 {
        text.clear();
    }
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(precision) => {
            while text.len() < precision {
                text.push('0');
            }
        }
    }
    let dot = if text.is_empty() && !point { "" } else { "." };
    let text = format!("0x{lead:x}{dot}{text}p{exponent:+}");
    if upper { text.to_uppercase() } else { text }
}

/// Infinities and NaNs.
pub(crate) fn special(kind: FloatKind, bits: u128) -> Option<&'static str> {
    if float::is_nan(kind, bits) {
        Some("nan")
    } else if float::is_infinite(kind, bits) {
        Some("inf")
    } else {
        None
    }
}

/// A float for messages.
pub(crate) fn shortest(kind: FloatKind, bits: u128) -> String {
    let sign = if float::is_negative(kind, bits) { "-" } else { "" };
    let magnitude = bits & !float::sign_bit(kind);
    match special(kind, magnitude) {
        Some(text) => format!("{sign}{text}"),
        None => format!("{sign}{}", general(kind, magnitude, 17, false)),
    }
}
