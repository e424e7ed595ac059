//! The attributes with a meaning, gathered from all the places they may stand in.

use super::{Check, Checker};
use crate::ast::{self, AlignAs, Attribute, AttributeKind, Name};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FloatKind, IntKind, MemberSpec, RecordAttributes, TypeId, TypeKind};

/// The priority of constructors and destructors that give none.
const LAST_PRIORITY: u32 = 65535;

/// The tag of the struct that stands for a vector: no struct of a program is called so.
pub(super) const VECTOR: &str = "<vector>";

/// What the attributes of one declaration say.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) packed: bool,
    pub(super) alignment: Option<u64>,
    pub(super) mode: Option<(Symbol, Span)>,
    pub(super) noreturn: bool,
    pub(super) pure: bool,
    pub(super) nonnull: bool,
    pub(super) gnu_inline: bool,
    pub(super) transparent: bool,
    pub(super) cleanup: Option<Name>,
    pub(super) constructor: Option<u32>,
    pub(super) destructor: Option<u32>,
    /// The symbol that this one stands for.
    pub(super) alias: Option<String>,
    pub(super) indirect: bool,
    pub(super) weak: bool,
    /// `vector_size`, in bytes.
    pub(super) vector: Option<(u64, Span)>,
}

impl Checker<'_> {
    pub(super) fn gather<'b>(&mut self, attributes: impl Iterator<Item = &'b Attribute>) -> Check<Gathered> {
        let mut all = Gathered::default();
        for attribute in attributes {
            match attribute.kind {
                AttributeKind::Packed => all.packed = true,
                AttributeKind::Noreturn => all.noreturn = true,
                AttributeKind::Pure => all.pure = true,
                AttributeKind::ReturnsNonnull => all.nonnull = true,
                AttributeKind::GnuInline => all.gnu_inline = true,
                AttributeKind::TransparentUnion => all.transparent = true,
                AttributeKind::Constructor(priority) => all.constructor = Some(self.priority(priority)?),
                AttributeKind::Destructor(priority) => all.destructor = Some(self.priority(priority)?),
                AttributeKind::Alias(ref symbol) => all.alias = Some(symbol.clone()),
                AttributeKind::Ifunc => all.indirect = true,
                AttributeKind::Weak => all.weak = true,
                AttributeKind::WeakReference(ref symbol) => {
                    all.weak = true;
                    if symbol.is_some() {
                        all.alias.clone_from(symbol);
                    }
                }
                AttributeKind::Mode(mode) => all.mode = Some((mode, attribute.span)),
                AttributeKind::Cleanup(function) => all.cleanup = Some(function),
                AttributeKind::VectorSize(size) => {
                    let value = self.value(size)?;
                    match self.constant_int(value).map(u64::try_from) {
                        Some(Ok(bytes)) if bytes.is_power_of_two() && bytes <= 1 << 20 => {
                            all.vector = Some((bytes, attribute.span));
                        }
                        _ => {
                            return self
                                .fail(attribute.span, "the size of a vector is a constant power of two");
                        }
                    }
                }
                AttributeKind::StartSection => {
                    let message = "a section that runs before `main` or after it is not supported: use `constructor` or `destructor`";
                    return self.fail(attribute.span, message);
                }
                AttributeKind::ForeignLayout => {
                    return self.fail(attribute.span, "this layout attribute is not supported");
                }
                AttributeKind::Aligned(None) => {
                    let largest = self.program.types.model().target().largest_alignment;
                    all.alignment = all.alignment.max(Some(largest));
                }
                AttributeKind::Aligned(Some(value)) => {
                    let alignment = self.alignment_value(value)?;
                    all.alignment = all.alignment.max(alignment);
                }
            }
        }
        Ok(all)
    }

    /// The priority of a constructor or destructor; without one it comes last, or first.
    fn priority(&mut self, value: Option<ast::ExprId>) -> Check<u32> {
        let Some(value) = value else { return Ok(LAST_PRIORITY) };
        let value = self.value(value)?;
        let span = self.span_of(value);
        match self.constant_int(value).map(u32::try_from) {
            Some(Ok(priority)) if priority <= LAST_PRIORITY => Ok(priority),
            _ => self.fail(span, "the priority is a constant from 0 to 65535"),
        }
    }

    /// The strongest `_Alignas`.
    pub(super) fn alignas(&mut self, list: &[AlignAs]) -> Check<Option<u64>> {
        let mut strongest = None;
        for one in list {
            let alignment = match one {
                AlignAs::Expr(value) => self.alignment_value(*value)?,
                AlignAs::Type(name) => {
                    let ty = self.type_name(name)?;
                    Some(self.program.types.member_alignment(ty))
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

    /// The attributes that change the type: `mode` and `vector_size`.
    pub(super) fn apply_attributes(&mut self, ty: TypeId, attributes: &Gathered) -> Check<TypeId> {
        let ty = match attributes.mode {
            Some((mode, span)) => self.apply_mode(ty, mode, span)?,
            None => ty,
        };
        Ok(match attributes.vector {
            Some((bytes, span)) => self.vector_type(bytes, span),
            None => ty,
        })
    }

    /// Vectors are opaque: a struct of the right size and alignment, so that declarations that nobody uses
    /// are taken and every operation on them is refused, initialisation by a list included.
    fn vector_type(&mut self, bytes: u64, span: Span) -> TypeId {
        let types = &mut self.program.types;
        let (id, ty) = types.add_record(Some(VECTOR.to_owned()), false, span);
        let byte = types.int(IntKind::UnsignedChar);
        let array = types.array(byte, bytes);
        let name = Some("<elements>".to_owned());
        let member = MemberSpec { name, ty: array, width: None, alignment: Some(bytes), packed: false };
        types.complete_record(id, &[member], RecordAttributes::default());
        ty
    }

    /// Applies `mode(M)`: the same sort of type with another width.
    fn apply_mode(&mut self, ty: TypeId, mode: Symbol, span: Span) -> Check<TypeId> {
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
