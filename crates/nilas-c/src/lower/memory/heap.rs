//! Allocation and `free`.
//!
//! A call of an allocator that is executed once is an object of its own. The objects of a call in a loop lie
//! in one pool, an array per member, if they are of fixed size; those of variable size are few, and a counter
//! tells which one is next.

use crate::library::catalogue::{self, Meaning, Model};
use crate::lower::lowering::Lowering;
use crate::lower::memory::access::Address;
use crate::lower::memory::object::{OPEN_SIZE, ObjectId, Shape, Storage, pool_objects};
use crate::lower::memory::points::{Class, on_stack};
use crate::lower::memory::provenance::{Known, Position, Within};
use crate::lower::memory::{Key, Site};
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::lower::{AssumptionKind, Bound, HavocOrigin};
use crate::property::{Claim, Property};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId};
use crate::types::{TypeId, TypeKind};
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

/// Larger objects of constant size are modelled like those of variable size.
const LARGEST: u64 = 1 << 20;
/// Calls of the same allocation, inlined from different places, that are told apart.
const MOST_VISITS: usize = 32;
/// Objects of allocations that are executed once have numbers from here on.
const OWN: usize = 1000;
/// Objects with more elements do not lie in pools.
const MOST_ELEMENTS: u64 = 256;

/// Shapes of the objects of one allocation that are told apart; further ones are bytes, as many as asked for.
const MOST_SHAPES: usize = 16;

impl Lowering<'_> {
    /// The address of a new object of `size` bytes with any content, or zero.
    pub(in crate::lower) fn allocate(&mut self, expr: ExprId, size: Term, zeroed: bool) -> Val {
        self.unless_it_fails(expr, |this| this.allocate_always(expr, size, zeroed))
    }

    /// What an allocation gives, or null if allocations may fail and this one does.
    pub(in crate::lower) fn unless_it_fails(
        &mut self,
        expr: ExprId,
        allocate: impl FnOnce(&mut Self) -> Val,
    ) -> Val {
        if !self.options.malloc_may_fail || self.is_call_on_stack(expr) {
            if !self.is_call_on_stack(expr) {
                self.build.rests_on(AssumptionKind::AllocationNeverFails, "allocations never fail");
            }
            return allocate(self);
        }
        let (ty, span) = (self.tree.exprs[expr].ty, self.tree.exprs[expr].span);
        let (choice, fails) = self.temporary(expr, Purpose::Fails, &Sort::Bool);
        self.with_origin(HavocOrigin::AllocationFailure(span), |this| this.build.havoc(choice));
        let (result, address) = self.temporary(expr, Purpose::Allocated, &Sort::BitVec(self.pointer_bits()));
        let works = self.build.arena.not(fails);
        let other = self.build.split(works);
        let value = allocate(self);
        let made = self.argument_term(&value, ty);
        self.build.assign(result, made);
        let known = self.known_pointer(made, self.tree.types.pointee(ty));
        let null = self.build.arena.bv(self.pointer_bits(), 0);
        self.join(other, |this| this.build.assign(result, null));
        match known {
            Some(known) => self.memory.provenance.learn(address, known),
            None => self.memory.provenance.forget(address),
        }
        Val::Scalar(address)
    }

    /// The address of a new object; there is room for it.
    pub(in crate::lower) fn allocate_always(&mut self, expr: ExprId, size: Term, zeroed: bool) -> Val {
        // Each call makes an object of its own.
        self.ask_for_own(None);
        self.count_allocation(expr);
        let ty = self.tree.exprs[expr].ty;
        let site = Site { function: self.frame().function, depth: self.frame().depth, call: expr };
        let Some((number, shape)) = self.shape(expr, size).and_then(|shape| self.numbered(site, shape))
        else {
            return self.unmodelled_value("allocation of this type", ty);
        };
        let visit = self.memory.visits.entry(site).or_default();
        let times = *visit;
        *visit += 1;
        if !self.ask_repeats() && times < MOST_VISITS {
            // Executed at most once: an object of its own.
            let object = self.fresh(Key::Heap(site, number, OWN + times), shape, size, zeroed);
            return Val::Pointer(Address { object, offset: 0, parts: Vec::new() });
        }
        match shape.count {
            Some(count) if count <= MOST_ELEMENTS => self.allocate_in_pool(site, number, shape, zeroed),
            _ => self.allocate_numbered(site, number, shape, size, zeroed),
        }
    }

    /// The number of a shape among those of its allocation. Objects of different shapes are different
    /// objects.
    fn numbered(&mut self, site: Site, shape: Shape) -> Option<(u32, Shape)> {
        let bytes = Shape { element: self.bytes(None)?.element, count: None };
        let shapes = self.memory.site_shapes.entry(site).or_default();
        let shape = if shapes.len() >= MOST_SHAPES && !shapes.contains(&shape) { bytes } else { shape };
        let shape =
            shapes.first().copied().filter(|_| planted(Fault::ShapeOfFirstAllocation)).unwrap_or(shape);
        let number = shapes.iter().position(|&other| other == shape).unwrap_or_else(|| {
            shapes.push(shape);
            shapes.len() - 1
        });
        Some((u32::try_from(number).ok()?, shape))
    }

    /// The object of a key as a new one.
    fn fresh(&mut self, key: Key, shape: Shape, size: Term, zeroed: bool) -> ObjectId {
        self.memory.shapes.insert(key, shape);
        let object = self.object(key);
        self.havoc_object(object);
        if planted(Fault::MallocClears) {
            self.clear(object);
        }
        if zeroed {
            self.memory.cleared.insert(key);
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
        object
    }

    /// The variable that counts the objects of one shape of an allocation.
    fn counter(&mut self, site: Site, number: u32, width: u32) -> nilas_program::VarId {
        if let Some(&counter) = self.memory.counters.get(&(site, number)) {
            return counter;
        }
        let line = self.tree.sources.locate(self.tree.exprs[site.call].span).line;
        let (counter, _) = self.build.new_variable(&format!("heap@{line}.count"), &Sort::BitVec(width));
        self.memory.counters.insert((site, number), counter);
        counter
    }

    /// One of very many objects, all in the same arrays.
    fn allocate_in_pool(&mut self, site: Site, number: u32, shape: Shape, zeroed: bool) -> Val {
        let key = Key::Pool(site, number);
        self.memory.shapes.insert(key, shape);
        let width = self.pointer_bits();
        let counter = self.counter(site, number, width);
        let count = self.build.variable_term(counter);
        let object = self.object(key);
        let stride = self.tree.types.size_of(shape.element).unwrap_or(1) * shape.count.unwrap_or(1);
        let log = self.object_log(key, stride);
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
        let (result, result_term) = self.new_address(site, shape);
        self.build.assign(result, address);
        let one = self.build.arena.bv(width, 1);
        let next = self.build.arena.bv_add(count, one);
        self.build.assign(counter, next);
        Val::Scalar(result_term)
    }

    /// All bytes of one object of a pool are zero.
    fn clear_in_pool(&mut self, object: ObjectId, number: Term, log: u32) {
        let width = self.pointer_bits();
        for leaf in self.memory.objects[object.0].leaves.clone() {
            let zero = self.zero(leaf.kind);
            let per_object = leaf.count() / pool_objects(log);
            if let Storage::Cells(cells) = &leaf.storage {
                // A pool of few objects.
                for (cell, index) in cells.iter().zip(0_u64..) {
                    let Some(variable) = cell.variable else { continue };
                    let own = self.build.arena.bv(width, index / per_object.max(1));
                    let this = self.build.arena.eq(number, own);
                    let value = self.build.arena.ite(this, zero, cell.term);
                    self.build.assign(variable, value);
                    self.note_all_if(*cell, this);
                }
                continue;
            }
            for slot in leaf.slots() {
                let Some(variable) = slot.variable else { continue };
                let mut array = slot.term;
                let companion = self.companion(slot);
                let mut set = companion.map(|companion| companion.term);
                let yes = self.build.arena.mk_true();
                let cleared = if planted(Fault::CallocFirstCleared) { 1 } else { per_object };
                for element in 0..cleared {
                    let each = self.build.arena.bv(width, per_object);
                    let first = self.build.arena.bv_mul(number, each);
                    let element = self.build.arena.bv(width, element);
                    let index = self.build.arena.bv_add(first, element);
                    array = self.build.arena.store(array, index, zero);
                    set = set.map(|set| self.build.arena.store(set, index, yes));
                }
                self.build.assign(variable, array);
                if let (Some(companion), Some(set)) = (companion.and_then(|it| it.variable), set) {
                    self.build.assign(companion, set);
                }
            }
        }
    }

    /// A variable for the address of a new object.
    fn new_address(&mut self, site: Site, shape: Shape) -> (nilas_program::VarId, Term) {
        let (variable, term) =
            self.temporary(site.call, Purpose::NewAddress, &Sort::BitVec(self.pointer_bits()));
        let class = Some(self.points.of_allocation(site.call));
        let position = Some(Position::Type(shape.element));
        self.memory.provenance.learn(term, Known::In(Within { class, position, near: false }));
        (variable, term)
    }

    /// One of a few objects; a counter tells which one is next.
    fn allocate_numbered(
        &mut self,
        site: Site,
        shape_number: u32,
        shape: Shape,
        size: Term,
        zeroed: bool,
    ) -> Val {
        let counter = self.counter(site, shape_number, 8);
        let count = self.build.variable_term(counter);
        let (result, result_term) = self.new_address(site, shape);
        let meet = self.build.new_location();
        let bound = self.options.heap.min(200);
        for number in 0..bound {
            if !self.build.reachable() {
                break;
            }
            let key = Key::Heap(site, shape_number, number);
            let this = self.build.arena.bv(8, number as u64);
            let hit = self.build.arena.eq(count, this);
            let other = self.build.split(hit);
            let object = self.fresh(key, shape, size, zeroed);
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
        if planted(Fault::HeapCut) {
            self.build.stop();
        }
        self.build.cut(Bound::Heap, &construct);
        if self.build.has_incoming(meet) {
            self.build.continue_at(meet);
        }
        Val::Scalar(result_term)
    }

    /// The memory of `alloca` dies with the call of the function, of which there is one at each depth.
    pub(in crate::lower) fn end_of_stack(&mut self, function: FunctionId, depth: usize) {
        if !self.build.reachable() {
            return;
        }
        let calls = on_stack(self.tree, &self.tree.functions[function]);
        if calls.is_empty() {
            return;
        }
        let mine =
            |site: &Site| site.function == function && site.depth == depth && calls.contains(&site.call);
        let objects = self.memory.objects.iter().enumerate();
        let ended: Vec<ObjectId> = objects
            .filter(
                |(_, object)| matches!(&object.key, Key::Heap(site, ..) | Key::Pool(site, _) if mine(site)),
            )
            .map(|(number, _)| ObjectId(number))
            .collect();
        let yes = self.build.arena.mk_true();
        for object in ended {
            let Some(freed) = self.memory.objects[object.0].freed else { continue };
            let all = if freed.pool.is_some() { self.constant_array(freed.term, yes) } else { yes };
            self.build.assign(freed.variable, all);
        }
    }

    /// Frees what a pointer points to: null, or the start of an allocation that was not freed before.
    pub(in crate::lower) fn free(&mut self, pointer: &Val, class: Class) {
        let term = match pointer {
            Val::Pointer(address) => self.address_term(address),
            Val::Scalar(term) => *term,
            Val::Void | Val::Aggregate(_) => return,
        };
        self.must_be_plain(term);
        let width = self.pointer_bits();
        let null = self.build.arena.bv(width, 0);
        let mut allowed = vec![self.build.arena.eq(term, null)];
        // What is of unknown origin may have been allocated elsewhere.
        allowed.push(self.build.arena.bv_is_negative(term));
        // What was freed before, wherever in it the pointer points.
        let mut gone = Vec::new();
        let mut updates = Vec::new();
        for (start, key, log) in self.candidates(Some(class)) {
            let (Key::Heap(site, ..) | Key::Pool(site, _)) = key else { continue };
            if self.is_on_stack(site) {
                continue;
            }
            let object = self.object(key);
            let Some(freed) = self.memory.objects[object.0].freed else {
                // Nothing was expected to free it.
                let high = self.build.arena.extract(term, width - 1, log);
                let region = self.build.arena.bv(width - log, start >> log);
                let hit = self.build.arena.eq(high, region);
                self.build.unmodelled_if(hit, "`free` of an object that was not foreseen");
                continue;
            };
            let yes = self.build.arena.mk_true();
            match freed.pool {
                None => {
                    let region = self.in_region(term, start, log);
                    gone.push(self.build.arena.and(&[region, freed.term]));
                    let start = self.build.arena.bv(width, start);
                    let hit = self.build.arena.eq(term, start);
                    let not = self.build.arena.not(freed.term);
                    allowed.push(self.build.arena.and(&[hit, not]));
                    self.count_free(site.call, hit, &mut updates);
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
                    gone.push(self.build.arena.and(&[hit, flag]));
                    allowed.push(self.build.arena.and(&[hit, aligned, not]));
                    self.count_free(site.call, hit, &mut updates);
                    let stored = self.build.arena.store(freed.term, number, yes);
                    updates.push((freed.variable, self.build.arena.ite(hit, stored, freed.term)));
                }
            }
        }
        self.use_expected(term, Some(class), "`free` of a pointer to an object that was not foreseen");
        let allowed = self.build.arena.or(&allowed);
        if self.build.asks(Property::DoubleFree) || self.build.asks(Property::BadFree) {
            let gone = self.build.arena.or(&gone);
            let first = self.build.arena.not(gone);
            self.build.defined(first, Claim::new(Property::DoubleFree, "free of what was freed before"));
        }
        self.build.defined(allowed, Claim::new(Property::BadFree, "free of what is not allocated"));
        if planted(Fault::FreeForgotten) {
            return;
        }
        for (variable, value) in updates {
            self.build.assign(variable, value);
        }
    }

    /// Whether it is memory of `alloca`, which nobody may free.
    fn is_on_stack(&self, site: Site) -> bool {
        self.is_call_on_stack(site.call)
    }

    /// Whether a call allocates on the stack.
    pub(in crate::lower) fn is_call_on_stack(&self, call: ExprId) -> bool {
        let ExprKind::Call { callee: Callee::Function(function), .. } = self.tree.exprs[call].kind else {
            return false;
        };
        let row = catalogue::row(&self.tree.functions[function].name);
        row.is_some_and(|row| row.model == Model::Lowering(Meaning::AllocateOnStack))
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
        let wanted = self.facts.allocations.get(&expr).copied().filter(|&ty| self.is_telling(ty));
        let wanted = wanted.or_else(|| self.wanted_of_wrapper());
        let constant = self.build.arena.as_bitvec(size).and_then(nilas_term::BitVec::to_u64);
        let Some(element) = wanted else {
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

    /// Whether a pointer to a type tells what memory is for.
    fn is_telling(&self, ty: TypeId) -> bool {
        !self.tree.types.is_void(ty) && self.tree.types.size_of(ty).is_some_and(|size| size > 0)
    }

    /// What the result of a function around the allocation is converted to, if the function gives memory
    /// without a type.
    fn wanted_of_wrapper(&self) -> Option<TypeId> {
        let types = &self.tree.types;
        for (function, call) in self.calls.sites.iter().rev() {
            let result = types.as_function(self.tree.functions[*function].ty).map(|function| function.result);
            let pointee = result.and_then(|ty| types.pointee(ty))?;
            if !types.is_void(pointee) && types.size_of(pointee) != Some(1) {
                return None;
            }
            let wanted = self.facts.allocations.get(call).copied().filter(|&ty| self.is_telling(ty));
            if let Some(wanted) = wanted.filter(|&ty| types.size_of(ty) != Some(1)) {
                return Some(wanted);
            }
        }
        None
    }

    /// Memory without a type.
    fn bytes(&self, size: Option<u64>) -> Option<Shape> {
        let element = self.tree.types.char_type()?;
        match size {
            Some(0) => Some(Shape { element, count: Some(1) }),
            Some(size) if size <= LARGEST => Some(Shape { element, count: Some(size) }),
            _ => Some(Shape { element, count: None }),
        }
    }

    /// Counters of allocations start at zero.
    pub(in crate::lower) fn initialise_counters(&mut self) {
        let counters: Vec<_> = self.memory.counters.values().copied().collect();
        for counter in counters {
            let width = self.build.arena.width(self.build.variable_term(counter));
            let zero = self.build.arena.bv(width, 0);
            self.build.assign(counter, zero);
        }
    }
}
