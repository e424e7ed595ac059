//! Values as C writes them, by type: enumerators by name, characters, floats with their suffix, pointers by
//! what they point to. Numbers whose bits matter have their hexadecimal digits beside.

use crate::float;
use crate::library::format_float;
use crate::machine::Machine;
use crate::value::{Pointer, Value};
use nilas_c::types::{FloatKind, IntKind, TypeId, TypeKind};

/// Characters of a string that are shown.
const LONGEST_STRING: usize = 32;

impl Machine<'_> {
    /// A scalar value of a type.
    pub(super) fn show(&self, ty: TypeId, value: &Value, bitwise: bool) -> String {
        let types = &self.program.types;
        match (types.kind(ty), value) {
            (_, Value::Void) => "no value".to_owned(),
            (_, Value::Bytes(_)) => "{…}".to_owned(),
            (TypeKind::Float(kind), value) => float_text(*kind, value.bits()),
            (_, Value::Pointer(pointer)) => self.show_pointer(types.pointee(ty), *pointer),
            (TypeKind::Enum(id), Value::Int(number)) => {
                let constants = &types.enumeration(*id).constants;
                let named = constants.iter().find(|(_, value)| value == number);
                named.map_or_else(|| number.to_string(), |(name, _)| name.clone())
            }
            (_, Value::Int(number)) => match types.int_kind(ty) {
                Some(IntKind::Bool) => (if *number == 0 { "false" } else { "true" }).to_owned(),
                Some(IntKind::Char | IntKind::CharUnsigned) => character(*number),
                Some(kind) if bitwise && !(0..10).contains(number) => {
                    let bits = u32::try_from(8 * kind.size(types.model())).unwrap_or(128);
                    let unsigned = crate::value::wrap(*number, bits, false);
                    format!("{number} ({unsigned:#x})")
                }
                _ => number.to_string(),
            },
            (_, Value::Float(bits)) => format!("{bits:#x}"),
        }
    }

    /// A pointer by what it points to.
    fn show_pointer(&self, pointee: Option<TypeId>, pointer: Pointer) -> String {
        let Some(id) = pointer.provenance else {
            return if pointer.is_null() { "NULL".to_owned() } else { format!("{:#x}", pointer.address) };
        };
        self.pointer_name(id, pointer.address, pointee)
    }
}

/// A `char`.
fn character(number: i128) -> String {
    match u8::try_from(number) {
        Ok(byte @ (b'\0' | b'\n' | b'\r' | b'\t' | b'\'' | b'\\' | b' '..=b'~')) => {
            format!("'{}'", escaped(byte))
        }
        _ => number.to_string(),
    }
}

fn escaped(byte: u8) -> String {
    match byte {
        0 => "\\0".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\'' => "\\'".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        other => format!("\\x{other:02x}"),
    }
}

/// The characters of a string, up to its end.
pub(super) fn string(bytes: &[u8]) -> String {
    let text: Vec<u8> = bytes.iter().copied().take_while(|&byte| byte != 0).collect();
    let shown: String = text
        .iter()
        .take(LONGEST_STRING)
        .map(|&byte| match byte {
            b'\'' => "'".to_owned(),
            b'"' => "\\\"".to_owned(),
            byte => escaped(byte),
        })
        .collect();
    let more = if text.len() > LONGEST_STRING { "…" } else { "" };
    format!("\"{shown}{more}\"")
}

/// A float: the shortest number that is rounded to it, with the suffix of its type.
pub(super) fn float_text(kind: FloatKind, bits: u128) -> String {
    let low = u64::try_from(bits & u128::from(u64::MAX)).unwrap_or(0);
    match kind {
        FloatKind::Float => {
            let value = f32::from_bits(u32::try_from(low & 0xffff_ffff).unwrap_or(0));
            if value.is_finite() { format!("{value:?}f") } else { special(value.into()) }
        }
        FloatKind::Double => {
            let value = f64::from_bits(low);
            if value.is_finite() { format!("{value:?}") } else { special(value) }
        }
        kind => {
            let magnitude = bits & !float::sign_bit(kind);
            match format_float::special(kind, magnitude) {
                Some(_) => format_float::shortest(kind, bits),
                None => format!("{}L", format_float::shortest(kind, bits)),
            }
        }
    }
}

fn special(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{}", if value.is_nan() { "NAN" } else { "INFINITY" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_c() {
        let f = |value: f32| float_text(FloatKind::Float, u128::from(value.to_bits()));
        let d = |value: f64| float_text(FloatKind::Double, u128::from(value.to_bits()));
        assert_eq!([f(0.5), f(-3.0), f(0.1), f(f32::INFINITY)], ["0.5f", "-3.0f", "0.1f", "INFINITY"]);
        assert_eq!([d(0.1), d(1e300), d(f64::NEG_INFINITY)], ["0.1", "1e300", "-INFINITY"]);
        assert_eq!([character(97), character(10), character(-3)], ["'a'", "'\\n'", "-3"]);
        assert_eq!(string(b"a\"b\n\x80\0z"), "\"a\\\"b\\n\\x80\"");
    }
}
