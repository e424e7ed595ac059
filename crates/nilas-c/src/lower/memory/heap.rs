//! Allocation and `free`.
//!
//! A call of an allocator that is executed once is an object of its own. The objects of a call in a loop lie in one pool, an
//! array per member, if they are of fixed size; those of variable size are few, and a counter tells which one is next.

use crate::lower::Bound;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::Address;
use crate::lower::memory::object::{OPEN_SIZE, Shape, pool_objects, region_log};
use crate::lower::memory::points::Class;
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::tree::ExprId;
use crate::types::{TypeId, TypeKind};
use nilas_term::{Sort, Term};

/// Larger objects of constant size are modelled like those of variable size.
const LARGEST: u64 = 1 << 20;
/// Calls of the same allocation, inlined from different places, that are told apart.
const MOST_VISITS: usize = 32;
/// Objects of allocations that are executed once have numbers from here on.
const OWN: usize = 1000;
/// Objects with more elements do not lie in pools.
const MOST_ELEMENTS: u64 = 256;
const TYPES: &str = "allocation of different types at one place";

impl Lowering<'_> {
    /// The address of a new object of `size` bytes with any content, or zero.
    pub(in crate::lower) fn allocate(&mut self, expr: ExprId, size: Term, zeroed: bool) -> Val {
        let ty = self.tree.exprs[expr].ty;
        let Some(shape) = self.shape(expr, size) else {
            return self.unmodelled_value("allocation of this type", ty);
        };
        let (function, depth) = (self.frame().function, self.frame().depth);
        let visit = self.memory.visits.entry((function, depth, expr)).or_default();
        let number = *visit;
        *visit += 1;
        let repeats = self.loops > 0
            || self.in_shared()
            || self.calls.frames.iter().any(|frame| self.scopes.goes_back(frame.function));
        if !repeats && number < MOST_VISITS {
            // Executed at most once: an object of its own.
            let key = Key::Heap(function, depth, expr, OWN + number);
            return match self.fresh(key, shape, size, zeroed) {
                Some(object) => Val::Pointer(Address { object, offset: 0, parts: Vec::new() }),
                None => self.unmodelled_value(TYPES, ty),
            };
        }
        match shape.count {
            Some(count) if count <= MOST_ELEMENTS => self.allocate_in_pool(expr, shape, zeroed),
            _ => self.allocate_numbered(expr, shape, size, zeroed),
        }
    }

    /// The object of a key as a new one.
    fn fresh(
        &mut self,
        key: Key,
        shape: Shape,
        size: Term,
        zeroed: bool,
    ) -> Option<crate::lower::memory::object::ObjectId> {
        if *self.memory.shapes.entry(key).or_insert(shape) != shape {
            return None;
        }
        let object = self.object(key);
        self.havoc_object(object);
        if zeroed {
            self.clear(object);
        }
        if let Some((length, _)) = self.memory.objects[object.0].length {
            self.build.assign(length, size);
            self.limit_size(size);
        }
        if let Some(freed) = self.memory.objects[object.0].freed {
            let no = self.build.arena.mk_false();
            self.build.assign(freed.variable, no);
        }
        Some(object)
    }

    /// The variable that counts the objects of an allocation.
    fn counter(&mut self, expr: ExprId, width: u32) -> nilas_program::VarId {
        let (function, depth) = (self.frame().function, self.frame().depth);
        if let Some(&counter) = self.memory.counters.get(&(function, depth, expr)) {
            return counter;
        }
        let line = self.tree.sources.locate(self.tree.exprs[expr].span).line;
        let (counter, _) = self.build.new_variable(&format!("heap@{line}.count"), &Sort::BitVec(width));
        self.memory.counters.insert((function, depth, expr), counter);
        counter
    }

    /// One of very many objects, all in the same arrays.
    fn allocate_in_pool(&mut self, expr: ExprId, shape: Shape, zeroed: bool) -> Val {
        let ty = self.tree.exprs[expr].ty;
        let (function, depth) = (self.frame().function, self.frame().depth);
        let key = Key::Pool(function, depth, expr);
        if *self.memory.shapes.entry(key).or_insert(shape) != shape {
            return self.unmodelled_value(TYPES, ty);
        }
        let width = self.pointer_bits();
        let counter = self.counter(expr, width);
        let count = self.build.variable_term(counter);
        let object = self.object(key);
        let stride = self.tree.types.size_of(shape.element).unwrap_or(1) * shape.count.unwrap_or(1);
        let log = region_log(stride);
        let most = self.build.arena.bv(width, pool_objects(log));
        let some = self.build.arena.bv_ult(count, most);
        let full = self.build.arena.not(some);
        self.build.unmodelled_if(full, "very many allocations at one place");
        if zeroed {
            self.clear_in_pool(object, count, log);
        }
        if let Some(freed) = self.memory.objects[object.0].freed {
            let no = self.build.arena.mk_false();
            let flags = self.build.arena.store(freed.term, count, no);
            self.build.assign(freed.variable, flags);
        }
        let start = self.address_term(&Address { object, offset: 0, parts: Vec::new() });
        let region = self.build.arena.bv(width, 1 << log);
        let distance = self.build.arena.bv_mul(count, region);
        let address = self.build.arena.bv_add(start, distance);
        let (result, result_term) = self.temporary(expr, Purpose::NewAddress, &Sort::BitVec(width));
        self.build.assign(result, address);
        let one = self.build.arena.bv(width, 1);
        let next = self.build.arena.bv_add(count, one);
        self.build.assign(counter, next);
        Val::Scalar(result_term)
    }

    /// All bytes of one object of a pool are zero.
    fn clear_in_pool(&mut self, object: crate::lower::memory::object::ObjectId, number: Term, log: u32) {
        let width = self.pointer_bits();
        for leaf in self.memory.objects[object.0].leaves.clone() {
            let zero = self.zero(leaf.kind);
            let per_object = leaf.count() / pool_objects(log);
            for slot in leaf.slots() {
                let Some(variable) = slot.variable else { continue };
                let mut array = slot.term;
                for element in 0..per_object {
                    let each = self.build.arena.bv(width, per_object);
                    let first = self.build.arena.bv_mul(number, each);
                    let element = self.build.arena.bv(width, element);
                    let index = self.build.arena.bv_add(first, element);
                    array = self.build.arena.store(array, index, zero);
                }
                self.build.assign(variable, array);
            }
        }
    }

    /// One of a few objects; a counter tells which one is next.
    fn allocate_numbered(&mut self, expr: ExprId, shape: Shape, size: Term, zeroed: bool) -> Val {
        let ty = self.tree.exprs[expr].ty;
        let (function, depth) = (self.frame().function, self.frame().depth);
        let counter = self.counter(expr, 8);
        let count = self.build.variable_term(counter);
        let (result, result_term) =
            self.temporary(expr, Purpose::NewAddress, &Sort::BitVec(self.pointer_bits()));
        let meet = self.build.new_location();
        let bound = self.options.heap.min(200);
        for number in 0..bound {
            let key = Key::Heap(function, depth, expr, number);
            let this = self.build.arena.bv(8, number as u64);
            let hit = self.build.arena.eq(count, this);
            let other = self.build.split(hit);
            let Some(object) = self.fresh(key, shape, size, zeroed) else {
                return self.unmodelled_value(TYPES, ty);
            };
            let address = self.address_term(&Address { object, offset: 0, parts: Vec::new() });
            self.build.assign(result, address);
            let next = self.build.arena.bv(8, number as u64 + 1);
            self.build.assign(counter, next);
            self.build.goto(meet);
            match other {
                Some(other) => self.build.continue_at(other),
                None => self.build.here = None,
            }
        }
        let construct = format!("more than {bound} allocations at one place");
        self.build.cut(Bound::Heap, &construct);
        self.build.continue_at(meet);
        Val::Scalar(result_term)
    }

    /// Frees what a pointer points to: null, or the start of an allocation that was not freed before.
    pub(in crate::lower) fn free(&mut self, pointer: &Val, class: Class) {
        let term = match pointer {
            Val::Pointer(address) => self.address_term(address),
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return,
        };
        let width = self.pointer_bits();
        let null = self.build.arena.bv(width, 0);
        let mut allowed = vec![self.build.arena.eq(term, null)];
        // What is of unknown origin may have been allocated elsewhere.
        allowed.push(self.build.arena.bv_is_negative(term));
        let mut updates = Vec::new();
        for (start, key, log) in self.candidates(Some(class)) {
            if !matches!(key, Key::Heap(..) | Key::Pool(..)) {
                continue;
            }
            let object = self.object(key);
            let Some(freed) = self.memory.objects[object.0].freed else { continue };
            let yes = self.build.arena.mk_true();
            match freed.pool {
                None => {
                    let start = self.build.arena.bv(width, start);
                    let hit = self.build.arena.eq(term, start);
                    let not = self.build.arena.not(freed.term);
                    allowed.push(self.build.arena.and(&[hit, not]));
                    updates.push((freed.variable, self.build.arena.or(&[hit, freed.term])));
                }
                Some(object_log) => {
                    let high = self.build.arena.extract(term, width - 1, log);
                    let region = self.build.arena.bv(width - log, start >> log);
                    let hit = self.build.arena.eq(high, region);
                    let low = self.build.arena.extract(term, object_log - 1, 0);
                    let zero = self.build.arena.bv(object_log, 0);
                    let aligned = self.build.arena.eq(low, zero);
                    let number = self.build.arena.extract(term, log - 1, object_log);
                    let number = self.extend(number, width, false);
                    let flag = self.build.arena.select(freed.term, number);
                    let not = self.build.arena.not(flag);
                    allowed.push(self.build.arena.and(&[hit, aligned, not]));
                    let stored = self.build.arena.store(freed.term, number, yes);
                    updates.push((freed.variable, self.build.arena.ite(hit, stored, freed.term)));
                }
            }
        }
        let allowed = self.build.arena.or(&allowed);
        self.build.defined(allowed, "free of what is not allocated");
        for (variable, value) in updates {
            self.build.assign(variable, value);
        }
    }

    /// An object of variable size that has an address is not larger than its region.
    pub(in crate::lower) fn limit_size(&mut self, size: Term) {
        let limit = self.build.arena.bv(self.pointer_bits(), OPEN_SIZE);
        let fits = self.build.arena.bv_ule(size, limit);
        let larger = self.build.arena.not(fits);
        self.build.unmodelled_if(larger, "an object of variable size that is larger than 64 MB");
    }

    /// What an allocation holds: what its result is converted to, or the type whose size is asked for.
    fn shape(&mut self, expr: ExprId, size: Term) -> Option<Shape> {
        let tree = self.tree;
        let wanted = self.facts.allocations.get(&expr).copied();
        let constant = self.build.arena.as_bitvec(size).and_then(nilas_term::BitVec::to_u64);
        let element =
            wanted.filter(|&ty| !tree.types.is_void(ty) && tree.types.size_of(ty).is_some_and(|s| s > 0));
        let Some(element) = element else {
            return self.bytes(constant);
        };
        let stride = tree.types.size_of(element)?;
        match constant {
            Some(bytes) if bytes % stride == 0 && bytes > 0 && bytes <= LARGEST => {
                Some(Shape { element, count: Some(bytes / stride) })
            }
            Some(bytes) if bytes <= LARGEST => self.bytes(constant),
            _ => {
                let plain = !matches!(tree.types.kind(element), TypeKind::Function(_));
                plain.then_some(Shape { element, count: None })
            }
        }
    }

    /// Memory without a type.
    fn bytes(&self, size: Option<u64>) -> Option<Shape> {
        let types = &self.tree.types;
        let char_type = |ty: &TypeId| types.int_kind(*ty) == Some(crate::types::IntKind::Char);
        let exprs = self.tree.exprs.iter().map(|expr| expr.ty);
        let declared = self.tree.variables.iter().map(|variable| variable.ty);
        let pointees = exprs.chain(declared).filter_map(|ty| types.pointee(ty).or(Some(ty)));
        let element = pointees.into_iter().find(char_type)?;
        match size {
            Some(0) => Some(Shape { element, count: Some(1) }),
            Some(size) if size <= LARGEST => Some(Shape { element, count: Some(size) }),
            _ => Some(Shape { element, count: None }),
        }
    }

    /// Counters of allocations start at zero.
    pub(in crate::lower) fn initialise_counters(&mut self) {
        let mut counters: Vec<_> = self.memory.counters.values().copied().collect();
        counters.sort_unstable_by_key(|counter| counter.index());
        for counter in counters {
            let width = self.build.arena.width(self.build.variable_term(counter));
            let zero = self.build.arena.bv(width, 0);
            self.build.assign(counter, zero);
        }
    }

    /// The size of `calloc`.
    pub(in crate::lower) fn product(&mut self, count: Term, size: Term) -> Term {
        self.build.arena.bv_mul(count, size)
    }
}
