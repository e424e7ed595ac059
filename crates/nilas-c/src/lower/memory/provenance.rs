//! What is known of where pointers point: checked where they are stored, relied on where they are loaded.
//!
//! The points-to analysis ([`super::points`]) says which class of objects a pointer is expected to point
//! into. No proof may rest on that. So the lowering keeps a discipline of its own, whose argument is local to
//! each step:
//!
//! - A pointer in memory (a *leaf* of pointer type) has an expected set of values: null, the code and the
//!   span of one class, and, if the analysis says so, memory of unknown origin ([`Lowering::expected`]); and,
//!   if it has one, a *position*: where it points to code or into the span, there is something of that type,
//!   or the end of an array of it.
//! - Every write of such a leaf checks the value: it is known to be expected by construction, or a branch to
//!   *unmodelled* leaves the executions where it is not. So every load may rely on it, whatever the analysis
//!   lost.
//! - Leaves that are also written in parts, through unions or as numbers are *loose*: nothing is checked
//!   where they are written and nothing is known where they are loaded. Which leaves these are is found while
//!   lowering, and relied on in the next round only; a round that finds a new one is not the last, see
//!   [`crate::lower::lowering`].
//! - Arithmetic on a pointer keeps it in the region of its object: elsewhere is outside of the object, which
//!   C leaves undefined (6.5.6p8). What comes from a number is known nowhere, and checked where it is used.
//!
//! Knowledge is attached to terms. A variable of a leaf is known at all times, because all its assignments
//! are checked; a temporary, because it was assigned just before; a sum, because nothing but pointer
//! arithmetic makes such a term: conversions to integers go through a temporary.

use super::Key;
use super::access::{Address, Raw};
use super::object::{ObjectId, innermost};
use super::points::Class;
use super::span::Span;
use crate::lower::lowering::Lowering;
use crate::property::{Claim, Property};
use crate::tree::FunctionId;
use crate::types::{TypeId, TypeKind};
use nilas_fault::{Fault, planted};
use nilas_term::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Known {
    /// Null, or memory of unknown origin.
    Outside,
    /// Among the expected values of pointers into the class.
    In(Within),
}

/// See [`Known::In`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Within {
    pub(in crate::lower) class: Option<Class>,
    /// What it points to, if it points into the span of the class.
    pub(in crate::lower) position: Option<Position>,
    /// It was moved by up to [`SLACK`] bytes since it was last in its object.
    pub(in crate::lower) near: bool,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Position {
    /// Something of a type, or the end of an array of it.
    Type(TypeId),
    /// Null, or memory of unknown origin.
    Nowhere,
}

/// Bytes behind every object that still belong to its region: a member of what a pointer into the object
/// points to is never in the region of another object.
pub(in crate::lower) const SLACK: u64 = 64;
/// Addresses below are null, or members of null.
pub(in crate::lower) const PAGE: u64 = 4096;
/// Terms with more alternatives are not looked into.
const MOST_ALTERNATIVES: usize = 32;

pub(in crate::lower) const STORED: &str = "a pointer to an object that was not foreseen is stored";
pub(in crate::lower) const ARITHMETIC: Claim =
    Claim::auxiliary(Property::Bounds, "pointer arithmetic that leaves its object");

/// Leaves whose pointers promise less, or (void pointers) more than their type says.
#[derive(Clone, Default)]
struct Exceptions {
    /// Nothing is known of them.
    loose: BTreeSet<(Key, usize)>,
    /// They have no position.
    unplaced: BTreeSet<(Key, usize)>,
    /// What void pointers carry: the position of all that was stored there, or `None` if it is not one.
    carried: BTreeMap<(Key, usize), Option<TypeId>>,
}

/// What is known of the pointers of a round, and which leaves are loose or hold pointers to anything.
#[derive(Default)]
pub(in crate::lower) struct Provenance {
    of: FxHashMap<Term, Known>,
    /// The exceptions of the rounds before, and those found.
    found: Exceptions,
    /// Something was not checked, because nothing was known of addresses yet.
    pub(in crate::lower) unchecked: bool,
    /// The same, as it was when the round began: what it relies on.
    relied: Box<Exceptions>,
}

impl Provenance {
    /// What the next round knows at its beginning.
    pub(in crate::lower) fn after(before: Provenance) -> Self {
        let relied = Box::new(before.found.clone());
        Provenance { of: FxHashMap::default(), found: before.found, unchecked: false, relied }
    }

    /// How many exceptions there are; more in a later round, until none is added.
    pub(in crate::lower) fn size(&self) -> usize {
        let Exceptions { loose, unplaced, carried } = &self.found;
        let mixed = carried.values().filter(|ty| ty.is_none()).count();
        loose.len() + unplaced.len() + carried.len() + mixed
    }

    /// From here on a term is known.
    pub(in crate::lower) fn learn(&mut self, term: Term, known: Known) {
        self.of.insert(term, known);
    }

    /// From here on nothing is known of a term.
    pub(in crate::lower) fn forget(&mut self, term: Term) {
        self.of.remove(&term);
    }
}

impl Lowering<'_> {
    /// The class that the pointers in an object are expected to point into.
    pub(in crate::lower) fn content_class(&self, key: Key) -> Option<Class> {
        match key {
            Key::Static(variable) => self.points.content_of(self.points.of_variable(variable)),
            Key::Local(local) => self.points.content_of(self.points.of_variable(local.variable)),
            Key::Heap(site, ..) | Key::Pool(site, _) => {
                self.points.content_of(self.points.of_allocation(site.call))
            }
            Key::Result(function, _) => Some(self.points.of_result(function)),
            Key::Aggregate(_, _, expr) => Some(self.points.of_expr(expr)),
            Key::String(_) | Key::External(_) | Key::Function(_) | Key::Label(_) => None,
        }
    }

    /// What the pointers of a leaf are known to be; `None` if it is loose.
    pub(in crate::lower) fn leaf_known(&self, object: ObjectId, leaf: usize) -> Option<Within> {
        let key = self.memory.objects[object.0].key;
        let pointee = self.memory.objects[object.0].leaves[leaf].pointee?;
        self.promised(key, leaf, pointee)
    }

    /// What the pointers of a leaf that points to a type are known to be.
    pub(in crate::lower) fn promised(&self, key: Key, leaf: usize, pointee: TypeId) -> Option<Within> {
        let Exceptions { loose, unplaced, carried } = &*self.memory.provenance.relied;
        if loose.contains(&(key, leaf)) || matches!(key, Key::External(_)) {
            return None;
        }
        let class = self.content_class(key);
        let types = &self.tree.types;
        let pointee = match carried.get(&(key, leaf)) {
            Some(&Some(carried)) if types.is_void(pointee) => carried,
            _ => pointee,
        };
        let position = self.position_type(pointee).filter(|_| !unplaced.contains(&(key, leaf)));
        Some(Within { class, position: position.map(Position::Type), near: false })
    }

    /// The type that pointers are declared to point to, where that says something.
    fn position_type(&self, ty: TypeId) -> Option<TypeId> {
        let types = &self.tree.types;
        let bytes = types.is_void(ty) || types.size_of(ty).is_none_or(|size| size <= 1);
        let code = matches!(types.kind(ty), TypeKind::Function(_));
        (code || !bytes && !matches!(types.kind(ty), TypeKind::Array(..))).then_some(ty)
    }

    /// What is known of a term.
    ///
    /// The address of an object has many positions (an array, its first element, …): it has the wanted one,
    /// if it can.
    fn found(&self, term: Term, wanted: Option<TypeId>) -> Option<Found> {
        let mut found = Found { outside: false, within: None, code: Vec::new() };
        let mut work = vec![term];
        let mut count = 0;
        while let Some(term) = work.pop() {
            crate::work::poll();
            count += 1;
            if count > MOST_ALTERNATIVES {
                return None;
            }
            let arena = &self.build.arena;
            if let Some(constant) = arena.as_bitvec(term) {
                if let Some((Key::Function(function), 0)) = self.at_address(constant.to_u64()?) {
                    // Only what the plan knows lies where it is expected.
                    self.memory.plan.as_ref()?.addresses.get(&Key::Function(function))?;
                    found.code.push(function);
                    continue;
                }
                let within = self.constant_known(constant.to_u64()?, wanted)?;
                found.within = self.join_known(found.within, within)?;
                continue;
            }
            let known = match self.memory.provenance.of.get(&term) {
                Some(&known) => known,
                None => match (arena.op(term), arena.children(term)) {
                    (Op::Ite, &[_, then, otherwise]) => {
                        work.extend([then, otherwise]);
                        continue;
                    }
                    (Op::Select, &[array, _]) => *self.memory.provenance.of.get(&array)?,
                    _ => return None,
                },
            };
            match known {
                Known::Outside => found.outside = true,
                Known::In(within) => found.within = self.join_known(found.within, Some(within))?,
            }
        }
        Some(found)
    }

    /// What holds of two alternatives; `None` if nothing does.
    fn join_known(&self, one: Option<Within>, other: Option<Within>) -> Option<Option<Within>> {
        match (one, other) {
            (None, known) | (known, None) => Some(known),
            (Some(a), Some(b)) if a.class == b.class => {
                let position = match (a.position, b.position) {
                    (Some(Position::Nowhere), position) | (position, Some(Position::Nowhere)) => position,
                    (Some(Position::Type(one)), Some(Position::Type(other))) => {
                        let same = self.tree.types.compatible_unqualified(one, other);
                        same.then_some(Position::Type(one))
                    }
                    _ => None,
                };
                Some(Some(Within { class: a.class, position, near: a.near || b.near }))
            }
            _ => None,
        }
    }

    /// What is known of a constant: `None` if nothing, `Some(None)` for null.
    fn constant_known(&self, address: u64, wanted: Option<TypeId>) -> Option<Option<Within>> {
        if address == 0 {
            return Some(None);
        }
        let (key, offset) = self.at_address(address)?;
        // Only what the plan knows lies in the span of its class.
        self.memory.plan.as_ref()?.addresses.get(&key)?;
        let class = self.object_class(key)?;
        let own = || match key {
            _ if offset != 0 => None,
            Key::Static(variable) => Some(self.tree.variables[variable].ty),
            Key::Local(local) => Some(self.tree.variables[local.variable].ty),
            Key::Heap(..) => self.memory.shapes.get(&key).map(|shape| shape.element),
            _ => None,
        };
        let position = match wanted {
            Some(ty) => self.type_at(key, offset, ty).then_some(ty),
            None => own().and_then(|ty| self.position_type(innermost(&self.tree.types, ty))),
        };
        let position = position.map(Position::Type);
        Some(Some(Within { class: Some(class), position, near: false }))
    }

    /// What is known of a term, if that says that it is expected in a class.
    pub(in crate::lower) fn known_in(
        &self,
        term: Term,
        class: Option<Class>,
        wanted: Option<TypeId>,
    ) -> Option<Within> {
        let found = self.found(term, wanted.and_then(|ty| self.position_type(ty)))?;
        if found.outside && !self.may_be_outside(class) {
            return None;
        }
        let within = match found.within {
            Some(within) => Some(within).filter(|within| within.class == class)?,
            None => Within { class, position: Some(Position::Nowhere), near: false },
        };
        let Some(&first) = found.code.first() else { return Some(within) };
        // Code is in any class that the analysis found it in, and of the wanted type, if it can be.
        let expected = self.points.code(class?);
        if !found.code.iter().all(|function| expected.contains(function)) {
            return None;
        }
        let types = &self.tree.types;
        let ty = wanted.unwrap_or(self.tree.functions[first].ty);
        let same =
            |function: &FunctionId| types.compatible_unqualified(ty, self.tree.functions[*function].ty);
        let position = found.code.iter().all(same).then_some(Position::Type(ty));
        self.join_known(Some(Within { class, position, near: false }), Some(within))?
    }

    /// What is known of a term, whatever the class.
    pub(in crate::lower) fn known_pointer(&self, term: Term, wanted: Option<TypeId>) -> Option<Known> {
        let found = self.found(term, wanted.and_then(|ty| self.position_type(ty)))?;
        if !found.code.is_empty() {
            return None;
        }
        match found.within {
            Some(within) if !found.outside || self.may_be_outside(within.class) => Some(Known::In(within)),
            Some(_) => None,
            None => Some(Known::Outside),
        }
    }

    /// Whether pointers into a class may point to memory of unknown origin.
    pub(in crate::lower) fn may_be_outside(&self, class: Option<Class>) -> bool {
        class.is_some_and(|class| {
            let origin = self.points.origin(class);
            origin.external || origin.uninitialised
        })
    }

    /// Whether an address is among the expected ones of a class.
    pub(in crate::lower) fn expected(&mut self, address: Term, class: Option<Class>) -> Term {
        let Some(plan) = &self.memory.plan else {
            self.memory.provenance.unchecked = true;
            return self.build.arena.mk_true();
        };
        if self.is_new(address) {
            return self.build.arena.mk_true();
        }
        let span = class.and_then(|class| plan.spans.get(&class)).map(|span| (span.start, span.end));
        let code = match class {
            Some(class) => plan.code_of(self.points.code(class)),
            None => vec![plan.code],
        };
        let width = self.pointer_bits();
        let page = self.build.arena.bv(width, self.null_page());
        let mut ways = vec![self.build.arena.bv_ult(address, page)];
        if self.may_be_outside(class) {
            ways.push(self.build.arena.bv_is_negative(address));
        }
        for (start, end) in span.into_iter().chain(code) {
            if start < end {
                let (start, end) = (self.build.arena.bv(width, start), self.build.arena.bv(width, end));
                let above = self.build.arena.bv_ule(start, address);
                let below = self.build.arena.bv_ult(address, end);
                ways.push(self.build.arena.and(&[above, below]));
            }
        }
        self.build.arena.or(&ways)
    }

    /// Whether a term is an address that was given in this round: the plan does not know it, so this is not
    /// the last round, and nothing is learnt from it.
    fn is_new(&self, term: Term) -> bool {
        let constant = self.build.arena.as_bitvec(term).and_then(nilas_term::BitVec::to_u64);
        let found = constant.and_then(|address| self.at_address(address));
        found.is_some_and(|(key, _)| self.memory.new.contains(&key))
    }

    /// Checks a pointer that is written into a leaf, where a condition holds. `whole` says that all of the
    /// leaf is written.
    pub(in crate::lower) fn check_stored(
        &mut self,
        object: ObjectId,
        leaf: usize,
        value: Term,
        whole: bool,
        condition: Option<Term>,
    ) {
        let Some(promised) = self.leaf_known(object, leaf) else { return };
        let key = self.memory.objects[object.0].key;
        // A float that is written over a pointer is a part of one, too.
        let pointer = Sort::BitVec(self.pointer_bits());
        if !whole || *self.build.arena.sort(value) != pointer {
            self.memory.provenance.found.loose.insert((key, leaf));
            return;
        }
        if self.memory.plan.is_none() {
            self.memory.provenance.unchecked = true;
            return;
        }
        if self.is_new(value) {
            return;
        }
        self.note_carried(key, leaf, object, value, promised.class);
        let wanted = match promised.position {
            Some(Position::Type(ty)) => Some(ty),
            _ => None,
        };
        if let Some(known) = self.known_in(value, promised.class, wanted) {
            if let Some(wanted) = wanted
                && !self.is_at(known.position, wanted)
            {
                self.memory.provenance.found.unplaced.insert((key, leaf));
            }
            if known.near {
                let inside = self.slack_safe(value, promised.class);
                let inside = match condition {
                    Some(condition) => self.build.arena.implies(condition, inside),
                    None => inside,
                };
                self.stays_in(promised.class, inside, ARITHMETIC);
            }
            return;
        }
        if promised.position.is_some() {
            self.memory.provenance.found.unplaced.insert((key, leaf));
        }
        let expected = self.expected(value, promised.class);
        let not = self.build.arena.not(expected);
        let stray = match condition {
            Some(condition) => self.build.arena.and(&[condition, not]),
            None => not,
        };
        // A number that is no address at all, as in tables of device ids: every execution that comes here
        // would leave the model, so the leaf had better promise nothing.
        if self.build.arena.as_bool(not) == Some(true) && self.build.arena.as_bitvec(value).is_some() {
            self.memory.provenance.found.loose.insert((key, leaf));
        }
        if planted(Fault::StrayStoreAssumed) {
            let expected = self.build.arena.not(stray);
            self.build.assume(expected);
        }
        self.build.unmodelled_if(stray, STORED);
    }

    /// Notes what a void pointer carries, for the next round.
    fn note_carried(&mut self, key: Key, leaf: usize, object: ObjectId, value: Term, class: Option<Class>) {
        let pointee = self.memory.objects[object.0].leaves[leaf].pointee;
        if !pointee.is_some_and(|ty| self.tree.types.is_void(ty)) {
            return;
        }
        let position = match self.known_in(value, class, None).map(|known| known.position) {
            Some(Some(Position::Nowhere)) => return,
            Some(Some(Position::Type(ty))) => Some(ty),
            _ => None,
        };
        let noted = self.memory.provenance.found.carried.entry((key, leaf)).or_insert(position);
        let same = noted.zip(position).is_some_and(|(a, b)| self.tree.types.compatible_unqualified(a, b));
        if !same {
            *noted = None;
        }
    }

    pub(in crate::lower) fn unmodelled_where(&mut self, condition: Option<Term>, construct: &str) {
        match condition {
            Some(condition) => self.build.unmodelled_if(condition, construct),
            None => self.build.unmodelled(construct),
        }
    }

    /// Whether what is at a position is of a type.
    fn is_at(&self, position: Option<Position>, wanted: TypeId) -> bool {
        match position {
            None => false,
            Some(Position::Nowhere) => true,
            Some(Position::Type(ty)) => self.tree.types.compatible_unqualified(ty, wanted),
        }
    }

    /// Whether an access through a pointer to a type is at a position of that type.
    pub(in crate::lower) fn is_placed(&self, pointer: Term, class: Option<Class>, ty: TypeId) -> bool {
        let known = self.known_in(pointer, class, Some(ty));
        known.is_some_and(|known| self.position_type(ty).is_some_and(|ty| self.is_at(known.position, ty)))
    }

    /// Whether there is something of a type at an offset of an object, or the object ends there.
    fn type_at(&self, key: Key, offset: u64, wanted: TypeId) -> bool {
        let Some(&object) = self.memory.by_key.get(&key) else { return false };
        let object = &self.memory.objects[object.0];
        if offset == object.size && object.length.is_none() && !matches!(key, Key::Pool(..)) {
            return true;
        }
        let types = &self.tree.types;
        match types.as_record(wanted) {
            Some(record) => object.leaves.iter().any(|leaf| {
                leaf.within.iter().any(|&(id, before, array)| {
                    // The first member tells where the struct begins.
                    let first = offset * 8 + before;
                    let begins = match array {
                        true => first == leaf.offset,
                        false => leaf.element_at(first).is_some_and(|(_, low)| low == 0),
                    };
                    id == record && begins
                })
            }),
            None => super::layout::scalar(types, wanted).is_some_and(|(kind, width)| {
                let at =
                    |leaf: &super::object::Leaf| leaf.element_at(offset * 8).is_some_and(|(_, low)| low == 0);
                let pointer = types.pointee(wanted).is_some();
                object.leaves.iter().any(|leaf| {
                    leaf.kind == kind && leaf.width == width && leaf.pointee.is_some() == pointer && at(leaf)
                })
            }),
        }
    }

    /// Whether all objects of a class are made of nothing but elements of a type, so that arithmetic on
    /// pointers to that type finds another one.
    fn is_made_of(&self, class: Option<Class>, ty: TypeId) -> bool {
        let Some(plan) = &self.memory.plan else { return false };
        let types = &self.tree.types;
        class.is_some()
            && plan.addresses.keys().filter(|&&key| self.object_class(key) == class).all(|&key| {
                let own = match key {
                    Key::Static(variable) => Some(self.tree.variables[variable].ty),
                    Key::Local(local) => Some(self.tree.variables[local.variable].ty),
                    Key::Heap(..) | Key::Pool(..) => self.memory.shapes.get(&key).map(|shape| shape.element),
                    _ => None,
                };
                own.is_some_and(|own| types.compatible_unqualified(innermost(types, own), ty))
            })
    }

    /// A pointer moved by arithmetic, or to a member that is far away: it stays in the region of its object,
    /// or the behaviour is undefined.
    pub(in crate::lower) fn claim_moved(&mut self, base: Term, moved: Term, pointee: Option<TypeId>) {
        // `(char *)0 + u` is a number that is made a pointer.
        let number = self.build.arena.as_bitvec(base).and_then(nilas_term::BitVec::to_u64);
        if self.memory.plan.is_none()
            || base == moved
            || number.is_some_and(|number| number < self.null_page())
        {
            return;
        }
        let Some(known) = self.known_pointer(base, pointee) else {
            let distance = self.build.arena.bv_sub(moved, base);
            self.note_moved(base, distance);
            return;
        };
        match known {
            Known::Outside => {
                let (was, is) =
                    (self.build.arena.bv_is_negative(base), self.build.arena.bv_is_negative(moved));
                let page = self.build.arena.bv(self.pointer_bits(), self.null_page());
                let null = self.build.arena.bv_ult(moved, page);
                let same = self.build.arena.eq(was, is);
                let outside = self.build.arena.or(&[is, null]);
                let both = self.build.arena.and(&[same, outside]);
                self.build.defined(both, ARITHMETIC);
                self.memory.provenance.learn(moved, Known::Outside);
            }
            Known::In(within) => {
                let same = self.same_object(base, moved, within.class);
                let safe = self.slack_safe(moved, within.class);
                let both = self.build.arena.and(&[same, safe]);
                self.stays_in(within.class, both, ARITHMETIC);
                let position = pointee
                    .and_then(|ty| self.position_type(ty))
                    .filter(|&ty| self.is_at(within.position, ty) && self.is_made_of(within.class, ty));
                let position = position.map(Position::Type);
                self.memory
                    .provenance
                    .learn(moved, Known::In(Within { class: within.class, position, near: false }));
            }
        }
    }

    /// The address of a variable element of an object is known, where the plan knows the object.
    pub(in crate::lower) fn learn_address(&mut self, term: Term, key: Key, address: &Address) {
        let planned = self.memory.plan.as_ref().is_some_and(|plan| plan.addresses.contains_key(&key));
        let Some(class) = self.object_class(key).filter(|_| planned) else { return };
        // An object that is one array, at a whole number of its elements.
        let ty = match key {
            Key::Static(variable) => Some(self.tree.variables[variable].ty),
            Key::Local(local) => Some(self.tree.variables[local.variable].ty),
            Key::Heap(..) => self.memory.shapes.get(&key).map(|shape| shape.element),
            _ => None,
        };
        let element = ty.map(|ty| innermost(&self.tree.types, ty));
        let size = element.and_then(|ty| self.tree.types.size_of(ty)).filter(|&size| size > 0);
        let whole = size.is_some_and(|size| {
            address.offset.rem_euclid(size.cast_signed()) == 0
                && address.parts.iter().all(|&(scale, _)| scale.rem_euclid(size.cast_signed()) == 0)
        });
        let position = element.filter(|_| whole).and_then(|ty| self.position_type(ty)).map(Position::Type);
        self.memory.provenance.learn(term, Known::In(Within { class: Some(class), position, near: false }));
    }

    /// The address of a member of what a pointer points to.
    pub(in crate::lower) fn address_of(&mut self, raw: &Raw, ty: TypeId) -> Term {
        if raw.moved > 0 && self.memory.plan.is_some() {
            let pointee = self.tree.types.pointee(ty);
            let placed = raw.ty.is_some_and(|ty| self.is_placed(raw.base, raw.class, ty));
            self.claim_moved(raw.base, raw.address, None);
            // A member of what is where it is said to be is there, too.
            if let Some(Known::In(within)) = self.memory.provenance.of.get(&raw.address).copied()
                && placed
            {
                let position = pointee.and_then(|ty| self.position_type(ty)).map(Position::Type);
                self.memory.provenance.learn(raw.address, Known::In(Within { position, ..within }));
            }
        }
        raw.address
    }

    /// A pointer is about to be used as one into a class: elsewhere it is not modelled.
    pub(in crate::lower) fn use_expected(&mut self, pointer: Term, class: Option<Class>, construct: &str) {
        if self.known_in(pointer, class, None).is_none() {
            let expected = self.expected(pointer, class);
            let not = self.build.arena.not(expected);
            self.build.unmodelled_if(not, construct);
        }
    }

    /// Whether two pointers of a class are in the region of one object, or both outside.
    pub(in crate::lower) fn same_object(&mut self, one: Term, other: Term, class: Option<Class>) -> Term {
        let width = self.pointer_bits();
        let span =
            self.memory.plan.as_ref().zip(class).and_then(|(plan, class)| plan.spans.get(&class)).cloned();
        let mut ways = Vec::new();
        match span {
            None => ways.push(self.build.arena.eq(one, other)),
            Some(Span { log: Some(log), .. }) => {
                let (a, b) = (
                    self.build.arena.extract(one, width - 1, log),
                    self.build.arena.extract(other, width - 1, log),
                );
                ways.push(self.build.arena.eq(a, b));
            }
            Some(span) => {
                for region in span.regions {
                    let high =
                        |this: &mut Self, term: Term| this.build.arena.extract(term, width - 1, region.log);
                    let start = self.build.arena.bv(width - region.log, region.start >> region.log);
                    let (a, b) = (high(self, one), high(self, other));
                    let (a, b) = (self.build.arena.eq(a, start), self.build.arena.eq(b, start));
                    let mut both = vec![a, b];
                    if region.object_log < region.log {
                        let number = |this: &mut Self, term: Term| {
                            this.build.arena.extract(term, region.log - 1, region.object_log)
                        };
                        let (a, b) = (number(self, one), number(self, other));
                        both.push(self.build.arena.eq(a, b));
                    }
                    ways.push(self.build.arena.and(&both));
                }
                let page = self.build.arena.bv(width, self.null_page());
                let (a, b) = (self.build.arena.bv_ult(one, page), self.build.arena.bv_ult(other, page));
                ways.push(self.build.arena.and(&[a, b]));
            }
        }
        if self.may_be_outside(class) {
            let (a, b) = (self.build.arena.bv_is_negative(one), self.build.arena.bv_is_negative(other));
            ways.push(self.build.arena.and(&[a, b]));
        }
        self.build.arena.or(&ways)
    }

    /// Whether a pointer is not in the last bytes of a region, where no object has its end.
    fn slack_safe(&mut self, pointer: Term, class: Option<Class>) -> Term {
        let log = self.memory.plan.as_ref().zip(class).and_then(|(plan, class)| plan.spans.get(&class)?.log);
        let Some(log) = log else { return self.build.arena.mk_true() };
        let last = self.build.arena.bv(log, (1_u64 << log) - SLACK);
        let low = self.build.arena.extract(pointer, log - 1, 0);
        let safe = self.build.arena.bv_ule(low, last);
        if self.may_be_outside(class) {
            let outside = self.build.arena.bv_is_negative(pointer);
            return self.build.arena.or(&[outside, safe]);
        }
        safe
    }

    /// Whether all that is promised of one array of pointers is promised of another.
    pub(in crate::lower) fn is_known_as(&self, from: Term, to: Term) -> bool {
        match self.memory.provenance.of.get(&to) {
            None => true,
            Some(promise) => self.memory.provenance.of.get(&from) == Some(promise),
        }
    }

    /// A term whose value another one keeps is known as well as that.
    pub(in crate::lower) fn inherit(&mut self, copy: Term, original: Term, pointee: Option<TypeId>) {
        match self.known_pointer(original, pointee) {
            Some(known) => self.memory.provenance.learn(copy, known),
            None => self.memory.provenance.forget(copy),
        }
    }
}

/// What is known of all alternatives of a term.
struct Found {
    outside: bool,
    within: Option<Within>,
    /// The functions among the alternatives.
    code: Vec<FunctionId>,
}
