//! Comparisons.

use crate::choice::{ChoiceKind, ChoiceType};
use crate::float;
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Shape, Value};
use nilas_c::tree::CompareOp;
use nilas_c::types::TypeId;

impl Machine<'_> {
    /// `left op right`, both of type `ty`: an `int`.
    pub(super) fn compare(&mut self, op: CompareOp, left: &Value, right: &Value, ty: TypeId) -> Eval<Value> {
        let holds = match (left, right) {
            (Value::Float(a), Value::Float(b)) => match self.shape(ty) {
                Shape::Float(kind) => float::compare(kind, op, *a, *b),
                _ => return self.unsupported("a comparison of this type"),
            },
            (Value::Pointer(a), Value::Pointer(b)) => self.compare_pointers(op, *a, *b)?,
            (Value::Pointer(_), _) | (_, Value::Pointer(_)) => {
                ordered(op, left.pointer().address.cmp(&right.pointer().address))
            }
            _ => {
                let (a, b) = (left.int(), right.int());
                let unsigned = matches!(self.shape(ty), Shape::Int { size: 16, signed: false });
                let order = if unsigned { a.cast_unsigned().cmp(&b.cast_unsigned()) } else { a.cmp(&b) };
                ordered(op, order)
            }
        };
        Ok(Value::Int(i128::from(holds)))
    }

    fn compare_pointers(&mut self, op: CompareOp, a: Pointer, b: Pointer) -> Eval<bool> {
        let holds = ordered(op, a.address.cmp(&b.address));
        let related = a.provenance == b.provenance;
        if related || matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            return Ok(holds);
        }
        let (first, second) = (self.describe_pointer(a), self.describe_pointer(b));
        let name = |object: &Option<crate::undefined::ObjectInfo>| {
            object.as_ref().map_or_else(|| "no object".to_owned(), |object| object.name.clone())
        };
        let sentence = format!("a pointer to {} is compared with one to {}", name(&first), name(&second));
        self.lenient(UndefinedKind::PointerComparison, |_| sentence, first)?;
        let (ty, default) = (ChoiceType::Option(2), i128::from(holds));
        let here = self.here;
        let chosen = self.choose(ChoiceKind::AddressRelation, here, || "order".to_owned(), ty, default)?;
        Ok(chosen != 0)
    }
}

fn ordered(op: CompareOp, order: std::cmp::Ordering) -> bool {
    match op {
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
    }
}
