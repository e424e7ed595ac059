//! Objects and their parts as the source names them: `p.ki`, `a[3]`, `heap#1->next`.

use super::show;
use crate::machine::Machine;
use crate::memory::{AllocationId, Kind};
use crate::value::{Pointer, Shape, Value, wrap};
use nilas_c::tree::VarId;
use nilas_c::types::{ArrayLength, BitRange, TypeId, TypeKind};
use std::ops::Range;

/// A scalar part of an object.
pub(super) struct Leaf {
    /// The name of the whole, with the way to this part behind it.
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) offset: usize,
    pub(super) bits: Option<BitRange>,
    /// Its bits matter.
    pub(super) bitwise: bool,
    /// The array that it is an element of, and its index there.
    pub(super) element: Option<(String, u64)>,
}

/// Parts of one object that are looked at.
const MOST: usize = 4096;

impl Machine<'_> {
    /// The variable of an object, if it is one.
    fn variable_of(kind: Kind) -> Option<VarId> {
        match kind {
            Kind::Static(variable) | Kind::Automatic(variable) => Some(variable),
            _ => None,
        }
    }

    /// The name and the type of a whole object; the name of allocated memory is a pointer to it.
    fn whole(&self, id: AllocationId, kind: Kind, size: u64) -> (String, Option<TypeId>) {
        let program = self.program;
        if let Some(variable) = Self::variable_of(kind) {
            let declared = &program.variables[variable];
            let hides = |&other: &VarId| other != variable && program.variables[other].name == declared.name;
            let here = self.frames.last().map(|frame| frame.function);
            let hidden = declared.function != here
                && here.is_some_and(|here| program.functions[here].locals.iter().any(hides));
            let function = declared.function.filter(|_| hidden).map(|it| &program.functions[it].name);
            let name = match function {
                Some(function) => format!("{function}::{}", declared.name),
                None if hidden => format!("::{}", declared.name),
                None => declared.name.clone(),
            };
            return (name, Some(declared.ty));
        }
        let (number, ty) =
            self.tracer.as_ref().and_then(|tracer| tracer.heap.get(&id).copied()).unwrap_or((0, None));
        let fits = |ty: &TypeId| {
            program.types.size_of(*ty).is_some_and(|unit| unit > 0 && size.is_multiple_of(unit))
        };
        match kind {
            Kind::Heap => (format!("heap#{number}"), ty.filter(fits)),
            Kind::Alloca => ("alloca".to_owned(), ty.filter(fits)),
            Kind::Library(name) => (name.to_owned(), None),
            _ => ("unknown memory".to_owned(), None),
        }
    }

    /// The scalar parts of a living object that lie in a range of its bytes.
    pub(super) fn leaves(&self, id: AllocationId, range: Range<usize>) -> Vec<Leaf> {
        let Some(allocation) = self.memory.get(id) else { return Vec::new() };
        let (kind, size) = (allocation.kind, allocation.size);
        let (name, ty) = self.whole(id, kind, size);
        let mut found = Vec::new();
        let Some(ty) = ty else { return found };
        let walk = Walk { machine: self, range, variable: Self::variable_of(kind) };
        let register = walk.variable.is_some_and(|variable| self.is_register(variable));
        if let Some(address) = name.strip_prefix('*').filter(|_| register) {
            // A register is called by its address.
            walk.pointee(address, ty, &mut found);
        } else if walk.variable.is_some() {
            walk.part(name, ty, 0, size, (None, false), None, &mut found);
        } else {
            let unit = self.program.types.size_of(ty).unwrap_or(1).max(1);
            if unit == size {
                walk.pointee(&name, ty, &mut found);
            } else {
                walk.elements(&name, ty, 0, size / unit, false, &mut found);
            }
        }
        found
    }

    /// What a part holds, if all of it was stored.
    pub(super) fn held_value(&self, id: AllocationId, leaf: &Leaf) -> Option<Value> {
        let allocation = self.memory.get(id)?;
        let shape = self.shape(leaf.ty);
        let size = match leaf.bits {
            Some(bits) => usize::try_from((bits.offset + bits.width).div_ceil(8)).ok()?,
            None => usize::try_from(self.program.types.size_of(leaf.ty)?).ok()?,
        };
        let size = if let Shape::Float(kind) = shape {
            usize::try_from(crate::float::width(kind).div_ceil(8)).ok()?
        } else {
            size
        };
        if leaf.offset + size > allocation.data.len()
            || size > 16
            || !allocation.is_initialised(leaf.offset, size)
        {
            return None;
        }
        let number = allocation.number(leaf.offset, size);
        if let Some(bits) = leaf.bits {
            let signed = matches!(shape, Shape::Int { signed: true, .. });
            return Some(Value::Int(wrap((number >> bits.offset).cast_signed(), bits.width, signed)));
        }
        Some(match shape {
            Shape::Pointer => {
                let address = u64::try_from(number).ok()?;
                match allocation.common_provenance(leaf.offset, size) {
                    provenance @ Some(_) => Value::Pointer(Pointer { address, provenance }),
                    None => Value::Pointer(self.memory.pointer_of(address)),
                }
            }
            Shape::Float(_) => Value::Float(number),
            Shape::Int { size, signed } => {
                Value::Int(wrap(number.cast_signed(), 8 * u32::from(size), signed))
            }
            _ => Value::Int(number.cast_signed()),
        })
    }

    /// A pointer into an object, dead or alive.
    pub(super) fn pointer_name(&self, id: AllocationId, address: u64, pointee: Option<TypeId>) -> String {
        let (kind, base, size, alive) = match (self.memory.get(id), self.memory.grave(id)) {
            (Some(it), _) => (it.kind, it.base, it.size, true),
            (None, Some(it)) => (it.kind, it.base, it.size, false),
            (None, None) => return format!("{address:#x} (dead)"),
        };
        let offset = address.wrapping_sub(base);
        match kind {
            Kind::Function(function) => return self.program.functions[function].name.clone(),
            Kind::Label(label) => {
                let name = self.program.labels[label].name.clone().unwrap_or_default();
                return format!("&&{name}");
            }
            Kind::String(_) => {
                let bytes = self.memory.get(id).map_or(&[][..], |it| &it.data);
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                return rest.map_or_else(|| format!("{address:#x}"), show::string);
            }
            Kind::External | Kind::Arguments => return format!("{address:#x}"),
            _ => {}
        }
        let (name, ty) = self.whole(id, kind, size);
        let variable = Self::variable_of(kind).is_some();
        let text = match ty {
            _ if offset == 0 && !variable => name,
            Some(ty) if variable => {
                let place = self.way(ty, offset, size, pointee);
                place.map_or_else(
                    || format!("(char *)&{name} + {}", offset.cast_signed()),
                    |way| format!("&{name}{way}"),
                )
            }
            Some(ty) => {
                let unit = self.program.types.size_of(ty).unwrap_or(1).max(1);
                let (index, inside) = (offset / unit, offset % unit);
                match self.way(ty, inside, unit, pointee).filter(|_| offset <= size) {
                    Some(way) if index == 0 && way.starts_with('.') => format!("&{name}->{}", &way[1..]),
                    Some(way) => format!("&{name}[{index}]{way}"),
                    None => format!("(char *){name} + {}", offset.cast_signed()),
                }
            }
            None => format!("(char *){name} + {}", offset.cast_signed()),
        };
        match (alive, kind) {
            (true, _) => text,
            (false, Kind::Heap) => format!("{text} (freed)"),
            (false, _) => format!("{text} (dead)"),
        }
    }

    /// The way from an object of a type to a part of it: `.ki`, `[3]`. The part is of the type `wanted` if
    /// there is one, else the largest one that begins there.
    fn way(&self, ty: TypeId, offset: u64, size: u64, wanted: Option<TypeId>) -> Option<String> {
        let types = &self.program.types;
        let same = |one: TypeId| wanted.is_some_and(|wanted| types.compatible_unqualified(one, wanted));
        if offset == 0 && same(ty) {
            return Some(String::new());
        }
        let inside = match types.kind(ty) {
            TypeKind::Array(element, length) => {
                let unit = types.size_of(*element).filter(|&unit| unit > 0)?;
                let count = match length {
                    ArrayLength::Fixed(count) => *count,
                    _ => size / unit,
                };
                let index = offset / unit;
                // One behind the last element is a place, too.
                if index == count && offset == count * unit {
                    return Some(format!("[{index}]"));
                }
                let way = self.way(*element, offset % unit, unit, wanted).filter(|_| index < count);
                way.map(|way| format!("[{index}]{way}"))
            }
            TypeKind::Record(id) => {
                let layout = types.record(*id).layout.as_ref()?;
                layout.fields.iter().filter(|field| field.bits.is_none()).find_map(|field| {
                    let size = types.size_of(field.ty)?;
                    if offset < field.offset || offset >= field.offset + size {
                        return None;
                    }
                    let way = self.way(field.ty, offset - field.offset, size, wanted)?;
                    Some(match &field.name {
                        Some(name) => format!(".{name}{way}"),
                        None => way,
                    })
                })
            }
            _ => None,
        };
        // A pointer to bytes of something larger, or of a type that is not there.
        inside.filter(|_| offset > 0 || self.reaches(ty, wanted)).or((offset == 0).then(String::new))
    }

    /// Whether the first part of some depth is of a type.
    fn reaches(&self, ty: TypeId, wanted: Option<TypeId>) -> bool {
        let types = &self.program.types;
        let Some(wanted) = wanted else { return false };
        types.compatible_unqualified(ty, wanted)
            || match types.kind(ty) {
                TypeKind::Array(element, _) => self.reaches(*element, Some(wanted)),
                TypeKind::Record(id) => {
                    let layout = types.record(*id).layout.as_ref();
                    let first = layout.and_then(|layout| layout.fields.iter().find(|it| it.offset == 0));
                    first.is_some_and(|field| self.reaches(field.ty, Some(wanted)))
                }
                _ => false,
            }
    }
}

/// A walk over the parts of an object.
struct Walk<'m, 'a> {
    machine: &'m Machine<'a>,
    range: Range<usize>,
    variable: Option<VarId>,
}

impl Walk<'_, '_> {
    fn meets(&self, offset: u64, size: u64) -> bool {
        let (start, end) = (self.range.start as u64, self.range.end as u64);
        offset < end && start < offset + size.max(1)
    }

    /// The parts of what a pointer points to.
    fn pointee(&self, name: &str, ty: TypeId, found: &mut Vec<Leaf>) {
        let mut parts = Vec::new();
        self.part(String::new(), ty, 0, u64::MAX, (None, false), None, &mut parts);
        found.extend(parts.into_iter().map(|leaf| {
            let renamed = |way: &str| match way.strip_prefix('.') {
                Some(member) => format!("{name}->{member}"),
                None if way.is_empty() => format!("*{name}"),
                None => format!("(*{name}){way}"),
            };
            let element = leaf.element.map(|(array, index)| (renamed(&array), index));
            Leaf { name: renamed(&leaf.name), element, ..leaf }
        }));
    }

    fn elements(&self, name: &str, ty: TypeId, at: u64, count: u64, bitwise: bool, found: &mut Vec<Leaf>) {
        let unit = self.machine.program.types.size_of(ty).unwrap_or(0);
        if unit == 0 {
            return;
        }
        let first = (self.range.start as u64).saturating_sub(at) / unit;
        let last = ((self.range.end as u64).saturating_sub(at)).div_ceil(unit).min(count);
        for index in first..last {
            let element = Some((name.to_owned(), index));
            let offset = at + index * unit;
            self.part(format!("{name}[{index}]"), ty, offset, unit, (None, bitwise), element, found);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "they are what is known of a part")]
    fn part(
        &self,
        name: String,
        ty: TypeId,
        offset: u64,
        size: u64,
        (bits, bitwise): (Option<BitRange>, bool),
        element: Option<(String, u64)>,
        found: &mut Vec<Leaf>,
    ) {
        if found.len() >= MOST {
            return;
        }
        let machine = self.machine;
        let types = &machine.program.types;
        let tracer = machine.tracer.as_ref();
        let bitwise = bitwise
            || self
                .variable
                .is_some_and(|it| tracer.is_some_and(|tracer| tracer.bitwise.variables.contains(&it)));
        match types.kind(ty) {
            TypeKind::Array(inner, length) => {
                let unit = types.size_of(*inner).unwrap_or(1).max(1);
                let count = match length {
                    ArrayLength::Fixed(count) => *count,
                    _ => size / unit,
                };
                self.elements(&name, *inner, offset, count, bitwise, found);
            }
            TypeKind::Record(id) => {
                let record = types.record(*id);
                let fields = record.layout.iter().flat_map(|layout| &layout.fields);
                for field in fields {
                    let size = match field.bits {
                        Some(bits) => u64::from((bits.offset + bits.width).div_ceil(8)),
                        None => types.size_of(field.ty).unwrap_or(0),
                    };
                    let at = offset + field.offset;
                    if !self.meets(at, size) {
                        continue;
                    }
                    let before = found.len();
                    let name = match &field.name {
                        Some(member) => format!("{name}.{member}"),
                        None => name.clone(),
                    };
                    let bitwise = tracer.is_some_and(|it| it.bitwise.members.contains(&(*id, field.offset)));
                    self.part(name, field.ty, at, size, (field.bits, bitwise), None, found);
                    // Members of a union are different views of the same bytes: one of them is shown.
                    if record.is_union && found.len() > before {
                        break;
                    }
                }
            }
            _ if self.meets(offset, size) => {
                let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                found.push(Leaf { name, ty, offset, bits, bitwise, element });
            }
            _ => {}
        }
    }
}
