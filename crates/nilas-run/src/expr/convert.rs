//! Changes of type.

use crate::float;
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Shape, Value, wrap};
use nilas_c::tree::{Conversion, ExprId};
use nilas_c::types::TypeId;

impl Machine<'_> {
    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        operand: ExprId,
        to: TypeId,
        expr: ExprId,
    ) -> Eval<Value> {
        if conversion == Conversion::ToVoid {
            self.discarded = Some(operand);
            self.eval_any(operand)?;
            return Ok(Value::Void);
        }
        let value = self.eval(operand)?;
        let from = self.program.exprs[operand].ty;
        self.here = self.program.exprs[expr].span;
        if conversion == Conversion::IntToInt
            && self.seeks(UndefinedKind::SignedConversion)
            && !self.in_library_text()
            && let Shape::Int { size, signed: true } = self.shape(to)
        {
            let (number, bits) = (value.int(), u32::from(size) * 8);
            let unsigned = matches!(self.shape(from), Shape::Int { size: 16, signed: false });
            if wrap(number, bits, true) != number || (unsigned && number < 0) {
                let sentence = format!(
                    "{number} becomes an integer of a signed type of {bits} bits, which does not have it"
                );
                return self.undefined(UndefinedKind::SignedConversion, sentence, None);
            }
        }
        self.converted(conversion, value, from, to)
    }

    fn converted(&mut self, conversion: Conversion, value: Value, from: TypeId, to: TypeId) -> Eval<Value> {
        let (source, target) = (self.shape(from), self.shape(to));
        Ok(match (conversion, target) {
            (Conversion::IntToInt, Shape::Int { size, signed }) => {
                Value::Int(wrap(value.int(), u32::from(size) * 8, signed))
            }
            (Conversion::IntToBool | Conversion::IntToInt, Shape::Bool) => {
                Value::Int(i128::from(value.int() != 0))
            }
            (Conversion::FloatToBool, _) => {
                let zero = matches!(source, Shape::Float(kind) if float::is_zero(kind, value.bits()));
                Value::Int(i128::from(!zero))
            }
            (Conversion::PointerToBool, _) => Value::Int(i128::from(!value.pointer().is_null())),
            (Conversion::IntToFloat, Shape::Float(kind)) => {
                let unsigned = matches!(source, Shape::Int { size: 16, signed: false });
                Value::Float(float::from_int(kind, value.int(), unsigned, self.rounding))
            }
            (Conversion::FloatToInt, _) => return self.float_to_int(&value, source, target),
            (Conversion::FloatToFloat, Shape::Float(kind)) => match source {
                Shape::Float(from) => Value::Float(float::convert(from, kind, value.bits(), self.rounding)),
                _ => value,
            },
            (Conversion::IntToPointer, _) => {
                let bits = self.pointer_bits();
                let address = u64::try_from(wrap(value.int(), bits, false)).unwrap_or(0);
                Value::Pointer(self.memory.pointer_of(address))
            }
            (Conversion::PointerToInt, shape) => {
                let pointer = value.pointer();
                self.memory.expose(pointer);
                match shape {
                    Shape::Int { size, signed } => {
                        Value::Int(wrap(i128::from(pointer.address), u32::from(size) * 8, signed))
                    }
                    _ => Value::Int(i128::from(pointer.address)),
                }
            }
            (Conversion::PointerToPointer | Conversion::Same | Conversion::ToVoid, _) => value,
            _ => return self.unsupported("a conversion to this type"),
        })
    }

    fn float_to_int(&mut self, value: &Value, source: Shape, target: Shape) -> Eval<Value> {
        let Shape::Float(kind) = source else { return self.unsupported("a conversion of this type") };
        let (bits, signed) = match target {
            Shape::Int { size, signed } => (u32::from(size) * 8, signed),
            _ => (1, false),
        };
        match float::to_int(kind, value.bits(), bits, signed) {
            Some(number) => Ok(Value::Int(number)),
            None => {
                let shown = crate::library::format_float::shortest(kind, value.bits());
                let sign = if signed { "a signed" } else { "an unsigned" };
                let sentence = format!(
                    "{shown} becomes an integer of {sign} type of {bits} bits, which does not have it"
                );
                self.undefined(UndefinedKind::FloatToInt, sentence, None)
            }
        }
    }

    /// A value of one scalar type as another, as an argument becomes a parameter.
    pub(crate) fn convert_value(&mut self, value: Value, from: TypeId, to: TypeId) -> Eval<Value> {
        if from == to {
            return Ok(value);
        }
        let conversion = match (self.shape(from), self.shape(to)) {
            (Shape::Int { .. } | Shape::Bool, Shape::Int { .. }) => Conversion::IntToInt,
            (Shape::Int { .. } | Shape::Bool, Shape::Bool) => Conversion::IntToBool,
            (Shape::Float(_), Shape::Bool) => Conversion::FloatToBool,
            (Shape::Pointer, Shape::Bool) => Conversion::PointerToBool,
            (Shape::Int { .. } | Shape::Bool, Shape::Float(_)) => Conversion::IntToFloat,
            (Shape::Float(_), Shape::Int { .. }) => Conversion::FloatToInt,
            (Shape::Float(_), Shape::Float(_)) => Conversion::FloatToFloat,
            (Shape::Int { .. } | Shape::Bool, Shape::Pointer) => Conversion::IntToPointer,
            (Shape::Pointer, Shape::Int { .. }) => Conversion::PointerToInt,
            (_, Shape::Void) => return Ok(Value::Void),
            _ => Conversion::Same,
        };
        self.converted(conversion, value, from, to)
    }

    /// A pointer as a value of its type.
    pub(crate) fn pointer_value(address: u64) -> Value {
        Value::Pointer(Pointer { address, provenance: None })
    }
}
