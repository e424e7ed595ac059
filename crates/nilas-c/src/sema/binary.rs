//! Binary operators: arithmetic, comparisons, pointer arithmetic, logic.

use super::{Check, Checker};
use crate::ast::{self, BinaryOp as Op};
use crate::source::Span;
use crate::tree::{BinaryOp, CompareOp, ExprId, ExprKind, Scale};
use crate::types::{ArrayLength, TypeId, TypeKind};

/// The arithmetic operator, if it is one.
pub(super) fn arithmetic(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Mul => BinaryOp::Mul,
        Op::Div => BinaryOp::Div,
        Op::Rem => BinaryOp::Rem,
        Op::ShiftLeft => BinaryOp::ShiftLeft,
        Op::ShiftRight => BinaryOp::ShiftRight,
        Op::BitAnd => BinaryOp::BitAnd,
        Op::BitXor => BinaryOp::BitXor,
        Op::BitOr => BinaryOp::BitOr,
        _ => return None,
    })
}

fn comparison(op: Op) -> Option<CompareOp> {
    Some(match op {
        Op::Less => CompareOp::Less,
        Op::LessEqual => CompareOp::LessEqual,
        Op::Greater => CompareOp::Greater,
        Op::GreaterEqual => CompareOp::GreaterEqual,
        Op::Equal => CompareOp::Equal,
        Op::NotEqual => CompareOp::NotEqual,
        _ => return None,
    })
}

impl Checker<'_> {
    /// Binary operators along the left spine, by a loop: machine-made sums have thousands of terms.
    pub(super) fn binary_chain(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let mut spine = Vec::new();
        let mut first = id;
        while let ast::ExprKind::Binary { op, lhs, rhs } = self.ast.exprs[first].kind {
            spine.push((op, rhs, self.ast.exprs[first].span));
            first = lhs;
        }
        let mut result = self.value(first)?;
        for (op, rhs, span) in spine.into_iter().rev() {
            let rhs = self.value(rhs)?;
            result = self.binary(op, result, rhs, span)?;
        }
        Ok(result)
    }

    pub(super) fn binary(&mut self, op: Op, lhs: ExprId, rhs: ExprId, span: Span) -> Check<ExprId> {
        if matches!(op, Op::LogicalAnd | Op::LogicalOr) {
            return self.logical(op == Op::LogicalAnd, lhs, rhs, span);
        }
        if let Some(op) = comparison(op) {
            return self.comparison(op, lhs, rhs, span);
        }
        let (a, b) = (self.type_of(lhs), self.type_of(rhs));
        let a_points = self.program.types.pointee(a).is_some();
        let b_points = self.program.types.pointee(b).is_some();
        match op {
            Op::Add if a_points => return self.pointer_offset(lhs, rhs, false, span),
            Op::Add if b_points => return self.pointer_offset(rhs, lhs, false, span),
            Op::Sub if a_points && b_points => return self.pointer_difference(lhs, rhs, span),
            Op::Sub if a_points => return self.pointer_offset(lhs, rhs, true, span),
            _ => {}
        }
        self.arithmetic(op, lhs, rhs, span)
    }

    fn bad_operands<T>(&mut self, op: &str, lhs: ExprId, rhs: ExprId, span: Span) -> Check<T> {
        let (a, b) = (self.show(self.type_of(lhs)), self.show(self.type_of(rhs)));
        self.fail(span, format!("the operands of `{op}` have the types `{a}` and `{b}`"))
    }

    fn arithmetic(&mut self, op: Op, lhs: ExprId, rhs: ExprId, span: Span) -> Check<ExprId> {
        let Some(tree_op) = arithmetic(op) else { return self.bad_operands(op.text(), lhs, rhs, span) };
        let integers_only = !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div);
        let (a, b) = (self.type_of(lhs), self.type_of(rhs));
        let types = &self.program.types;
        let fits = if integers_only {
            types.int_kind(a).is_some() && types.int_kind(b).is_some()
        } else {
            types.is_arithmetic(a) && types.is_arithmetic(b)
        };
        if !fits {
            return self.bad_operands(op.text(), lhs, rhs, span);
        }
        if matches!(op, Op::ShiftLeft | Op::ShiftRight) {
            let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
            let (ty, width) = (self.type_of(lhs), self.odd_width(lhs));
            let shifted = self.binary_node(tree_op, lhs, rhs, ty, span);
            return Ok(self.cut_result(shifted, width));
        }
        match self.usual(lhs, rhs) {
            Some((lhs, rhs, common)) => {
                let result = self.binary_node(tree_op, lhs, rhs, common.ty, span);
                Ok(self.cut_result(result, common.bits))
            }
            None => self.bad_operands(op.text(), lhs, rhs, span),
        }
    }

    fn logical(&mut self, and: bool, lhs: ExprId, rhs: ExprId, span: Span) -> Check<ExprId> {
        let (lhs, rhs) = (self.truth(lhs)?, self.truth(rhs)?);
        let int = self.int_type();
        // The right operand of a decided operator is not evaluated, so it does not matter what it is.
        match (self.as_int(lhs), self.as_int(rhs)) {
            (Some(0), _) if and => return Ok(self.int_node(0, int, span)),
            (Some(value), _) if !and && value != 0 => return Ok(self.int_node(1, int, span)),
            (Some(_), Some(value)) => return Ok(self.int_node(value, int, span)),
            _ => {}
        }
        Ok(self.node(if and { ExprKind::And(lhs, rhs) } else { ExprKind::Or(lhs, rhs) }, int, span))
    }

    fn comparison(&mut self, op: CompareOp, lhs: ExprId, rhs: ExprId, span: Span) -> Check<ExprId> {
        let (a, b) = (self.type_of(lhs), self.type_of(rhs));
        let types = &self.program.types;
        if types.is_arithmetic(a)
            && types.is_arithmetic(b)
            && let Some((lhs, rhs, _)) = self.usual(lhs, rhs)
        {
            return Ok(self.compare_node(op, lhs, rhs, span));
        }
        let types = &self.program.types;
        let (lhs, rhs) = match (types.pointee(a), types.pointee(b)) {
            (Some(x), Some(y)) => {
                // Pointers compare in the type of the left one, or in `void *` if one of them is that.
                let common = if types.is_void(x) {
                    a
                } else if types.is_void(y) {
                    b
                } else {
                    a
                };
                let lhs = self.convert(lhs, common, self.span_of(lhs));
                (lhs, self.convert(rhs, common, self.span_of(rhs)))
            }
            (Some(_), None) if types.int_kind(b).is_some() => (lhs, self.convert(rhs, a, self.span_of(rhs))),
            (None, Some(_)) if types.int_kind(a).is_some() => (self.convert(lhs, b, self.span_of(lhs)), rhs),
            _ => return self.bad_operands("comparison", lhs, rhs, span),
        };
        Ok(self.compare_node(op, lhs, rhs, span))
    }

    /// The distance between elements of this type. Incomplete types have none.
    pub(super) fn scale(&mut self, element: TypeId, span: Span) -> Check<Scale> {
        if let Some(size) = self.program.types.size_of(element) {
            return Ok(Scale::Bytes(size));
        }
        if self.program.types.is_variable_length(element) {
            return Ok(Scale::Dynamic(self.dynamic_size(element, span)?));
        }
        let shown = self.show(element);
        self.fail(span, format!("arithmetic on a pointer to the incomplete type `{shown}`"))
    }

    /// The size of a variable-length type as a value of type `size_t`.
    pub(super) fn dynamic_size(&mut self, ty: TypeId, span: Span) -> Check<ExprId> {
        let size_type = self.program.types.size_type();
        match *self.program.types.kind(ty) {
            TypeKind::Array(element, length) if self.program.types.size_of(ty).is_none() => {
                let element = self.dynamic_size(element, span)?;
                let length = match length {
                    ArrayLength::Variable(hidden) => {
                        let lvalue = self.node(ExprKind::Variable(hidden), size_type, span);
                        self.node(ExprKind::Load(lvalue), size_type, span)
                    }
                    ArrayLength::Fixed(n) => self.int_node(i128::from(n), size_type, span),
                    ArrayLength::Unknown | ArrayLength::Star => {
                        return self.fail(span, "the size of an array of unknown length");
                    }
                };
                Ok(self.binary_node(BinaryOp::Mul, length, element, size_type, span))
            }
            _ => match self.program.types.size_of(ty) {
                Some(size) => Ok(self.int_node(i128::from(size), size_type, span)),
                None => {
                    let shown = self.show(ty);
                    self.fail(span, format!("the size of the incomplete type `{shown}`"))
                }
            },
        }
    }

    pub(super) fn pointer_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        negate: bool,
        span: Span,
    ) -> Check<ExprId> {
        let ty = self.type_of(pointer);
        let (Some(element), Some(_)) =
            (self.program.types.pointee(ty), self.program.types.int_kind(self.type_of(index)))
        else {
            return self.bad_operands(if negate { "-" } else { "+" }, pointer, index, span);
        };
        let scale = self.scale(element, span)?;
        let index = self.promote(index);
        if let (Some(address), Some(step), Scale::Bytes(size)) =
            (self.as_absolute(pointer), self.as_int(index), scale)
            && let Some(step) = step.checked_mul(i128::from(size))
        {
            let address = if negate { address.wrapping_sub(step) } else { address.wrapping_add(step) };
            return Ok(self.absolute_node(address, ty, span));
        }
        Ok(self.node(ExprKind::PointerOffset { pointer, index, scale, negate }, ty, span))
    }

    fn pointer_difference(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Check<ExprId> {
        let ty = self.type_of(lhs);
        let Some(element) = self.program.types.pointee(ty) else {
            return self.bad_operands("-", lhs, rhs, span);
        };
        let scale = self.scale(element, span)?;
        let rhs = self.convert(rhs, ty, self.span_of(rhs));
        let kind = self.program.types.model().ptrdiff_type();
        let difference = self.program.types.int(kind);
        if let (Some(a), Some(b), Scale::Bytes(size)) = (self.as_absolute(lhs), self.as_absolute(rhs), scale)
            && size > 0
        {
            return Ok(self.int_node((a - b) / i128::from(size), difference, span));
        }
        Ok(self.node(ExprKind::PointerDifference { lhs, rhs, scale }, difference, span))
    }

    /// `a[i]`, in either order.
    pub(super) fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> Check<ExprId> {
        let (base, index) = (self.value(base)?, self.value(index)?);
        let (pointer, index) = if self.program.types.pointee(self.type_of(base)).is_some() {
            (base, index)
        } else {
            (index, base)
        };
        if self.program.types.pointee(self.type_of(pointer)).is_none() {
            let ty = self.type_of(base);
            if let Some(what) = self.unsupported(ty).or_else(|| self.unsupported(self.type_of(index))) {
                return self.fail(span, what);
            }
            let shown = self.show(ty);
            return self.fail(span, format!("a value of type `{shown}` cannot be indexed"));
        }
        let pointer = self.pointer_offset(pointer, index, false, span)?;
        self.deref(pointer, span)
    }
}
