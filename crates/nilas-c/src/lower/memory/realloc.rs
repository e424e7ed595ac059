//! `realloc`: a new object that holds what the old one held, which is freed.
//!
//! It never fails, like every allocation. Null is `malloc`; the size 0 is unmodelled, because the standard
//! leaves open what it means. The contents move leaf by leaf, so both objects must fall apart alike; elements
//! that the old object does not have hold anything.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::Index;
use crate::lower::memory::object::{Leaf, ObjectId, Storage};
use crate::lower::memory::points::Class;
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::ExprId;
use nilas_fault::{Fault, planted};
use nilas_term::Term;

/// Elements that are moved one by one, where the old object has variables and the new one an array or the
/// other way round.
const MOST_ELEMENTS: u64 = 256;
const ALIKE: &str = "`realloc` between memory of different types";

impl Lowering<'_> {
    /// A call of `realloc` on a pointer into a class.
    pub(in crate::lower) fn reallocate(
        &mut self,
        expr: ExprId,
        pointer: &Val,
        size: Term,
        class: Class,
    ) -> Val {
        let width = self.pointer_bits();
        let old = match pointer {
            Val::Pointer(address) => self.address_term(address),
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return self.nothing(self.tree.exprs[expr].ty),
        };
        self.must_be_plain(old);
        let old = self.save(expr, Purpose::Before, old);
        let zero = self.build.arena.bv(width, 0);
        let empty = self.build.arena.eq(size, zero);
        self.build.unmodelled_if(empty, "`realloc` to size 0");
        let external = self.build.arena.bv_is_negative(old);
        self.build.unmodelled_if(external, "`realloc` of a pointer of unknown origin");
        self.unless_it_fails(expr, |this| this.reallocate_always(expr, old, size, class))
    }

    /// The same; there is room for it.
    fn reallocate_always(&mut self, expr: ExprId, old: Term, size: Term, class: Class) -> Val {
        let width = self.pointer_bits();
        let new = self.allocate_always(expr, size, false);
        if self.build.arena.as_bitvec(old).is_some_and(nilas_term::BitVec::is_zero) {
            return new;
        }
        match &new {
            Val::Pointer(address) => self.move_contents(old, class, address.object),
            Val::Scalar(term) => {
                let term = *term;
                let meet = self.build.new_location();
                for (start, key, _) in self.candidates(Some(self.points.of_allocation(expr))) {
                    let Key::Heap(site, ..) = key else { continue };
                    if site.call != expr || !self.build.reachable() {
                        continue;
                    }
                    let start = self.build.arena.bv(width, start);
                    let hit = self.build.arena.eq(term, start);
                    let other = self.build.split(hit);
                    let object = self.object(key);
                    self.move_contents(old, class, object);
                    self.build.goto(meet);
                    match other {
                        Some(other) => self.build.continue_at(other),
                        None => self.build.here = None,
                    }
                }
                self.build.unmodelled("`realloc` in a loop");
                if self.build.has_incoming(meet) {
                    self.build.continue_at(meet);
                }
            }
            Val::Void | Val::Aggregate(_) => {}
        }
        if !planted(Fault::ReallocOldAlive) {
            self.free(&Val::Scalar(old), class);
        }
        new
    }

    /// Moves what an address points to (nothing, if it is null) into an object.
    fn move_contents(&mut self, old: Term, class: Class, new: ObjectId) {
        let width = self.pointer_bits();
        let meet = self.build.new_location();
        for (start, key, log) in self.candidates(Some(class)) {
            if !self.build.reachable() {
                break;
            }
            let object = self.object(key);
            if object == new || !matches!(key, Key::Heap(..) | Key::Pool(..)) {
                continue;
            }
            let hit = if matches!(key, Key::Pool(..)) {
                let high = self.build.arena.extract(old, width - 1, log);
                let region = self.build.arena.bv(width - log, start >> log);
                self.build.arena.eq(high, region)
            } else {
                let start = self.build.arena.bv(width, start);
                self.build.arena.eq(old, start)
            };
            let other = self.build.split(hit);
            self.carry(object, new);
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
        }
        // Null; everything else is undefined, as the `free` says.
        self.build.goto(meet);
        if self.build.has_incoming(meet) {
            self.build.continue_at(meet);
        }
    }

    /// All leaves of one object into those of another.
    fn carry(&mut self, old: ObjectId, new: ObjectId) {
        if !self.build.reachable() {
            return;
        }
        let (from, to) =
            (self.memory.objects[old.0].leaves.clone(), self.memory.objects[new.0].leaves.clone());
        let pool = matches!(self.memory.objects[old.0].key, Key::Pool(..));
        if pool
            || from.is_empty()
            || from.len() != to.len()
            || !from.iter().zip(&to).all(|(a, b)| alike(a, b))
        {
            self.build.unmodelled(ALIKE);
            return;
        }
        for (from, to) in from.iter().zip(&to) {
            match (&from.storage, &to.storage) {
                (Storage::Array(from), Storage::Array(to)) => {
                    self.refuse_stale_tail(old, new);
                    if !self.is_known_as(from.term, to.term) {
                        self.build.unmodelled(ALIKE);
                        return;
                    }
                    if let Some(variable) = to.variable {
                        self.build.assign(variable, from.term);
                        self.note_copied(*to, *from);
                    }
                }
                _ => self.carry_elements(from, to),
            }
        }
    }

    /// Arrays are carried as a whole, with what lies behind the end of the old object. That holds anything,
    /// as it should, if nothing ever wrote there: the old object was not cleared, and never a part of a
    /// larger one.
    fn refuse_stale_tail(&mut self, old: ObjectId, new: ObjectId) {
        let size = |this: &mut Self, object: ObjectId| {
            let (length, size) = (this.memory.objects[object.0].length, this.memory.objects[object.0].size);
            length.map_or_else(|| this.build.arena.bv(this.pointer_bits(), size), |(_, length)| length)
        };
        let (before, after) = (size(self, old), size(self, new));
        let smaller = self.build.arena.bv_ult(after, before);
        self.build.unmodelled_if(smaller, "`realloc` that makes a large object smaller");
        let key = self.memory.objects[old.0].key;
        if self.memory.cleared.contains(&key) {
            self.memory.cleared.insert(self.memory.objects[new.0].key);
            let larger = self.build.arena.bv_ult(before, after);
            self.build.unmodelled_if(larger, "`realloc` that makes a large object of zeros larger");
        }
    }

    fn carry_elements(&mut self, from: &Leaf, to: &Leaf) {
        let count = from.count().min(to.count());
        if count > MOST_ELEMENTS {
            self.build.unmodelled(ALIKE);
            return;
        }
        let width = self.pointer_bits();
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let mut array = to.first_slot().map(|slot| slot.term);
        let companion = to.first_slot().and_then(|slot| self.companion(slot));
        let mut sets = companion.map(|companion| companion.term);
        for number in 0..count.saturating_sub(u64::from(planted(Fault::ReallocOneShort))) {
            let position = self.build.arena.bv(width, number);
            let value = match &from.storage {
                Storage::Cells(cells) => cells[index(number)].term,
                Storage::Array(slot) => self.build.arena.select(slot.term, position),
            };
            let set = self.set_in(from, Index::Fixed(number));
            match &to.storage {
                Storage::Cells(cells) => {
                    let cell = cells[index(number)];
                    if !self.is_known_as(slot_term(from, index(number)), cell.term) {
                        self.build.unmodelled(ALIKE);
                        return;
                    }
                    if let Some(variable) = cell.variable {
                        self.build.assign(variable, value);
                    }
                    if let Some(companion) = self.companion(cell).and_then(|it| it.variable) {
                        self.build.assign(companion, set);
                    }
                }
                Storage::Array(slot) => {
                    if !self.is_known_as(slot_term(from, index(number)), slot.term) {
                        self.build.unmodelled(ALIKE);
                        return;
                    }
                    array = array.map(|array| self.build.arena.store(array, position, value));
                    sets = sets.map(|sets| self.build.arena.store(sets, position, set));
                }
            }
        }
        if let (Storage::Array(slot), Some(array)) = (&to.storage, array)
            && let Some(variable) = slot.variable
        {
            self.build.assign(variable, array);
            if let (Some(companion), Some(sets)) = (companion.and_then(|it| it.variable), sets) {
                self.build.assign(companion, sets);
            }
        }
    }
}

/// The variable that an element of a leaf is in.
fn slot_term(leaf: &Leaf, element: usize) -> Term {
    match &leaf.storage {
        Storage::Cells(cells) => cells[element].term,
        Storage::Array(slot) => slot.term,
    }
}

/// Whether the elements of two leaves lie at the same offsets and hold the same, as far as both have them.
fn alike(a: &Leaf, b: &Leaf) -> bool {
    let stride = |leaf: &Leaf| leaf.dims.first().map(|dim| dim.stride);
    let same_stride = match (stride(a), stride(b)) {
        (Some(a), Some(b)) => a == b,
        // A single element.
        _ => true,
    };
    let flat = a.dims.len() <= 1 && b.dims.len() <= 1;
    flat && same_stride && a.kind == b.kind && a.width == b.width && a.offset == b.offset
}
