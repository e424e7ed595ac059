//! Unary operators.

use super::{Check, Checker};
use crate::ast::{self, UnaryOp as Op};
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, UnaryOp};
use crate::types::TypeKind;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: Op, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        match op {
            Op::Plus | Op::Minus | Op::BitNot => self.arithmetic_unary(op, operand, span),
            Op::Not => {
                let condition = self.condition(operand)?;
                let int = self.int_type();
                if let Some(value) = self.as_int(condition) {
                    return Ok(self.int_node(i128::from(value == 0), int, span));
                }
                Ok(self.node(ExprKind::Not(condition), int, span))
            }
            Op::Deref => {
                let pointer = self.value(operand)?;
                self.deref(pointer, span)
            }
            Op::AddressOf => self.address_of(operand, span),
            Op::PreIncrement => self.step(operand, false, false, span),
            Op::PreDecrement => self.step(operand, true, false, span),
            Op::PostIncrement => self.step(operand, false, true, span),
            Op::PostDecrement => self.step(operand, true, true, span),
            Op::Real | Op::Imag => self.fail(span, "complex numbers are not supported"),
        }
    }

    fn arithmetic_unary(&mut self, op: Op, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let value = self.value(operand)?;
        let ty = self.type_of(value);
        let fits = match op {
            Op::BitNot => self.program.types.int_kind(ty).is_some(),
            _ => self.program.types.is_arithmetic(ty),
        };
        if !fits {
            let shown = self.show(ty);
            let sign = match op {
                Op::Plus => "+",
                Op::Minus => "-",
                _ => "~",
            };
            return self.fail(span, format!("the operand of `{sign}` has the type `{shown}`"));
        }
        let value = self.promote(value);
        let (ty, width) = (self.type_of(value), self.odd_width(value));
        let op = match op {
            Op::Minus => UnaryOp::Negate,
            Op::BitNot => UnaryOp::BitNot,
            _ => return Ok(value),
        };
        let result = self.unary_node(op, value, ty, span);
        Ok(self.cut_result(result, width))
    }

    /// What a pointer value points to.
    pub(super) fn deref(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let Some(to) = self.program.types.pointee(self.type_of(pointer)) else {
            let shown = self.show(self.type_of(pointer));
            return self.fail(span, format!("a value of type `{shown}` cannot be dereferenced"));
        };
        // `*f` and `*&x` are `f` and `x`.
        if let ExprKind::FunctionDecay(inner) | ExprKind::AddressOf(inner) = *self.kind_of(pointer) {
            return Ok(inner);
        }
        Ok(self.node(ExprKind::Deref(pointer), to, span))
    }

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        let object = self.expr(operand)?;
        let ty = self.type_of(object);
        if matches!(self.program.types.kind(ty), TypeKind::Function(_)) {
            return self.rvalue(object);
        }
        match *self.kind_of(object) {
            ExprKind::Member { bits: Some(_), .. } => return self.fail(span, "the address of a bit-field"),
            // `&*p` is `p`, even if `p` is null.
            ExprKind::Deref(pointer) => {
                return Ok(pointer);
            }
            _ if !self.kind_of(object).is_lvalue() => {
                return self.fail(span, "the operand of `&` is no object");
            }
            _ => {}
        }
        let pointer = self.program.types.pointer(ty);
        let address = self.node(ExprKind::AddressOf(object), pointer, span);
        Ok(self.fold_absolute_address(address, object))
    }
}
