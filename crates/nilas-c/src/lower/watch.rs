//! Where locations and variables of the automaton stand in the C program: for who looks at formulas about the
//! automaton while the program runs.
//!
//! Only what has one place in C is told: heads of loops, and integers that are variables or members and have
//! a variable of the automaton for themselves.

use super::lowering::Lowering;
use super::memory::Key;
use super::memory::layout::Kind;
use super::memory::object::{Leaf, Storage};
use crate::tree::{StmtId, VarId};
use crate::types::{ArrayLength, Field, TypeId, TypeKind, TypeTable};
use nilas_program::LocationId;

/// Elements of an array whose addresses have names.
const NAMED_ELEMENTS: u64 = 64;

/// The head of a loop: where its condition is about to be evaluated, or the body of a `do` loop to begin.
/// There is one for each copy of its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The location.
    pub location: LocationId,
    /// The loop.
    pub statement: StmtId,
    /// How many calls of the function are active, this one included.
    pub depth: usize,
}

/// An integer in memory that has a variable of the automaton for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The variable of the automaton.
    pub variable: nilas_program::VarId,
    /// The variable of the C program.
    pub declared: VarId,
    /// Which of the active calls of its function it belongs to, the oldest being 1; 0 for static objects.
    pub depth: usize,
    /// Bytes from the start of the object.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u64,
}

/// A variable of the automaton that holds a scalar of the C program, or elements of an array of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The variable of the automaton.
    pub variable: nilas_program::VarId,
    /// The type of the scalar.
    pub ty: TypeId,
}

impl Lowering<'_> {
    /// The types of what variables of the automaton hold, where these are declared.
    pub(in crate::lower) fn typed(&self) -> Vec<Typed> {
        let mut typed = Vec::new();
        for object in &self.memory.objects {
            let declared = match object.key {
                Key::Static(variable) => variable,
                Key::Local(local) => local.variable,
                _ => continue,
            };
            let declared = self.tree.variables[declared].ty;
            for leaf in object.leaves.iter().filter(|leaf| !leaf.union) {
                let Some(ty) = type_at(&self.tree.types, declared, leaf.offset) else { continue };
                let slots = match &leaf.storage {
                    Storage::Cells(slots) => &slots[..],
                    Storage::Array(slot) => std::slice::from_ref(slot),
                };
                let held = slots.iter().filter_map(|slot| slot.variable);
                typed.extend(held.map(|variable| Typed { variable, ty }));
            }
        }
        typed
    }

    /// What begins at the addresses of the automaton, as C writes the address.
    pub(in crate::lower) fn named_addresses(&self) -> Vec<(u64, String)> {
        let variable = |variable: VarId| {
            let declared = &self.tree.variables[variable];
            let array = matches!(self.tree.types.kind(declared.ty), TypeKind::Array(..));
            if array { declared.name.clone() } else { format!("&{}", declared.name) }
        };
        let named = |(&key, &address): (&Key, &u64)| {
            let name = match key {
                Key::Static(declared) => variable(declared),
                Key::Local(local) => variable(local.variable),
                Key::Function(function) => self.tree.functions[function].name.clone(),
                _ => return None,
            };
            Some((address, name))
        };
        let mut found: Vec<(u64, String)> = self.memory.addresses.iter().filter_map(named).collect();
        for (&key, &address) in &self.memory.addresses {
            let declared = match key {
                Key::Static(declared) => declared,
                Key::Local(local) => local.variable,
                _ => continue,
            };
            let declared = &self.tree.variables[declared];
            let TypeKind::Array(element, ArrayLength::Fixed(count)) = *self.tree.types.kind(declared.ty)
            else {
                continue;
            };
            let Some(size) = self.tree.types.size_of(element).filter(|&size| size > 0) else { continue };
            let elements = 1..count.min(NAMED_ELEMENTS);
            found.extend(elements.map(|at| (address + at * size, format!("&{}[{at}]", declared.name))));
        }
        found
    }

    /// Notes the head of a loop.
    pub(in crate::lower) fn note_head(&mut self, location: LocationId, statement: StmtId) {
        let depth = self.frame().depth;
        self.heads.push(Head { location, statement, depth });
    }

    /// The integers that have variables for themselves.
    pub(in crate::lower) fn watched_cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for object in &self.memory.objects {
            let (declared, depth) = match object.key {
                Key::Static(variable) => (variable, 0),
                Key::Local(local) => (local.variable, local.depth),
                _ => continue,
            };
            // Open memory has no values of its own.
            if self.is_open_object(object.key) {
                continue;
            }
            for leaf in &object.leaves {
                if let Some(variable) = own_variable(leaf) {
                    let (offset, size) = (leaf.offset / 8, u64::from(leaf.width / 8));
                    cells.push(Cell { variable, declared, depth, offset, size });
                }
            }
        }
        cells
    }
}

/// The type of the scalar that begins so many bits from the start of a type.
fn type_at(types: &TypeTable, mut ty: TypeId, mut offset: u64) -> Option<TypeId> {
    loop {
        match types.kind(ty) {
            TypeKind::Array(element, _) => {
                offset %= 8 * types.size_of(*element)?.max(1);
                ty = *element;
            }
            TypeKind::Record(id) => {
                let fields = &types.record(*id).layout.as_ref()?.fields;
                let start =
                    |field: &Field| 8 * field.offset + field.bits.map_or(0, |bits| u64::from(bits.offset));
                // The last one that begins there or before: members without size begin where others do.
                let field = fields.iter().rev().find(|field| start(field) <= offset)?;
                offset -= start(field);
                ty = field.ty;
            }
            _ => return (offset == 0).then_some(ty),
        }
    }
}

/// The variable of an integer that is no pointer, no bit-field, no union and no element.
fn own_variable(leaf: &Leaf) -> Option<nilas_program::VarId> {
    let whole = match leaf.kind {
        Kind::Bool => leaf.width == 8,
        Kind::Bits(width) => width == leaf.width && matches!(width, 8 | 16 | 32 | 64),
        Kind::Float(..) | Kind::FloatBits(..) => false,
    };
    let plain =
        leaf.dims.is_empty() && !leaf.union && leaf.pointee.is_none() && leaf.offset.is_multiple_of(8);
    match &leaf.storage {
        Storage::Cells(slots) if whole && plain && slots.len() == 1 => slots[0].variable,
        _ => None,
    }
}
