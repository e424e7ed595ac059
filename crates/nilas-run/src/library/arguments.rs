//! Variable arguments.
//!
//! A list is an object of its own without bytes; `va_start` stores a pointer to it into the `va_list`, whose
//! offset in the list is the number of the next argument. So copies of a list go on where it was, as copies
//! of its bytes would.

use crate::machine::{Eval, Machine};
use crate::memory::{Kind, Request};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Shape, Value};
use nilas_c::source::Span;
use nilas_c::tree::{Builtin, ExprId};
use nilas_c::types::{TypeId, TypeKind};

/// The member of the `va_list` of x86-64 that points to arguments in memory.
const OVERFLOW_AREA: u64 = 8;

impl Machine<'_> {
    /// `va_start`, `va_end`, `va_copy`
    pub(crate) fn argument_list(
        &mut self,
        builtin: Builtin,
        arguments: &[ExprId],
        span: Span,
    ) -> Eval<Value> {
        let Some(&list) = arguments.first() else { return self.unsupported("this list of arguments") };
        let to = self.list_place(list)?;
        self.here = span;
        match builtin {
            Builtin::VaStart => {
                let Some(frame) = self.frames.last() else {
                    return self.unsupported("a list of arguments here");
                };
                let more = frame.more.clone();
                let size = more.len() as u64;
                let request = Request {
                    kind: Kind::Arguments,
                    size,
                    align: 16,
                    span: Some(span),
                    occurrence: 0,
                    at: None,
                };
                let id = self.allocate(&request)?;
                self.library.lists.insert(id, more);
                if let Some(frame) = self.frames.last_mut() {
                    frame.until_return.push(id);
                }
                let pointer = self.memory.pointer_to(id);
                self.set_list(to, pointer)?;
            }
            Builtin::VaEnd => {
                let (id, offset) = match self.memory.resolve(to, self.pointer_size() as u64) {
                    Ok(found) => found,
                    Err(fault) => return self.fault(fault, to, 1, true),
                };
                let size = self.pointer_size();
                if let Some(allocation) = self.memory.get_mut(id) {
                    allocation.set_number(offset, size, 0);
                }
            }
            _ => {
                let Some(&source) = arguments.get(1) else {
                    return self.unsupported("this list of arguments");
                };
                let from = self.list_place(source)?;
                self.here = span;
                let pointer = self.list_pointer(from)?;
                self.set_list(to, pointer)?;
            }
        }
        Ok(Value::Void)
    }

    /// Where the pointer of a `va_list` lies, given its lvalue.
    fn list_place(&mut self, list: ExprId) -> Eval<Pointer> {
        let program = self.program;
        let node = &program.exprs[list];
        // An array that was passed on is a pointer.
        let decayed = program
            .types
            .pointee(node.ty)
            .is_some_and(|to| matches!(program.types.kind(to), TypeKind::Record(_)));
        let place = if node.kind.is_lvalue() {
            let place = self.place_of(list)?.pointer;
            if decayed { self.load(place, None, node.ty)?.pointer() } else { place }
        } else {
            self.eval(list)?.pointer()
        };
        Ok(self.inside_list(place))
    }

    /// Where the pointer of a `va_list` lies, given the pointer that a function gets.
    fn inside_list(&self, place: Pointer) -> Pointer {
        let offset = if self.pointer_size() == 8 { OVERFLOW_AREA } else { 0 };
        Pointer { address: place.address.wrapping_add(offset), ..place }
    }

    fn list_pointer(&mut self, place: Pointer) -> Eval<Pointer> {
        let size = self.pointer_size();
        let (id, offset) = match self.memory.resolve(place, size as u64) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, place, size as u64, false),
        };
        let Some(allocation) = self.memory.get(id) else { return Ok(Pointer::NULL) };
        let address = u64::try_from(allocation.number(offset, size)).unwrap_or(0);
        let provenance =
            allocation.common_provenance(offset, size).filter(|id| self.library.lists.contains_key(id));
        if provenance.is_none() || !allocation.is_initialised(offset, size) {
            let sentence = "a list of arguments that was not started, or was ended";
            return self.undefined(UndefinedKind::ArgumentList, sentence, None);
        }
        Ok(Pointer { address, provenance })
    }

    fn set_list(&mut self, place: Pointer, pointer: Pointer) -> Eval<()> {
        let size = self.pointer_size();
        match self.memory.resolve_write(place, size as u64) {
            Ok((id, offset)) => {
                if let Some(allocation) = self.memory.get_mut(id) {
                    allocation.set_pointer(offset, size, pointer);
                }
                Ok(())
            }
            Err(fault) => self.fault(fault, place, size as u64, true),
        }
    }

    /// `va_arg(list, T)`
    pub(crate) fn next_argument(&mut self, list: ExprId, ty: TypeId, span: Span) -> Eval<Value> {
        let place = self.list_place(list)?;
        self.here = span;
        let (from, value) = self.take_argument(place)?;
        self.fits(from, ty)?;
        self.convert_value(value, from, ty)
    }

    /// The arguments that are left in a list that a function like `vprintf` gets.
    pub(crate) fn arguments_left(&mut self, list: &Value) -> Eval<Vec<(TypeId, Value)>> {
        let pointer = if self.pointer_size() == 8 {
            let place = self.inside_list(list.pointer());
            self.list_pointer(place)?
        } else {
            list.pointer()
        };
        let base = pointer.provenance.and_then(|id| self.memory.get(id)).map(|it| it.base);
        let held = pointer.provenance.and_then(|id| self.library.lists.get(&id));
        let (Some(base), Some(held)) = (base, held) else {
            let sentence = "a list of arguments that was not started, or was ended";
            return self.undefined(UndefinedKind::ArgumentList, sentence, None);
        };
        let from = usize::try_from(pointer.address.wrapping_sub(base)).unwrap_or(usize::MAX);
        Ok(held.get(from..).unwrap_or(&[]).to_vec())
    }

    fn take_argument(&mut self, place: Pointer) -> Eval<(TypeId, Value)> {
        let pointer = self.list_pointer(place)?;
        let base = pointer.provenance.and_then(|id| self.memory.get(id)).map(|it| it.base);
        let Some((id, base)) = pointer.provenance.zip(base) else {
            let sentence = "the function whose arguments the list has is gone";
            return self.undefined(UndefinedKind::ArgumentList, sentence, None);
        };
        let number = usize::try_from(pointer.address.wrapping_sub(base)).unwrap_or(usize::MAX);
        let found = self.library.lists.get(&id).and_then(|list| list.get(number)).cloned();
        let Some(found) = found else {
            let sentence =
                format!("`va_arg` of argument {} behind the parameters, which was not passed", number + 1);
            return self.undefined(UndefinedKind::MissingArgument, sentence, None);
        };
        self.set_list(place, Pointer { address: pointer.address + 1, ..pointer })?;
        Ok(found)
    }

    /// Whether an argument of one type may be taken as another (7.16.1.1p2).
    fn fits(&mut self, from: TypeId, to: TypeId) -> Eval<()> {
        let fits = match (self.shape(from), self.shape(to)) {
            // Of the other sign, the value must be one of both types: machines take the bits.
            (Shape::Int { size: a, .. }, Shape::Int { size: b, .. }) => a == b,
            (Shape::Pointer, Shape::Pointer) | (Shape::Bool, Shape::Bool) => true,
            (Shape::Float(a), Shape::Float(b)) => a == b,
            (Shape::Aggregate(a), Shape::Aggregate(b)) => a == b,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let types = &self.program.types;
        let sentence =
            format!("`va_arg` of type `{}` where `{}` was passed", types.display(to), types.display(from));
        self.undefined(UndefinedKind::ArgumentType, sentence, None)
    }
}
