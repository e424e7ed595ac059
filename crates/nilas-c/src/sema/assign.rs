//! Assignment, compound assignment, `++` and `--`.

use super::{Check, Checker};
use crate::ast::{self, BinaryOp as Op};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind};
use crate::types::TypeKind;

impl Checker<'_> {
    /// An lvalue that can be assigned to.
    fn target(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        let target = self.expr(expr)?;
        let (ty, span) = (self.type_of(target), self.span_of(target));
        if !self.kind_of(target).is_lvalue() || matches!(self.kind_of(target), ExprKind::Materialise { .. }) {
            return self.fail(span, "this cannot be assigned to: it is no object");
        }
        if matches!(self.program.types.kind(ty), TypeKind::Array(..) | TypeKind::Function(_) | TypeKind::Void)
        {
            let shown = self.show(ty);
            return self.fail(span, format!("an object of type `{shown}` cannot be assigned to"));
        }
        if self.program.types.qualifiers(ty).is_const {
            return self.fail(span, "this object is constant and cannot be assigned to");
        }
        if self.program.types.size_of(ty).is_none() {
            let shown = self.show(ty);
            return self
                .fail(span, format!("an object of the incomplete type `{shown}` cannot be assigned to"));
        }
        Ok(target)
    }

    pub(super) fn assign(
        &mut self,
        op: ast::AssignOp,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let target = self.target(target)?;
        let value = self.value(value)?;
        let ty = self.type_of(target);
        let plain = self.program.types.unqualified(ty);
        match op {
            None => {
                let value = self.convert_assign(value, plain, "the assigned value")?;
                Ok(self.node(ExprKind::Assign { target, value }, plain, span))
            }
            Some(op) => self.update(op, target, value, false, span),
        }
    }

    /// `target = target op value` with the target evaluated once.
    fn update(&mut self, op: Op, target: ExprId, value: ExprId, postfix: bool, span: Span) -> Check<ExprId> {
        let ty = self.type_of(target);
        let plain = self.program.types.unqualified(ty);
        let at = self.span_of(target);
        let old = self.node(ExprKind::Old, plain, at);
        let widened = self.promote_old(old, target);
        let computed = self.binary(op, widened, value, span)?;
        let value = self.convert_assign(computed, plain, "the result")?;
        Ok(self.node(ExprKind::Update { target, old, value, postfix }, plain, span))
    }

    /// The old value of a bit-field is promoted by its width, which [`ExprKind::Old`] does not show.
    fn promote_old(&mut self, old: ExprId, target: ExprId) -> ExprId {
        match *self.kind_of(target) {
            ExprKind::Member { bits: Some(bits), .. } => {
                let ty = self.type_of(old);
                let promoted = self.program.types.promote_bits(ty, bits.width);
                self.note_width(old, bits.width);
                self.convert(old, promoted, self.span_of(old))
            }
            _ => old,
        }
    }

    /// `++` and `--`
    pub(super) fn step(
        &mut self,
        operand: ast::ExprId,
        down: bool,
        postfix: bool,
        span: Span,
    ) -> Check<ExprId> {
        let target = self.target(operand)?;
        if !self.program.types.is_scalar(self.type_of(target)) {
            let shown = self.show(self.type_of(target));
            let sign = if down { "--" } else { "++" };
            return self.fail(span, format!("the operand of `{sign}` has the type `{shown}`"));
        }
        let int = self.int_type();
        let one = self.int_node(1, int, span);
        self.update(if down { Op::Sub } else { Op::Add }, target, one, postfix, span)
    }
}
