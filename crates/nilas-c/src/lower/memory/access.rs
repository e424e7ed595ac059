//! Reading and writing scalars in objects.
//!
//! A [`Place`] is resolved to alternatives: leaves of objects (or runs of their elements), each under a
//! condition. The conditions exclude each other. Where none holds the access is out of bounds and the
//! execution stops, or it is in a form that is not modelled.

use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::memory::object::{Leaf, ObjectId, Slot, Storage};
use crate::lower::memory::points::Class;
use crate::lower::memory::provenance::{Known, Within};
use crate::lower::translate::temporary::Scratch;
use crate::property::{Claim, Property};
use crate::types::{BitRange, TypeId};
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

/// What an execution relies on that writes what is defined `const`, where the machine lets it.
const CONSTANT: &str = "a write to an object that is defined `const`";
const LITERAL: Claim = Claim::new(Property::StringLiteralWrite, "writing a string literal");
const READ_ONLY: Claim = Claim::new(Property::OtherUndefined, CONSTANT);

/// Something that an lvalue designates.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Place {
    pub(in crate::lower) base: Base,
    pub(in crate::lower) ty: TypeId,
    pub(in crate::lower) bits: Option<BitRange>,
}

/// Where a place is.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Base {
    /// In a known object.
    Known(Address),
    /// At an address.
    Raw(Raw),
    /// Nowhere: the execution does not get here.
    Nowhere,
}

/// An address, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Raw {
    pub(in crate::lower) address: Term,
    /// The pointer that it was computed from, and the bytes from there to a member.
    pub(in crate::lower) base: Term,
    pub(in crate::lower) moved: u64,
    /// What it may point into; `None` for anything.
    pub(in crate::lower) class: Option<Class>,
    /// If it points into a struct: the bytes from the struct's start, and the struct's size.
    pub(in crate::lower) member: Option<(u64, u64)>,
    /// The type that the pointer is declared to point to.
    pub(in crate::lower) ty: Option<TypeId>,
}

/// A known object, and bytes from its start: a constant and multiples of terms of the pointer's width.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Address {
    pub(in crate::lower) object: ObjectId,
    pub(in crate::lower) offset: i64,
    pub(in crate::lower) parts: Vec<(i64, Term)>,
}

/// A run of bits in one element of a leaf.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Piece {
    pub(in crate::lower) object: ObjectId,
    pub(in crate::lower) leaf: usize,
    pub(in crate::lower) index: Index,
    /// The first bit in the element.
    pub(in crate::lower) low: u32,
    pub(in crate::lower) width: u32,
}

/// Which element.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Index {
    Fixed(u64),
    Term(Term),
}

/// One way an access can go: the pieces from the least significant on.
pub(in crate::lower) struct Alternative {
    pub(in crate::lower) condition: Term,
    pub(in crate::lower) pieces: Vec<Piece>,
}

impl Lowering<'_> {
    /// The value at a place of scalar type.
    pub(in crate::lower) fn read(&mut self, place: &Place) -> Term {
        let Some((kind, width)) = self.access(place) else {
            self.build.unmodelled("reading an object of this type");
            return self.zero(Kind::Bits(32));
        };
        let pointer = self.tree.types.pointee(place.ty);
        let bit = place.bits.map_or(0, |bits| bits.offset);
        let value = self.read_bits(&place.base, bit, kind, width, pointer);
        match place.bits {
            None => value,
            Some(bits) => self.widen_bits(value, bits, place.ty),
        }
    }

    /// The value of a kind that starts at a bit of the place.
    pub(in crate::lower) fn read_kind(&mut self, base: &Base, bit: u32, kind: Kind, width: u32) -> Term {
        self.read_bits(base, bit, kind, width, None)
    }

    fn read_bits(&mut self, base: &Base, bit: u32, kind: Kind, width: u32, pointee: Option<TypeId>) -> Term {
        if self.is_open(base) {
            let held = self.any_read(kind);
            return self.unheld(held, kind);
        }
        let alternatives = self.resolve(base, bit, width);
        let held = self.held_kind(kind);
        let mut result = None;
        for alternative in alternatives.iter().rev() {
            let mut value = self.read_pieces(&alternative.pieces, held);
            if let Some(pointee) = pointee.filter(|_| self.is_external(alternative)) {
                value = self.loaded_outside(base, alternative, value, pointee);
                let class = self.points.outside_content();
                if self.may_be_outside(class) {
                    let within = Within { class, position: None, near: false };
                    self.memory.provenance.learn(value, Known::In(within));
                }
            }
            result = Some(match result {
                None => value,
                Some(_) if planted(Fault::SecondCandidateNotRead) => value,
                Some(rest) => self.build.arena.ite(alternative.condition, value, rest),
            });
        }
        match result {
            Some(value) if self.is_scrambled(base) => {
                // Which element it is depends on where objects happen to lie.
                let sort = self.build.arena.sort(value).clone();
                let (variable, scrambled) =
                    self.build.new_variable(&format!("{}::%scrambled", self.context()), &sort);
                self.build.assign(variable, value);
                self.build.levels.taint(variable, scrambled);
                self.unheld(scrambled, kind)
            }
            Some(value) => self.unheld(value, kind),
            None => self.zero(kind),
        }
    }

    /// Whether the place depends on the bits of addresses.
    fn is_scrambled(&mut self, base: &Base) -> bool {
        match base {
            Base::Known(address) => {
                address.parts.iter().any(|&(_, term)| self.build.level(term) != Level::Clean)
            }
            Base::Raw(raw) => self.build.level(raw.address) == Level::Scrambled,
            Base::Nowhere => false,
        }
    }

    /// What an access of the place moves: its kind and bits.
    fn access(&self, place: &Place) -> Option<(Kind, u32)> {
        match place.bits {
            Some(bits) => Some((Kind::Bits(bits.width), bits.width)),
            None => scalar(&self.tree.types, place.ty),
        }
    }

    pub(in crate::lower) fn widen_bits(&mut self, value: Term, bits: BitRange, ty: TypeId) -> Term {
        let Some((kind, _)) = scalar(&self.tree.types, ty) else { return value };
        match kind {
            Kind::Bits(width) if width > bits.width => {
                let signed = self.tree.types.int_kind(ty).is_some_and(crate::types::IntKind::is_signed);
                self.extend(value, width, signed && !planted(Fault::BitFieldUnsigned))
            }
            Kind::Bool => {
                let zero = self.build.arena.bv(bits.width, 0);
                self.build.arena.ne(value, zero)
            }
            _ => value,
        }
    }

    /// Stores a value of the place's type.
    pub(in crate::lower) fn write(&mut self, place: &Place, value: Term) {
        if !self.build.reachable() {
            return;
        }
        let Some((kind, width)) = self.access(place) else {
            self.build.unmodelled("writing an object of this type");
            return;
        };
        let value = match place.bits {
            Some(bits) => {
                let value = self.as_bits(value);
                self.extend(value, bits.width, false)
            }
            None => value,
        };
        let pointer = self.tree.types.pointee(place.ty).is_some();
        let bit = place.bits.map_or(0, |bits| bits.offset);
        self.write_bits(&place.base, bit, (kind, width), value, pointer);
    }

    /// Stores a value of a kind from a bit of the place on.
    pub(in crate::lower) fn write_kind(
        &mut self,
        base: &Base,
        bit: u32,
        kind: Kind,
        width: u32,
        value: Term,
    ) {
        self.write_bits(base, bit, (kind, width), value, false);
    }

    /// The same of a value that may be a `pointer`.
    fn write_bits(&mut self, base: &Base, bit: u32, (kind, width): (Kind, u32), value: Term, pointer: bool) {
        if self.is_open(base) {
            return;
        }
        let mut alternatives = self.resolve(base, bit, width);
        if pointer {
            alternatives = self.among_pointers(alternatives, width);
        }
        if !self.build.reachable() {
            return;
        }
        let (kind, value) = (self.held_kind(kind), self.held(value));
        let (alternatives, constants): (Vec<_>, Vec<_>) =
            alternatives.into_iter().partition(|alternative| self.is_variable(alternative));
        for constant in &constants {
            // Writing a string literal is undefined.
            let not = self.build.arena.not(constant.condition);
            self.build.defined(not, LITERAL);
        }
        let alternatives = self.without_read_only(alternatives);
        if !self.build.reachable() {
            return;
        }
        if self.is_scrambled(base) {
            for piece in alternatives.iter().flat_map(|alternative| &alternative.pieces) {
                for slot in self.leaf(piece.object, piece.leaf).slots() {
                    if let Some(variable) = slot.variable {
                        self.build.levels.taint(variable, slot.term);
                    }
                }
            }
        }
        let mut alternatives = alternatives;
        if planted(Fault::SecondCandidateNotWritten) && alternatives.len() > 1 {
            alternatives.pop();
        }
        self.refuse_long_double(&alternatives, kind, width);
        let differs = |this: &Self, piece: &Piece| {
            let leaf = this.leaf(piece.object, piece.leaf);
            piece.low != 0 || piece.width != leaf.width || leaf.kind != kind
        };
        let pieces = || alternatives.iter().flat_map(|alternative| &alternative.pieces);
        let value = if pieces().any(|piece| differs(self, piece)) { self.concealed(value) } else { value };
        let alone = alternatives.len() == 1;
        let (alternatives, value) = self.steady(alternatives, value);
        let mut updates: Vec<(Slot, Term)> = Vec::new();
        for alternative in &alternatives {
            if self.is_external(alternative) {
                self.store_outside(base, alternative, (value, bit + width), alone);
            }
        }
        for alternative in &alternatives {
            let mut low = 0;
            for piece in &alternative.pieces {
                let part = if piece.width == width {
                    value
                } else {
                    let bits = self.as_bits(value);
                    self.build.arena.extract(bits, low + piece.width - 1, low)
                };
                low += piece.width;
                let part_kind = if piece.width == width { kind } else { Kind::Bits(piece.width) };
                let condition = (!alone).then_some(alternative.condition);
                self.write_piece(*piece, part, part_kind, condition, &mut updates);
            }
        }
        self.update(updates);
    }

    /// Where a pointer is stored: as a whole, if it can be. An index that leaves an array of pointers would
    /// store its bytes over other members of the same object, which then depend on where objects lie,
    /// wherever
    /// they are read. Such a store is not modelled, and all others are exact.
    fn among_pointers(&mut self, alternatives: Vec<Alternative>, width: u32) -> Vec<Alternative> {
        let fits = |alternative: &Alternative| match &alternative.pieces[..] {
            [piece] => piece.low == 0 && self.leaf(piece.object, piece.leaf).width == width,
            _ => false,
        };
        let mut objects = alternatives.iter().flat_map(|it| &it.pieces).map(|piece| piece.object);
        let first = objects.next();
        if objects.any(|object| Some(object) != first) {
            return alternatives;
        }
        let (whole, torn): (Vec<_>, Vec<_>) = alternatives.into_iter().partition(fits);
        if whole.is_empty() {
            return torn;
        }
        for alternative in torn {
            let construct = "a pointer that is stored over other members of its object";
            self.build.unmodelled_if(alternative.condition, construct);
        }
        whole
    }

    /// Writing what is defined `const` is undefined (6.7.3p6). What has static storage duration lies in
    /// memory that cannot be written; elsewhere the machine writes, and executions go on.
    fn without_read_only(&mut self, alternatives: Vec<Alternative>) -> Vec<Alternative> {
        if self.memory.initialising {
            return alternatives;
        }
        let mut others = Vec::new();
        for alternative in alternatives {
            let pieces = &alternative.pieces;
            let constant = pieces.iter().find(|piece| self.leaf(piece.object, piece.leaf).constant);
            match constant.map(|piece| self.is_read_only(piece.object)) {
                Some(true) => {
                    let not = self.build.arena.not(alternative.condition);
                    self.build.defined(not, READ_ONLY);
                    continue;
                }
                Some(false) if self.build.asks(Property::OtherUndefined) => {
                    let not = self.build.arena.not(alternative.condition);
                    self.build.defined(not, READ_ONLY);
                    continue;
                }
                Some(false) => self.build.presume_if(alternative.condition, CONSTANT),
                None => {}
            }
            others.push(alternative);
        }
        others
    }

    /// The same for a leaf that is about to be written as a whole; says whether it is.
    pub(in crate::lower) fn may_write_leaf(&mut self, object: ObjectId, number: usize) -> bool {
        let leaf = self.leaf(object, number);
        let literal = leaf.slots().iter().any(|slot| slot.variable.is_none());
        let asked = self.build.asks(Property::OtherUndefined);
        if literal {
            self.build.never(LITERAL);
        } else if leaf.constant && (asked || self.is_read_only(object)) {
            self.build.never(READ_ONLY);
        } else if leaf.constant {
            self.build.presume(CONSTANT);
        }
        self.build.reachable()
    }

    /// Whether an object lies in memory that cannot be written.
    fn is_read_only(&self, object: ObjectId) -> bool {
        let Key::Static(variable) = self.memory.objects[object.0].key else { return false };
        let declared = &self.tree.variables[variable];
        let qualifiers = self.tree.types.qualifiers(declared.ty);
        declared.defined && qualifiers.is_const && !qualifiers.is_volatile
    }

    /// What happens inside makes objects, constant ones, too.
    pub(in crate::lower) fn initialising<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.memory.initialising, true);
        let result = inside(self);
        self.memory.initialising = before;
        result
    }

    /// Saves value, conditions and indices that speak of what is about to be written by more than one step.
    fn steady(&mut self, mut alternatives: Vec<Alternative>, value: Term) -> (Vec<Alternative>, Term) {
        let mut written: Vec<Term> = Vec::new();
        for piece in alternatives.iter().flat_map(|alternative| &alternative.pieces) {
            let leaf = self.leaf(piece.object, piece.leaf);
            match (&leaf.storage, piece.index) {
                (Storage::Cells(cells), Index::Fixed(index)) => {
                    written.extend(
                        usize::try_from(index).ok().and_then(|index| cells.get(index)).map(|c| c.term),
                    );
                }
                _ => written.extend(leaf.slots().iter().map(|slot| slot.term)),
            }
        }
        if written.len() < 2 {
            return (alternatives, value);
        }
        let mut count = 0;
        let mut keep = |this: &mut Self, term: Term| {
            if !this.build.arena.free_variables(term).iter().any(|variable| written.contains(variable)) {
                return term;
            }
            let sort = this.build.arena.sort(term).clone();
            let (variable, saved) = this.scratch(Scratch::Write(count), &sort);
            count += 1;
            this.build.assign(variable, term);
            saved
        };
        let original = value;
        let value = keep(self, value);
        if value != original {
            let piece = alternatives.iter().find_map(|alternative| alternative.pieces.first());
            let pointee = piece.and_then(|piece| self.leaf(piece.object, piece.leaf).pointee);
            self.inherit(value, original, pointee);
        }
        for alternative in &mut alternatives {
            alternative.condition = keep(self, alternative.condition);
            for piece in &mut alternative.pieces {
                if let Index::Term(index) = piece.index {
                    piece.index = Index::Term(keep(self, index));
                }
            }
        }
        (alternatives, value)
    }

    /// A `long double` has padding and a bit for the integer part in memory: written as anything else, it is
    /// not modelled.
    fn refuse_long_double(&mut self, alternatives: &[Alternative], kind: Kind, width: u32) {
        let (Kind::Float(exponent, significand) | Kind::FloatBits(exponent, significand)) = kind else {
            return;
        };
        if exponent + significand == width {
            return;
        }
        for alternative in alternatives {
            let same = |piece: &Piece| {
                let leaf = self.leaf(piece.object, piece.leaf);
                piece.low == 0 && piece.width == leaf.width && leaf.kind == kind
            };
            if !matches!(&alternative.pieces[..], [piece] if same(piece)) {
                self.build.unmodelled_if(alternative.condition, "the bytes of a long double");
            }
        }
    }

    /// Whether an alternative means memory of unknown origin.
    fn is_external(&self, alternative: &Alternative) -> bool {
        let object = alternative.pieces.first().map(|piece| piece.object);
        object.is_some() && object == self.memory.external
    }

    fn is_variable(&self, alternative: &Alternative) -> bool {
        alternative.pieces.iter().all(|piece| {
            self.leaf(piece.object, piece.leaf).first_slot().is_some_and(|slot| slot.variable.is_some())
        })
    }

    /// Assigns one after the other: no value speaks of a variable assigned before, see [`Lowering::steady`].
    fn update(&mut self, updates: Vec<(Slot, Term)>) {
        for (slot, value) in updates {
            if let Some(variable) = slot.variable {
                self.build.assign(variable, value);
            }
        }
    }

    fn leaf(&self, object: ObjectId, leaf: usize) -> &Leaf {
        &self.memory.objects[object.0].leaves[leaf]
    }

    fn element(&mut self, piece: Piece) -> Term {
        let leaf = self.leaf(piece.object, piece.leaf).clone();
        match (&leaf.storage, piece.index) {
            (Storage::Cells(cells), Index::Fixed(index)) => cells[usize::try_from(index).unwrap_or(0)].term,
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.build.arena.width(index);
                let mut value = cells[cells.len() - 1].term;
                let skipped = 1 + usize::from(planted(Fault::LastCellRepeated));
                for (number, cell) in cells.iter().enumerate().rev().skip(skipped) {
                    let number = self.build.arena.bv(width, number as u64);
                    let hit = self.build.arena.eq(index, number);
                    value = self.build.arena.ite(hit, cell.term, value);
                }
                value
            }
            (Storage::Array(slot), Index::Fixed(index)) => {
                let index = self.build.arena.bv(self.pointer_bits(), index);
                self.build.arena.select(slot.term, index)
            }
            (Storage::Array(slot), Index::Term(index)) => self.build.arena.select(slot.term, index),
        }
    }

    fn read_pieces(&mut self, pieces: &[Piece], kind: Kind) -> Term {
        if let [piece] = *pieces {
            let (leaf_kind, leaf_width) = {
                let leaf = self.leaf(piece.object, piece.leaf);
                (leaf.kind, leaf.width)
            };
            let value = self.element(piece);
            if leaf_kind == kind && piece.low == 0 && piece.width == leaf_width {
                return value;
            }
        }
        let mut whole: Option<Term> = None;
        for &piece in pieces {
            let leaf_width = self.leaf(piece.object, piece.leaf).width;
            let value = self.element(piece);
            let value = self.concealed(value);
            let bits = self.as_memory(value, leaf_width);
            let part = self.build.arena.extract(bits, piece.low + piece.width - 1, piece.low);
            whole = Some(match whole {
                None => part,
                Some(low) if planted(Fault::BytesInOtherOrder) => self.build.arena.concat(low, part),
                Some(low) => self.build.arena.concat(part, low),
            });
        }
        match whole {
            Some(whole) => self.bits_as(whole, kind),
            None => self.zero(kind),
        }
    }

    /// A constant that is an address, in a variable: its parts are no constants, because nobody knows the
    /// address.
    fn concealed(&mut self, value: Term) -> Term {
        if self.build.arena.as_bitvec(value).is_none() || self.build.level(value) == Level::Clean {
            return value;
        }
        let sort = self.build.arena.sort(value).clone();
        let (variable, concealed) = self.build.new_variable(&format!("{}::%address", self.context()), &sort);
        self.build.assign(variable, value);
        concealed
    }

    /// Bits of memory as a value of a kind.
    pub(in crate::lower) fn bits_as(&mut self, bits: Term, kind: Kind) -> Term {
        match kind {
            Kind::Bool => {
                let zero = self.build.arena.bv(self.build.arena.width(bits), 0);
                self.build.arena.ne(bits, zero)
            }
            Kind::Bits(width) => self.extend(bits, width, false),
            Kind::Float(exponent, significand) if self.build.arena.width(bits) == exponent + significand => {
                self.float_of_bits(bits, exponent, significand)
            }
            Kind::FloatBits(exponent, significand)
                if self.build.arena.width(bits) == exponent + significand =>
            {
                bits
            }
            Kind::Float(..) | Kind::FloatBits(..) => {
                self.build.unmodelled("the bytes of a long double");
                self.zero(kind)
            }
        }
    }

    /// A place whose address keeps its value while something is assigned.
    pub(in crate::lower) fn steady_base(&mut self, base: &Base, purpose: fn(usize) -> Scratch) -> Base {
        let mut count = 0;
        let mut keep = |this: &mut Self, term: Term| {
            if this.build.arena.as_value(term).is_some() {
                return term;
            }
            let sort = this.build.arena.sort(term).clone();
            let (variable, saved) = this.scratch(purpose(count), &sort);
            count += 1;
            this.build.assign(variable, term);
            saved
        };
        match base {
            Base::Known(address) => {
                let parts = address.parts.iter().map(|&(scale, term)| (scale, keep(self, term))).collect();
                Base::Known(Address { parts, ..address.clone() })
            }
            Base::Raw(raw) => {
                let base = keep(self, raw.base);
                self.inherit(base, raw.base, raw.ty);
                Base::Raw(Raw { base, ..*raw }.addressed(self))
            }
            Base::Nowhere => Base::Nowhere,
        }
    }

    /// A value as its bits: a `_Bool` as 8, a float by those that it has in memory.
    pub(in crate::lower) fn as_bits(&mut self, value: Term) -> Term {
        match self.build.arena.sort(value).clone() {
            Sort::Bool => self.build.arena.bool_to_bv(value, 8),
            Sort::Float(..) => self.float_bits(value),
            _ => value,
        }
    }

    fn as_memory(&mut self, value: Term, width: u32) -> Term {
        let bits = self.as_bits(value);
        if self.build.arena.width(bits) != width {
            self.build.unmodelled("the bytes of a long double");
            return self.build.arena.bv(width, 0);
        }
        bits
    }

    fn write_piece(
        &mut self,
        piece: Piece,
        value: Term,
        kind: Kind,
        condition: Option<Term>,
        updates: &mut Vec<(Slot, Term)>,
    ) {
        let leaf = self.leaf(piece.object, piece.leaf).clone();
        let whole = piece.low == 0 && piece.width == leaf.width;
        if leaf.pointee.is_some() {
            self.check_stored(piece.object, piece.leaf, value, whole, condition);
        } else if self.memory.external == Some(piece.object) {
            self.check_given_away(value, condition);
        }
        let bits = if whole && kind == leaf.kind {
            None
        } else {
            let bits = self.as_bits(value);
            let bits = self.extend(bits, piece.width, false);
            if leaf.kind == Kind::Bool {
                self.refuse_odd_bool(bits, condition);
            }
            Some(bits)
        };
        self.note_piece(&leaf, piece, condition, updates);
        // What an element holds afterwards.
        let renewed = |this: &mut Self, old: Term| match bits {
            None => value,
            Some(bits) if whole => this.bits_as(bits, leaf.kind),
            Some(bits) => {
                let spliced = this.splice(old, bits, piece.low, leaf.width);
                this.bits_as(spliced, leaf.kind)
            }
        };
        match (&leaf.storage, piece.index) {
            (Storage::Cells(cells), Index::Fixed(index)) => {
                let cell = cells[usize::try_from(index).unwrap_or(0)];
                let mut new = renewed(self, cell.term);
                if let Some(condition) = condition {
                    new = self.build.arena.ite(condition, new, cell.term);
                }
                updates.push((cell, new));
            }
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.build.arena.width(index);
                for (number, cell) in cells.iter().enumerate() {
                    let number = self.build.arena.bv(width, number as u64);
                    let mut hit = self.build.arena.eq(index, number);
                    if let Some(condition) = condition {
                        hit = self.build.arena.and(&[hit, condition]);
                    }
                    let new = renewed(self, cell.term);
                    let new = self.build.arena.ite(hit, new, cell.term);
                    updates.push((*cell, new));
                }
            }
            (Storage::Array(slot), index) => {
                let index = match index {
                    Index::Fixed(index) => self.build.arena.bv(self.pointer_bits(), index),
                    Index::Term(index) => index,
                };
                // Pieces of one access that lie in one array follow each other.
                let before = updates.iter().rev().find(|(other, _)| other.term == slot.term).map(|u| u.1);
                let old = before.unwrap_or(slot.term);
                let element = self.build.arena.select(old, index);
                let new = renewed(self, element);
                let stored = self.build.arena.store(old, index, new);
                let new = match condition {
                    Some(condition) => self.build.arena.ite(condition, stored, old),
                    None => stored,
                };
                if planted(Fault::ArrayStoreLost)
                    && condition.is_some()
                    && self.build.arena.as_value(index).is_none()
                {
                    return;
                }
                updates.retain(|(other, _)| other.term != slot.term);
                updates.push((*slot, new));
            }
        }
    }

    /// A `_Bool` is stored as a truth value, so that bytes other than 0 and 1 would be lost.
    pub(in crate::lower) fn refuse_odd_bool(&mut self, bits: Term, condition: Option<Term>) {
        let one = self.build.arena.bv(self.build.arena.width(bits), 1);
        let plain = self.build.arena.bv_ule(bits, one);
        let odd = self.build.arena.not(plain);
        let odd = self.build.arena.and(&[condition.unwrap_or(odd), odd]);
        self.build.unmodelled_if(odd, "a `_Bool` that is neither 0 nor 1");
    }

    /// `old` with the bits from `low` on replaced.
    fn splice(&mut self, old: Term, bits: Term, low: u32, width: u32) -> Term {
        let old = self.as_memory(old, width);
        let count = self.build.arena.width(bits);
        let mut result = bits;
        if low > 0 {
            let below = self.build.arena.extract(old, low - 1, 0);
            result = self.build.arena.concat(result, below);
        }
        if low + count < width {
            let above = match planted(Fault::NeighbourClobbered) {
                true => self.build.arena.bv(width - low - count, 0),
                false => self.build.arena.extract(old, width - 1, low + count),
            };
            result = self.build.arena.concat(above, result);
        }
        result
    }
}

impl Raw {
    /// The same with the address computed from the base.
    pub(in crate::lower) fn addressed(self, lowering: &mut Lowering<'_>) -> Raw {
        let distance = lowering.build.arena.bv(lowering.pointer_bits(), self.moved);
        Raw { address: lowering.build.arena.bv_add(self.base, distance), ..self }
    }
}

impl Base {
    /// So many bytes further.
    pub(in crate::lower) fn shifted(&self, lowering: &mut Lowering<'_>, bytes: u64) -> Base {
        match self {
            Base::Known(address) => {
                let offset = address.offset.saturating_add(bytes.cast_signed());
                Base::Known(Address { offset, ..address.clone() })
            }
            Base::Raw(raw) => {
                let distance = lowering.build.arena.bv(lowering.pointer_bits(), bytes);
                let address = lowering.build.arena.bv_add(raw.address, distance);
                let member = raw.member.map(|(member, size)| (member + bytes, size));
                Base::Raw(Raw { address, member, moved: raw.moved.saturating_add(bytes), ..*raw })
            }
            Base::Nowhere => Base::Nowhere,
        }
    }
}
