//! The constants in witnesses: integers, and floats in decimal or hexadecimal.

use nilas_run::choice::ChoiceType;

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// The value of a choice that it is; `None` if it is none of its type.
    pub(super) fn of(self, ty: ChoiceType) -> Option<i128> {
        match (self, ty) {
            (Number::Int(value), ChoiceType::Float { bits }) => float_bits(value as f64, bits),
            (Number::Float(value), ChoiceType::Float { bits }) => float_bits(value, bits),
            (Number::Int(value), _) => Some(value),
            (Number::Float(_), _) => None,
        }
    }
}

fn float_bits(value: f64, bits: u32) -> Option<i128> {
    match bits {
        32 => Some(i128::from((value as f32).to_bits())),
        64 => Some(i128::from(value.to_bits())),
        _ => None,
    }
}

/// Reads a constant of C.
pub(super) fn read(text: &str) -> Option<Number> {
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
    if !digits.starts_with(|it: char| it.is_ascii_digit() || it == '.') {
        return None;
    }
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    if let Some((mantissa, exponent)) = hexadecimal.and_then(|it| it.split_once(['p', 'P'])) {
        let value = scaled(mantissa, exponent.trim_end_matches(['f', 'F', 'l', 'L']))?;
        return Some(Number::Float(if negative { -value } else { value }));
    }
    let whole = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match hexadecimal {
        Some(_) => i128::from_str_radix(whole.get(2..)?, 16).ok(),
        None if whole.len() > 1 && whole.starts_with('0') => i128::from_str_radix(whole, 8).ok(),
        None => whole.parse().ok(),
    };
    if let Some(value) = value {
        return Some(Number::Int(if negative { -value } else { value }));
    }
    // Words such as `inf` are no constants.
    let plain = digits.chars().all(|it| it.is_ascii_digit() || ".eE+-fFlL".contains(it));
    let value: f64 = digits.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok().filter(|_| plain)?;
    Some(Number::Float(if negative { -value } else { value }))
}

/// `mantissa · 2^exponent`, exact where it is a `double`.
fn scaled(mantissa: &str, exponent: &str) -> Option<f64> {
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let mut exponent: i64 = exponent.parse().ok()?;
    exponent -= 4 * i64::try_from(fraction.len()).ok()?;
    let mut value = digits as f64;
    // Steps by two lose no bit before the last one does.
    let step = if exponent < 0 { 0.5 } else { 2.0 };
    for _ in 0..exponent.unsigned_abs().min(3000) {
        value *= step;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_exactly() {
        let float = |value: f64| Some(Number::Float(value));
        assert_eq!(read("12"), Some(Number::Int(12)));
        assert_eq!(read("-0x10u"), Some(Number::Int(-16)));
        assert_eq!(read("010"), Some(Number::Int(8)));
        assert_eq!(read("0.5"), float(0.5));
        assert_eq!(read("0x18000000000000p-52"), float(1.5));
        assert_eq!(read("-0x1.8p1"), float(-3.0));
        assert_eq!(read("0x1p-1074"), float(f64::from_bits(1)));
        assert_eq!(read("0x1fffffffffffffp971"), float(f64::MAX));
        assert_eq!(read("2.5f"), float(2.5));
        assert_eq!(read("1e3"), float(1000.0));
        assert_eq!(read("0x800000p-23f"), float(1.0));
        for wrong in ["", "x", "inf", "nan", "1 + 2", "--5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(Number::Float(1.0).of(ChoiceType::Float { bits: 32 }), Some(0x3f80_0000));
        assert_eq!(Number::Float(1.0).of(ChoiceType::Int { bits: 32, signed: true, range: None }), None);
    }
}
