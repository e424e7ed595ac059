//! `realloc`: a new object that holds what the old one held, which is freed.
//!
//! It never fails, like every allocation. Null is `malloc`; the size 0 is unmodelled, because the standard leaves open what it
//! means. The contents move leaf by leaf, so both objects must fall apart alike; elements that the old object does
//! not have hold anything.

use super::emit::{Key, Lowering};
use super::expr::Val;
use super::object::{Leaf, ObjectId, Storage};
use super::points::Class;
use crate::tree::ExprId;
use nilas_term::Term;

/// Elements that are moved one by one, where the old object has variables and the new one an array or the other way round.
const MOST_ELEMENTS: u64 = 256;
const ALIKE: &str = "`realloc` between memory of different types";

impl Lowering<'_> {
    /// A call of `realloc` on a pointer into a class.
    pub(super) fn reallocate(&mut self, expr: ExprId, pointer: &Val, size: Term, class: Class) -> Val {
        let width = self.pointer_bits();
        let old = match pointer {
            Val::Pointer(address) => self.address_term(address),
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return self.nothing(self.tree.exprs[expr].ty),
        };
        let old = self.save(expr, 80, old);
        let zero = self.arena.bv(width, 0);
        let empty = self.arena.eq(size, zero);
        self.unmodelled_if(empty, "`realloc` to size 0");
        let external = self.arena.bv_is_negative(old);
        self.unmodelled_if(external, "`realloc` of a pointer of unknown origin");
        let new = self.allocate(expr, size, false);
        if self.arena.as_bitvec(old).is_some_and(nilas_term::BitVec::is_zero) {
            return new;
        }
        match &new {
            Val::Pointer(address) => self.move_contents(old, class, address.object),
            Val::Scalar(term) => {
                let term = *term;
                let meet = self.new_location();
                for (start, key, _) in self.candidates(Some(self.points.of_allocation(expr))) {
                    let Key::Heap(_, _, call, _) = key else { continue };
                    if call != expr || !self.reachable() {
                        continue;
                    }
                    let start = self.arena.bv(width, start);
                    let hit = self.arena.eq(term, start);
                    let other = self.split(hit);
                    let object = self.object(key);
                    self.move_contents(old, class, object);
                    self.goto(meet);
                    match other {
                        Some(other) => self.continue_at(other),
                        None => self.here = None,
                    }
                }
                self.unmodelled("`realloc` in a loop");
                if self.has_incoming(meet) {
                    self.continue_at(meet);
                }
            }
            Val::Void | Val::Aggregate(_) => {}
        }
        self.free(&Val::Scalar(old), class);
        new
    }

    /// Moves what an address points to (nothing, if it is null) into an object.
    fn move_contents(&mut self, old: Term, class: Class, new: ObjectId) {
        let width = self.pointer_bits();
        let meet = self.new_location();
        for (start, key, log) in self.candidates(Some(class)) {
            if !self.reachable() {
                break;
            }
            let object = self.object(key);
            if object == new || !matches!(key, Key::Heap(..) | Key::Pool(..)) {
                continue;
            }
            let hit = if matches!(key, Key::Pool(..)) {
                let high = self.arena.extract(old, width - 1, log);
                let region = self.arena.bv(width - log, start >> log);
                self.arena.eq(high, region)
            } else {
                let start = self.arena.bv(width, start);
                self.arena.eq(old, start)
            };
            let other = self.split(hit);
            self.carry(object, new);
            self.goto(meet);
            match other {
                Some(other) => self.continue_at(other),
                None => self.here = None,
            }
        }
        // Null; everything else is undefined, as the `free` says.
        self.goto(meet);
        if self.has_incoming(meet) {
            self.continue_at(meet);
        }
    }

    /// All leaves of one object into those of another.
    fn carry(&mut self, old: ObjectId, new: ObjectId) {
        if !self.reachable() {
            return;
        }
        let (from, to) = (self.objects[old.0].leaves.clone(), self.objects[new.0].leaves.clone());
        let pool = matches!(self.objects[old.0].key, Key::Pool(..));
        if pool
            || from.is_empty()
            || from.len() != to.len()
            || !from.iter().zip(&to).all(|(a, b)| alike(a, b))
        {
            self.unmodelled(ALIKE);
            return;
        }
        for (from, to) in from.iter().zip(&to) {
            match (&from.storage, &to.storage) {
                (Storage::Array(from), Storage::Array(to)) => {
                    if let Some(variable) = to.variable {
                        self.assign(variable, from.term);
                    }
                }
                _ => self.carry_elements(from, to),
            }
        }
    }

    fn carry_elements(&mut self, from: &Leaf, to: &Leaf) {
        let count = from.count().min(to.count());
        if count > MOST_ELEMENTS {
            self.unmodelled(ALIKE);
            return;
        }
        let width = self.pointer_bits();
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let mut array = to.first_slot().map(|slot| slot.term);
        for number in 0..count {
            let position = self.arena.bv(width, number);
            let value = match &from.storage {
                Storage::Cells(cells) => cells[index(number)].term,
                Storage::Array(slot) => self.arena.select(slot.term, position),
            };
            match &to.storage {
                Storage::Cells(cells) => {
                    if let Some(variable) = cells[index(number)].variable {
                        self.assign(variable, value);
                    }
                }
                Storage::Array(_) => array = array.map(|array| self.arena.store(array, position, value)),
            }
        }
        if let (Storage::Array(slot), Some(array)) = (&to.storage, array)
            && let Some(variable) = slot.variable
        {
            self.assign(variable, array);
        }
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
