//! Expressions: effects become steps in the order of evaluation (operands from left to right), values become
//! terms.
//!
//! A term speaks about the variables at the point where the lowering is. Whoever holds a term while something
//! with effects is evaluated saves it in a temporary first.

use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Address, Base, Place, Raw};
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::memory::object::ObjectId;
use crate::lower::translate::temporary::Purpose;
use crate::tree::{AddressBase, Conversion, ExprId, ExprKind, Scale, UnaryOp, VarId};
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_term::{Op, Sort, Term};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Val {
    /// None.
    Void,
    /// An integer, float or pointer.
    Scalar(Term),
    /// A pointer into a known object.
    Pointer(Address),
    /// A struct or union, as the place it is in.
    Aggregate(Place),
}

impl Lowering<'_> {
    /// The values of two operands, the first saved if the second has effects.
    pub(in crate::lower) fn pair(&mut self, first: ExprId, second: ExprId) -> (Term, Term) {
        let left = self.term(first);
        let saved = self.facts.has_effects(second) && !planted(Fault::OperandNotSaved);
        let left = if saved { self.save(first, Purpose::Saved, left) } else { left };
        let right = self.term(second);
        (left, right)
    }

    pub(in crate::lower) fn save_place(&mut self, expr: ExprId, place: Place) -> Place {
        let base = match place.base {
            Base::Known(mut address) => {
                for (number, (_, term)) in address.parts.iter_mut().enumerate() {
                    *term = self.save(expr, Purpose::Place(number), *term);
                }
                Base::Known(address)
            }
            Base::Raw(raw) => {
                let base = self.save(expr, Purpose::Place(0), raw.base);
                self.inherit(base, raw.base, raw.ty);
                Base::Raw(Raw { base, ..raw }.addressed(self))
            }
            Base::Nowhere => Base::Nowhere,
        };
        Place { base, ..place }
    }

    /// A value that keeps whatever is assigned. Structs stay where they are.
    pub(in crate::lower) fn save_value(&mut self, expr: ExprId, value: Val) -> Val {
        match value {
            Val::Scalar(term) => Val::Scalar(self.save(expr, Purpose::Saved, term)),
            Val::Pointer(address) if !address.parts.is_empty() => {
                let term = self.address_term(&address);
                Val::Scalar(self.save(expr, Purpose::Saved, term))
            }
            Val::Aggregate(place) => {
                let (function, depth) = (self.frame().function, self.frame().depth);
                let object = self.object(Key::Aggregate(function, depth, expr));
                let ty = place.ty;
                let copy = whole(object, ty);
                self.copy(&copy, &place, ty);
                Val::Aggregate(copy)
            }
            other => other,
        }
    }

    /// The term of a scalar expression.
    pub(in crate::lower) fn term(&mut self, expr: ExprId) -> Term {
        let value = self.value(expr);
        self.value_term(expr, value)
    }

    fn value_term(&mut self, expr: ExprId, value: Val) -> Term {
        match value {
            Val::Scalar(term) => term,
            Val::Pointer(address) => self.address_term(&address),
            Val::Void | Val::Aggregate(_) => self.default_term(self.tree.exprs[expr].ty),
        }
    }

    /// Some term of a scalar type, where the value does not matter.
    pub(in crate::lower) fn default_term(&mut self, ty: TypeId) -> Term {
        let kind = scalar(&self.tree.types, ty).map_or(Kind::Bits(32), |(kind, _)| kind);
        self.zero(kind)
    }

    fn default_value(&mut self, ty: TypeId) -> Val {
        if self.tree.types.is_void(ty) {
            Val::Void
        } else if scalar(&self.tree.types, ty).is_some() {
            Val::Scalar(self.default_term(ty))
        } else {
            Val::Aggregate(Place { base: Base::Nowhere, ty, bits: None })
        }
    }

    /// The value of what makes the program be refused.
    pub(in crate::lower) fn refused_value(&mut self, message: &str, ty: TypeId) -> Val {
        self.build.refuse(message);
        self.default_value(ty)
    }

    /// What stands here is not modelled; a value to go on with.
    pub(in crate::lower) fn unmodelled_value(&mut self, construct: &str, ty: TypeId) -> Val {
        self.build.unmodelled(construct);
        self.default_value(ty)
    }

    /// The value of an expression.
    pub(in crate::lower) fn value(&mut self, expr: ExprId) -> Val {
        crate::work::poll();
        let tree = self.tree;
        let node = &tree.exprs[expr];
        if !self.build.reachable() {
            return self.default_value(node.ty);
        }
        if let Some(term) = self.ready(expr) {
            return Val::Scalar(term);
        }
        if self.is_unordered(expr) && !matches!(node.kind, ExprKind::Update { .. }) {
            return self.in_order(expr, |this| this.value_in_order(expr));
        }
        self.value_in_order(expr)
    }

    /// The value of an expression, the order of evaluation being chosen.
    fn value_in_order(&mut self, expr: ExprId) -> Val {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        if !self.build.reachable() {
            return self.default_value(node.ty);
        }
        self.build.span = node.span;
        if self.facts.is_folded(expr) {
            self.rounds_to_nearest();
        }
        match &node.kind {
            ExprKind::Int(value) => Val::Scalar(self.int_constant(*value, node.ty)),
            ExprKind::Float(constant) => match scalar(&tree.types, node.ty) {
                Some((Kind::Float(e, s), _)) => Val::Scalar(self.float_constant(constant, e, s)),
                _ => self.unmodelled_value("complex constant", node.ty),
            },
            ExprKind::Load(place) => self.load(*place, node.ty),
            ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) => {
                let kept = temporary(tree, *place).is_some_and(|variable| self.facts.is_escaped(variable));
                let place = self.place(*place);
                if kept {
                    self.build.presume("an object that lives no longer than the expression that made it");
                }
                match place.base {
                    Base::Known(address) => self.object_address(address),
                    Base::Raw(raw) => Val::Scalar(self.address_of(&raw, node.ty)),
                    Base::Nowhere => self.default_value(node.ty),
                }
            }
            ExprKind::FunctionDecay(designator) => match tree.exprs[*designator].kind {
                ExprKind::Function(function) => Val::Scalar(self.function_address(function)),
                ExprKind::Deref(pointer) => self.value(pointer),
                _ => self.unmodelled_value("function designator", node.ty),
            },
            ExprKind::Address { base, offset } => {
                let object = match *base {
                    AddressBase::Variable(variable) => self.object(Key::Static(variable)),
                    AddressBase::String(string) => self.object(Key::String(string)),
                    AddressBase::Function(function) => {
                        return Val::Scalar(self.function_address(function));
                    }
                };
                self.object_address(Address { object, offset: *offset, parts: Vec::new() })
            }
            ExprKind::LabelAddress(label) => Val::Scalar(self.code_address(Key::Label(*label))),
            ExprKind::Convert { conversion, operand } => self.conversion(expr, *conversion, *operand),
            ExprKind::Unary { op, operand } => {
                let value = self.term(*operand);
                Val::Scalar(match (op, self.build.arena.sort(value)) {
                    (UnaryOp::Negate, Sort::Float(..)) => self.negate_float(value),
                    (UnaryOp::Negate, _) => {
                        self.build.span = node.span;
                        self.check_negation(value, node.ty);
                        self.build.arena.bv_neg(value)
                    }
                    (UnaryOp::BitNot, _) => self.build.arena.bv_not(value),
                })
            }
            ExprKind::Not(_) | ExprKind::Compare { .. } | ExprKind::And(..) | ExprKind::Or(..) => {
                let condition = self.condition(expr);
                Val::Scalar(self.int_of(condition))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = self.pair(*lhs, *rhs);
                self.build.span = node.span;
                Val::Scalar(match self.build.arena.sort(left) {
                    Sort::Float(..) => self.float_binary(*op, left, right),
                    _ => self.int_binary(*op, left, right, node.ty, tree.exprs[*rhs].ty),
                })
            }
            ExprKind::PointerOffset { pointer, index, scale, negate } => {
                let mut base = self.value(*pointer);
                if self.facts.has_effects(*index) {
                    base = self.save_value(*pointer, base);
                }
                let index_term = self.term(*index);
                let width = self.pointer_bits();
                let plain = planted(Fault::NegativeIndex) && *self.build.arena.sort(index_term) != Sort::Bool;
                let index = match plain {
                    true => self.extend(index_term, width, false),
                    false => self.int_to_width(index_term, tree.exprs[*index].ty, width),
                };
                let (index, scale) = match *scale {
                    Scale::Bytes(bytes) => (index, bytes.cast_signed()),
                    Scale::Dynamic(size) => {
                        let size_term = self.term(size);
                        let size = self.int_to_width(size_term, tree.exprs[size].ty, width);
                        self.scaled(index, size)
                    }
                };
                self.build.span = node.span;
                let negate = *negate && !planted(Fault::PointerMinusAdds);
                let scale = if negate { -scale } else { scale };
                self.moved(base, scale, index, tree.types.pointee(node.ty))
            }
            ExprKind::PointerDifference { lhs, rhs, scale } => {
                let (left, right) = self.pair(*lhs, *rhs);
                let difference = self.distance(expr, (*lhs, left), (*rhs, right));
                let scale = match *scale {
                    Scale::Bytes(_) if planted(Fault::DifferenceUnscaled) => {
                        self.build.arena.bv(self.pointer_bits(), 1)
                    }
                    Scale::Bytes(bytes) => self.build.arena.bv(self.pointer_bits(), bytes),
                    Scale::Dynamic(size) => {
                        let term = self.term(size);
                        self.int_to_width(term, tree.exprs[size].ty, self.pointer_bits())
                    }
                };
                Val::Scalar(self.build.arena.bv_sdiv(difference, scale))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(expr, *condition, *then, *otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.effect(*first);
                self.value(*second)
            }
            ExprKind::Assign { target, value } => self.assignment_value(expr, *target, *value),
            ExprKind::Update { target, old, value, postfix } => {
                let used = if *postfix { Used::Before } else { Used::After };
                let (before, after) = self.update_place(expr, *target, *old, *value, used);
                Val::Scalar(if *postfix && !planted(Fault::PostfixGivesNew) { before } else { after })
            }
            ExprKind::Old => match self.olds.get(&(self.calls.frames.len(), expr)).cloned() {
                Some(Old::Value(old)) => Val::Scalar(old),
                Some(Old::At(target, place)) => Val::Scalar(self.read_lvalue(target, &place)),
                None => self.default_value(node.ty),
            },
            ExprKind::Call { callee, arguments } => self.call(expr, *callee, arguments),
            ExprKind::Builtin { builtin, arguments } => self.builtin(expr, *builtin, arguments),
            ExprKind::VaArg(list) => self.next_argument(expr, *list),
            ExprKind::Statement { block, value } => self.block(*block, |this| match *value {
                Some(value) => {
                    let result = this.value(value);
                    // What is called at the end of the block may change what the value is made of.
                    let keep = this.frame().cleanups.is_empty() || !this.build.reachable();
                    if keep { result } else { this.save_value(value, result) }
                }
                None => Val::Void,
            }),
            _ => {
                // An lvalue where its value does not matter.
                self.place(expr);
                Val::Void
            }
        }
    }

    /// `index · size` as a term times a constant: a constant factor of the size goes into the constant.
    fn scaled(&mut self, index: Term, size: Term) -> (Term, i64) {
        let constant =
            |this: &Self, term: Term| this.build.arena.as_bitvec(term).and_then(nilas_term::BitVec::to_i64);
        if let Some(size) = constant(self, size) {
            return (index, size);
        }
        if self.build.arena.op(size) == Op::BvMul
            && let [a, b] = *self.build.arena.children(size)
        {
            for (factor, rest) in [(a, b), (b, a)] {
                if let Some(factor) = constant(self, factor) {
                    return (self.build.arena.bv_mul(index, rest), factor);
                }
            }
        }
        (self.build.arena.bv_mul(index, size), 1)
    }

    /// A pointer moved by `scale · index` bytes.
    pub(in crate::lower) fn moved(
        &mut self,
        base: Val,
        scale: i64,
        index: Term,
        pointee: Option<TypeId>,
    ) -> Val {
        if self.build.level(index) != Level::Clean {
            return self.moved_by_address(base, scale, index);
        }
        let constant = self.build.arena.as_bitvec(index).and_then(nilas_term::BitVec::to_i64);
        match base {
            Val::Pointer(mut address) => {
                match constant.and_then(|index| address.offset.checked_add(index.checked_mul(scale)?)) {
                    Some(offset) => address.offset = offset,
                    None => address.parts.push((scale, index)),
                }
                Val::Pointer(address)
            }
            Val::Scalar(term) => {
                let scale = self.build.arena.bv(self.pointer_bits(), scale.cast_unsigned());
                let distance = self.build.arena.bv_mul(index, scale);
                let moved = self.build.arena.bv_add(term, distance);
                self.claim_moved(term, moved, pointee);
                Val::Scalar(moved)
            }
            other => other,
        }
    }

    /// A pointer moved by what was computed from an address, as `(char *)0 + (unsigned long)q` or a distance
    /// to another object: a number that is made a pointer. Programs rely on where it gets to, so nothing is
    /// claimed of it.
    fn moved_by_address(&mut self, base: Val, scale: i64, index: Term) -> Val {
        let term = match base {
            Val::Pointer(address) => self.address_term(&address),
            Val::Scalar(term) => term,
            other => return other,
        };
        let scale = self.build.arena.bv(self.pointer_bits(), scale.cast_unsigned());
        let distance = self.build.arena.bv_mul(index, scale);
        Val::Scalar(self.build.arena.bv_add(term, distance))
    }

    fn load(&mut self, lvalue: ExprId, ty: TypeId) -> Val {
        if let ExprKind::Variable(variable) = self.tree.exprs[lvalue].kind
            && let Some(&term) = self.calls.frames.last().and_then(|frame| frame.bound.get(&variable))
        {
            return Val::Scalar(term);
        }
        let place = self.place(lvalue);
        self.build.span = self.tree.exprs[lvalue].span;
        if scalar(&self.tree.types, ty).is_some() {
            let term = self.read_lvalue(lvalue, &place);
            self.assume_argument(lvalue, &place, term);
            Val::Scalar(term)
        } else {
            self.read_volatile_struct(lvalue, &place);
            Val::Aggregate(place)
        }
    }

    fn conversion(&mut self, expr: ExprId, conversion: Conversion, operand: ExprId) -> Val {
        let (ty, span) = (self.tree.exprs[expr].ty, self.tree.exprs[expr].span);
        let from = self.tree.exprs[operand].ty;
        match conversion {
            Conversion::ToVoid => {
                self.effect(operand);
                Val::Void
            }
            Conversion::Same | Conversion::PointerToPointer => self.value(operand),
            Conversion::IntToBool | Conversion::IntToInt if is_logical(&self.tree.exprs[operand].kind) => {
                let condition = self.condition(operand);
                Val::Scalar(match scalar(&self.tree.types, ty) {
                    Some((Kind::Bits(width), _)) => self.build.arena.bool_to_bv(condition, width),
                    _ => condition,
                })
            }
            Conversion::PointerToBool => match self.value(operand) {
                Val::Pointer(_) => Val::Scalar(self.build.arena.mk_true()),
                value => {
                    let term = self.value_term(operand, value);
                    Val::Scalar(self.truth(term))
                }
            },
            Conversion::IntToPointer => {
                let value = self.term(operand);
                let pointer = self.convert(conversion, value, from, ty);
                let constant = self.build.arena.as_bitvec(pointer).and_then(nilas_term::BitVec::to_u64);
                if constant.is_some_and(|address| self.at_address(address).is_some()) {
                    // A number, which only happens to be what an object has got for its address.
                    self.build.unmodelled("a pointer to a fixed address");
                }
                Val::Scalar(pointer)
            }
            Conversion::PointerToInt => {
                let value = self.term(operand);
                let value = self.as_number(operand, value);
                Val::Scalar(self.convert(conversion, value, from, ty))
            }
            _ => {
                let value = self.term(operand);
                self.build.span = span;
                if conversion == Conversion::IntToInt {
                    self.check_conversion(value, from, ty);
                }
                Val::Scalar(self.convert(conversion, value, from, ty))
            }
        }
    }

    /// An address as a number: in a variable, so that nobody computes with it as with the constant that it
    /// may be.
    fn as_number(&mut self, expr: ExprId, address: Term) -> Term {
        if self.build.arena.as_bitvec(address).is_some_and(nilas_term::BitVec::is_zero) {
            return address;
        }
        let sort = self.build.arena.sort(address).clone();
        let (variable, number) = self.temporary(expr, Purpose::Number, &sort);
        self.build.assign(variable, address);
        self.inherit(number, address, self.tree.types.pointee(self.tree.exprs[expr].ty));
        number
    }

    fn conditional(&mut self, expr: ExprId, condition: ExprId, then: ExprId, otherwise: ExprId) -> Val {
        let ty = self.tree.exprs[expr].ty;
        let plain = !self.facts.has_effects(then) && !self.facts.has_effects(otherwise);
        let kind = scalar(&self.tree.types, ty);
        if plain && kind.is_some() {
            let test = self.condition(condition);
            match self.build.arena.as_bool(test) {
                Some(true) => return self.value(then),
                Some(false) => return self.value(otherwise),
                None => {}
            }
            let first = self.guarded(test, |this| this.term(then));
            let not = self.build.arena.not(test);
            let second = self.guarded(not, |this| this.term(otherwise));
            return Val::Scalar(self.choose(test, first, second));
        }
        let other = self.test(condition);
        if other.is_none() {
            return self.value(then);
        }
        let Some((kind, _)) = kind else {
            if self.tree.types.is_void(ty) {
                self.effect(then);
                self.join(other, |this| this.effect(otherwise));
                return Val::Void;
            }
            let (function, depth) = (self.frame().function, self.frame().depth);
            let object = self.object(Key::Aggregate(function, depth, expr));
            let copy = whole(object, ty);
            self.aggregate_into(&copy, then);
            self.join(other, |this| this.aggregate_into(&copy, otherwise));
            return Val::Aggregate(copy);
        };
        let held = self.held_kind(kind).sort();
        let (variable, result) = self.temporary(expr, Purpose::Joined, &held);
        let pointee = self.tree.types.pointee(ty);
        let first = self.term(then);
        let first = self.held(first);
        self.build.assign(variable, first);
        let (one, mut both) = (self.known_pointer(first, pointee), None);
        self.join(other, |this| {
            let second = this.term(otherwise);
            let second = this.held(second);
            this.build.assign(variable, second);
            both = this.known_pointer(second, pointee).filter(|known| Some(*known) == one);
        });
        match both {
            Some(known) => self.memory.provenance.learn(result, known),
            None => self.memory.provenance.forget(result),
        }
        Val::Scalar(self.unheld(result, kind))
    }

    fn aggregate_into(&mut self, target: &Place, value: ExprId) {
        if let Val::Aggregate(source) = self.value(value) {
            let ty = target.ty;
            self.copy(target, &source, ty);
        }
    }

    /// Assigns; the place and what was stored.
    pub(in crate::lower) fn assignment(
        &mut self,
        expr: ExprId,
        target: ExprId,
        value: ExprId,
    ) -> (Place, Val) {
        let mut place = self.place(target);
        if self.facts.has_effects(value) {
            place = self.save_place(target, place);
        }
        let stored = self.value(value);
        self.build.span = self.tree.exprs[expr].span;
        match &stored {
            Val::Aggregate(source) => {
                let ty = place.ty;
                self.copy(&place, source, ty);
            }
            Val::Void => {}
            _ => {
                let term = self.value_term(value, stored.clone());
                if let ExprKind::Variable(variable) = self.tree.exprs[target].kind {
                    self.check_length(variable, value, term);
                }
                self.write(&place, term);
            }
        }
        (place, stored)
    }

    fn assignment_value(&mut self, expr: ExprId, target: ExprId, value: ExprId) -> Val {
        if scalar(&self.tree.types, self.tree.exprs[expr].ty).is_none() {
            let (place, _) = self.assignment(expr, target, value);
            return Val::Aggregate(place);
        }
        let mut place = self.place(target);
        if self.facts.has_effects(value) {
            place = self.save_place(target, place);
        }
        let term = self.term(value);
        let term = self.save(expr, Purpose::Saved, term);
        self.build.span = self.tree.exprs[expr].span;
        self.write(&place, term);
        Val::Scalar(self.stored(&place, term))
    }

    /// The value of a place after a term was written to it: a bit-field may have cut it.
    fn stored(&mut self, place: &Place, term: Term) -> Term {
        match place.bits {
            None => term,
            Some(_) if planted(Fault::BitFieldValueNotCut) => term,
            Some(bits) => {
                let raw = self.as_bits(term);
                let cut = self.extend(raw, bits.width, false);
                self.widen_bits(cut, bits, place.ty)
            }
        }
    }

    /// Compound assignment: the values before and after, both saved if they are used.
    pub(in crate::lower) fn update_place(
        &mut self,
        expr: ExprId,
        target: ExprId,
        old: ExprId,
        value: ExprId,
        used: Used,
    ) -> (Term, Term) {
        let mut place = self.place(target);
        if self.facts.has_effects(value) {
            place = self.save_place(target, place);
        }
        let key = (self.calls.frames.len(), old);
        let unordered = self.is_unordered(expr);
        let before = if unordered {
            // It is read where its turn comes.
            self.olds.insert(key, Old::At(target, place.clone()));
            self.default_term(place.ty)
        } else {
            let before = self.read_lvalue(target, &place);
            let keep = used == Used::Before || self.facts.has_effects(value);
            let before = if keep { self.save(expr, Purpose::Saved, before) } else { before };
            self.olds.insert(key, Old::Value(before));
            before
        };
        let after = if unordered { self.in_order(expr, |this| this.term(value)) } else { self.term(value) };
        let after = if used == Used::After { self.save(expr, Purpose::After, after) } else { after };
        self.build.span = self.tree.exprs[expr].span;
        self.write(&place, after);
        (before, self.stored(&place, after))
    }

    /// The place that an lvalue designates.
    pub(in crate::lower) fn place(&mut self, expr: ExprId) -> Place {
        let tree = self.tree;
        let node = &tree.exprs[expr];
        let nowhere = Place { base: Base::Nowhere, ty: node.ty, bits: None };
        if !self.build.reachable() {
            return nowhere;
        }
        self.build.span = node.span;
        match node.kind {
            ExprKind::Variable(variable) => {
                let object = self.variable_object(variable);
                whole(object, node.ty)
            }
            ExprKind::String(string) => whole(self.object(Key::String(string)), node.ty),
            ExprKind::CompoundLiteral(variable) => {
                let object = self.variable_object(variable);
                if tree.variables[variable].duration == crate::tree::Duration::Automatic {
                    self.begin_life(self.local(variable));
                    self.initialise(variable, object);
                }
                whole(object, node.ty)
            }
            ExprKind::Materialise { value, variable } => {
                let object = self.variable_object(variable);
                let place = whole(object, node.ty);
                self.begin_life(self.local(variable));
                self.in_order(expr, |this| this.aggregate_into(&place, value));
                place
            }
            ExprKind::Member { base, offset, bits } => {
                let place = self.place(base);
                let base = place.base.shifted(self, offset);
                Place { base, ty: node.ty, bits }
            }
            ExprKind::Deref(pointer) => {
                let value = self.value(pointer);
                self.check_index(pointer, &value);
                self.build.span = node.span;
                self.pointed(value, node.ty, Some(self.points.of_expr(pointer)))
            }
            _ => {
                self.build.unmodelled("this lvalue");
                nowhere
            }
        }
    }
}

/// What the target of a compound assignment held.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Old {
    /// This.
    Value(Term),
    /// What is there when it is asked for.
    At(ExprId, Place),
}

/// Which value of a compound assignment is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Used {
    No,
    Before,
    After,
}

/// The object that an expression makes for its value, if an lvalue is a part of it. It dies with the full
/// expression (6.2.4p8).
fn temporary(tree: &crate::tree::Program, mut place: ExprId) -> Option<VarId> {
    loop {
        match tree.exprs[place].kind {
            ExprKind::Materialise { variable, .. } => return Some(variable),
            ExprKind::Member { base, .. } => place = base,
            _ => return None,
        }
    }
}

/// An object as a place.
pub(in crate::lower) fn whole(object: ObjectId, ty: TypeId) -> Place {
    Place { base: Base::Known(Address { object, offset: 0, parts: Vec::new() }), ty, bits: None }
}

/// Expressions of type `int` that are 0 or 1.
pub(in crate::lower) fn is_logical(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Compare { .. } | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Not(_))
}
