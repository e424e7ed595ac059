//! Whether a value was stored to memory, where somebody asks about `uninitialised`.
//!
//! Every variable of an automatic or allocated object has a companion then: for a cell, whether a value was
//! stored to it; for an array, the same for each element. The companions are false at first and whenever the
//! object begins to live, and true after a store. A struct that is copied takes what is known of its members
//! along, as `memcpy` and `realloc` do. What cannot be told (a store to a part of an element, what functions
//! of the library store that are written in C) is a choice that no execution knows
//! ([`HavocOrigin::Stored`]): the places that depend on it are unknown, and no others.
//!
//! Objects of static storage duration, literals and memory of unknown origin hold values from the start.

use crate::library::catalogue::{Meaning, Model, row};
use crate::library::is_text;
use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Alternative, Base, Index, Piece, Place};
use crate::lower::memory::layout::scalar;
use crate::lower::memory::object::{Leaf, Slot, Storage};
use crate::lower::translate::temporary::Scratch;
use crate::property::{Claim, Property};
use crate::tree::{Duration, ExprId, VarId, VarRole};
use nilas_term::{Sort, Term};

const UNSET: Claim = Claim::new(Property::Uninitialised, "a read of what nothing was stored to");

impl Lowering<'_> {
    /// Whether a scalar variable holds a value whenever it is read.
    fn is_always_set(&self, variable: VarId) -> bool {
        let declared = &self.tree.variables[variable];
        let made = !matches!(declared.role, VarRole::Named);
        let initialised = declared.init.is_some() && !self.scopes.is_skipped(variable);
        declared.duration != Duration::Automatic || made || initialised
    }

    /// Whether the variables of an object have companions.
    pub(in crate::lower) fn has_companions(&self, key: Key) -> bool {
        if !self.options.properties.contains(Property::Uninitialised) {
            return false;
        }
        let types = &self.tree.types;
        match key {
            Key::Local(local) => {
                let ty = self.tree.variables[local.variable].ty;
                scalar(types, ty).is_none() || !self.is_always_set(local.variable)
            }
            Key::Heap(..) | Key::Pool(..) | Key::Aggregate(..) => true,
            Key::Result(function, _) => {
                let ty = types.as_function(self.tree.functions[function].ty);
                ty.is_some_and(|ty| scalar(types, ty.result).is_none())
            }
            _ => false,
        }
    }

    /// Makes the companion of a variable.
    pub(in crate::lower) fn add_companion(&mut self, name: &str, slot: Slot) {
        let Some(variable) = slot.variable else { return };
        let sort = match self.build.arena.sort(slot.term) {
            Sort::Array(array) => Sort::array(array.index.clone(), Sort::Bool),
            _ => Sort::Bool,
        };
        let (companion, term) = self.build.new_variable(&format!("{name}.%set"), &sort);
        self.memory.companions.insert(variable, Slot { term, variable: Some(companion) });
    }

    pub(in crate::lower) fn companion(&self, slot: Slot) -> Option<Slot> {
        self.memory.companions.get(&slot.variable?).copied()
    }

    /// The same value for all elements of a variable.
    fn throughout(&mut self, companion: Slot, set: Term) -> Term {
        match self.build.arena.sort(companion.term) {
            Sort::Array(_) => self.constant_array(companion.term, set),
            _ => set,
        }
    }

    /// All of a variable was stored to, or nothing.
    pub(in crate::lower) fn note_all(&mut self, slot: Slot, set: bool) {
        if let Some(companion) = self.companion(slot) {
            let set = self.build.arena.mk_bool(set);
            let all = self.throughout(companion, set);
            self.assign_companion(companion, all);
        }
    }

    /// Unknown code may have stored to a variable, where a condition holds.
    pub(in crate::lower) fn note_perhaps(&mut self, slot: Slot, condition: Term) {
        if self.companion(slot).is_some() {
            let perhaps = self.nobody_knows();
            let condition = self.build.arena.and(&[condition, perhaps]);
            self.note_all_if(slot, condition);
        }
    }

    /// All of a variable was stored to, where a condition holds.
    pub(in crate::lower) fn note_all_if(&mut self, slot: Slot, condition: Term) {
        if let Some(companion) = self.companion(slot) {
            let yes = self.build.arena.mk_true();
            let all = self.throughout(companion, yes);
            let value = self.build.arena.ite(condition, all, companion.term);
            self.assign_companion(companion, value);
        }
    }

    /// A variable holds what another one of the same shape holds.
    pub(in crate::lower) fn note_copied(&mut self, to: Slot, from: Slot) {
        match (self.companion(to), self.companion(from)) {
            (Some(to), Some(from)) => self.assign_companion(to, from.term),
            (Some(_), None) => self.note_all(to, true),
            (None, _) => {}
        }
    }

    fn assign_companion(&mut self, companion: Slot, value: Term) {
        if let Some(variable) = companion.variable {
            self.build.assign(variable, value);
        }
    }

    /// Whether a value was stored to an element of a variable.
    pub(in crate::lower) fn set_in(&mut self, leaf: &Leaf, index: Index) -> Term {
        let yes = self.build.arena.mk_true();
        match (&leaf.storage, index) {
            (Storage::Cells(cells), Index::Fixed(index)) => {
                let cell = usize::try_from(index).ok().and_then(|index| cells.get(index)).copied();
                cell.and_then(|cell| self.companion(cell)).map_or(yes, |companion| companion.term)
            }
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.build.arena.width(index);
                let mut set = yes;
                for (number, &cell) in cells.iter().enumerate() {
                    let Some(companion) = self.companion(cell) else { continue };
                    let number = self.build.arena.bv(width, number as u64);
                    let hit = self.build.arena.eq(index, number);
                    set = self.build.arena.ite(hit, companion.term, set);
                }
                set
            }
            (Storage::Array(slot), index) => match self.companion(*slot) {
                Some(companion) => {
                    let index = self.position(index);
                    self.build.arena.select(companion.term, index)
                }
                None => yes,
            },
        }
    }

    fn position(&mut self, index: Index) -> Term {
        match index {
            Index::Fixed(index) => self.build.arena.bv(self.pointer_bits(), index),
            Index::Term(index) => index,
        }
    }

    /// What is known of a value that is about to be stored: that it is one, unless it is copied as it is.
    fn stored_value(&mut self) -> Term {
        if let Some(set) = self.memory.storing {
            return set;
        }
        if self.copies_here() { self.nobody_knows() } else { self.build.arena.mk_true() }
    }

    /// Whether what is lowered is a function of the library, which may copy what nothing was stored to.
    fn copies_here(&self) -> bool {
        let Some(frame) = self.calls.frames.last() else { return false };
        let function = &self.tree.functions[frame.function];
        let fills = row(&function.name).is_some_and(|row| row.model == Model::Lowering(Meaning::Fill));
        self.in_library_text() && !fills
    }

    fn in_library_text(&self) -> bool {
        let frame = self.calls.frames.last();
        frame.is_some_and(|frame| {
            let span = self.tree.functions[frame.function].span;
            is_text(&self.tree.sources.locate(span).file)
        })
    }

    /// A choice that no execution knows.
    fn nobody_knows(&mut self) -> Term {
        let (variable, term) = self.scratch(Scratch::Stored, &Sort::Bool);
        self.with_origin(HavocOrigin::Stored, |this| this.build.havoc(variable));
        term
    }

    /// What is known of a value that is read to be copied; it stays so whatever is written.
    pub(in crate::lower) fn copied_set(&mut self, from: &Base, bit: u32, width: u32, keep: Scratch) -> Term {
        let set = self.set_at(from, bit, width);
        if self.build.arena.as_bool(set).is_some() || !self.build.reachable() {
            return set;
        }
        let (variable, kept) = self.scratch(keep, &Sort::Bool);
        self.build.assign(variable, set);
        kept
    }

    /// What happens inside stores a value that is copied as it is.
    pub(in crate::lower) fn storing(&mut self, set: Term, inside: impl FnOnce(&mut Self)) {
        let before = self.memory.storing.replace(set);
        inside(self);
        self.memory.storing = before;
    }

    /// Something is stored to a piece of a leaf: what its companion becomes.
    pub(in crate::lower) fn note_piece(
        &mut self,
        leaf: &Leaf,
        piece: Piece,
        condition: Option<Term>,
        updates: &mut Vec<(Slot, Term)>,
    ) {
        let has = |this: &Self, slot: Option<Slot>| slot.is_some_and(|slot| this.companion(slot).is_some());
        if self.memory.companions.is_empty() || !has(self, leaf.first_slot()) {
            return;
        }
        let whole = piece.low == 0 && piece.width == leaf.width;
        let stored = self.stored_value();
        let renewed = |this: &mut Self, old: Term| match whole {
            true => stored,
            // The rest of the element may hold no value.
            false => {
                let all = this.nobody_knows();
                this.build.arena.or(&[old, all])
            }
        };
        match (&leaf.storage, piece.index) {
            (Storage::Cells(cells), Index::Fixed(index)) => {
                let cell = usize::try_from(index).ok().and_then(|index| cells.get(index)).copied();
                let Some(companion) = cell.and_then(|cell| self.companion(cell)) else { return };
                let before = pending(updates, companion);
                let mut new = renewed(self, before);
                if let Some(condition) = condition {
                    new = self.build.arena.ite(condition, new, before);
                }
                replace(updates, companion, new);
            }
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.build.arena.width(index);
                for (number, &cell) in cells.iter().enumerate() {
                    let Some(companion) = self.companion(cell) else { continue };
                    let number = self.build.arena.bv(width, number as u64);
                    let mut hit = self.build.arena.eq(index, number);
                    if let Some(condition) = condition {
                        hit = self.build.arena.and(&[hit, condition]);
                    }
                    let before = pending(updates, companion);
                    let new = renewed(self, before);
                    let new = self.build.arena.ite(hit, new, before);
                    replace(updates, companion, new);
                }
            }
            (Storage::Array(slot), index) => {
                let Some(companion) = self.companion(*slot) else { return };
                let index = self.position(index);
                let before = pending(updates, companion);
                let element = self.build.arena.select(before, index);
                let new = renewed(self, element);
                let new = self.build.arena.store(before, index, new);
                let new = match condition {
                    Some(condition) => self.build.arena.ite(condition, new, before),
                    None => new,
                };
                replace(updates, companion, new);
            }
        }
    }

    /// Whether a value was stored to all that an access of a place reads.
    pub(in crate::lower) fn set_at(&mut self, base: &Base, bit: u32, width: u32) -> Term {
        if self.memory.companions.is_empty() || self.is_open(base) {
            return self.build.arena.mk_true();
        }
        let alternatives = self.resolve(base, bit, width);
        let mut unset = Vec::new();
        for Alternative { condition, pieces } in &alternatives {
            for piece in pieces {
                let leaf = self.memory.objects[piece.object.0].leaves[piece.leaf].clone();
                let set = self.set_in(&leaf, piece.index);
                let not = self.build.arena.not(set);
                unset.push(self.build.arena.and(&[*condition, not]));
            }
        }
        let unset = self.build.arena.or(&unset);
        self.build.arena.not(unset)
    }

    /// The value of an lvalue is read.
    pub(in crate::lower) fn check_set(&mut self, lvalue: ExprId, place: &Place) {
        if !self.build.asks(Property::Uninitialised) || !self.build.reachable() || self.in_library_text() {
            return;
        }
        let width = match place.bits {
            Some(bits) => Some(bits.width),
            None => scalar(&self.tree.types, place.ty).map(|(_, width)| width),
        };
        let Some(width) = width else { return };
        let set = self.set_at(&place.base, place.bits.map_or(0, |bits| bits.offset), width);
        self.build.span = self.tree.exprs[lvalue].span;
        self.build.defined(set, UNSET);
    }

    /// Nothing was stored anywhere when the program starts.
    pub(in crate::lower) fn initialise_companions(&mut self) {
        let mut companions: Vec<Slot> = self.memory.companions.values().copied().collect();
        companions.sort_unstable_by_key(|companion| companion.variable);
        for companion in companions {
            let no = self.build.arena.mk_false();
            let none = self.throughout(companion, no);
            self.assign_companion(companion, none);
        }
    }
}

/// What a companion is going to be after the updates so far.
fn pending(updates: &[(Slot, Term)], companion: Slot) -> Term {
    updates.iter().rev().find(|(other, _)| other.term == companion.term).map_or(companion.term, |it| it.1)
}

fn replace(updates: &mut Vec<(Slot, Term)>, companion: Slot, value: Term) {
    updates.retain(|(other, _)| other.term != companion.term);
    updates.push((companion, value));
}
