//! Chosen values as C writes them.

use nilas_c::tree::Program;
use nilas_c::types::{FloatKind, IntKind, TypeId, TypeKind};

/// A type with the same representation that needs no declaration, as results and parameters have it.
pub(super) fn type_name(tree: &Program, ty: TypeId) -> Option<&'static str> {
    match tree.types.kind(ty) {
        TypeKind::Pointer(_) => return Some("void *"),
        TypeKind::Float(FloatKind::Float) => return Some("float"),
        TypeKind::Float(FloatKind::Double) => return Some("double"),
        _ => {}
    }
    let kind = tree.types.int_kind(ty)?;
    Some(match (kind, kind.size(tree.types.model()), kind.is_signed()) {
        (IntKind::Bool, ..) => "_Bool",
        (_, 1, true) => "signed char",
        (_, 1, false) => "unsigned char",
        (_, 2, true) => "short",
        (_, 2, false) => "unsigned short",
        (_, 4, true) => "int",
        (_, 4, false) => "unsigned",
        (_, 8, true) => "long long",
        (_, 8, false) => "unsigned long long",
        (_, 16, true) => "__int128",
        (_, 16, false) => "unsigned __int128",
        _ => return None,
    })
}

/// A value of a type. Floats are given by their bits; of pointers, only null can be written.
#[must_use]
pub fn literal(tree: &Program, ty: TypeId, value: i128) -> Option<String> {
    match tree.types.kind(ty) {
        TypeKind::Pointer(_) => (value == 0).then(|| "(void *)0".to_owned()),
        TypeKind::Float(kind) => float(*kind, value),
        _ => {
            let kind = tree.types.int_kind(ty)?;
            let bits = u32::try_from(8 * kind.size(tree.types.model())).ok()?;
            Some(int(type_name(tree, ty)?, bits, value))
        }
    }
}

/// An integer; the smallest ones and wide ones have no literal of their own.
fn int(ty: &str, bits: u32, value: i128) -> String {
    match bits {
        128 => {
            let (high, low) = ((value >> 64).cast_unsigned() as u64, value.cast_unsigned() as u64);
            format!("({ty})(((unsigned __int128){high}ULL << 64) | {low}ULL)")
        }
        _ if i32::try_from(value).is_ok_and(|value| value > i32::MIN) => value.to_string(),
        _ if value < 0 => format!("({ty}){:#x}ULL", value.cast_unsigned() as u64),
        _ => format!("({ty}){value}ULL"),
    }
}

/// A float in hexadecimal, which is exact.
fn float(kind: FloatKind, value: i128) -> Option<String> {
    let suffix = match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        _ => return None,
    };
    let (exponent, significand) = kind.format();
    let bits = (value.cast_unsigned() & ((1 << (exponent + significand)) - 1)) as u64;
    let fraction_bits = significand - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let field = (bits >> fraction_bits) & ((1 << exponent) - 1);
    let sign = if bits >> (exponent + fraction_bits) == 1 { "-" } else { "" };
    let bias = (1_i64 << (exponent - 1)) - 1;
    let last = i64::from(fraction_bits);
    let field = i64::try_from(field).ok()?;
    Some(match (field, fraction) {
        (0, 0) => format!("{sign}0.0{suffix}"),
        (field, 0) if field == 2 * bias + 1 => format!("{sign}__builtin_inf{suffix}()"),
        (field, fraction) if field == 2 * bias + 1 => {
            let quiet = 1 << (fraction_bits - 1);
            let signalling = if fraction & quiet == 0 { "s" } else { "" };
            format!("{sign}__builtin_nan{signalling}{suffix}(\"0x{:x}\")", fraction & (quiet - 1))
        }
        (0, fraction) => format!("{sign}0x{fraction:x}p{}{suffix}", 1 - bias - last),
        (field, fraction) => {
            let digits = fraction | (1 << fraction_bits);
            format!("{sign}0x{digits:x}p{}{suffix}", field - bias - last)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_exactly() {
        assert_eq!(int("int", 32, -5), "-5");
        assert_eq!(int("int", 32, i128::from(i32::MIN)), "(int)0xffffffff80000000ULL");
        assert_eq!(int("unsigned", 32, 4_294_967_295), "(unsigned)4294967295ULL");
        let double = |value: f64| float(FloatKind::Double, i128::from(value.to_bits()));
        assert_eq!(double(1.5).as_deref(), Some("0x18000000000000p-52"));
        assert_eq!(double(-0.0).as_deref(), Some("-0.0"));
        assert_eq!(double(f64::INFINITY).as_deref(), Some("__builtin_inf()"));
        let single = |value: f32| float(FloatKind::Float, i128::from(value.to_bits()));
        assert_eq!(single(1.0).as_deref(), Some("0x800000p-23f"));
        assert_eq!(single(f32::NAN).as_deref(), Some("__builtin_nanf(\"0x0\")"));
    }
}
