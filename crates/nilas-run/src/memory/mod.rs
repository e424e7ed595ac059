//! Memory: objects with addresses, lifetimes, and bytes that know whether they are initialised and which
//! pointer they are a part of.
//!
//! This is the model of N2676 (PNVI-ae-udi) in spirit. A pointer carries the object that it was made from. A
//! pointer that becomes an integer loses it, and an integer that becomes a pointer gets that of the object
//! that lies there: addresses are real numbers, objects do not overlap, and there are gaps between them, so
//! that the end of one is not the start of another. Pointers that are copied byte by byte, as bytes of a
//! struct or by `memcpy`, keep it.
//!
//! An [`AllocationId`] is the index of a slot and a generation. Slots are used again; an id of an older
//! generation names an object that is dead. What died last is remembered, for messages.

mod access;
mod address;
mod changes;

pub(crate) use access::Fault;

use crate::interpreter::Options;
use crate::value::Pointer;
use address::AddressSpace;
use changes::Before;
use nilas_c::source::Span;
use nilas_c::tree::{FunctionId, LabelId, StringId, VarId};
use nilas_c::types::DataModel;
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;
use std::ops::Range;

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AllocationId {
    slot: NonZeroU32,
    generation: u32,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A variable of static storage duration.
    Static(VarId),
    /// A variable of automatic storage duration, a parameter, a temporary or a compound literal.
    Automatic(VarId),
    /// Memory from `malloc` and kin.
    Heap,
    /// Memory from `alloca`.
    Alloca,
    /// A string literal.
    String(StringId),
    /// A function.
    Function(FunctionId),
    /// A label whose address is taken.
    Label(LabelId),
    /// A list of variable arguments.
    Arguments,
    /// A block of memory of unknown origin.
    External,
    /// An object of the library or of the environment: `errno`, `argv`, streams.
    Library(&'static str),
}

impl Kind {
    fn on_stack(self) -> bool {
        matches!(self, Kind::Automatic(_))
    }

    /// Whether it holds bytes that a program may access.
    fn is_object(self) -> bool {
        !matches!(self, Kind::Function(_) | Kind::Label(_) | Kind::Arguments)
    }
}

/// An object with its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    pub(crate) kind: Kind,
    generation: u32,
    alive: bool,
    pub(crate) base: u64,
    pub(crate) size: u64,
    /// Where it is declared, or the call that allocated it.
    pub(crate) span: Option<Span>,
    /// How many objects of this declaration or call came before.
    pub(crate) occurrence: u64,
    /// How many objects were made before it.
    serial: u64,
    /// Code that nobody knows may have written it.
    pub(crate) forgotten: bool,
    pub(crate) read_only: bool,
    /// Where the parts begin and end that are declared `const` in an object that is not.
    pub(crate) constants: Vec<(usize, usize)>,
    pub(crate) exposed: bool,
    pub(crate) data: Vec<u8>,
    pub(crate) initialised: Vec<bool>,
    /// Parts of pointers; empty as long as none was stored.
    pub(crate) provenance: Vec<Option<AllocationId>>,
}

/// What is remembered of an object that is dead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grave {
    id: AllocationId,
    pub(crate) kind: Kind,
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) span: Option<Span>,
    pub(crate) ended: Option<Span>,
}

/// How many dead objects are remembered.
const GRAVES: usize = 1 << 16;

/// All objects of an execution.
pub(crate) struct Memory {
    slots: Vec<Allocation>,
    free: Vec<u32>,
    /// Objects that are alive, by address; those on the stack are in `stack`.
    lasting: BTreeMap<u64, u32>,
    /// Automatic objects, the newest (with the lowest address) last.
    stack: Vec<u32>,
    graves: VecDeque<Grave>,
    space: AddressSpace,
    used: u64,
    /// How many objects were made.
    made: u64,
    limit: u64,
    /// The first address of memory of unknown origin.
    external: u64,
    /// Between 2 and 4 GiB there is some, too.
    low: bool,
    /// How often something may have changed.
    pub(crate) changes: u64,
    /// What objects held before they changed, if somebody wants to know.
    before: Option<Vec<Before>>,
}

/// There is no room for an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoRoom {
    /// The bound on memory.
    Memory,
    /// The stack.
    Stack,
}

/// A new object.
pub(crate) struct Request {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) span: Option<Span>,
    pub(crate) occurrence: u64,
    /// Where it must lie.
    pub(crate) at: Option<u64>,
}

/// Bytes of a block of memory of unknown origin.
const BLOCK: u64 = 1 << 14;

impl Memory {
    pub(crate) fn new(model: DataModel, options: &Options) -> Memory {
        let low = options.low && !model.is_narrow();
        Memory {
            slots: Vec::new(),
            free: Vec::new(),
            lasting: BTreeMap::new(),
            stack: Vec::new(),
            graves: VecDeque::new(),
            space: AddressSpace::new(model, low, options.address_seed),
            used: 0,
            made: 0,
            limit: options.memory,
            external: 1 << (8 * model.pointer_size() - 1),
            low,
            changes: 0,
            before: None,
        }
    }

    /// Nothing but memory at a fixed address lies there.
    pub(crate) fn reserve(&mut self, base: u64, size: u64) {
        self.space.reserve(base, size);
    }

    /// Whether there is memory at fixed addresses.
    pub(crate) fn has_fixed(&self) -> bool {
        self.space.has_fixed()
    }

    /// Makes an object whose bytes are not initialised.
    pub(crate) fn allocate(&mut self, request: &Request) -> Result<AllocationId, NoRoom> {
        let &Request { kind, size, align, span, occurrence, at } = request;
        self.changes += 1;
        let cost = size.saturating_mul(2).saturating_add(64);
        if self.used.saturating_add(cost) > self.limit {
            return Err(NoRoom::Memory);
        }
        let base = if let Some(at) = at {
            at
        } else if kind == Kind::External {
            occurrence
        } else if kind.on_stack() {
            self.space.push(size, align).ok_or(NoRoom::Stack)?
        } else {
            self.space.place(kind, size, align).ok_or(NoRoom::Memory)?
        };
        self.used += cost;
        self.made += 1;
        let bytes = if kind.is_object() { usize::try_from(size).map_err(|_| NoRoom::Memory)? } else { 0 };
        let index = if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.generation += 1;
            slot.alive = true;
            (slot.kind, slot.base, slot.size, slot.span) = (kind, base, size, span);
            slot.occurrence = occurrence;
            slot.serial = self.made;
            slot.forgotten = false;
            slot.read_only = false;
            slot.constants.clear();
            slot.exposed = false;
            slot.data.clear();
            slot.data.resize(bytes, 0);
            slot.initialised.clear();
            slot.initialised.resize(bytes, false);
            slot.provenance.clear();
            index
        } else {
            let index = u32::try_from(self.slots.len()).map_err(|_| NoRoom::Memory)?;
            self.slots.push(Allocation {
                kind,
                generation: 0,
                alive: true,
                base,
                size,
                span,
                occurrence,
                serial: self.made,
                forgotten: false,
                read_only: false,
                constants: Vec::new(),
                exposed: false,
                data: vec![0; bytes],
                initialised: vec![false; bytes],
                provenance: Vec::new(),
            });
            index
        };
        if kind.on_stack() {
            self.stack.push(index);
        } else {
            self.lasting.insert(base, index);
        }
        Ok(self.id_of(index))
    }

    /// Whether an address is one of memory of unknown origin.
    pub(crate) fn is_external(&self, address: u64) -> bool {
        address >= self.external || self.low && (1 << 31..1 << 32).contains(&address)
    }

    /// Makes the block of memory of unknown origin that an address lies in, unless it is there.
    pub(crate) fn make_external(&mut self, address: u64, span: Option<Span>) -> Result<(), NoRoom> {
        if !self.is_external(address) || self.find(address).is_some() {
            return Ok(());
        }
        let base = address / BLOCK * BLOCK;
        // Blocks have an address between them, which belongs to none.
        let request =
            Request { kind: Kind::External, size: BLOCK - 1, align: 1, span, occurrence: base, at: None };
        self.allocate(&request).map(|_| ())
    }

    fn id_of(&self, index: u32) -> AllocationId {
        let slot = NonZeroU32::new(index + 1).unwrap_or(NonZeroU32::MIN);
        AllocationId { slot, generation: self.slots[index as usize].generation }
    }

    /// The object, if it is alive.
    pub(crate) fn get(&self, id: AllocationId) -> Option<&Allocation> {
        let slot = self.slots.get(id.slot.get() as usize - 1)?;
        (slot.generation == id.generation && slot.alive).then_some(slot)
    }

    pub(crate) fn get_mut(&mut self, id: AllocationId) -> Option<&mut Allocation> {
        self.get_mut_for(id, None)
    }

    /// The same for a write of some bytes from an offset on, and of no others.
    pub(crate) fn get_mut_at(
        &mut self,
        id: AllocationId,
        offset: usize,
        size: usize,
    ) -> Option<&mut Allocation> {
        self.get_mut_for(id, Some(offset..offset + size))
    }

    fn get_mut_for(&mut self, id: AllocationId, part: Option<Range<usize>>) -> Option<&mut Allocation> {
        self.changes += 1;
        if self.before.is_some() {
            self.remember(id, part);
        }
        let slot = self.slots.get_mut(id.slot.get() as usize - 1)?;
        (slot.generation == id.generation && slot.alive).then_some(slot)
    }

    /// What is remembered of a dead object.
    pub(crate) fn grave(&self, id: AllocationId) -> Option<&Grave> {
        self.graves.iter().rev().find(|grave| grave.id == id)
    }

    /// The allocated object that was made first of those that are alive.
    pub(crate) fn first_on_heap(&self) -> Option<AllocationId> {
        let heap = self.lasting.values().filter(|&&index| self.slots[index as usize].kind == Kind::Heap);
        heap.copied().min_by_key(|&index| self.slots[index as usize].serial).map(|index| self.id_of(index))
    }

    /// A pointer to the start of an object.
    pub(crate) fn pointer_to(&self, id: AllocationId) -> Pointer {
        let address = self.get(id).map_or(0, |allocation| allocation.base);
        Pointer { address, provenance: Some(id) }
    }

    /// How deep the stack is, to be given to [`Memory::release`].
    pub(crate) fn mark(&self) -> (usize, u64) {
        (self.stack.len(), self.space.stack())
    }

    /// The lifetime of all automatic objects that are younger than the mark ends.
    pub(crate) fn release(&mut self, (length, pointer): (usize, u64), at: Option<Span>) {
        while self.stack.len() > length {
            if let Some(index) = self.stack.pop() {
                self.bury(index, at);
            }
        }
        self.space.pop(pointer);
    }

    /// The lifetime of an automatic object of the innermost block ends before the block does.
    pub(crate) fn end_early(&mut self, id: AllocationId, at: Option<Span>) {
        let index = id.slot.get() - 1;
        if self.get(id).is_some()
            && let Some(position) = self.stack.iter().rposition(|&other| other == index)
        {
            self.stack.remove(position);
            self.bury(index, at);
        }
    }

    /// The lifetime of an object that is not on the stack ends.
    pub(crate) fn end(&mut self, id: AllocationId, at: Option<Span>) {
        if let Some(allocation) = self.get(id) {
            let base = allocation.base;
            if self.lasting.remove(&base).is_some() {
                self.bury(id.slot.get() - 1, at);
            }
        }
    }

    fn bury(&mut self, index: u32, ended: Option<Span>) {
        self.changes += 1;
        let id = self.id_of(index);
        let slot = &mut self.slots[index as usize];
        slot.alive = false;
        if self.graves.len() >= GRAVES {
            self.graves.pop_front();
        }
        let Allocation { kind, base, size, span, .. } = *slot;
        self.graves.push_back(Grave { id, kind, base, size, span, ended });
        self.used -= slot.size.saturating_mul(2).saturating_add(64);
        // Large objects give their bytes back.
        if slot.data.capacity() > 1 << 12 {
            (slot.data, slot.initialised, slot.provenance) = (Vec::new(), Vec::new(), Vec::new());
        }
        // A generation that would wrap around is never used again.
        if slot.generation < u32::MAX {
            self.free.push(index);
        }
    }

    /// The living object that an address lies in, or at the end of; else the dead one that lay there last.
    pub(crate) fn find(&self, address: u64) -> Option<AllocationId> {
        let holds = |index: u32| {
            let slot = &self.slots[index as usize];
            address >= slot.base && address - slot.base <= slot.size
        };
        if let Some((_, &index)) = self.lasting.range(..=address).next_back()
            && holds(index)
        {
            return Some(self.id_of(index));
        }
        // Addresses fall along the stack.
        let at = self.stack.partition_point(|&index| self.slots[index as usize].base > address);
        if let Some(&index) = self.stack.get(at)
            && holds(index)
        {
            return Some(self.id_of(index));
        }
        let grave = self
            .graves
            .iter()
            .rev()
            .find(|grave| address >= grave.base && address - grave.base <= grave.size);
        grave.map(|grave| grave.id)
    }

    /// A number becomes a pointer: it points to what lies there.
    pub(crate) fn pointer_of(&self, address: u64) -> Pointer {
        let provenance = if address == 0 { None } else { self.find(address) };
        Pointer { address, provenance }
    }

    /// A pointer becomes a number.
    pub(crate) fn expose(&mut self, pointer: Pointer) {
        if let Some(allocation) = pointer.provenance.and_then(|id| self.get_mut(id)) {
            allocation.exposed = true;
        }
    }
}
