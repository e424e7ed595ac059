//! Declaration specifiers and type names to types.

use super::scope::Entity;
use super::{Check, Checker};
use crate::ast::{BuiltinType, Specifiers, TypeName, TypeSpec};
use crate::parse::BUILTIN_TYPEDEFS;
use crate::source::Span;
use crate::types::{FloatKind, IntKind, MemberSpec, RecordAttributes, TypeId, TypeKind};

impl Checker<'_> {
    /// `__builtin_va_list` as the ABI defines it, and `__uint128_t`.
    pub(super) fn declare_builtin_types(&mut self) {
        let span = Span::default();
        let types = &mut self.program.types;
        let list = if let Some(list) = types.va_list {
            list
        } else if types.model().is_narrow() {
            let char_ = types.int(types.model().char_kind());
            types.pointer(char_)
        } else {
            let (id, record) = types.add_record(Some("__va_list_tag".to_owned()), false, span);
            let int = types.int(IntKind::UnsignedInt);
            let void = types.void();
            let pointer = types.pointer(void);
            let members: Vec<MemberSpec> = [
                ("gp_offset", int),
                ("fp_offset", int),
                ("overflow_arg_area", pointer),
                ("reg_save_area", pointer),
            ]
            .map(|(name, ty)| {
                let name = Some(name.to_owned());
                MemberSpec { name, ty, width: None, alignment: None, packed: false }
            })
            .into();
            types.complete_record(id, &members, RecordAttributes::default());
            types.array(record, 1)
        };
        types.va_list = Some(list);
        let wide = types.int(IntKind::UnsignedInt128);
        for (name, ty) in BUILTIN_TYPEDEFS.into_iter().zip([list, wide]) {
            let symbol = self.symbols.intern(name);
            self.scopes.bind(symbol, Entity::Typedef(ty), span);
        }
    }

    /// The type that specifiers name, with qualifiers. `mode` attributes are the caller's business.
    pub(super) fn specified_type(&mut self, specifiers: &Specifiers) -> Check<TypeId> {
        let ty = match &specifiers.ty {
            TypeSpec::Builtin(builtin) => self.builtin_type(*builtin),
            TypeSpec::Record(record) => self.record_type(record)?,
            TypeSpec::Enum(spec) => self.enum_type(spec)?,
            TypeSpec::Typedef(name) => match self.scopes.lookup(name.symbol).map(|bound| bound.what) {
                Some(Entity::Typedef(ty)) => ty,
                _ => {
                    let text = self.name_text(*name);
                    return self.fail(name.span, format!("unknown type name `{text}`"));
                }
            },
            TypeSpec::TypeofExpr(expr) => {
                let expr = self.typed_only(|this| this.expr(*expr))?;
                self.type_of(expr)
            }
            TypeSpec::TypeofType(name) => self.type_name(name)?,
            TypeSpec::Auto => {
                return self.fail(specifiers.span, "`__auto_type` needs one name with an initialiser");
            }
            TypeSpec::Missing => self.int_type(),
        };
        Ok(self.program.types.qualified(ty, specifiers.qualifiers))
    }

    fn builtin_type(&mut self, builtin: BuiltinType) -> TypeId {
        use BuiltinType as B;
        let model = self.program.types.model();
        let kind = match builtin {
            B::Void => TypeKind::Void,
            B::Bool => TypeKind::Int(IntKind::Bool),
            B::Char => TypeKind::Int(model.char_kind()),
            B::SignedChar => TypeKind::Int(IntKind::SignedChar),
            B::UnsignedChar => TypeKind::Int(IntKind::UnsignedChar),
            B::Short => TypeKind::Int(IntKind::Short),
            B::UnsignedShort => TypeKind::Int(IntKind::UnsignedShort),
            B::Int => TypeKind::Int(IntKind::Int),
            B::UnsignedInt => TypeKind::Int(IntKind::UnsignedInt),
            B::Long => TypeKind::Int(IntKind::Long),
            B::UnsignedLong => TypeKind::Int(IntKind::UnsignedLong),
            B::LongLong => TypeKind::Int(IntKind::LongLong),
            B::UnsignedLongLong => TypeKind::Int(IntKind::UnsignedLongLong),
            B::Int128 => TypeKind::Int(IntKind::Int128),
            B::UnsignedInt128 => TypeKind::Int(IntKind::UnsignedInt128),
            B::Float16 => TypeKind::Float(FloatKind::Half),
            B::Float => TypeKind::Float(FloatKind::Float),
            B::Double => TypeKind::Float(FloatKind::Double),
            B::LongDouble => TypeKind::Float(model.target().long_double),
            B::Float128 => TypeKind::Float(FloatKind::Float128),
            B::ComplexFloat => TypeKind::Complex(FloatKind::Float),
            B::ComplexDouble => TypeKind::Complex(FloatKind::Double),
            B::ComplexLongDouble => TypeKind::Complex(model.target().long_double),
            B::ComplexFloat128 => TypeKind::Complex(FloatKind::Float128),
        };
        self.program.types.intern(kind)
    }

    /// The type in parentheses.
    pub(super) fn type_name(&mut self, name: &TypeName) -> Check<TypeId> {
        let base = self.specified_type(&name.specifiers)?;
        let ty = self.declared_type(base, &name.declarator)?;
        let attributes = self.gather(name.specifiers.attributes.iter().chain(&name.declarator.attributes))?;
        self.apply_attributes(ty, &attributes)
    }
}
