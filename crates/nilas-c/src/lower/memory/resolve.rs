//! From places to the leaves that an access can mean, with bounds and what is not modelled.

use crate::lower::Bound;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Address, Alternative, Base, Index, Piece, Raw};
use crate::lower::memory::object::{Leaf, Object, ObjectId};
use crate::lower::memory::parts::{Bits, Meant, Offset, THOROUGH, period};
use crate::lower::memory::provenance::SLACK;
use nilas_fault::{Fault, planted};
use nilas_term::Term;
use std::collections::BTreeSet;

const FAR: &str = "access behind the end of a struct with an open array";
const BOUNDS: &str = "access out of bounds";

impl Lowering<'_> {
    /// The alternatives of an access. Bounds are assumed here; what is not modelled leaves here.
    pub(in crate::lower) fn resolve(&mut self, base: &Base, bit: u32, width: u32) -> Vec<Alternative> {
        match base {
            Base::Nowhere => Vec::new(),
            Base::Raw(raw) => self.resolve_raw(*raw, bit, width),
            Base::Known(address) if !self.memory.objects[address.object.0].modelled => {
                self.build.unmodelled("access of an object of this type");
                Vec::new()
            }
            Base::Known(address) => {
                self.must_exist(self.memory.objects[address.object.0].key);
                if self.memory.objects[address.object.0].freed.is_some() {
                    let offset = self.offset_term(address);
                    if let Some(alive) = self.not_freed(address.object, offset) {
                        self.build.defined(alive, "use after free");
                    }
                }
                if address.parts.is_empty() {
                    self.resolve_fixed(address, bit, width)
                } else {
                    self.resolve_indexed(address, bit, width)
                }
            }
        }
    }

    /// At a constant offset: the leaves that the bits lie in.
    fn resolve_fixed(&mut self, address: &Address, bit: u32, width: u32) -> Vec<Alternative> {
        let object = &self.memory.objects[address.object.0];
        let start = i128::from(address.offset) * 8 + i128::from(bit);
        let end = start + i128::from(width);
        if start < 0 || end > i128::from(object.size) * 8 {
            if start >= 0 && object.open_end {
                self.build.unmodelled(FAR);
            } else {
                let never = self.build.arena.mk_false();
                self.stays(address.object, never, BOUNDS);
            }
            return Vec::new();
        }
        if let Some((_, length)) = object.length {
            let last = self.build.arena.bv(self.pointer_bits(), u64::try_from((end - 1) / 8).unwrap_or(0));
            let inside = self.build.arena.bv_ult(last, length);
            self.build.defined(inside, BOUNDS);
        }
        let object = &self.memory.objects[address.object.0];
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
                self.build.unmodelled("access of padding bytes");
                return Vec::new();
            };
            let count = (leaf_width - low).min(width - done);
            let index = Index::Fixed(index);
            pieces.push(Piece { object: address.object, leaf, index, low, width: count });
            done += count;
        }
        vec![Alternative { condition: self.build.arena.mk_true(), pieces }]
    }

    /// The offset of an address as a term.
    pub(in crate::lower) fn offset_term(&mut self, address: &Address) -> Term {
        let width = self.pointer_bits();
        let mut sum = self.build.arena.bv(width, address.offset.cast_unsigned());
        for &(scale, term) in &address.parts {
            let scale = self.build.arena.bv(width, scale.cast_unsigned());
            let product = self.build.arena.bv_mul(term, scale);
            sum = self.build.arena.bv_add(sum, product);
        }
        sum
    }

    fn resolve_indexed(&mut self, address: &Address, bit: u32, width: u32) -> Vec<Alternative> {
        let object = address.object;
        let leaves = self.memory.objects[object.0].leaves.clone();
        let total = self.offset_term(address);
        let mut found = Vec::new();
        let mut complete = true;
        // Where an alternative begins: leaf by leaf, at which bits of an element.
        let mut begins: Vec<(usize, u32)> = Vec::new();
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
                        self.build.arena.bv(self.pointer_bits(), constant.cast_unsigned())
                    };
                    for &(scale, term) in &address.parts {
                        let factor = (scale / dim.stride.cast_signed()).cast_unsigned();
                        let factor = self.build.arena.bv(self.pointer_bits(), factor);
                        let product = self.build.arena.bv_mul(term, factor);
                        index = self.build.arena.bv_add(index, product);
                    }
                    match self.run_of(object, number, leaf, index, low, width) {
                        Some(alternative) => {
                            found.push(alternative);
                            begins.push((number, low));
                        }
                        None => complete = false,
                    }
                }
                _ => {
                    // At any offset that is not a whole number of elements the access is not modelled.
                    complete = false;
                    if let Some(alternative) = self.decoded(object, number, leaf, total, bit, width, None) {
                        found.push(alternative);
                        begins.push((number, 0));
                    }
                }
            }
        }
        let bits = Bits { first: bit, count: width };
        let size = self.memory.objects[object.0].size;
        complete = complete && covers(address, &leaves, size, bits, &begins);
        if !complete && !self.is_natural(address, &leaves, width) {
            let inside = self.build.arena.mk_true();
            let offset = Offset { term: total, address: (total, 0), inside };
            let mut room = self.options.parts;
            // Bytes from one possible offset to the next.
            let scales = address.parts.iter().map(|(scale, _)| scale.unsigned_abs());
            let strides = leaves.iter().filter_map(|leaf| leaf.dims.first()).map(|dim| dim.stride);
            let steps = scales.chain(strides).fold(0, common_divisor);
            let aligned = |start: u64| {
                steps == 0 || (start.cast_signed() - address.offset).rem_euclid(steps.cast_signed()) == 0
            };
            let wanted = |leaf: usize, low: u32, start: u64| aligned(start) && !begins.contains(&(leaf, low));
            let (parts, _) = self.put_together(object, &offset, bits, &mut room, true, &wanted);
            found.extend(parts);
        }
        self.bounded(found, complete, object, total, width)
    }

    /// Whether the address is that of an element of a leaf, as indices are written: what is outside of that
    /// is undefined in C.
    fn is_natural(&self, address: &Address, leaves: &[Leaf], width: u32) -> bool {
        let start = u64::try_from(address.offset).unwrap_or(0) * 8;
        self.options.parts < THOROUGH
            && leaves.iter().any(|leaf| {
                let stride = |scale: i64| leaf.dims.iter().any(|dim| scale % dim.stride.cast_signed() == 0);
                leaf.width == width
                    && leaf.element_at(start).is_some_and(|(_, low)| low == 0)
                    && address.parts.iter().all(|&(scale, _)| stride(scale))
            })
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
            // Of an object whose size is a variable, as many elements as that says.
            let count = match (self.memory.objects[object.0].length, &leaf.dims[..]) {
                (Some((_, length)), [dim]) => {
                    let stride = self.build.arena.bv(pointer, dim.stride);
                    self.build.arena.bv_udiv(length, stride)
                }
                _ => self.build.arena.bv(pointer, count),
            };
            let condition = self.build.arena.bv_ult(index, count);
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
        let last = self.build.arena.bv(pointer, count - run + 1);
        let condition = self.build.arena.bv_ult(index, last);
        let mut pieces = Vec::new();
        for step in 0..run {
            let step = self.build.arena.bv(pointer, step);
            let index = self.build.arena.bv_add(index, step);
            let index = self.index_of(index);
            pieces.push(Piece { object, leaf: number, index, low: 0, width: leaf.width });
        }
        Some(Alternative { condition, pieces })
    }

    fn index_of(&self, term: Term) -> Index {
        match self.build.arena.as_bitvec(term).and_then(nilas_term::BitVec::to_u64) {
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
        let start = self.build.arena.bv(pointer, leaf.offset / 8);
        let mut rest = self.build.arena.bv_sub(offset, start);
        let mut conditions: Vec<Term> = condition.into_iter().collect();
        let mut index = self.build.arena.bv(pointer, 0);
        for (position, dim) in leaf.dims.iter().enumerate() {
            let stride = self.build.arena.bv(pointer, dim.stride);
            let quotient = self.build.arena.bv_udiv(rest, stride);
            rest = self.build.arena.bv_urem(rest, stride);
            let count = self.build.arena.bv(pointer, dim.count);
            if position > 0 {
                index = self.build.arena.bv_mul(index, count);
            }
            conditions.push(self.build.arena.bv_ult(quotient, count));
            index = self.build.arena.bv_add(index, quotient);
        }
        let zero = self.build.arena.bv(pointer, 0);
        conditions.push(self.build.arena.eq(rest, zero));
        let mut alternative = self.run_of(object, number, leaf, index, 0, width)?;
        // The bound of each dimension is there already, unless it is a run.
        if alternative.pieces.len() > 1 {
            conditions.push(alternative.condition);
        }
        if leaf.dims.is_empty() {
            alternative.pieces[0].index = Index::Fixed(0);
        }
        alternative.condition = self.build.arena.and(&conditions);
        (self.build.arena.as_bool(alternative.condition) != Some(false)).then_some(alternative)
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
        let any = self.build.arena.or(&conditions);
        let length = self.memory.objects[object.0].length;
        if let Some((_, length)) = length
            && !complete
        {
            let inside = self.build.arena.bv_ult(total, length);
            self.build.defined(inside, BOUNDS);
        }
        if self.memory.objects[object.0].open_end {
            let missed = self.build.arena.not(any);
            self.build.unmodelled_if(missed, FAR);
        } else if !complete || found.is_empty() {
            let size = self.memory.objects[object.0].size.saturating_sub(u64::from(width.div_ceil(8)) - 1);
            let size = self.build.arena.bv(self.pointer_bits(), size);
            let inside = self.build.arena.bv_ult(total, size);
            let missed = self.build.arena.not(any);
            let missed = self.build.arena.and(&[inside, missed]);
            let bound = (self.options.parts < MOST_PARTS).then_some(Bound::Parts);
            if !planted(Fault::OddAccessAssumed) {
                self.build.cut_if(bound, missed, "access across the elements of an array or struct");
            }
        }
        self.stays(object, any, BOUNDS);
        found
    }

    /// The object was not freed, at an offset into it.
    pub(in crate::lower) fn not_freed(&mut self, object: ObjectId, offset: Term) -> Option<Term> {
        let freed = self.memory.objects[object.0].freed?;
        let flag = match freed.pool {
            None => freed.term,
            Some(log) => {
                let size = self.build.arena.bv(self.pointer_bits(), 1 << log);
                let number = self.build.arena.bv_udiv(offset, size);
                self.build.arena.select(freed.term, number)
            }
        };
        Some(self.build.arena.not(flag))
    }

    /// At an address: case split over every living object that it may be in.
    fn resolve_raw(&mut self, raw: Raw, bit: u32, width: u32) -> Vec<Alternative> {
        let mut found = Vec::new();
        // Where the access is inside of an object, but maybe in none of the alternatives.
        let mut odd = Vec::new();
        let mut room = self.options.parts;
        let candidates = self.candidates(raw.class);
        // Where a pointer with few addresses holds none of them.
        let mut stray = None;
        match self.build.aim(raw.address) {
            Some(addresses) => {
                stray = Some(self.not_foreseen(raw, &addresses));
                let bits = Bits { first: bit, count: width };
                for address in addresses {
                    let Some((key, offset)) = self.at_address(address) else { continue };
                    // Only what lives here.
                    if candidates.iter().any(|(_, other, _)| *other == key) {
                        self.resolve_address(raw, (address, key, offset), bits, &mut found, &mut odd);
                    }
                }
            }
            None => {
                for candidate in candidates {
                    self.resolve_candidate(raw, (bit, width), candidate, &mut found, &mut odd, &mut room);
                }
            }
        }
        found.extend(self.resolve_external(raw, bit, width));
        let conditions: Vec<Term> = found.iter().map(|alternative| alternative.condition).collect();
        let any = self.build.arena.or(&conditions);
        let missed = self.build.arena.not(any);
        if !odd.is_empty() {
            let inside = self.build.arena.or(&odd);
            let missed = self.build.arena.and(&[inside, missed]);
            let bound = (self.options.parts < MOST_PARTS).then_some(Bound::Parts);
            if !planted(Fault::OddAccessAssumed) {
                self.build.cut_if(bound, missed, "access across the parts of an object");
            }
        }
        if raw.moved > SLACK && self.known_in(raw.base, raw.class, None).is_some() {
            let same = self.same_object(raw.base, raw.address, raw.class);
            self.stays_in(raw.class, same, BOUNDS);
        }
        let unknown = self.unknown_address(raw);
        self.build.unmodelled_if(unknown, "access through a pointer to an unknown object");
        if let Some(stray) = stray {
            let stray = self.build.arena.and(&[stray, missed]);
            self.build.unmodelled_if(stray, "access through a pointer to an address that was not foreseen");
        }
        if self.points.has_registers(raw.class) {
            let page = self.build.arena.bv(self.pointer_bits(), self.null_page());
            let null = self.build.arena.bv_ult(raw.address, page);
            let known = self.build.arena.or(&[any, null]);
            self.leaves_register(known);
        }
        self.build.defined(any, "access through a pointer to no living object");
        found.retain(|alternative| self.build.arena.as_bool(alternative.condition) != Some(false));
        found
    }

    /// At one of the few addresses that a pointer holds.
    fn resolve_address(
        &mut self,
        raw: Raw,
        (address, key, offset): (u64, Key, u64),
        bits: Bits,
        found: &mut Vec<Alternative>,
        odd: &mut Vec<Term>,
    ) {
        let pointer = self.pointer_bits();
        let object = self.object(key);
        let (address, offset_term) =
            (self.build.arena.bv(pointer, address), self.build.arena.bv(pointer, offset));
        let hit = self.build.arena.eq(raw.address, address);
        self.not_stale(key, hit);
        let mut conditions = vec![hit];
        conditions.extend(self.not_freed(object, offset_term));
        let bytes = u64::from((bits.first + bits.count).div_ceil(8));
        if let Some((_, length)) = self.memory.objects[object.0].length {
            let last = self.build.arena.bv(pointer, offset + bytes - 1);
            conditions.push(self.build.arena.bv_ult(last, length));
        }
        let condition = self.build.arena.and(&conditions);
        let leaves = &self.memory.objects[object.0].leaves;
        let start = offset * 8 + u64::from(bits.first);
        let pieces = crate::lower::memory::parts::cover(object, leaves, start, bits.count);
        // A pointer that points to what it is declared to point to is not at other parts of the object.
        let first = self.memory.plan.is_none();
        let typed = raw.ty.is_some_and(|ty| first || self.is_placed(raw.base, raw.class, ty));
        let Object { leaves, size, modelled, open_end, .. } = &self.memory.objects[object.0];
        let meant = |piece: &Piece| {
            let leaf = &leaves[piece.leaf];
            leaf.union || self.is_meant(raw, leaf)
        };
        match pieces {
            Some(pieces) if typed && !pieces.iter().any(meant) => {}
            Some(pieces) => found.push(Alternative { condition, pieces }),
            None if *open_end || !modelled || offset + bytes <= *size => odd.push(condition),
            None => {}
        }
    }

    /// Where an address is neither null, nor of unknown origin, nor among those that were foreseen. Should
    /// the analysis ever have lost one, the execution leaves the model here instead of being taken to stop.
    fn not_foreseen(&mut self, raw: Raw, addresses: &BTreeSet<u64>) -> Term {
        let pointer = self.pointer_bits();
        let page = self.build.arena.bv(pointer, 4096);
        let null = self.build.arena.bv_ult(raw.address, page);
        let unknown = self.build.arena.bv_is_negative(raw.address);
        let mut foreseen = vec![null, unknown];
        for &address in addresses {
            let address = self.build.arena.bv(pointer, address);
            foreseen.push(self.build.arena.eq(raw.address, address));
        }
        let foreseen = self.build.arena.or(&foreseen);
        self.build.arena.not(foreseen)
    }

    /// Where a pointer may be in something that has no model: outside of what is expected of it, or in memory
    /// of unknown origin that it was not expected in.
    fn unknown_address(&mut self, raw: Raw) -> Term {
        let mut ways = Vec::new();
        if self.known_in(raw.base, raw.class, None).is_none() {
            let expected = self.expected(raw.address, raw.class);
            ways.push(self.build.arena.not(expected));
        }
        let external = raw.class.is_some_and(|class| self.points.origin(class).external);
        if !external && self.may_be_outside(raw.class) {
            ways.push(self.build.arena.bv_is_negative(raw.address));
        }
        self.build.arena.or(&ways)
    }

    fn resolve_candidate(
        &mut self,
        raw: Raw,
        (bit, width): (u32, u32),
        (start, key, log): (u64, Key, u32),
        found: &mut Vec<Alternative>,
        odd: &mut Vec<Term>,
        room: &mut usize,
    ) {
        let (address, pointer) = (raw.address, self.pointer_bits());
        let object = self.object(key);
        let leaves = self.memory.objects[object.0].leaves.clone();
        let high = self.build.arena.extract(address, pointer - 1, log);
        let region = self.build.arena.bv(pointer - log, start >> log);
        let hit = self.build.arena.eq(high, region);
        self.not_stale(key, hit);
        let mut conditions = vec![hit];
        let low = self.build.arena.extract(address, log - 1, 0);
        let offset = self.extend(low, pointer, false);
        conditions.extend(self.not_freed(object, offset));
        if let Some((_, length)) = self.memory.objects[object.0].length {
            conditions.push(self.build.arena.bv_ult(offset, length));
        }
        let inside = self.build.arena.and(&conditions);
        // Whether the pointer, if it points into the object, points to what it is declared to point to.
        // The first round takes it for granted: nothing rests on that.
        let first = self.memory.plan.is_none();
        let typed = raw.ty.is_some_and(|ty| first || self.is_placed(raw.base, raw.class, ty));
        let mut complete = self.memory.objects[object.0].modelled && !self.memory.objects[object.0].open_end;
        // Leaves with elements that the access means as a whole (or runs of whose bytes it means).
        let mut exact = vec![false; leaves.len()];
        // Leaves of unions, of which it may mean a part.
        let mut unions = false;
        for (number, leaf) in leaves.iter().enumerate() {
            let own = Bits { first: bit, count: width };
            let meant = match leaf.union {
                false => self.is_meant(raw, leaf),
                true => self.meant_bit(raw, leaf, own) != Meant::Nothing,
            };
            if typed && !meant {
                continue;
            }
            if leaf.width != width && leaf.width != 8 {
                unions |= leaf.union;
                complete &= leaf.union && typed;
                continue;
            }
            let anywhere = leaf.width == 8 && width == 8 && leaves.len() == 1;
            complete &= leaf.width == width && leaf.dims.len() <= 1 && (typed || anywhere);
            if leaf.dims.is_empty() {
                if u64::from(bit) != leaf.offset % 8 || leaf.width != width {
                    continue;
                }
                let at = self.build.arena.bv(pointer, start + leaf.offset / 8);
                let mut condition = self.build.arena.eq(address, at);
                if let Some(alive) = self.not_freed(object, offset) {
                    condition = self.build.arena.and(&[condition, alive]);
                }
                let piece = Piece { object, leaf: number, index: Index::Fixed(0), low: 0, width };
                found.push(Alternative { condition, pieces: vec![piece] });
                exact[number] = true;
            } else if let Some(alternative) =
                self.decoded(object, number, leaf, offset, bit, width, Some(inside))
            {
                found.push(alternative);
                exact[number] = true;
            }
        }
        let any_exact = exact.contains(&true);
        if unions || (!complete && !typed && (!any_exact || self.options.parts >= THOROUGH)) {
            let thorough = !typed && (!any_exact || self.options.parts >= THOROUGH);
            let offset = Offset { term: offset, address: (address, start), inside };
            let bits = Bits { first: bit, count: width };
            let meant: Vec<Meant> = leaves
                .iter()
                .map(|leaf| match (typed, leaf.union) {
                    (true, true) => self.meant_bit(raw, leaf, bits),
                    (false, union) if union || thorough => Meant::Any,
                    _ => Meant::Nothing,
                })
                .collect();
            let aligned = meant.contains(&Meant::Any);
            let wanted =
                |leaf: usize, low: u32, _: u64| meant[leaf].includes(low) && !(exact[leaf] && low == 0);
            let (parts, all) = self.put_together(object, &offset, bits, room, aligned, &wanted);
            found.extend(parts);
            complete &= all;
        }
        if !complete {
            let bytes = u64::from(width.div_ceil(8));
            let size = self.memory.objects[object.0].size;
            let inside = if size >= bytes && !self.memory.objects[object.0].open_end {
                let last = self.build.arena.bv(pointer, size - bytes);
                let fits = self.build.arena.bv_ule(offset, last);
                self.build.arena.and(&[inside, fits])
            } else {
                inside
            };
            odd.push(inside);
        }
    }

    /// Whether an access through a pointer to its declared type may mean the leaf.
    fn is_meant(&self, raw: Raw, leaf: &Leaf) -> bool {
        let Some(ty) = raw.ty else { return true };
        let types = &self.tree.types;
        match types.as_record(ty) {
            Some(record) => leaf.within.iter().any(|&(id, offset, array)| {
                id == record && (array || offset / 8 == raw.member.map_or(0, |(member, _)| member))
            }),
            None => match crate::lower::memory::layout::scalar(types, ty) {
                Some((kind, width)) => {
                    // A number is not a pointer, also where both have as many bits.
                    let pointer = types.pointee(ty).is_some();
                    leaf.kind == self.held_kind(kind)
                        && leaf.width == width
                        && leaf.pointee.is_some() == pointer
                }
                None => true,
            },
        }
    }
}

impl Leaf {
    /// The element that a bit of the object lies in, and the bit in the element.
    pub(in crate::lower) fn element_at(&self, position: u64) -> Option<(u64, u32)> {
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

/// More alternatives for the parts of objects than that are not tried.
pub(in crate::lower) const MOST_PARTS: usize = 4096;

/// Whether all places of an object where an access can be are in elements (or runs of them) that begin where
/// alternatives do: none is in padding, none goes from one leaf to the next.
fn covers(address: &Address, leaves: &[Leaf], size: u64, bits: Bits, begins: &[(usize, u32)]) -> bool {
    let bytes = u64::from((bits.first + bits.count).div_ceil(8));
    let (period, _) = period(leaves, size);
    let steps = address.parts.iter().map(|(scale, _)| scale.unsigned_abs()).fold(period, common_divisor);
    if steps == 0 || size < bytes {
        return true;
    }
    // One struct of an array of structs stands for all.
    let end = period.min(size - bytes + 1);
    let first = address.offset.rem_euclid(steps.cast_signed()).unsigned_abs();
    if end.saturating_sub(first) / steps > MOST_PARTS as u64 {
        // An array alone has no places between its elements.
        return matches!(leaves, [leaf] if leaf.width == bits.count && u64::from(leaf.width) == 8 * steps);
    }
    (first..end).step_by(usize::try_from(steps).unwrap_or(1)).all(|start| {
        begins.iter().any(|&(number, low)| {
            let leaf = &leaves[number];
            let run = u64::from((low + bits.count).div_ceil(leaf.width));
            leaf.element_at(start * 8 + u64::from(bits.first))
                .is_some_and(|(index, at)| at == low && index + run <= leaf.count())
        })
    })
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
