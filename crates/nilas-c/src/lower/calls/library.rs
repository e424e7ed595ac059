//! Functions of the C library that read and write memory, and the allocators.
//!
//! `memset` and `memcpy` of a constant size work on whole leaves; everything else that reads and writes bytes
//! has a model in C (see [`crate::library`]), which is inlined like a function of the program.

use crate::library::catalogue::Meaning;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Address, Base};
use crate::lower::memory::layout::Kind;
use crate::lower::memory::object::{ObjectId, Storage};
use crate::lower::memory::points::{Class, bare};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::{Purpose, Scratch};
use crate::property::{Claim, Property};
use crate::tree::{ExprId, ExprKind};
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_term::{BitVec, Term};
use std::collections::BTreeSet;

/// More bytes than these are not moved one by one.
const MOST_BYTES: u64 = 4096;

const NULL: Claim = Claim::new(Property::Null, "library call on a null pointer");
const DEAD: Claim = Claim::new(Property::UseAfterFree, "library call on a pointer to a dead object");
const BOUNDS: Claim = Claim::new(Property::Bounds, "library call out of bounds");

impl Lowering<'_> {
    /// A known function that works on memory; `None` where its text says what it does.
    pub(in crate::lower) fn known_memory(
        &mut self,
        expr: ExprId,
        meaning: Meaning,
        arguments: &[ExprId],
        values: &[Val],
    ) -> Option<Val> {
        let tree = self.tree;
        let width = self.pointer_bits();
        let number = |this: &mut Self, position: usize| {
            let ty = tree.exprs[*arguments.get(position)?].ty;
            let term = this.argument_term(values.get(position)?, ty);
            Some(this.int_to_width(term, ty, width))
        };
        if let (Meaning::Move, [target, source, size]) = (meaning, values)
            && !(at_fixed_offset(target) && at_fixed_offset(source))
            && let Some(ty) = self.moved_record(arguments, size)
        {
            let to = self.pointed(target.clone(), ty, self.argument_class(expr, 0));
            let from = self.pointed(source.clone(), ty, self.argument_class(expr, 1));
            self.copy(&to, &from, ty);
            return Some(target.clone());
        }
        match (meaning, values) {
            (Meaning::Allocate | Meaning::AllocateOnStack, _) => {
                let size = number(self, 0)?;
                Some(self.allocate(expr, size, false))
            }
            (Meaning::AllocateAligned, _) => {
                let (alignment, size) = (number(self, 0)?, number(self, 1)?);
                let memory = self.allocate(expr, size, false);
                let address = self.argument_term(&memory, tree.exprs[expr].ty);
                let one = self.build.arena.bv(width, 1);
                let low = self.build.arena.bv_sub(alignment, one);
                // An alignment that is no power of two overlaps with itself.
                let odd = self.build.arena.bv_and(alignment, low);
                let off = self.build.arena.bv_and(address, low);
                let wrong = self.build.arena.bv_or(odd, off);
                let zero = self.build.arena.bv(width, 0);
                let wrong = self.build.arena.ne(wrong, zero);
                self.build.unmodelled_if(wrong, "memory of such an alignment");
                Some(memory)
            }
            (Meaning::AllocateZeroed, _) => {
                let (count, size) = (number(self, 0)?, number(self, 1)?);
                match self.product(count, size) {
                    Some(size) => Some(self.allocate(expr, size, true)),
                    None => Some(Val::Scalar(self.build.arena.bv(width, 0))),
                }
            }
            (Meaning::Reallocate, [pointer, _]) => {
                let size = number(self, 1)?;
                let class = self.points.of_expr(arguments[0]);
                Some(self.reallocate(expr, pointer, size, class))
            }
            (Meaning::ReallocateArray, [pointer, ..]) => {
                let (count, size) = (number(self, 1)?, number(self, 2)?);
                let class = self.points.of_expr(arguments[0]);
                match self.product(count, size) {
                    Some(size) => Some(self.reallocate(expr, pointer, size, class)),
                    None => Some(Val::Scalar(self.build.arena.bv(width, 0))),
                }
            }
            (Meaning::Free, [pointer]) => {
                self.free(pointer, self.points.of_expr(arguments[0]));
                Some(Val::Void)
            }
            (Meaning::Fill | Meaning::Move, [target, second, size]) if self.is_nothing(size) => {
                self.must_point_somewhere(target);
                if meaning == Meaning::Move {
                    self.must_point_somewhere(second);
                }
                Some(target.clone())
            }
            (Meaning::Fill, [target, byte, size])
                if self.by_leaves(size)
                    && at_fixed_offset(target)
                    && !self.may_be_pooled(expr, 0, target) =>
            {
                let byte = self.argument_term(byte, tree.exprs[arguments[1]].ty);
                let size = self.argument_term(size, tree.exprs[arguments[2]].ty);
                self.fill(expr, target, byte, size);
                Some(target.clone())
            }
            (Meaning::Move, [target, source, size])
                if self.by_leaves(size)
                    && at_fixed_offset(target)
                    && at_fixed_offset(source)
                    && !self.may_be_pooled(expr, 0, target)
                    && !self.may_be_pooled(expr, 1, source) =>
            {
                let size = self.argument_term(size, tree.exprs[arguments[2]].ty);
                self.move_bytes(expr, target, source, size);
                Some(target.clone())
            }
            (Meaning::Length, [Val::Pointer(address)]) if address.parts.is_empty() => {
                let length = self.literal_length(address)?;
                Some(Val::Scalar(self.build.arena.bv(width, length)))
            }
            _ => None,
        }
    }

    /// The size of an array; `None` where there is no such size, and the allocation gives null. Sizes that
    /// may be too large are not modelled there.
    fn product(&mut self, count: Term, size: Term) -> Option<Term> {
        let width = self.pointer_bits();
        let (constant, other) =
            if self.build.arena.as_bitvec(size).is_some() { (size, count) } else { (count, size) };
        let fits = match self.build.arena.as_bitvec(constant).and_then(BitVec::to_u64) {
            Some(0) => self.build.arena.mk_true(),
            Some(constant) => {
                let most = u64::MAX >> (64 - width.min(64));
                let most = self.build.arena.bv(width, most / constant);
                self.build.arena.bv_ule(other, most)
            }
            None => {
                let (a, b) =
                    (self.build.arena.zero_extend(count, width), self.build.arena.zero_extend(size, width));
                let exact = self.build.arena.bv_mul(a, b);
                let high = self.build.arena.extract(exact, 2 * width - 1, width);
                let zero = self.build.arena.bv(width, 0);
                self.build.arena.eq(high, zero)
            }
        };
        if self.build.arena.as_bool(fits) == Some(false) {
            return None;
        }
        let over = self.build.arena.not(fits);
        self.build.unmodelled_if(over, "an allocation of more bytes than there are");
        Some(self.build.arena.bv_mul(count, size))
    }

    /// The length of the string literal at an address.
    fn literal_length(&self, address: &Address) -> Option<u64> {
        let Key::String(string) = self.memory.objects[address.object.0].key else { return None };
        let units = &self.tree.strings[string].units;
        let start = usize::try_from(address.offset).ok()?;
        let rest = units.get(start..)?;
        let end = rest.iter().position(|&unit| unit == 0).unwrap_or(rest.len());
        let end = end as u64 + u64::from(planted(Fault::StrlenOffByOne));
        (self.tree.types.size_of(self.tree.strings[string].element) == Some(1)).then_some(end)
    }

    /// Whether a size is zero.
    fn is_nothing(&self, size: &Val) -> bool {
        matches!(*size, Val::Scalar(size) if self.build.arena.as_bitvec(size).is_some_and(BitVec::is_zero))
    }

    /// The pointer must be one to an object even where no byte is accessed (7.1.4p1, 7.24.1p2), but nothing
    /// happens on machines if it is null.
    fn must_point_somewhere(&mut self, pointer: &Val) {
        if let Val::Scalar(pointer) = *pointer {
            let null = self.build.arena.bv(self.build.arena.width(pointer), 0);
            let nowhere = self.build.arena.eq(pointer, null);
            self.build.presume_if(nowhere, "a null pointer that is given to a function of the library");
        }
    }

    /// Whether to move whole leaves: the size is constant, and not too large.
    fn by_leaves(&self, size: &Val) -> bool {
        let Val::Scalar(size) = *size else { return false };
        self.build.arena.as_bitvec(size).and_then(BitVec::to_u64).is_some_and(|size| size <= MOST_BYTES)
    }

    /// Whether a pointer may be one into the pool of an allocation: which of its objects is not known here,
    /// so
    /// that bytes are moved one by one.
    fn may_be_pooled(&self, call: ExprId, argument: usize, pointer: &Val) -> bool {
        let Val::Scalar(term) = *pointer else { return false };
        let class = self.argument_class(call, argument);
        self.build.arena.as_bitvec(term).is_none()
            && self.candidates(class).iter().any(|(_, key, _)| matches!(key, Key::Pool(..)))
    }

    /// The type of the one record that is moved, if that is what both pointers are declared to point to: then
    /// bytes are moved as by an assignment.
    fn moved_record(&self, arguments: &[ExprId], size: &Val) -> Option<TypeId> {
        let &[to, from, _] = arguments else { return None };
        let Val::Scalar(size) = *size else { return None };
        let size = self.build.arena.as_bitvec(size)?.to_u64()?;
        let types = &self.tree.types;
        let pointee = |expr: ExprId| types.pointee(self.tree.exprs[bare(self.tree, expr)].ty);
        let (to, from) = (pointee(to)?, pointee(from)?);
        types.as_record(to)?;
        (types.compatible_unqualified(to, from) && types.size_of(to) == Some(size)).then_some(to)
    }

    /// What an argument of a call may point into.
    fn argument_class(&self, call: ExprId, number: usize) -> Option<Class> {
        match &self.tree.exprs[call].kind {
            ExprKind::Call { arguments, .. } => Some(self.points.of_expr(*arguments.get(number)?)),
            _ => None,
        }
    }

    /// The object a pointer means, by case split: calls `each` in every branch.
    fn for_each_object(
        &mut self,
        pointer: &Val,
        class: Option<Class>,
        each: &mut dyn FnMut(&mut Self, Address),
    ) {
        let term = match pointer {
            Val::Pointer(address) => {
                let offset = self.offset_term(address);
                self.must_live(address.object, offset);
                each(self, address.clone());
                return;
            }
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return,
        };
        self.must_be_plain(term);
        if self.build.arena.as_bitvec(term).is_some() {
            let void = self.build.span;
            if let Some((key, offset)) = self
                .build
                .arena
                .as_bitvec(term)
                .and_then(BitVec::to_u64)
                .and_then(|address| self.at_address(address))
            {
                if matches!(key, Key::Local(_))
                    && !self.candidates(None).iter().any(|(_, own, _)| *own == key)
                {
                    self.build.never(DEAD);
                    return;
                }
                let always = self.build.arena.mk_true();
                self.not_stale(key, always);
                let object = self.object(key);
                let at = self.build.arena.bv(self.pointer_bits(), offset);
                self.must_live(object, at);
                each(self, Address { object, offset: offset.cast_signed(), parts: Vec::new() });
            } else if self
                .build
                .arena
                .as_bitvec(term)
                .and_then(BitVec::to_u64)
                .is_some_and(|at| at < self.null_page())
            {
                self.build.never(NULL);
            } else {
                self.build.unmodelled("library call on a fixed address");
            }
            self.build.span = void;
            return;
        }
        let meet = self.build.new_location();
        for (object, start, offset) in self.starts(class) {
            let at = self.build.arena.bv(self.pointer_bits(), start + offset);
            let hit = self.build.arena.eq(term, at);
            self.not_stale(self.memory.objects[object.0].key, hit);
            let Some(other) = self.build.split(hit) else { break };
            let at = self.build.arena.bv(self.pointer_bits(), offset);
            self.must_live(object, at);
            each(self, Address { object, offset: offset.cast_signed(), parts: Vec::new() });
            self.build.goto(meet);
            self.build.continue_at(other);
        }
        let zero = self.build.arena.bv(self.pointer_bits(), 0);
        let some = self.build.arena.ne(term, zero);
        let bound = (self.options.parts < crate::lower::memory::resolve::MOST_PARTS)
            .then_some(crate::lower::Bound::Parts);
        if !planted(Fault::LibraryPointerAssumed) {
            self.build.cut_if(bound, some, "library call on a pointer into an unknown object");
        }
        self.build.never(NULL);
        if self.build.has_incoming(meet) {
            self.build.continue_at(meet);
        }
    }

    /// Where the objects of a class begin, and (unless there are too many) where their parts do: object, its
    /// address, and the bytes from there.
    fn starts(&mut self, class: Option<Class>) -> Vec<(ObjectId, u64, u64)> {
        let mut wholes = Vec::new();
        let mut parts = Some(Vec::new());
        for (start, key, _) in self.candidates(class) {
            let object = self.object(key);
            wholes.push((object, start, 0));
            let Some(all) = &mut parts else { continue };
            let mut offsets = BTreeSet::from([0]);
            for leaf in &self.memory.objects[object.0].leaves {
                let count = leaf.count().min(self.options.parts as u64 + 1);
                offsets.extend((0..count).map(|number| leaf.position(number) / 8));
            }
            all.extend(offsets.into_iter().map(|offset| (object, start, offset)));
            if all.len() > self.options.parts {
                parts = None;
            }
        }
        parts.unwrap_or(wholes)
    }

    fn fill(&mut self, expr: ExprId, target: &Val, byte: Term, size: Term) {
        let class = self.argument_class(expr, 0);
        let byte = self.extend(byte, 8, false);
        let byte = self.save(expr, Purpose::Fill, byte);
        let Some(size) = self.build.arena.as_bitvec(size).and_then(BitVec::to_u64) else {
            self.build.unmodelled("memset of variable size");
            return;
        };
        self.for_each_object(target, class, &mut |this, address| this.fill_object(&address, byte, size));
    }

    fn fill_object(&mut self, address: &Address, byte: Term, size: u64) {
        let object = &self.memory.objects[address.object.0];
        let inside = u64::try_from(address.offset).is_ok_and(|offset| offset + size <= object.size);
        if !address.parts.is_empty() || !object.modelled {
            self.build.unmodelled("memset at a variable offset");
            return;
        }
        if !inside && object.open_end {
            self.build.unmodelled("memset behind the end of a struct with an open array");
            return;
        }
        if !inside {
            self.build.never(Claim::new(Property::Bounds, "memset out of bounds"));
            return;
        }
        self.must_be_long(address.object, address.offset.cast_unsigned() + size);
        let object = &self.memory.objects[address.object.0];
        let (start, end) = (address.offset.cast_unsigned() * 8, (address.offset.cast_unsigned() + size) * 8);
        for (number, leaf) in object.leaves.clone().into_iter().enumerate() {
            let first = leaf.offset;
            let span: u64 = leaf.dims.iter().map(|dim| dim.stride * 8 * (dim.count - 1)).sum();
            let last = first + span + u64::from(leaf.width);
            if last <= start || first >= end {
                continue;
            }
            let bytes = leaf.width.div_ceil(8);
            let bytes = if planted(Fault::MemsetByteOnce) { 1 } else { bytes };
            let pattern = self.build.arena.bv_repeat(byte, bytes);
            let pattern = self.extend(pattern, leaf.width, false);
            if leaf.kind == Kind::Bool {
                self.refuse_odd_bool(pattern, None);
            }
            let pattern = match leaf.kind {
                // All bytes zero is a zero also where the bits of the format are not those in memory.
                kind @ (Kind::Float(..) | Kind::FloatBits(..))
                    if self.build.arena.as_bitvec(pattern).is_some_and(BitVec::is_zero) =>
                {
                    self.zero(kind)
                }
                kind => self.bits_as(pattern, kind),
            };
            if first >= start && last <= end {
                if !self.may_write_leaf(address.object, number) {
                    return;
                }
                if leaf.pointee.is_some() {
                    self.check_stored(address.object, number, pattern, true, None);
                }
                for slot in leaf.slots() {
                    let value = match leaf.storage {
                        Storage::Cells(_) => pattern,
                        Storage::Array(_) => self.constant_array(slot.term, pattern),
                    };
                    if let Some(variable) = slot.variable {
                        self.build.assign(variable, value);
                        self.note_all(slot, true);
                    }
                }
                continue;
            }
            for number in 0..leaf.count() {
                let position = leaf.position(number);
                let behind = position + u64::from(leaf.width);
                // Elements follow each other.
                if position >= end {
                    break;
                }
                if behind <= start {
                    continue;
                }
                let (first, last) = (position.max(start), behind.min(end));
                let bit = u32::try_from(first % 8).unwrap_or(0);
                let offset = (first / 8).cast_signed();
                let place = Base::Known(Address { object: address.object, offset, parts: Vec::new() });
                if (first, last) == (position, behind) {
                    self.write_kind(&place, bit, leaf.kind, leaf.width, pattern);
                } else {
                    // A part of an element: whole bytes, so all of them are the same.
                    let width = u32::try_from(last - first).unwrap_or(8);
                    let bytes = self.build.arena.bv_repeat(byte, width.div_ceil(8));
                    let part = self.extend(bytes, width, false);
                    self.write_kind(&place, bit, Kind::Bits(width), width, part);
                }
            }
        }
    }

    /// An object of variable size has so many bytes.
    fn must_be_long(&mut self, object: ObjectId, bytes: u64) {
        if let Some((_, length)) = self.memory.objects[object.0].length {
            let bytes = self.build.arena.bv(self.pointer_bits(), bytes);
            let inside = self.build.arena.bv_ule(bytes, length);
            self.build.defined(inside, BOUNDS);
        }
    }

    fn move_bytes(&mut self, expr: ExprId, target: &Val, source: &Val, size: Term) {
        let Some(size) =
            self.build.arena.as_bitvec(size).and_then(BitVec::to_u64).filter(|&size| size <= MOST_BYTES)
        else {
            self.build.unmodelled("memcpy of variable or large size");
            return;
        };
        let source = source.clone();
        let (to_class, from_class) = (self.argument_class(expr, 0), self.argument_class(expr, 1));
        self.for_each_object(target, to_class, &mut |this, to| {
            let source = source.clone();
            this.for_each_object(&source, from_class, &mut |this, from| this.move_between(&to, &from, size));
        });
    }

    fn move_between(&mut self, to: &Address, from: &Address, size: u64) {
        let object = &self.memory.objects[to.object.0];
        let Ok(start) = u64::try_from(to.offset) else {
            self.build.never(Claim::new(Property::Bounds, "memcpy out of bounds"));
            return;
        };
        if !to.parts.is_empty() || !from.parts.is_empty() || !object.modelled {
            self.build.unmodelled("memcpy at a variable offset");
            return;
        }
        if start + size > object.size && object.open_end {
            self.build.unmodelled("memcpy behind the end of a struct with an open array");
            return;
        }
        if start + size > object.size {
            self.build.never(Claim::new(Property::Bounds, "memcpy out of bounds"));
            return;
        }
        self.must_be_long(to.object, start + size);
        let object = &self.memory.objects[to.object.0];
        // Within one object everything is read before anything is written.
        let overlap = to.object == from.object && !planted(Fault::MemmoveAsItGoes);
        let mut moved = Vec::new();
        for leaf in object.leaves.clone() {
            for number in 0..leaf.count() {
                let position = leaf.position(number);
                // Elements follow each other.
                let (begin, end) = (start * 8, (start + size) * 8);
                if position >= end {
                    break;
                }
                let behind = position + u64::from(leaf.width);
                if behind <= begin {
                    continue;
                }
                let (first, last) = (position.max(begin), behind.min(end));
                if planted(Fault::MemcpyWholeOnly) && (first, last) != (position, behind) {
                    continue;
                }
                let (kind, width) = if (first, last) == (position, behind) {
                    (leaf.kind, leaf.width)
                } else {
                    let width = u32::try_from(last - first).unwrap_or(8);
                    (Kind::Bits(width), width)
                };
                let bit = u32::try_from(first % 8).unwrap_or(0);
                let distance = (first / 8 - start).cast_signed();
                let source = Base::Known(Address { offset: from.offset + distance, ..from.clone() });
                let place = Base::Known(Address {
                    object: to.object,
                    offset: (first / 8).cast_signed(),
                    parts: Vec::new(),
                });
                let mut value = self.read_kind(&source, bit, kind, width);
                let keep = if overlap { Scratch::MovedSet(moved.len()) } else { Scratch::CopiedSet };
                let set = self.copied_set(&source, bit, width, keep);
                if overlap {
                    let sort = self.build.arena.sort(value).clone();
                    let (variable, saved) = self.scratch(Scratch::Moved(moved.len()), &sort);
                    self.build.assign(variable, value);
                    value = saved;
                    moved.push((place, bit, kind, width, value, set));
                } else {
                    self.storing(set, |this| this.write_kind(&place, bit, kind, width, value));
                }
            }
        }
        for (place, bit, kind, width, value, set) in moved {
            self.storing(set, |this| this.write_kind(&place, bit, kind, width, value));
        }
    }
}

/// Whether a pointer, if its object is known, points to a fixed place of it: leaves are moved as wholes only
/// there.
fn at_fixed_offset(pointer: &Val) -> bool {
    !matches!(pointer, Val::Pointer(address) if !address.parts.is_empty())
}
