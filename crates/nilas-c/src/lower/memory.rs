//! Reading and writing scalars in objects.
//!
//! A [`Place`] is resolved to alternatives: leaves of objects (or runs of their elements), each under a condition. The
//! conditions exclude each other. Where none holds the access is out of bounds and the execution stops, or it is in
//! a form that is not modelled.

use super::emit::Lowering;
use super::layout::{Kind, scalar};
use super::object::{Leaf, ObjectId, Slot, Storage};
use super::points::Class;
use crate::types::{BitRange, TypeId};
use nilas_term::{Op, Sort, Term};

/// Something that an lvalue designates.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) ty: TypeId,
    pub(super) bits: Option<BitRange>,
}

/// Where a place is.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// In a known object.
    Known(Address),
    /// At an address.
    Raw(Raw),
    /// Nowhere: the execution does not get here.
    Nowhere,
}

/// An address, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) address: Term,
    /// What it may point into; `None` for anything.
    pub(super) class: Option<Class>,
    /// If it points into a struct: the bytes from the struct's start, and the struct's size.
    pub(super) member: Option<(u64, u64)>,
}

/// A known object, and bytes from its start: a constant and multiples of terms of the pointer's width.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) object: ObjectId,
    pub(super) offset: i64,
    pub(super) parts: Vec<(i64, Term)>,
}

/// A run of bits in one element of a leaf.
#[derive(Clone, Copy)]
struct Piece {
    object: ObjectId,
    leaf: usize,
    index: Index,
    /// The first bit in the element.
    low: u32,
    width: u32,
}

/// Which element.
#[derive(Clone, Copy)]
enum Index {
    Fixed(u64),
    Term(Term),
}

const FAR: &str = "access far into an object of variable size";

/// One way an access can go: the pieces from the least significant on.
pub(super) struct Alternative {
    condition: Term,
    pieces: Vec<Piece>,
}

impl Lowering<'_> {
    /// The value at a place of scalar type.
    pub(super) fn read(&mut self, place: &Place) -> Term {
        let Some((kind, width)) = self.access(place) else {
            self.unmodelled("reading an object of this type");
            return self.zero(Kind::Bits(32));
        };
        let value = self.read_kind(&place.base, place.bits.map_or(0, |bits| bits.offset), kind, width);
        match place.bits {
            None => value,
            Some(bits) => self.widen_bits(value, bits, place.ty),
        }
    }

    /// The value of a kind that starts at a bit of the place.
    pub(super) fn read_kind(&mut self, base: &Base, bit: u32, kind: Kind, width: u32) -> Term {
        let alternatives = self.resolve(base, bit, width);
        let mut result = None;
        for alternative in alternatives.iter().rev() {
            let value = self.read_pieces(&alternative.pieces, kind);
            result = Some(match result {
                None => value,
                Some(rest) => self.arena.ite(alternative.condition, value, rest),
            });
        }
        match result {
            Some(value) => value,
            None => self.zero(kind),
        }
    }

    /// What an access of the place moves: its kind and bits.
    fn access(&self, place: &Place) -> Option<(Kind, u32)> {
        match place.bits {
            Some(bits) => Some((Kind::Bits(bits.width), bits.width)),
            None => scalar(&self.tree.types, place.ty),
        }
    }

    pub(super) fn widen_bits(&mut self, value: Term, bits: BitRange, ty: TypeId) -> Term {
        let Some((kind, _)) = scalar(&self.tree.types, ty) else { return value };
        match kind {
            Kind::Bits(width) if width > bits.width => {
                let signed = self.tree.types.int_kind(ty).is_some_and(crate::types::IntKind::is_signed);
                self.extend(value, width, signed)
            }
            Kind::Bool => {
                let zero = self.arena.bv(bits.width, 0);
                self.arena.ne(value, zero)
            }
            _ => value,
        }
    }

    /// Stores a value of the place's type.
    pub(super) fn write(&mut self, place: &Place, value: Term) {
        if !self.reachable() {
            return;
        }
        let Some((kind, width)) = self.access(place) else {
            self.unmodelled("writing an object of this type");
            return;
        };
        let value = match place.bits {
            Some(bits) => {
                let value = self.as_bits(value);
                self.extend(value, bits.width, false)
            }
            None => value,
        };
        self.write_kind(&place.base, place.bits.map_or(0, |bits| bits.offset), kind, width, value);
    }

    /// Stores a value of a kind from a bit of the place on.
    pub(super) fn write_kind(&mut self, base: &Base, bit: u32, kind: Kind, width: u32, value: Term) {
        let alternatives = self.resolve(base, bit, width);
        if !self.reachable() {
            return;
        }
        let (alternatives, constants): (Vec<_>, Vec<_>) =
            alternatives.into_iter().partition(|alternative| self.is_variable(alternative));
        for constant in &constants {
            // Writing a string literal is undefined.
            let not = self.arena.not(constant.condition);
            self.assume(not);
        }
        let alone = alternatives.len() == 1;
        let (alternatives, value) = self.steady(alternatives, value);
        let mut updates: Vec<(Slot, Term)> = Vec::new();
        for alternative in &alternatives {
            let mut low = 0;
            for piece in &alternative.pieces {
                let part = if piece.width == width {
                    value
                } else {
                    let bits = self.as_bits(value);
                    self.arena.extract(bits, low + piece.width - 1, low)
                };
                low += piece.width;
                let part_kind = if piece.width == width { kind } else { Kind::Bits(piece.width) };
                let condition = (!alone).then_some(alternative.condition);
                self.write_piece(*piece, part, part_kind, condition, &mut updates);
            }
        }
        self.update(updates);
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
            if !this.arena.free_variables(term).iter().any(|variable| written.contains(variable)) {
                return term;
            }
            let sort = this.arena.sort(term).clone();
            let (variable, saved) = this.scratch(count, &sort);
            count += 1;
            this.assign(variable, term);
            saved
        };
        let value = keep(self, value);
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

    fn is_variable(&self, alternative: &Alternative) -> bool {
        alternative.pieces.iter().all(|piece| {
            self.leaf(piece.object, piece.leaf).first_slot().is_some_and(|slot| slot.variable.is_some())
        })
    }

    /// Assigns one after the other: no value speaks of a variable assigned before, see [`Lowering::steady`].
    fn update(&mut self, updates: Vec<(Slot, Term)>) {
        for (slot, value) in updates {
            if let Some(variable) = slot.variable {
                self.assign(variable, value);
            }
        }
    }

    fn leaf(&self, object: ObjectId, leaf: usize) -> &Leaf {
        &self.objects[object.0].leaves[leaf]
    }

    fn element(&mut self, piece: Piece) -> Term {
        let leaf = self.leaf(piece.object, piece.leaf).clone();
        match (&leaf.storage, piece.index) {
            (Storage::Cells(cells), Index::Fixed(index)) => cells[usize::try_from(index).unwrap_or(0)].term,
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.arena.width(index);
                let mut value = cells[cells.len() - 1].term;
                for (number, cell) in cells.iter().enumerate().rev().skip(1) {
                    let number = self.arena.bv(width, number as u64);
                    let hit = self.arena.eq(index, number);
                    value = self.arena.ite(hit, cell.term, value);
                }
                value
            }
            (Storage::Array(slot), Index::Fixed(index)) => {
                let index = self.arena.bv(self.pointer_bits(), index);
                self.arena.select(slot.term, index)
            }
            (Storage::Array(slot), Index::Term(index)) => self.arena.select(slot.term, index),
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
            let bits = self.as_memory(value, leaf_width);
            let part = self.arena.extract(bits, piece.low + piece.width - 1, piece.low);
            whole = Some(match whole {
                None => part,
                Some(low) => self.arena.concat(part, low),
            });
        }
        match whole {
            Some(whole) => self.bits_as(whole, kind),
            None => self.zero(kind),
        }
    }

    /// Bits of memory as a value of a kind.
    pub(super) fn bits_as(&mut self, bits: Term, kind: Kind) -> Term {
        match kind {
            Kind::Bool => {
                let zero = self.arena.bv(self.arena.width(bits), 0);
                self.arena.ne(bits, zero)
            }
            Kind::Bits(width) => self.extend(bits, width, false),
            Kind::Float(exponent, significand) if self.arena.width(bits) == exponent + significand => {
                self.arena.mk(Op::FpFromIeeeBits(exponent, significand), &[bits])
            }
            Kind::Float(..) => {
                self.unmodelled("the bytes of a long double");
                self.zero(kind)
            }
        }
    }

    /// A place whose address keeps its value while something is assigned.
    pub(super) fn steady_base(&mut self, base: &Base, number: usize) -> Base {
        let mut count = 10 * number;
        let mut keep = |this: &mut Self, term: Term| {
            if this.arena.as_value(term).is_some() {
                return term;
            }
            let sort = this.arena.sort(term).clone();
            count += 1;
            let (variable, saved) = this.scratch(count, &sort);
            this.assign(variable, term);
            saved
        };
        match base {
            Base::Known(address) => {
                let parts = address.parts.iter().map(|&(scale, term)| (scale, keep(self, term))).collect();
                Base::Known(Address { parts, ..address.clone() })
            }
            Base::Raw(raw) => Base::Raw(Raw { address: keep(self, raw.address), ..*raw }),
            Base::Nowhere => Base::Nowhere,
        }
    }

    /// A value as its bits: a `_Bool` as 8, a float by a bit-vector that stands for it.
    pub(super) fn as_bits(&mut self, value: Term) -> Term {
        match self.arena.sort(value).clone() {
            Sort::Bool => self.arena.bool_to_bv(value, 8),
            Sort::Float(exponent, significand) => {
                let sort = Sort::BitVec(exponent + significand);
                let name = format!("{}::bits", self.context());
                let (variable, bits) = self.new_variable(&name, &sort);
                self.havoc(variable);
                let float = self.arena.mk(Op::FpFromIeeeBits(exponent, significand), &[bits]);
                let equal = self.arena.eq(float, value);
                self.assume(equal);
                bits
            }
            _ => value,
        }
    }

    fn as_memory(&mut self, value: Term, width: u32) -> Term {
        let bits = self.as_bits(value);
        if self.arena.width(bits) != width {
            self.unmodelled("the bytes of a long double");
            return self.arena.bv(width, 0);
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
        let bits = if whole && kind == leaf.kind {
            None
        } else {
            let bits = self.as_bits(value);
            Some(self.extend(bits, piece.width, false))
        };
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
                    new = self.arena.ite(condition, new, cell.term);
                }
                updates.push((cell, new));
            }
            (Storage::Cells(cells), Index::Term(index)) => {
                let width = self.arena.width(index);
                for (number, cell) in cells.iter().enumerate() {
                    let number = self.arena.bv(width, number as u64);
                    let mut hit = self.arena.eq(index, number);
                    if let Some(condition) = condition {
                        hit = self.arena.and(&[hit, condition]);
                    }
                    let new = renewed(self, cell.term);
                    let new = self.arena.ite(hit, new, cell.term);
                    updates.push((*cell, new));
                }
            }
            (Storage::Array(slot), index) => {
                let index = match index {
                    Index::Fixed(index) => self.arena.bv(self.pointer_bits(), index),
                    Index::Term(index) => index,
                };
                // Pieces of one access that lie in one array follow each other.
                let before = updates.iter().rev().find(|(other, _)| other.term == slot.term).map(|u| u.1);
                let old = before.unwrap_or(slot.term);
                let element = self.arena.select(old, index);
                let new = renewed(self, element);
                let stored = self.arena.store(old, index, new);
                let new = match condition {
                    Some(condition) => self.arena.ite(condition, stored, old),
                    None => stored,
                };
                updates.retain(|(other, _)| other.term != slot.term);
                updates.push((*slot, new));
            }
        }
    }

    /// `old` with the bits from `low` on replaced.
    fn splice(&mut self, old: Term, bits: Term, low: u32, width: u32) -> Term {
        let old = self.as_memory(old, width);
        let count = self.arena.width(bits);
        let mut result = bits;
        if low > 0 {
            let below = self.arena.extract(old, low - 1, 0);
            result = self.arena.concat(result, below);
        }
        if low + count < width {
            let above = self.arena.extract(old, width - 1, low + count);
            result = self.arena.concat(above, result);
        }
        result
    }

    /// The alternatives of an access. Bounds are assumed here; what is not modelled leaves here.
    fn resolve(&mut self, base: &Base, bit: u32, width: u32) -> Vec<Alternative> {
        match base {
            Base::Nowhere => Vec::new(),
            Base::Raw(raw) => self.resolve_raw(*raw, bit, width),
            Base::Known(address) if !self.objects[address.object.0].modelled => {
                self.unmodelled("access of an object of this type");
                Vec::new()
            }
            Base::Known(address) if address.parts.is_empty() => self.resolve_fixed(address, bit, width),
            Base::Known(address) => self.resolve_indexed(&address.clone(), bit, width),
        }
    }

    /// At a constant offset: the leaves that the bits lie in.
    fn resolve_fixed(&mut self, address: &Address, bit: u32, width: u32) -> Vec<Alternative> {
        let object = &self.objects[address.object.0];
        let start = i128::from(address.offset) * 8 + i128::from(bit);
        let end = start + i128::from(width);
        if start < 0 || end > i128::from(object.size) * 8 {
            if start >= 0 && (object.length.is_some() || object.open_end) {
                self.unmodelled(FAR);
            } else {
                self.stop();
            }
            return Vec::new();
        }
        if let Some((_, length)) = object.length {
            let last = self.arena.bv(self.pointer_bits(), u64::try_from((end - 1) / 8).unwrap_or(0));
            let inside = self.arena.bv_ult(last, length);
            self.assume(inside);
        }
        let object = &self.objects[address.object.0];
        let start = u64::try_from(start).unwrap_or(0);
        let mut pieces = Vec::new();
        let mut done = 0;
        while done < width {
            let position = start + u64::from(done);
            let found = object.leaves.iter().enumerate().find_map(|(number, leaf)| {
                let (index, low) = leaf.element_at(position)?;
                Some((number, index, low, leaf.width))
            });
            let Some((leaf, index, low, leaf_width)) = found else {
                self.unmodelled("access of padding bytes");
                return Vec::new();
            };
            let count = (leaf_width - low).min(width - done);
            let index = Index::Fixed(index);
            pieces.push(Piece { object: address.object, leaf, index, low, width: count });
            done += count;
        }
        vec![Alternative { condition: self.arena.mk_true(), pieces }]
    }

    /// The offset of an address as a term.
    pub(super) fn offset_term(&mut self, address: &Address) -> Term {
        let width = self.pointer_bits();
        let mut sum = self.arena.bv(width, address.offset.cast_unsigned());
        for &(scale, term) in &address.parts {
            let scale = self.arena.bv(width, scale.cast_unsigned());
            let product = self.arena.bv_mul(term, scale);
            sum = self.arena.bv_add(sum, product);
        }
        sum
    }

    fn resolve_indexed(&mut self, address: &Address, bit: u32, width: u32) -> Vec<Alternative> {
        let object = address.object;
        let leaves = self.objects[object.0].leaves.clone();
        let total = self.offset_term(address);
        let mut found = Vec::new();
        let mut complete = true;
        for (number, leaf) in leaves.iter().enumerate() {
            let relative = address.offset * 8 + i64::from(bit) - leaf.offset.cast_signed();
            match leaf.dims[..] {
                [dim] if address.parts.iter().all(|(scale, _)| scale % dim.stride.cast_signed() == 0) => {
                    let stride_bits = dim.stride.cast_signed() * 8;
                    let low = u32::try_from(relative.rem_euclid(stride_bits)).unwrap_or(u32::MAX);
                    if low >= leaf.width {
                        continue;
                    }
                    let mut index = {
                        let constant = relative.div_euclid(stride_bits);
                        self.arena.bv(self.pointer_bits(), constant.cast_unsigned())
                    };
                    for &(scale, term) in &address.parts {
                        let factor = (scale / dim.stride.cast_signed()).cast_unsigned();
                        let factor = self.arena.bv(self.pointer_bits(), factor);
                        let product = self.arena.bv_mul(term, factor);
                        index = self.arena.bv_add(index, product);
                    }
                    match self.run_of(object, number, leaf, index, low, width) {
                        Some(alternative) => found.push(alternative),
                        None => complete = false,
                    }
                }
                _ => {
                    // At any offset that is not a whole number of elements the access is not modelled.
                    complete = false;
                    found.extend(self.decoded(object, number, leaf, total, bit, width, None));
                }
            }
        }
        self.bounded(found, complete, object, total, width)
    }

    /// Elements of a leaf from an index on, in bounds of the leaf.
    fn run_of(
        &mut self,
        object: ObjectId,
        number: usize,
        leaf: &Leaf,
        index: Term,
        low: u32,
        width: u32,
    ) -> Option<Alternative> {
        let pointer = self.pointer_bits();
        let count = leaf.count();
        if low + width <= leaf.width {
            let count = self.arena.bv(pointer, count);
            let condition = self.arena.bv_ult(index, count);
            let index = self.index_of(index);
            return Some(Alternative {
                condition,
                pieces: vec![Piece { object, leaf: number, index, low, width }],
            });
        }
        let contiguous = leaf.dims.len() == 1 && leaf.dims[0].stride * 8 == u64::from(leaf.width);
        let run = u64::from(width / leaf.width);
        if low != 0 || !width.is_multiple_of(leaf.width) || !contiguous || run > count {
            return None;
        }
        let last = self.arena.bv(pointer, count - run + 1);
        let condition = self.arena.bv_ult(index, last);
        let mut pieces = Vec::new();
        for step in 0..run {
            let step = self.arena.bv(pointer, step);
            let index = self.arena.bv_add(index, step);
            let index = self.index_of(index);
            pieces.push(Piece { object, leaf: number, index, low: 0, width: leaf.width });
        }
        Some(Alternative { condition, pieces })
    }

    fn index_of(&self, term: Term) -> Index {
        match self.arena.as_bitvec(term).and_then(nilas_term::BitVec::to_u64) {
            Some(value) => Index::Fixed(value),
            None => Index::Term(term),
        }
    }

    /// A leaf at an offset that is a term, by division: only whole elements, from their first bit on.
    #[allow(clippy::too_many_arguments, reason = "one step of the resolution, with all it depends on")]
    fn decoded(
        &mut self,
        object: ObjectId,
        number: usize,
        leaf: &Leaf,
        offset: Term,
        bit: u32,
        width: u32,
        condition: Option<Term>,
    ) -> Option<Alternative> {
        if u64::from(bit) != leaf.offset % 8 {
            return None;
        }
        let pointer = self.pointer_bits();
        let start = self.arena.bv(pointer, leaf.offset / 8);
        let mut rest = self.arena.bv_sub(offset, start);
        let mut conditions: Vec<Term> = condition.into_iter().collect();
        let mut index = self.arena.bv(pointer, 0);
        for (position, dim) in leaf.dims.iter().enumerate() {
            let stride = self.arena.bv(pointer, dim.stride);
            let quotient = self.arena.bv_udiv(rest, stride);
            rest = self.arena.bv_urem(rest, stride);
            let count = self.arena.bv(pointer, dim.count);
            if position > 0 {
                index = self.arena.bv_mul(index, count);
            }
            conditions.push(self.arena.bv_ult(quotient, count));
            index = self.arena.bv_add(index, quotient);
        }
        let zero = self.arena.bv(pointer, 0);
        conditions.push(self.arena.eq(rest, zero));
        let mut alternative = self.run_of(object, number, leaf, index, 0, width)?;
        // The bound of each dimension is there already, unless it is a run.
        if alternative.pieces.len() > 1 {
            conditions.push(alternative.condition);
        }
        if leaf.dims.is_empty() {
            alternative.pieces[0].index = Index::Fixed(0);
        }
        alternative.condition = self.arena.and(&conditions);
        (self.arena.as_bool(alternative.condition) != Some(false)).then_some(alternative)
    }

    /// Assumes that one alternative holds; in bounds but in none of them is not modelled.
    fn bounded(
        &mut self,
        found: Vec<Alternative>,
        complete: bool,
        object: ObjectId,
        total: Term,
        width: u32,
    ) -> Vec<Alternative> {
        let conditions: Vec<Term> = found.iter().map(|alternative| alternative.condition).collect();
        let any = self.arena.or(&conditions);
        if let Some((_, length)) = self.objects[object.0].length {
            let inside = self.arena.bv_ult(total, length);
            self.assume(inside);
            let missed = self.arena.not(any);
            self.unmodelled_if(missed, FAR);
        } else if self.objects[object.0].open_end {
            let missed = self.arena.not(any);
            self.unmodelled_if(missed, FAR);
        } else if !complete || found.is_empty() {
            let size = self.objects[object.0].size.saturating_sub(u64::from(width.div_ceil(8)) - 1);
            let size = self.arena.bv(self.pointer_bits(), size);
            let inside = self.arena.bv_ult(total, size);
            let missed = self.arena.not(any);
            let missed = self.arena.and(&[inside, missed]);
            self.unmodelled_if(missed, "access across the elements of an array or struct");
        }
        self.assume(any);
        found
    }

    /// At an address: case split over everything that has one.
    fn resolve_raw(&mut self, raw: Raw, bit: u32, width: u32) -> Vec<Alternative> {
        let address = raw.address;
        let pointer = self.pointer_bits();
        let mut found = Vec::new();
        for (start, key, log) in self.candidates(raw.class) {
            let object = self.object(key);
            let leaves = self.objects[object.0].leaves.clone();
            let high = self.arena.extract(address, pointer - 1, log);
            let region = self.arena.bv(pointer - log, start >> log);
            let mut inside = self.arena.eq(high, region);
            if let Some((_, length)) = self.objects[object.0].length {
                let first = self.arena.bv(pointer, start);
                let offset = self.arena.bv_sub(address, first);
                let bounded = self.arena.bv_ult(offset, length);
                inside = self.arena.and(&[inside, bounded]);
            }
            for (number, leaf) in leaves.iter().enumerate() {
                if leaf.width != width && leaf.width != 8 {
                    continue;
                }
                // A member of a struct lies at its place in structs of that size.
                if let Some((member, size)) = raw.member
                    && self.objects[object.0].size.is_multiple_of(size)
                    && (leaf.offset / 8) % size != member % size
                    && leaf.dims.iter().all(|dim| dim.stride.is_multiple_of(size))
                {
                    continue;
                }
                if leaf.dims.is_empty() {
                    if u64::from(bit) != leaf.offset % 8 || leaf.width != width {
                        continue;
                    }
                    let at = self.arena.bv(pointer, start + leaf.offset / 8);
                    let condition = self.arena.eq(address, at);
                    let piece = Piece { object, leaf: number, index: Index::Fixed(0), low: 0, width };
                    found.push(Alternative { condition, pieces: vec![piece] });
                } else {
                    let low = self.arena.extract(address, log - 1, 0);
                    let offset = self.extend(low, pointer, false);
                    found.extend(self.decoded(object, number, leaf, offset, bit, width, Some(inside)));
                }
            }
        }
        let conditions: Vec<Term> = found.iter().map(|alternative| alternative.condition).collect();
        let any = self.arena.or(&conditions);
        // Null, and members of null: the execution stops.
        let page = self.arena.bv(pointer, 4096);
        let mapped = self.arena.bv_ule(page, address);
        let missed = self.arena.not(any);
        let missed = self.arena.and(&[mapped, missed]);
        self.unmodelled_if(missed, "access through a pointer to an unknown object");
        self.assume(any);
        found.retain(|alternative| self.arena.as_bool(alternative.condition) != Some(false));
        found
    }
}

impl Base {
    /// So many bytes further.
    pub(super) fn shifted(&self, lowering: &mut Lowering<'_>, bytes: u64) -> Base {
        match self {
            Base::Known(address) => {
                let offset = address.offset.saturating_add(bytes.cast_signed());
                Base::Known(Address { offset, ..address.clone() })
            }
            Base::Raw(raw) => {
                let distance = lowering.arena.bv(lowering.pointer_bits(), bytes);
                let address = lowering.arena.bv_add(raw.address, distance);
                let member = raw.member.map(|(member, size)| (member + bytes, size));
                Base::Raw(Raw { address, member, ..*raw })
            }
            Base::Nowhere => Base::Nowhere,
        }
    }
}

impl Leaf {
    /// The element that a bit of the object lies in, and the bit in the element.
    fn element_at(&self, position: u64) -> Option<(u64, u32)> {
        let mut rest = position.checked_sub(self.offset)?;
        let mut index = 0;
        for dim in &self.dims {
            let quotient = rest / (dim.stride * 8);
            if quotient >= dim.count {
                return None;
            }
            index = index * dim.count + quotient;
            rest %= dim.stride * 8;
        }
        (rest < u64::from(self.width)).then_some((index, u32::try_from(rest).unwrap_or(0)))
    }
}
