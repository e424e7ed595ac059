//! Objects: what the automaton has for variables, string literals and allocations, and where they lie.

use super::points::Class;
use super::provenance::{Known, SLACK};
use super::span::{Placed, pool_log, region_log};
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::{
    Dim, Kind, Spec, flatten, flatten_with, has_open_end, open_array, repeat,
};
use crate::tree::{Duration, FunctionId, InitItem, InitValue, StringId, VarId, Variable};
use crate::types::{RecordId, TypeId, TypeKind, TypeTable};
use nilas_term::{ArraySort, ArrayValue, BitVec, Sort, Term, Value};
use std::collections::BTreeMap;

/// An object of [`Lowering::objects`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct ObjectId(pub(in crate::lower) usize);

/// An automatic variable at a depth of its function's recursion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::lower) struct Local {
    pub(in crate::lower) function: FunctionId,
    pub(in crate::lower) depth: usize,
    pub(in crate::lower) variable: VarId,
}

/// A piece of memory.
pub(in crate::lower) struct Object {
    pub(in crate::lower) key: Key,
    /// Bytes.
    pub(in crate::lower) size: u64,
    pub(in crate::lower) leaves: Vec<Leaf>,
    /// Its type has leaves; else every access is unmodelled.
    pub(in crate::lower) modelled: bool,
    /// It ends with an array of unknown length: accesses behind it are not modelled.
    pub(in crate::lower) open_end: bool,
    /// The size in bytes, where it is known only at run time; accesses beyond `size` are then not modelled.
    pub(in crate::lower) length: Option<(nilas_program::VarId, Term)>,
    /// Whether it was freed, if something may free it.
    pub(in crate::lower) freed: Option<Freed>,
}

/// Whether an allocation was freed: one Boolean, or one per object of a pool (an array), whose objects are so
/// many bytes (a power of two) apart.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Freed {
    pub(in crate::lower) variable: nilas_program::VarId,
    pub(in crate::lower) term: Term,
    pub(in crate::lower) pool: Option<u32>,
}

/// A scalar part of an object, see [`Spec`].
#[derive(Clone)]
pub(in crate::lower) struct Leaf {
    pub(in crate::lower) offset: u64,
    pub(in crate::lower) width: u32,
    pub(in crate::lower) kind: Kind,
    pub(in crate::lower) dims: Vec<Dim>,
    pub(in crate::lower) storage: Storage,
    pub(in crate::lower) union: bool,
    /// It is defined `const`. Allocated memory is not, whatever the type is that it has.
    pub(in crate::lower) constant: bool,
    /// What it points to, if it is a pointer.
    pub(in crate::lower) pointee: Option<TypeId>,
    /// See [`Spec::within`].
    pub(in crate::lower) within: Vec<(RecordId, u64, bool)>,
}

/// The variables of a leaf.
#[derive(Clone)]
pub(in crate::lower) enum Storage {
    /// One per element.
    Cells(Vec<Slot>),
    /// An array from positions (of the pointer's width) to elements.
    Array(Slot),
}

/// A variable, or the constant that stands for one that never changes.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Slot {
    pub(in crate::lower) term: Term,
    pub(in crate::lower) variable: Option<nilas_program::VarId>,
}

/// What an allocation holds: elements of a type, a fixed number or (`None`) as many as asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Shape {
    pub(in crate::lower) element: TypeId,
    pub(in crate::lower) count: Option<u64>,
}

/// The bytes that are modelled of an object whose size is known only at run time.
pub(in crate::lower) const OPEN_SIZE: u64 = (1 << 26) - 2 * SLACK;

impl Lowering<'_> {
    pub(in crate::lower) fn pointer_bits(&self) -> u32 {
        u32::try_from(8 * self.tree.types.model().pointer_size()).unwrap_or(64)
    }

    /// The object of a variable in the present frame.
    pub(in crate::lower) fn variable_object(&mut self, variable: VarId) -> ObjectId {
        if self.tree.variables[variable].duration != Duration::Automatic {
            return self.object(Key::Static(variable));
        }
        self.object(self.local(variable))
    }

    /// An automatic variable of the present frame.
    pub(in crate::lower) fn local(&self, variable: VarId) -> Key {
        let (function, depth) = (self.frame().function, self.frame().depth);
        Key::Local(Local { function, depth, variable })
    }

    /// The object with this key, made when it is first asked for.
    pub(in crate::lower) fn object(&mut self, key: Key) -> ObjectId {
        if let Some(&id) = self.memory.by_key.get(&key) {
            return id;
        }
        let id = self.make(key);
        self.memory.by_key.insert(key, id);
        if let Key::Static(variable) = key
            && self.memory.objects[id.0]
                .leaves
                .iter()
                .any(|leaf| leaf.first_slot().is_some_and(|s| s.variable.is_some()))
        {
            self.memory.statics.push(variable);
        }
        id
    }

    fn make(&mut self, key: Key) -> ObjectId {
        let tree = self.tree;
        let declared = match key {
            Key::Static(variable) => Some(variable),
            Key::Local(local) => Some(local.variable),
            _ => None,
        };
        if let Some(variable) = declared.filter(|_| self.is_open_object(key)) {
            // Its content is nowhere.
            let size = tree.types.size_of(tree.variables[variable].ty).unwrap_or(0);
            return self.add(key, size, None, "open");
        }
        match key {
            Key::Static(variable) => {
                let declared = &tree.variables[variable];
                let name = match declared.function {
                    Some(function) => format!("{}::{}", tree.functions[function].name, declared.name),
                    None => declared.name.clone(),
                };
                let name = match declared.shared_name {
                    true => format!("{name}@{}", tree.sources.file(declared.span.file).base_name()),
                    false => name,
                };
                if let Some(constant) = self.constant_static(variable) {
                    return constant;
                }
                if let Some(object) = self.with_open_array(key, &name, declared) {
                    return object;
                }
                self.build(key, &name, declared.ty)
            }
            Key::Local(local) => {
                let prefix = self.prefix(local.function, local.depth);
                let declared = &tree.variables[local.variable];
                self.build(key, &format!("{prefix}::{}", declared.name), declared.ty)
            }
            Key::Result(function, depth) => {
                let name = format!("{}::return", self.prefix(function, depth));
                let result = tree.types.as_function(tree.functions[function].ty).map(|f| f.result);
                match result {
                    Some(ty) => self.build(key, &name, ty),
                    None => self.add(key, 0, None, &name),
                }
            }
            Key::Aggregate(function, depth, expr) => {
                let name = format!("{}::tmp", self.prefix(function, depth));
                self.build(key, &name, tree.exprs[expr].ty)
            }
            Key::String(string) => self.string(key, string),
            Key::Heap(site, _, number) => {
                let expr = site.call;
                let line = tree.sources.locate(tree.exprs[expr].span).line;
                let shape = self.memory.shapes.get(&key).copied();
                let name = format!("heap@{line}.{number}");
                let Some(shape) = shape else { return self.add(key, 0, None, &name) };
                let Some(stride) = tree.types.size_of(shape.element).filter(|&size| size > 0) else {
                    return self.add(key, 0, None, &name);
                };
                let object = match shape.count {
                    Some(1) => self.build(key, &name, shape.element),
                    Some(count) => self.repeated(key, &name, shape.element, stride, count),
                    None => self.open(key, &name, shape.element, stride),
                };
                if self.points.is_freed(self.points.of_allocation(expr)) || self.asks_leaks() {
                    let (variable, term) = self.build.new_variable(&format!("{name}.freed"), &Sort::Bool);
                    self.memory.objects[object.0].freed = Some(Freed { variable, term, pool: None });
                }
                object
            }
            Key::Pool(site, _) => self.pool(key, site.call),
            Key::External(width) => self.external(key, width),
            Key::Function(_) | Key::Label(_) => self.add(key, 1, None, "code"),
        }
    }

    /// That many elements.
    fn repeated(&mut self, key: Key, name: &str, element: TypeId, stride: u64, count: u64) -> ObjectId {
        let mut leaves = flatten(&self.tree.types, element);
        for leaf in leaves.iter_mut().flatten() {
            repeat(leaf, stride, count);
        }
        self.add(key, stride * count, leaves, name)
    }

    /// All objects of an allocation in a loop, one behind the other, each in a region of its own.
    fn pool(&mut self, key: Key, expr: crate::tree::ExprId) -> ObjectId {
        let tree = self.tree;
        let line = tree.sources.locate(tree.exprs[expr].span).line;
        let name = format!("heap@{line}");
        let size = |shape: &Shape| Some((*shape, tree.types.size_of(shape.element)?, shape.count?));
        let Some((shape, stride, count)) = self.memory.shapes.get(&key).and_then(size) else {
            return self.add(key, 0, None, &name);
        };
        let log = self.object_log(key, stride * count);
        let objects = pool_objects(log);
        let mut leaves = flatten(&tree.types, shape.element);
        for leaf in leaves.iter_mut().flatten() {
            if count > 1 {
                repeat(leaf, stride, count);
            }
            repeat(leaf, 1 << log, objects);
        }
        let object = self.add(key, objects << log, leaves, &name);
        if self.points.is_freed(self.points.of_allocation(expr)) || self.asks_leaks() {
            let sort = Sort::array(Sort::BitVec(self.pointer_bits()), Sort::Bool);
            let (variable, term) = self.build.new_variable(&format!("{name}.freed"), &sort);
            self.memory.objects[object.0].freed = Some(Freed { variable, term, pool: Some(log) });
        }
        object
    }

    /// Memory of unknown origin: the upper half of all addresses, in elements of so many bits.
    fn external(&mut self, key: Key, width: u32) -> ObjectId {
        let stride = u64::from(width / 8).max(1);
        let count = (1_u64 << (self.pointer_bits() - 1)) / stride;
        let spec = Spec {
            offset: 0,
            width,
            kind: Kind::Bits(width),
            dims: vec![Dim { stride, count }],
            path: String::new(),
            shape: vec![count],
            union: false,
            constant: false,
            pointee: None,
            within: Vec::new(),
        };
        let object = self.add(key, count * stride, Some(vec![spec]), "external");
        self.memory.external = Some(object);
        object
    }

    /// As many elements as a variable says.
    fn open(&mut self, key: Key, name: &str, element: TypeId, stride: u64) -> ObjectId {
        let id = self.repeated(key, name, element, stride, (OPEN_SIZE / stride).max(1));
        let sort = Sort::BitVec(self.pointer_bits());
        self.memory.objects[id.0].length = Some(self.build.new_variable(&format!("{name}.size"), &sort));
        id
    }

    fn build(&mut self, key: Key, name: &str, ty: TypeId) -> ObjectId {
        if self.tree.types.is_variable_length(ty)
            && let element = innermost(&self.tree.types, ty)
            && let Some(stride) = self.tree.types.size_of(element).filter(|&size| size > 0)
        {
            return self.open(key, name, element, stride);
        }
        let size = self.tree.types.size_of(ty);
        let leaves = size.and_then(|_| flatten(&self.tree.types, ty));
        let id = self.add(key, size.unwrap_or(0), leaves, name);
        self.memory.objects[id.0].open_end = has_open_end(&self.tree.types, ty);
        id
    }

    /// An object whose last member is an array of unknown length, if its initialiser gives that elements: it
    /// has as many.
    fn with_open_array(&mut self, key: Key, name: &str, declared: &Variable) -> Option<ObjectId> {
        let types = &self.tree.types;
        let (offset, element) = open_array(types, declared.ty)?;
        let stride = types.size_of(element).filter(|&size| size > 0)?;
        let mut end = offset;
        for item in &declared.init.as_ref()?.items {
            let size = match item.value {
                InitValue::String { units, .. } if types.size_of(item.ty).unwrap_or(0) == 0 => units * stride,
                _ => types.size_of(item.ty)?,
            };
            end = end.max(item.offset + size);
        }
        let count = (end - offset).div_ceil(stride);
        // Members before it may end behind its start, in the padding.
        let reaches = |item: &InitItem| item.offset >= offset;
        if !declared.init.as_ref()?.items.iter().any(reaches) {
            return None;
        }
        let leaves = flatten_with(types, declared.ty, count)?;
        let size = types.size_of(declared.ty)?.max(offset + count * stride);
        Some(self.add(key, size, Some(leaves), name))
    }

    fn add(&mut self, key: Key, size: u64, specs: Option<Vec<Spec>>, name: &str) -> ObjectId {
        let modelled = specs.is_some();
        let mut leaves = Vec::new();
        for mut spec in specs.unwrap_or_default() {
            spec.kind = self.held_kind(spec.kind);
            let storage = if spec.count() <= self.options.cells {
                let cells = 0..spec.count();
                let names: Vec<String> = cells.map(|k| format!("{name}{}", spec.element_path(k))).collect();
                Storage::Cells(names.iter().map(|name| self.slot(name, &spec.kind.sort())).collect())
            } else {
                let sort = Sort::array(Sort::BitVec(self.pointer_bits()), spec.kind.sort());
                Storage::Array(self.slot(&format!("{name}{}", spec.path), &sort))
            };
            if self.has_companions(key) {
                let slots = match &storage {
                    Storage::Cells(cells) => cells.clone(),
                    Storage::Array(slot) => vec![*slot],
                };
                for (number, slot) in slots.into_iter().enumerate() {
                    let path = spec.element_path(number as u64);
                    self.add_companion(&format!("{name}{path}"), slot);
                }
            }
            if let Some(pointee) = spec.pointee {
                if let Storage::Cells(cells) = &storage {
                    let cells = cells.iter().filter_map(|cell| cell.variable);
                    cells.for_each(|cell| self.build.track_pointer(cell));
                }
                let zeros = self.alignment(Some(pointee));
                let slots = match &storage {
                    Storage::Cells(cells) => &cells[..],
                    Storage::Array(slot) => std::slice::from_ref(slot),
                };
                for variable in slots.iter().filter_map(|slot| slot.variable) {
                    self.build.align_pointers(variable, zeros);
                }
                if let Some(within) = self.promised(key, leaves.len(), pointee) {
                    slots.iter().for_each(|slot| self.memory.provenance.learn(slot.term, Known::In(within)));
                }
            }
            let constant = spec.constant && matches!(key, Key::Static(_) | Key::Local(_));
            let Spec { offset, width, kind, dims, union, pointee, within, .. } = spec;
            leaves.push(Leaf { offset, width, kind, dims, storage, union, constant, pointee, within });
        }
        self.memory.objects.push(Object {
            key,
            size,
            leaves,
            modelled,
            open_end: false,
            length: None,
            freed: None,
        });
        ObjectId(self.memory.objects.len() - 1)
    }

    fn slot(&mut self, name: &str, sort: &Sort) -> Slot {
        let (variable, term) = self.build.new_variable(name, sort);
        Slot { term, variable: Some(variable) }
    }

    /// A static scalar that nothing writes: its initial value.
    fn constant_static(&mut self, variable: VarId) -> Option<ObjectId> {
        let declared = &self.tree.variables[variable];
        let outside = self.points.outside().contains(&variable);
        if self.facts.is_written(variable) || !declared.defined || declared.any || outside {
            return None;
        }
        let (kind, width) = crate::lower::memory::layout::scalar(&self.tree.types, declared.ty)?;
        let term = match &declared.init {
            None => self.zero(kind),
            Some(init) => match init.items[..] {
                [item] => self.constant_item(&item)?,
                _ => return None,
            },
        };
        self.build.arena.as_value(term)?;
        let (kind, term) = (self.held_kind(kind), self.held(term));
        let storage = Storage::Cells(vec![Slot { term, variable: None }]);
        let leaves = vec![Leaf {
            offset: 0,
            width,
            kind,
            dims: Vec::new(),
            storage,
            union: false,
            constant: false,
            pointee: None,
            within: Vec::new(),
        }];
        let size = self.tree.types.size_of(declared.ty)?;
        self.memory.objects.push(Object {
            key: Key::Static(variable),
            size,
            leaves,
            modelled: true,
            open_end: false,
            length: None,
            freed: None,
        });
        Some(ObjectId(self.memory.objects.len() - 1))
    }

    fn string(&mut self, key: Key, string: StringId) -> ObjectId {
        let literal = &self.tree.strings[string];
        let stride = self.tree.types.size_of(literal.element).unwrap_or(1);
        let width = u32::try_from(8 * stride).unwrap_or(8);
        let count = literal.units.len() as u64 + 1;
        let values: Vec<Value> =
            literal.units.iter().map(|&unit| BitVec::new(width, u64::from(unit)).into()).collect();
        let zero = Value::BitVec(BitVec::zero(width));
        let storage = if count <= self.options.cells {
            let cells = values.into_iter().chain([zero]);
            Storage::Cells(
                cells.map(|value| Slot { term: self.build.arena.constant(value), variable: None }).collect(),
            )
        } else {
            let index = self.pointer_bits();
            let sort = ArraySort { index: Sort::BitVec(index), element: Sort::BitVec(width) };
            let entries: BTreeMap<Value, Value> = values
                .into_iter()
                .enumerate()
                .map(|(k, v)| (BitVec::new(index, k as u64).into(), v))
                .collect();
            let array = ArrayValue::new(sort, zero, entries);
            let term = self.build.arena.constant(Value::Array(std::sync::Arc::new(array)));
            Storage::Array(Slot { term, variable: None })
        };
        let dims = vec![Dim { stride, count }];
        let (kind, within) = (Kind::Bits(width), Vec::new());
        let (union, constant, pointee) = (false, false, None);
        let leaves = vec![Leaf { offset: 0, width, kind, dims, storage, union, constant, pointee, within }];
        self.memory.objects.push(Object {
            key,
            size: stride * count,
            leaves,
            modelled: true,
            open_end: false,
            length: None,
            freed: None,
        });
        ObjectId(self.memory.objects.len() - 1)
    }

    /// Zero of a kind.
    pub(in crate::lower) fn zero(&mut self, kind: Kind) -> Term {
        self.build.arena.constant(Value::default_of(&kind.sort()))
    }

    /// The class of an object that pointers can point to.
    pub(in crate::lower) fn object_class(&self, key: Key) -> Option<Class> {
        match key {
            Key::Static(variable) => Some(self.points.of_variable(variable)),
            Key::Local(local) => Some(self.points.of_variable(local.variable)),
            Key::String(string) => Some(self.points.of_string(string)),
            Key::Heap(site, ..) | Key::Pool(site, _) => Some(self.points.of_allocation(site.call)),
            _ => None,
        }
    }

    /// The region of one object of a pool, as a power of two.
    pub(in crate::lower) fn object_log(&self, key: Key, size: u64) -> u32 {
        let planned = self.memory.plan.as_ref().and_then(|plan| plan.addresses.get(&key));
        planned.map_or_else(|| region_log(size), |region| region.object_log)
    }

    /// The address of an object's first byte; `None` when the address space is full.
    pub(in crate::lower) fn address(&mut self, key: Key, size: u64) -> Option<u64> {
        let pool = matches!(key, Key::Pool(..));
        let size = match self.memory.shapes.get(&key) {
            Some(shape) if pool => self.tree.types.size_of(shape.element)? * shape.count.unwrap_or(1),
            _ => size,
        };
        let class = self.object_class(key);
        if self.memory.placed.insert(key, Placed { size, class }).is_none() {
            self.memory.new.insert(key);
        }
        if let Some(&address) = self.memory.addresses.get(&key) {
            return Some(address);
        }
        let log = if pool { pool_log(region_log(size)) } else { region_log(size) };
        let region = 1_u64 << log;
        let start = self.memory.next_address.checked_add(region - 1)? & !(region - 1);
        let end = start.checked_add(region)?;
        // The upper half is for pointers of unknown origin.
        let limit = if self.pointer_bits() == 32 { 1 << 31 } else { 1 << 62 };
        if end > limit {
            return None;
        }
        self.memory.next_address = end;
        self.memory.addresses.insert(key, start);
        self.memory.regions.insert(start, (key, log));
        Some(start)
    }

    /// What lies at an address, and how far from its start.
    pub(in crate::lower) fn at_address(&self, address: u64) -> Option<(Key, u64)> {
        let (&start, &(key, log)) = self.memory.regions.range(..=address).next_back()?;
        (address - start < 1 << log).then_some((key, address - start))
    }
}

/// The element type of an array of arrays of variable length.
pub(in crate::lower) fn innermost(types: &TypeTable, mut ty: TypeId) -> TypeId {
    while let TypeKind::Array(element, _) = *types.kind(ty) {
        ty = element;
    }
    ty
}

/// How many objects a pool has.
pub(in crate::lower) fn pool_objects(log: u32) -> u64 {
    ((1_u64 << pool_log(log)) >> log) - 1
}

impl Leaf {
    /// Bits from the start of the object to an element.
    pub(in crate::lower) fn position(&self, number: u64) -> u64 {
        let (mut rest, mut position) = (number, self.offset);
        for dim in self.dims.iter().rev() {
            position += (rest % dim.count) * dim.stride * 8;
            rest /= dim.count;
        }
        position
    }

    pub(in crate::lower) fn count(&self) -> u64 {
        self.dims.iter().fold(1, |product, dim| product.saturating_mul(dim.count))
    }

    pub(in crate::lower) fn first_slot(&self) -> Option<Slot> {
        match &self.storage {
            Storage::Cells(cells) => cells.first().copied(),
            Storage::Array(slot) => Some(*slot),
        }
    }

    /// All its variables.
    pub(in crate::lower) fn slots(&self) -> Vec<Slot> {
        match &self.storage {
            Storage::Cells(cells) => cells.clone(),
            Storage::Array(slot) => vec![*slot],
        }
    }
}
