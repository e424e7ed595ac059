//! Allocation. Each call of an allocator has a bounded number of objects; a counter tells which one is next.

use super::Bound;
use super::emit::{Key, Lowering};
use super::expr::Val;
use super::memory::Address;
use super::object::Shape;
use crate::tree::ExprId;
use crate::types::{TypeId, TypeKind};
use nilas_term::{Sort, Term};

/// Larger objects of constant size are modelled like those of variable size.
const LARGEST: u64 = 1 << 20;

impl Lowering<'_> {
    /// The address of a new object of `size` bytes with any content, or zero.
    pub(super) fn allocate(&mut self, expr: ExprId, size: Term, zeroed: bool) -> Val {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        let (function, depth) = (self.frame().function, self.frame().depth);
        let Some(shape) = self.shape(expr, size) else {
            return self.unmodelled_value("allocation of this type", ty);
        };
        let counter = match self.counters.get(&(function, depth, expr)) {
            Some(&counter) => counter,
            None => {
                let line = tree.sources.locate(tree.exprs[expr].span).line;
                let (counter, _) = self.new_variable(&format!("heap@{line}.count"), &Sort::BitVec(8));
                self.counters.insert((function, depth, expr), counter);
                counter
            }
        };
        let count = self.variable_term(counter);
        let (result, result_term) = self.temporary(expr, 60, &Sort::BitVec(self.pointer_bits()));
        let meet = self.new_location();
        let bound = self.options.heap.min(200);
        for number in 0..bound {
            let key = Key::Heap(function, depth, expr, number);
            if *self.shapes.entry(key).or_insert(shape) != shape {
                return self.unmodelled_value("allocation of different types at one place", ty);
            }
            let this = self.arena.bv(8, number as u64);
            let hit = self.arena.eq(count, this);
            let other = self.split(hit);
            let object = self.object(key);
            self.havoc_object(object);
            if zeroed {
                self.clear(object);
            }
            if let Some((length, _)) = self.objects[object.0].length {
                self.assign(length, size);
            }
            let address = self.address_term(&Address { object, offset: 0, parts: Vec::new() });
            self.assign(result, address);
            let next = self.arena.bv(8, number as u64 + 1);
            self.assign(counter, next);
            self.goto(meet);
            match other {
                Some(other) => self.continue_at(other),
                None => self.here = None,
            }
        }
        let construct = format!("more than {bound} allocations at one place");
        self.cut(Bound::Heap, &construct);
        self.continue_at(meet);
        Val::Scalar(result_term)
    }

    /// What an allocation holds: what its result is converted to, or the type whose size is asked for.
    fn shape(&mut self, expr: ExprId, size: Term) -> Option<Shape> {
        let tree = self.tree;
        let wanted = self.facts.allocations.get(&expr).copied();
        let constant = self.arena.as_bitvec(size).and_then(nilas_term::BitVec::to_u64);
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
    pub(super) fn initialise_counters(&mut self) {
        let mut counters: Vec<_> = self.counters.values().copied().collect();
        counters.sort_unstable_by_key(|counter| counter.index());
        for counter in counters {
            let zero = self.arena.bv(8, 0);
            self.assign(counter, zero);
        }
    }

    /// The size of `calloc`.
    pub(super) fn product(&mut self, count: Term, size: Term) -> Term {
        self.arena.bv_mul(count, size)
    }
}
