//! Arithmetic of integers and floats.

use crate::float;
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value, wrap};
use nilas_c::tree::BinaryOp;
use nilas_c::types::TypeId;

impl Machine<'_> {
    /// `left op right` in the type `ty`; the right operand of a shift has its own type.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        ty: TypeId,
        right_ty: TypeId,
    ) -> Eval<Value> {
        match self.shape(ty) {
            Shape::Float(kind) => {
                let result = float::arithmetic(kind, op, left.bits(), right.bits(), self.rounding);
                let numbers = |bits: u128| !float::is_nan(kind, bits);
                if self.seeks(UndefinedKind::NotANumber)
                    && !self.in_library_text()
                    && !numbers(result)
                    && numbers(left.bits())
                    && numbers(right.bits())
                {
                    let shown = |bits| crate::library::format_float::shortest(kind, bits);
                    let (left, right) = (shown(left.bits()), shown(right.bits()));
                    let sentence = format!("{left} {} {right} is not a number", symbol(op));
                    return self.undefined(UndefinedKind::NotANumber, sentence, None);
                }
                Ok(Value::Float(result))
            }
            Shape::Int { size, signed } => {
                self.int_binary(op, left.int(), right.int(), u32::from(size) * 8, signed, right_ty)
            }
            Shape::Bool => self.int_binary(op, left.int(), right.int(), 8, false, right_ty),
            _ => self.unsupported("arithmetic of this type"),
        }
    }

    fn int_binary(
        &mut self,
        op: BinaryOp,
        left: i128,
        right: i128,
        bits: u32,
        signed: bool,
        right_ty: TypeId,
    ) -> Eval<Value> {
        let exact = match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Sub => left.checked_sub(right),
            BinaryOp::Mul if bits == 128 && !signed => Some(left.wrapping_mul(right)),
            BinaryOp::Mul => left.checked_mul(right),
            BinaryOp::Div | BinaryOp::Rem => return self.divide(op, left, right, bits, signed),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                return self.shift(op, left, right, bits, signed, right_ty);
            }
            BinaryOp::BitAnd => return Ok(Value::Int(left & right)),
            BinaryOp::BitXor => return Ok(Value::Int(wrap(left ^ right, bits, signed))),
            BinaryOp::BitOr => return Ok(Value::Int(left | right)),
        };
        let wrapped = match (op, exact) {
            (_, Some(exact)) => wrap(exact, bits, signed),
            (BinaryOp::Add, None) => left.wrapping_add(right),
            (BinaryOp::Sub, None) => left.wrapping_sub(right),
            (_, None) => wrap(left.wrapping_mul(right), bits, signed),
        };
        let kind = if signed { UndefinedKind::SignedOverflow } else { UndefinedKind::UnsignedOverflow };
        if self.seeks(kind) && Self::wraps(op, left, right, bits, signed) && !self.in_library_text() {
            let symbol = symbol(op);
            let (left, right) = if signed || bits < 128 {
                (left.to_string(), right.to_string())
            } else {
                (left.cast_unsigned().to_string(), right.cast_unsigned().to_string())
            };
            let sentence = format!("{left} {symbol} {right} does not fit into {bits} bits");
            return self.undefined(kind, sentence, None);
        }
        Ok(Value::Int(wrapped))
    }

    /// Whether a sum, difference or product does not fit.
    fn wraps(op: BinaryOp, left: i128, right: i128, bits: u32, signed: bool) -> bool {
        if !signed && bits == 128 {
            let (left, right) = (left.cast_unsigned(), right.cast_unsigned());
            return match op {
                BinaryOp::Add => left.checked_add(right).is_none(),
                BinaryOp::Sub => left.checked_sub(right).is_none(),
                _ => left.checked_mul(right).is_none(),
            };
        }
        let exact = match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Sub => left.checked_sub(right),
            _ => left.checked_mul(right),
        };
        exact.is_none_or(|exact| wrap(exact, bits, signed) != exact)
    }

    fn divide(&mut self, op: BinaryOp, left: i128, right: i128, bits: u32, signed: bool) -> Eval<Value> {
        if right == 0 {
            let what = if op == BinaryOp::Div { "division" } else { "remainder of a division" };
            return self.undefined(UndefinedKind::DivisionByZero, format!("{what} by zero"), None);
        }
        if !signed && bits == 128 {
            let (left, right) = (left.cast_unsigned(), right.cast_unsigned());
            let result = if op == BinaryOp::Div { left / right } else { left % right };
            return Ok(Value::Int(result.cast_signed()));
        }
        if signed && right == -1 && left == wrap(1 << (bits - 1), bits, true) {
            let sentence = format!("{left} divided by -1 does not fit into {bits} bits");
            return self.undefined(UndefinedKind::DivisionOverflow, sentence, None);
        }
        Ok(Value::Int(if op == BinaryOp::Div { left / right } else { left % right }))
    }

    fn shift(
        &mut self,
        op: BinaryOp,
        left: i128,
        right: i128,
        bits: u32,
        signed: bool,
        right_ty: TypeId,
    ) -> Eval<Value> {
        // Numbers of `unsigned __int128` may look negative.
        let negative = right < 0 && matches!(self.shape(right_ty), Shape::Int { signed: true, .. });
        let distance = match u32::try_from(right) {
            Ok(distance) if distance < bits => distance,
            _ => {
                let why =
                    if negative { "is negative".to_owned() } else { format!("is not less than {bits}") };
                let sentence = format!("shift by {right}, which {why}");
                return self.undefined(UndefinedKind::ShiftTooFar, sentence, None);
            }
        };
        let result = match op {
            BinaryOp::ShiftLeft => {
                let result = wrap(left << distance, bits, signed);
                if signed
                    && self.seeks(UndefinedKind::ShiftOverflow)
                    && (left < 0 || result >> distance != left)
                {
                    let sentence = format!("{left} << {distance} does not fit into {bits} bits");
                    return self.undefined(UndefinedKind::ShiftOverflow, sentence, None);
                }
                result
            }
            _ if signed => left >> distance,
            _ => (left.cast_unsigned() >> distance).cast_signed(),
        };
        Ok(Value::Int(result))
    }

    pub(super) fn negate(&mut self, value: i128, shape: Shape) -> Eval<Value> {
        let Shape::Int { size, signed } = shape else { return Ok(self.chosen(shape, value.wrapping_neg())) };
        let bits = u32::from(size) * 8;
        let result = wrap(value.wrapping_neg(), bits, signed);
        let kind = if signed { UndefinedKind::SignedOverflow } else { UndefinedKind::UnsignedOverflow };
        let fits = value == 0 || (signed && result != value);
        if self.seeks(kind) && !fits && !self.in_library_text() {
            let sentence = format!("-({value}) does not fit into {bits} bits");
            return self.undefined(kind, sentence, None);
        }
        Ok(Value::Int(result))
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
    }
}
