//! Builtins that are no functions.

use crate::float;
use crate::machine::{Eval, Machine, finish};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value, wrap};
use nilas_c::tree::{Builtin, CompareOp, ExprId};
use std::cmp::Ordering;

impl Machine<'_> {
    pub(super) fn builtin(&mut self, expr: ExprId, builtin: Builtin, arguments: &[ExprId]) -> Eval<Value> {
        let span = self.program.exprs[expr].span;
        match builtin {
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                return self.argument_list(builtin, arguments, span);
            }
            Builtin::Unreachable => {
                let sentence = "`__builtin_unreachable()` is reached";
                return self.undefined(UndefinedKind::Unreachable, sentence, None);
            }
            Builtin::Trap => {
                let place = self.place(span);
                return finish(crate::end::End::Abort { what: "__builtin_trap".to_owned(), place });
            }
            _ => {}
        }
        let values = self.unsequenced(expr, arguments, Machine::eval)?;
        self.here = span;
        if let Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow = builtin {
            return self.overflow(builtin, arguments, &values);
        }
        let Some(kind) = arguments.last().and_then(|&last| self.float_kind(self.program.exprs[last].ty))
        else {
            return self.unsupported("a builtin for this type");
        };
        let last = values.last().map_or(0, Value::bits);
        let first = values.first().map_or(0, Value::bits);
        let holds = |op| float::compare(kind, op, first, last);
        let result = match builtin {
            Builtin::IsNan => float::is_nan(kind, last),
            Builtin::IsInf => float::is_infinite(kind, last),
            Builtin::IsInfSign => {
                let sign = if float::is_negative(kind, last) { -1 } else { 1 };
                return Ok(Value::Int(if float::is_infinite(kind, last) { sign } else { 0 }));
            }
            Builtin::IsFinite => !float::is_nan(kind, last) && !float::is_infinite(kind, last),
            Builtin::IsNormal => float::is_normal(kind, last),
            Builtin::SignBit => float::is_negative(kind, last),
            Builtin::IsGreater => holds(CompareOp::Greater),
            Builtin::IsGreaterEqual => holds(CompareOp::GreaterEqual),
            Builtin::IsLess => holds(CompareOp::Less),
            Builtin::IsLessEqual => holds(CompareOp::LessEqual),
            Builtin::IsLessGreater => {
                matches!(float::order(kind, first, last), Some(Ordering::Less | Ordering::Greater))
            }
            Builtin::IsUnordered => float::order(kind, first, last).is_none(),
            Builtin::FpClassify => {
                let class = if float::is_nan(kind, last) {
                    0
                } else if float::is_infinite(kind, last) {
                    1
                } else if float::is_normal(kind, last) {
                    2
                } else if float::is_zero(kind, last) {
                    4
                } else {
                    3
                };
                return Ok(values.get(class).cloned().unwrap_or(Value::Int(0)));
            }
            _ => return self.unsupported("this builtin"),
        };
        Ok(Value::Int(i128::from(result)))
    }

    /// `__builtin_add_overflow(a, b, p)` and kin: as if computed exactly, then stored.
    fn overflow(&mut self, builtin: Builtin, arguments: &[ExprId], values: &[Value]) -> Eval<Value> {
        let [left, right, result] = values else { return self.unsupported("this builtin") };
        let pointer_type = self.program.exprs[arguments[2]].ty;
        let Some(ty) = self.program.types.pointee(pointer_type) else {
            return self.unsupported("this builtin");
        };
        // Numbers of `unsigned __int128` from 2^127 on do not fit the exact computation.
        let wide = |index: usize, value: &Value| {
            let ty = self.program.exprs[arguments[index]].ty;
            value.int() < 0 && matches!(self.shape(ty), Shape::Int { size: 16, signed: false })
        };
        if wide(0, left) || wide(1, right) {
            return self.unsupported("an overflow check of large 128-bit numbers");
        }
        let (left, right) = (left.int(), right.int());
        let (exact, wrapped) = match builtin {
            Builtin::AddOverflow => (left.checked_add(right), left.wrapping_add(right)),
            Builtin::SubOverflow => (left.checked_sub(right), left.wrapping_sub(right)),
            _ => (left.checked_mul(right), left.wrapping_mul(right)),
        };
        let (stored, fits) = match self.shape(ty) {
            Shape::Int { size, signed } => {
                let stored = wrap(wrapped, u32::from(size) * 8, signed);
                let fits = exact == Some(stored) && (signed || stored >= 0 || size < 16);
                (stored, fits)
            }
            Shape::Bool => (wrapped & 1, exact.is_some_and(|exact| (0..=1).contains(&exact))),
            _ => return self.unsupported("this builtin"),
        };
        self.store(result.pointer(), None, ty, &Value::Int(stored))?;
        Ok(Value::Int(i128::from(!fits)))
    }
}
