//! Pointers: addresses of objects and functions, what a pointer means, calls through pointers.

use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Address, Base, Place, Raw};
use crate::lower::memory::layout;
use crate::lower::memory::points::Class;
use crate::lower::memory::provenance::ARITHMETIC;
use crate::lower::translate::expr::Val;
use crate::lower::translate::temporary::Purpose;
use crate::lower::{AssumptionKind, UnknownFunctions};
use crate::property::{Claim, Property};
use crate::tree::ExprId;
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_program::LocationId;
use nilas_term::{BitVec, Term};

impl Lowering<'_> {
    /// An address as a term.
    pub(in crate::lower) fn address_term(&mut self, address: &Address) -> Term {
        if self.abstracts {
            return self.any_address();
        }
        let offset = self.offset_term(address);
        let (key, size) = {
            let object = &self.memory.objects[address.object.0];
            (object.key, object.size)
        };
        if matches!(key, Key::Result(..) | Key::Aggregate(..)) {
            self.build.unmodelled("the address of a temporary struct");
            return offset;
        }
        let Some(start) = self.address(key, size) else {
            self.build.unmodelled("more objects than addresses");
            return offset;
        };
        if self.memory.plan.is_some() {
            let end = self.build.arena.bv(self.pointer_bits(), size);
            let inside = self.build.arena.bv_ule(offset, end);
            if self.build.arena.as_bool(inside) == Some(false) {
                // Undefined, but there are programs that come back.
                self.build.unmodelled("a pointer outside of its object");
            } else {
                self.stays(address.object, inside, ARITHMETIC);
            }
        }
        self.keep_address(key);
        let start = self.build.arena.bv(self.pointer_bits(), start);
        let term = self.build.arena.bv_add(start, offset);
        if self.build.arena.as_bitvec(term).is_none() {
            self.learn_address(term, key, address);
        }
        term
    }

    /// The address of a function or label.
    pub(in crate::lower) fn code_address(&mut self, key: Key) -> Term {
        if self.abstracts {
            return self.any_address();
        }
        match self.address(key, 1) {
            Some(start) => self.build.arena.bv(self.pointer_bits(), start),
            None => {
                self.build.unmodelled("more objects than addresses");
                self.build.arena.bv(self.pointer_bits(), 0)
            }
        }
    }

    /// What a pointer points to.
    pub(in crate::lower) fn pointed(&mut self, pointer: Val, ty: TypeId, class: Option<Class>) -> Place {
        let size = self.tree.types.as_record(ty).and_then(|_| self.tree.types.size_of(ty));
        let member = size.filter(|&size| size > 0).map(|size| (0, size));
        let raw = |address| Base::Raw(Raw { address, base: address, moved: 0, class, member, ty: Some(ty) });
        let base = match pointer {
            Val::Pointer(address) => Base::Known(address),
            Val::Scalar(term) => match self.build.arena.as_bitvec(term).and_then(BitVec::to_u64) {
                _ if self.abstracts => raw(term),
                None => raw(term),
                Some(address) => match self.at_address(address) {
                    Some((Key::Function(_) | Key::Label(_), _)) => {
                        // Undefined, but the bytes of a function can be read.
                        self.build.unmodelled("access of a function's address");
                        Base::Nowhere
                    }
                    // Of a dead object, too: `raw` knows that it is dead.
                    Some((key, offset)) if !matches!(key, Key::Local(_)) => {
                        let object = self.object(key);
                        Base::Known(Address { object, offset: offset.cast_signed(), parts: Vec::new() })
                    }
                    Some(_) => raw(term),
                    None if address < self.null_page() => raw(term),
                    None => {
                        self.build.unmodelled("access of a fixed address");
                        Base::Nowhere
                    }
                },
            },
            Val::Void | Val::Aggregate(_) => Base::Nowhere,
        };
        Place { base, ty, bits: None }
    }

    /// Start, key and size (as a power of two) of every object that a pointer may mean here.
    pub(in crate::lower) fn candidates(&self, class: Option<Class>) -> Vec<(u64, Key, u32)> {
        let meant =
            |key: &Key| self.object_class(*key).is_some_and(|own| class.is_none_or(|class| class == own));
        let alive = |key: &Key| match key {
            Key::Local(local) => self.ask_alive(*local),
            Key::Static(_) | Key::String(_) | Key::Heap(..) | Key::Pool(..) => true,
            Key::Result(..) | Key::Aggregate(..) | Key::External(..) | Key::Function(_) | Key::Label(_) => {
                false
            }
        };
        let all = self.memory.regions.iter().map(|(&start, &(key, log))| (start, key, log));
        all.filter(|(_, key, _)| meant(key) && alive(key)).collect()
    }

    /// Calls what a pointer points to: case split over the functions whose address is taken.
    pub(in crate::lower) fn call_pointer(
        &mut self,
        expr: ExprId,
        pointer: ExprId,
        arguments: &[ExprId],
    ) -> Val {
        let tree = self.tree;
        let ty = tree.exprs[expr].ty;
        let term = self.term(pointer);
        if self.abstracts {
            let result = self.result_place(expr);
            self.call_any(expr, pointer, arguments, result.as_ref());
            return self.called(result, ty);
        }
        if let Some(address) = self.build.arena.as_bitvec(term).and_then(BitVec::to_u64) {
            return match self.at_address(address) {
                Some((Key::Function(function), 0))
                    if crate::lower::memory::points::may_call(tree, pointer, function) =>
                {
                    self.call_function(expr, function, arguments)
                }
                None if address < self.null_page() => {
                    self.build.never(Claim::new(Property::Null, "call through a null pointer"));
                    self.nothing(ty)
                }
                // Undefined with other parameters than it has, but machines do it.
                _ => self.unmodelled_value("call through a pointer of another type than its function", ty),
            };
        }
        self.must_be_plain(term);
        // Bodies that are inlined are elsewhere: what is said of the pointer is said of its place.
        let span = self.build.span;
        // Where the pointer is known to be one of its type, nothing else can be meant.
        let class = Some(self.points.of_expr(pointer));
        let pointee = tree.types.pointee(tree.exprs[pointer].ty);
        let placed = pointee.is_some_and(|ty| self.is_placed(term, class, ty));
        let term = self.save(pointer, Purpose::Saved, term);
        let targets = self.points.called(tree, pointer);
        let meet = self.build.new_location();
        let result = self.result_place(expr);
        let mut reached = false;
        for function in targets {
            let address = self.code_address(Key::Function(function));
            let hit = self.build.arena.eq(term, address);
            if planted(Fault::FirstTargetCalled) {
                let value = self.call_function(expr, function, arguments);
                if let Some(result) = &result {
                    self.store(result, value);
                }
                reached |= self.build.reachable();
                self.build.goto(meet);
                break;
            }
            let Some(other) = self.build.split(hit) else { break };
            let returned = tree.types.as_function(tree.functions[function].ty).map(|f| f.result);
            let same = |found| layout::scalar(&tree.types, found) == layout::scalar(&tree.types, ty);
            if result.is_some() && !returned.is_some_and(same) {
                self.build.unmodelled("call through a pointer of another type than its function");
            }
            let value = self.call_function(expr, function, arguments);
            if let Some(result) = &result {
                self.store(result, value);
            }
            reached |= self.build.reachable();
            self.build.goto(meet);
            self.build.continue_at(other);
            self.build.span = span;
        }
        let idle = self.options.unknown_functions == UnknownFunctions::Nothing && self.may_be_outside(class);
        if idle {
            reached |= self.call_outside(expr, term, arguments, result.as_ref(), meet);
        }
        let zero = self.build.arena.bv(self.pointer_bits(), 0);
        let other = match placed {
            true if idle => self.build.arena.mk_false(),
            true if self.may_be_outside(class) => self.build.arena.bv_is_negative(term),
            true => self.build.arena.mk_false(),
            false => self.build.arena.ne(term, zero),
        };
        self.build.unmodelled_if(other, "call through a pointer to an unknown function");
        self.build.never(Claim::new(Property::Null, "call through a null pointer"));
        if reached {
            self.build.continue_at(meet);
        }
        self.build.span = span;
        self.called(result, ty)
    }

    /// What a call left in the place of its result.
    fn called(&mut self, result: Option<Place>, ty: TypeId) -> Val {
        match result {
            None => Val::Void,
            Some(place) if crate::lower::memory::layout::scalar(&self.tree.types, ty).is_some() => {
                Val::Scalar(self.read(&place))
            }
            Some(place) => Val::Aggregate(place),
        }
    }

    /// Where a pointer to a function is of unknown origin, it means a function of which nothing is known: it
    /// returns any value and does nothing else, if such functions do. Goes on where the pointer is none of
    /// these; whether the call returns.
    fn call_outside(
        &mut self,
        expr: ExprId,
        pointer: Term,
        arguments: &[ExprId],
        result: Option<&Place>,
        meet: LocationId,
    ) -> bool {
        let outside = self.build.arena.bv_is_negative(pointer);
        let rest = self.build.split(outside);
        let text = "functions of unknown origin return any value and do nothing else";
        self.build.rests_on(AssumptionKind::UnknownFunction, text);
        self.arguments(arguments);
        let value = self.any_value(expr, "a function of unknown origin");
        if let Some(result) = result {
            self.store(result, value);
        }
        let returns = self.build.reachable();
        self.build.goto(meet);
        match rest {
            Some(rest) => self.build.continue_at(rest),
            None => self.build.here = None,
        }
        returns
    }

    /// A place for the result of a call that several functions may give.
    fn result_place(&mut self, expr: ExprId) -> Option<Place> {
        let ty = self.tree.exprs[expr].ty;
        if self.tree.types.is_void(ty) {
            return None;
        }
        let (function, depth) = (self.frame().function, self.frame().depth);
        Some(crate::lower::translate::expr::whole(self.object(Key::Aggregate(function, depth, expr)), ty))
    }

    /// Stores a value of any type.
    pub(in crate::lower) fn store(&mut self, place: &Place, value: Val) {
        match value {
            Val::Void => {}
            Val::Scalar(term) => self.write(place, term),
            Val::Pointer(address) => {
                let term = self.address_term(&address);
                self.write(place, term);
            }
            Val::Aggregate(source) => {
                let ty = place.ty;
                self.copy(place, &source, ty);
            }
        }
    }
}
