//! Struct, union and enum specifiers.

use super::scope::{Entity, Tag};
use super::{Check, Checker};
use crate::ast::{EnumSpec, MemberDeclarator, MemberGroup, RecordSpec, Specifiers, TypeSpec};
use crate::source::{Diagnostic, Span};
use crate::types::{ArrayLength, IntKind, MemberSpec, RecordAttributes, RecordId, TypeId, TypeKind};
use std::collections::HashSet;

impl Checker<'_> {
    pub(super) fn record_type(&mut self, spec: &RecordSpec) -> Check<TypeId> {
        let (id, ty) = self.record_entry(spec)?;
        let Some(groups) = &spec.members else { return Ok(ty) };
        if self.program.types.record(id).layout.is_some() {
            let first = self.program.types.record(id).span;
            let error =
                Diagnostic::error(spec.span, "this type is defined twice").with_note(first, "first here");
            return Err(self.report(error));
        }
        let attributes = self.gather(spec.attributes.iter())?;
        let mut members = Vec::new();
        for group in groups {
            match group {
                MemberGroup::StaticAssert(assertion) => self.static_assert(assertion)?,
                MemberGroup::Members(specifiers, declarators) => {
                    self.member_group(specifiers, declarators, &mut members)?;
                }
            }
        }
        self.check_members(&members, spec)?;
        // A definition inside its own member list completes the same type twice.
        if self.program.types.record(id).layout.is_some() {
            return self.fail(spec.span, "this type is defined inside itself");
        }
        let record_attributes = RecordAttributes {
            packed: attributes.packed,
            alignment: attributes.alignment,
            pack: spec.pack.map(u64::from),
        };
        self.program.types.complete_record(id, &members, record_attributes);
        let record = self.program.types.record_mut(id);
        record.transparent |= attributes.transparent;
        record.span = spec.span;
        if self.program.types.size_of(ty).is_none() {
            return self.fail(spec.span, "the type is larger than the address space");
        }
        Ok(ty)
    }

    /// The record that a specifier names, made if it is new.
    fn record_entry(&mut self, spec: &RecordSpec) -> Check<(RecordId, TypeId)> {
        let Some(tag) = spec.tag else {
            return Ok(self.program.types.add_record(None, spec.is_union, spec.span));
        };
        let defines = spec.members.is_some();
        let found = if defines {
            self.scopes.lookup_tag_here(tag.symbol)
        } else {
            self.scopes.lookup_tag(tag.symbol)
        };
        match found.map(|bound| (bound.what, bound.span)) {
            Some((Tag::Record(id, ty), _)) if self.program.types.record(id).is_union == spec.is_union => {
                Ok((id, ty))
            }
            Some((_, first)) => {
                let text = self.name_text(tag);
                let error = Diagnostic::error(tag.span, format!("`{text}` is another kind of tag"));
                Err(self.report(error.with_note(first, "declared here")))
            }
            None => {
                let text = self.name_text(tag);
                let (id, ty) = self.program.types.add_record(Some(text), spec.is_union, tag.span);
                self.scopes.bind_tag(tag.symbol, Tag::Record(id, ty), tag.span);
                Ok((id, ty))
            }
        }
    }

    fn member_group(
        &mut self,
        specifiers: &Specifiers,
        declarators: &[MemberDeclarator],
        members: &mut Vec<MemberSpec>,
    ) -> Check<()> {
        let base = self.specified_type(specifiers)?;
        let common = self.gather(specifiers.attributes.iter())?;
        let alignas = self.alignas(&specifiers.alignas)?;
        if declarators.is_empty() {
            // An anonymous struct or union, or (with `-fms-extensions` only) a tagged one; else a mere
            // declaration.
            let anonymous = matches!(&specifiers.ty, TypeSpec::Record(r) if r.tag.is_none());
            if anonymous {
                let alignment = alignas.max(common.alignment);
                members.push(MemberSpec {
                    name: None,
                    ty: base,
                    width: None,
                    alignment,
                    packed: common.packed,
                });
            }
            return Ok(());
        }
        for declarator in declarators {
            let ty = self.declared_type(base, &declarator.declarator)?;
            let mut own =
                self.gather(declarator.attributes.iter().chain(&declarator.declarator.attributes))?;
            own.mode = own.mode.or(common.mode);
            own.vector = own.vector.or(common.vector);
            let ty = self.apply_attributes(ty, &own)?;
            let span = declarator.declarator.name.map_or(declarator.declarator.span, |n| n.span);
            let width = match declarator.width {
                None => None,
                Some(width) => {
                    let named = declarator.declarator.name.is_some();
                    Some(self.bit_width(width, ty, named, span)?)
                }
            };
            if self.program.types.is_variable_length(ty) {
                return self.fail(span, "a member of variable length");
            }
            members.push(MemberSpec {
                name: declarator.declarator.name.map(|n| self.name_text(n)),
                ty,
                width,
                alignment: alignas.max(common.alignment).max(own.alignment),
                packed: common.packed || own.packed,
            });
        }
        Ok(())
    }

    fn bit_width(&mut self, width: crate::ast::ExprId, ty: TypeId, named: bool, span: Span) -> Check<u32> {
        let value = self.value(width)?;
        let Some(kind) = self.program.types.int_kind(ty) else {
            let shown = self.show(ty);
            return self.fail(span, format!("a bit-field of type `{shown}`"));
        };
        let at = self.span_of(value);
        let Some(width) = self.constant_int(value) else {
            return self.fail(at, "the width of a bit-field must be constant");
        };
        let model = self.program.types.model();
        let limit = if kind == IntKind::Bool { 1 } else { kind.value_bits(model) };
        match u32::try_from(width) {
            Ok(0) if named => self.fail(at, "a bit-field with a name has a width of at least 1"),
            Ok(width) if width <= limit => Ok(width),
            _ => self.fail(at, format!("the width {width} does not fit the type, which has {limit} bits")),
        }
    }

    /// Members are complete objects with different names; only the last may be an array without length.
    fn check_members(&mut self, members: &[MemberSpec], spec: &RecordSpec) -> Check<()> {
        let mut names = HashSet::new();
        for (i, member) in members.iter().enumerate() {
            let shown = member.name.as_deref().unwrap_or("<anonymous>");
            if let Some(name) = &member.name
                && !names.insert(name.as_str())
            {
                return self.fail(spec.span, format!("two members are called `{name}`"));
            }
            let flexible =
                matches!(self.program.types.kind(member.ty), TypeKind::Array(_, ArrayLength::Unknown))
                    && (i + 1 == members.len() || spec.is_union);
            if matches!(self.program.types.kind(member.ty), TypeKind::Function(_) | TypeKind::Void)
                || (self.program.types.size_of(member.ty).is_none() && !flexible)
            {
                let ty = self.show(member.ty);
                return self.fail(spec.span, format!("the member `{shown}` has the incomplete type `{ty}`"));
            }
        }
        Ok(())
    }

    pub(super) fn enum_type(&mut self, spec: &EnumSpec) -> Check<TypeId> {
        let found = spec.tag.and_then(|tag| {
            if spec.enumerators.is_some() {
                self.scopes.lookup_tag_here(tag.symbol)
            } else {
                self.scopes.lookup_tag(tag.symbol)
            }
        });
        let (id, ty) = match found.map(|bound| bound.what) {
            Some(Tag::Enum(id, ty)) => (id, ty),
            Some(Tag::Record(..)) => return self.fail(spec.span, "this tag is a struct or union"),
            None => {
                let text = spec.tag.map(|tag| self.name_text(tag));
                let (id, ty) = self.program.types.add_enum(text, spec.span);
                if let Some(tag) = spec.tag {
                    self.scopes.bind_tag(tag.symbol, Tag::Enum(id, ty), tag.span);
                }
                (id, ty)
            }
        };
        let Some(enumerators) = &spec.enumerators else { return Ok(ty) };
        if self.program.types.enumeration(id).complete {
            return self.fail(spec.span, "this enumeration is defined twice");
        }
        let attributes = self.gather(spec.attributes.iter())?;
        let int = self.int_type();
        let mut next: i128 = 0;
        let mut constants = Vec::new();
        for enumerator in enumerators {
            if let Some(value) = enumerator.value {
                let value = self.value(value)?;
                let span = self.span_of(value);
                next = match self.constant_int(value) {
                    Some(value) => value,
                    None => return self.fail(span, "the value of an enumeration constant must be constant"),
                };
            }
            let text = self.name_text(enumerator.name);
            if let Some(bound) = self.scopes.lookup_here(enumerator.name.symbol) {
                let error = Diagnostic::error(enumerator.name.span, format!("`{text}` is declared twice"));
                return Err(self.report(error.with_note(bound.span, "first here")));
            }
            // Until the whole list is known, a constant is an int, or as wide as it needs to be.
            let own = if i32::try_from(next).is_ok() { int } else { self.wide_constant_type(next) };
            self.scopes.bind(enumerator.name.symbol, Entity::Constant(next, own), enumerator.name.span);
            constants.push((text, next));
            next = next.wrapping_add(1);
        }
        let kind = enum_int_kind(&constants, attributes.packed, self.program.types.model());
        let enumeration = self.program.types.enumeration_mut(id);
        enumeration.int = kind;
        enumeration.complete = true;
        enumeration.constants = constants;
        Ok(ty)
    }

    fn wide_constant_type(&mut self, value: i128) -> TypeId {
        let model = self.program.types.model();
        let kinds = [IntKind::UnsignedInt, IntKind::Long, IntKind::UnsignedLong, IntKind::LongLong];
        let kind = kinds.into_iter().find(|k| k.wrap(value, model) == value);
        self.program.types.int(kind.unwrap_or(IntKind::UnsignedLongLong))
    }
}

/// The integer type that GCC chooses for an enumeration.
fn enum_int_kind(constants: &[(String, i128)], packed: bool, model: crate::types::DataModel) -> IntKind {
    let fits = |kind: &IntKind| constants.iter().all(|(_, value)| kind.wrap(*value, model) == *value);
    let narrow = [IntKind::UnsignedChar, IntKind::SignedChar, IntKind::UnsignedShort, IntKind::Short];
    let wide = [
        IntKind::UnsignedInt,
        IntKind::Int,
        IntKind::UnsignedLong,
        IntKind::Long,
        IntKind::UnsignedLongLong,
        IntKind::LongLong,
    ];
    let narrow = narrow.into_iter().filter(|_| packed || model.target().short_enums);
    narrow.chain(wide).find(fits).unwrap_or(IntKind::LongLong)
}
