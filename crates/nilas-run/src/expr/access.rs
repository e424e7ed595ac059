//! Loads and stores of values.

use super::Location;
use super::pointer::BESIDE;
use crate::choice::{ChoiceKind, ChoiceType};
use crate::machine::{Eval, Machine};
use crate::memory::{AllocationId, Fault, Kind};
use crate::undefined::UndefinedKind;
use crate::value::{Bytes, Pointer, Shape, Value, wrap};
use nilas_c::tree::{ExprId, ExprKind};
use nilas_c::types::{BitRange, FloatKind, TypeId};

/// Bytes that a float of the kind occupies when it is stored; the rest of a `long double` is padding.
fn stored_bytes(kind: FloatKind) -> usize {
    match kind {
        FloatKind::Half => 2,
        FloatKind::Float => 4,
        FloatKind::Double => 8,
        FloatKind::LongDouble => 10,
        FloatKind::Float128 => 16,
    }
}

impl Machine<'_> {
    /// The value of an lvalue.
    pub(super) fn load_from(&mut self, lvalue: ExprId) -> Eval<Value> {
        let node = &self.program.exprs[lvalue];
        let place = self.place_of(lvalue)?;
        self.here = node.span;
        if let ExprKind::Variable(variable) = node.kind
            && let Shape::Open = self.shape(node.ty)
        {
            return self.unsupported(format!("the value of `{}`", self.program.variables[variable].name));
        }
        self.load_at(place, lvalue)
    }

    /// What a volatile object holds that the program does not define: anything, whenever it is read.
    fn volatile(&mut self, place: Location, lvalue: ExprId, held: Value) -> Eval<Value> {
        let node = &self.program.exprs[lvalue];
        if !self.program.types.qualifiers(node.ty).is_volatile {
            return Ok(held);
        }
        let kind = place.pointer.provenance.and_then(|id| self.memory.kind_of(id));
        let Some(Kind::Static(variable)) = kind else { return Ok(held) };
        let variable = &self.program.variables[variable];
        let shape = self.shape(node.ty);
        if variable.defined || !matches!(shape, Shape::Int { .. } | Shape::Bool | Shape::Float(_)) {
            return Ok(held);
        }
        let Some(ty) = self.choice_type(shape, None) else { return Ok(held) };
        let ty = match (ty, place.bits) {
            (ChoiceType::Int { signed, range, .. }, Some(bits)) => {
                ChoiceType::Int { bits: bits.width, signed, range }
            }
            (ty, _) => ty,
        };
        let default = match held {
            Value::Float(bits) => bits.cast_signed(),
            ref held => held.int(),
        };
        let name = || variable.name.clone();
        self.trace_volatile(place.pointer, place.bits);
        let chosen = self.choose(ChoiceKind::VolatileRead, node.span, name, ty, default)?;
        let chosen = match ty {
            ChoiceType::Int { bits, signed, .. } => wrap(chosen, bits, signed),
            _ => chosen,
        };
        Ok(self.chosen(shape, chosen))
    }

    /// Reads a value of a type.
    pub(crate) fn load(&mut self, pointer: Pointer, bits: Option<BitRange>, ty: TypeId) -> Eval<Value> {
        let shape = self.shape(ty);
        if let Some(bits) = bits {
            return self.load_bits(pointer, bits, shape);
        }
        match shape {
            Shape::Int { size, signed } => {
                let size = usize::from(size);
                let (id, offset) = self.readable(pointer, size, shape)?;
                let Some(allocation) = self.memory.get(id) else { return Ok(Value::Int(0)) };
                let number = allocation.number(offset, size).cast_signed();
                if !allocation.provenance.is_empty()
                    && let Some(other) = allocation.provenance[offset]
                {
                    // The bytes of a pointer are looked at as a number.
                    self.memory.expose(Pointer { address: 0, provenance: Some(other) });
                }
                Ok(Value::Int(wrap(number, 8 * u32::from(u8::try_from(size).unwrap_or(16)), signed)))
            }
            Shape::Pointer => {
                let size = self.pointer_size();
                let (id, offset) = self.readable(pointer, size, shape)?;
                let Some(allocation) = self.memory.get(id) else { return Ok(Value::Pointer(Pointer::NULL)) };
                let address = u64::try_from(allocation.number(offset, size)).unwrap_or(0);
                let provenance = allocation.common_provenance(offset, size);
                Ok(Value::Pointer(match provenance {
                    Some(_) => Pointer { address, provenance },
                    None => self.memory.pointer_of(address),
                }))
            }
            Shape::Bool => {
                let (id, offset) = self.readable(pointer, 1, shape)?;
                let number = self.memory.get(id).map_or(0, |it| it.number(offset, 1));
                if number > 1 {
                    let sentence = move |_: &Self| format!("a `_Bool` holds the number {number}");
                    let object = self.describe_pointer(pointer);
                    self.lenient(UndefinedKind::TrapRepresentation, sentence, object)?;
                }
                Ok(Value::Int(number.cast_signed()))
            }
            Shape::Float(kind) => {
                let size = usize::try_from(kind.size(self.program.types.model())).unwrap_or(16);
                let (id, offset) = self.readable(pointer, size, shape)?;
                let number = self.memory.get(id).map_or(0, |it| it.number(offset, stored_bytes(kind)));
                Ok(Value::Float(number))
            }
            Shape::Aggregate(size) => {
                let bytes = self.read_bytes(pointer, size)?;
                Ok(Value::Bytes(Box::new(bytes)))
            }
            Shape::Void => Ok(Value::Void),
            Shape::Function | Shape::Open => {
                if self.program.types.is_variable_length(ty) {
                    let size = self.size_of(ty)?;
                    return Ok(Value::Bytes(Box::new(self.read_bytes(pointer, size)?)));
                }
                self.unsupported("a value of this type")
            }
        }
    }

    /// Writes a value of a type.
    pub(crate) fn store(
        &mut self,
        pointer: Pointer,
        bits: Option<BitRange>,
        ty: TypeId,
        value: &Value,
    ) -> Eval<()> {
        let shape = self.shape(ty);
        if let Some(bits) = bits {
            return self.store_bits(pointer, bits, value.int());
        }
        match (shape, value) {
            (Shape::Int { size, .. }, value) => {
                let size = usize::from(size);
                let (id, offset) = self.writable(pointer, size)?;
                if let Some(allocation) = self.memory.get_mut_at(id, offset, size) {
                    allocation.set_number(offset, size, value.int().cast_unsigned());
                }
            }
            (Shape::Bool, value) => {
                let (id, offset) = self.writable(pointer, 1)?;
                if let Some(allocation) = self.memory.get_mut_at(id, offset, 1) {
                    allocation.set_number(offset, 1, value.int().cast_unsigned());
                }
            }
            (Shape::Pointer, value) => {
                let size = self.pointer_size();
                let (id, offset) = self.writable(pointer, size)?;
                if let Some(allocation) = self.memory.get_mut_at(id, offset, size) {
                    allocation.set_pointer(offset, size, value.pointer());
                }
            }
            (Shape::Float(kind), value) => {
                let size = usize::try_from(kind.size(self.program.types.model())).unwrap_or(16);
                let (id, offset) = self.writable(pointer, size)?;
                if let Some(allocation) = self.memory.get_mut_at(id, offset, size) {
                    allocation.set_number(offset, stored_bytes(kind), value.bits());
                }
            }
            (_, Value::Bytes(bytes)) => self.write_bytes(pointer, bytes)?,
            (Shape::Void, _) => {}
            _ => return self.unsupported("a store of a value of this type"),
        }
        Ok(())
    }

    /// Reads bytes as they are.
    pub(crate) fn read_bytes(&mut self, pointer: Pointer, size: u64) -> Eval<Bytes> {
        if size == 0 {
            return Ok(Bytes::default());
        }
        let (id, offset) = match self.memory.resolve(pointer, size) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, pointer, size, false),
        };
        self.footprints.note(id, 8 * offset as u64, 8 * size, false, self.here);
        Ok(self.memory.copy_out(id, offset, usize::try_from(size).unwrap_or(0)))
    }

    /// Writes bytes as they are.
    pub(crate) fn write_bytes(&mut self, pointer: Pointer, bytes: &Bytes) -> Eval<()> {
        if bytes.data.is_empty() {
            return Ok(());
        }
        let (id, offset) = self.writable(pointer, bytes.data.len())?;
        self.memory.copy_in(id, offset, bytes);
        Ok(())
    }

    fn load_bits(&mut self, pointer: Pointer, bits: BitRange, shape: Shape) -> Eval<Value> {
        let bytes = (bits.offset + bits.width).div_ceil(8);
        let (id, offset) = match self.memory.resolve(pointer, u64::from(bytes)) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, pointer, u64::from(bytes), false),
        };
        self.note_bits(id, offset, bits, false);
        let size = usize::try_from(bytes).unwrap_or(1);
        self.settle(id, offset, size, None)?;
        let number = self.wide_number(id, offset, size) >> bits.offset;
        let signed = matches!(shape, Shape::Int { signed: true, .. });
        Ok(Value::Int(wrap(number.cast_signed(), bits.width, signed)))
    }

    fn store_bits(&mut self, pointer: Pointer, bits: BitRange, value: i128) -> Eval<()> {
        let bytes = (bits.offset + bits.width).div_ceil(8);
        let (id, offset) = match self.memory.resolve_write(pointer, u64::from(bytes)) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, pointer, u64::from(bytes), true),
        };
        self.note_bits(id, offset, bits, true);
        let size = usize::try_from(bytes).unwrap_or(1);
        // The bits around keep their values, which are any if they were never set. They are settled only when
        // they are read: until then they are zero, which is one of the values they may have.
        let old = self.wide_number(id, offset, size);
        let mask = if bits.width >= 128 { u128::MAX } else { (1 << bits.width) - 1 };
        let new = old & !(mask << bits.offset) | (value.cast_unsigned() & mask) << bits.offset;
        if let Some(allocation) = self.memory.get_mut_at(id, offset, size) {
            allocation.set_number(offset, size, new);
        }
        Ok(())
    }

    fn note_bits(&mut self, id: AllocationId, offset: usize, bits: BitRange, write: bool) {
        let first = 8 * offset as u64 + u64::from(bits.offset);
        self.footprints.note(id, first, u64::from(bits.width), write, self.here);
    }

    fn wide_number(&self, id: AllocationId, offset: usize, size: usize) -> u128 {
        self.memory.get(id).map_or(0, |allocation| allocation.number(offset, size.min(16)))
    }

    /// The object of a read of a scalar, whose bytes have values afterwards.
    #[inline]
    fn readable(&mut self, pointer: Pointer, size: usize, shape: Shape) -> Eval<(AllocationId, usize)> {
        let (id, offset) = match self.memory.resolve(pointer, size as u64) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, pointer, size as u64, false),
        };
        self.footprints.note(id, 8 * offset as u64, 8 * size as u64, false, self.here);
        let initialised = self.memory.get(id).is_some_and(|it| it.is_initialised(offset, size));
        if !initialised {
            let size = if let Shape::Float(kind) = shape { stored_bytes(kind) } else { size };
            self.settle(id, offset, size, Some(shape))?;
        }
        Ok((id, offset))
    }

    #[inline]
    fn writable(&mut self, pointer: Pointer, size: usize) -> Eval<(AllocationId, usize)> {
        match self.memory.resolve_write(pointer, size as u64) {
            Ok((id, offset)) => {
                self.footprints.note(id, 8 * offset as u64, 8 * size as u64, true, self.here);
                Ok((id, offset))
            }
            Err(fault) => self.fault(fault, pointer, size as u64, true),
        }
    }

    /// An object of a type does not lie where its alignment asks.
    #[cold]
    pub(super) fn misaligned(&mut self, pointer: Pointer, align: u64) -> Eval<()> {
        let object = self.describe_pointer(pointer);
        let address = pointer.address;
        let sentence = format!("the address {address:#x} is not a multiple of {align}, as the type asks");
        self.undefined(UndefinedKind::Misaligned, sentence, object)
    }

    /// Bytes that nothing was stored to get values by choice: of the whole scalar if none of them has one,
    /// else each on its own.
    #[cold]
    pub(crate) fn settle(
        &mut self,
        id: AllocationId,
        offset: usize,
        size: usize,
        shape: Option<Shape>,
    ) -> Eval<()> {
        let Some(allocation) = self.memory.get(id) else { return Ok(()) };
        if allocation.is_initialised(offset, size) {
            return Ok(());
        }
        let (kind, occurrence, span) =
            (allocation.kind, allocation.occurrence, allocation.span.unwrap_or(self.here));
        let fresh = allocation.initialised[offset..offset + size].iter().all(|&it| !it);
        let whole =
            shape.filter(|_| fresh).and_then(|shape| self.choice_type(shape, None).map(|ty| (shape, ty)));
        let name = match kind {
            Kind::Automatic(variable) | Kind::Static(variable) => {
                self.program.variables[variable].name.clone()
            }
            Kind::Library(name) => name.to_owned(),
            Kind::External => "external".to_owned(),
            _ => "allocated".to_owned(),
        };
        let forgotten = allocation.forgotten;
        let sought = match kind {
            Kind::Automatic(variable) => {
                let plain = self.options.check_uninitialised && !self.tables.is_address_taken(variable);
                plain || self.options.ends.contains(UndefinedKind::UninitialisedRead)
            }
            Kind::Heap | Kind::Alloca => self.options.ends.contains(UndefinedKind::UninitialisedRead),
            _ => false,
        };
        // What functions of the library look at byte by byte is not a value of the program.
        if sought && shape.is_some() && !forgotten && !self.in_library_text() {
            let object = Some(self.describe(id, 0));
            let sentence = format!("`{name}` is read before a value was stored to it");
            return self.undefined(UndefinedKind::UninitialisedRead, sentence, object);
        }
        let choice = ChoiceKind::Uninitialised;
        self.trace_changes();
        if let Some((shape, ty)) = whole {
            let at = offset as u64;
            // A text of the library reads what it leaves open.
            let usual = self.library.usual.pop_front().unwrap_or(0);
            let number = self.choose_named(choice, span, name, occurrence, at, ty, usual)?;
            self.admit_pointer(shape, number, span)?;
            let value = self.chosen(shape, number);
            let pointer_size = self.pointer_size();
            let Some(allocation) = self.memory.get_mut(id) else { return Ok(()) };
            match value {
                Value::Pointer(pointer) => allocation.set_pointer(offset, pointer_size, pointer),
                Value::Float(bits) => allocation.set_number(offset, size.min(16), bits),
                value => allocation.set_number(offset, size, value.int().cast_unsigned()),
            }
            self.trace_uninitialised(id, offset, size);
            return Ok(());
        }
        for byte in offset..offset + size {
            if self.memory.get(id).is_some_and(|it| it.initialised[byte]) {
                continue;
            }
            let ty = crate::choice::ChoiceType::Int { bits: 8, signed: false, range: None };
            let number = self.choose_named(choice, span, name.clone(), occurrence, byte as u64, ty, 0)?;
            if let Some(allocation) = self.memory.get_mut_at(id, byte, 1) {
                allocation.set_number(byte, 1, number.cast_unsigned() & 0xff);
            }
        }
        self.trace_uninitialised(id, offset, size);
        Ok(())
    }

    /// An access that is undefined.
    #[cold]
    pub(crate) fn fault<T>(&self, fault: Fault, pointer: Pointer, size: u64, write: bool) -> Eval<T> {
        let access = if write { "write" } else { "read" };
        let bytes = if size == 1 { "byte" } else { "bytes" };
        let object = self.describe_pointer(pointer);
        let name = object.as_ref().map_or_else(String::new, |object| object.name.clone());
        if let Fault::Outside(id) = fault {
            match self.memory.kind_of(id) {
                Some(Kind::External) => {
                    return self.unsupported("an access across blocks of memory of unknown origin");
                }
                Some(Kind::Static(variable)) if self.is_register(variable) => {
                    return self.unsupported(BESIDE);
                }
                Some(Kind::Static(variable)) if self.size_is_unknown(variable) => {
                    return self
                        .unsupported("an access to an object of another file whose size is not known");
                }
                _ => {}
            }
        }
        match fault {
            Fault::Null if pointer.address != 0 && self.memory.has_fixed() => self.unsupported(BESIDE),
            Fault::Null => {
                let sentence = match pointer.address {
                    0 => format!("{access} through a null pointer"),
                    n => format!("{access} at the address {n}, {n} bytes behind null"),
                };
                self.undefined(UndefinedKind::NullDereference, sentence, None)
            }
            Fault::Wild => {
                let sentence =
                    format!("{access} at the address {:#x}, where no object lies", pointer.address);
                // A device may be there.
                if !self.options.strict {
                    return self.unsupported(sentence);
                }
                self.undefined(UndefinedKind::WildPointer, sentence, None)
            }
            Fault::Dead(id) => {
                let heap = self.memory.grave(id).is_some_and(|grave| grave.kind == Kind::Heap);
                let (kind, how) = if heap {
                    (UndefinedKind::UseAfterFree, "was freed before")
                } else {
                    (UndefinedKind::DeadObject, "has ended its lifetime")
                };
                self.undefined(kind, format!("{access} of {size} {bytes} of {name}, which {how}"), object)
            }
            Fault::Outside(_) => {
                let kind =
                    if write { UndefinedKind::OutOfBoundsWrite } else { UndefinedKind::OutOfBoundsRead };
                let (offset, length) = object.as_ref().map_or((0, 0), |it| (it.offset, it.size));
                let unit = if length == 1 { "byte" } else { "bytes" };
                let sentence = format!(
                    "{access} of {size} {bytes} at offset {offset} of {name}, which has {length} {unit}"
                );
                self.undefined(kind, sentence, object)
            }
            Fault::NotAnObject(_) => self.undefined(
                UndefinedKind::NotAnObject,
                format!("{access} of {name} as if it were an object"),
                object,
            ),
            Fault::Constant(id) => {
                let literal = matches!(self.memory.kind_of(id), Some(Kind::String(_)));
                let (kind, why) = if literal {
                    (UndefinedKind::StringLiteralWrite, "")
                } else {
                    (UndefinedKind::ConstWrite, ", which is defined `const`")
                };
                self.undefined(kind, format!("write of {size} {bytes} of {name}{why}"), object)
            }
        }
    }

    /// Stores into a place.
    pub(super) fn store_at(&mut self, place: Location, ty: TypeId, value: &Value) -> Eval<()> {
        self.store(place.pointer, place.bits, ty, value)
    }

    /// Loads from the place of an lvalue.
    pub(super) fn load_at(&mut self, place: Location, lvalue: ExprId) -> Eval<Value> {
        let held = self.load(place.pointer, place.bits, self.program.exprs[lvalue].ty)?;
        self.volatile(place, lvalue, held)
    }

    /// The float kind of a type, if it is one.
    pub(crate) fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.shape(ty) {
            Shape::Float(kind) => Some(kind),
            _ => None,
        }
    }
}
