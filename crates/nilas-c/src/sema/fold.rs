//! Folding of integer constants. Only integers are folded: floating arithmetic depends on the rounding mode,
//! which is program state. What would be undefined (division by zero, shifts by too much) is left unfolded.
//! Where the language asks for a constant, `evaluate` computes floats, too.

use super::Checker;
use crate::source::Span;
use crate::tree::{BinaryOp, CompareOp, Conversion, ExprId, ExprKind, UnaryOp};
use crate::types::{IntKind, TypeId};
use std::cmp::Ordering;

impl Checker<'_> {
    pub(super) fn int_kind_of(&self, expr: ExprId) -> IntKind {
        self.program.types.int_kind(self.type_of(expr)).unwrap_or(IntKind::Int)
    }

    pub(super) fn as_int(&self, expr: ExprId) -> Option<i128> {
        match *self.kind_of(expr) {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The address that an integer constant cast to a pointer has.
    pub(super) fn as_absolute(&self, expr: ExprId) -> Option<i128> {
        match *self.kind_of(expr) {
            ExprKind::Convert { conversion: Conversion::IntToPointer, operand } => self.as_int(operand),
            ExprKind::Convert { conversion: Conversion::PointerToPointer, operand } => {
                self.as_absolute(operand)
            }
            _ => None,
        }
    }

    /// A pointer with a constant address.
    pub(super) fn absolute_node(&mut self, address: i128, ty: TypeId, span: Span) -> ExprId {
        let size_type = self.program.types.size_type();
        let operand = self.int_node(address, size_type, span);
        self.node(ExprKind::Convert { conversion: Conversion::IntToPointer, operand }, ty, span)
    }

    /// The constant address of an lvalue such as `((struct s *)0)->m`, the old form of `offsetof`.
    fn absolute_lvalue(&self, lvalue: ExprId) -> Option<i128> {
        let mut lvalue = lvalue;
        let mut sum: i128 = 0;
        loop {
            match *self.kind_of(lvalue) {
                ExprKind::Member { base, offset, bits: None } => {
                    sum += i128::from(offset);
                    lvalue = base;
                }
                ExprKind::Deref(pointer) => return Some(self.as_absolute(pointer)? + sum),
                _ => return None,
            }
        }
    }

    /// `address` is the pointer to `lvalue`; a constant one if it can be computed.
    pub(super) fn fold_absolute_address(&mut self, address: ExprId, lvalue: ExprId) -> ExprId {
        match self.absolute_lvalue(lvalue) {
            Some(value) => self.absolute_node(value, self.type_of(address), self.span_of(address)),
            None => address,
        }
    }

    pub(super) fn fold_conversion(
        &mut self,
        conversion: Conversion,
        value: ExprId,
        to: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        match conversion {
            Conversion::IntToInt | Conversion::IntToBool => {
                let value = self.as_int(value)?;
                Some(self.int_node(value, to, span))
            }
            Conversion::PointerToInt => {
                let address = self.as_absolute(value)?;
                Some(self.int_node(address, to, span))
            }
            Conversion::PointerToBool => {
                let address = self.as_absolute(value)?;
                Some(self.int_node(i128::from(address != 0), to, span))
            }
            // An address is the same whatever it points to; a null pointer keeps being one.
            Conversion::PointerToPointer if self.as_int_to_pointer(value).is_some() => {
                let operand = self.as_int_to_pointer(value)?;
                Some(self.node(ExprKind::Convert { conversion: Conversion::IntToPointer, operand }, to, span))
            }
            _ => None,
        }
    }

    fn as_int_to_pointer(&self, value: ExprId) -> Option<ExprId> {
        match *self.kind_of(value) {
            ExprKind::Convert { conversion: Conversion::IntToPointer, operand } => {
                self.as_int(operand).map(|_| operand)
            }
            _ => None,
        }
    }

    /// A unary operator, folded if possible. `ty` is the operand's type.
    pub(super) fn unary_node(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let Some(value) = self.as_int(operand) {
            let result = match op {
                UnaryOp::Negate => value.wrapping_neg(),
                UnaryOp::BitNot => !value,
            };
            return self.int_node(result, ty, span);
        }
        self.node(ExprKind::Unary { op, operand }, ty, span)
    }

    /// An arithmetic operator on converted operands, folded if possible.
    pub(super) fn binary_node(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if let (Some(a), Some(b)) = (self.as_int(lhs), self.as_int(rhs))
            && let Some(value) = self.fold_binary(op, a, b, self.int_kind_of(lhs))
        {
            return self.int_node(value, ty, span);
        }
        self.node(ExprKind::Binary { op, lhs, rhs }, ty, span)
    }

    pub(super) fn fold_binary(&self, op: BinaryOp, a: i128, b: i128, kind: IntKind) -> Option<i128> {
        let bits = i128::from(kind.value_bits(self.program.types.model()));
        // Values of `unsigned __int128` are kept as signed numbers: divide and shift them as what they are.
        let wide_unsigned = bits == 128 && !kind.is_signed();
        Some(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if wide_unsigned => a.cast_unsigned().checked_div(b.cast_unsigned())?.cast_signed(),
            BinaryOp::Rem if wide_unsigned => a.cast_unsigned().checked_rem(b.cast_unsigned())?.cast_signed(),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::ShiftLeft if (0..bits).contains(&b) => a.wrapping_shl(u32::try_from(b).ok()?),
            BinaryOp::ShiftRight if (0..bits).contains(&b) && wide_unsigned => {
                (a.cast_unsigned() >> u32::try_from(b).ok()?).cast_signed()
            }
            BinaryOp::ShiftRight if (0..bits).contains(&b) => a >> u32::try_from(b).ok()?,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return None,
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
        })
    }

    /// The order of two constants of the type that `like` has.
    pub(super) fn order_of(&self, a: i128, b: i128, like: ExprId) -> Ordering {
        match self.int_kind_of(like) {
            IntKind::UnsignedInt128 => a.cast_unsigned().cmp(&b.cast_unsigned()),
            _ => a.cmp(&b),
        }
    }

    /// A comparison of converted operands, folded if possible.
    pub(super) fn compare_node(&mut self, op: CompareOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let int = self.int_type();
        let constants = match (self.as_int(lhs), self.as_int(rhs)) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => self.as_absolute(lhs).zip(self.as_absolute(rhs)),
        };
        if let Some((a, b)) = constants {
            let order = self.order_of(a, b, lhs);
            let result = match op {
                CompareOp::Less => order.is_lt(),
                CompareOp::LessEqual => order.is_le(),
                CompareOp::Greater => order.is_gt(),
                CompareOp::GreaterEqual => order.is_ge(),
                CompareOp::Equal => order.is_eq(),
                CompareOp::NotEqual => order.is_ne(),
            };
            return self.int_node(i128::from(result), int, span);
        }
        self.node(ExprKind::Compare { op, lhs, rhs }, int, span)
    }
}
