//! Values of bit-fields in arithmetic.
//!
//! A bit-field that fits into `int` is promoted to `int` (C11 6.3.1.1p2). What happens to a wider one C
//! leaves to the compiler. Nilas follows GCC: its value has an integer type of exactly the width of the
//! field, and so has what is computed from it and operands that are no wider. With
//! `unsigned long long a : 40`, `a + 1` is computed modulo 2^40, `a == -1` compares with 2^40 - 1, and
//! `a - 1L` is signed where `long` has 64 bits.
//!
//! The typed tree has no types of odd widths. A value of `w` bits is one of the declared type whose upper
//! bits say nothing new: operands are cut to `w` bits when they are converted, results when they are
//! computed. Which nodes are so narrow is noted in [`Checker::narrow`]; a cast makes a plain value of them.

use super::Checker;
use crate::tree::{BinaryOp, Conversion, ExprId, ExprKind};
use crate::types::{IntKind, TypeId};

/// The width of `int` in every data model.
const INT_BITS: u32 = 32;

/// What two arithmetic operands are converted to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub ty: TypeId,
    /// How many bits of the type count, if not all of them.
    pub bits: Option<u32>,
}

impl Checker<'_> {
    /// The width of the bit-field that a value was read from or stored to, or of which it was computed, if
    /// any.
    pub(super) fn bit_field_width(&self, mut value: ExprId) -> Option<u32> {
        while let ExprKind::Comma(_, last) | ExprKind::Statement { value: Some(last), .. } =
            *self.kind_of(value)
        {
            value = last;
        }
        let lvalue = match *self.kind_of(value) {
            ExprKind::Load(lvalue) => lvalue,
            ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => target,
            _ => return self.narrow.get(&value).copied(),
        };
        match self.kind_of(lvalue) {
            ExprKind::Member { bits: Some(bits), .. } => Some(bits.width),
            _ => self.narrow.get(&value).copied(),
        }
    }

    /// The width of a value that is wider than `int` and narrower than its type.
    pub(super) fn odd_width(&self, value: ExprId) -> Option<u32> {
        let width = self.bit_field_width(value)?;
        (INT_BITS < width && width < self.bits_of(self.type_of(value))?).then_some(width)
    }

    fn bits_of(&self, ty: TypeId) -> Option<u32> {
        Some(self.program.types.int_kind(ty)?.size(self.program.types.model()) as u32 * 8)
    }

    /// Notes that only so many bits of a value count, as of the value of a bit-field of that width.
    pub(super) fn note_width(&mut self, value: ExprId, width: u32) {
        self.narrow.insert(value, width);
    }

    /// The usual arithmetic conversions: the wider one of two odd widths wins as the wider one of two types
    /// does.
    pub(super) fn common_arithmetic(&mut self, lhs: ExprId, rhs: ExprId) -> Option<Common> {
        let (a, b) = (self.promoted_type(lhs), self.promoted_type(rhs));
        let (x, y) = (self.odd_width(lhs), self.odd_width(rhs));
        let plain = self.program.types.usual_conversion(a, b)?;
        if (x.is_none() && y.is_none()) || self.bits_of(plain).is_none() {
            return Some(Common { ty: plain, bits: None });
        }
        let (width_a, width_b) = (x.or(self.bits_of(a))?, y.or(self.bits_of(b))?);
        let signed = |this: &Self, ty| this.program.types.int_kind(ty).is_some_and(IntKind::is_signed);
        let left = width_a > width_b || (width_a == width_b && !signed(self, a));
        Some(if left { Common { ty: a, bits: x } } else { Common { ty: b, bits: y } })
    }

    /// Converts a value to what [`Self::common_arithmetic`] found.
    pub(super) fn convert_common(&mut self, value: ExprId, common: Common) -> ExprId {
        let span = self.span_of(value);
        let odd = self.odd_width(value);
        let converted = self.convert(value, common.ty, span);
        match common.bits {
            Some(bits) if odd == Some(bits) && converted == value => value,
            Some(bits) => self.cut(converted, bits),
            // A value that is no longer narrow must not be taken for one.
            None if odd.is_some() && converted == value => self.plain(value),
            None => converted,
        }
    }

    /// The same value, of which all bits of its type count.
    pub(super) fn plain(&mut self, value: ExprId) -> ExprId {
        let (ty, span) = (self.type_of(value), self.span_of(value));
        let conversion = Conversion::IntToInt;
        self.node(ExprKind::Convert { conversion, operand: value }, ty, span)
    }

    /// The lowest bits of a value, extended by zeros or by the sign as its type says.
    pub(super) fn cut(&mut self, value: ExprId, width: u32) -> ExprId {
        let (ty, span) = (self.type_of(value), self.span_of(value));
        let Some(kind) = self.program.types.int_kind(ty) else { return value };
        let bits = kind.size(self.program.types.model()) as u32 * 8;
        if width >= bits {
            return value;
        }
        let result = if kind.is_signed() {
            // Shifted as an unsigned number: that is never undefined.
            let unsigned = self.program.types.int(kind.to_unsigned());
            let int = self.int_type();
            let by = self.int_node(i128::from(bits - width), int, span);
            let raised = self.convert(value, unsigned, span);
            let raised = self.binary_node(BinaryOp::ShiftLeft, raised, by, unsigned, span);
            let raised = self.convert(raised, ty, span);
            self.binary_node(BinaryOp::ShiftRight, raised, by, ty, span)
        } else {
            let mask = self.int_node(i128::MAX >> (127 - width), ty, span);
            self.binary_node(BinaryOp::BitAnd, value, mask, ty, span)
        };
        self.note_width(result, width);
        result
    }

    /// What an operator computed from operands of this width.
    pub(super) fn cut_result(&mut self, result: ExprId, width: Option<u32>) -> ExprId {
        match width {
            Some(width) => self.cut(result, width),
            None => result,
        }
    }
}
