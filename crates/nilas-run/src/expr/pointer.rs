//! Pointer arithmetic.

use crate::machine::{Eval, Machine};
use crate::memory::Kind;
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Value, wrap};
use nilas_c::tree::{ExprId, ExprKind, Scale, VarId, VarRole};
use nilas_c::types::{ArrayLength, TypeKind};

/// What lies beside a register is another register, of which nothing is known.
pub(super) const BESIDE: &str = "an address beside a register";

impl Machine<'_> {
    /// Whether a variable is memory at a fixed address.
    pub(crate) fn is_register(&self, variable: VarId) -> bool {
        matches!(self.program.variables[variable].role, VarRole::Register(_))
    }

    /// The distance between neighbouring elements.
    pub(super) fn scale(&mut self, scale: Scale) -> Eval<u64> {
        match scale {
            Scale::Bytes(bytes) => Ok(bytes),
            Scale::Dynamic(size) => Ok(u64::try_from(self.eval(size)?.int()).unwrap_or(0)),
        }
    }

    /// `pointer ± index · scale`
    pub(super) fn pointer_offset(
        &mut self,
        pointer: Pointer,
        index: i128,
        scale: u64,
        negate: bool,
    ) -> Eval<Value> {
        let distance = index.wrapping_mul(i128::from(scale));
        let distance = if negate { distance.wrapping_neg() } else { distance };
        let sum = wrap(i128::from(pointer.address).wrapping_add(distance), self.pointer_bits(), false);
        let result = Pointer { address: u64::try_from(sum).unwrap_or(0), ..pointer };
        if let Some(id) = pointer.provenance {
            match self.memory.get(id) {
                Some(allocation) if result.address.wrapping_sub(allocation.base) > allocation.size => {
                    self.left_object(result)?;
                }
                Some(_) => {}
                None if distance != 0 => {
                    let object = self.describe_pointer(pointer);
                    let sentence = |_: &Self| {
                        "arithmetic with a pointer to an object whose lifetime has ended".to_owned()
                    };
                    self.lenient(UndefinedKind::DeadPointer, sentence, object)?;
                }
                None => {}
            }
        }
        Ok(Value::Pointer(result))
    }

    /// Differences of labels, and their sums with labels, are GNU C (*Labels as Values* in GCC's manual).
    fn is_label(&self, pointer: Pointer) -> bool {
        matches!(pointer.provenance.and_then(|id| self.memory.kind_of(id)), Some(Kind::Label(_)))
    }

    #[cold]
    fn left_object(&mut self, result: Pointer) -> Eval<()> {
        if self.is_label(result) {
            return Ok(());
        }
        if let Some(Kind::Static(variable)) = result.provenance.and_then(|id| self.memory.kind_of(id))
            && self.is_register(variable)
        {
            return self.unsupported(BESIDE);
        }
        let object = self.describe_pointer(result);
        let (name, offset, size) =
            object.as_ref().map_or_else(Default::default, |it| (it.name.clone(), it.offset, it.size));
        let sentence = format!("the result points to offset {offset} of {name}, which has {size} bytes");
        self.lenient(UndefinedKind::PointerArithmetic, |_| sentence, object)
    }

    /// `a[index]` for an array of known length inside of an object.
    pub(super) fn check_index(&mut self, base: ExprId, index: i128, followed: bool) -> Eval<()> {
        match self.left_array(base, index, followed) {
            Some(length) => {
                self.undefined(UndefinedKind::IndexOutOfArray, outside_of_array(index, length), None)
            }
            None => Ok(()),
        }
    }

    /// The length of the array that `a[index]` leaves, if it leaves one of known length.
    pub(super) fn left_array(&self, base: ExprId, index: i128, followed: bool) -> Option<u64> {
        let program = self.program;
        let ExprKind::ArrayDecay(array) = program.exprs[base].kind else { return None };
        let TypeKind::Array(_, ArrayLength::Fixed(length @ 1..)) =
            *program.types.kind(program.exprs[array].ty)
        else {
            return None;
        };
        // The end of the array is where a pointer may point to, if nobody follows it.
        let inside = (0..i128::from(length) + i128::from(!followed)).contains(&index);
        (!inside).then_some(length)
    }

    /// `(left - right) / scale`
    pub(super) fn pointer_difference(&mut self, left: Pointer, right: Pointer, scale: u64) -> Eval<Value> {
        if left.provenance != right.provenance && !(self.is_label(left) && self.is_label(right)) {
            let object = self.describe_pointer(left);
            let sentence = |_: &Self| "the difference of pointers to different objects".to_owned();
            self.lenient(UndefinedKind::PointerDifference, sentence, object)?;
        }
        let bits = self.pointer_bits();
        let distance = wrap(i128::from(left.address) - i128::from(right.address), bits, true);
        if scale == 0 {
            return self.undefined(
                UndefinedKind::DivisionByZero,
                "the difference of pointers to elements without size",
                None,
            );
        }
        Ok(Value::Int(distance / i128::from(scale)))
    }
}

/// An index that leaves its array, in words.
pub(super) fn outside_of_array(index: i128, length: u64) -> String {
    format!("the index {index} lies outside of an array of {length}")
}
