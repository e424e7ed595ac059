//! Lvalues: which place an expression designates.

use crate::machine::{Eval, Machine};
use crate::memory::{AllocationId, Kind, Request};
use crate::value::{Pointer, Value};
use nilas_c::index::Id;
use nilas_c::tree::{AddressBase, ExprId, ExprKind, FunctionId, LabelId, StringId};
use nilas_c::types::BitRange;

/// A place in memory: a pointer to its first byte, and the bits if it is a bit-field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    pub(crate) pointer: Pointer,
    pub(crate) bits: Option<BitRange>,
}

impl Machine<'_> {
    /// The place that an lvalue designates. Nothing is accessed yet.
    pub(crate) fn place_of(&mut self, expr: ExprId) -> Eval<Location> {
        let program = self.program;
        let node = &program.exprs[expr];
        let plain = |pointer| Location { pointer, bits: None };
        match &node.kind {
            ExprKind::Variable(variable) => {
                let declared = &program.variables[*variable];
                if declared.weak && !declared.defined {
                    return Ok(plain(Pointer::NULL));
                }
                let id = self.object(*variable)?;
                Ok(plain(self.memory.pointer_to(id)))
            }
            ExprKind::Member { base, offset, bits } => {
                let base = self.place_of(*base)?;
                let address = self.wrap_address(base.pointer.address.wrapping_add(*offset));
                Ok(Location { pointer: Pointer { address, ..base.pointer }, bits: *bits })
            }
            ExprKind::Deref(pointer) => {
                self.followed = Some(*pointer);
                let value = self.eval(*pointer)?;
                self.here = node.span;
                let pointer = value.pointer();
                if self.options.strict {
                    let align = program.types.align_of(node.ty).max(1);
                    // Eight bytes are aligned to four inside of structs on i386.
                    let align = if self.pointer_size() == 4 { align.min(4) } else { align };
                    if pointer.address % align != 0 && pointer.provenance.is_some() {
                        self.misaligned(pointer, align)?;
                    }
                }
                Ok(plain(pointer))
            }
            ExprKind::String(string) => {
                let id = self.string(*string)?;
                Ok(plain(self.memory.pointer_to(id)))
            }
            ExprKind::CompoundLiteral(variable) => {
                let id = self.object(*variable)?;
                if !crate::prepare::is_lasting(program, *variable) {
                    self.declared_again(*variable, id);
                    self.initialise(*variable, id)?;
                }
                Ok(plain(self.memory.pointer_to(id)))
            }
            ExprKind::Materialise { value, variable } => {
                let value = self.eval(*value)?;
                let id = self.object(*variable)?;
                let pointer = self.memory.pointer_to(id);
                self.here = node.span;
                self.store(pointer, None, program.variables[*variable].ty, &value)?;
                self.temporaries.push(id);
                Ok(plain(pointer))
            }
            ExprKind::Comma(first, second) => {
                let start = self.footprints.start();
                self.eval_any(*first)?;
                self.footprints.complete(start);
                self.place_of(*second)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.condition(*condition)? { *then } else { *otherwise };
                self.place_of(chosen)
            }
            _ => {
                self.here = node.span;
                self.unsupported("an expression of this sort that designates an object")
            }
        }
    }

    /// Addresses have as many bits as pointers.
    pub(super) fn wrap_address(&self, address: u64) -> u64 {
        if self.pointer_size() == 4 { address & 0xffff_ffff } else { address }
    }

    /// The object of a string literal.
    pub(crate) fn string(&mut self, string: StringId) -> Eval<AllocationId> {
        if let Some(id) = self.strings[string.index()] {
            return Ok(id);
        }
        let program = self.program;
        let literal = &program.strings[string];
        let unit = usize::try_from(program.types.size_of(literal.element).unwrap_or(1)).unwrap_or(1);
        let units = literal.units.len() + 1;
        let size = u64::try_from(units * unit).unwrap_or(u64::MAX);
        let request = Request {
            kind: Kind::String(string),
            size,
            align: program.types.align_of(literal.ty),
            span: Some(literal.span),
            occurrence: 0,
            at: None,
        };
        let id = self.allocate(&request)?;
        if let Some(allocation) = self.memory.get_mut(id) {
            for (number, &code) in literal.units.iter().chain(&[0]).enumerate() {
                allocation.set_number(number * unit, unit, u128::from(code));
            }
            allocation.read_only = true;
        }
        self.strings[string.index()] = Some(id);
        Ok(id)
    }

    /// The pointer to a function designator.
    pub(super) fn function_pointer(&mut self, designator: ExprId) -> Eval<Value> {
        match self.program.exprs[designator].kind {
            ExprKind::Function(function) => Ok(Value::Pointer(self.pointer_to_function(function)?)),
            ExprKind::Deref(pointer) => self.eval(pointer),
            _ => {
                // A conditional or a comma between designators.
                let place = self.place_of(designator)?;
                Ok(Value::Pointer(place.pointer))
            }
        }
    }

    /// The pointer to a function; null for a weak one that does not exist.
    pub(crate) fn pointer_to_function(&mut self, function: FunctionId) -> Eval<Pointer> {
        if let Some(id) = self.functions[function.index()] {
            return Ok(self.memory.pointer_to(id));
        }
        let declared = &self.program.functions[function];
        if declared.weak && declared.body.is_none() && nilas_c::catalogue::row(&declared.name).is_none() {
            return Ok(Pointer::NULL);
        }
        let span = Some(declared.span);
        let request =
            Request { kind: Kind::Function(function), size: 1, align: 16, span, occurrence: 0, at: None };
        let id = self.allocate(&request)?;
        self.functions[function.index()] = Some(id);
        Ok(self.memory.pointer_to(id))
    }

    pub(super) fn label_pointer(&mut self, label: LabelId) -> Eval<Value> {
        if let Some(id) = self.labels[label.index()] {
            return Ok(Value::Pointer(self.memory.pointer_to(id)));
        }
        let span = Some(self.program.labels[label].span);
        let request = Request { kind: Kind::Label(label), size: 1, align: 1, span, occurrence: 0, at: None };
        let id = self.allocate(&request)?;
        self.labels[label.index()] = Some(id);
        Ok(Value::Pointer(self.memory.pointer_to(id)))
    }

    /// The label at an address. The address decides, not what the pointer was made from: tables of
    /// differences of labels (`&&this + offsets[i]`, where `offsets[i]` is `&&that - &&this`) are GNU C.
    pub(crate) fn label_at(&self, address: u64) -> Option<LabelId> {
        let allocation = self.memory.get(self.memory.find(address)?)?;
        match allocation.kind {
            Kind::Label(label) if allocation.base == address => Some(label),
            _ => None,
        }
    }

    /// Whether a label stands in the function that runs.
    pub(crate) fn may_go_to(&self, label: LabelId) -> bool {
        let function = self.frames.last().map(|frame| &self.program.functions[frame.function]);
        function.is_some_and(|function| function.labels.contains(&label))
    }

    /// An address constant.
    pub(super) fn address_constant(&mut self, base: AddressBase, offset: i64) -> Eval<Value> {
        let base = match base {
            AddressBase::Variable(variable) => {
                let declared = &self.program.variables[variable];
                if declared.weak && !declared.defined {
                    return Ok(Self::pointer_value(0));
                }
                let id = self.object(variable)?;
                self.memory.pointer_to(id)
            }
            AddressBase::Function(function) => self.pointer_to_function(function)?,
            AddressBase::String(string) => {
                let id = self.string(string)?;
                self.memory.pointer_to(id)
            }
        };
        let address = self.wrap_address(base.address.wrapping_add_signed(offset));
        Ok(Value::Pointer(Pointer { address, ..base }))
    }
}
