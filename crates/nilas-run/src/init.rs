//! Initialisers.

use crate::machine::{Eval, Machine};
use crate::memory::{AllocationId, Kind, Request};
use crate::value::{Pointer, Value};
use nilas_c::index::Id;
use nilas_c::tree::{ExprId, InitItem, InitValue, VarId, VarRole};
use nilas_c::types::{TypeId, TypeTable};

/// Bytes that objects of other files get whose size is not known.
const UNKNOWN_SIZE: u64 = 4096;

impl Machine<'_> {
    /// Stores what an object holds at first. Its bytes are not initialised before.
    pub(crate) fn initialise(&mut self, variable: VarId, id: AllocationId) -> Eval<()> {
        let program = self.program;
        let declared = &program.variables[variable];
        if let Some(init) = &declared.init {
            if init.zero_fill {
                self.zero(id);
            }
            let base = self.memory.pointer_to(id);
            // One expression may initialise several places: it is evaluated once.
            let mut last: Option<(ExprId, Value)> = None;
            for item in &init.items {
                self.init_item(base, item, &mut last)?;
            }
        }
        if program.types.qualifiers(declared.ty).is_const
            && declared.init.is_some()
            && let Some(allocation) = self.memory.get_mut(id)
        {
            allocation.read_only = true;
        }
        let constants =
            if declared.init.is_some() { const_members(&program.types, declared.ty, 0) } else { Vec::new() };
        if !constants.is_empty()
            && let Some(allocation) = self.memory.get_mut(id)
        {
            allocation.constants = constants;
        }
        Ok(())
    }

    fn init_item(&mut self, base: Pointer, item: &InitItem, last: &mut Option<(ExprId, Value)>) -> Eval<()> {
        let program = self.program;
        let place = Pointer { address: base.address.wrapping_add(item.offset), ..base };
        match item.value {
            InitValue::Expr(expr) => {
                let value = match last {
                    Some((evaluated, value)) if *evaluated == expr => value.clone(),
                    _ => self.eval(expr)?,
                };
                self.here = program.exprs[expr].span;
                self.store(place, item.bits, item.ty, &value)?;
                *last = Some((expr, value));
            }
            InitValue::String { string, units } => {
                let literal = &program.strings[string];
                let unit = program.types.size_of(literal.element).unwrap_or(1);
                let size = self.size_of(item.ty)?.max(units.saturating_mul(unit));
                let (id, offset) = match self.memory.resolve_write(place, size) {
                    Ok(found) => found,
                    Err(fault) => return self.fault(fault, place, size, true),
                };
                let unit = usize::try_from(unit).unwrap_or(1);
                let count = usize::try_from(units).unwrap_or(0);
                if let Some(allocation) = self.memory.get_mut(id) {
                    let end = offset + usize::try_from(size).unwrap_or(0);
                    allocation.data[offset..end].fill(0);
                    allocation.initialised[offset..end].fill(true);
                    for (number, &code) in literal.units.iter().take(count).enumerate() {
                        allocation.set_number(offset + number * unit, unit, u128::from(code));
                    }
                }
            }
        }
        Ok(())
    }

    fn zero(&mut self, id: AllocationId) {
        if let Some(allocation) = self.memory.get_mut(id) {
            allocation.data.fill(0);
            allocation.initialised.fill(true);
            allocation.provenance.clear();
        }
    }

    /// How many bytes the initialiser of a variable reaches: a flexible array member makes its object larger.
    pub(crate) fn size_with_init(&self, variable: VarId) -> u64 {
        let Some(init) = &self.program.variables[variable].init else { return 0 };
        let end = |item: &InitItem| {
            let size = match item.value {
                InitValue::String { string, units } => {
                    let element = self.program.strings[string].element;
                    units.saturating_mul(self.program.types.size_of(element).unwrap_or(1))
                }
                InitValue::Expr(_) if item.bits.is_some() => 1,
                InitValue::Expr(_) => self.program.types.size_of(item.ty).unwrap_or(0),
            };
            item.offset.saturating_add(size)
        };
        init.items.iter().map(end).max().unwrap_or(0)
    }

    /// Whether a variable of another file has a type without size: `extern int table[];`.
    pub(crate) fn size_is_unknown(&self, variable: VarId) -> bool {
        let declared = &self.program.variables[variable];
        !declared.defined && self.program.types.size_of(declared.ty).is_none()
    }

    /// Makes the objects of all variables of static duration, then initialises them.
    pub(crate) fn make_statics(&mut self) -> Eval<()> {
        let program = self.program;
        let statics: Vec<VarId> = program.statics().collect();
        for &variable in &statics {
            if let VarRole::Register(start) = program.variables[variable].role {
                let size = self.size_of(program.variables[variable].ty)?;
                self.memory.reserve(start, size);
            }
        }
        for &variable in &statics {
            let declared = &program.variables[variable];
            if !declared.defined && declared.weak {
                continue;
            }
            let unknown = if self.size_is_unknown(variable) { UNKNOWN_SIZE } else { 0 };
            let size =
                program.types.size_of(declared.ty).unwrap_or(unknown).max(self.size_with_init(variable));
            let align = program.types.align_of(declared.ty).max(declared.alignment.unwrap_or(1));
            let span = Some(declared.span);
            let at = match declared.role {
                VarRole::Register(start) => Some(start),
                _ => None,
            };
            let request = Request { kind: Kind::Static(variable), size, align, span, occurrence: 0, at };
            let id = self.allocate(&request)?;
            self.statics[variable.index()] = Some(id);
        }
        for &variable in &statics {
            let Some(id) = self.statics[variable.index()] else { continue };
            // Objects of other files hold any value.
            if program.variables[variable].defined && !program.variables[variable].any {
                self.zero(id);
                self.initialise(variable, id)?;
                let constant = program.types.qualifiers(program.variables[variable].ty).is_const;
                if let Some(allocation) = self.memory.get_mut(id).filter(|_| constant) {
                    allocation.read_only = true;
                }
            }
        }
        Ok(())
    }
}

/// Where the `const` members of structs begin and end; arrays of structs are left out.
fn const_members(types: &TypeTable, ty: TypeId, at: u64) -> Vec<(usize, usize)> {
    let layout = types.as_record(ty).map(|id| types.record(id)).filter(|record| !record.is_union);
    let Some(layout) = layout.and_then(|record| record.layout.as_ref()) else { return Vec::new() };
    let members = layout.fields.iter().filter(|field| field.bits.is_none()).flat_map(|field| {
        let start = at + field.offset;
        if types.qualifiers(field.ty).is_const {
            let end = start + types.size_of(field.ty).unwrap_or(0);
            vec![(usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0))]
        } else {
            const_members(types, field.ty, start)
        }
    });
    members.collect()
}
