//! Conversions, made explicit.

use super::attributes::VECTOR;
use super::bit_field::Common;
use super::{Check, Checker};
use crate::ast;
use crate::source::Span;
use crate::tree::{Conversion, ExprId, ExprKind};
use crate::types::{IntKind, TypeId, TypeKind};

/// The sorts of types that conversions distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Void,
    Bool,
    Int,
    Float,
    Pointer,
    Other,
}

impl Checker<'_> {
    fn sort(&self, ty: TypeId) -> Sort {
        match self.program.types.kind(ty) {
            TypeKind::Void => Sort::Void,
            TypeKind::Int(IntKind::Bool) => Sort::Bool,
            TypeKind::Int(_) => Sort::Int,
            TypeKind::Enum(id) if self.program.types.enumeration(*id).int == IntKind::Bool => Sort::Bool,
            TypeKind::Enum(_) => Sort::Int,
            TypeKind::Float(_) => Sort::Float,
            TypeKind::Pointer(_) => Sort::Pointer,
            _ => Sort::Other,
        }
    }

    /// Checks an expression and makes it a value.
    pub(super) fn value(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        let expr = self.expr(expr)?;
        self.rvalue(expr)
    }

    /// Lvalue to value, array and function to pointer.
    pub(super) fn rvalue(&mut self, expr: ExprId) -> Check<ExprId> {
        let (ty, span) = (self.type_of(expr), self.span_of(expr));
        match *self.program.types.kind(ty) {
            TypeKind::Function(_) => {
                // `*p` of a function pointer decays back to `p`.
                if let ExprKind::Deref(pointer) = *self.kind_of(expr) {
                    return Ok(pointer);
                }
                let pointer = self.program.types.pointer(ty);
                Ok(self.node(ExprKind::FunctionDecay(expr), pointer, span))
            }
            TypeKind::Array(element, _) => {
                let pointer = self.program.types.pointer(element);
                let address = self.node(ExprKind::ArrayDecay(expr), pointer, span);
                Ok(self.fold_absolute_address(address, expr))
            }
            _ if self.kind_of(expr).is_lvalue() => {
                let plain = self.program.types.unqualified(ty);
                if self.program.types.is_void(ty) {
                    // GNU C allows `*p` of a `void *` where the value is not used.
                    return Ok(self.node(
                        ExprKind::Convert { conversion: Conversion::ToVoid, operand: expr },
                        plain,
                        span,
                    ));
                }
                if self.program.types.size_of(ty).is_none() {
                    let shown = self.show(ty);
                    return self
                        .fail(span, format!("the value of an object of the incomplete type `{shown}`"));
                }
                Ok(self.node(ExprKind::Load(expr), plain, span))
            }
            _ => Ok(expr),
        }
    }

    /// The type that a value has after the integer promotions.
    pub(super) fn promoted_type(&mut self, value: ExprId) -> TypeId {
        let ty = self.type_of(value);
        match self.bit_field_width(value) {
            Some(width) => self.program.types.promote_bits(ty, width),
            None => self.program.types.promote(ty),
        }
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, value: ExprId) -> ExprId {
        let ty = self.promoted_type(value);
        self.convert(value, ty, self.span_of(value))
    }

    /// The usual arithmetic conversions of two arithmetic values.
    pub(super) fn usual(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId, Common)> {
        let common = self.common_arithmetic(lhs, rhs)?;
        let (lhs, rhs) = (self.convert_common(lhs, common), self.convert_common(rhs, common));
        Some((lhs, rhs, common))
    }

    /// A scalar value as a condition, of type `_Bool`.
    pub(super) fn condition(&mut self, expr: ast::ExprId) -> Check<ExprId> {
        let value = self.value(expr)?;
        self.truth(value)
    }

    pub(super) fn truth(&mut self, value: ExprId) -> Check<ExprId> {
        let ty = self.type_of(value);
        if !self.program.types.is_scalar(ty) {
            let (span, shown) = (self.span_of(value), self.show(ty));
            return self.fail(span, format!("a value of type `{shown}` cannot be a condition"));
        }
        let bool_ = self.bool_type();
        Ok(self.convert(value, bool_, self.span_of(value)))
    }

    /// The conversion between two types that have one.
    fn conversion(&self, from: TypeId, to: TypeId) -> Option<Conversion> {
        Some(match (self.sort(from), self.sort(to)) {
            (_, Sort::Void) => Conversion::ToVoid,
            (Sort::Bool | Sort::Int, Sort::Int) => Conversion::IntToInt,
            (Sort::Bool | Sort::Int, Sort::Bool) => Conversion::IntToBool,
            (Sort::Bool | Sort::Int, Sort::Float) => Conversion::IntToFloat,
            (Sort::Bool | Sort::Int, Sort::Pointer) => Conversion::IntToPointer,
            (Sort::Float, Sort::Bool) => Conversion::FloatToBool,
            (Sort::Float, Sort::Int) => Conversion::FloatToInt,
            (Sort::Float, Sort::Float) => Conversion::FloatToFloat,
            (Sort::Pointer, Sort::Bool) => Conversion::PointerToBool,
            (Sort::Pointer, Sort::Int) => Conversion::PointerToInt,
            (Sort::Pointer, Sort::Pointer) => Conversion::PointerToPointer,
            (Sort::Other, Sort::Other) if self.program.types.compatible_unqualified(from, to) => {
                Conversion::Same
            }
            _ => return None,
        })
    }

    /// Converts a value to a type to which it can be converted; otherwise it stays.
    pub(super) fn convert(&mut self, value: ExprId, to: TypeId, span: Span) -> ExprId {
        let from = self.type_of(value);
        let to = self.program.types.unqualified(to);
        if self.program.types.kind(from) == self.program.types.kind(to) {
            return value;
        }
        let Some(conversion) = self.conversion(from, to) else { return value };
        if let Some(folded) = self.fold_conversion(conversion, value, to, span) {
            return folded;
        }
        self.node(ExprKind::Convert { conversion, operand: value }, to, span)
    }

    /// Why nothing can be done with values of a type, if that is so.
    pub(super) fn unsupported(&self, ty: TypeId) -> Option<&'static str> {
        match self.program.types.kind(ty) {
            TypeKind::Complex(_) => Some("complex numbers are not supported"),
            TypeKind::Record(id) if self.program.types.record(*id).tag.as_deref() == Some(VECTOR) => {
                Some("vectors are not supported")
            }
            _ => None,
        }
    }

    /// Converts as if by assignment. What GCC only warns about is noted as a warning.
    pub(super) fn convert_assign(&mut self, value: ExprId, to: TypeId, what: &str) -> Check<ExprId> {
        let (from, span) = (self.type_of(value), self.span_of(value));
        let (from_sort, to_sort) = (self.sort(from), self.sort(to));
        let allowed = match (from_sort, to_sort) {
            (Sort::Void, _) | (_, Sort::Void) => false,
            (Sort::Float, Sort::Pointer) => false,
            (Sort::Int | Sort::Bool, Sort::Pointer) => {
                if !self.is_null_constant(value) {
                    self.warn(span, format!("{what} makes a pointer from an integer"));
                }
                true
            }
            (Sort::Pointer, Sort::Int) => {
                self.warn(span, format!("{what} makes an integer from a pointer"));
                true
            }
            _ => self.conversion(from, to).is_some(),
        };
        if !allowed {
            if let Some(what) = self.unsupported(from).or_else(|| self.unsupported(to)) {
                return self.fail(span, what);
            }
            let (from, to) = (self.show(from), self.show(to));
            return self
                .fail(span, format!("{what} has the type `{from}`, which does not convert to `{to}`"));
        }
        Ok(self.convert(value, to, span))
    }

    /// A written cast.
    pub(super) fn cast(&mut self, value: ExprId, to: TypeId, span: Span) -> Check<ExprId> {
        let from = self.type_of(value);
        let plain = self.program.types.unqualified(to);
        if self.program.types.kind(from) == self.program.types.kind(plain) && self.sort(plain) != Sort::Void {
            // What is cast is no bit-field any more: it is not promoted by its width.
            return Ok(
                match self.conversion(from, plain).filter(|_| self.bit_field_width(value).is_some()) {
                    Some(conversion) => {
                        self.node(ExprKind::Convert { conversion, operand: value }, plain, span)
                    }
                    None => value,
                },
            );
        }
        let absurd = matches!(
            (self.sort(from), self.sort(plain)),
            (Sort::Pointer, Sort::Float) | (Sort::Float, Sort::Pointer)
        );
        if absurd || self.conversion(from, plain).is_none() {
            let (from, to) = (self.show(from), self.show(to));
            return self.fail(span, format!("a value of type `{from}` cannot be cast to `{to}`"));
        }
        Ok(self.convert(value, plain, span))
    }

    /// Whether a value is a null pointer constant: an integer constant 0, or that cast to `void *`.
    pub(super) fn is_null_constant(&self, value: ExprId) -> bool {
        match *self.kind_of(value) {
            ExprKind::Int(0) => true,
            ExprKind::Convert { conversion: Conversion::IntToPointer, operand } => {
                matches!(self.kind_of(operand), ExprKind::Int(0))
                    && self.program.types.pointee(self.type_of(value)).is_some_and(|to| {
                        self.program.types.is_void(to)
                            && self.program.types.qualifiers(to) == ast::Qualifiers::default()
                    })
            }
            _ => false,
        }
    }
}
