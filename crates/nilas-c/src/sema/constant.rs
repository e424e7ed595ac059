//! Constants of static initialisers: addresses, and arithmetic over constants.

use super::{Check, Checker};
use crate::source::Span;
use crate::tree::{AddressBase, Conversion, Duration, ExprId, ExprKind, InitValue, Scale, VarId};

impl Checker<'_> {
    /// The value in the form that static initialisers have, or an error if it is not constant.
    pub(super) fn static_value(&mut self, value: ExprId, span: Span) -> Check<ExprId> {
        if let Some(number) = self.constant_int(value) {
            let ty = self.type_of(value);
            return Ok(self.int_node(number, ty, span));
        }
        match self.constant(value) {
            Some(constant) => Ok(constant),
            None => self.fail(span, "the initialiser of a static object is not constant"),
        }
    }

    /// Rebuilds a constant expression with addresses in their final form; `None` if it is not constant.
    fn constant(&mut self, value: ExprId) -> Option<ExprId> {
        let (ty, span) = (self.type_of(value), self.span_of(value));
        match self.kind_of(value).clone() {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Address { .. } | ExprKind::LabelAddress(_) => {
                Some(value)
            }
            ExprKind::AddressOf(lvalue) | ExprKind::ArrayDecay(lvalue) => {
                let (base, offset) = self.address(lvalue)?;
                Some(self.node(ExprKind::Address { base, offset }, ty, span))
            }
            ExprKind::FunctionDecay(designator) => match *self.kind_of(designator) {
                ExprKind::Function(function) => {
                    let base = AddressBase::Function(function);
                    Some(self.node(ExprKind::Address { base, offset: 0 }, ty, span))
                }
                ExprKind::Deref(pointer) => self.constant(pointer),
                _ => None,
            },
            ExprKind::Convert { conversion, operand } => {
                let inner = self.constant(operand)?;
                match (conversion, self.kind_of(inner)) {
                    (Conversion::PointerToPointer, &ExprKind::Address { base, offset }) => {
                        Some(self.node(ExprKind::Address { base, offset }, ty, span))
                    }
                    (Conversion::PointerToBool, ExprKind::Address { .. }) => Some(self.int_node(1, ty, span)),
                    (Conversion::ToVoid, _) => None,
                    _ if inner == operand => Some(value),
                    _ => Some(self.convert(inner, ty, span)),
                }
            }
            ExprKind::PointerOffset { pointer, index, scale: Scale::Bytes(scale), negate } => {
                let pointer = self.constant(pointer)?;
                let step = self.constant_int(index)?.checked_mul(i128::from(scale))?;
                let step = if negate { -step } else { step };
                if let Some(address) = self.as_absolute(pointer) {
                    return Some(self.absolute_node(address + step, ty, span));
                }
                let ExprKind::Address { base, offset } = *self.kind_of(pointer) else { return None };
                let offset = i64::try_from(i128::from(offset).checked_add(step)?).ok()?;
                Some(self.node(ExprKind::Address { base, offset }, ty, span))
            }
            ExprKind::PointerDifference { lhs, rhs, scale: Scale::Bytes(scale) } => {
                let (a, b) = (self.constant(lhs)?, self.constant(rhs)?);
                match (self.kind_of(a), self.kind_of(b)) {
                    (ExprKind::Address { base: x, offset: i }, ExprKind::Address { base: y, offset: j })
                        if x == y =>
                    {
                        let difference = i128::from(*i) - i128::from(*j);
                        Some(self.int_node(difference / i128::from(scale.max(1)), ty, span))
                    }
                    (ExprKind::LabelAddress(_), ExprKind::LabelAddress(_)) => Some(value),
                    _ => None,
                }
            }
            ExprKind::Unary { op, operand } => {
                let operand = self.constant(operand)?;
                Some(self.unary_node(op, operand, ty, span))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.constant(lhs)?, self.constant(rhs)?);
                Some(self.binary_node(op, lhs, rhs, ty, span))
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let (lhs, rhs) = (self.constant(lhs)?, self.constant(rhs)?);
                Some(self.compare_node(op, lhs, rhs, span))
            }
            ExprKind::Not(operand) => {
                let operand = self.constant(operand)?;
                Some(match self.as_int(operand) {
                    Some(number) => self.int_node(i128::from(number == 0), ty, span),
                    None => self.node(ExprKind::Not(operand), ty, span),
                })
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.constant(condition)?;
                match self.constant_int(condition) {
                    Some(0) => self.constant(otherwise),
                    Some(_) => self.constant(then),
                    None => None,
                }
            }
            ExprKind::Load(lvalue) => self.constant_load(lvalue),
            _ => None,
        }
    }

    /// GCC takes the value of a constant object with a known initialiser, and a compound literal of scalar
    /// type.
    fn constant_load(&mut self, lvalue: ExprId) -> Option<ExprId> {
        let variable = match *self.kind_of(lvalue) {
            ExprKind::Variable(variable) if self.program.types.qualifiers(self.type_of(lvalue)).is_const => {
                variable
            }
            ExprKind::CompoundLiteral(variable) => variable,
            _ => return None,
        };
        let init = self.program.variables[variable].init.as_ref()?;
        match init.items.as_slice() {
            [item] if !init.zero_fill && item.offset == 0 && item.bits.is_none() => match item.value {
                InitValue::Expr(value) => self.constant(value),
                InitValue::String { .. } => None,
            },
            _ => None,
        }
    }

    fn static_base(&self, variable: VarId) -> Option<AddressBase> {
        (self.program.variables[variable].duration == Duration::Static)
            .then_some(AddressBase::Variable(variable))
    }

    /// The constant address of an lvalue or function designator.
    fn address(&mut self, lvalue: ExprId) -> Option<(AddressBase, i64)> {
        match *self.kind_of(lvalue) {
            ExprKind::Variable(variable) | ExprKind::CompoundLiteral(variable) => {
                Some((self.static_base(variable)?, 0))
            }
            ExprKind::String(string) => Some((AddressBase::String(string), 0)),
            ExprKind::Function(function) => Some((AddressBase::Function(function), 0)),
            ExprKind::Member { base, offset, bits: None } => {
                let (base, start) = self.address(base)?;
                Some((base, start.checked_add(i64::try_from(offset).ok()?)?))
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.constant(pointer)?;
                match *self.kind_of(pointer) {
                    ExprKind::Address { base, offset } => Some((base, offset)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
