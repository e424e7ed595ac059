//! `sizeof`, `_Alignof`, `__builtin_types_compatible_p`.

use super::{Check, Checker};
use crate::ast;
use crate::source::Span;
use crate::tree::{Conversion, ExprId, ExprKind};
use crate::types::TypeId;

impl Checker<'_> {
    pub(super) fn sizeof_expr(&mut self, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let waiting = std::mem::take(&mut self.pending);
        let operand = self.expr(operand)?;
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
        let operand = self.expr(operand)?;
        let declared = match *self.kind_of(operand) {
            ExprKind::Variable(variable) => self.program.variables[variable].alignment,
            _ => None,
        };
        let alignment = self.program.types.align_of(self.type_of(operand)).max(declared.unwrap_or(1));
        let size_type = self.program.types.size_type();
        Ok(self.int_node(i128::from(alignment), size_type, span))
    }

    pub(super) fn alignof_type(&mut self, name: &ast::TypeName, span: Span) -> Check<ExprId> {
        let ty = self.type_name(name)?;
        let alignment = self.program.types.align_of(ty);
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
