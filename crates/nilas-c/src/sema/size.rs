//! `sizeof`, `_Alignof`, `__builtin_types_compatible_p`.

use super::{Check, Checker};
use crate::ast;
use crate::source::Span;
use crate::tree::{Conversion, ExprId, ExprKind};
use crate::types::TypeId;

impl Checker<'_> {
    pub(super) fn sizeof_expr(&mut self, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let waiting = std::mem::take(&mut self.pending);
        let operand = self.typed_only(|this| this.expr(operand))?;
        self.pending = waiting;
        if matches!(self.kind_of(operand), ExprKind::Member { bits: Some(_), .. }) {
            return self.fail(span, "the size of a bit-field");
        }
        let ty = self.type_of(operand);
        let size = self.size_value(ty, span)?;
        // The operand is evaluated only if its type has a variable length, and it has effects then.
        if self.program.types.is_variable_length(ty)
            && !matches!(self.kind_of(operand), ExprKind::Variable(_))
        {
            let void = self.program.types.void();
            let dropped = ExprKind::Convert { conversion: Conversion::ToVoid, operand };
            let dropped = self.node(dropped, void, span);
            let size_type = self.type_of(size);
            return Ok(self.node(ExprKind::Comma(dropped, size), size_type, span));
        }
        Ok(size)
    }

    pub(super) fn sizeof_type(&mut self, name: &ast::TypeName, span: Span) -> Check<ExprId> {
        let waiting = std::mem::take(&mut self.pending);
        let ty = self.type_name(name);
        let lengths = std::mem::replace(&mut self.pending, waiting);
        let size = self.size_value(ty?, span)?;
        Ok(self.after_lengths(lengths, size))
    }

    fn size_value(&mut self, ty: TypeId, span: Span) -> Check<ExprId> {
        self.dynamic_size(ty, span)
    }

    pub(super) fn alignof_expr(&mut self, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let operand = self.typed_only(|this| this.expr(operand))?;
        let of_type = self.program.types.align_of(self.type_of(operand));
        let alignment = match *self.kind_of(operand) {
            ExprKind::Variable(variable) => {
                self.program.variables[variable].alignment.map_or(of_type, |declared| declared.max(of_type))
            }
            // A member has the alignment that it got in its struct.
            ExprKind::Member { base, offset, bits: None } => {
                let (whole, ty) = (self.type_of(base), self.type_of(operand));
                self.alignment_of_member(whole, offset, ty).unwrap_or(of_type)
            }
            _ => of_type,
        };
        let size_type = self.program.types.size_type();
        Ok(self.int_node(i128::from(alignment), size_type, span))
    }

    /// The alignment of the member of type `ty` at an offset, also of an anonymous member.
    fn alignment_of_member(&self, whole: TypeId, offset: u64, ty: TypeId) -> Option<u64> {
        let types = &self.program.types;
        let layout = types.record(types.as_record(whole)?).layout.as_ref()?;
        layout.fields.iter().filter(|field| field.bits.is_none()).find_map(|field| match field.name {
            None => self.alignment_of_member(field.ty, offset.checked_sub(field.offset)?, ty),
            // The member has the qualifiers of the whole as well.
            Some(_) if field.offset == offset && types.compatible_unqualified(field.ty, ty) => {
                Some(field.alignment)
            }
            Some(_) => None,
        })
    }

    pub(super) fn alignof_type(
        &mut self,
        name: &ast::TypeName,
        preferred: bool,
        span: Span,
    ) -> Check<ExprId> {
        let ty = self.type_name(name)?;
        let types = &self.program.types;
        let alignment = if preferred { types.align_of(ty) } else { types.member_alignment(ty) };
        let size_type = self.program.types.size_type();
        Ok(self.int_node(i128::from(alignment), size_type, span))
    }

    pub(super) fn types_compatible(
        &mut self,
        a: &ast::TypeName,
        b: &ast::TypeName,
        span: Span,
    ) -> Check<ExprId> {
        let (a, b) = (self.type_name(a)?, self.type_name(b)?);
        let int = self.int_type();
        let answer = self.program.types.compatible_unqualified(a, b);
        Ok(self.int_node(i128::from(answer), int, span))
    }
}
