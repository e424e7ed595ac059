//! Integer promotions and the usual arithmetic conversions (C11 6.3.1).

use super::{FloatKind, IntKind, TypeId, TypeTable};

impl TypeTable {
    /// What an integer type is promoted to; other types stay, without qualifiers.
    pub fn promote(&mut self, ty: TypeId) -> TypeId {
        match self.int_kind(ty) {
            Some(kind) => {
                let promoted = promote_int(kind);
                self.int(promoted)
            }
            None => self.unqualified(ty),
        }
    }

    /// What a bit-field of this type and width is promoted to. A field wider than `int` keeps its
    /// declared type, of which only so many bits count (`sema/bit_field.rs`).
    pub fn promote_bits(&mut self, ty: TypeId, width: u32) -> TypeId {
        let Some(kind) = self.int_kind(ty) else { return ty };
        let promoted = if width < 32 || (width == 32 && kind.is_signed()) {
            IntKind::Int
        } else if width == 32 {
            IntKind::UnsignedInt
        } else {
            kind
        };
        self.int(promoted)
    }

    /// The common type of two arithmetic types.
    pub fn usual_conversion(&mut self, a: TypeId, b: TypeId) -> Option<TypeId> {
        match (self.float_kind(a), self.float_kind(b)) {
            (Some(x), Some(y)) => return Some(self.float(x.max(y))),
            (Some(x), None) if self.is_arithmetic(b) => return Some(self.float(x)),
            (None, Some(y)) if self.is_arithmetic(a) => return Some(self.float(y)),
            _ => {}
        }
        let kind = common_int(promote_int(self.int_kind(a)?), promote_int(self.int_kind(b)?), |k| {
            k.value_bits(self.model())
        });
        Some(self.int(kind))
    }

    /// The default argument promotions: integers as always, `float` to `double`.
    pub fn default_promotion(&mut self, ty: TypeId) -> TypeId {
        match self.float_kind(ty) {
            Some(FloatKind::Float) => self.float(FloatKind::Double),
            _ => self.promote(ty),
        }
    }
}

fn promote_int(kind: IntKind) -> IntKind {
    if kind.rank() < IntKind::Int.rank() { IntKind::Int } else { kind }
}

fn common_int(a: IntKind, b: IntKind, bits: impl Fn(IntKind) -> u32) -> IntKind {
    if a.is_signed() == b.is_signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if bits(signed) > bits(unsigned) {
        signed
    } else {
        signed.to_unsigned()
    }
}
