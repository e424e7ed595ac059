//! Integer and floating constants, kept exactly.

use num_bigint::BigUint;

/// An integer constant. Its type depends on the data model and is found by the type checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntLiteral {
    /// The value.
    pub value: u128,
    /// Written in base ten: then it never becomes unsigned without a suffix.
    pub decimal: bool,
    /// Has a `u` suffix.
    pub unsigned: bool,
    /// Number of `l`s in the suffix: 0, 1 or 2.
    pub long: u8,
    /// Has the GNU suffix `i` or `j`.
    pub imaginary: bool,
}

/// The type that a floating constant's suffix names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatSuffix {
    /// `f` or `f32`.
    Float,
    /// None, `f64` or `f32x`.
    Double,
    /// `l`, `w` or `f64x`.
    LongDouble,
    /// `q` or `f128`.
    Float128,
}

/// A floating constant, exactly: `digits · base^exponent`, with base 10, or 2 if `hexadecimal`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FloatLiteral {
    /// The source text, without line continuations.
    pub text: String,
    /// All digits as one integer.
    pub digits: BigUint,
    /// The power of the base. Exponents beyond ±2^40 are cut to that: the value is zero or infinite anyway.
    pub exponent: i64,
    /// Written as a hexadecimal constant: the base is 2.
    pub hexadecimal: bool,
    /// The type.
    pub suffix: FloatSuffix,
    /// Has the GNU suffix `i` or `j`.
    pub imaginary: bool,
}

/// A number of either sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Int(IntLiteral),
    Float(FloatLiteral),
}

const EXPONENT_LIMIT: i64 = 1 << 40;

/// Reads a preprocessing number.
pub(super) fn parse(text: &str) -> Result<Number, String> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let binary = lower.starts_with("0b");
    let is_float =
        if hexadecimal { lower.contains(['.', 'p']) } else { !binary && lower.contains(['.', 'e']) };
    if is_float {
        parse_float(text, &lower, hexadecimal)
    } else {
        parse_int(text, &lower, hexadecimal, binary)
    }
}

fn parse_int(text: &str, lower: &str, hexadecimal: bool, binary: bool) -> Result<Number, String> {
    let (base, body) = if hexadecimal {
        (16, &lower[2..])
    } else if binary {
        (2, &lower[2..])
    } else if lower.starts_with('0') {
        (8, lower)
    } else {
        (10, lower)
    };
    let digits = body.find(|c: char| !(c.is_ascii_digit() || base == 16 && c.is_ascii_hexdigit()));
    let (digits, mut suffix) = body.split_at(digits.unwrap_or(body.len()));
    if base == 10 && matches!(suffix, "f" | "l" | "w" | "q") && suffix != "l" {
        return Err(format!("invalid suffix `{suffix}` on the integer constant `{text}`"));
    }
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let mut value: u128 = 0;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(base) else {
            return Err(format!("invalid digit `{c}` in the constant `{text}`"));
        };
        let next = value.checked_mul(u128::from(base)).and_then(|v| v.checked_add(u128::from(digit)));
        value = next.ok_or_else(|| format!("the integer constant `{text}` is too large"))?;
    }
    let (mut unsigned, mut long, mut imaginary) = (false, 0, false);
    while !suffix.is_empty() {
        if !unsigned && suffix.starts_with('u') {
            unsigned = true;
            suffix = &suffix[1..];
        } else if long == 0 && suffix.starts_with("ll") {
            long = 2;
            suffix = &suffix[2..];
        } else if long == 0 && suffix.starts_with('l') {
            long = 1;
            suffix = &suffix[1..];
        } else if !imaginary && suffix.starts_with(['i', 'j']) {
            imaginary = true;
            suffix = &suffix[1..];
        } else {
            return Err(format!("invalid suffix `{suffix}` on the integer constant `{text}`"));
        }
    }
    Ok(Number::Int(IntLiteral { value, decimal: base == 10, unsigned, long, imaginary }))
}

fn parse_float(text: &str, lower: &str, hexadecimal: bool) -> Result<Number, String> {
    let body = if hexadecimal { &lower[2..] } else { lower };
    let base = if hexadecimal { 16 } else { 10 };
    let mut digits = String::new();
    let mut fraction: i64 = 0;
    let mut rest = body;
    let mut after_dot = false;
    while let Some(c) = rest.chars().next() {
        if c == '.' && !after_dot {
            after_dot = true;
        } else if c.is_digit(base) {
            digits.push(c);
            fraction += i64::from(after_dot);
        } else {
            break;
        }
        rest = &rest[1..];
    }
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let mut exponent: i64 = 0;
    if let Some(after) = rest.strip_prefix(if hexadecimal { 'p' } else { 'e' }) {
        let (negative, after) = match after.as_bytes().first() {
            Some(b'-') => (true, &after[1..]),
            Some(b'+') => (false, &after[1..]),
            _ => (false, after),
        };
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if end == 0 {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        let size = after[..end].parse::<i64>().unwrap_or(i64::MAX).min(EXPONENT_LIMIT);
        exponent = if negative { -size } else { size };
        rest = &after[end..];
    } else if hexadecimal {
        return Err(format!("the hexadecimal floating constant `{text}` needs an exponent"));
    }
    let (suffix, imaginary) = match rest.strip_suffix(['i', 'j']) {
        Some(shorter) => (shorter, true),
        None => (rest, false),
    };
    let suffix = match suffix {
        "" | "f64" | "f32x" | "d" => FloatSuffix::Double,
        "f" | "f32" => FloatSuffix::Float,
        "l" | "w" | "f64x" => FloatSuffix::LongDouble,
        "q" | "f128" => FloatSuffix::Float128,
        _ => return Err(format!("invalid suffix `{suffix}` on the floating constant `{text}`")),
    };
    let exponent = exponent - if hexadecimal { 4 * fraction } else { fraction };
    let digits = BigUint::parse_bytes(digits.as_bytes(), base).unwrap_or_default();
    let text = text.to_owned();
    Ok(Number::Float(FloatLiteral { text, digits, exponent, hexadecimal, suffix, imaginary }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (u128, bool, u8) {
        match parse(text) {
            Ok(Number::Int(i)) => (i.value, i.unsigned, i.long),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn float(text: &str) -> (String, i64, bool, FloatSuffix) {
        match parse(text) {
            Ok(Number::Float(f)) => (f.digits.to_string(), f.exponent, f.hexadecimal, f.suffix),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(int("0"), (0, false, 0));
        assert_eq!(int("0777uLL"), (0o777, true, 2));
        assert_eq!(int("0xfFLu"), (255, true, 1));
        assert_eq!(int("0b101"), (5, false, 0));
        assert_eq!(int("18446744073709551615"), (u128::from(u64::MAX), false, 0));
        for bad in ["08", "0x", "12abc", "1f", "0b2", "1lul", "999999999999999999999999999999999999999999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(float("1.50"), ("150".into(), -2, false, FloatSuffix::Double));
        assert_eq!(float(".5e-3f"), ("5".into(), -4, false, FloatSuffix::Float));
        assert_eq!(float("1e10L"), ("1".into(), 10, false, FloatSuffix::LongDouble));
        assert_eq!(float("0x1.8p1"), ("24".into(), -3, true, FloatSuffix::Double));
        assert_eq!(float("1.0Q"), ("10".into(), -1, false, FloatSuffix::Float128));
        assert_eq!(float("1e99999999999999999999").1, 1 << 40);
        for bad in ["1e", "0x1.8", "1.0xyz", "1.2.3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
