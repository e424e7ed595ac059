//! From places to the leaves that an access can mean, with bounds and what is not modelled.

use super::emit::Lowering;
use super::memory::{Address, Alternative, Base, Index, Piece, Raw};
use super::object::{Leaf, ObjectId};
use nilas_term::Term;

const FAR: &str = "access far into an object of variable size";

impl Lowering<'_> {
    /// The alternatives of an access. Bounds are assumed here; what is not modelled leaves here.
    pub(super) fn resolve(&mut self, base: &Base, bit: u32, width: u32) -> Vec<Alternative> {
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
