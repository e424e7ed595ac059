//! Constants of floating types as C writes them.

use nilas_term::FloatValue;

/// `0.5f`, `1e-7`, `INFINITY`, `NAN`; formats that C has no literal for by their bits.
pub(super) fn constant(value: &FloatValue) -> String {
    let bits = value.bits.to_u64();
    match (value.exponent, value.significand, bits) {
        (8, 24, Some(bits)) => {
            let number = f32::from_bits(bits as u32);
            special(f64::from(number)).unwrap_or_else(|| format!("{number:?}f"))
        }
        (11, 53, Some(bits)) => {
            let number = f64::from_bits(bits);
            special(number).unwrap_or_else(|| format!("{number:?}"))
        }
        _ => format!("float_of_bits(0x{:x})", value.bits.to_big()),
    }
}

fn special(number: f64) -> Option<String> {
    match number {
        _ if number.is_nan() => Some("NAN".to_owned()),
        _ if number.is_infinite() => Some(if number > 0.0 { "INFINITY" } else { "-INFINITY" }.to_owned()),
        _ => None,
    }
}
