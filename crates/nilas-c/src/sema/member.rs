//! Member access and `offsetof`.

use super::{Check, Checker};
use crate::ast::{self, Name, OffsetofStep};
use crate::source::Span;
use crate::tree::{BinaryOp, ExprId, ExprKind};
use crate::types::{BitRange, RecordId, TypeId, TypeKind};

impl Checker<'_> {
    /// The numbers of the fields on the way to a member, through anonymous structs and unions.
    pub(super) fn member_path(&self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        let types = &self.program.types;
        let layout = types.record(record).layout.as_ref()?;
        if let Some(found) = layout.fields.iter().position(|f| f.name.as_deref() == Some(name)) {
            return Some(vec![found]);
        }
        // Anonymous members are nested only as deep as the source, which the parser bounds.
        for (number, field) in layout.fields.iter().enumerate().filter(|(_, f)| f.name.is_none()) {
            if let Some(inner) = types.as_record(field.ty)
                && let Some(mut path) = self.member_path(inner, name)
            {
                path.insert(0, number);
                return Some(path);
            }
        }
        None
    }

    /// Where a member lies in its outermost struct: offset, bits, type with the qualifiers of the way.
    fn find_member(&mut self, ty: TypeId, member: Name) -> Check<(u64, Option<BitRange>, TypeId)> {
        let shown = self.show(ty);
        let Some(record) = self.program.types.as_record(ty) else {
            return self.fail(member.span, format!("`{shown}` is no struct or union"));
        };
        if self.program.types.record(record).layout.is_none() {
            return self.fail(member.span, format!("a member of the incomplete type `{shown}`"));
        }
        let text = self.name_text(member);
        let Some(path) = self.member_path(record, &text) else {
            return self.fail(member.span, format!("`{shown}` has no member `{text}`"));
        };
        let (mut offset, mut bits, mut current) = (0, None, ty);
        for number in path {
            let Some(record) = self.program.types.as_record(current) else { break };
            let Some(layout) = &self.program.types.record(record).layout else { break };
            let field = &layout.fields[number];
            offset += field.offset;
            bits = field.bits;
            let field_type = field.ty;
            let qualifiers = self.program.types.qualifiers(current);
            current = self.program.types.qualified(field_type, qualifiers);
        }
        Ok((offset, bits, current))
    }

    pub(super) fn member(
        &mut self,
        base: ast::ExprId,
        member: Name,
        arrow: bool,
        span: Span,
    ) -> Check<ExprId> {
        let object = if arrow {
            let pointer = self.value(base)?;
            if self.program.types.pointee(self.type_of(pointer)).is_none() {
                let shown = self.show(self.type_of(pointer));
                return self
                    .fail(member.span, format!("`->` on a value of type `{shown}`, which is no pointer"));
            }
            let at = self.span_of(pointer);
            self.deref(pointer, at)?
        } else {
            self.expr(base)?
        };
        let (offset, bits, ty) = self.find_member(self.type_of(object), member)?;
        let object = self.materialised(object);
        // A member of a member is one step from the outermost object.
        let (base, offset) = match *self.kind_of(object) {
            ExprKind::Member { base, offset: outer, bits: None } => (base, outer + offset),
            _ => (object, offset),
        };
        Ok(self.node(ExprKind::Member { base, offset, bits }, ty, span))
    }

    /// A struct value as an object, in a temporary.
    fn materialised(&mut self, value: ExprId) -> ExprId {
        if self.kind_of(value).is_lvalue() {
            return value;
        }
        let (ty, span) = (self.type_of(value), self.span_of(value));
        let variable = self.temporary("value", ty, span);
        self.node(ExprKind::Materialise { value, variable }, ty, span)
    }

    pub(super) fn offsetof(
        &mut self,
        ty: &ast::TypeName,
        path: &[OffsetofStep],
        span: Span,
    ) -> Check<ExprId> {
        let mut current = self.type_name(ty)?;
        let size_type = self.program.types.size_type();
        let mut known: u64 = 0;
        let mut dynamic: Option<ExprId> = None;
        for step in path {
            match *step {
                OffsetofStep::Member(name) => {
                    let (offset, bits, ty) = self.find_member(current, name)?;
                    if bits.is_some() {
                        return self.fail(name.span, "the offset of a bit-field");
                    }
                    known = known.saturating_add(offset);
                    current = ty;
                }
                OffsetofStep::Index(index) => {
                    let TypeKind::Array(element, _) = *self.program.types.kind(current) else {
                        return self.fail(span, "an index into something that is no array");
                    };
                    let index = self.value(index)?;
                    let at = self.span_of(index);
                    let index = self.convert_assign(index, size_type, "the index")?;
                    let size = self.dynamic_size(element, at)?;
                    let term = self.binary_node(BinaryOp::Mul, index, size, size_type, at);
                    dynamic = Some(match dynamic {
                        Some(sum) => self.binary_node(BinaryOp::Add, sum, term, size_type, at),
                        None => term,
                    });
                    current = element;
                }
            }
        }
        let known = self.int_node(i128::from(known), size_type, span);
        Ok(match dynamic {
            Some(sum) => self.binary_node(BinaryOp::Add, sum, known, size_type, span),
            None => known,
        })
    }
}
