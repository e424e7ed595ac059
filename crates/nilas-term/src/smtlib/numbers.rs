//! Literals: numbers and bit-vectors as text.

use super::sexpr::AtomKind;
use crate::bitvec::BitVec;
use crate::sorting::MAX_WIDTH;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

/// The value of a literal; `None` for symbols and the like.
pub(super) fn literal(kind: AtomKind, text: &str) -> Option<Result<Value, String>> {
    Some(match kind {
        AtomKind::Numeral => integer(text).map(Value::Int),
        AtomKind::Decimal => decimal(text).map(Value::Real),
        AtomKind::Hexadecimal => bits(text, 4, 16),
        AtomKind::Binary => bits(text, 1, 2),
        _ => return None,
    })
}

fn integer(digits: &str) -> Result<BigInt, String> {
    BigInt::parse_bytes(digits.as_bytes(), 10).ok_or_else(|| format!("`{digits}` is not a number"))
}

fn decimal(text: &str) -> Result<BigRational, String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).map_err(|_| "number too long")?);
    Ok(BigRational::new(integer(&format!("{whole}{fraction}"))?, scale))
}

fn bits(digits: &str, bits_per_digit: u32, radix: u32) -> Result<Value, String> {
    let width = u32::try_from(digits.len())
        .ok()
        .and_then(|length| length.checked_mul(bits_per_digit))
        .filter(|width| *width <= MAX_WIDTH)
        .ok_or_else(|| format!("bit-vectors have at most {MAX_WIDTH} bits"))?;
    BitVec::parse(width, digits, radix).map(Value::BitVec).ok_or_else(|| "malformed constant".to_owned())
}

/// The literal of an integer.
pub(super) fn print_integer(value: &BigInt) -> String {
    if value.is_negative() { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

/// The literal of a rational number.
pub(super) fn print_real(value: &BigRational) -> String {
    let magnitude = value.abs();
    let text = if magnitude.is_integer() {
        format!("{}.0", magnitude.numer())
    } else {
        format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())
    };
    if value.is_negative() { format!("(- {text})") } else { text }
}
