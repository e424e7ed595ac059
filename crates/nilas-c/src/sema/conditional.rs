//! `?:`, `_Generic`, `__builtin_choose_expr`.

use super::bit_field::Common;
use super::{Check, Checker};
use crate::ast::{self, GenericArm};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind};
use crate::types::TypeId;

impl Checker<'_> {
    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let Some(then) = then else { return self.omitted_operand(condition, otherwise, span) };
        let condition = self.condition(condition)?;
        let then = self.value(then)?;
        let otherwise = self.value(otherwise)?;
        self.select(condition, then, otherwise, span)
    }

    /// `a ?: b`: `a` is evaluated once, into a temporary.
    fn omitted_operand(&mut self, value: ast::ExprId, otherwise: ast::ExprId, span: Span) -> Check<ExprId> {
        let value = self.value(value)?;
        let at = self.span_of(value);
        if self.as_int(value).is_some() {
            let condition = self.truth(value)?;
            let otherwise = self.value(otherwise)?;
            return self.select(condition, value, otherwise, span);
        }
        let ty = self.promoted_type(value);
        let width = self.odd_width(value);
        let value = self.promote(value);
        let variable = self.temporary("condition", ty, at);
        let target = self.node(ExprKind::Variable(variable), ty, at);
        let assign = self.node(ExprKind::Assign { target, value }, ty, at);
        let condition = self.truth(assign)?;
        let again = self.node(ExprKind::Variable(variable), ty, at);
        let then = self.node(ExprKind::Load(again), ty, at);
        if let Some(width) = width {
            self.note_width(then, width);
        }
        let otherwise = self.value(otherwise)?;
        self.select(condition, then, otherwise, span)
    }

    fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, span: Span) -> Check<ExprId> {
        let common = self.common_type(then, otherwise, span)?;
        let ty = common.ty;
        let (then, otherwise) = (self.convert_common(then, common), self.convert_common(otherwise, common));
        // Only integer constants are chosen here: a constant condition of other values still keeps both
        // branches, which may hold labels.
        if let (Some(value), Some(_), Some(_)) =
            (self.as_int(condition), self.as_int(then), self.as_int(otherwise))
        {
            return Ok(if value != 0 { then } else { otherwise });
        }
        if let Some(value) = self.as_int(condition) {
            let chosen = if value != 0 { then } else { otherwise };
            if self.as_int(chosen).is_some() {
                return Ok(chosen);
            }
        }
        let result = self.node(ExprKind::Conditional { condition, then, otherwise }, ty, span);
        if let Some(bits) = common.bits {
            self.note_width(result, bits);
        }
        Ok(result)
    }

    /// What both values of `c ? a : b` are converted to.
    fn common_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Check<Common> {
        let (a, b) = (self.type_of(then), self.type_of(otherwise));
        if self.program.types.is_arithmetic(a)
            && self.program.types.is_arithmetic(b)
            && let Some(common) = self.common_arithmetic(then, otherwise)
        {
            return Ok(common);
        }
        Ok(Common { ty: self.common_other_type(then, otherwise, span)?, bits: None })
    }

    /// The type of `c ? a : b` where the values are not both arithmetic (C11 6.5.15).
    fn common_other_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Check<TypeId> {
        let (a, b) = (self.type_of(then), self.type_of(otherwise));
        let types = &self.program.types;
        if types.is_void(a) || types.is_void(b) {
            return Ok(self.program.types.void());
        }
        match (types.pointee(a), types.pointee(b)) {
            (Some(_), Some(_)) if self.is_null_constant(otherwise) => return Ok(a),
            (Some(_), Some(_)) if self.is_null_constant(then) => return Ok(b),
            (Some(x), Some(y)) => return Ok(self.common_pointer(x, y, a, b)),
            (Some(_), None) if types.int_kind(b).is_some() => return Ok(a),
            (None, Some(_)) if types.int_kind(a).is_some() => return Ok(b),
            _ => {}
        }
        if types.compatible_unqualified(a, b) {
            return Ok(a);
        }
        let (a, b) = (self.show(a), self.show(b));
        self.fail(span, format!("the two values of `?:` have the types `{a}` and `{b}`"))
    }

    fn common_pointer(&mut self, x: TypeId, y: TypeId, a: TypeId, b: TypeId) -> TypeId {
        let types = &mut self.program.types;
        let qualifiers = types.qualifiers(x).union(types.qualifiers(y));
        if types.compatible_unqualified(x, y) {
            let (plain_x, plain_y) = (types.unqualified(x), types.unqualified(y));
            let to = types.composite(plain_x, plain_y);
            let to = types.qualified(to, qualifiers);
            return types.pointer(to);
        }
        // One is `void *`, or GCC would warn and take `void *`.
        let _ = (a, b);
        let void = types.void();
        let to = types.qualified(void, qualifiers);
        types.pointer(to)
    }

    pub(super) fn generic(&mut self, control: ast::ExprId, arms: &[GenericArm], span: Span) -> Check<ExprId> {
        let control = self.typed_only(|this| this.value(control))?;
        let ty = self.type_of(control);
        let mut default = None;
        for arm in arms {
            match &arm.ty {
                None => default = Some(arm.value),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    if self.program.types.compatible(ty, candidate) {
                        return self.expr(arm.value);
                    }
                }
            }
        }
        match default {
            Some(value) => self.expr(value),
            None => {
                let shown = self.show(ty);
                self.fail(span, format!("no arm of `_Generic` fits the type `{shown}`"))
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        condition: ast::ExprId,
        then: ast::ExprId,
        otherwise: ast::ExprId,
    ) -> Check<ExprId> {
        let condition = self.value(condition)?;
        let span = self.span_of(condition);
        match self.constant_int(condition) {
            Some(0) => self.expr(otherwise),
            Some(_) => self.expr(then),
            None => self.fail(span, "the condition of `__builtin_choose_expr` must be constant"),
        }
    }
}
