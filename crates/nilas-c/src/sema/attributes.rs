//! The attributes with a meaning, gathered from all the places they may stand in.

use super::{Check, Checker};
use crate::ast::{self, AlignAs, Attribute, AttributeKind, Name};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FloatKind, IntKind, TypeId, TypeKind};

/// What the attributes of one declaration say.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) packed: bool,
    pub(super) alignment: Option<u64>,
    pub(super) mode: Option<(Symbol, Span)>,
    pub(super) noreturn: bool,
    pub(super) transparent: bool,
    pub(super) cleanup: Option<Name>,
    pub(super) constructor: bool,
    pub(super) destructor: bool,
    pub(super) alias: bool,
}

impl Checker<'_> {
    pub(super) fn gather<'b>(&mut self, attributes: impl Iterator<Item = &'b Attribute>) -> Check<Gathered> {
        let mut all = Gathered::default();
        for attribute in attributes {
            match attribute.kind {
                AttributeKind::Packed => all.packed = true,
                AttributeKind::Noreturn => all.noreturn = true,
                AttributeKind::TransparentUnion => all.transparent = true,
                AttributeKind::Constructor => all.constructor = true,
                AttributeKind::Destructor => all.destructor = true,
                AttributeKind::Alias => all.alias = true,
                AttributeKind::Weak => {}
                AttributeKind::Mode(mode) => all.mode = Some((mode, attribute.span)),
                AttributeKind::Cleanup(function) => all.cleanup = Some(function),
                AttributeKind::VectorSize => {
                    return self.fail(attribute.span, "vector types are not supported");
                }
                AttributeKind::ForeignLayout => {
                    return self.fail(attribute.span, "this layout attribute is not supported");
                }
                AttributeKind::Aligned(None) => all.alignment = all.alignment.max(Some(16)),
                AttributeKind::Aligned(Some(value)) => {
                    let alignment = self.alignment_value(value)?;
                    all.alignment = all.alignment.max(alignment);
                }
            }
        }
        Ok(all)
    }

    /// The strongest `_Alignas`.
    pub(super) fn alignas(&mut self, list: &[AlignAs]) -> Check<Option<u64>> {
        let mut strongest = None;
        for one in list {
            let alignment = match one {
                AlignAs::Expr(value) => self.alignment_value(*value)?,
                AlignAs::Type(name) => {
                    let ty = self.type_name(name)?;
                    Some(self.program.types.align_of(ty))
                }
            };
            strongest = strongest.max(alignment);
        }
        Ok(strongest)
    }

    fn alignment_value(&mut self, value: ast::ExprId) -> Check<Option<u64>> {
        let value = self.value(value)?;
        let span = self.span_of(value);
        match self.constant_int(value).map(u64::try_from) {
            Some(Ok(0)) => Ok(None),
            Some(Ok(n)) if n.is_power_of_two() && n <= 1 << 28 => Ok(Some(n)),
            _ => self.fail(span, "an alignment must be a constant power of two"),
        }
    }

    /// Applies `mode(M)`: the same sort of type with another width.
    pub(super) fn apply_mode(&mut self, ty: TypeId, mode: Symbol, span: Span) -> Check<TypeId> {
        let text = self.text(mode);
        let text = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(text).to_owned();
        let pointer_bytes = self.program.types.model().pointer_size();
        let bytes = match text.as_str() {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" | "SF" | "SC" => 4,
            "DI" | "DF" | "DC" => 8,
            "TI" | "TF" | "TC" => 16,
            "XF" | "XC" => 12,
            "word" | "pointer" | "unwind_word" => pointer_bytes,
            _ => return self.fail(span, format!("unknown machine mode `{text}`")),
        };
        let float = match bytes {
            4 => FloatKind::Float,
            8 => FloatKind::Double,
            12 => FloatKind::LongDouble,
            _ => FloatKind::Float128,
        };
        let kind = match self.program.types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                let signed = self.program.types.int_kind(ty).is_none_or(IntKind::is_signed);
                let kind = match bytes {
                    1 => IntKind::SignedChar,
                    2 => IntKind::Short,
                    4 => IntKind::Int,
                    8 if pointer_bytes == 8 => IntKind::Long,
                    8 => IntKind::LongLong,
                    _ => IntKind::Int128,
                };
                TypeKind::Int(if signed { kind } else { kind.to_unsigned() })
            }
            TypeKind::Float(_) => TypeKind::Float(float),
            TypeKind::Complex(_) => TypeKind::Complex(float),
            TypeKind::Pointer(_) => return Ok(ty),
            _ => return self.fail(span, "a machine mode on a type that has none"),
        };
        let qualifiers = self.program.types.qualifiers(ty);
        let plain = self.program.types.intern(kind);
        Ok(self.program.types.qualified(plain, qualifiers))
    }
}
